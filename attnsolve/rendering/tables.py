"""The table a student writes down for one query: score, scaled score, exponential, weight."""

from __future__ import annotations

from functools import reduce

from attnsolve.exact import Cell, Matrix, Rounded
from attnsolve.exact.cells import Rational, add, subtract
from attnsolve.exact.decimals import scientific
from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.functions import apply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.precision import LADDER
from attnsolve.graph import graph_of
from attnsolve.records import NamedTuple
from attnsolve.rendering import numerals
from attnsolve.rendering.formulas import filled
from attnsolve.rendering.markup import indexed
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.printing import surd_exponent
from attnsolve.rendering.readable import is_long_power, is_readable
from attnsolve.rendering.sentences import key_token, mentioned, query_token
from attnsolve.rendering.text import Segments, say
from attnsolve.rendering.widths import is_wider
from attnsolve.trace import Step, Trace

# Beyond this the exponentials are too large to write down: the largest score is taken off first.
LARGEST_EXPONENT = 11
# Beyond this a number in the table has a power of ten.
LARGE = 10**6
MOST_KEYS = 16
# Beyond this a fraction is given by its decimals.
LONGEST_NUMBER = 8


class Table(NamedTuple):
    """Rows of cells; each cell is a sentence. A last row with sums is set apart from the others."""

    caption: Segments
    header: tuple[Segments, ...]
    rows: tuple[tuple[Segments, ...], ...]
    has_sums: bool = False
    wraps: bool = False  # whether the second of three columns has sentences, which go over several lines


def math(source: str) -> Segments:
    """A cell with maths in it."""
    return ((True, source),)


def weights_table(trace: Trace, step: Step, i: int, notation: Notation) -> Table | None:
    """The numbers of query i, key by key; only for weights made by exponentials."""
    if step.call.op.powers is None or not (
        isinstance(step.value, Exponentials) or step.value.kind in ("symbolic", "certified")
    ):
        return None
    if step.value.shape[1] > MOST_KEYS:
        return None
    keys = range(step.value.shape[1])
    name = step.call.args[0]
    header: list[Segments] = [say("key")]
    columns: list[list[Segments]] = [[(key_token(step, j, notation),) for j in keys]]
    for each, value in score_stages(trace, step).items():
        header.append(math(notation.entry(each, i, "j")))
        columns.append([value_cell(value, i, j, notation) for j in keys])
    above, powers = exponents(step, i, notation)
    if above != notation.entry(name, i, "j"):
        header.append(math(above))
        columns.append([number_cell(power, notation) for power in powers])
    header += [math(f"e^{{{above}}}"), math(notation.entry(step.call.out, i, "j"))]
    exponentials = [apply("exp", power) for power in powers]
    below: Cell = reduce(add, exponentials)
    # Those that add up to less than ½ have too few digits after the point to be divided by their sum.
    digits = notation.places + 1 if 2 * abs(below.ball(LADDER[0])) < 1 else None
    columns.append(
        [power_cell(*both, notation, digits) for both in zip(powers, exponentials, strict=True)]
    )
    columns.append([value_cell(step.value, i, j, notation) for j in keys])
    sums = (say("sum"), *((),) * (len(header) - 3), size_cell(below, notation, digits), math("1"))
    rows = [*zip(*columns, strict=True), sums]
    caption = say("The numbers of {owner}:", owner=mentioned(query_token(step, i, notation), notation))
    return Table(caption, tuple(header), tuple(tuple(row) for row in rows), has_sums=True)


def exponents(step: Step, i: int, notation: Notation) -> tuple[str, list[Cell]]:
    """What is exponentiated for query i, in symbols and in numbers; shifted where it would grow too large."""
    call = step.call
    assert call.op.powers is not None
    above = filled(call.op.formula_for(call.options).exponent, call, notation, row=i)
    scores = call.op.powers(*step.inputs, **call.options)
    powers = [scores.cell(i, j) for j in range(scores.shape[1])]
    if not any(abs(power.ball(64)) > LARGEST_EXPONENT for power in powers if power is not HIDDEN):
        return above, powers
    top = powers[scores.take([i]).maxima()[0][0]]
    if abs(top.ball(64)) > LARGEST_EXPONENT:
        above, powers = f"{above} - \\max", [subtract(power, top) for power in powers]
    return above, powers


def score_stages(trace: Trace, step: Step) -> dict[str, Matrix]:
    """The scores a step starts from, after what they were before scaling and masking."""
    names = graph_of(trace.problem).stages(step.call.args[0])
    used = {name: value for one in trace.steps for name, value in zip(one.call.args, one.inputs, strict=True)}
    return {name: used[name] for name in names}


def value_cell(value: Matrix, i: int, j: int, notation: Notation) -> Segments:
    """A number of a matrix whose decimals are shown elsewhere too."""
    return number_cell(value.cell(i, j), notation, rounded=notation.decimals(value)[i][j])


def number_cell(cell: Cell, notation: Notation, *, rounded: Rounded | None = None) -> Segments:
    """A number: exact if it is rational and short, else its decimals after ≈."""
    if isinstance(cell, Rational) or cell is HIDDEN:
        exact = notation.number(cell)
        if not is_wider(exact, LONGEST_NUMBER) and is_readable(cell, notation.style):
            return math(exact)
    return math(numerals.alone(rounded or cell.decimals(notation.places)))


def power_cell(power: Cell, value: Cell, notation: Notation, digits: int | None) -> Segments:
    """e to the power: in symbols, and its value, as e^{ln 3} = 3; with so many digits if small."""
    raised = surd_exponent(power, notation)
    if raised is None or raised == "0" or is_long_power(raised):
        return size_cell(value, notation, digits)
    in_symbols = numerals.e_to_the(raised)
    if isinstance(value, Rational):
        return math(f"{in_symbols} = {notation.number(value)}")
    return math(f"{in_symbols} {numerals.told(size(value, notation, digits))}")


def size_cell(value: Cell, notation: Notation, digits: int | None) -> Segments:
    """A number that may be very large or very small."""
    if isinstance(value, Rational):
        return math(notation.number(value))
    return math(numerals.alone(size(value, notation, digits)))


def size(value: Cell, notation: Notation, digits: int | None) -> Rounded:
    """Decimals, or a power of ten for what is very large, or small beside nothing larger."""
    found: Rounded | None = None
    if digits is not None and value.is_zero() is False:
        found = value.climb(lambda ball: scientific(ball, significant=digits))
    elif abs(value.ball(LADDER[0])) > LARGE:
        found = value.climb(scientific)
    return found or value.decimals(notation.places)


def denominator_symbol(i: int, notation: Notation, *, single: bool = False, superscript: str = "") -> str:
    """`D_1`: what the exponentials of query i add up to."""
    return indexed("D", superscript, [] if single else [str(i + notation.problem.index_from)])
