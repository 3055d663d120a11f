"""Rosters as offices and platforms write them, and what is said about those that cannot be meant."""

from pathlib import Path

import pytest

from attnsolve.errors import ProblemError
from attnsolve.exams.roster import Roster, read_roster
from attnsolve.limits import Limits


def read(folder: Path, data: str | bytes, **limits: int) -> Roster:
    path = folder / "r.csv"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_roster(path, limits=Limits(**limits))


@pytest.mark.parametrize(
    ("text", "students", "names"),
    [
        ("student number,name\n17,Ada\n18,Bo\n", ["17", "18"], ["Ada", "Bo"]),
        ("\ufeffLogin;Name\nada;Ada\n", ["ada"], ["Ada"]),
        ("sep=;\nID;Name\n17;Ada\n", ["17"], ["Ada"]),
        ("id\tname\r\n17\tAda\r\n", ["17"], ["Ada"]),
        ("First name,Surname,ID number,Email address\nAda,Byron,17,a@b.c\n", ["17"], ["Ada Byron"]),
        ('Student,ID,SIS Login ID\n    Points Possible,,\n"Byron, Ada",17,ada\n', ["17"], ["Byron, Ada"]),
        ("student\n17\n\n  \n18\n", ["17", "18"], ["", ""]),
        ('id,name\n17,"Ada\nByron"\n18,"the ""Bo"""\n', ["17", "18"], ["Ada Byron", 'the "Bo"']),
        ("id,name\n017,Ada\n17,Bo\n", ["017", "17"], ["Ada", "Bo"]),
        ("name,id\nAda\u202e\u200b,17\n", ["17"], ["Ada"]),
        ("name,id\nعلی\u200cرضا,17\nA\u200cda,18\n", ["17", "18"], ["علی\u200cرضا", "Ada"]),
        ("Matrikelnummer;Vorname;Nachname\n17;Ada;Byron\n", ["17"], ["Ada Byron"]),
        ("Matrikel;Vorname;Nachname\n17;Ada;Byron\n", ["17"], ["Ada Byron"]),
        ("Name;Vorname;Matrikelnummer\nByron;Ada;17\n", ["17"], ["Ada Byron"]),
        (
            "Name;Vorname;Matrikelnummer\nAda Byron;Ada;17\nKim;Kim;18\n",
            ["17", "18"],
            ["Ada Byron", "Kim Kim"],
        ),
        ("nombre,apellidos,id\nAda,Byron,17\n", ["17"], ["Ada Byron"]),
        ("last_name,first_name,student_id\nByron,Ada,17\n", ["17"], ["Ada Byron"]),
        ("Surname,ID number\nByron,17\n", ["17"], ["Byron"]),
        ("Full name,Surname,ID number\nAda Byron,Byron,17\n", ["17"], ["Ada Byron"]),
    ],
)
def test_students_and_names_are_found(
    tmp_path: Path, text: str, students: list[str], names: list[str]
) -> None:
    seats = read(tmp_path, text).seats
    assert (students, names) == ([seat.student for seat in seats], [seat.name for seat in seats])


def test_columns_that_were_taken_are_said(tmp_path: Path) -> None:
    notes = read(tmp_path, "Student,ID\nAda,17\n").notes
    assert (f"{tmp_path}/r.csv: students by 'ID', names by 'Student'",) == notes


def test_the_same_line_twice_is_taken_once_and_said(tmp_path: Path) -> None:
    roster = read(tmp_path, "id,name\n17,Ada\n18,Bo\n17,Ada\n")
    assert ["17", "18"] == [seat.student for seat in roster.seats]
    assert "r.csv:4: '17' stands on line 2 already; taken once" in roster.notes[-1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("", "r.csv:1:1: the roster is empty"),
        ("id,name\n", "r.csv:1:1: there is a heading, but no student"),
        ("who,name\n17,Ada\n", "r.csv:1:1: no column is a student's number or login: 'who', 'name'; call it"),
        (f"{'9' * 3000},name\n17,Ada\n", f"login: '{'9' * 40}…', 'name'; call it"),
        ("id,name\n17,Ada\n\n17,Bo\n", "r.csv:4:1: '17' stands on line 2 already, with another name"),
        ("id,name\n17,Ada\n,Bo\n", "r.csv:3:1: this line has no student number"),
        ("id,name\n1\u202e7,Ada\n", "r.csv:2:1: the student number '1\\u202e7' has characters"),
        ("id,name\nspare 1,Ada\n", "r.csv:2:1: 'spare 1' is what attnsolve calls"),
        ("id,name\n17 reissue 2,Ada\n", "r.csv:2:1: '17 reissue 2' is what attnsolve calls"),
        (f"id\n{'9' * 65}\n", "r.csv:2:1: a student number of 65 characters"),
        ('id,name\n17,"Ada\n18,Bo\n', "r.csv:2:1: a quote that is not closed"),
        (b"id,name\n17,\xc4da\n", "r.csv:2:4: not UTF-8 (byte 0xC4)"),
        ("id\n1\n2\n3\n", "r.csv:4:1: more than 2 students"),
    ],
)
def test_faults_have_their_line(tmp_path: Path, data: str | bytes, said: str) -> None:
    with pytest.raises(ProblemError) as error:
        read(tmp_path, data, **({"students": 2} if "more than" in said else {}))
    assert said in str(error.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as error:
        read(tmp_path, "id,name\n,Ada\n17,Bo\n,Cy\n")
    assert [2, 4] == [fault.line for fault in error.value.faults]
