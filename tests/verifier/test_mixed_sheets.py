"""A sheet with numbers, claims and letters: every format, and answers to each exercise in its own way."""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from attnsolve.cli import cli
from attnsolve.engine import solve_asked
from attnsolve.grading.slips import slip
from attnsolve.loader.asked import load_asked
from attnsolve.problem_set import SolvedSet
from attnsolve.rendering import render
from attnsolve.report import Report
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import verifier_of

PROBLEMS = Path(__file__).parents[2] / "problems"
NUMBERS = """
format: 1
title: Numbers
given: {q: 1 2, K: 1 0; 0 1, V: 2 0; 0 4}
parts: [{ask: Find the output., attend: {queries: q, keys: K, values: V, divide_by: none}}]
"""
SHEET = "format: 1\ntitle: Mixed\nexercises:\n  - numbers.yaml\n  - keys.yaml\n  - letters.yaml\n"
ANSWERS = """
1.S 1 2
Exercise 2
part a:
q*k_a = q*k_b = c
q*k_i = 0 for i != a, b      // by bilinearity
alpha_a = alpha_b
(b)
lim c->oo alpha_a = 1/2
part e:
1 true
claim 6: only if m = 2
3 (a)
s_1 = 1, s_2 = t, s_3 = 2
3b: t = ln(e(e+1)/3)
Exercise 3
part c:
alpha -> (0, 1, 1) as t -> oo
mark 3d.limit 1/2 "oral"
1.Z 0.5379 2.9242
"""
# By hand: 2 of 2 for the scores 1, 2 and all of exercise 1 for its output 2e/(e + e²), 4e²/(e + e²).
EARNED = {
    "1.S": 2, "1.A": 2, "1.Z": 2, "2a.scores": 2, "2b.limit": Fraction(1, 2), "2e.claim1": 1, "2e.claim6": 1,
    "3a.S": 1, "3b.solution": 1, "3c.limit": Fraction(4, 3), "3d.limit": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheet")
    (folder / "numbers.yaml").write_text(NUMBERS, encoding="utf-8")
    for name, bundled in (("keys", "two-keys-at-once"), ("letters", "unknown-in-a-key")):
        text = (PROBLEMS / "symbols" / f"{bundled}.yaml").read_text(encoding="utf-8")
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "sheet.yaml").write_text(SHEET, encoding="utf-8")
    return folder / "sheet.yaml"


@pytest.fixture(scope="module")
def solved(sheet: Path) -> SolvedSet:
    made = solve_asked(load_asked(sheet))
    assert isinstance(made, SolvedSet)
    return made


def verified(solved: SolvedSet, text: str) -> Report:
    return verifier_of(solved).verify(read_submission(text, claimed=lambda *_: solved.problem.claimed))


def test_each_exercise_is_judged_in_its_own_way(solved: SolvedSet) -> None:
    report = verified(solved, ANSWERS)
    assert not report.unread
    assert EARNED == {step.name: step.earned for step in report.steps if step.earned}
    assert "exercise 2, alpha_a = alpha_b states nothing" in str(report.remarks[-1])


def test_a_slip_has_all_of_them(solved: SolvedSet) -> None:
    text = str(slip(solved, verified(solved, ANSWERS), to="text"))
    for said in ("Part (2a), Scores: right", "α₃ = 0", "Exercise 3: 4⅓ of"):
        assert said in text


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "typst"])
@pytest.mark.parametrize("kind", ["exercise", "solution", "markscheme"])
def test_every_sheet_in_every_format(solved: SolvedSet, kind: str, form: str) -> None:
    page = render(solved, sheet=kind, to=form).text
    assert "alpha" in page or "α" in page
    assert "None" not in page and "Statement(" not in page


def test_what_cannot_be_read_says_in_which_exercise(solved: SolvedSet) -> None:
    report = verified(solved, "Exercise 2\npart a:\nwhat is this\npart z:\nalpha_a = 1\n")
    said = " ".join(map(str, report.unread))
    assert "exercise 2, line 3" in said and "there is no part z" in said


def test_a_class_has_a_column_for_every_part(sheet: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.txt").write_text(ANSWERS.replace("mark 3d", "# mark 3d"), encoding="utf-8")
    marks = tmp_path / "marks.csv"
    CliRunner().invoke(cli, ["grade", str(sheet), str(tmp_path / "in"), "-o", str(marks)])
    head, ada = marks.read_text(encoding="utf-8").splitlines()
    found = dict(zip(head.split(","), ada.split(","), strict=False))
    assert ("6", "2", "1", "1.3333") == tuple(found[name] for name in ("1", "2a", "3b", "3c"))
