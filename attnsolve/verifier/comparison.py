"""What was written for one step against the right value, and against what follows from earlier numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import shown
from attnsolve.problem import Part
from attnsolve.report import NamedMistake, Note, NoteKind, StepReport, Verdict
from attnsolve.scheme import Scheme
from attnsolve.submission import Written
from attnsolve.trace import Step, Trace
from attnsolve.verifier.blaming.catalogue import Catalogue
from attnsolve.verifier.blaming.chance import rules_chance_out, shortest, would_pass
from attnsolve.verifier.blaming.slips import likely_slips
from attnsolve.verifier.compared import Compared
from attnsolve.verifier.digits import BITS, goes_with
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.following.inner_rounding import other_ways
from attnsolve.verifier.following.own_values import fractions_of, known
from attnsolve.verifier.following.routes import Routes
from attnsolve.verifier.grids import Grid

Numbers = Sequence[tuple[int, int, Written]]
# A number that is off by no more than three units of its last place, or a two hundredth, is near enough.
UNITS, LITTLE = 3, 200
# What lies open by less than a hundredth is not vague.
NARROW = 100
Hows = dict[tuple[int, int], str | None]  # how each number goes with the right one


class Comparison:
    """Compares what people wrote for the steps of one problem."""

    def __init__(self, trace: Trace, scheme: Scheme, catalogue: Catalogue, asked: int) -> None:
        self.routes = Routes(trace, scheme, catalogue.key)
        self.scheme = scheme
        self.key = catalogue.key
        self.catalogue = catalogue
        self.asked = asked

    def compared(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        reached_by: Callable[[], Matrix | None],
        calculation: Calculation,
        title: str,
    ) -> Compared:
        """The verdict on what was written for a step."""
        name, numbers = step.call.out, grid.numbers
        unread = tuple(note for written in grid.unread for note in why_unread(written))
        if not numbers:
            verdict = Verdict.RIGHT if grid.right else Verdict.NOT_READ if unread else Verdict.NOT_WRITTEN
            return Compared(StepReport(name, title, verdict, notes=unread))
        try:
            hows = {(i, j): self.how(written, step, i, j) for i, j, written in numbers}
            said = (*unread, *(note for _, _, written in numbers for note in written.notes))
            notes = (*said, *self.remarks(step, numbers, hows))
            if all(hows.values()):
                tells, hidden = self.tells(part, step, numbers, None, calculation, notes)
                report = StepReport(name, title, Verdict.RIGHT, notes=notes)
                return Compared(report, fits=True, tells=tells, hidden=hidden)
            reach = reached_by()
            near = reach.balls(BITS) if reach is not None else None
            off = [
                (i, j, written)
                for i, j, written in numbers
                if not hows[i, j] and not self.follows(written, reach, near, i, j)
            ]
            for way in other_ways(step, calculation.values, self.scheme, calculation.places) if off else ():
                balls = way.balls(BITS)
                off = [one for one in off if not self.follows(one[2], way, balls, one[0], one[1])]
            turned = bool(off) and self.routes.is_across(grid, step)
            route = self.routes.taken(step, calculation.grids, turned=turned) if off else None
        except Undecided as error:
            undecided = Note(NoteKind.UNDECIDED, meant=str(error))
            return Compared(StepReport(name, title, Verdict.UNDECIDED, notes=(*unread, undecided)))
        if route:
            return Compared(
                StepReport(name, title, Verdict.RIGHT, notes=(*said, Note(route))),
                turned=turned,
                rerouted=True,
            )
        if not off:
            astray = calculation.is_astray(step)
            drifted = [] if astray else [one for one in numbers if not hows[one[:2]]]
            early = self.early(step, drifted, reach, near, calculation.is_coarse(step))
            digits = self.short(numbers, reach, near) if astray else ()
            right = notes if not astray and not early else said
            notes = (*right, *early, *digits, *self.vague(step, near))
            tells, hidden = self.tells(part, step, numbers, near, calculation, notes)
            # All digits that were asked for, and not the right ones: they follow from numbers cut short.
            long = all(is_long(written, self.asked) for _, _, written in drifted)
            follows = astray or (any(note.is_early for note in early) and long)
            report = StepReport(name, title, Verdict.FOLLOWS if follows else Verdict.RIGHT, notes=notes)
            return Compared(report, tells=tells, hidden=hidden)
        found = self.explained(part, step, grid, reach, calculation, off, said, title)
        return Compared(found, turned=turned, off=len(off))

    def vague(self, step: Step, near: Any) -> tuple[Note, ...]:
        """A word where somebody's earlier numbers are so coarse that almost anything would follow."""
        widest = max((ball.rad() for row in near or () for ball in row), default=0)
        if widest * NARROW <= 1:
            return ()  # where the right numbers are 0 themselves, any rounding is more than they are
        right = (ball for row in self.key.balls(step) for ball in row if ball.is_finite())
        largest = max((abs(ball).upper() for ball in right), default=0)
        return (Note(NoteKind.ANYTHING_FOLLOWS),) if widest > largest else ()

    def early(
        self, step: Step, drifted: Numbers, reach: Matrix | None, near: Any, coarse: bool
    ) -> tuple[Note, ...]:
        """A word where numbers are not the right ones, because too few digits were gone on with."""
        far = [one for one in drifted if self.is_far(step, *one)]
        if far and self.short(far, reach, near, own=False):
            return (too_early(next(w for _, _, w in far if not is_long(w, self.asked)), self.asked),)
        if far and coarse:
            return (Note(NoteKind.ROUNDED_EARLY),)
        return self.short(drifted, reach, near, own=False)

    def is_far(self, step: Step, i: int, j: int, written: Written) -> bool:
        """Whether a number is off by more than rounding once or twice explains."""
        if written.cell is None or written.cell is HIDDEN or written.places is None:
            return False
        right = self.key.balls(step)[i][j]
        off = abs(written.cell.ball(BITS) - right)
        return not right.is_finite() or bool(off * LITTLE > 1 and off * 10**written.places > UNITS)

    def short(
        self, numbers: Numbers, reach: Matrix | None, near: Any, *, own: bool = True
    ) -> tuple[Note, ...]:
        """A word where fewer digits were written than were asked for; `own` numbers may give no more."""
        few = [one for one in numbers if not is_long(one[2], self.asked)]
        exact = fractions_of(shown(reach)) if few and reach is not None else []
        for i, j, written in few if exact else ():
            places = written.places or 0
            in_full = known(exact[i][j], places) is not None
            no_more = own and near[i][j].rad() * 2 * 10**places >= 1
            as_long = own and self.follows(written._replace(places=self.asked), reach, near, i, j)
            if not (in_full or no_more or as_long):
                return (too_few(written, self.asked),)
        return ()

    def tells(
        self,
        part: Part,
        step: Step,
        numbers: Numbers,
        near: Any,
        calculation: Calculation,
        notes: tuple[Note, ...],
    ) -> tuple[bool, tuple[NamedMistake, ...]]:
        """Whether what was written is no guess, and which mistakes its few digits would hide."""
        if not any(note.is_coarse for note in notes):
            return True, ()
        if any(note.kind is NoteKind.ANYTHING_FOLLOWS for note in notes):
            return False, ()
        if not rules_chance_out(numbers, near, step, self.key, self.scheme):
            return False, ()
        before = calculation.before(step)
        suspects = self.catalogue.alone(part, step, calculation.values, calculation.grids, before)
        right, truncation = near or self.key.balls(step), self.scheme.truncation
        hidden = (
            NamedMistake(one.name, one.advice, 0, 0, at=one.at, spread=one.spread)
            for one in suspects
            if would_pass(one, right, numbers, self.asked, truncation=truncation)
        )
        return True, tuple(hidden)

    def how(self, written: Written, step: Step, i: int, j: int) -> str | None:
        """How a number goes with the right one; digits beyond those that were asked for are not judged."""
        found = self.key.fits(written, step, i, j, truncation=self.scheme.truncation)
        if found or written.places is None or written.places <= self.asked:
            return found
        shorter = cut_to(written, self.asked)
        return self.key.fits(shorter, step, i, j, truncation=self.scheme.truncation)

    def follows(self, written: Written, reach: Matrix | None, near: Any, i: int, j: int) -> bool:
        """Whether a number can be had from somebody's own earlier ones."""
        if reach is None or near is None:
            return False
        ball, truncation = near[i][j], self.scheme.truncation
        if goes_with(written, reach, ball, i, j, truncation=truncation):
            return True
        shorter = cut_to(written, self.asked)
        return shorter is not written and goes_with(shorter, reach, ball, i, j, truncation=truncation)

    def remarks(self, step: Step, numbers: Numbers, hows: Hows) -> tuple[Note, ...]:
        """What is not wrong but worth a word where a step is right: cut off, or too few digits."""
        said = []
        if "truncated" in hows.values():
            said.append(Note(NoteKind.CUT_OFF))
        coarse = [w for i, j, w in numbers if hows[i, j] and self.key.is_coarse(w, step, i, j, self.asked)]
        if coarse:
            said.append(too_few(coarse[0], self.asked))
        return tuple(said)

    def named(
        self, part: Part, step: Step, grid: Grid, calculation: Calculation, *, pairs: bool = True
    ) -> tuple[NamedMistake, ...]:
        """The known mistakes that a step's numbers look like."""
        values, grids, before = calculation.values, calculation.grids, calculation.before(step)
        return self.catalogue.explain(
            part, step, grid, values, self.scheme, grids, self.asked, before, pairs=pairs
        )

    def explained(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        reach: Matrix | None,
        calculation: Calculation,
        off: Numbers,
        notes: tuple[Note, ...],
        title: str,
    ) -> StepReport:
        """A wrong step: a known mistake, or the first wrong number and what probably happened there."""
        if calculation.is_unsure(step, reach):
            unknown = Note(NoteKind.UNKNOWN_BEFORE)
            return StepReport(step.call.out, title, Verdict.UNDECIDED, notes=(*notes, unknown))
        named = self.named(part, step, grid, calculation)
        if named and not any(note.is_coarse for note in notes):
            before = calculation.before(step)
            suspects = self.catalogue.alone(part, step, calculation.values, calculation.grids, before)
            fitting = [one for one in suspects if one.name == named[0].name]
            few = shortest(fitting[0], grid.numbers, self.asked) if fitting else None
            notes = notes if few is None else (*notes, too_few(few, self.asked))
        astray = calculation.is_astray(step)
        i, j, written = off[0]
        expected = (reach if reach is not None else step.value).cell
        alone = 2 * len(off) <= len(grid.numbers) or len(grid.numbers) == 1
        slips = (
            ()
            if named
            else likely_slips(step, calculation.values, off, expected, self.asked, self.scheme, alone=alone)
        )
        return StepReport(
            step.call.out,
            title,
            Verdict.MISTAKE if named else Verdict.WRONG,
            cell=(i, j),
            typed=written.text,
            expected=told(expected(i, j) if astray else self.key.cell(step, i, j), self.asked),
            mistakes=named,
            slips=slips,
            notes=(*notes, Note(NoteKind.NUMBERS_OFF, number=len(off), total=len(grid.numbers))),
        )


