"""A class that worked on a sheet of several exercises: columns for parts and for exercises."""

from pathlib import Path

import pytest
from grading.classes import rows
from grading.test_command import grade

SHEET = "format: 1\ntitle: Sheet 3\nexercises: [keys.yaml, {file: keys.yaml, parts: a, points: 10}]\n"
# One query and two keys: scores 1 and 0, all of the weight on the first; the output is its value.
KEYS = """format: 1
title: Two keys
given: {q: 1 0, K: 1 0; 0 1, V: 2 4; 6 8}
parts:
  - ask: Find the output.
    marks: {scores: 1, weights: 1, output: 2}
    attend: {queries: q, keys: K, values: V, divide_by: none, weights: argmax}
  - ask: Why?
    discuss: Because.
    marks: 3
"""
PILE = """@ 17
1a.S 1 0 ; 1a.A 1 0 ; 1a.Z 2 4
2.S 1 0 ; 2.A 1 0 ; 2.Z 2 4
mark 1b 2 "nearly"
@ 18
Exercise 1
S 1 0
Exercise 2
S 0 1
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for name, text in (("sheet.yaml", SHEET), ("keys.yaml", KEYS), ("pile.txt", PILE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_gradebook_has_parts_and_exercises(course: Path) -> None:
    done = grade(
        course, "sheet.yaml", "pile.txt", "-o", "marks.csv", "--slips", "slips", "--report", "class.md"
    )
    assert 0 == done.returncode, done.stderr
    first, second = rows((course / "marks.csv").read_text())
    columns = ["student", "variant", "1a", "1b", "2", "exercise 1", "exercise 2", "total", "possible"]
    assert columns == list(first)[: len(columns)]
    assert ["4", "2", "10", "6", "10", "16", "17"] == [first[name] for name in columns[2:]]
    assert ["1", "", "0", "", "0"] == [second[name] for name in ("1a", "1b", "2", "exercise 1", "exercise 2")]
    assert second["first wrong"].startswith("2.S[1]")
    assert "to be marked by hand: 1b" in second["look at"]
    assert "Exercise 2: 10 of 10" in (course / "slips" / "17.txt").read_text()
    assert "Sheet 3" in (course / "class.md").read_text()


def test_a_changed_exercise_is_graded_again(course: Path) -> None:
    grade(course, "sheet.yaml", "pile.txt", "-o", "marks.csv")
    (course / "keys.yaml").write_text(KEYS.replace("output: 2", "output: 4"), encoding="utf-8")
    done = grade(course, "sheet.yaml", "pile.txt", "-o", "marks.csv")
    assert "moved since the last time" in done.stdout
    assert "6" == rows((course / "marks.csv").read_text())[0]["1a"]


def test_marks_by_hand_are_for_parts_and_steps_of_exercises(course: Path) -> None:
    (course / "hand.txt").write_text('@ 18\nmark 2.Z 1/2 "seen"\nmark 1b 3\n', encoding="utf-8")
    done = grade(course, "sheet.yaml", "pile.txt", "-o", "marks.csv", "--overrides", "hand.txt")
    assert 0 == done.returncode, done.stderr
    second = rows((course / "marks.csv").read_text())[1]
    assert ["3", "2.5"] == [second[name] for name in ("1b", "2")]  # half of the 5 that 2 of 4 are of 10
    (course / "hand.txt").write_text("@ 18\nmark 3.Z 1\n", encoding="utf-8")
    done = grade(course, "sheet.yaml", "pile.txt", "--overrides", "hand.txt")
    assert "hand.txt:2:1: mark 3.Z: there is no exercise 3; there are 2" in done.stderr


def test_lines_are_judged_as_they_are_typed(course: Path) -> None:
    done = grade(course, "sheet.yaml", "--type", typed="@ 17\n2.S 1 0\n")
    assert "2.S right" in done.stdout
    assert "of 17" in done.stdout
