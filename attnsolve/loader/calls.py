"""Plans written out in a file: `[{S: 'dot(Q, K)'}, {T: 'divide(S, sqrt(2))'}, {A: 'softmax(T)'}]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.loader.givens import NAME, Givens
from attnsolve.loader.reader import Reader, did_you_mean
from attnsolve.ops import OPS_BY_NAME, Op
from attnsolve.recipes import Plan

CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """One line of a written plan, its op known and its arguments still as text."""

    letter: str
    op: Op
    arguments: tuple[str, ...]
    settings: dict[str, str]
    node: Node
    path: str


def read_plan(reader: Reader, givens: Givens, node: Node, path: str) -> list[WrittenCall]:
    """The lines of `plan:`; what the givens in them are for is noted on the way."""
    if node.kind not in ("list", "map") or not (node.items or node.entries):
        reader.fault(node, path, "a list of steps is expected here, such as [{S: 'dot(Q, K)'}]")
        return []
    entries = list(node.entries)
    for item in node.items:
        if item.kind != "map" or len(item.entries) != 1:
            reader.fault(item, path, "one step a line, such as - S: dot(Q, K); quote it inside { }")
            continue
        entries += item.entries
    calls: list[WrittenCall] = []
    for key, value in entries:
        call = _read_call(reader, key, value, f"{path}.{key.text}")
        if call is not None:
            calls.append(call)
            _note_roles(givens, call, {earlier.letter for earlier in calls})
    return calls


def _read_call(reader: Reader, key: Node, value: Node, path: str) -> WrittenCall | None:
    text = reader.word(value, path, "a step such as dot(Q, K)")
    if not NAME.fullmatch(key.text):
        reader.fault(key, path, f"'{key.text}' cannot be a name; use letters and digits, such as S")
        return None
    if text is None:
        return None
    match = CALL.fullmatch(text)
    if match is None:
        reader.fault(value, path, f"'{text}' is not a step; write op(arguments), such as softmax(S)")
        return None
    op = OPS_BY_NAME.get(match[1])
    if op is None:
        hint = did_you_mean(match[1], OPS_BY_NAME) or f"; the ops are {', '.join(OPS_BY_NAME)}"
        reader.fault(value, path, f"unknown op '{match[1]}'{hint}")
        return None
    return _bound(reader, key.text, op, split_arguments(match[2]), value, path)


def split_arguments(text: str) -> list[str]:
    """The arguments of a call, split at its own commas only."""
    pieces, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            pieces.append(text[start:i].strip())
            start = i + 1
    return [*pieces, text[start:].strip()] if text.strip() else []


def _bound(reader: Reader, letter: str, op: Op, pieces: list[str], node: Node, path: str) -> WrittenCall | None:
    """Matrices first, then settings, by place or as name=value."""
    names = [option.name for option in op.options]
    settings = {}
    plain = []
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if equals:
            if name.strip() not in names:
                hint = did_you_mean(name.strip(), names) or f"; it takes {', '.join(names) or 'no settings'}"
                reader.fault(node, path, f"{op.name} has no setting '{name.strip()}'{hint}")
                return None
            settings[name.strip()] = value.strip()
        else:
            plain.append(piece)
    if not op.gathers:
        most = len(op.parameters)
        least = most - len(op.optional)
        free = [name for name in names if name not in settings]
        surplus = plain[most:] if len(plain) > most else []
        plain = plain[:most]
        settings |= dict(zip(free, surplus, strict=False))
        if len(plain) < least or len(surplus) > len(free):
            wanted = ", ".join((*op.parameters, *names))
            reader.fault(node, path, f"{op.name} takes ({wanted}), but {len(pieces)} arguments are written")
            return None
    elif not plain:
        reader.fault(node, path, f"{op.name} needs at least one matrix")
        return None
    return WrittenCall(letter, op, tuple(plain), settings, node, path)


def _note_roles(givens: Givens, call: WrittenCall, made: set[str]) -> None:
    roles = call.op.roles * len(call.arguments) if call.op.gathers else call.op.roles
    for argument, role in zip(call.arguments, roles, strict=False):
        if argument in givens.nodes and argument not in made:
            givens.assign(argument, role, call.node, call.path)


def add_calls(reader: Reader, plan: Plan, calls: list[WrittenCall]) -> None:
    """The written lines as checked calls of a plan."""
    for call in calls:
        args = [_argument(reader, plan, call, argument) for argument in call.arguments]
        if None in args:
            return
        names = [name for name in args if name is not None]
        first = plan.frames[names[0]]
        sizes = {"d_k": first.columns.size, "d": first.columns.size, "n": first.rows.size}
        try:
            options = {
                option.name: plan.option(option, call.settings[option.name], index_from=reader.index_from, **sizes)
                for option in call.op.options
                if option.name in call.settings
            }
            plan.call(call.letter, call.op, *names, **options)
        except (AttnsolveError, TypeError) as error:
            missing = [o.name for o in call.op.options if o.name not in call.settings]
            said = str(error) if isinstance(error, AttnsolveError) else f"{call.op.name} needs {', '.join(missing)}"
            reader.fault(call.node, call.path, said)
            return


def _argument(reader: Reader, plan: Plan, call: WrittenCall, argument: str) -> str | None:
    for name in (f"{plan.prefix}.{argument}", argument):
        if name in plan.frames:
            return name
    own = [name.removeprefix(f"{plan.prefix}.") for name in plan.frames if not name.startswith(f"{plan.prefix}.head")]
    hint = did_you_mean(argument, own) or f"; known here are {', '.join(own)}"
    reader.fault(call.node, call.path, f"there is no '{argument}'{hint}")
    return None
