"""Linting: faults with their places, and what is not right about an answer key."""

from pathlib import Path

import pytest

from attnsolve.lint import Notice, check

# By hand: q·k = 0 and 1, so the weights are 1/(1 + e) = 0.2689414… and e/(1 + e) = 0.7310585…,
# and the output is (4 · 0.7310585…, 2 · 0.2689414…) = (2.9242343…, 0.5378828…).
PROBLEM = """\
format: 1
title: Two keys
given:
  q: 1 1
  K: 1 -1; 1 0
  V: 0 2; 4 0
parts:
  - ask: Find the weights.
    attend: {{queries: q, keys: K, values: V, divide_by: none}}
    published: {{{published}}}
"""


def linted(tmp_path: Path, published: str) -> list[Notice]:
    file = tmp_path / "sheet.yaml"
    file.write_text(PROBLEM.format(published=published), encoding="utf-8")
    return check(file)


RIGHT = (
    "A: 0.27 0.73",
    "A: 0.2689 0.7311",
    "A: 0.26894 0.73106",
    "A: 0.3 0.7",
    "A: 1/(1+exp(1)) 1/(1+exp(-1))",
    "'A[1, 1]': 0.269",
    "S: 0 1",
    "S: 0.0 1.00",
)


@pytest.mark.parametrize("published", RIGHT)
def test_a_right_key_is_passed_over(tmp_path: Path, published: str) -> None:
    assert [] == linted(tmp_path, published)


@pytest.mark.parametrize(
    ("published", "place", "said", "code"),
    [
        ("A: 0.26 0.73", "a.A[1, 1]", "0.26 is cut off; rounded it is 0.27", 0),
        ("A: 0.2689 0.7310", "a.A[1, 2]", "0.7310 is cut off; rounded it is 0.7311", 0),
        ("A: 0.28 0.73", "a.A[1, 1]", "0.28 is wrong; it should be 0.27", 1),
        ("A: 0.2689 0.7312", "a.A[1, 2]", "0.7312 is wrong; it should be 0.7311", 1),
        ("'A[1, 2]': 0.72", "a.A[1, 2]", "0.72 is wrong; it should be 0.73", 1),
        ("S: 1 1", "a.S[1, 1]", "1 is wrong; it should be 0", 1),
        ("Z: 2.92 0.53", "a.Z[1, 2]", "0.53 is cut off; rounded it is 0.54", 0),
        ("Z: 2.92 0.55", "a.Z[1, 2]", "0.55 is wrong; it should be 0.54", 1),
    ],
)
def test_a_key_that_is_not_right_is_told_where_it_stands(
    tmp_path: Path, published: str, place: str, said: str, code: int
) -> None:
    (notice,) = linted(tmp_path, published)
    assert said in notice.fault.message
    assert place == notice.fault.path
    assert code == notice.exit_code
    assert (str(tmp_path / "sheet.yaml"), 10) == (notice.fault.file, notice.fault.line)


def test_every_wrong_number_is_told(tmp_path: Path) -> None:
    found = linted(tmp_path, "A: 0.5 0.5, Z: 1 2")
    assert ["a.A[1, 1]", "a.A[1, 2]", "a.Z[1, 1]", "a.Z[1, 2]"] == [notice.fault.path for notice in found]


def test_a_record_has_what_programs_need(tmp_path: Path) -> None:
    (notice,) = linted(tmp_path, "'A[1, 1]': 0.5")
    record = notice.record()
    assert {"file", "line", "column", "path", "message", "code"} == set(record)
    assert "W101" == record["code"]
    assert (10, 28) == (record["line"], record["column"])


def test_faults_are_all_told_with_their_places(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("format: 2\ntitle: T\nplaces: many\nparts: []\nnosuch: 1\n", encoding="utf-8")
    found = check(file)
    assert [1, 3, 4, 5] == [notice.fault.line for notice in found]
    assert {("E301", 3)} == {(notice.code, notice.exit_code) for notice in found}


def test_a_key_is_judged_only_where_the_problem_can_be_solved(tmp_path: Path) -> None:
    """An answer key for a step that has no value: said once, with the file."""
    file = tmp_path / "undefined.yaml"
    text = PROBLEM.format(published="A: 1 0").replace("divide_by: none", "divide_by: none, weights: relu")
    file.write_text(text.replace("1 -1; 1 0", "-1 -1; -1 0"), encoding="utf-8")
    (notice,) = check(file)
    assert 0 != notice.exit_code
    assert "no score is above 0" in notice.fault.message
    assert str(file) == notice.fault.file
