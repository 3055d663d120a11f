"""Plans written out in a file: `[{S: 'dot(Q, K)'}, {T: 'divide(S, sqrt(2))'}, {A: 'softmax(T)'}]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.graph import Graph
from attnsolve.loader.givens import NAME, Givens
from attnsolve.loader.reader import Reader, did_you_mean, shortened
from attnsolve.loader.targets import Scope
from attnsolve.ops import OPS_BY_NAME, Op, Role
from attnsolve.recipes import Plan
from attnsolve.records import NamedTuple

TITLE = "title"
CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


class WrittenCall(NamedTuple):
    """One line of a written plan, its op known and its arguments still as text."""

    letter: str
    op: Op
    arguments: tuple[str, ...]
    settings: dict[str, str]
    node: Node
    path: str
    title: str = ""  # what the file says is done here

    def role(self, argument: str) -> Role | None:
        """What an argument is for: tokens, weights, scores or a row."""
        roles = self.op.roles * len(self.arguments) if self.op.gathers else self.op.roles
        return next(
            (role for name, role in zip(self.arguments, roles, strict=False) if name == argument), None
        )


class WrittenPlan:
    """The lines of a plan that could be read, and the names that the others would have made."""

    def __init__(self) -> None:
        self.calls: list[WrittenCall] = []
        self.unknown: set[str] = set()


def read_plan(reader: Reader, givens: Givens, node: Node, path: str) -> WrittenPlan:
    """The lines of `plan:`; what the givens in them are for is noted on the way."""
    if node.is_text or not (node.items or node.entries):
        reader.fault(node, path, "a list of steps is expected here, such as - S: dot(Q, K)")
        return WrittenPlan()
    if len(node.items) + len(node.entries) > reader.limits.calls:
        steps = len(node.items) + len(node.entries)
        said = f"{steps} steps; the limit is {reader.limits.calls}"
        reader.fault(node, path, f"{said}, and --limit calls={steps} raises it")
        return WrittenPlan()
    plan = WrittenPlan()
    made: set[str] = set()
    for key, value, title in _lines(reader, node, path):
        where = f"{path}.{key.text}"
        if key.text in made:
            reader.fault(key, where, f"'{key.text}' is made twice; give the second result another name")
        call = _read_call(reader, key, value, where)
        if call is None:
            plan.unknown.add(key.text)
        else:
            plan.calls.append(call._replace(title=title))
            for argument in set(call.arguments) & givens.nodes.keys() - made:
                givens.assign(argument, call.role(argument) or Role.TOKENS, value, where)
        made.add(key.text)
    return plan


def _lines(reader: Reader, node: Node, path: str) -> Iterator[tuple[Node, Node, str]]:
    """The name, the call and the title of every step; only a step on a line of its own can have a title."""
    yield from ((key, value, "") for key, value in node.entries)
    for number, item in enumerate(node.items, start=1):
        where = f"{path}[{number}]"
        steps = [(key, value) for key, value in item.entries if key.text != TITLE]
        if not item.is_map or len(steps) != 1:
            said = (
                "one step a line is expected here, such as - S: dot(Q, K), or with a title: {S: …, title: …}"
            )
            reader.fault(item, where, said)
            continue
        title = item.get(TITLE)
        yield (*steps[0], "" if title is None else reader.text(title, f"{where}.title").strip().rstrip("."))


def _read_call(reader: Reader, key: Node, value: Node, path: str) -> WrittenCall | None:
    if not NAME.fullmatch(key.text):
        reader.fault(
            key, path, f"'{shortened(key.text)}' cannot be a name; use letters and digits, such as S"
        )
        return None
    text = reader.word(value, path, "a step such as dot(Q, K)")
    if text is None:
        return None
    match = CALL.fullmatch(text)
    if match is None:
        reader.fault(
            value, path, f"'{shortened(text)}' is not a step; write op(arguments), such as softmax(S)"
        )
        return None
    op = OPS_BY_NAME.get(match[1])
    if op is None:
        # Many ops have short names, of which some other word always reminds: `rope` means no `drop`.
        hint = did_you_mean(match[1], OPS_BY_NAME, alike=0.8) or f"; the ops are {', '.join(OPS_BY_NAME)}"
        reader.fault(value, path, f"unknown op '{shortened(match[1])}'{hint}")
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


def _bound(
    reader: Reader, letter: str, op: Op, pieces: list[str], node: Node, path: str
) -> WrittenCall | None:
    """Matrices first, then settings, by place or as name=value."""
    names = [option.name for option in op.options]
    settings, plain = {}, []
    for piece in pieces:
        name, equals, value = (part.strip() for part in piece.partition("="))
        if equals and name not in names:
            hint = did_you_mean(name, names) or f"; it takes {', '.join(names) or 'none'}"
            reader.fault(node, path, f"{op.name} has no setting '{shortened(name)}'{hint}")
            return None
        if equals:
            settings[name] = value
        else:
            plain.append(piece)
    if op.gathers:
        fits = bool(plain)
    else:
        most, free = len(op.parameters), [name for name in names if name not in settings]
        surplus = plain[most:] if len(plain) > most else []
        # project(X, W) has one matrix less than it could, and softmax(S, 2) one setting more than matrices.
        fits = len(plain) >= most - len(op.optional) and len(surplus) <= len(free)
        settings |= dict(zip(free, surplus, strict=False))
        plain = plain[:most]
    if not fits or not all(plain):
        wanted = ", ".join((*(f"{p}…" if op.gathers else p for p in op.parameters), *names))
        reader.fault(
            node,
            path,
            f"{op.name} takes ({wanted}); here it has {len(pieces)}: ({shortened(', '.join(pieces))})",
        )
        return None
    return WrittenCall(letter, op, tuple(plain), settings, node, path)


def add_calls(
    reader: Reader, scope: Scope, plan: Plan, written: WrittenPlan, swapped: Mapping[str, str] | None = None
) -> bool:
    """The written lines as checked calls of a plan; `swapped` has what a case puts in another's place."""
    unknown, ahead = set(written.unknown), {call.letter for call in written.calls}
    for call in written.calls:
        arguments = [(swapped or {}).get(argument, argument) for argument in call.arguments]
        names = {argument: _known(scope, plan, argument) for argument in arguments}
        for argument, name in names.items():
            # What an earlier fault has swallowed is not complained about again.
            if name is None and argument not in unknown and not scope.is_lost(argument):
                reader.fault(call.node, call.path, _why_missing(scope, plan, call, argument, ahead))
        found = [name for argument in arguments if (name := names[argument]) is not None]
        ahead.discard(call.letter)
        if len(found) < len(arguments) or not _add(reader, scope, plan, call, found):
            unknown.add(call.letter)
    return not unknown


