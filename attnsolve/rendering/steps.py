"""One step in print: formula, numbers put in, working, result, and what can be said about it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from attnsolve.exact.closed import canonical
from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import visible
from attnsolve.ops import NORMALISERS
from attnsolve.problem import Call, Part
from attnsolve.rendering import formulas, numerals, sentences
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.ledgers import ledger_table
from attnsolve.rendering.markup import bmatrix
from attnsolve.rendering.notation import NoForm, Notation
from attnsolve.rendering.printing import show
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.tables import Table, denominator_symbol, weights_table
from attnsolve.rendering.text import Segments, formula, sentence
from attnsolve.rendering.widths import PAGE, laid_out, widest_piece, width
from attnsolve.trace import Step, Trace
from attnsolve.working import Decimal, Line, Num, Stage

# Exact forms longer than this many rows are given by their first one.
MOST_EXACT_ROWS = 4
# An exact form wider than this is left to its decimals.
WIDEST_FORM = 2 * PAGE
WIDEST_PIECE = 1.3 * PAGE

Rows = tuple[tuple[str, str], ...]


class StepView(NamedTuple):
    """One step in print: formula, numbers put in, working, result, and what can be said about it."""

    name: str
    number: int
    title: str
    marks: int
    formula: str
    sizes: str
    shapes: Segments
    put_in: Rows
    working: tuple[Rows, ...]
    rest: Segments
    table: Table | None
    exact: Rows
    result: Rows
    remarks: tuple[Segments, ...]
    check: Segments
    meanings: tuple[Segments, ...]
    by_hand: Segments
    seen: Segments
    turning: Segments


class WorkedOut:
    """What has been worked out in full already, over all parts of a sheet."""

    def __init__(self) -> None:
        self.done: dict[tuple[object, ...], Step] = {}
        self.same: dict[int, int] = {}  # a matrix that was found again -> the one found first
        self.told: set[str] = set()  # the mistakes that were warned of

    def earlier(self, step: Step, notation: Notation) -> str | None:
        """The part in which the very same step was carried out before."""
        # The same matrix object means the same numbers, and so does one found by the same step.
        inputs = (self.same.get(id(value), id(value)) for value in step.inputs)
        key = (step.call.op, *inputs, options_text(step.call, notation))
        first = self.done.setdefault(key, step)
        if first.call.part == step.call.part:
            return None
        self.same[id(step.carried)] = self.same.get(id(first.carried), id(first.carried))
        return first.call.part


@kept_of_call
def options_text(call: Call, notation: Notation) -> str:
    """The options of a call, to be compared."""
    return repr(sorted(call.options.items()))


class Page(NamedTuple):
    """What the views of one part are made from."""

    trace: Trace
    part: Part
    notation: Notation
    settings: Settings
    worked: WorkedOut

    def row_of(self, step: Step) -> int:
        """The row whose working is shown: the one that is asked for, or the first that has a choice."""
        frame = self.notation.frame(step.call.out)
        for target in self.part.find:
            if target.row is not None and self.notation.frame(target.name).rows == frame.rows:
                return target.row
        return first_choice(step) if step.call.op in NORMALISERS else 0

    @property
    def telling(self) -> bool:
        """Whether more than matrices is wanted: checks, meanings, what is easy to get wrong."""
        return self.settings.sheet == "solution" and self.settings.detail in ("cells", "products")


def first_choice(step: Step) -> int:
    """The first query that a mask lets see more than one key; weights of a single one show nothing."""
    return next((i for i, kept in enumerate(visible(step.inputs[0]).rows) if sum(kept) > 1), 0)


def step_view(page: Page, step: Step, number: int, *, faded: bool) -> StepView:
    """A step as a reader sees it; `faded` ones show formula and result only."""
    call, notation, settings, telling = step.call, page.notation, page.settings, page.telling
    earlier = page.worked.earlier(step, notation)
    if telling:  # only the working writes numbers over them
        name_denominators(step, notation)
    in_full = not faded and earlier is None
    normaliser = call.op in NORMALISERS
    exponentials = table = None
    if telling and in_full:
        exponentials = weights_table(page.trace, step, page.row_of(step), notation) if normaliser else None
        table = exponentials or ledger_table(step, page.row_of(step), notation)
    lines = telling and in_full and exponentials is None  # they hold what the lines would say again
    working, rest = worked(step, notation, settings, page.row_of(step)) if lines else ((), ())
    exact = exact_rows(step, notation, settings) if in_full else ()
    symbol, in_symbols = notation.symbol(call.out), formulas.symbols(call, notation)
    substituted = formulas.put_in(step, notation) if earlier is None else ""
    stages = result_stages(step, notation)
    each = formulas.each(call, notation) if telling and in_full else ""
    compact = not (working or table or exact or each)
    if compact:  # nothing stands between formula and result: one chain of equations says it all
        stages = [("=", in_symbols), *([("=", substituted)] if substituted else []), *stages]
    return StepView(
        name=call.out,
        number=number,
        title=call.title or call.op.title,
        marks=page.part.marks_of(call),
        formula="" if compact else in_words(f"{symbol} = {in_symbols}", each),
        sizes=formulas.sizes(call, notation),
        shapes=shapes(call, notation) if in_full else (),
        put_in=tuple(laid_out(symbol, [("=", substituted)])) if substituted and not compact else (),
        working=working,
        rest=rest,
        table=table,
        exact=exact,
        result=tuple(laid_out(symbol, stages)),
        # A tie that decides something is always told; equal scores and weights only with the working.
        remarks=sentences.remarks(step, notation) if telling or call.op.powers is None else (),
        check=sentences.check(step, notation) if telling and earlier is None else (),
        meanings=sentences.meanings(step, notation) if telling and normaliser else (),
        by_hand=sentences.by_hand(step, notation) if telling and mixes(step) and earlier is None else (),
        turning=turning(step),
        seen=sentence(f"As in part ({earlier}).") if earlier is not None else (),
    )


def mixes(step: Step) -> bool:
    """Whether rounded weights would be used here by somebody who works by hand."""
    return step.call.op.check == "between-values"


def turning(step: Step) -> Segments:
    """Where a closed form ends: the reader is told that decimals go on, and why."""
    if step.value.kind != "certified" or any(value.kind == "certified" for value in step.inputs):
        return ()
    return sentence(
        "There is no exact form that could be read here, so from this step on the numbers are "
        "certified decimals: every digit shown is proven."
    )


def in_words(whole: str, each: str) -> str:
    """The formula for the whole matrix and for one of its vectors, unless they say the same."""
    return whole if not each or each == whole else rf"{whole}, \qquad {each}"


def name_denominators(step: Step, notation: Notation) -> None:
    """Give each row's denominator a name, so that later results can be written over it."""
    if not isinstance(step.value, Exponentials) or step.value.totals is None:
        return
    rows = step.value.shape[0]
    for i, below in enumerate(step.value.totals):
        whole = below.terms()
        _, short = canonical(whole, whole)
        if len(short.terms) < 2:
            continue
        generator = next(iter(short.terms))
        scale = whole.terms.get(generator, Fraction(1)) / short.terms[generator]
        if whole != short.scaled(scale):
            continue
        name = denominator_symbol(
            i, notation, single=rows == 1, superscript=notation.superscript(step.call.out)
        )
        notation.denominators.setdefault(short, (name, scale))  # an equal one was named before


