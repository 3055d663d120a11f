"""The keys of a recipe: from what a file writes to what the recipe builds its plan from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attnsolve.documents import Node
from attnsolve.loader.givens import Givens
from attnsolve.loader.kinds import Setting, kind_of
from attnsolve.loader.reader import Reader
from attnsolve.recipes import Field


class SettingsReader:
    """Reads the settings of one part; `sound` tells whether all of them could be read."""

    def __init__(self, reader: Reader, givens: Givens, earlier: Sequence[str]) -> None:
        self.reader = reader
        self.givens = givens
        self.earlier = earlier  # the ids of the parts before this one
        self.sound = True

    def read(
        self,
        node: Node,
        path: str,
        fields: tuple[Field, ...],
        prefix: str,
        *,
        case: str = "",
        changed: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """The values of a map; `changed` has the paths of the keys that a case has put there."""
        before = len(self.reader.faults)
        maps = {name: where.rpartition(".")[0] for name, where in (changed or {}).items()}
        entries = self.reader.mapping(node, path, fields, elsewhere=maps)
        known = {field.name: field for field in fields}
        if "divide_by" in entries and "multiply_by" in entries:
            said = "divide_by and multiply_by exclude each other; keep one of them"
            self.reader.fault(entries["multiply_by"], f"{path}.multiply_by", said)
        values = {}
        for name, value in entries.items():
            where = (changed or {}).get(name, f"{path}.{name}")
            # A matrix typed into the recipe belongs to the part, one typed into a case to that case.
            owner = f"{prefix}.{case}" if changed and name in changed else prefix
            values[name] = self._value(known[name], value, where, f"{owner}.{name}")
        self.sound &= None not in values.values() and len(self.reader.faults) == before
        return {name: value for name, value in values.items() if value is not None}

    def _value(self, field: Field, node: Node, path: str, name: str) -> Any:
        if node.broken:
            return None
        return kind_of(field).read(self, Setting(field, node, path, name))
