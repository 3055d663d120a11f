"""Marks as learning platforms take them: Moodle's grading worksheet and grade import, Canvas's gradebook."""

from __future__ import annotations

import csv
import io
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple

from attnsolve.exams.tables import harmless
from attnsolve.grading.gradebook import decimal, told
from attnsolve.grading.graded import Graded
from attnsolve.grading.people import People, Person, headings, key
from attnsolve.marks import out_of
from attnsolve.problem_set import Asked

# The headings of Moodle's offline grading worksheet; it wants the first, Grade and the last but one back.
WORKSHEET = (
    "Identifier",
    "Full name",
    "Email address",
    "Status",
    "Grade",
    "Maximum Grade",
    "Grade can be changed",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
)
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# So that the same slips are the same zip.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


class Final(NamedTuple):
    """What somebody has earned in the end, or why that is not known yet."""

    graded: Graded
    marks: Fraction | None
    why: str = ""


def final_marks(marks: Sequence[Graded]) -> dict[str, Final]:
    """Everybody's marks by student; none where a person has still to look at something."""
    counts = Counter(key(one.student) for one in marks)
    return {key(one.student): final(one, is_double=counts[key(one.student)] > 1) for one in marks}


def final(graded: Graded, *, is_double: bool) -> Final:
    """The marks of one person, if nothing is open."""
    report = graded.report
    if is_double:
        return Final(graded, None, "handed in more than once")
    if report is None:
        return Final(graded, None, graded.trouble)
    waiting = [step.name for step in report.steps if step.waits]
    if waiting:
        return Final(graded, None, f"to be marked by hand: {', '.join(waiting)}")
    doubts = [step.name for step in graded.doubts]
    if doubts:
        return Final(graded, None, f"to be looked at: {', '.join(doubts)}")
    if report.unread and not graded.is_seen:
        return Final(graded, None, "something was not read")
    return Final(graded, report.earned)


