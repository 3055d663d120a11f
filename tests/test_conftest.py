"""The switch ATTNSOLVE_NO_SKIPS: with it a skip is a failure, in a run and at collection."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

IN_A_RUN = """
import pytest

def test_skips():
    pytest.skip("for no reason")

@pytest.mark.skip(reason="for no reason")
def test_is_marked(): pass

def test_needs_a_program(needs, monkeypatch):
    monkeypatch.setenv("PATH", "")
    needs("pdflatex")

@pytest.mark.xfail
def test_is_expected_to_fail(): assert False
"""
AT_COLLECTION = "import pytest\npytest.importorskip('no_such_module')"


def run(source: str, folder: Path, *, no_skips: str) -> str:
    """What pytest prints about one test file that lies beside a copy of our conftest."""
    (folder / "conftest.py").write_text(Path(__file__).with_name("conftest.py").read_text())
    (folder / "test_sample.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "-p", "no:xdist"]
    environment = {**os.environ, "ATTNSOLVE_NO_SKIPS": no_skips}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("source", "no_skips", "closing_line"),
    [
        (IN_A_RUN, "0", " 3 skipped, 1 xfailed in "),
        (IN_A_RUN, "1", " 2 failed, 1 xfailed, 1 error in "),
        (AT_COLLECTION, "1", " 1 error in "),
    ],
    ids=["skips are fine without it", "it fails skips", "it fails skips at collection"],
)
def test_switch(source: str, no_skips: str, closing_line: str, tmp_path: Path) -> None:
    output = run(source, tmp_path, no_skips=no_skips)
    assert closing_line in output
    assert (no_skips == "1") == ("ATTNSOLVE_NO_SKIPS=1 allows no skips" in output)
    assert (source == IN_A_RUN) == ("apt install texlive-latex-recommended" in output)
