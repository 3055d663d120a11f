"""The answer, and what is easy to get wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import inf, prod

from attnsolve.errors import Undecided
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import shown
from attnsolve.languages import spoken
from attnsolve.mistakes import WrongPlan, are_told_apart, carried_out, wrong_plans
from attnsolve.problem import Part, Target
from attnsolve.rendering import numerals
from attnsolve.rendering.blocks import equations
from attnsolve.rendering.forms import kept_of_part
from attnsolve.rendering.markup import ALL_SHOWN
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page
from attnsolve.rendering.pitfalls import Pitfall
from attnsolve.rendering.text import Segments, say
from attnsolve.rendering.widths import PAGE, WIDEST_MATRIX, continued, width
from attnsolve.trace import Step, Trace


def answer(trace: Trace, target: Target, notation: Notation) -> tuple[str, ...]:
    """What was asked for, exactly where that is short, else in decimals; rounded where the sheet rounds.

    One equation, or several where it is too large for a page.
    """
    step = trace.step(target.name)
    value, rounded = step.value, step.carried is not step.value
    left, value = sliced(target, step.carried if rounded else value, notation)
    if rounded:
        exact = step.carried.same(step.value) is True
        rows = notation.carried_rows(value)
        return in_full(left, numerals.relation(exact), target, notation, rows)
    if isinstance(value, Rationals) and notation.is_readable(value):
        return in_full(left, "=", target, notation, notation.rows(value))
    decimals = in_decimals(left, target, value, notation)
    if value.kind == "surd" and notation.is_readable(value):
        exactly = in_full(left, "=", target, notation, notation.rows(value))
        if len(exactly) == len(decimals) == 1 and width(exactly[0]) < PAGE / 2:
            return (exactly[0] + decimals[0].removeprefix(left),)
    return decimals


def sliced(target: Target, value: Matrix, notation: Notation) -> tuple[str, Matrix]:
    """The symbol and the numbers of what is asked for: all of a value, a row, or a cell."""
    return symbol_of(target, notation), target.of(value)


def symbol_of(target: Target, notation: Notation) -> str:
    """How what is asked for is written: Z, a row of it, or a cell."""
    if target.row is None:
        return notation.symbol(target.name)
    if target.column is None:
        return notation.vector(target.name, target.row)
    return notation.entry(target.name, target.row, target.column)


def in_decimals(left: str, target: Target, value: Matrix, notation: Notation) -> tuple[str, ...]:
    """`left ≈ decimals`, or `=` when the decimals are exact; in several equations where it is large."""
    if shown(value).kind == "formula":  # which has none
        return in_full(left, "=", target, notation, notation.rows(value))
    relation = numerals.relation(notation.is_told(value))
    if 1 < value.shape[0] and max(value.shape) <= ALL_SHOWN:
        text = notation.decimal_matrix(target.name, value)  # as it stands in the working
        if width(left) + width(text) <= WIDEST_MATRIX:
            return (f"{left} {relation} {text}",)
    return in_full(left, relation, target, notation, notation.decimal_rows(value))


def in_full(
    left: str, relation: str, target: Target, notation: Notation, rows: list[list[str]]
) -> tuple[str, ...]:
    """All numbers of a value: a single one as it is, a vector as (a, b, c), anything else in brackets."""
    first = notation.problem.index_from
    if len(rows) == 1:
        return equations(left, relation, rows, first=first, written=in_parentheses)
    return equations(left, relation, notation.laid(target.name, rows), first=first)


def in_parentheses(rows: Sequence[Sequence[str]]) -> str:
    """(a, b, c), or a single number as it is."""
    (numbers,) = rows
    return numbers[0] if len(numbers) == 1 else "(" + rf"{spoken().separator}\ ".join(numbers) + ")"


def pitfall(page: Page, *, settled: Sequence[Step]) -> Pitfall | None:
    """The first catalogued mistake that is plain to see and that no earlier part has warned of.

    `settled` are steps that were another part's: who has come this far has them right.
    """
    trace, part, notation = page.trace, page.part, page.notation
    if not part.find or not part.calls or trace.problem.assumptions is not None:
        return None
    target = part.find[-1]
    try:
        found = telling_mistake(page, target, settled)
        return None if found is None else shown_pitfall(trace, target, *found, notation)
    except Undecided:
        return None  # a box that cannot be proven is left out


Wrong = tuple[WrongPlan, Mapping[str, Matrix]]
# A part with a matrix of more numbers of a kind is dear: of its mistakes only so many are carried out.
MANY_NUMBERS = {"certified": 100, "symbolic": 50}
MOST_DEAR = 3
# Units of the last place; more than one of the place before, whatever was rounded.
PLAIN = 20


def telling_mistake(page: Page, target: Target, settled: Sequence[Step]) -> Wrong | None:
    """A mistake that is new and shows in more than the last place; else what comes nearest to that."""
    trace, places, told = page.trace, page.notation.places, page.worked.told
    fewer = max(0, places - 1)
    hardly = None
    # One by one, and those that were told before come last: most parts need only the first.
    known = wrong_plans_of(page.notation)
    plans = [plan for plan in known if plan.name not in told]
    plans += [plan for plan in known if plan.name in told] if told else []
    for plan in plans[:MOST_DEAR] if is_dear(page) else plans:
        values = carried_out(trace, plan)
        if values is None:
            continue
        plain = is_plain(values, trace, target, page.notation)  # which shows with fewer places too
        if not plain and not shows(values, trace, target, places):
            continue
        if any(shows(values, trace, Target(step.call.out), places) for step in settled):
            continue
        if plain or shows(values, trace, target, fewer):
            told.add(plan.name)
            return plan, values
        hardly = hardly or (plan, values)
    return hardly


def is_dear(page: Page) -> bool:
    """Whether carrying a part out again may take a second: many numbers have no form, or a long one."""
    values = [step.value for step in page.steps]
    return any([prod(value.shape) > MANY_NUMBERS.get(value.kind, inf) for value in values])


@kept_of_part
def wrong_plans_of(notation: Notation) -> tuple[WrongPlan, ...]:
    """The catalogued mistakes of a part."""
    return tuple(wrong_plans(notation.problem, notation.part))


def is_plain(values: Mapping[str, Matrix], trace: Trace, target: Target, notation: Notation) -> bool:
    """Whether a mistake is plain to see in the decimals of what is asked for, which are printed anyway."""
    wrong, right = values.get(target.name), trace.value(target.name)
    if wrong is None or wrong.shape != right.shape:
        return False
    try:
        units = notation.units(target.of(wrong)), notation.units(target.of(right))
    except Undecided:
        return False
    pairs = zip(chain(*units[0]), chain(*units[1]), strict=True)
    return any([a is not None and b is not None and abs(a - b) > PLAIN for a, b in pairs])


def shows(values: Mapping[str, Matrix], trace: Trace, target: Target, places: int) -> bool:
    """Whether a mistake can be seen in what is asked for, which may be one row or one number."""
    wrong, right = values.get(target.name), trace.value(target.name)
    if wrong is None or wrong.shape != right.shape:
        return False
    return are_told_apart(target.of(wrong), target.of(right), places)


def shown_pitfall(
    trace: Trace, target: Target, plan: WrongPlan, values: Mapping[str, Matrix], notation: Notation
) -> Pitfall:
    """A mistake with the wrong numbers it gives."""
    left, _ = sliced(target, trace.value(target.name), notation)
    wrong = target.of(values[target.name])
    return Pitfall(plan.name, say(plan.advice), in_decimals(left, target, wrong, notation)[0])


def published(trace: Trace, part: Part, notation: Notation) -> tuple[Segments, ...]:
    """Whether the sheet's own key is right, where it has one."""
    if not part.published:
        return ()
    from attnsolve.rendering import printed_key  # which few problems have

    return printed_key.published(trace, part, notation)


def packed(formulas: Iterable[str]) -> tuple[str, ...]:
    """Short formulas side by side, as many as a line holds."""
    lines: list[str] = []
    for text in formulas:
        if lines and width(lines[-1]) + width(text) + 6 < PAGE:
            lines[-1] = continued(lines[-1], rf", \qquad {text}")
        else:
            lines.append(text)
    return tuple(lines)
