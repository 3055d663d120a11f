"""Who sits the exam: a table with a heading, as student offices and learning platforms write it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from attnsolve.errors import Fault, ProblemError
from attnsolve.exams.lock import Seat
from attnsolve.exams.table_files import read_rows
from attnsolve.exams.tables import UNSEEN, shortened, without_unseen
from attnsolve.limits import LIMITS, Limits

# The usual names of columns, in lower case with single spaces; the first that is there is taken.
NUMBERS = (
    "student number",
    "studentnumber",
    "student no",
    "student no.",
    "student id",
    "studentid",
    "id number",
    "matriculation number",
    "matriculation no",
    "matriculation",
    "matrikelnummer",
    "matrikelnr",
    "matrikel",
    "matr.-nr.",
    "matrnr",
    "sis user id",
    "sis id",
    "registration number",
    "número",
    "numero",
    "numéro",
    "nia",
    "number",
    "no",
    "nr",
    "id",
    "sis login id",
    "login id",
    "login",
    "username",
    "user name",
    "user",
    "netid",
    "email address",
    "email",
    "e-mail",
    "student",
)
NAMES = ("full name", "fullname", "student name", "display name", "name", "nom", "nombre", "nome", "student")
# Beside a column of one half of the name these mean the other half.
HALVES = ("name", "nom", "nombre", "nome")
FIRST = ("first name", "firstname", "given name", "forename", "vorname", "prénom", "prenom")
LAST = ("last name", "lastname", "surname", "family name", "nachname", "familienname", "apellidos", "cognome")
LONGEST_NUMBER, LONGEST_NAME = 64, 200
# What the tool itself calls variants that belong to nobody, or that were issued again.
RESERVED = re.compile(r"spare \d+|.* reissue \d+", re.IGNORECASE)


class Roster(NamedTuple):
    """Everybody in the order of the file, and what is worth saying about how it was read."""

    seats: tuple[Seat, ...]
    notes: tuple[str, ...]


class Columns(NamedTuple):
    """Which columns have what; a person's name may stand in two."""

    number: int
    names: tuple[int, ...]


def read_roster(path: Path, *, encoding: str = "", limits: Limits = LIMITS) -> Roster:
    """The roster in a file; all that is wrong with it is told at once, with lines."""
    name = str(path)
    lines = read_rows(path, encoding=encoding, limits=limits)
    if not lines:
        raise ProblemError([Fault(name, 1, 1, "", "the roster is empty; its first line names the columns")])
    (first, heading), rows = lines[0], lines[1:]
    columns = found_columns(heading, name, first)
    if len(rows) > limits.students:
        said = f"more than {limits.students} students; --limit students=N raises the limit"
        raise ProblemError([Fault(name, rows[limits.students][0], 1, "", said)])
    titles = [f"'{shortened(without_unseen(word).strip())}'" for word in heading]
    people = " and ".join(titles[place] for place in columns.names)
    notes = [
        f"{name}: students by {titles[columns.number]}, {f'names by {people}' if people else 'no names'}"
    ]
    seats = list(read_seats(rows, columns, name, notes))
    if not seats:
        raise ProblemError([Fault(name, first, 1, "", "there is a heading, but no student below it")])
    return Roster(tuple(seats), tuple(notes))


def found_columns(heading: Sequence[str], name: str, line: int) -> Columns:
    """The columns of a heading by their usual names."""
    words = [" ".join(without_unseen(word).lower().replace("_", " ").split()) for word in heading]
    number = place_of(words, NUMBERS)
    if number is None:
        seen = ", ".join(f"'{shortened(word)}'" for word in words[:12])
        said = f"no column is a student's number or login: {seen}; call it 'student number' or 'login'"
        raise ProblemError([Fault(name, line, 1, "", said)])
    first, last = place_of(words, FIRST), place_of(words, LAST)
    others = [word if place != number else "" for place, word in enumerate(words)]
    full = place_of(others, NAMES)
    if full is not None and words[full] in HALVES and (first is None) != (last is None):
        first, last = (full, last) if first is None else (first, full)
    parts = tuple(place for place in (first, last) if place is not None)
    return Columns(number, parts if len(parts) == 2 or full is None else (full,))


def place_of(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the first of the wanted words stands."""
    return next((words.index(word) for word in wanted if word in words), None)


def read_seats(
    rows: Sequence[tuple[int, list[str]]], columns: Columns, name: str, notes: list[str]
) -> Iterator[Seat]:
    """A seat for each line; one that stands there twice is left out, and said."""
    faults: list[Fault] = []
    seen: dict[str, tuple[int, Seat]] = {}
    for line, cells in rows:
        if cells[0].strip().lower() == "points possible":  # Canvas has it below its heading
            continue
        student, complaint = number_in(cells, columns.number)
        person = joined([named(cells, place) for place in columns.names])
        seat = Seat(student, student, person[:LONGEST_NAME])
        if not complaint and student.casefold() in seen:
            earlier, other = seen[student.casefold()]
            if other == seat:
                notes.append(f"{name}:{line}: '{student}' stands on line {earlier} already; taken once")
                continue
            complaint = f"'{student}' stands on line {earlier} already, with another name; delete one of them"
        if complaint:
            faults.append(Fault(name, line, 1, "", complaint))
            continue
        seen[student.casefold()] = line, seat
        yield seat
    if faults:
        raise ProblemError(faults)


def joined(halves: Sequence[str]) -> str:
    """First and last name in one; a half that the other half has already is not said twice."""
    words = [set(half.casefold().split()) for half in halves]
    kept = [h for h, own in zip(halves, words, strict=True) if h and not any(own < other for other in words)]
    return " ".join(kept)


def number_in(cells: Sequence[str], place: int) -> tuple[str, str]:
    """A student's number, and what is wrong with it."""
    number = normalize("NFC", cells[place]).strip() if place < len(cells) else ""
    if not number:
        return "", "this line has no student number; write one, or delete the line"
    if UNSEEN.search(number) or not number.isprintable():
        return (
            "",
            f"the student number {number[:LONGEST_NUMBER]!r} has characters that cannot be seen; retype it",
        )
    if len(number) > LONGEST_NUMBER:
        return "", f"a student number of {len(number)} characters; {LONGEST_NUMBER} are allowed"
    if RESERVED.fullmatch(number):
        return "", f"'{number}' is what attnsolve calls variants of its own; use another student number"
    return number, ""


def named(cells: Sequence[str], place: int) -> str:
    """A name on one line, without what cannot be seen."""
    return " ".join(without_unseen(normalize("NFC", cells[place])).split()) if place < len(cells) else ""
