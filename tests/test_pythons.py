"""Which Pythons of a machine count for `make test-pythons`."""

import sys
from pathlib import Path

import pytest

from tools import pythons

HERE = "{}.{}".format(*sys.version_info)


@pytest.mark.parametrize(
    ("script", "counts"),
    [
        (f'exec "{sys.executable}" "$@"', True),
        ("echo \'pyenv: the command exists in these Python versions\' >&2; exit 127", False),
        ("echo 2.7", False),  # what answers is another one
    ],
)
def test_a_name_counts_only_if_that_python_answers(script: str, counts: bool, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    python.chmod(0o755)
    assert counts is pythons.works(str(python), HERE)


def test_the_newest_that_pyenv_keeps_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("3.12.9", "3.12.10"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin/python").touch()
    monkeypatch.setattr(pythons, "KEPT_BY_PYENV", tmp_path)
    assert str(tmp_path / "3.12.10/bin/python") == next(pythons.candidates("3.12"))
