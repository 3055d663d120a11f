"""The working of a step, line by line, as far as the page and the reader have room for it."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact import Rational
from attnsolve.exact.infinity import HIDDEN
from attnsolve.records import NamedTuple
from attnsolve.rendering import numerals
from attnsolve.rendering.approximation import in_numbers, wants_numbers
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.printing import FORMLESS, LONG, NAMED, NUMBER, ROUNDED, Writer, Written, in_digits
from attnsolve.rendering.results import is_new
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, say
from attnsolve.rendering.widths import PAGE, Rows, is_wider, laid_out, widest_piece, width
from attnsolve.trace import Step
from attnsolve.working import Decimal, Expression, Line, Num

WIDEST_PIECE = 1.3 * PAGE
# A sum that goes on over more lines than four shows no more than its result.
LONGEST_SUM = 4 * PAGE
# `=` and `≈` are as wide; what begins a further row stands so far from its sign.
SIGN, INDENT = 2.4, 4.0
# Widths that were added up are told apart from the limit if they are so far from it.
DOUBT = 1e-6


class Stage(NamedTuple):
    """What stands behind a sign in a line, and how wide it is."""

    sign: str
    text: str
    width: float


# An expression of a line in print; of decimals nothing is written before they are wanted.
Look = tuple[Expression, Written]


def worked(step: Step, notation: Notation, settings: Settings, row: int) -> tuple[tuple[Rows, ...], Segments]:
    """The working of one row, or of all rows; and a word on the others."""
    lines = step.lines(first_row=settings.working == "fade" and row == 0)
    if not lines:
        return (), ()
    rows, bench = step.value.shape[0], Bench(step, notation, settings)
    if settings.working == "fade" and not step.call.op.formula.product:
        # The same is done to every number: one of them shows how.
        rest = say("The others in the same way.") if step.value.shape != (1, 1) else ()
        return (tuple(bench.rows(telling_line(step, lines, row))),), rest
    wanted = list(range(rows)) if settings.working == "all" else [row]
    blocks = []
    for i in wanted:
        block: list[tuple[str, str]] = []
        for line in lines:
            if line.i == i:
                block += bench.rows(line)
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


class Bench:
    """Where the lines of one step are written."""

    def __init__(self, step: Step, notation: Notation, settings: Settings) -> None:
        self.out = step.call.out
        self.notation = notation
        self.fine = settings.detail == "products"
        self.flipped = notation.transposed(step.call.out)
        self.is_new = is_new(step, notation)
        self.value = step.value
        self.writer = Writer(notation, flipped=self.flipped, in_full=False)

    def rows(self, line: Line) -> list[tuple[str, str]]:
        """One line of working, broken where the page ends: what is equal, then numbers, then decimals."""
        write = self.writer.written
        shown = [stage.expression for stage in line.stages if self.fine or not stage.fine]
        looks = [(each, UNSEEN if isinstance(each, Decimal) else write(each)) for each in shown]
        stages = self.exact_stages(looks)
        decimals = self.notation.decimals(self.value)[line.i][line.j]
        *worked, (last, last_look) = looks
        told = isinstance(last, Num) and not last_look.traits & LONG  # the number itself stands there
        if isinstance(last, Decimal):
            told = decimals.exact and any(isinstance(expression, Num) for expression, _ in worked)
        wanted = not told or any([look.traits & NAMED for _, look in worked])
        numbers = self.numbers_put_in(worked) if wanted else []
        if told:  # what names something comes to the same number, with numbers for the names
            stages[-1:-1] = [s for s in numbers if s.sign == "=" and s[:2] != stages[-1][:2]]
        else:
            stages += [stage for stage in numbers if stage.sign == "=" or not decimals.exact]
            text = numerals.rounded(decimals)
            if not stages or text != stages[-1].text:
                stages.append(Stage(numerals.relation(decimals.exact), text, in_digits(text).width))
        return laid(self.writer.named(self.out, line.i, line.j), stages)

    def exact_stages(self, looks: Sequence[Look]) -> list[Stage]:
        """The stages that are equal to the result and can be read; a long root only where it is new."""
        stages: list[Stage] = []
        for expression, look in looks:
            if look is UNSEEN:
                continue
            if look.traits & LONG:
                if not (self.is_new and is_root(expression)):
                    continue
                look = Writer(self.notation).written(expression)
            if look.traits & FORMLESS or is_beyond(look) or (stages and look.text == stages[-1].text):
                continue
            stages.append(Stage("=", look.text, look.width))
        return stages

    def numbers_put_in(self, looks: Sequence[Look]) -> list[Stage]:
        """The last stage that names something, or else the first with long numbers, in decimals."""
        all_of = [(expression, look.traits) for expression, look in looks]
        wanting = [(e, traits) for e, traits in all_of if traits & LONG or wants_numbers(e, traits)]
        if not wanting:
            return []
        named = [look for look in wanting if not look[1] & LONG]
        numeric = in_numbers(*(named[-1] if named else wanting[0]), self.notation, flipped=self.flipped)
        if numeric.traits & NUMBER or is_beyond(numeric):
            return []
        return [Stage(numerals.relation(not numeric.traits & ROUNDED), numeric.text, numeric.width)]


UNSEEN = Written("", 0.0)


def is_root(expression: Expression) -> bool:
    """Whether it is a number that is no fraction."""
    return isinstance(expression, Num) and not isinstance(expression.cell, Rational)


def is_beyond(written: Written) -> bool:
    """Whether it is too wide for a line of working."""
    return written.width > WIDEST_PIECE - DOUBT and is_too_wide(written.text)


def is_too_wide(text: str) -> bool:
    """Whether a line of working is too long, or has a piece that cannot be broken and runs off the page."""
    return is_wider(text, WIDEST_PIECE) and (width(text) > LONGEST_SUM or widest_piece(text) > WIDEST_PIECE)


def laid(left: Written, stages: Sequence[Stage]) -> list[tuple[str, str]]:
    """Stages in rows as `laid_out` breaks them, from widths that are known where no break is in doubt."""
    lines: list[str] = []
    used, sure = left.width, bool(stages)
    for sign, text, wide in stages:
        room = SIGN + wide
        over = used + room - PAGE
        sure &= room < PAGE - DOUBT and not -DOUBT < over < DOUBT and r"\frac{" not in text
        if lines and over < 0:
            lines[-1] += f" {sign} {text}"
            used += room
        else:
            lines.append(f"{sign} {text}")
            used = room + (INDENT if lines[1:] else left.width)
    if not sure:
        return laid_out(left.text, with_even_fractions([(sign, text) for sign, text, _ in stages]))
    return [(left.text if not place else "", text) for place, text in enumerate(lines)]


def with_even_fractions(stages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Stages in which no small fraction stands beside a large one."""
    if not any(r"\frac{" in text for _, text in stages):
        return stages
    return [(sign, text.replace(r"\tfrac{", r"\frac{")) for sign, text in stages]
