"""Notebooks of variants: whose they are, cells that check, and no answers in the papers of a secret exam."""

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from exams.rooms import problem, roster, variants
from notebooks.test_notebooks import code, fill, run

from attnsolve.engine import solve
from attnsolve.loader import load


def papers(exam: Path, kind: str = "exams") -> list[Any]:
    return [nbformat.read(path, as_version=4) for path in sorted((exam / kind).glob("*.ipynb"))]


def test_every_student_has_a_paper_that_checks_itself_and_its_solution(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    students = roster(tmp_path, "17,Zoë <b>_x_</b>", "18,Ιωάννης")
    words = (problem(tmp_path), "--roster", students, "--seed", "3", "--to", "notebook")
    variants(tmp_path, *words, "-o", "exam")
    made = papers(tmp_path / "exam")
    assert ["Zoë", "Ιωάννης"] == sorted(
        name for one in made for name in ("Zoë", "Ιωάννης") if name in one.cells[0].source
    )
    assert not any("<b>" in one.cells[0].source for one in made)  # as it is typed, no markup
    for paper, solution in zip(made, papers(tmp_path / "exam", "solutions"), strict=True):
        variant = re.search(r"\((\w{4})\)", paper.cells[0].source)[1]  # type: ignore[index]
        assert f"({variant})" in solution.cells[0].source
        assert ["Nothing has been typed yet."] == run(code(paper))
        run(code(solution))  # and agrees with what it says
        weights = solve(load(tmp_path / "exam/problems" / f"{variant}.yaml")).value("a.A").decimals(2)
        typed = " ".join(cell.text for cell in weights[0])
        assert re.search(r"right", run(fill(paper, "answer-a", "a.A ", f"a.A {typed}"))[0])
    variants(tmp_path, *words, "-o", "again", "-j", "2")
    assert papers(tmp_path / "exam") == papers(tmp_path / "again")


def test_a_paper_of_a_secret_exam_has_no_answers_inside(tmp_path: Path) -> None:
    variants(tmp_path, "key", "exam.key")
    words = (problem(tmp_path), "-n", "1", "--to", "notebook", "-o", "exam")
    variants(tmp_path, *words, "--key", "exam.key")
    (first,) = papers(tmp_path / "exam")
    variants(tmp_path, *words, "--force")  # nothing is drawn, so that no key is asked for
    variants(tmp_path, "reprint", "exam", re.search(r"\((\w{4})\)", first.cells[0].source)[1])  # type: ignore[index]
    (again,) = papers(tmp_path / "exam")
    (reprinted,) = (tmp_path / "exam/reprints").glob("*-exam.ipynb")
    for one in (first, again, nbformat.read(reprinted, as_version=4)):
        text = json.dumps(one)
        assert "attnsolve" not in text and "base64" not in text
        run([cell for cell in code(one) if not cell.id.startswith("answer-")])
        answers = [cell.source for cell in one.cells if cell.id.startswith("answer-")]
        assert ['answers = """\na.A \na.Z \n"""'] == answers
