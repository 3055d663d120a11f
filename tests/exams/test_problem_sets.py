"""Exams from a sheet of several exercises: each varied by itself, one code, one manifest, one key."""

import csv
import json
import re
from pathlib import Path

import numpy
import pytest
from exams.rooms import PROBLEM, contents, locked, roster, variants, variants_apart
from grading.classes import rows
from grading.test_command import grade
from pictures import png
from rendering.programs import Needs, pdflatex

from attnsolve.engine import solve_asked
from attnsolve.exams.originals import read_original
from attnsolve.loader.asked import load_asked, loads_asked
from attnsolve.problem_set import ProblemSet, SolvedSet
from attnsolve.rendering import render

SHEET = """format: 1
title: Final exam
course: Deep Learning
term: winter
instructions: |
  Use $e^x$.

  Hurry.
exercises:
  - {file: two-keys.yaml, points: 10}
  - {file: below/words.yaml, title: 'Why: in words'}
  - problem:
      format: 1
      title: Scores alone
      given:
        q: 1 2   # a query
        K: 1 0; 0 1; 1 1
      parts:
        - ask: Which scores?
          attend: {queries: q, keys: K, divide_by: none}
          find: S
        - ask: >-
            Which weights,
            and why?
          attend: {queries: q, keys: K, divide_by: none}
          find: A
      vary: {q: -3..3, K: -3..3}
"""
WORDS = "---\nformat: 1\ntitle: Words\nparts: [{ask: A?, discuss: a, marks: 2}]\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    (folder / "below").mkdir()
    for name, text in (("two-keys.yaml", PROBLEM), ("below/words.yaml", WORDS), ("sheet.yaml", SHEET)):
        (folder / name).write_text(text, encoding="utf-8")
    people = roster(folder, *(f"s{number},Name {number}" for number in range(1, 5)))
    variants(folder, "sheet.yaml", "--roster", people, "--seed", "7", "--spares", "1", "-o", "exam")
    return folder


def kept(course: Path, student: str) -> SolvedSet:
    """The solution of the file that is kept for a student."""
    code = locked(course / "exam")[student]["code"]
    solved = solve_asked(load_asked(course / f"exam/problems/{code}.yaml"))
    assert isinstance(solved, SolvedSet)
    return solved


def test_the_sheet_is_kept_with_its_problems_in_it(course: Path) -> None:
    text = read_original(course / "sheet.yaml").text
    assert text == (course / "exam/problems/original.yaml").read_text()
    inside = loads_asked(text, name="sheet", folder="nowhere")
    outside = load_asked(course / "sheet.yaml")
    assert isinstance(inside, ProblemSet) and isinstance(outside, ProblemSet)
    assert ("Use $e^x$.\n\nHurry.", "Final exam") == (inside.instructions, inside.title)
    for sheet in ("exercise", "solution", "markscheme"):
        assert render(solve_asked(inside), sheet=sheet).text == render(solve_asked(outside), sheet=sheet).text
    assert text == read_original(course / "exam/problems/original.yaml").text  # and again


def test_everybody_has_own_numbers_in_every_exercise_that_varies(course: Path) -> None:
    texts = [(course / f"exam/{line['file']}").read_text() for line in manifest(course)]
    assert 5 == len(set(texts))
    for number in (1, 3):
        seen = {
            str(kept(course, f"s{n}").traces[number - 1].problem.givens["q"].value.texts())
            for n in range(1, 5)
        }
        assert len(seen) > 1
    assert all("vary:" not in text for text in texts)


def manifest(course: Path) -> list[dict[str, str]]:
    made: list[dict[str, str]] = json.loads((course / "exam/manifest.json").read_text())["variants"]
    return made


def test_points_and_titles_of_the_sheet_hold_for_papers(course: Path) -> None:
    asked = kept(course, "s1").problem
    assert [10, 2, 0] == [sum(part.total for part in one.problem.parts) for one in asked.exercises]
    assert "Why: in words" == asked.exercises[1].problem.title


