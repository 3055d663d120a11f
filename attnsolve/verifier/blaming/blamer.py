"""Why a step is wrong: known mistakes that explain its numbers, likely slips, what few digits would hide."""

from __future__ import annotations

from attnsolve.exact.matrices import BallRows
from attnsolve.report import NamedMistake, Note, NoteKind, Slip
from attnsolve.verifier.blaming.catalogue import Catalogue
from attnsolve.verifier.blaming.chance import rules_chance_out, shortest, would_pass
from attnsolve.verifier.blaming.evidence import Clues, fitting_mistakes
from attnsolve.verifier.blaming.shown_steps import ShownSteps
from attnsolve.verifier.blaming.slips import likely_slips
from attnsolve.verifier.case import Case, Numbers
from attnsolve.verifier.exercise import Exercise


class Blamer:
    """Looks for the mistakes and slips behind what people wrote for one problem."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.catalogue = Catalogue(exercise)

    def blame(self, case: Case) -> tuple[NamedMistake, ...]:
        """The known mistakes that a wrong step looks like, alone or in pairs; none where it may be chance."""
        clues = Clues.of(case, self.exercise)
        alone = self.catalogue.alone(case)
        found = fitting_mistakes(alone, clues)
        if found:
            return found
        both = self.catalogue.both(case)
        found = fitting_mistakes(both, clues, others=len(alone))
        # Two mistakes of which only one shows here are no pair.
        known = {suspect.digits for suspect in alone} if found else set()
        names = {named.name for named in found}
        new = {one.name for one in both if one.name in names and one.digits not in known}
        return tuple(named for named in found if named.name in new)

    def slips(self, case: Case, off: Numbers) -> tuple[Slip, ...]:
        """What probably happened at the first wrong number."""
        return likely_slips(case, off, self.exercise)

    def is_no_guess(self, case: Case, reach: BallRows | None) -> bool:
        """Whether numbers with few digits still tell how they were found."""
        return rules_chance_out(case, reach, self.exercise)

    def hidden_by(self, case: Case, reach: BallRows | None) -> tuple[NamedMistake, ...]:
        """The mistakes that would have led to the same few digits."""
        right = reach or self.exercise.key.balls(case.step)
        return tuple(
            NamedMistake(one.name, one.advice, 0, 0, at=one.at, spread=one.spread)
            for one in self.catalogue.alone(case)
            if would_pass(one, right, case.numbers, self.exercise)
        )

    def too_short_for(self, case: Case, named: tuple[NamedMistake, ...]) -> tuple[Note, ...]:
        """A note where a mistake was made, and its numbers too have fewer digits than were asked for."""
        if not named:
            return ()
        fitting = [one for one in self.catalogue.alone(case) if one.name == named[0].name]
        few = shortest(fitting[0], case.numbers, self.exercise.asked) if fitting else None
        return () if few is None else (Note(NoteKind.TOO_FEW_DIGITS, few.text, number=self.exercise.asked),)

    def shown_by(self, case: Case, found: tuple[NamedMistake, ...]) -> ShownSteps:
        """The steps that somebody has done, whichever of the mistakes that fit was made."""
        return self.catalogue.shown_by(case.part, case.step, found)
