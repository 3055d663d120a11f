"""The report on what one person wrote: a verdict, notes and marks for each step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from attnsolve.causes import NamedMistake, Slip
from attnsolve.notes import Note
from attnsolve.reasons import Reason

NUMBER = re.compile(r"[0-9]+")  # of an exercise, with which names of a problem set begin


class Verdict(StrEnum):
    """What a step of somebody's calculation may be called, best first."""

    RIGHT = "right"
    FOLLOWS = "follows"  # from earlier numbers that are not the right ones
    RIGHT_AS_READ = "right as far as read"  # something in it could not be read
    FOLLOWS_AS_READ = "follows as far as read"
    MISTAKE = "mistake"  # one that is known by name
    WRONG = "wrong"
    UNDECIDED = "undecided"
    NOT_READ = "not read"
    NOT_WRITTEN = "not written"
    NOT_JUDGED = "not judged"  # a question without steps: it is answered in words, and a person marks it

    @property
    def is_off(self) -> bool:
        """Whether a step is wrong in itself."""
        return self in OFF

    @property
    def is_open(self) -> bool:
        """Whether a person has to look at it."""
        return self.is_partial or self in (Verdict.UNDECIDED, Verdict.NOT_READ)

    @property
    def is_partial(self) -> bool:
        """Whether nothing is wrong in what could be read, but something could not."""
        return self in (Verdict.RIGHT_AS_READ, Verdict.FOLLOWS_AS_READ)

    @property
    def of_what_was_read(self) -> Verdict:
        """The verdict on the numbers that could be read."""
        return AS_READ.get(self, self)

    @property
    def with_unread_places(self) -> Verdict:
        """The same where something could not be read: that is never right, nor does it follow."""
        return next((partial for partial, whole in AS_READ.items() if whole is self), self)


OFF = (Verdict.WRONG, Verdict.MISTAKE)
AS_READ = {Verdict.RIGHT_AS_READ: Verdict.RIGHT, Verdict.FOLLOWS_AS_READ: Verdict.FOLLOWS}


@dataclass(frozen=True, slots=True)
class StepReport:
    """The verdict on one step, where it goes wrong and why, and the marks it earns.

    A question without steps has one too, under the id of its part.
    """

    name: str
    title: str
    verdict: Verdict
    earned: Fraction = Fraction(0)
    possible: Fraction = Fraction(0)
    cell: tuple[int, int] | None = None  # the first wrong one, counted from 0
    typed: str = ""
    expected: str = ""
    mistakes: tuple[NamedMistake, ...] = ()
    slips: tuple[Slip, ...] = ()  # that lead to the first wrong number
    notes: tuple[Note, ...] = ()
    overridden: bool = False  # whether a person has given the marks
    reason: str = ""  # of that person

    @property
    def part(self) -> str:
        """The id of the part it belongs to."""
        return self.name.partition(".")[0]

    @property
    def is_question(self) -> bool:
        """Whether a person has to mark it, because it has no steps that could be judged."""
        return self.verdict is Verdict.NOT_JUDGED

    @property
    def waits(self) -> bool:
        """Whether a person has to mark it and has not done so."""
        return self.is_question and not self.overridden

    @property
    def is_partly_unread(self) -> bool:
        """Whether something in it could not be read."""
        return any(note.is_unread for note in self.notes)


