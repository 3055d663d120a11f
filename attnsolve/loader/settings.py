"""The keys of a recipe: from what a file writes to what the recipe builds its plan from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attnsolve.documents import Node
from attnsolve.loader.givens import Givens
from attnsolve.loader.reader import Reader, did_you_mean, listing
from attnsolve.ops import NORMALISERS, OPS_BY_NAME
from attnsolve.recipes import Field, Normaliser
from attnsolve.recipes.heads import HEAD

NORMALISERS_BY_NAME = {op.name: op for op in NORMALISERS}


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
        if field.kind == "matrix":
            return self.givens.use(node, path, field.role, name)
        if field.kind == "scale":
            return self.reader.word(node, path, "a number, sqrt(d_k) or none")
        if field.kind == "choice":
            chosen = self.reader.choice(node, path, field.choices)
            return OPS_BY_NAME.get(chosen) if chosen and field.name == "score" else chosen
        if field.kind == "normaliser":
            return self._normaliser(node, path)
        if field.kind in ("rows", "sizes"):
            return self._numbers(node, path, field.kind)
        return self._heads(node, path, name.rpartition(".")[0])

    def _normaliser(self, node: Node, path: str) -> Normaliser | None:
        """`softmax`, or `{softmax: {temperature: 2}}`."""
        if node.kind == "text":
            name = self.reader.choice(node, path, tuple(NORMALISERS_BY_NAME))
            return Normaliser(NORMALISERS_BY_NAME[name]) if name else None
        if node.kind != "map" or len(node.entries) != 1:
            names = ", ".join(NORMALISERS_BY_NAME)
            said = f"one of {names} is expected here, or {{softmax: {{temperature: 2}}}}"
            self.reader.fault(node, path, said)
            return None
        key, inner = node.entries[0]
        name = self.reader.choice(key, path, tuple(NORMALISERS_BY_NAME))
        if name is None:
            return None
        fields = tuple(
            Field(option.name, "setting", option.doc) for option in NORMALISERS_BY_NAME[name].options
        )
        if not fields:
            self.reader.fault(inner, path, f"{name} has no settings; write weights: {name}")
            return None
        entries = self.reader.mapping(inner, f"{path}.{name}", fields)
        settings = {k: self.reader.word(v, f"{path}.{name}.{k}", "a value") or "" for k, v in entries.items()}
        return Normaliser(NORMALISERS_BY_NAME[name], settings)

    def _numbers(self, node: Node, path: str, kind: str) -> tuple[int, ...] | None:
        """`[2]`, `[1, 3]` or `2`; rows are counted as the sheet counts them."""
        items = node.items if node.kind == "list" else (node,)
        if not items:
            self.reader.fault(node, path, "an empty list; write at least one number")
            return None
        first, limits = (self.reader.index_from if kind == "rows" else 1), self.reader.limits
        last = limits.tokens - 1 + first if kind == "rows" else limits.dimension
        numbers = [self.reader.integer(item, path, first, last) for item in items]
        if kind == "rows" and len(set(numbers) - {None}) < len(numbers) - numbers.count(None):
            self.reader.fault(node, path, "a token is named twice; each asks once")
        if None in numbers:
            return None
        return tuple(number - (first if kind == "rows" else 0) for number in numbers if number is not None)

    def _heads(self, node: Node, path: str, prefix: str) -> list[Any] | int | None:
        """A list of heads, each its matrices or an earlier part's id; or how many share wide matrices."""
        limit = self.reader.limits.heads
        if node.kind == "text":
            return self.reader.integer(node, path, 1, limit)
        if node.kind != "list" or not node.items:
            self.reader.fault(
                node,
                path,
                "a list of heads is expected here, such as [a, {W_Q: …, W_K: …, W_V: …}], or how many",
            )
            return None
        if len(node.items) > limit:
            self.reader.fault(node, path, f"{len(node.items)} heads; the limit is {limit}")
            return None
        return [
            self._head(item, f"{path}[{i}]", f"{prefix}.head{i}")
            for i, item in enumerate(node.items, start=1)
        ]

    def _head(self, node: Node, path: str, prefix: str) -> Any:
        if node.kind == "map":
            return self.read(node, path, HEAD, prefix)
        name = node.text.strip() if node.kind == "text" else ""
        if name not in self.earlier:
            listed = listing("the parts before this one are", self.earlier, "no part comes before this one")
            said = "a head is a map such as {W_Q: …, W_K: …, W_V: …} or the id of an earlier part"
            self.reader.fault(node, path, f"{said}{did_you_mean(name, self.earlier) or listed}")
        return name