def test_the_key_is_right(course: Path) -> None:
    """Every score on the key is the dot product of the printed numbers."""
    for line in locked(course / "exam").values():
        solved = solve_asked(load_asked(course / f"exam/problems/{line['code']}.yaml"))
        given = solved.traces[2].problem.givens
        q, K = (numpy.array([[int(x) for x in row] for row in given[name].value.texts()]) for name in "qK")
        assert [[float(x) for x in line["answers"]["3a.S"][0]]] == (q @ K.T).tolist()
        assert {"1.A", "1.Z", "3a.S", "3b.A"} >= set(line["answers"]) >= {"1.Z", "3a.S", "3b.A"}


def test_the_same_seed_gives_the_same_bytes(course: Path) -> None:
    words = (
        "sheet.yaml",
        "--roster",
        "students.csv",
        "--seed",
        "7",
        "--spares",
        "1",
        "-j",
        "2",
        "-o",
        "again",
    )
    variants_apart(course, *words, hash_seed="5")
    assert contents(course / "exam") == contents(course / "again")
    variants(course, "sheet.yaml", "-n", "2", "--seed", "8", "-o", "other")
    assert (course / "other/key.md").read_text() != (course / "exam/key.md").read_text()


def test_who_comes_late_changes_nobody_else(course: Path) -> None:
    variants(course, "sheet.yaml", "--roster", "students.csv", "--seed", "7", "-o", "late")
    before = {name: line["sha256"] for name, line in locked(course / "late").items()}
    more = roster(course, *(f"s{number},Name {number}" for number in range(1, 6)), name="more.csv")
    variants(course, "sheet.yaml", "--roster", more, "--seed", "7", "-o", "late")
    after = {name: line["sha256"] for name, line in locked(course / "late").items()}
    assert before.items() <= after.items()
    assert {"s5"} == set(after) - set(before)
    old = locked(course / "late")["s2"]["code"]
    assert f"s2: {old} is replaced by" in variants(course, "reissue", "late", "s2", "--seed", "7").stdout
    told = variants(course, "diff", "late", old, locked(course / "late")["s1"]["code"]).stdout
    assert ["Exercise 1", "Exercise 2", "Exercise 3"] == re.findall(r"^Exercise \d", told, re.M)
    assert "0 of 6 codes get another key" in variants(course, "affected", "late").stderr
    assert "0 of 6 codes get another key" in variants(course, "affected", "late", "sheet.yaml").stderr


def test_a_paper_says_once_how_precise_answers_must_be(course: Path) -> None:
    papers = (course / "exam" / "exams.tex").read_text("utf-8")
    assert 5 == papers.count("Give every number exactly, or rounded to 4 decimal places.")


def test_papers_have_the_sheet_on_their_title_page(course: Path) -> None:
    text = (course / "exam/exams.tex").read_text()
    assert 5 == text.count("Final exam") == text.count("Deep Learning, winter") == text.count("Hurry.")
    assert 5 == text.count(r"\section*{Exercise 2: Why: in words [2")
    assert 5 == text.count(r"\subsection*{3 (b)}")
    assert 1 == text.count(r"\documentclass")
    key = (course / "exam/key.md").read_text()
    assert " 1.Z |" in key and " 3b.A |" in key


@pytest.mark.parametrize("name", ["exams", "solutions", "key", "contacts"])
def test_pdflatex_prints_the_documents(course: Path, name: str, tmp_path: Path, needs: Needs) -> None:
    made = pdflatex((course / f"exam/{name}.tex").read_text(), tmp_path, needs)
    assert (0, [], []) == (made.code, made.complaints(), made.overfull())


