"""Who is who, by the columns of platforms."""

from pathlib import Path

import pytest
from grading.platforms import PEOPLE, table, worksheet

from attnsolve.errors import ProblemError
from attnsolve.grading.people import People, Person, found_columns, headings, person_in, read_people

TABLES = [
    (["Last name", "First name", "Email address"], ["Lovelace", "Ada", "ada@x"], "ada@x", "Ada Lovelace"),
    (["Nachname", "Vorname", "E-Mail-Adresse"], ["Lovelace", "Ada", "ada@x"], "ada@x", "Ada Lovelace"),
    (["First name", "Surname", "Username", "ID number"], ["Ada", "Love", "al", "77"], "77", "Ada Love"),
    (["Student", "ID", "SIS User ID", "SIS Login ID", "Section"], ["Ada", "9", "77", "al", "1"], "77", "Ada"),
    (["Identifier", "Full name", "Email address"], ["Participant 12", "Ada", "ada@x"], "ada@x", "Ada"),
    (["Identifier", "Status", "Grade"], ["Participant 12", "", ""], "12", ""),
    (["student", "S", "A"], ["17", "1", "2"], "17", ""),
    (["Name", "Antwort"], ["Ada", "s 1"], "Ada", "Ada"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "row", "student", "name"), TABLES)
def test_somebody_is_found_in_a_line(heading: list[str], row: list[str], student: str, name: str) -> None:
    person = person_in(row, found_columns(headings(heading)))
    assert person is not None
    assert (student, name) == (person.student, person.name)


def test_canvas_keeps_its_own_number() -> None:
    heading = headings(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sheet 3 (98)"])
    person = person_in(["Lovelace, Ada", "9", "77", "al", "Mon", ""], found_columns(heading))
    assert person is not None
    assert ("9", "77", "al", "Mon") == (person.canvas, person.number, person.login, person.section)


def test_a_line_of_averages_is_nobody() -> None:
    columns = found_columns(headings(["Last name", "First name", "Email address"]))
    assert person_in(["Overall average", "", ""], columns) is None


def test_what_is_known_from_two_places_is_joined() -> None:
    people = People()
    people.add(Person("77", "Ada Lovelace", number="77", email="ada@x"))
    assert "77" == people.add(Person("123456", "ada  lovelace", participant="123456")).student
    assert 1 == len(people.all)
    for name in ("77", "ADA@x", "Ada Lovelace", "123456"):
        assert "77" == people.student(name)
    assert "stranger" == people.student("stranger")


def test_two_of_one_name_are_two() -> None:
    people = People()
    for number in ("1", "2"):
        people.add(Person(number, "Ada Lovelace", number=number))
    assert ("1", "2") == tuple(person.student for person in people.all)
    assert "Ada Lovelace" == people.student("Ada Lovelace")  # which of them, nobody can tell
    assert "9" == people.add(Person("9", "Ada Lovelace", participant="9")).student


def test_tables_are_read(tmp_path: Path) -> None:
    people = People()
    read_people(worksheet(tmp_path), people)
    assert PEOPLE == [person.name for person in people.listed]
    canvas = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"],
        ["    Points Possible", "", "", "", ""],
    ]
    read_people(table(tmp_path / "canvas.csv", [*canvas, ["Ada Lovelace", "9", "s100", "al", ""]]), people)
    assert 5 == len(people.all)
    assert ("9", "123456") == (people.all[0].canvas, people.all[0].participant)


def test_a_table_of_nobody_is_refused(tmp_path: Path) -> None:
    file = table(tmp_path / "x.csv", [["colour", "size"], ["red", "3"]])
    with pytest.raises(
        ProblemError, match=r"x\.csv:1:1: no column says who somebody is: 'colour', 'size'; one must"
    ):
        read_people(file, People())
