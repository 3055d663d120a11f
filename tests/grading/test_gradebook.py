"""The marks table: what a spreadsheet must not run, and what a person must look at."""

from fractions import Fraction
from pathlib import Path

import pytest
from grading.classes import RIGHT, WRONG, graded, pile, problem, rows

from attnsolve.grading.assignment import Assignment
from attnsolve.grading.gradebook import decimal, gradebook, harmless
from attnsolve.grading.graded import Graded


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1+1", "'+1+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("  =1", "'  =1"),
        ("\u202e=1", "'=1"),
        ("＝1", "'＝1"),
        ("-0.5", "-0.5"),
        ("+12", "+12"),
        ("-1e5|cmd", "'-1e5|cmd"),
        ("Ada", "Ada"),
        ("", ""),
        ("a=b", "a=b"),
        ("Žofie 张", "Žofie 张"),
    ],
)
def test_no_cell_is_a_formula(cell: str, shown: str) -> None:
    assert shown == harmless(cell)


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        (Fraction(5), "5"),
        (Fraction(7, 2), "3.5"),
        (Fraction(5, 3), "1.6667"),
        (Fraction(0), "0"),
        (Fraction(10), "10"),
    ],
)
def test_marks_are_plain_numbers(marks: Fraction, shown: str) -> None:
    assert shown == decimal(marks)


def book(folder: Path, text: str, *, raw: bool = False) -> list[dict[str, str]]:
    file = folder / "pile.txt"
    file.write_text(text)
    marks = list(graded(folder, file).values())
    return rows(gradebook(Assignment(problem(folder)).trace().problem, marks, raw=raw))


def test_columns(tmp_path: Path) -> None:
    good, bad, unread = book(
        tmp_path,
        f"@ 17 K7\n{RIGHT}" + pile("18", answers=WRONG) + '@ 19\ns § §\nmark z 1 "seen"\n// left early\n',
    )
    assert ["student", "variant", "a", "total", "possible", "first wrong", "look at", "source"] == list(good)
    assert ("17", "K7", "5", "5", "5", "", "") == tuple(good.values())[:7]
    assert bad["first wrong"].startswith("a.S[2] ")
    assert "'§' was not read" in unread["look at"]
    assert "a.Z marked by hand: seen" in unread["look at"]
    assert "remark: left early" in unread["look at"]
    assert "1" == unread["total"]  # what cannot be read earns nothing yet, and is not wrong
    assert "" == unread["first wrong"]


def test_marks_that_were_cut_are_to_be_looked_at(tmp_path: Path) -> None:
    (row,) = book(tmp_path, "@ 17\nmark a.A 7\n")
    assert ("2", "a.A marked by hand; a.A: 7 was given by hand, but 2 is the most there is") == (
        row["total"],
        row["look at"],
    )


def test_names_from_the_students_are_harmless(tmp_path: Path) -> None:
    text = f'@ "=cmd|\'/c calc\'!A0" "+V"\n{RIGHT}'
    assert ("'=cmd|'/c calc'!A0", "'+V") == tuple(book(tmp_path, text)[0].values())[:2]
    assert ("=cmd|'/c calc'!A0", "+V") == tuple(book(tmp_path, text, raw=True)[0].values())[:2]


def test_whoever_hands_in_twice_is_looked_at(tmp_path: Path) -> None:
    marks = [
        Graded("x", "17", trouble="not read: so"),
        Graded("y", "17", trouble="not read: so"),
        Graded("z", "18"),
    ]
    found = rows(gradebook(Assignment(problem(tmp_path)).trace().problem, marks))
    assert [True, True, False] == ["handed in more than once" in row["look at"] for row in found]
    assert "" == found[0]["total"]


def test_marks_lost_for_digits_are_explained(tmp_path: Path) -> None:
    # 0.2689 0.7311 to one place, not two: 1/3 and 2/3, without exponentials, are .3 and .7 too.
    (found,) = book(tmp_path, "@ 17\ns 1 2\na .3 .7\n")
    assert ("3", "5", "too few digits: a.A") == (found["total"], found["possible"], found["look at"])


def test_marks_are_not_lost_for_digits_where_a_later_step_shows_it(tmp_path: Path) -> None:
    # 0.5379 2.9242 to one place: 1/3 and 2/3 would have led to .7 and 2.7, so they were not there.
    for written in ("a .3 .7\n", ""):
        (found,) = book(tmp_path, f"@ 17\ns 1 2\n{written}z .5 2.9\n")
        assert ("5", "5", "", "") == tuple(found.values())[3:7]


def test_script_without_its_head_is_seen_in_what_stands_twice(tmp_path: Path) -> None:
    first, second = book(tmp_path, f"@ 17\n{RIGHT}s 1 3\na .12 .88\n@ 18\ns ok ; s[2] 2\n")
    assert (
        "a.S written twice; the last one counts; a.A written twice; the last one counts" == first["look at"]
    )
    assert first["first wrong"].startswith("a.S[2] wrong")
    assert "" == second["look at"]


@pytest.mark.parametrize("text", ["PK\x03\x04\x00\x00\x08\x00\n\x00\x01", "I did not manage this\n"])
def test_what_nobody_can_read_has_no_marks(tmp_path: Path, text: str) -> None:
    (found,) = book(tmp_path, text)
    assert ("", "", "") == (found["a"], found["total"], found["possible"])
    assert found["look at"].startswith("not read: ")
    assert found["look at"].endswith("nothing else is there, so it was not graded")


@pytest.mark.parametrize(
    "more", ["s 1 2\n", 'mark z 1 "seen"\n', "a ? ?\n"], ids=["an answer", "a mark", "an illegible one"]
)
def test_what_can_be_read_in_part_is_graded(tmp_path: Path, more: str) -> None:
    (found,) = book(tmp_path, f"@ 17\nI did not manage this\n{more}")
    assert "5" == found["possible"]
    assert "not read" in found["look at"]


def test_blank_script_earns_nothing(tmp_path: Path) -> None:
    (found,) = book(tmp_path, "@ 17\n")
    assert ("0", "5", "") == (found["total"], found["possible"], found["look at"])


def test_total_by_hand_is_the_marks_of_its_part(tmp_path: Path) -> None:
    (row,) = book(tmp_path, f'@ 17\n{RIGHT}mark a 3 "late"\n')
    assert ("3", "3", "5", "a marked by hand: late") == (
        row["a"],
        row["total"],
        row["possible"],
        row["look at"],
    )