def test_everybody_is_graded_by_his_own_numbers(course: Path) -> None:
    lines = []
    for student in ("s1", "s2", "s3"):
        lines.append(f"@ {student}")
        for exercise, trace in kept(course, student):
            for step in trace.steps:
                values = " ".join(cell.text for row in step.value.decimals(4) for cell in row)
                lines.append(f"{exercise.outer(step.call.out)} {values}")
    text = "\n".join(lines) + '\nmark 2 1 "half"\n'
    (course / "pile.txt").write_text(text)
    done = grade(course, "exam", "pile.txt", "-o", "marks.csv", "--slips", "slips")
    assert 0 == done.returncode, done.stderr
    marks = {row["student"]: row for row in rows((course / "marks.csv").read_text())}
    assert ["10", "10", "10"] == [marks[student]["exercise 1"] for student in ("s1", "s2", "s3")]
    assert ["", "", "1"] == [marks[student]["2"] for student in ("s1", "s2", "s3")]
    assert marks["s4"]["total"] == "" and "nothing handed in" in marks["s4"]["look at"]


def test_stress_draws_sheets(course: Path) -> None:
    record = json.loads(variants(course, "stress", "sheet.yaml", "-n", "3", "--json").stdout)
    assert (True, 3) == (record["ok"], record["variants"])


def test_a_sheet_in_which_nothing_varies_is_refused(course: Path) -> None:
    (course / "fixed.yaml").write_text("format: 1\ntitle: F\nexercises: [below/words.yaml]\n")
    said = variants(course, "fixed.yaml", "-n", "2", code=2).stderr
    assert "'fixed' has nothing that could vary; say under vary: of an exercise what may" in said


CAT = png()
FROM_FILE = PROBLEM.replace("K: 1 0; 0 1", "K: {file: X.csv}").replace("K: -2..2, ", "")


def test_exercises_have_data_in_folders_of_their_own(course: Path) -> None:
    """Two files of one name: scores are the dot products with the rows of the own one."""
    for place, rows_of_K in (("one", "1,2\n3,4\n"), ("two/deep", "5,6\n7,8\n")):
        (course / place).mkdir(parents=True)
        (course / place / "X.csv").write_text(rows_of_K)
        (course / place / "data.yaml").write_text(FROM_FILE)
    text = "format: 1\ntitle: F\nexercises: [one/data.yaml, two/deep/data.yaml]\n"
    (course / "far.yaml").write_text(text)
    variants(course, "far.yaml", "-n", "2", "-o", "far")
    assert "1,2\n3,4\n" == (course / "far/problems/one/X.csv").read_text()
    assert "5,6\n7,8\n" == (course / "far/problems/two/deep/X.csv").read_text()
    for line in json.loads((course / "far/lock.json").read_text())["variants"]:
        solved = solve_asked(load_asked(course / f"far/problems/{line['code']}.yaml"))
        for trace, K in zip(solved.traces, ([[1, 2], [3, 4]], [[5, 6], [7, 8]]), strict=True):
            q = [int(x) for x in trace.problem.givens["q"].value.texts()[0]]
            expected = [str(q[0] * a + q[1] * b) for a, b in K]
            assert expected == list(trace.value("a.S").texts()[0])
    before = contents(course / "far")
    (course / "one/X.csv").write_text("9,9\n9,9\n")  # what was drawn stays as it was
    again = variants(course, "far.yaml", "-n", "2", "-o", "far")
    assert "the problem was changed since far was drawn" in again.stderr
    assert before == contents(course / "far")
    assert "0 of 2 codes" in variants(course, "affected", "far").stderr
    record = json.loads(variants(course, "stress", "far.yaml", "-n", "2", "--json").stdout)
    assert record["ok"]


def test_figures_lie_in_folders_of_their_own(course: Path) -> None:
    (course / "figured").mkdir()
    (course / "figured/cat.png").write_bytes(CAT)
    text = PROBLEM.replace("given:", "intro: '![A cat](cat.png)'\ngiven:")
    (course / "figured/cat.yaml").write_text(text)
    sheet = "format: 1\ntitle: C\nexercises: [figured/cat.yaml, {}]\n"
    (course / "cats.yaml").write_text(sheet.format("two-keys.yaml"))
    variants(course, "cats.yaml", "-n", "1", "-o", "cats")
    kept, shown = (course / f"cats/{name}" for name in ("problems/figured/cat.png", "cat.png"))
    assert CAT == kept.read_bytes() == shown.read_bytes()
    assert "{cat.png}" in (course / "cats/exams.tex").read_text()
    (course / "cat.png").write_bytes(png(30, 30))
    (course / "cat.yaml").write_text(text)
    (course / "two.yaml").write_text(sheet.format("cat.yaml"))
    said = variants(course, "two.yaml", "-n", "1", "-o", "no", code=2).stderr
    assert "two exercises have different figures 'cat.png'; rename one of them" in said