class Upload:
    """The marks of a class, ready for a platform."""

    def __init__(self, problem: Asked, marks: Sequence[Graded], people: People, *, item: str = "") -> None:
        self.problem = problem
        self.people = people
        self.item = item or problem.title
        self.finals = final_marks(marks)

    @property
    def possible(self) -> Fraction:
        """What can be had."""
        reports = (one.graded.report for one in self.finals.values())
        return max((report.possible for report in reports if report is not None), default=Fraction(0))

    @property
    def held_back(self) -> list[str]:
        """Who has no grade yet, and why."""
        return [f"{one.graded.student}: {one.why}" for one in self.finals.values() if one.why]

    @property
    def warnings(self) -> list[str]:
        """Where the worksheet has another maximum than the exercise."""
        words = headings(self.people.heading)
        if "maximum grade" not in words:
            return []
        place, most = words.index("maximum grade"), decimal(self.possible)
        cells = {row[place].strip().replace(",", ".") for row in self.people.rows if place < len(row)}
        other = sorted(cell for cell in cells if is_other(cell, self.possible))
        return [f"the worksheet has a maximum grade of {cell}, the exercise of {most}" for cell in other[:1]]

    def everybody(self) -> list[Person]:
        """Who is known to the platform, and whoever has handed something in besides."""
        known = {key(person.student) for person in self.people.all}
        strangers = (one.graded.student for who, one in self.finals.items() if who not in known)
        return [*self.people.all, *(Person(student) for student in strangers if student)]

    def grade(self, person: Person) -> str:
        """The grade of somebody, or nothing."""
        found = self.finals.get(key(person.student))
        return "" if found is None or found.marks is None else decimal(found.marks)

    def comment(self, person: Person) -> str:
        """A line about somebody's work; Moodle takes it as HTML."""
        found = self.finals.get(key(person.student))
        if found is None or found.marks is None or found.graded.report is None:
            return ""
        report = found.graded.report
        wrong = report.first_wrong
        first = "" if wrong is None else f"; first wrong: {told(self.problem, wrong, lineup=report.lineup)}"
        return escape(f"{out_of(report.earned, report.possible)}{first}")

    def moodle(self) -> str:
        """The worksheet that was given, filled in; a new one for an assignment; else a table to import."""
        words = headings(self.people.heading)
        if "identifier" in words and "grade" in words:
            return as_csv(self.filled_worksheet(words))
        handed_in = [person for person in self.everybody() if key(person.student) in self.finals]
        if handed_in and all(person.participant for person in handed_in):
            return as_csv(self.new_worksheet(handed_in))
        return as_csv(self.grade_import())

    def filled_worksheet(self, words: Sequence[str]) -> list[Sequence[str]]:
        """The lines of the worksheet with everybody's grade in its place."""
        made: list[Sequence[str]] = [self.people.heading]
        comments = words.index("feedback comments") if "feedback comments" in words else None
        for person, row in zip(self.people.listed, self.people.rows, strict=True):
            cells = list(row)
            grade = self.grade(person)
            if grade:
                cells[words.index("grade")] = grade
                if comments is not None:
                    cells[comments] = self.comment(person)
            made.append(cells)
        return made

    def new_worksheet(self, handed_in: Sequence[Person]) -> list[Sequence[str]]:
        """A worksheet by the numbers that stand in the names of Moodle's folders."""
        made: list[Sequence[str]] = [WORKSHEET]
        for person in handed_in:
            identifier, most = f"Participant {person.participant}", decimal(self.possible)
            about = (identifier, person.name, person.email, "", self.grade(person), most)
            made.append((*about, "Yes", "-", "-", self.comment(person)))
        return made

    def grade_import(self) -> list[Sequence[str]]:
        """A table for Moodle's grade import, where one says which column is the address."""
        made: list[Sequence[str]] = [
            ("Full name", "ID number", "Username", "Email address", self.item, f"{self.item} (feedback)")
        ]
        for person in self.everybody():
            about = (person.name, number_of(person), person.login, person.email)
            made.append((*about, self.grade(person), self.comment(person)))
        return made

    def canvas(self) -> str:
        """Canvas's gradebook with one assignment, found by ID, SIS ID, login or name."""
        made: list[Sequence[str]] = [
            (*CANVAS, self.item),
            ("    Points Possible", "", "", "", "", decimal(self.possible)),
        ]
        for person in self.everybody():
            login = person.login or person.email
            who = (person.name or person.student, person.canvas, number_of(person), login)
            made.append((*who, person.section, self.grade(person)))
        return as_csv(made)

    def feedback(self, slips: Mapping[str, Sequence[str | bytes]], ending: str) -> bytes:
        """Moodle's zip of feedback files: a slip by student, in the folders that it packs submissions in."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for person in self.everybody():
                own = slips.get(key(person.student), ())
                if not person.participant:
                    continue
                name = person.name.replace("_", " ").replace("/", " ") or "Participant"
                folder = person.folder or f"{name}_{person.participant}_assignsubmission_file_"
                for number, slip in enumerate(own, start=1):
                    which = f"-{number}" if number > 1 else ""
                    info = zipfile.ZipInfo(f"{folder}/feedback{which}{ending}", LONG_AGO)
                    info.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(info, slip)
        return stream.getvalue()


def number_of(person: Person) -> str:
    """The number of somebody at his university; what the marks call him if nothing else is known."""
    others = (person.login, person.email, person.participant, person.canvas)
    return person.number or ("" if any(others) else person.student)


def is_other(cell: str, possible: Fraction) -> bool:
    """Whether a cell is a number, and not this one."""
    try:
        return Fraction(cell) != possible
    except (ValueError, ZeroDivisionError):
        return False


def as_csv(rows: Sequence[Sequence[str]]) -> str:
    """A table in which no cell is a formula; a single hyphen is Moodle's own word for nothing."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow(cell if cell == "-" else harmless(cell) for cell in row)
    return stream.getvalue()
