"""The kinds of settings that a recipe has: how each is read from a file, and the JSON Schema of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attnsolve.documents import Node
from attnsolve.exact.infinity import HIDDEN
from attnsolve.loader.choices import chosen_schema, read_chosen
from attnsolve.loader.reader import did_you_mean, listing
from attnsolve.loader.settings import Kind, Setting, SettingsReader
from attnsolve.ops import Role
from attnsolve.recipes import Chosen, Field
from attnsolve.recipes.heads import HEAD
from attnsolve.recipes.schemas import (
    CELL,
    TEXT,
    WHOLE,
    Schema,
    bounded,
    choice,
    either,
    listed,
    mapped,
    one_or_more,
    ref,
)


def kind_of(field: Field) -> Kind:
    """The kind of a setting."""
    return SETTING_KINDS[field.kind]


def map_schema(fields: Iterable[Field]) -> Schema:
    """A map with these settings."""
    return mapped(fields, lambda field: kind_of(field).schema(field))


def _matrix(settings: SettingsReader, it: Setting) -> str | None:
    return settings.givens.use(it.node, it.path, it.field.role or Role.TOKENS, it.name)


def _zeros_and_ones(settings: SettingsReader, it: Setting) -> str | None:
    """A mask that marks keys has only zeros and ones."""
    used = _matrix(settings, it)
    if used is None or used not in settings.givens.tables:
        return used
    table = settings.givens.find(used)
    for i, j, cell in () if table is None else table.cells():
        if cell.rational() not in (0, 1):
            typed = "-inf" if cell is HIDDEN else cell.text()
            said = f"{used.rpartition('.')[2]} has {typed} in row {i + 1}, column {j + 1}"
            complaint = f"{said}; this mask has only 0 and 1 (numbers go into add)"
            settings.reader.fault(it.node, it.path, complaint)
            break
    return used


def _values(settings: SettingsReader, it: Setting) -> dict[str, str] | None:
    """Names of givens or of earlier results, in their order."""
    items = it.node.items if it.node.is_list else (it.node,)
    if not items:
        settings.reader.fault(it.node, it.path, "an empty list; write at least one name")
        return None
    names = [settings.givens.use(item, it.path, Role.ANY, f"{it.name}{i}") for i, item in enumerate(items)]
    known = {str(i): name for i, name in enumerate(names) if name is not None}
    return known if len(known) == len(names) else None


def _scale(settings: SettingsReader, it: Setting) -> str | None:
    return settings.reader.word(it.node, it.path, "a number, sqrt(d_k) or none")


def _number(settings: SettingsReader, it: Setting) -> str | None:
    return settings.reader.word(it.node, it.path, "a number")


def _choice(settings: SettingsReader, it: Setting) -> str | None:
    return settings.reader.choice(it.node, it.path, it.field.choices)


def _flag(settings: SettingsReader, it: Setting) -> bool | None:
    """`true` or `false`; a flag that is false is read, and says no."""
    said = settings.reader.choice(it.node, it.path, ("true", "false"))
    return None if said is None else said == "true"


def _op(settings: SettingsReader, it: Setting) -> Chosen | None:
    return read_chosen(settings, it.node, it.path, it.field, it.prefix)


def _map(settings: SettingsReader, it: Setting) -> dict[str, Any]:
    return settings.read(it.node, it.path, it.field.fields, it.prefix)


def _section(settings: SettingsReader, it: Setting) -> dict[str, Any]:
    """A map whose matrices have names of their own, as those of a head have."""
    return settings.read(it.node, it.path, it.field.fields, it.name)


def _count(settings: SettingsReader, it: Setting) -> int | None:
    return settings.reader.integer(it.node, it.path, it.field.low, it.field.high)


def _rows(settings: SettingsReader, it: Setting) -> tuple[int, ...] | None:
    """`[2]`, `[1, 3]` or `2`, counted as the sheet counts, from 0 in the engine."""
    first = settings.reader.index_from
    numbers = _numbers(settings, it, first, settings.reader.limits.tokens - 1 + first)
    return None if numbers is None else tuple(number - first for number in numbers)


def _sizes(settings: SettingsReader, it: Setting) -> tuple[int, ...] | None:
    return _numbers(settings, it, 1, settings.reader.limits.dimension)


def _numbers(settings: SettingsReader, it: Setting, low: int, high: int) -> tuple[int, ...] | None:
    """Whole numbers within bounds; where the field says so, none of them twice."""
    items = it.node.items if it.node.is_list else (it.node,)
    if not items:
        settings.reader.fault(it.node, it.path, "an empty list; write at least one number")
        return None
    read = [settings.reader.integer(item, it.path, low, high) for item in items]
    known = tuple(number for number in read if number is not None)
    if it.field.once and len(set(known)) < len(known):
        settings.reader.fault(it.node, it.path, it.field.once)
    return known if len(known) == len(read) else None


def _heads(settings: SettingsReader, it: Setting) -> list[Any] | int | None:
    """A list of heads, each its matrices or an earlier part's id; or how many share wide matrices."""
    reader, node, limit = settings.reader, it.node, settings.reader.limits.heads
    if node.is_text:
        return reader.integer(node, it.path, 1, limit)
    if not node.is_list or not node.items:
        said = "a list of heads is expected here, such as [a, {W_Q: …, W_K: …, W_V: …}], or how many"
        reader.fault(node, it.path, said)
        return None
    if len(node.items) > limit:
        reader.fault(node, it.path, f"{len(node.items)} heads; the limit is {limit}")
        return None
    return [
        _head(settings, item, f"{it.path}[{i + 1}]", f"{it.prefix}.head{i + reader.index_from}")
        for i, item in enumerate(node.items)
    ]


