"""What a step gives: `= exact ≈ decimals`, with weights over denominators that have a name."""

from __future__ import annotations

from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.masked import shown
from attnsolve.problem import Call
from attnsolve.rendering import numerals
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.markup import bmatrix
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.readable import is_long_power
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.tables import denominator_symbol
from attnsolve.rendering.widths import PAGE, WIDEST_FORM, Rows, is_wider, laid_out
from attnsolve.trace import Step

# Of more rows than this, the first few are given exactly.
MOST_EXACT_ROWS = 6


# The kinds whose numbers can be written out one by one.
WRITTEN = ("rational", "surd", "symbolic")


def result_stages(step: Step, notation: Notation, *, is_worked: bool = False) -> list[tuple[str, str]]:
    """`= exact ≈ decimals`, as far as each can be read; what is carried on, when that is rounded.

    `is_worked` says that lines of working stand beside it, in which long roots have their exact form.
    """
    stages: list[tuple[str, str]] = []
    exactly = notation.is_told(step.value)
    exact = exact_matrix(step, notation, is_worked=is_worked, is_told=exactly)
    if exact:
        stages.append(("=", exact))
    if not exact or not exactly:
        decimals = notation.decimal_matrix(step.call.out, step.value)
        stages.append((numerals.relation(exactly), decimals))
    if step.carried is not step.value and step.carried.same(step.value) is not True:
        carried = notation.matrix(step.call.out, notation.carried_rows(step.carried))
        if carried != stages[-1][1]:
            stages.append((r"\approx", carried))
    return stages


def exact_matrix(step: Step, notation: Notation, *, is_worked: bool, is_told: bool) -> str:
    """A result with all its numbers exact, or nothing where its decimals say more."""
    if step.value.kind == "attention" or not notation.has_form(step.value):
        return ""
    exact = notation.written(step.call.out, step.value)
    if step.value.kind == "symbolic":
        return "" if is_wider(exact, PAGE) else exact  # a table of long expressions says less
    if not notation.is_readable(step.value):  # long ones are written out where they first come up, and once
        written_beside = is_worked and step.value.kind == "surd"
        is_shown = not written_beside and not is_wider(exact, PAGE) and is_new(step, notation)
    else:  # decimals that make a matrix too wide are rounded
        is_shown = is_told or notation.style != "decimals" or not is_wider(exact, PAGE)
    return exact if is_shown else ""


def is_new(step: Step, notation: Notation) -> bool:
    """Whether long numbers come up here: what they are made of is short. Decimals stay decimals."""
    return notation.style != "decimals" and all(
        shown(value).kind in WRITTEN and notation.is_readable(value) for value in step.inputs
    )


def exact_rows(step: Step, notation: Notation, settings: Settings) -> list[Rows]:
    """Weights row by row over their named denominators; none where one of these is too wide."""
    value = step.value
    if not isinstance(value, Exponentials) or value.totals is None:
        return []
    rows = value.shape[0]
    many = rows if settings.working == "all" or rows <= MOST_EXACT_ROWS else MOST_EXACT_ROWS // 2
    made = []
    scale, style, turned = value.scale, notation.style, notation.transposed(step.call.out)
    for i, powers in enumerate(numerals.power_rows(scale, value.keys[:many], style)):
        name, left = row_symbols(step.call, notation, i)
        matrix = bmatrix([[power] for power in powers] if turned else [powers])
        if is_wider(matrix, PAGE) or any(map(is_long_power, powers)):
            return []  # a row of so many keys, or of such exponents, says less than its decimals
        below = numerals.power_sum(scale, value.totals[i].counts, style)
        if is_wider(below, WIDEST_FORM):
            return []
        if below.isdigit():  # a whole number needs no name
            stages = [("=", matrix if below == "1" else f"\\frac{{1}}{{{below}}} {matrix}")]
        else:
            stages = [("=", f"\\frac{{1}}{{{name}}} {matrix},"), (rf"\quad {name} =", below)]
        made.append(tuple(laid_out(left, stages)))
    return made


@kept_of_call
def row_symbols(call: Call, notation: Notation, i: int) -> tuple[str, str]:
    """What the denominator of a row is called, and the row itself."""
    single = notation.frame(call.out).shape[0] == 1
    above = notation.superscript(call.out)
    return denominator_symbol(i, notation, single=single, superscript=above), notation.line(call.out, i)


def name_denominators(step: Step, notation: Notation, shown: int) -> None:
    """Name the denominators of the first rows, which are shown: later results can be written over them."""
    if not isinstance(step.value, Exponentials) or step.value.totals is None:
        return
    for i, below in enumerate(step.value.totals[:shown]):
        notation.denominators.name(below, row_symbols(step.call, notation, i)[0])
