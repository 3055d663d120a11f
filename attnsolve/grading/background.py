"""What is known about a class besides what it handed in: its people, marks by hand, codes for names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from attnsolve.errors import UsageError
from attnsolve.grading.anonymity import Codes, names_beside
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.hand_marks import HandMarks, read_hand_marks
from attnsolve.grading.people import People, Person, read_people


@dataclass(frozen=True, slots=True)
class Background:
    """All that is known beforehand."""

    people: People = field(default_factory=People)
    by_hand: HandMarks = field(default_factory=HandMarks)
    codes: Codes | None = None  # instead of names, until the marks are released


def known_people(assignment: Assignment, roster: Path | None, *, encoding: str = "") -> People:
    """Everybody in the roster of an exam, and in the table of a platform."""
    people = People()
    expected = assignment.expected
    for seat in assignment.seats:  # also of who has withdrawn
        is_expected = seat.student in expected
        people.add(Person(seat.student, seat.name, number=seat.student, is_expected=is_expected))
    if roster is not None:
        read_people(roster, people, encoding=encoding, limits=assignment.limits)
    return people


def known_codes(output: Path | None, people: People, *, anonymous: bool, release: bool) -> Codes | None:
    """The codes beside the marks, if they are wanted; what began anonymously stays so until released."""
    place = None if output is None else names_beside(output)
    if anonymous and release:
        raise UsageError("--anonymous or --release: one of them")
    if place is None:
        if anonymous or release:
            raise UsageError("codes are kept beside the marks; name a file for them with -o")
        return None
    if release and not place.exists():
        raise UsageError(f"there is no '{place}'; these marks were not made with --anonymous")
    if place.exists() and not (anonymous or release):
        raise UsageError(f"these marks are anonymous ('{place}'); say --anonymous again, or --release")
    return Codes(place, people) if anonymous or release else None


def known_hand_marks(
    assignment: Assignment, path: Path | None, people: People, codes: Codes | None
) -> HandMarks:
    """The marks in a file, if one was named; students go by any of their names, or by their code."""
    if path is None:
        return HandMarks()

    def student(name: str) -> str:
        return people.student(name if codes is None else codes.student(name))

    return read_hand_marks(path, assignment.placing, student, limits=assignment.limits)
