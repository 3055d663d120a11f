"""The table a student writes down for one query: score, scaled score, exponential, weight."""

from __future__ import annotations

from attnsolve.exact import Cell, Matrix, Rounded
from attnsolve.exact.cells import Rational, subtract
from attnsolve.exact.decimals import scientific
from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.functions import apply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.precision import LADDER
from attnsolve.graph import graph_of
from attnsolve.problem import Call
from attnsolve.records import NamedTuple
from attnsolve.rendering import numerals
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.formulas import filled
from attnsolve.rendering.markup import indexed
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.printing import LONG, rational, surd_exponent
from attnsolve.rendering.readable import is_long_power
from attnsolve.rendering.sentences import added, key_token, mentioned, query_token
from attnsolve.rendering.text import Segments, say
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
    powers, shifted = exponents(step, i)
    before, raised, above, out = heads(step.call, i, notation, shifted=shifted)
    columns: list[list[Segments]] = [[(key_token(step, j, notation),) for j in keys]]
    columns += [value_cells(value, i, notation) for value in score_stages(trace, step).values()]
    if raised:
        columns.append([number_cell(power, notation) for power in powers])
    exponentials = [apply("exp", power) for power in powers]
    below = added(exponentials)
    # Those that add up to less than ½ have too few digits after the point to be divided by their sum.
    digits = notation.places + 1 if 2 * abs(below.ball(LADDER[0])) < 1 else None
    columns.append(
        [power_cell(*both, notation, digits) for both in zip(powers, exponentials, strict=True)]
    )
    columns.append(value_cells(step.value, i, notation))
    header = (say("key"), *before, *raised, above, out)
    sums = (say("sum"), *((),) * (len(header) - 3), size_cell(below, notation, digits), math("1"))
    rows = (*zip(*columns, strict=True), sums)
    caption = say("The numbers of {owner}:", owner=mentioned(query_token(step, i, notation), notation))
    return Table(caption, header, rows, has_sums=True)


class Heads(NamedTuple):
    """What stands above the numbers of a table: of scores, of what is raised if that is new, of the rest."""

    scores: tuple[Segments, ...]
    raised: tuple[Segments, ...]
    powers: Segments
    weights: Segments


def heads(call: Call, i: int, notation: Notation, *, shifted: bool) -> Heads:
    """The heads of the table of a row, the largest score taken off or not: the same on every page."""
    known = known_heads(call, notation)
    if (i, shifted) not in known:
        above = filled(call.op.formula_for(call.options).exponent, call, notation, row=i)
        above = f"{above} - \\max" if shifted else above
        names = graph_of(notation.problem).stages(call.args[0])
        known[i, shifted] = Heads(
            tuple([math(notation.entry(name, i, "j")) for name in names]),
            () if above == notation.entry(call.args[0], i, "j") else (math(above),),
            math(f"e^{{{above}}}"),
            math(notation.entry(call.out, i, "j")),
        )
    return known[i, shifted]


@kept_of_call
def known_heads(call: Call, notation: Notation) -> dict[tuple[int, bool], Heads]:
    """The heads that were made for a step."""
    return {}


def exponents(step: Step, i: int) -> tuple[list[Cell], bool]:
    """What is exponentiated for query i, and whether it was shifted, as it would grow too large."""
    call = step.call
    assert call.op.powers is not None
    scores = call.op.powers(*step.inputs, **call.options).take([i])
    powers = [scores.cell(0, j) for j in range(scores.shape[1])]
    (balls,) = scores.balls(LADDER[0])
    if not any([abs(ball) > LARGEST_EXPONENT for ball in balls if ball.is_finite()]):
        return powers, False
    top = powers[scores.maxima()[0][0]]
    if abs(top.ball(LADDER[0])) > LARGEST_EXPONENT:
        return [subtract(power, top) for power in powers], True
    return powers, False


def score_stages(trace: Trace, step: Step) -> dict[str, Matrix]:
    """The scores a step starts from, after what they were before scaling and masking."""
    *before, last = graph_of(trace.problem).stages(step.call.args[0])
    made = {one.call.out: one.carried for one in trace.steps if one.call.out in before}
    stages = {name: made[name] if name in made else trace.value(name) for name in before}
    return {**stages, last: step.inputs[0]}


def value_cells(value: Matrix, i: int, notation: Notation) -> list[Segments]:
    """The numbers of a row, whose decimals are shown elsewhere too."""
    told = notation.decimals(value)[i]
    return [number_cell(value.cell(i, j), notation, rounded=rounded) for j, rounded in enumerate(told)]


def number_cell(cell: Cell, notation: Notation, *, rounded: Rounded | None = None) -> Segments:
    """A number: exact if it is rational and short, else its decimals after ≈."""
    if isinstance(cell, Rational):
        written = rational(*cell.value.as_integer_ratio(), notation.style)
        if written.width <= LONGEST_NUMBER and not written.traits & LONG:
            return math(written.text)
    elif cell is HIDDEN:
        return math(numerals.MINUS_INFINITY)
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
        return found or value.decimals(notation.places)
    rounded = value.decimals(notation.places)
    if rounded.power is None and abs(rounded.digits) < LARGE * 10**rounded.places:
        return rounded
    if abs(value.ball(LADDER[0])) > LARGE:
        found = value.climb(scientific)
    return found or rounded


def denominator_symbol(i: int, notation: Notation, *, single: bool = False, superscript: str = "") -> str:
    """`D_1`: what the exponentials of query i add up to."""
    return indexed("D", superscript, [] if single else [str(i + notation.problem.index_from)])
