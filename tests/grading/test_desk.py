"""Lines are judged as they are typed."""

from pathlib import Path

from grading.classes import MISBEHAVING, problem

from attnsolve.grading.assignment import Assignment
from attnsolve.grading.desk import Desk


def said(folder: Path, *lines: str) -> list[str]:
    with Desk(Assignment(problem(folder)), command=MISBEHAVING) as desk:
        return [words.strip() for words in desk.judge(f"{line}\n" for line in lines)]


def test_each_line_gets_its_verdict_and_the_marks_so_far(tmp_path: Path) -> None:
    found = said(tmp_path, "@ 17", "s 1 2", "", "a .27 .73", "@ 18", "s 1 3", "a .12 .88")
    assert ["17: 0 of 5", "a.S right", "17: 2 of 5", "a.A right", "17: 4 of 5", "18: 0 of 5"] == found[:6]
    assert found[6].startswith("a.S[2] wrong")
    assert "(3; 2 is right)" in found[6]
    assert found[8].startswith("a.A follows")


def test_a_verdict_comes_before_the_next_line_is_asked_for(tmp_path: Path) -> None:
    typed: list[str] = []

    def lines():  # type: ignore[no-untyped-def]
        for line in ("@ 17\n", "s 1 2\n"):
            typed.append(line)
            yield line

    with Desk(Assignment(problem(tmp_path))) as desk:
        assert "  17: 0 of 5" == next(desk.judge(lines()))
    assert ["@ 17\n"] == typed


def test_what_is_not_read_is_told_with_its_line(tmp_path: Path) -> None:
    found = said(tmp_path, "@ 17", "nothing 1 2", "s 1 2")
    assert any(words.startswith("not read: line 2: nothing") for words in found)
    assert "17: 2 of 5" == found[-1]


def test_a_mark_by_hand_counts_at_once(tmp_path: Path) -> None:
    found = said(tmp_path, "@ 17", "s 1 3", 'mark s 2 "seen"')
    assert "17: 2 of 5" == found[-1]


def test_notes_and_marks_are_for_people(tmp_path: Path) -> None:
    found = said(tmp_path, "@ 17", "s 1 3", "mark s 1/3", "mark a.A 9")
    assert found[5].startswith("a.A not written. Marked by hand. 9 was given by hand, but 2 is the most")
    assert found[1].endswith(" is right). 1 of 2 numbers is off.")
    assert "17: ⅔ of 5" == found[4]
    assert found[-1].endswith(": 2⅔ of 5")


def test_a_line_that_kills_the_worker_is_left_out(tmp_path: Path) -> None:
    found = said(tmp_path, "@ die", "@ 18", "s 1 2")
    assert found[0].startswith("undecided (its worker crashed")
    assert ["18: 0 of 5", "a.S right", "18: 2 of 5"] == found[1:]
