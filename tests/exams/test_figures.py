"""An exam whose questions have figures keeps them, and puts them beside its papers."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from pictures import png

from attnsolve.cli import cli

FILE = """format: 1
title: A figure
given: {q: 1 2, K: 1 0; 0 1; 2 1}
parts:
  - id: a
    ask: |
      What does $q$ get?

      ![A box](figures/box.png)
    attend: {queries: q, keys: K}
    note: |
      ![The answer](answer.png)
vary: {q: -3..3, K: -3..3}
"""


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ([], {"answer.png", "figures/box.png"}),
        (["--each"], {"exams/figures/box.png", "solutions/answer.png", "solutions/figures/box.png"}),
    ],
)
def test_figures_lie_beside_the_papers(option: list[str], expected: set[str], tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "box.png").write_bytes(png())
    (tmp_path / "answer.png").write_bytes(png(30, 30))
    (tmp_path / "problem.yaml").write_text(FILE, encoding="utf-8")
    exam = tmp_path / "exam"
    arguments = ["variants", str(tmp_path / "problem.yaml"), "-n", "1", "-o", str(exam), *option]
    done = CliRunner().invoke(cli, arguments)
    assert 0 == done.exit_code, done.output
    kept = {"problems/answer.png", "problems/figures/box.png"}
    found = {path.relative_to(exam).as_posix() for path in exam.rglob("*.png")}
    assert expected | kept == found
