"""The working of a step, line by line, as far as the page and the reader have room for it."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact import Rational
from attnsolve.exact.infinity import HIDDEN
from attnsolve.rendering import numerals
from attnsolve.rendering.approximation import in_numbers, is_long, is_named, wants_numbers, with_decimals
from attnsolve.rendering.notation import NoForm, Notation
from attnsolve.rendering.printing import show
from attnsolve.rendering.results import is_new
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, say
from attnsolve.rendering.widths import PAGE, Rows, is_wider, laid_out, widest_piece, width
from attnsolve.trace import Step
from attnsolve.working import Decimal, Expression, Line, Num

WIDEST_PIECE = 1.3 * PAGE
# A stage, and whether a number in it is longer than a person would write.
Look = tuple[Expression, bool]
# A sum that goes on over more lines than four shows no more than its result.
LONGEST_SUM = 4 * PAGE


def worked(step: Step, notation: Notation, settings: Settings, row: int) -> tuple[tuple[Rows, ...], Segments]:
    """The working of one row, or of all rows; and a word on the others."""
    lines = step.lines(first_row=settings.working == "fade" and row == 0)
    if not lines:
        return (), ()
    rows = step.value.shape[0]
    if settings.working == "fade" and not step.call.op.formula.product:
        # The same is done to every number: one of them shows how.
        rest = say("The others in the same way.") if step.value.shape != (1, 1) else ()
        return (tuple(line_rows(step, telling_line(step, lines, row), notation, settings)),), rest
    wanted = list(range(rows)) if settings.working == "all" else [row]
    blocks = []
    for i in wanted:
        block: list[tuple[str, str]] = []
        for line in lines:
            if line.i == i:
                block += line_rows(step, line, notation, settings)
        blocks.append(tuple(block))
    return tuple(blocks), others(step, notation, len(wanted))


def others(step: Step, notation: Notation, shown: int) -> Segments:
    """A word on the rows that are not written out."""
    if shown >= step.value.shape[0]:
        return ()
    if notation.transposed(step.call.out):
        return say("The other columns in the same way.")
    return say("The other rows in the same way.")


def telling_line(step: Step, lines: tuple[Line, ...], row: int) -> Line:
    """The line that shows most: one with a root or the like, of this row or a later one; else no zero."""
    inside = [line for line in lines if line.i == row]

    def has_form(line: Line) -> bool:
        cell = step.value.cell(line.i, line.j)
        return cell is not HIDDEN and cell.rational() is None

    # A table about this row must not be followed by the working of another.
    alone = step.call.op.ledger is not None or step.value.kind not in ("surd", "symbolic")
    later = () if alone or any(map(has_form, inside)) else step.lines()
    for line in (*inside, *(line for line in later if line.i > row)):
        if has_form(line):
            return line
    return next((line for line in inside if not step.value.cell(row, line.j).is_zero()), inside[0])


def line_rows(step: Step, line: Line, notation: Notation, settings: Settings) -> list[tuple[str, str]]:
    """One line of working, broken where the page ends: what is equal, then numbers, then decimals."""
    shown = [stage for stage in line.stages if settings.detail == "products" or not stage.fine]
    flipped = notation.transposed(step.call.out)
    looks = [(stage.expression, is_long(stage.expression, notation.style)) for stage in shown]
    stages = exact_stages(looks, notation, flipped=flipped, is_new=is_new(step, notation))
    decimals = notation.decimals(step.value)[line.i][line.j]
    *worked, (last, last_is_long) = looks
    told = isinstance(last, Num) and not last_is_long  # the number itself stands there
    if isinstance(last, Decimal):
        told = decimals.exact and any(isinstance(expression, Num) for expression, _ in worked)
    wanted = not told or any(is_named(expression) for expression, _ in worked)
    numbers = numbers_put_in(worked, notation, flipped=flipped) if wanted else []
    if told:  # what names something comes to the same number, with numbers for the names
        stages[-1:-1] = [stage for stage in numbers if stage[0] == "=" and stage != stages[-1]]
    else:
        stages += [stage for stage in numbers if stage[0] == "=" or not decimals.exact]
        text = numerals.rounded(decimals)
        if not stages or text != stages[-1][1]:
            stages.append((numerals.relation(decimals.exact), text))
    return laid_out(notation.entry(step.call.out, line.i, line.j), with_even_fractions(stages))


def with_even_fractions(stages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Stages in which no small fraction stands beside a large one."""
    if not any(r"\frac{" in text for _, text in stages):
        return stages
    return [(sign, text.replace(r"\tfrac{", r"\frac{")) for sign, text in stages]


def exact_stages(
    looks: Sequence[Look], notation: Notation, *, flipped: bool, is_new: bool
) -> list[tuple[str, str]]:
    """The stages that are equal to the result and can be read; a long root itself only where it `is_new`."""
    stages: list[tuple[str, str]] = []
    for expression, long in looks:
        if isinstance(expression, Decimal) or (long and not (is_new and is_root(expression))):
            continue
        try:
            text = show(expression, notation, flipped=flipped)
        except NoForm:
            continue
        if not is_too_wide(text) and not (stages and text == stages[-1][1]):
            stages.append(("=", text))
    return stages


def is_root(expression: Expression) -> bool:
    """Whether it is a number that is no fraction."""
    return isinstance(expression, Num) and not isinstance(expression.cell, Rational)


def numbers_put_in(looks: Sequence[Look], notation: Notation, *, flipped: bool) -> list[tuple[str, str]]:
    """The last stage that names something, or else the first with long numbers, in decimals."""
    wanting = [(expression, long) for expression, long in looks if long or wants_numbers(expression)]
    if not wanting:
        return []
    named = [expression for expression, long in wanting if not long]
    numeric, exact = in_numbers(named[-1] if named else wanting[0][0], notation.style)
    if isinstance(numeric, Num | Decimal):
        return []
    if not exact:
        numeric = with_decimals(numeric, notation.places)
    text = show(numeric, notation, flipped=flipped)
    return [] if is_too_wide(text) else [(numerals.relation(exact), text)]


def is_too_wide(text: str) -> bool:
    """Whether a line of working is too long, or has a piece that cannot be broken and runs off the page."""
    return is_wider(text, WIDEST_PIECE) and (width(text) > LONGEST_SUM or widest_piece(text) > WIDEST_PIECE)
