"""An op that a file chooses, after `score:` or `weights:`, with the matrices and settings of its own."""

from __future__ import annotations

from collections.abc import Iterable

from attnsolve.documents import Node
from attnsolve.loader.settings import SettingsReader
from attnsolve.ops import Family, Op
from attnsolve.recipes import Chosen, Field
from attnsolve.recipes.options import OPTION_KINDS
from attnsolve.recipes.schemas import Schema, described, either, ref


def read_chosen(settings: SettingsReader, node: Node, path: str, field: Field, prefix: str) -> Chosen | None:
    """`softmax`, `{softmax: {temperature: 2}}` or `{bilinear: {W: W}}`."""
    ops = field.ops
    reader = settings.reader
    if node.is_text:
        word = reader.choice(node, path, tuple(ops))
        if word is None or not _says_enough(settings, node, path, field, ops[word]):
            return None
        return Chosen(ops[word])
    if not node.is_map or len(node.entries) != 1:
        reader.fault(
            node, path, f"one of {', '.join(ops)} is expected here, or {with_settings(ops.values())}"
        )
        return None
    key, inner = node.entries[0]
    word = reader.choice(key, path, tuple(ops))
    if word is None:
        return None
    fields = own_fields(ops[word])
    if not fields:
        reader.fault(inner, path, f"{word} has no settings; write {field.name}: {word}")
        return None
    if inner.is_map and not inner.entries and not any(own.required for own in fields):
        said = f"nothing is set here; write {field.name}: {word}, or {with_settings([ops[word]])}"
        reader.fault(inner, f"{path}.{word}", said)
        return None
    return _with_own(settings, inner, f"{path}.{word}", ops[word], prefix)


def _with_own(settings: SettingsReader, node: Node, path: str, op: Op, prefix: str) -> Chosen:
    """The op with what the file gives it; a missing or unreadable matrix makes the settings unsound."""
    matrices, texts = {}, {}
    entries = settings.reader.mapping(node, path, own_fields(op))
    for own in own_fields(op):
        if own.name not in entries:
            settings.sound &= not own.required
        elif own.role:
            found = settings.givens.use(
                entries[own.name], f"{path}.{own.name}", own.role, f"{prefix}.{own.name}"
            )
            settings.sound &= found is not None
            matrices[own.name] = found or ""
        else:
            texts[own.name] = settings.reader.word(entries[own.name], f"{path}.{own.name}", "a value") or ""
    return Chosen(op, matrices, texts)


def _says_enough(settings: SettingsReader, node: Node, path: str, field: Field, op: Op) -> bool:
    """Whether an op can be named alone: it has no matrix or setting that it cannot do without."""
    needed = [own for own in own_fields(op) if own.required]
    if needed:
        listed = ", ".join(f"{own.name}: …" for own in needed)
        said = f"{op.name} needs more: {field.name}: {{{op.name}: {{{listed}}}}}"
        settings.reader.fault(node, path, said)
    return not needed


def own_fields(op: Op) -> tuple[Field, ...]:
    """What an op has besides the values that a recipe gives it: more matrices, and settings."""
    given = 2 if op.family is Family.SCORE else 1
    matrices = (
        Field(name, "matrix", f"the matrix {name} of {op.name}", name not in op.optional, role)
        for name, role in zip(op.parameters[given:], op.roles[given:], strict=True)
    )
    return (*matrices, *(Field(o.name, "setting", o.doc, o.required) for o in op.options))


def with_settings(ops: Iterable[Op]) -> str:
    """An example of an op with something of its own, such as {softmax: {temperature: 2}}."""
    op = next(op for op in ops if own_fields(op))
    return f"{{{op.name}: {{{', '.join(f'{own.name}: …' for own in own_fields(op))}}}}}"


def chosen_schema(field: Field) -> Schema:
    """The name of an op, or the op with its own matrices and settings."""
    alone = [op.name for op in field.ops.values() if not any(own.required for own in own_fields(op))]
    return either({"enum": alone}, *(_own_schema(op) for op in field.ops.values() if own_fields(op)))


def _own_schema(op: Op) -> Schema:
    options = {option.name: OPTION_KINDS[option.kind].schema(option) for option in op.options}
    fields = own_fields(op)
    own = {
        "type": "object",
        "properties": {
            field.name: described(options.get(field.name, ref("matrix")), field.doc) for field in fields
        },
        "additionalProperties": False,
    }
    needed = [field.name for field in fields if field.required]
    return {
        "type": "object",
        "properties": {op.name: {**own, "required": needed} if needed else own},
        "additionalProperties": False,
        "minProperties": 1,
    }
