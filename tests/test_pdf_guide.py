"""What docs/pdf.md shows works: every command of its first block, and its Python."""

import re
import shlex
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner
from grading.classes import pile

from attnsolve.cli import cli

pytest.importorskip("typst")
GUIDE = (Path(__file__).parents[1] / "docs" / "pdf.md").read_text(encoding="utf-8")
EXERCISE = """format: 1
title: One query
given: {K: 1 0; 0 1; 1 1, q: 1 2}
parts:
  - {ask: Find the weights., attend: {queries: q, keys: K}, marks: 4, plot: weights}
vary: {K: -3..3, q: -3..3}
"""
COMMANDS = re.findall(r"^attnsolve (.*?)\s*(?:#.*)?$", GUIDE.split("```")[1], re.MULTILINE)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has what the page names."""
    folder = tmp_path_factory.mktemp("course")
    for name in ("my-exercise", "a", "b", "problems/one", "problems/two"):
        file = folder / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(EXERCISE, encoding="utf-8")
    (folder / "students.csv").write_text("id,name\n1,Ada\n2,Ελένη\n", encoding="utf-8")
    (folder / "answers").mkdir()
    (folder / "answers" / "1.txt").write_text(pile("1", answers="a.A 0.2 0.3 0.5"), encoding="utf-8")
    with chdir(folder):
        assert 0 == CliRunner().invoke(cli, ["variants", "key", "exam.key"]).exit_code
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(command: str, course: Path, request: pytest.FixtureRequest) -> None:
    if "--engine" in command:
        request.getfixturevalue("needs")("pdflatex")
    with chdir(course):
        done = CliRunner().invoke(cli, [*shlex.split(command), "--force"])
    assert 0 == done.exit_code, done.output


def test_the_python_works(course: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    with chdir(course):
        exec(compile(code, "pdf.md", "exec"), {})  # noqa: S102 - our own page
        assert Path("page.pdf").read_bytes().startswith(b"%PDF-")
