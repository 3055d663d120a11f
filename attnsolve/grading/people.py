"""Who is in a class, as learning platforms know them: by number, login, address, name or participant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from attnsolve.errors import Fault, ProblemError
from attnsolve.exams.roster import FIRST, LAST, place_of
from attnsolve.exams.roster import NAMES as FULL
from attnsolve.exams.table_files import read_rows
from attnsolve.exams.tables import UNSEEN, shortened, without_unseen
from attnsolve.languages.joiners import JOINERS
from attnsolve.limits import LIMITS, Limits

# What keeps letters apart and is typed or not.
JOINING = dict.fromkeys(map(ord, JOINERS))
# Headings of the platforms, in lower case with single spaces, by what they hold; the first one counts.
NUMBERS = (
    *("id number", "student number", "student no", "student id", "studentid", "matriculation number"),
    *("matriculation", "matrikelnummer", "sis user id", "sis id", "número de id", "numéro d'identification"),
    *("número de identificação", "student"),
)
LOGINS = (
    "username",
    "user name",
    "sis login id",
    "login id",
    "login",
    "netid",
    "anmeldename",
    "benutzername",
)
EMAILS = ("email address", "email", "e-mail", "e-mail-adresse", "adresse de courriel", "dirección de correo")
PARTICIPANTS = ("identifier", "id", "teilnehmer/in")
CANVAS_IDS = ("id",)
SECTIONS = ("section",)
VARIANTS = ("variant", "code")
# Where a name leads that several people have.
SEVERAL = -1
PARTICIPANT = re.compile(r"\D*(\d+)")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody by all the names that a platform has; `student` is what the marks call him."""

    student: str
    name: str = ""
    number: str = ""
    login: str = ""
    email: str = ""
    participant: str = ""  # Moodle's number for somebody in one assignment
    canvas: str = ""
    section: str = ""
    folder: str = ""  # the folder that Moodle keeps his files in
    is_expected: bool = True  # whether he should hand something in

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that he may be called by."""
        return (self.student, self.number, self.login, self.email, self.participant, self.name)


class Columns(NamedTuple):
    """Which columns of a table say who somebody is; -1 for what is not there."""

    number: int = -1
    login: int = -1
    email: int = -1
    participant: int = -1
    canvas: int = -1
    section: int = -1
    names: tuple[int, ...] = ()

    @property
    def is_enough(self) -> bool:
        """Whether people can be told apart."""
        return max(self.number, self.login, self.email, self.participant) >= 0 or bool(self.names)


def key(words: str) -> str:
    """A name as it is compared: without capitals, accents in one form, single spaces."""
    plain = normalize("NFC", UNSEEN.sub("", words).translate(JOINING)).casefold()
    return or_same(words, " ".join(plain.split()))


def or_same(words: str, made: str) -> str:
    """What was made of a text; the text itself where it is the same, so that it is held once."""
    return words if made == words else made


def headings(cells: Sequence[str]) -> list[str]:
    """The headings of a table as they are compared."""
    return [key(cell.replace("_", " ")) for cell in cells]


def found_columns(words: Sequence[str]) -> Columns:
    """The columns of a platform's table."""
    is_worksheet, is_canvas = "identifier" in words, "sis login id" in words or "sis user id" in words
    first, last = place_of(words, FIRST), place_of(words, LAST)
    number = place_of(words, NUMBERS[:-1] if is_canvas else NUMBERS)
    full = next((words.index(word) for word in FULL if word in words and words.index(word) != number), None)
    halves = tuple(place for place in (first, last) if place is not None)
    found = {
        "number": number,
        "login": place_of(words, LOGINS),
        "email": place_of(words, EMAILS),
        "participant": place_of(words, PARTICIPANTS) if is_worksheet else None,
        "canvas": place_of(words, CANVAS_IDS) if is_canvas else None,
        "section": place_of(words, SECTIONS) if is_canvas else None,
    }
    places = {name: -1 if place is None else place for name, place in found.items()}
    return Columns(**places, names=halves if len(halves) == 2 or full is None else (full,))


