"""The report on what one person wrote: a verdict, notes and marks for each step."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple


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
        return self in (Verdict.WRONG, Verdict.MISTAKE)

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


AS_READ = {Verdict.RIGHT_AS_READ: Verdict.RIGHT, Verdict.FOLLOWS_AS_READ: Verdict.FOLLOWS}


class NoteKind(StrEnum):
    """What may be noted about a step; behind each, the fields of its `Note`."""

    # How something was read.
    UNREAD = "unread"  # typed, meant: why
    UNCLEAR_COMMA = "unclear comma"  # typed, meant: why
    NO_OPTION = "no option"  # typed, meant: the letters there are
    DECIMAL_COMMA = "decimal comma"  # typed, meant
    STRUCK = "struck"  # typed: what was struck out before the number that counts
    CROSSED = "crossed"
    DOTS = "dots"  # meant
    FIRST_FORM = "first form"  # typed
    SHORT_ROW = "short row"  # place: which row, number: its numbers, total: those of the longest
    TWICE = "twice"
    TURNED = "turned"
    TOKENS_AS_ROWS = "tokens as rows"
    # Digits.
    CUT_OFF = "cut off"
    TOO_FEW_DIGITS = "too few digits"  # typed, number: the places asked for
    ANYTHING_FOLLOWS = "anything follows"
    ROUNDED_EARLY = "rounded early"  # typed, number: the places asked for; or nothing: the numbers before it
    # Other sound routes.
    USED_TURNED = "used turned"
    DIVIDED_BEFORE = "divided before"
    QUERIES_DIVIDED = "queries divided"
    MASKED_ALREADY = "masked already"
    MASKED_BEFORE_SCALING = "masked before scaling"
    LARGEST_TAKEN_OFF = "largest taken off"
    # What is wrong or open.
    NUMBERS_OFF = "numbers off"  # number, total
    NOT_SEARCHED = "not searched"
    UNDECIDED = "undecided"  # meant: why
    UNKNOWN_BEFORE = "unknown before"
    # Marks.
    METHOD_SHOWN = "method shown"
    MARK_CUT = "mark cut"  # typed: the mark by hand, meant: the most there is


class Note(NamedTuple):
    """Something worth a word about a step, as data; `rendering.notes` has the words."""

    kind: NoteKind
    typed: str = ""
    meant: str = ""
    number: int = 0
    total: int = 0
    place: int = 0

    @property
    def is_unread(self) -> bool:
        """Whether something was written that nobody could read."""
        return self.kind in (NoteKind.UNREAD, NoteKind.UNCLEAR_COMMA, NoteKind.NO_OPTION)

    @property
    def is_early(self) -> bool:
        """Whether numbers are not the right ones because too few digits were gone on with."""
        return self.kind is NoteKind.ROUNDED_EARLY

    @property
    def is_short(self) -> bool:
        """Whether a step was written, or gone on from, with fewer digits than were asked for."""
        return self.kind in (NoteKind.TOO_FEW_DIGITS, NoteKind.ANYTHING_FOLLOWS)

    @property
    def is_coarse(self) -> bool:
        """Whether digits are missing, here or in the numbers before."""
        return self.is_short or self.is_early


class SlipKind(StrEnum):
    """What may have happened at one wrong number."""

    SIGN = "sign"
    EXCHANGED = "row and column exchanged"
    POINT_RIGHT = "point right"
    POINT_LEFT = "point left"
    PRODUCT_SIGN = "product sign"
    PRODUCT_MISSING = "product missing"
    PRODUCT_TWICE = "product twice"
    NEIGHBOUR = "neighbour"
    DIGITS_SWAPPED = "digits swapped"


class Slip(NamedTuple):
    """A likely slip; of one product of a sum, which one, counted from 1."""

    kind: SlipKind
    product: int = 0


class Spread(StrEnum):
    """Whether a mistake was made in one step, or in all that do the same."""

    ONE_STEP = "one step"
    EVERY_HEAD = "every head"
    EVERY_STEP = "every step"


@dataclass(frozen=True, slots=True)
class NamedMistake:
    """A catalogued mistake that explains an answer, and how much speaks for it."""

    name: str
    advice: str
    numbers: int  # how many numbers tell it from the right answer
    places: int
    alone: bool = True  # whether no other known mistake fits
    at: str = ""  # the step it was made in, where it is one step's
    spread: Spread = Spread.ONE_STEP


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
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default_factory=tuple)
    parts: tuple[PartMark, ...] = ()  # whose totals were given by hand

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
            "unread": list(self.unread),
            "remarks": list(self.remarks),
        }

    @property
    def first_wrong(self) -> StepReport | None:
        """The first step that went wrong, after which things can only follow."""
        return next((step for step in self.steps if step.verdict.is_off), None)


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
    return {name: value for name, value in record.items() if value}