@kept_of_call
def shapes(call: Call, notation: Notation) -> Segments:
    """`(4×3)(3×2) gives 4×2`, for products of matrices."""
    if not call.op.formula_for(call.options).product or notation.frame(call.out).shape == (1, 1):
        return ()
    pieces = []
    for name, _, turned in formulas.factors(call, notation):
        rows, columns = notation.frame(name).shape
        pieces.append(f"({columns} \\times {rows})" if turned else f"({rows} \\times {columns})")
    return sentence(formula(" ".join(pieces)), " gives ", formula(notation.shape(call.out)), ".")


def worked(step: Step, notation: Notation, settings: Settings, row: int) -> tuple[tuple[Rows, ...], Segments]:
    """The working of one row, or of all rows; and a word on the others."""
    lines = step.lines(first_row=settings.working == "fade" and row == 0)
    if not lines:
        return (), ()
    rows = step.value.shape[0]
    if settings.working == "fade" and not step.call.op.formula.product:
        # The same is done to every number: one of them shows how.
        others = sentence("The others in the same way.") if step.value.shape != (1, 1) else ()
        return (tuple(line_rows(step, telling_line(step, lines, row), notation, settings)),), others
    wanted = list(range(rows)) if settings.working == "all" else [row]
    blocks = []
    for i in wanted:
        block: list[tuple[str, str]] = []
        for line in lines:
            if line.i == i:
                block += line_rows(step, line, notation, settings)
        blocks.append(tuple(block))
    word = "column" if notation.transposed(step.call.out) else "row"
    rest = sentence(f"The other {word}s in the same way.") if len(wanted) < rows else ()
    return tuple(blocks), rest