def _add(reader: Reader, scope: Scope, plan: Plan, call: WrittenCall, names: list[str]) -> bool:
    sizes = _sizes(scope, plan, names[0])
    written = [option for option in call.op.options if option.name in call.settings]
    try:
        options = {option.name: plan.option(option, call.settings[option.name], sizes) for option in written}
        plan.call(call.letter, call.op, *names, title=call.title, named=True, **options)
    except AttnsolveError as error:
        reader.fault(call.node, call.path, str(error))
        return False
    except TypeError:  # an option without a default
        missing = ", ".join(option.name for option in call.op.options if option not in written)
        reader.fault(
            call.node,
            call.path,
            f"{call.op.name} needs a number for '{missing}', such as {call.op.name}(S, sqrt(2))",
        )
        return False
    return True


def _known(scope: Scope, plan: Plan, argument: str) -> str | None:
    """The name under which an argument is kept: this plan's own result, or an earlier one."""
    part = plan.prefix.partition(".")[0]
    return scope.full_name(argument, plan.prefix) or scope.full_name(argument, part)


def _why_missing(scope: Scope, plan: Plan, call: WrittenCall, argument: str, ahead: set[str]) -> str:
    """What is wrong with an argument that nothing answers to; `ahead` are the results still to come."""
    part = plan.prefix.partition(".")[0]
    if argument == call.letter:
        return f"'{argument}' is what this step makes; it cannot be made from itself"
    if argument in ahead:
        return f"'{argument}' is made later in this plan; put that step before this one"
    if "." in argument:
        return scope.why_missing(argument, part)
    givens = [key for key in scope.frames if "." not in key]
    own = [key.removeprefix(f"{plan.prefix}.") for key in scope.frames if key.startswith(f"{plan.prefix}.")]
    elsewhere = scope.elsewhere(argument, part)
    known = f"; known here are {', '.join([*own, *givens]) or 'no names'}"
    hint = f"; {elsewhere}" if elsewhere else did_you_mean(argument, [*own, *givens]) or known
    return f"there is no '{shortened(argument)}'{hint}"


def _sizes(scope: Scope, plan: Plan, name: str) -> dict[str, int]:
    """The sizes that an option may mention, from the keys behind the scores; given scores tell only n."""
    graph = Graph([*scope.made.values(), *plan.calls])
    sizes = {"n": plan.frames[name].columns.size}
    scores = graph.scores_behind(name)
    if scores is None:
        return sizes
    keys = scores.args[1]
    width, tokens = plan.frames[keys].columns.size, graph.source(graph.before_turning(keys)).tokens
    return {**sizes, "d": width, "d_k": width, "d_model": plan.frames[tokens].columns.size}
