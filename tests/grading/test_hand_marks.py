"""Marks by hand in a file of their own: read, kept across regrades, shown on slips."""

from pathlib import Path

import pytest
from grading.classes import RIGHT, WRONG, pile, problem, rows
from grading.platforms import assignment_zip, worksheet
from grading.test_command import grade

from attnsolve.errors import ProblemError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.hand_marks import HandMarks, read_hand_marks


def read(folder: Path, text: str) -> HandMarks:
    file = folder / "hand.txt"
    file.write_text(text, encoding="utf-8")
    placing = Assignment(problem(folder)).verifier().placing
    return read_hand_marks(file, lambda _: placing, lambda name: name)


def test_all_kinds_of_lines(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        '// for Sheet 3\n# private\n@ 17\nmark a.S 1/2 "method // clear" # own\n// come and see me\n'
        '@ "Ada Lovelace" // a remark\nmark z: 1\nappeal 2026-03-02 a.A 2 "the lecture\'s notation"\nseen\n'
        "@ 17\nappeal 2026-03-03 a.Z kept read twice\n",
    )
    first, second = found.of("17"), found.of("ada  LOVELACE")
    assert first is not None and second is not None
    assert [("a.S", "1/2", "method // clear"), ("a.Z", "", "appeal of 2026-03-03: read twice")] == [
        (mark.name, mark.marks, mark.told) for mark in first.marks
    ]
    assert (("come and see me",), False, 3) == (first.remarks, first.is_seen, first.line)
    assert [("z", "1", ""), ("a.A", "2", "appeal of 2026-03-02: the lecture's notation")] == [
        (mark.name, mark.marks, mark.told) for mark in second.marks
    ]
    assert second.is_seen
    assert found.of("nobody") is None
    again = HandMarks.restored(found.record())
    assert (first.key, second) == (again.key("17"), again.of("Ada Lovelace"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mark a.S 1\n", "hand.txt:1:1: 'mark a.S 1' is said of nobody; write @ and the student above it"),
        ("@\nmark a.S 1\n", "hand.txt:1:1: nobody is named after the @; write @ 1234567"),
        (
            "@ Ada Lovelace\n",
            "hand.txt:1:1: 'Lovelace' is too much; a name of two words is @ \"Ada Lovelace\"",
        ),
        ("@ 17\nmark a.S 1\nmark s 2\n", "hand.txt:3:1: a.S of 17 was marked on line 2 already; delete one"),
        (
            "@ 17\nmark a.S 1\n@ 18\n@ 17\nmark scores 2\n",
            "hand.txt:5:1: a.S of 17 was marked on line 2 already",
        ),
        (
            "@ 17\nappeal 2026-03-02 s 1\nappeal 2026-03-02 s 2\n",
            "hand.txt:3:1: a.S of 17 was marked on line 2",
        ),
        ("@ 17\nmark a 4\nmark s 2\n", "hand.txt:3:1: the total of part a of 17 on line 2 stands above a.S"),
        ("@ 17\nmark q.X 1\n", "hand.txt:2:1: mark q.X: there is no step of this name; the steps are "),
        ("@ 17\nappeal 2026-02-30 a.S 1\n", "hand.txt:2:1: '2026-02-30' is no date; write it as 2026-03-02"),
        ("@ 17\nappeal tomorrow a.S 1\n", "hand.txt:2:1: 'tomorrow' is no date"),
        ("@ 17\nmark a.S all\n", "hand.txt:2:1: 'mark a.S all' is not understood; write mark a.A 1/2"),
        ("@ 17\nmark a.S 1/0\n", "hand.txt:2:1: mark a.S: '1/0' is no mark"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(tmp_path, text)
    assert f"{tmp_path}/{said}" in str(caught.value)


def test_an_appeal_stands_above_what_was_given_before(tmp_path: Path) -> None:
    work = read(tmp_path, "@ 17\nmark s 1\nappeal 2026-03-02 s 3/2\nappeal 2026-03-09 a.S 2\n").of("17")
    assert work is not None
    assert [("2", "2026-03-09")] == [(mark.marks, mark.appealed) for mark in work.marks]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    (tmp_path / "pile.txt").write_text(pile("17") + pile("18", answers=f"{WRONG}mark z 0\n"))
    return tmp_path


WORDS = ("two-keys.yaml", "pile.txt", "-o", "marks.csv", "--slips", "slips", "--overrides", "hand.txt")


def test_marks_are_kept_across_regrades_and_stand_on_slips(course: Path) -> None:
    (course / "hand.txt").write_text('@ 18\nmark a.S 2 "the 3 is a 2"\nmark z 1 "yes"\n// see page 2\n')
    assert 0 == grade(course, *WORDS).returncode
    _, second = rows((course / "marks.csv").read_text())
    assert ("5", True) == (second["total"], "a.S marked by hand: the 3 is a 2" in second["look at"])
    slip = (course / "slips/18.txt").read_text()
    assert "Marked by hand: the 3 is a 2." in slip and "// see page 2" in slip
    # Something else changes: the marks by hand stay.
    file = course / "two-keys.yaml"
    file.write_text(file.read_text().replace("weights: 2", "weights: 3"))
    done = grade(course, *WORDS)
    assert "18: 5 -> 6 (a.A 2 of 2 -> 3 of 3)" in done.stdout
    # They change: only he is judged again, and his move is told.
    (course / "hand.txt").write_text('@ 18\nmark a.S 1 "no, it is a 3"\nmark z 1 "yes"\n')
    done = grade(course, *WORDS)
    assert "moved since the last time: 1\n  18: 6 -> 5 (a.S 2 of 2 -> 1 of 2)\n" in done.stdout


def test_marks_without_work_are_told(course: Path) -> None:
    (course / "hand.txt").write_text("@ 17\nmark s 1\n@ 19\nmark s 1\n@ 170\nmark s 1\n")
    (course / "roster.csv").write_text("student id,name\n17,A\n18,B\n19,C\n")
    done = grade(course, *WORDS, "--roster", "roster.csv")
    assert 4 == done.returncode
    assert [
        "hand.txt:3:1: 19 handed in nothing; these marks have no place",
        "hand.txt:5:1: nobody is called '170'; did you mean '17'?",
        "1 of the roster handed in nothing; their lines in the marks are empty",
    ] == done.stderr.splitlines()


def test_what_only_a_person_can_read_has_the_marks_of_a_person(tmp_path: Path) -> None:
    problem(tmp_path)
    worksheet(tmp_path)
    name = assignment_zip(tmp_path, {"2/scan.pdf": b"%PDF", "0/a.txt": f"{RIGHT}what is this\n"}).name
    (tmp_path / "hand.txt").write_text('@ "Cy D Effect"\nmark s 2\nmark weights 1/2\n@ s100\nseen\n')
    words = ("--roster", "worksheet.csv", "--overrides", "hand.txt", "-o", "marks.csv", "--moodle", "up.csv")
    done = grade(tmp_path, "two-keys.yaml", name, *words)
    assert (0, "3 of the roster handed in nothing; their lines in the marks are empty\n") == (
        done.returncode,
        done.stderr,
    )
    marks = {row["student"]: row for row in rows((tmp_path / "marks.csv").read_text())}
    assert ("3", "5") == (marks["s102"]["total"], marks["s100"]["total"])
    assert "remark: not read: scan.pdf" in marks["s102"]["look at"]
    grades = {row["Identifier"]: row["Grade"] for row in rows((tmp_path / "up.csv").read_text())}
    assert ("5", "3") == (grades["Participant 123456"], grades["Participant 123458"])
