"""What sets one case of a part apart from the others: τ = ½, another query, another mask."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.languages import lowered, template
from attnsolve.ops import Family, Option
from attnsolve.problem import Call, Part
from attnsolve.rendering.formulas import symbol_of
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.text import Segments, formula, say, sentence
from attnsolve.working import evaluate


def changes(part: Part, case: str, notation: Notation) -> Segments:
    """What this case does otherwise than another one; nothing where that cannot be said shortly."""
    calls: dict[str, dict[str, Call]] = {name: {} for name in part.cases}
    for call in part.calls:
        _, name, rest = call.out.split(".", 2)
        calls[name][rest] = call
    said: dict[Segments, None] = {}
    for rest, call in calls[case].items():
        twins = [others.get(rest) for name, others in calls.items() if name != case]
        alike = [twin for twin in twins if twin is not None and twin.op is call.op]
        if len(alike) < len(twins):
            said[sentence(lowered(template(call.op.title).partition(":")[0]))] = None
        said |= dict.fromkeys(words for twin in alike for words in differences(call, twin, notation))
    pieces = [piece for words in said for piece in ((False, ", "), *words)]
    return tuple(pieces[1:])


def differences(call: Call, twin: Call, notation: Notation) -> Iterator[Segments]:
    """The settings and the givens that two calls of the same op do not share."""
    if call.op.family is Family.SELECTION and call.options != twin.options:
        yield sentence(formula(notation.symbol(call.out)))
        return
    for option in call.op.options:
        if repr(call.options.get(option.name)) != repr(twin.options.get(option.name)):
            yield setting(call, option, notation)
    givens = notation.problem.givens
    for own, other in zip(call.args, twin.args, strict=False):
        if own != other and own in givens:
            yield sentence(formula(notation.symbol(own)))


def setting(call: Call, option: Option, notation: Notation) -> Segments:
    """`τ = ½`, `ties: first`, `no temperature`."""
    value = call.options.get(option.name)
    if value is None:
        return say("no {setting}", setting=option.name)
    if option.kind == "number":
        number, symbol = notation.constant(evaluate(value)), symbol_of(option, notation)
        return sentence(
            formula(f"{symbol} = {number}") if symbol else (f"{call.op.name} {option.name} "),
            () if symbol else [formula(number)],
        )
    if isinstance(value, tuple):
        first = notation.problem.index_from if option.kind == "rows" else 0
        return sentence(f"{option.name}: {', '.join(str(place + first) for place in value)}")
    return sentence(f"{option.name}: {value}")
