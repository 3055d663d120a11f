"""The report on a class: numbers from paper, in Markdown with its pictures and in LaTeX."""

import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from grading.classes import RIGHT, WRONG, graded, pile, problem
from grading.test_command import grade
from grading.test_summary import WITHOUT_EXP

from attnsolve.class_statistics import class_statistics
from attnsolve.rendering.class_report import render_class_report
from attnsolve.rendering.shares import rounded


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Ten people: S and Z are 2 and 1 marks, A is 2; one of two variants each."""
    problem(tmp_path)
    heads = [f"@ {n} {'KM'[n % 2]}\n" for n in range(10)]
    bodies = [RIGHT] * 5 + [WITHOUT_EXP] * 3 + ["s ok\n"] * 2
    (tmp_path / "pile.txt").write_text("".join(h + b for h, b in zip(heads, bodies, strict=True)))
    return tmp_path


def test_report_has_its_numbers_and_pictures(course: Path) -> None:
    done = grade(course, "two-keys.yaml", "pile.txt", "-o", "marks.csv", "--report", "report.md")
    assert (0, "") == (done.returncode, done.stderr)
    text = (course / "report.md").read_text()
    assert "10 graded. Marks of 5: " in text
    # Everybody has both marks for S.
    assert "| a.S (Scores: compare each query with each key) | 2 | 2 | 100 % | 0 | 0 | 10 | 0 |" in text
    assert "| without-exp | 3 | 30 % | a.A 3 | 1 | 2 |" in text  # 5, 6 and 7: M, K, M
    assert "| K | 5 |" in text and "| M | 5 |" in text
    for name in ("marks", "steps", "mistakes"):
        picture = course / f"report-{name}.svg"
        assert f"({picture.name})" in text
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    # The next run knows its own files, and replaces no others.
    again = grade(course, "two-keys.yaml", "pile.txt", "-o", "marks.csv", "--report", "report.md")
    assert 0 == again.returncode
    (course / "report.md").write_text("mine")
    refused = grade(course, "two-keys.yaml", "pile.txt", "-o", "marks.csv", "--report", "report.md")
    assert "'report.md' was changed since, or is not ours; --force overwrites it\n" == refused.stderr


@pytest.mark.parametrize("name", ["report.docx", "report.json", "report"])
def test_report_has_a_format(course: Path, name: str) -> None:
    done = grade(course, "two-keys.yaml", "pile.txt", "--report", name)
    assert (2, "") == (done.returncode, done.stdout)
    assert name in done.stderr


def test_report_in_latex_compiles(tmp_path: Path, needs: Callable[[str], str]) -> None:
    file = tmp_path / "pile.txt"
    file.write_text(pile("a", "b") + pile("c", answers=WRONG) + pile("d", answers=WITHOUT_EXP))
    reports = [one.report for one in graded(tmp_path, file).values() if one.report is not None]
    made = render_class_report(class_statistics("50 % & _more_", reports), to="latex")
    (tmp_path / "report.tex").write_text(made.text)
    command = [needs("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    assert 0 == subprocess.run(command, cwd=tmp_path, capture_output=True).returncode


@pytest.mark.parametrize(
    ("value", "shown"),
    [("1/2", "0.5"), ("1/3", "≈ 0.33"), ("2", "2"), ("1999/1000", "≈ 2.00"), ("-1/8", "≈ -0.13")],
)
def test_rounded_numbers_say_so(value: str, shown: str) -> None:
    assert shown == rounded(Fraction(value))


def test_nobody_is_a_class_too() -> None:
    assert "0 graded." in render_class_report(class_statistics("t", [])).text
