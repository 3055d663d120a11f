"""Why a step is wrong: known mistakes that explain its numbers, and those that few digits would hide."""

from __future__ import annotations

from attnsolve.causes import NamedMistake
from attnsolve.exact.matrices import BallRows
from attnsolve.notes import Note, NoteKind
from attnsolve.verifier.blaming.catalogue import Catalogue
from attnsolve.verifier.blaming.evidence import Clues, Glance, Suspect, claims, fitting_mistakes
from attnsolve.verifier.blaming.shown_steps import ShownSteps
from attnsolve.verifier.case import Case
from attnsolve.verifier.digits import goes_with, is_long
from attnsolve.verifier.exercise import Exercise


class Blamer:
    """Looks for the mistakes behind what people wrote for one problem."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.catalogue = Catalogue(exercise)

    def prepare(self, case: Case) -> None:
        """Find out beforehand what takes longest: where two mistakes together lead."""
        if not self.catalogue.gives_up(case):
            self.catalogue.both(case)

    def blame(self, case: Case) -> tuple[NamedMistake, ...]:
        """The known mistakes that a wrong step looks like, alone or in pairs.

        None are named where it may be chance, or where trying all of them takes too long.
        """
        if self.catalogue.gives_up(case):
            return ()
        glance = Glance(case, self.exercise)
        if not glance.clears_all(self.catalogue.at_most_alone(case)):
            found = fitting_mistakes(self.catalogue.alone(case), glance, Clues.of(case, self.exercise))
            if found:
                return found
        if glance.clears_all(self.catalogue.at_most_both(case)):
            return ()  # as for nearly every slip: what speaks for and against whom need not be found out
        alone, both = self.catalogue.alone(case), self.catalogue.both(case)
        found = fitting_mistakes(both, glance, Clues.of(case, self.exercise), others=len(alone))
        # Two mistakes of which only one shows here are no pair.
        names = {named.name for named in found}
        pairs = (one for one in both if one.name in names)
        new = {one.name for one in pairs if not any(map(one.leads_as, alone))}
        return tuple(named for named in found if named.name in new)

    def hidden_by(self, case: Case, reach: BallRows | None) -> tuple[NamedMistake, ...]:
        """The mistakes that would have led to the same few digits."""
        if self.catalogue.gives_up(case):
            return ()
        right = reach or self.exercise.key.balls(case.step)
        return tuple(
            NamedMistake(one.name, one.advice, 0, 0, at=one.at, spread=one.spread)
            for one in self.catalogue.alone(case)
            if self.would_pass(one, right, case)
        )

    def would_pass(self, suspect: Suspect, right: BallRows, case: Case) -> bool:
        """Whether a mistake that all asked digits would show leads to the same few digits."""
        balls, truncation = suspect.balls, self.exercise.scheme.truncation
        if (len(balls), len(balls[0])) != (len(right), len(right[0])):
            return False
        pairs = (pair for rows in zip(balls, right, strict=True) for pair in zip(*rows, strict=True))
        return any(abs(mine - yours) * 10**self.exercise.asked > 1 for mine, yours in pairs) and all(
            goes_with(written, suspect.value, balls[i][j], i, j, truncation=truncation)
            for i, j, written in case.numbers
        )

    def given_up(self, case: Case) -> tuple[Note, ...]:
        """A note where known mistakes were not tried, because that takes too long."""
        return (Note(NoteKind.NOT_SEARCHED),) if self.catalogue.gives_up(case) else ()

    def too_short_for(self, case: Case, named: tuple[NamedMistake, ...]) -> tuple[Note, ...]:
        """A note where a mistake was made, and its numbers too have fewer digits than were asked for."""
        if not named:
            return ()
        asked, names = self.exercise.asked, {one.name for one in named[:1]}
        for suspect in [one for one in self.catalogue.alone(case) if one.name in names][:1]:
            for i, j, written in case.numbers:
                if not (is_long(written, asked) or claims(written, suspect.value.cell(i, j))):
                    return (Note(NoteKind.TOO_FEW_DIGITS, written.text, number=asked),)
        return ()

    def shown_by(self, case: Case, found: tuple[NamedMistake, ...]) -> ShownSteps:
        """The steps that somebody has done, whichever of the mistakes that fit was made."""
        return self.catalogue.shown_by(case.part, case.step, found)