def _head(settings: SettingsReader, node: Node, path: str, prefix: str) -> Any:
    if node.is_map:
        return settings.read(node, path, HEAD, prefix)
    name = node.text.strip() if node.is_text else ""
    earlier = settings.earlier
    if name not in earlier:
        known = listing("the parts before this one are", earlier, "no part comes before this one")
        said = "a head is a map such as {W_Q: …, W_K: …, W_V: …} or the id of an earlier part"
        settings.reader.fault(node, path, f"{said}{did_you_mean(name, earlier) or known}")
    return name


def _layers(settings: SettingsReader, it: Setting) -> list[Any] | int | None:
    """A list of layers, each with what it has of its own; or how many that are all alike."""
    node, limit = it.node, settings.reader.limits.heads
    if node.is_text:
        return settings.reader.integer(node, it.path, 1, limit)
    if not node.is_list or not 0 < len(node.items) <= limit:
        said = f"1 to {limit} layers are expected here, such as [{{W_1: …}}, {{W_1: …}}], or how many"
        settings.reader.fault(node, it.path, said)
        return None
    return [
        settings.read(item, f"{it.path}[{i}]", it.field.fields, f"{it.prefix}.layer{i}")
        for i, item in enumerate(node.items, start=1)
    ]


# The id of an earlier part.
ID: Schema = {"type": ["string", "integer"]}


def _named(field: Field) -> Schema:
    return ref(field.name)


SETTING_KINDS: dict[str, Kind] = {
    "matrix": Kind(_matrix, lambda field: ref("matrix")),
    "values": Kind(_values, lambda field: one_or_more(TEXT)),
    "zeros-and-ones": Kind(_zeros_and_ones, lambda field: ref("matrix")),
    "scale": Kind(_scale, lambda field: CELL),
    "number": Kind(_number, lambda field: CELL),
    "choice": Kind(_choice, lambda field: choice(field.choices)),
    "flag": Kind(_flag, lambda field: {"type": "boolean"}),
    "op": Kind(_op, _named, chosen_schema),
    "map": Kind(_map, _named, lambda field: map_schema(field.fields)),
    "section": Kind(_section, lambda field: map_schema(field.fields)),
    "count": Kind(_count, lambda field: bounded(field.low, field.high)),
    "rows": Kind(_rows, lambda field: one_or_more(WHOLE)),
    "sizes": Kind(_sizes, lambda field: one_or_more(WHOLE)),
    "heads": Kind(_heads, lambda field: either(WHOLE, listed(either(ref("head"), ID)))),
    "layers": Kind(_layers, lambda field: either(WHOLE, listed(map_schema(field.fields)))),
}