def person_in(cells: Sequence[str], columns: Columns) -> Person | None:
    """Somebody in a line of a table; None where nobody is named, as in a line of averages."""

    def cell(place: int) -> str:
        typed = cells[place] if 0 <= place < len(cells) else ""
        return or_same(typed, " ".join(without_unseen(typed).split()))

    name = " ".join(filter(None, map(cell, columns.names)))
    number, login, email = cell(columns.number), cell(columns.login), cell(columns.email)
    found = PARTICIPANT.fullmatch(cell(columns.participant))
    participant = found[1] if found else ""
    halves = len(columns.names) == 2 and not all(map(cell, columns.names))
    has_ids = max(columns.number, columns.login, columns.email, columns.participant) >= 0
    if not (number or login or email or participant) and (has_ids or halves or not name):
        return None
    student = number or login or email or participant or name
    return Person(
        student, name, number, login, email, participant, cell(columns.canvas), cell(columns.section)
    )


@dataclass(slots=True)
class People:
    """Everybody that is known so far."""

    all: list[Person] = field(default_factory=list)
    heading: tuple[str, ...] = ()  # of the table they came from
    rows: list[tuple[str, ...]] = field(default_factory=list)  # and its lines, to be given back filled in
    order: list[int] = field(default_factory=list)  # whose line each of them is
    known: dict[str, int] = field(default_factory=dict)  # by everything somebody may be called

    def add(self, person: Person) -> Person:
        """Somebody, as he is known already if he is."""
        return self.all[self.placed(person)]

    def placed(self, person: Person) -> int:
        """Where somebody stands, who is known from now on if he was not."""
        place = self.place_of(*person.names[:-1])
        if place is None and person.name:
            place = self.place_of(person.name)
            if place is not None and not is_compatible(self.all[place], person):
                place = None  # two people of one name
        if place is None:
            self.all.append(person)
            place = len(self.all) - 1
        else:
            self.all[place] = joined(self.all[place], person)
        for name in filter(None, self.all[place].names):
            called = key(name)
            if self.known.setdefault(called, place) != place:
                self.known[called] = SEVERAL
        return place

    @property
    def listed(self) -> list[Person]:
        """Everybody in the order of the table they came from, as they are known now."""
        return [self.all[place] for place in self.order]

    def place_of(self, *names: str) -> int | None:
        """Where the first name leads that only one person has."""
        for name in filter(None, names):
            place = self.known.get(key(name), SEVERAL)
            if place != SEVERAL:
                return place
        return None

    def find(self, *names: str) -> Person | None:
        """The person whom one of the names means, if it means no other."""
        place = self.place_of(*names)
        return None if place is None else self.all[place]

    def student(self, name: str) -> str:
        """What the marks call somebody, by any of his names."""
        person = self.find(name)
        return name if person is None else person.student

    @property
    def names(self) -> dict[str, str]:
        """The name of everybody by what the marks call him, in small letters."""
        return {person.student.casefold(): person.name for person in self.all if person.name}


def is_compatible(one: Person, other: Person) -> bool:
    """Whether nothing that is known speaks against two being one person."""
    pairs = (
        (getattr(one, name), getattr(other, name)) for name in ("number", "login", "email", "participant")
    )
    return all(not mine or not yours or key(mine) == key(yours) for mine, yours in pairs)


def joined(one: Person, other: Person) -> Person:
    """What is known of somebody from two places; the first says what he is called."""
    fields = {name: getattr(one, name) or getattr(other, name) for name in Person.__dataclass_fields__}
    return Person(**fields)


def read_people(path: Path, people: People, *, encoding: str = "", limits: Limits = LIMITS) -> None:
    """Add everybody in a roster, a participants list, a grading worksheet or an exported gradebook."""
    lines = read_rows(path, encoding=encoding, limits=limits)
    columns = found_columns(headings(lines[0][1])) if lines else Columns()
    if not columns.is_enough:
        seen = ", ".join(f"'{shortened(cell.strip())}'" for cell in lines[0][1][:12]) if lines else "nothing"
        said = (
            f"no column says who somebody is: {seen}; one must be an ID number, a login or an email address"
        )
        raise ProblemError([Fault(str(path), 1, 1, "", said)])
    people.heading = tuple(lines[0][1])
    for person, cells in people_in((cells for _, cells in lines[1:]), columns):
        people.order.append(people.placed(person))
        people.rows.append(tuple(cells))


def people_in(rows: Iterable[Sequence[str]], columns: Columns) -> Iterator[tuple[Person, Sequence[str]]]:
    """Everybody in the lines of a table, each with his line; what Canvas says about points is nobody."""
    for cells in rows:
        person = person_in(cells, columns)
        if person is not None and cells[0].strip().lower() != "points possible":
            yield person, cells