def cut_to(written: Written, asked: int) -> Written:
    """A number with no more digits than were asked for."""
    if written.places is None or written.places <= asked or written.cell is None or written.cell is HIDDEN:
        return written
    return written._replace(cell=Rational(written.cell.rounded(asked).fraction), places=asked)


def is_long(written: Written, asked: int) -> bool:
    """Whether all digits were written that were asked for."""
    return written.places is None or written.places >= asked


def told(cell: Cell, places: int) -> str:
    """The expected number; about where it lies when it follows from rounded numbers."""
    try:
        shown = cell.decimals(places)
    except Undecided:
        return f"about {cell.ball(BITS).str(places, radius=False)}"
    return shown.text.rstrip("0").rstrip(".") if shown.exact and "." in shown.text else shown.text


def why_unread(written: Written) -> tuple[Note, ...]:
    """What is noted of a place that could not be read; of an illegible one only that."""
    return written.notes or (Note(NoteKind.UNREAD, written.text),)


def too_few(written: Written, asked: int) -> Note:
    """What is noted of a number with fewer digits than were asked for."""
    return Note(NoteKind.TOO_FEW_DIGITS, written.text, number=asked)


def too_early(written: Written, asked: int) -> Note:
    """What is noted of a number that is not the right one because too few digits were gone on with."""
    return Note(NoteKind.ROUNDED_EARLY, written.text, number=asked)