@dataclass(frozen=True, slots=True)
class PartMark:
    """The total of a part that a person has given, in place of the sum of its steps."""

    name: str  # of the part
    earned: Fraction
    possible: Fraction
    notes: tuple[Note, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All steps of one person's calculation."""

    problem: str
    student: str = ""
    variant: str = ""
    steps: tuple[StepReport, ...] = ()
    unread: tuple[Reason, ...] = ()
    remarks: tuple[str | Reason, ...] = field(default_factory=tuple)  # of a person, or ours
    parts: tuple[PartMark, ...] = ()  # whose totals were given by hand
    lineup: tuple[int, ...] = ()  # of a paper: the numbers that its exercises have in the sheet, if others

    @property
    def by_sheet(self) -> Report:
        """The report with all names as the sheet has them, in its order, instead of as the paper has them."""
        if not self.lineup:
            return self
        steps = [in_sheet(step, self.lineup) for step in self.steps]
        parts = (replace(part, name=name_in_sheet(part.name, self.lineup)) for part in self.parts)
        ordered = sorted(steps, key=lambda step: exercise_number(step.name))
        return replace(self, steps=tuple(ordered), parts=tuple(parts), lineup=())

    @property
    def earned(self) -> Fraction:
        """The marks of the whole calculation."""
        given = {part.name for part in self.parts}
        steps = (step.earned for step in self.steps if step.part not in given)
        return sum(steps, sum((part.earned for part in self.parts), Fraction(0)))

    def earned_in(self, part: str) -> Fraction:
        """The marks of one part: what a person gave for all of it, or what its steps earn."""
        given = (one.earned for one in self.parts if one.name == part)
        steps = sum((step.earned for step in self.steps if step.part == part), Fraction(0))
        return next(given, steps)

    @property
    def possible(self) -> Fraction:
        """What could be had."""
        return sum((step.possible for step in self.steps), Fraction(0))

    @property
    def exit_code(self) -> int:
        """0 when all that was written is right, 1 when something is wrong, 4 when a person has to look."""
        if any(step.verdict.is_off for step in self.steps):
            return 1
        has_open = any(step.verdict.is_open or step.is_partly_unread for step in self.steps)
        return 4 if self.unread or has_open else 0

    def record(self) -> dict[str, Any]:
        """The report for programs; marks as fractions."""
        return {
            "schema": 3,
            "problem": self.problem,
            "student": self.student,
            "variant": self.variant,
            "earned": str(self.earned),
            "possible": str(self.possible),
            "steps": [step_record(step) for step in self.steps],
            "parts": [part_record(part) for part in self.parts],
            "unread": list(map(str, self.unread)),
            "remarks": list(map(str, self.remarks)),
            **({"exercises_of_sheet": list(self.lineup)} if self.lineup else {}),
        }

    @property
    def first_wrong(self) -> StepReport | None:
        """The first step that went wrong, after which things can only follow."""
        return next((step for step in self.steps if step.verdict.is_off), None)


def exercise_number(name: str) -> int:
    """The number of the exercise that a name such as `2b.A` begins with."""
    found = NUMBER.match(name)
    return 0 if found is None else int(found[0])


def name_in_sheet(name: str, lineup: Sequence[int]) -> str:
    """What `2b.A` of a paper is called in the sheet: `5b.A`, if exercise 5 is its second one."""
    return NUMBER.sub(lambda found: str(lineup[int(found[0]) - 1]), name, count=1) if lineup else name


def in_sheet(step: StepReport, lineup: Sequence[int]) -> StepReport:
    """The verdict on a step as the sheet calls it."""
    mistakes = (replace(one, at=name_in_sheet(one.at, lineup)) if one.at else one for one in step.mistakes)
    return replace(step, name=name_in_sheet(step.name, lineup), mistakes=tuple(mistakes))


def step_record(step: StepReport) -> dict[str, Any]:
    """A step for programs: marks as fractions, notes and slips by their kind with what belongs to it."""
    return {
        **asdict(step),
        "earned": str(step.earned),
        "possible": str(step.possible),
        "partly_unread": step.is_partly_unread,
        "notes": [filled(note._asdict()) for note in step.notes],
        "slips": [filled(slip._asdict()) for slip in step.slips],
    }


def part_record(part: PartMark) -> dict[str, Any]:
    """A total by hand for programs, as a step is."""
    marks = {"earned": str(part.earned), "possible": str(part.possible)}
    return {**asdict(part), **marks, "notes": [filled(note._asdict()) for note in part.notes]}


def filled(record: dict[str, Any]) -> dict[str, Any]:
    """A record without the fields that say nothing."""
    said = {name: str(value) if isinstance(value, Reason) else value for name, value in record.items()}
    return {name: value for name, value in said.items() if value}
