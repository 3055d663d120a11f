"""The keys of a recipe: from what a file writes to what the recipe builds its plan from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attnsolve.documents import Node
from attnsolve.loader.givens import Givens
from attnsolve.loader.reader import Reader
from attnsolve.recipes import Field
from attnsolve.recipes.schemas import Schema
from attnsolve.records import NamedTuple


class Setting(NamedTuple):
    """A setting as it stands in a file; a matrix that is typed in place gets its name."""

    field: Field
    node: Node
    path: str
    name: str

    @property
    def prefix(self) -> str:
        """The part, head or case that it belongs to."""
        return self.name.rpartition(".")[0]


class Kind(NamedTuple):
    """A kind of setting: its value, or None after a complaint, and what a JSON Schema says of it.

    What many recipes share has a `definition`, to which the schema refers.
    """

    read: Callable[[SettingsReader, Setting], Any]
    schema: Callable[[Field], Schema]
    definition: Callable[[Field], Schema] | None = None


class SettingsReader:
    """Reads the settings of one part; `sound` tells whether all of them could be read."""

    def __init__(
        self, reader: Reader, givens: Givens, earlier: Sequence[str], kinds: Mapping[str, Kind]
    ) -> None:
        self.reader = reader
        self.kinds = kinds  # by the names that fields have for them
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
        return self.kinds[field.kind].read(self, Setting(field, node, path, name))
