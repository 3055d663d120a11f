"""The answers of one person while they are read: nothing that cannot be read stops the rest."""

from __future__ import annotations

from dataclasses import dataclass, field

from attnsolve.errors import AttnsolveError, Fault, ProblemError
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.reader import shortened
from attnsolve.reasons import Reason, at_place, reason
from attnsolve.submission import NO_ROWS, Answer, Override, Submission, Table, printable
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.commas import consistent
from attnsolve.verifier.reading.headings import Person
from attnsolve.verifier.reading.names import Place
from attnsolve.verifier.reading.numbers import unread
from attnsolve.verifier.reading.tables import read_table

RIGHT = {"ok", "ok.", "okay", "✓", "✔"}
LONGEST_RIGHT = 20
# What a column or key is called that has remarks in it.
REMARKS = ("remark", "remarks", "comment")


class LimitReached(AttnsolveError):
    """One person's answers have come to a limit, which has been told; the next person's are read on."""


@dataclass
class Draft:
    """What one person handed in, as far as it is read."""

    source: str
    limits: Limits = LIMITS
    student: str = ""
    variant: str = ""
    called: str = ""  # by the name of a person, who may have a number too
    answers: list[Answer] = field(default_factory=list)
    overrides: list[Override] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    faults: list[Reason] = field(default_factory=list)
    budget: Budget = field(init=False)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits)
        self.most = self.limits.answers

    def fault(self, line: int, column: int, why: Reason, *, name: str = "") -> None:
        """Note what could not be read, and where; nobody mends more than a page of that."""
        place = f"{self.source}:{line}:{column}"
        if len(self.faults) >= self.limits.faults:
            end = reason("too much that cannot be read; nothing was read from here on")
            self.faults.append(at_place(place, end))
            raise LimitReached
        place += f": {name}" if name else ""
        self.faults.append(at_place(place, why.each(lambda text: printable(shortened(text, most=400)))))

    def add_text(
        self, place: Place, text: str, line: int, column: int = 1, *, decimals: Table | None = None
    ) -> None:
        """An answer whose numbers are still one text, unless it is known to be plain `decimals`."""
        if decimals is None and len(text) < LONGEST_RIGHT and text.strip().lower() in RIGHT:
            self.add_rows(place, NO_ROWS, line, right=True)
            return
        try:
            if decimals is None:
                rows = read_table(text, self.budget)
            else:
                rows = decimals
                self.budget.count(rows.size)
        except AttnsolveError as error:  # too much of it
            self.fault(line, column, error.reason, name=place.name)
            rows = Table.of_one(unread(text, error.reason))
        self.add_rows(place, Table(zip(*rows, strict=True)) if place.turned else rows, line)

    def add_rows(self, place: Place, rows: Table, line: int, *, right: bool = False) -> None:
        """An answer that has been read."""
        if len(self.answers) + len(self.overrides) >= self.most:
            self._refuse(line)
        name, row, column, _, _, part, exercise = place
        self.answers.append(Answer(name, row, column, rows, line, right, part, exercise))

    def add_decimals(self, answers: list[Answer]) -> bool:
        """Answers in plain decimals, all of them at once; none where some limit may be in the way."""
        within = len(self.answers) + len(self.overrides) + len(answers) <= self.most
        if within and self.budget.count_all([answer.rows.size for answer in answers]):
            self.answers += answers
            return True
        return False

    def add_override(self, override: Override) -> None:
        """A mark that a person has given."""
        if len(self.answers) + len(self.overrides) >= self.most:
            self._refuse(override.line)
        self.overrides.append(override)

    def _refuse(self, line: int) -> None:
        """End the reading where there are as many answers as the limit allows."""
        said = reason("more than {limit} answers from one person, the limit", limit=self.most)
        self.faults.append(at_place(f"{self.source}:{line}:1", said))
        raise LimitReached

    def identify(self, student: str, variant: str) -> None:
        """Who this is and which variant they had; a later one does not replace the first."""
        self.student = self.student or printable(shortened(student))
        self.variant = self.variant or printable(shortened(variant))

    def introduce(self, person: Person) -> None:
        """What a line says about who this is; a name counts where there is no number."""
        self.identify(person.student, person.variant)
        self.called = self.called or printable(shortened(person.name))

    def is_empty(self) -> bool:
        """Whether there is nothing to mark and nothing to complain about."""
        return not (self.answers or self.overrides or self.faults)

    def remark(self, text: str) -> None:
        """A remark of whoever typed the answers."""
        if text.strip() and len(self.remarks) < self.limits.answers:
            self.remarks.append(printable(shortened(text, most=self.limits.text)))

    def finish(self) -> Submission:
        """Everything, frozen."""
        return Submission(
            self.student or self.called,
            self.variant,
            consistent(tuple(self.answers), self.budget),
            tuple(self.overrides),
            tuple(self.remarks),
            tuple(self.faults),
            self.source,
        )


def check_crowd(students: int, source: str, limits: Limits, *, line: int = 1) -> None:
    """Refuse a pile of more people than the limit, before any of it is read."""
    if students > limits.students:
        said = f"{students} students; the limit is {limits.students}"
        raise ProblemError([Fault(source, line, 1, "", said)])
