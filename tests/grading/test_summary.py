"""What a class did, in counts; slips in files with safe names."""

from pathlib import Path

import pytest
from grading.classes import RIGHT, WRONG, graded, pile, problem, rows

from attnsolve.grading.assignment import Assignment
from attnsolve.grading.gradebook import gradebook
from attnsolve.grading.graded import Graded
from attnsolve.grading.outputs import write_all
from attnsolve.grading.slips import names, safe, slips
from attnsolve.grading.summary import lines, record, summarise

# Without the exponentials the weights are the scores over their sum: (1, 2)/3.
WITHOUT_EXP = "s 1 2\na .3333 .6667\nz .6667 2.6667\n"


def test_counts(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(pile("a", "b") + pile("c", "d", answers=WRONG) + pile("e", answers=WITHOUT_EXP) + "@ f\n")
    marks = [*graded(tmp_path, file).values(), Graded("x", "g", trouble="undecided (time limit 2 s)")]
    found = record(summarise(Assignment(problem(tmp_path)).trace().problem, marks))
    assert (6, [{"student": "g", "why": "undecided (time limit 2 s)"}]) == (
        found["graded"],
        found["undecided"],
    )
    assert {"right": 3, "wrong": 2, "not written": 1} == found["steps"]["a.S"]
    assert {"right": 2, "follows": 2, "mistake": 1, "not written": 1} == found["steps"]["a.A"]
    assert [{"mistake": "without-exp", "people": 1, "steps": {"a.A": 1}}] == found["mistakes"]
    assert {"cell": "a.S[2]", "count": 2} == found["cells"][0]
    text = "\n".join(lines(summarise(Assignment(problem(tmp_path)).trace().problem, marks)))
    assert text.startswith("6 graded, 1 not\nmarks of 5: median ")
    assert "    1  without-exp  (a.A)" in text and "    2  a.S[2]" in text


def test_marks_by_hand_are_counted_and_what_was_cut_is_told(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text('@ anna\ns 1 2\nmark a.A 7\nmark z 1 "oral"\n@ ben\nmark s 3/2\n@ cleo\nmark s 1/2\n')
    made = summarise(Assignment(problem(tmp_path)).trace().problem, list(graded(tmp_path, file).values()))
    assert [
        "marked by hand: 4 steps",
        "  anna, a.A: 7 was given by hand, but 2 is the most there is",
        "  ben, a.S: 3/2 × 2 was given by hand, but 2 is the most there is",
    ] == list(lines(made))[2:5]
    assert (4, 2) == (record(made)["by_hand"], len(record(made)["cut"]))


def test_marks_are_fractions_for_people_and_decimals_for_programs(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text("@ a\nmark s 1/4\n@ b\nmark s 1/3\n")  # of 2
    made = summarise(Assignment(problem(tmp_path)).trace().problem, list(graded(tmp_path, file).values()))
    assert "marks of 5: median 0.58, mean 0.58, from ½ to ⅔" == list(lines(made))[1]
    assert "0.5833" == record(made)["median"]


def test_nobody_is_a_class_too(tmp_path: Path) -> None:
    assert ["0 graded"] == list(lines(summarise(Assignment(problem(tmp_path)).trace().problem, [])))


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("1234567", "1234567"),
        ("../../etc/passwd", "etc-passwd"),
        ("Ada Lovelace", "ada-lovelace"),
        ("CON", "con-"),
        ("Žofie", "zofie"),
        ("张", "student"),
        ("a" * 200, "a" * 80),
        ("", "student"),
        (".hidden\0", "hidden"),
    ],
)
def test_file_names_are_safe(name: str, stem: str) -> None:
    assert stem == safe(name)


def test_no_slip_replaces_another() -> None:
    marks = [Graded("x", name) for name in ("Ada", "ada", "ADA!", "ada-2")]
    assert 4 == len(set(names(marks)))


@pytest.mark.parametrize(("to", "ending"), [("text", ".txt"), ("markdown", ".md"), ("latex", ".tex")])
def test_everybody_with_a_report_gets_a_slip(tmp_path: Path, to: str, ending: str) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(f"@ ../../up\n{RIGHT}" + pile("b", answers=WRONG))
    marks = [*graded(tmp_path, file).values(), Graded("x", "g", trouble="undecided")]
    folder = tmp_path / "slips"
    write_all(slips(Assignment(problem(tmp_path)), marks, folder, to=to))
    assert {f"up{ending}", f"b{ending}"} == {path.name for path in folder.iterdir()}
    assert "wrong" in (folder / f"b{ending}").read_text(encoding="utf-8")


def test_a_step_with_an_unread_place_is_counted_apart_and_told(tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(pile("a") + pile("b", answers="s 1 foo\n") + pile("c", answers="s 1 3\na .12 ?\n"))
    marks = graded(tmp_path, file)
    made = summarise(Assignment(problem(tmp_path)).trace().problem, list(marks.values()))
    assert {"right": 1, "right as far as read": 1, "wrong": 1} == made.steps["a.S"]
    assert {"right": 1, "follows as far as read": 1, "not written": 1} == made.steps["a.A"]
    assert [False, False, True] == [marks[name].is_complete for name in "bca"]
    table = rows(gradebook(Assignment(problem(tmp_path)).trace().problem, list(marks.values())))
    assert table[1]["look at"].startswith("a.S right as far as read: 'foo' was not read")
    assert "a.A follows as far as read: '?' was not read" in table[2]["look at"]