def answers_of_all(course: Path, exam: str, *, factor: int = 1) -> str:
    """Right scores of exercise 3 for everybody, and the weights of the scores times a factor."""
    lines = []
    for student, line in locked(course / exam).items():
        solved = solve_asked(load_asked(course / f"{exam}/problems/{line['code']}.yaml"))
        given = solved.traces[2].problem.givens
        q, K = (numpy.array([[int(x) for x in row] for row in given[name].value.texts()]) for name in "qK")
        S = q @ K.T
        A = numpy.exp(factor * (S - S.max())) / numpy.exp(factor * (S - S.max())).sum()
        scores, weights = " ".join(map(str, S[0])), " ".join(f"{x:.4f}" for x in A[0])
        lines += [f"@ {student}", f"3a.S {scores}", f"3b.A {weights}"]
    return "\n".join(lines) + "\n"


def test_an_exam_is_judged_by_a_corrected_sheet(course: Path) -> None:
    """What was meant is the softmax of twice the dot products; everybody has that, and the key had not."""
    people = roster(course, "t1,A", "t2,B", name="few.csv")
    variants(course, "sheet.yaml", "--roster", people, "--seed", "7", "-o", "wrong")
    (course / "right.yaml").write_text(SHEET.replace("divide_by: none", "multiply_by: 2"))
    done = variants(course, "affected", "wrong", "right.yaml", "-o", "changes.csv")
    assert "2 of 2 codes get another key" in done.stderr
    changes = list(csv.DictReader((course / "changes.csv").read_text().splitlines()))
    assert {"3a.T", "3b.A"} >= {row["answer"].partition("[")[0] for row in changes} - {"3a.S"} != set()
    assert not any(row["answer"].startswith("1") for row in changes)
    (course / "right.txt").write_text(answers_of_all(course, "wrong", factor=2))
    marks = {}
    for name, more in (("printed", ()), ("corrected", ("--corrected", "right.yaml"))):
        done = grade(course, "wrong", "right.txt", "-o", f"{name}.csv", *more)
        assert done.returncode in (0, 4), done.stderr
        marks[name] = [row["first wrong"][:4] for row in rows((course / f"{name}.csv").read_text())]
    assert "2 of 2 codes have another key than was printed" in done.stdout
    assert {"printed": ["3b.A"] * 2, "corrected": [""] * 2} == marks


def test_other_points_of_a_corrected_sheet_hold(course: Path) -> None:
    (course / "richer.yaml").write_text(SHEET.replace("points: 10", "points: 20"))
    people = roster(course, "t1,A", "t2,B", name="few.csv")
    variants(course, "sheet.yaml", "--roster", people, "--seed", "7", "-o", "richer")
    (course / "some.txt").write_text(answers_of_all(course, "richer"))
    grade(course, "richer", "some.txt", "-o", "richer.csv", "--corrected", "richer.yaml")
    (first, second) = (row["possible"] for row in rows((course / "richer.csv").read_text()))
    grade(course, "richer", "some.txt", "-o", "poorer.csv")
    before = [float(row["possible"]) for row in rows((course / "poorer.csv").read_text())]
    assert [float(first), float(second)] == [possible + 10 for possible in before]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            SHEET.replace("  - {file: two-keys.yaml, points: 10}\n", ""),
            "'bad' has 2 exercises, and exam was drawn from 3; a corrected sheet keeps all exercises",
        ),
        (PROBLEM, "exam is an exam of a sheet; 'bad' is a problem"),
    ],
)
def test_what_is_no_correction_is_refused(course: Path, text: str, said: str) -> None:
    (course / "bad.yaml").write_text(text)
    assert said in variants(course, "affected", "exam", "bad.yaml", code=2).stderr
