"""The keys of a recipe: from what a file writes to what the recipe builds its plan from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attnsolve.documents import Node
from attnsolve.exact import Cell
from attnsolve.exact.infinity import HIDDEN
from attnsolve.loader.givens import Givens
from attnsolve.loader.reader import Reader, did_you_mean, listing
from attnsolve.ops import Family, Op
from attnsolve.recipes import Chosen, Field
from attnsolve.recipes.heads import HEAD

# Masks that mark keys with 0 and 1, and lists in which nothing can stand twice.
MARKS = ("keep", "drop")
ONCE = {
    "queries": "a token is named twice; each asks once",
    "drop_keys": "a key is named twice; it can be hidden only once",
}


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
        match field.kind:
            case "matrix":
                used = self.givens.use(node, path, field.role, name)
                if field.name in MARKS and used is not None:
                    self._check_marks(node, path, used)
                return used
            case "scale":
                return self.reader.word(node, path, "a number, sqrt(d_k) or none")
            case "number":
                return self.reader.word(node, path, "a number")
            case "choice":
                return self.reader.choice(node, path, field.choices)
            case "flag":
                return self._flag(node, path)
            case "op":
                return self._chosen(node, path, field, name)
            case "map":
                return self.read(node, path, field.fields, name.rpartition(".")[0])
            case "rows" | "sizes":
                return self._numbers(node, path, field)
            case "count":
                return self.reader.integer(node, path, field.low, field.high)
            case "layers":
                return self._layers(node, path, field, name.rpartition(".")[0])
            case _:
                return self._heads(node, path, name.rpartition(".")[0])

    def _check_marks(self, node: Node, path: str, name: str) -> None:
        """A mask that marks keys has only zeros and ones."""
        table = None if name not in self.givens.tables else self.givens.find(name)
        for i, j, cell in () if table is None else table.cells():
            if cell.rational() not in (0, 1):
                said = f"{name.rpartition('.')[2]} has {typed(cell)} in row {i + 1}, column {j + 1}"
                self.reader.fault(node, path, f"{said}; this mask has only 0 and 1 (numbers go into add)")
                return

    def _flag(self, node: Node, path: str) -> bool | None:
        """`true` or `false`; a flag that is false is read, and says no."""
        said = self.reader.choice(node, path, ("true", "false"))
        return None if said is None else said == "true"

    def _chosen(self, node: Node, path: str, field: Field, name: str) -> Chosen | None:
        """`softmax`, `{softmax: {temperature: 2}}` or `{bilinear: {W: W}}`."""
        ops = {op.name: op for op in field.ops}
        if node.kind == "text":
            word = self.reader.choice(node, path, tuple(ops))
            if word is None or not self._says_enough(node, path, field, ops[word]):
                return None
            return Chosen(ops[word])
        if node.kind != "map" or len(node.entries) != 1:
            said = f"one of {', '.join(ops)} is expected here, or {with_settings(field.ops)}"
            self.reader.fault(node, path, said)
            return None
        key, inner = node.entries[0]
        word = self.reader.choice(key, path, tuple(ops))
        if word is None:
            return None
        fields = own_fields(ops[word])
        if not fields:
            self.reader.fault(inner, path, f"{word} has no settings; write {field.name}: {word}")
            return None
        if inner.kind == "map" and not inner.entries and not any(own.required for own in fields):
            said = f"nothing is set here; write {field.name}: {word}, or {with_settings([ops[word]])}"
            self.reader.fault(inner, f"{path}.{word}", said)
            return None
        matrices, settings = {}, {}
        entries = self.reader.mapping(inner, f"{path}.{word}", fields)
        for own in fields:
            if own.name not in entries:
                self.sound &= not own.required
                continue
            where = f"{path}.{word}.{own.name}"
            if own.kind == "matrix":
                inline = f"{name.rpartition('.')[0]}.{own.name}"
                found = self.givens.use(entries[own.name], where, own.role, inline)
                self.sound &= found is not None
                matrices[own.name] = found or ""
            else:
                settings[own.name] = self.reader.word(entries[own.name], where, "a value") or ""
        return Chosen(ops[word], matrices, settings)

    def _says_enough(self, node: Node, path: str, field: Field, op: Op) -> bool:
        """Whether an op can be named alone: it has no matrix or setting that it cannot do without."""
        needed = [own for own in own_fields(op) if own.required]
        if needed:
            listed = ", ".join(f"{own.name}: …" for own in needed)
            said = f"{op.name} needs more: {field.name}: {{{op.name}: {{{listed}}}}}"
            self.reader.fault(node, path, said)
        return not needed

    def _numbers(self, node: Node, path: str, field: Field) -> tuple[int, ...] | None:
        """`[2]`, `[1, 3]` or `2`; rows are counted as the sheet counts them."""
        kind = field.kind
        items = node.items if node.kind == "list" else (node,)
        if not items:
            self.reader.fault(node, path, "an empty list; write at least one number")
            return None
        first, limits = (self.reader.index_from if kind == "rows" else 1), self.reader.limits
        last = limits.tokens - 1 + first if kind == "rows" else limits.dimension
        numbers = [self.reader.integer(item, path, first, last) for item in items]
        twice = len(set(numbers) - {None}) < len(numbers) - numbers.count(None)
        if twice and field.name in ONCE:
            self.reader.fault(node, path, ONCE[field.name])
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
            self._head(item, f"{path}[{i + 1}]", f"{prefix}.head{i + self.reader.index_from}")
            for i, item in enumerate(node.items)
        ]

    def _layers(self, node: Node, path: str, field: Field, prefix: str) -> list[Any] | int | None:
        """A list of layers, each with what it has of its own; or how many that are all alike."""
        limit = self.reader.limits.heads
        if node.kind == "text":
            return self.reader.integer(node, path, 1, limit)
        if node.kind != "list" or not 0 < len(node.items) <= limit:
            said = f"1 to {limit} layers are expected here, such as [{{W_1: …}}, {{W_1: …}}], or how many"
            self.reader.fault(node, path, said)
            return None
        return [
            self.read(item, f"{path}[{i}]", field.fields, f"{prefix}.layer{i}")
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


def typed(cell: Cell) -> str:
    """A number as a file writes it."""
    return "-inf" if cell is HIDDEN else cell.text()


def own_fields(op: Op) -> tuple[Field, ...]:
    """What an op has besides the values that a recipe gives it: more matrices, and settings."""
    given = 2 if op.family is Family.SCORE else 1
    matrices = (
        Field(name, "matrix", f"the matrix {name} of {op.name}", name not in op.optional, role)
        for name, role in zip(op.parameters[given:], op.roles[given:], strict=True)
    )
    return (*matrices, *(Field(o.name, "setting", o.doc, o.required) for o in op.options))


def with_settings(ops: Sequence[Op]) -> str:
    """An example of an op with something of its own, such as {softmax: {temperature: 2}}."""
    op = next((op for op in ops if own_fields(op)), ops[0])
    return f"{{{op.name}: {{{', '.join(f'{own.name}: …' for own in own_fields(op))}}}}}"
