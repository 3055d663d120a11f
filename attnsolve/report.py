"""What is said about numbers that somebody else wrote down: findings, and a report of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from attnsolve.problem import Target


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict on one published or typed number: `right`, `rounded`, `truncated`, `wrong` or `undecided`."""

    target: Target
    verdict: str
    typed: str
    expected: str
    line: int = 1
    column: int = 1

    @property
    def fine(self) -> bool:
        """Whether nobody has to do anything about it."""
        return self.verdict in ("right", "rounded")


# What a question without steps is called: it is answered in words, and a person marks it.
NOT_JUDGED = "not judged"
# What a step of somebody's calculation may be called, best first.
VERDICTS = ("right", "follows", "mistake", "wrong", "undecided", "not read", "not written", NOT_JUDGED)


@dataclass(frozen=True, slots=True)
class Named:
    """A catalogued mistake that explains an answer, and how much speaks for it."""

    name: str
    advice: str
    numbers: int  # how many numbers tell it from the right answer
    places: int
    alone: bool = True  # whether no other known mistake fits
    at: str = ""  # the step it was made in, where it is one step's


@dataclass(frozen=True, slots=True)
class StepReport:
    """The verdict on one step, where it goes wrong and why, and the marks it earns.

    A question without steps has one too, under the id of its part.
    """

    name: str
    title: str
    verdict: str
    earned: Fraction = Fraction(0)
    possible: Fraction = Fraction(0)
    cell: tuple[int, int] | None = None  # the first wrong one, counted from 0
    typed: str = ""
    expected: str = ""
    mistakes: tuple[Named, ...] = ()
    slip: str = ""
    notes: tuple[str, ...] = ()
    overridden: str = ""

    @property
    def is_question(self) -> bool:
        """Whether a person has to mark it, because it has no steps that could be judged."""
        return self.verdict == NOT_JUDGED

    @property
    def waits(self) -> bool:
        """Whether a person has to mark it and has not done so."""
        return self.is_question and not self.overridden


@dataclass(frozen=True, slots=True)
class Report:
    """All steps of one person's calculation."""

    problem: str
    student: str = ""
    variant: str = ""
    steps: tuple[StepReport, ...] = ()
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default_factory=tuple)

    @property
    def earned(self) -> Fraction:
        """The marks of the whole calculation."""
        return sum((step.earned for step in self.steps), Fraction(0))

    @property
    def possible(self) -> Fraction:
        """What could be had."""
        return sum((step.possible for step in self.steps), Fraction(0))

    @property
    def exit_code(self) -> int:
        """0 when all that was written is right, 1 when something is wrong, 4 when a person has to look."""
        verdicts = {step.verdict for step in self.steps}
        if verdicts & {"wrong", "mistake"}:
            return 1
        return 4 if self.unread or verdicts & {"undecided", "not read"} else 0

    def record(self) -> dict[str, Any]:
        """The report for programs; marks as fractions."""
        steps = [
            {**asdict(step), "earned": str(step.earned), "possible": str(step.possible)}
            for step in self.steps
        ]
        return {
            "schema": 1,
            "problem": self.problem,
            "student": self.student,
            "variant": self.variant,
            "earned": str(self.earned),
            "possible": str(self.possible),
            "steps": steps,
            "unread": list(self.unread),
            "remarks": list(self.remarks),
        }

    @property
    def first_wrong(self) -> StepReport | None:
        """The first step that went wrong, after which things can only follow."""
        return next((step for step in self.steps if step.verdict in ("wrong", "mistake")), None)