def telling_line(step: Step, lines: tuple[Line, ...], row: int) -> Line:
    """The line that shows most: one with a root or the like, of this row or a later one; else no zero."""
    inside = [line for line in lines if line.i == row]
    # A table about this row must not be followed by the working of another.
    alone = step.call.op.ledger is not None or step.value.kind not in ("surd", "symbolic")
    later = () if alone else step.lines()
    for line in (*inside, *(line for line in later if line.i > row)):
        cell = step.value.cell(line.i, line.j)
        if cell is not HIDDEN and cell.rational() is None:
            return line
    return next((line for line in inside if not step.value.cell(row, line.j).is_zero()), inside[0])


def line_rows(step: Step, line: Line, notation: Notation, settings: Settings) -> list[tuple[str, str]]:
    """One line of working, broken where the page ends."""
    flipped = notation.transposed(step.call.out)
    stages: list[tuple[str, str]] = []
    told = False  # whether the number itself stands there already
    for stage in line.stages:
        if stage.fine and settings.detail != "products":
            continue
        sign = numerals.relation(stage.relation == "=")
        try:
            text = stage_text(step, line, stage, notation, flipped=flipped)
        except NoForm:
            continue
        if sign != "=" and notation.decimals(step.value)[line.i][line.j].exact:
            if told:
                continue
            sign = "="  # decimals that are the number itself
        if stages and text == stages[-1][1]:
            continue
        if sign == "=" and is_too_wide(text):
            continue
        stages.append((sign, text))
        told = isinstance(stage.expression, Num)
    return laid_out(notation.entry(step.call.out, line.i, line.j), stages)


def stage_text(step: Step, line: Line, stage: Stage, notation: Notation, *, flipped: bool) -> str:
    """One stage in print; the decimals of the result are those that are shown with it."""
    if isinstance(stage.expression, Decimal):
        return numerals.rounded(notation.decimals(step.value)[line.i][line.j])
    return show(stage.expression, notation, flipped=flipped)


def is_too_wide(text: str) -> bool:
    """Whether a line of working is too long, or has a piece that cannot be broken and runs off the page."""
    whole = width(text)
    return whole > WIDEST_FORM or (whole > WIDEST_PIECE and widest_piece(text) > WIDEST_PIECE)


def exact_rows(step: Step, notation: Notation, settings: Settings) -> Rows:
    """Weights row by row over their named denominators; other results are exact in `result`."""
    value = step.value
    if not isinstance(value, Exponentials) or value.totals is None:
        return ()
    rows = value.shape[0]
    many = rows if settings.working == "all" else min(rows, MOST_EXACT_ROWS)
    made: list[tuple[str, str]] = []
    for i in range(many):
        name = denominator_symbol(
            i, notation, single=rows == 1, superscript=notation.superscript(step.call.out)
        )
        scale, style = value.scale, notation.style
        powers = ["0" if key is None else numerals.power_sum(scale, {key: 1}, style) for key in value.keys[i]]
        left = notation.line(step.call.out, i)
        matrix = bmatrix([[power] for power in powers] if notation.transposed(step.call.out) else [powers])
        below = numerals.power_sum(scale, value.totals[i].counts, style)
        if width(below) > WIDEST_FORM:
            return ()
        made += laid_out(left, [("=", f"\\frac{{1}}{{{name}}} {matrix},"), (rf"\quad {name} =", below)])
    return tuple(made)


def result_stages(step: Step, notation: Notation) -> list[tuple[str, str]]:
    """`= exact ≈ decimals`, as far as each can be read; what is carried on, when that is rounded."""
    stages: list[tuple[str, str]] = []
    exact = ""
    if step.value.kind != "attention" and notation.has_form(step.value):
        exact = notation.matrix(step.call.out, notation.rows(step.value))
        # A table of long expressions says less than its decimals.
        if step.value.kind == "symbolic" and width(exact) > PAGE:
            exact = ""
        else:
            stages.append(("=", exact))
    exactly = notation.is_told(step.value)
    if not exact or not exactly:
        decimals = [[numerals.rounded(cell) for cell in row] for row in notation.decimals(step.value)]
        stages.append((numerals.relation(exactly), notation.matrix(step.call.out, decimals)))
    if step.carried is not step.value and step.carried.same(step.value) is not True:
        carried = notation.matrix(step.call.out, notation.carried_rows(step.carried))
        if carried != stages[-1][1]:
            stages.append((r"\approx", carried))
    return stages
