"""However Python is started, and whatever it finds around it: the same bytes, and not one complaint."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The commands one after the other in one process, which starts once; what they print goes to files.
PROGRAM = """
import contextlib, pathlib, sys
sys.path.insert(0, sys.argv[1])
from attnsolve.cli import main

for number, words in enumerate(map(str.split, sys.argv[2:])):
    sys.argv[1:] = words
    with open(f"said-{number}.txt", "w", encoding="utf-8") as said, contextlib.redirect_stdout(said):
        try:
            main()
        except SystemExit as ended:
            said.write(f"ended with {ended.code or 0}")
"""
COMMANDS = (
    "render problem.yaml -o page.md",
    "render problem.yaml -o page.tex --lang de",
    "render problem.yaml -o page.html",
    "verify problem.yaml answers/Ana.txt",
    "variants problem.yaml -n 2 --seed 3 -o exam",
    "grade problem.yaml answers -o marks.csv",
    "render nowhere.yaml -o page.md",
)
ENDED = (0, 0, 0, 1, 0, 0, 2)
PROBLEM = """\
format: 1
title: Größe der Gewichte α
given: {q: 1 2, K: 1 0; 0 1; 1 1, V: 2 0; 0 4; 1 1}
parts:
  - ask: Find the weights and the output, „genau“.
    attend: {queries: q, keys: K, values: V}
    marks: {scores: 1, weights: 2, output: 1}
    plot: weights
vary: {q: -3..3, K: -2..2, V: -4..4}
"""
# Without this, Python takes UTF-8 for a C locale after all.
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
SURROUNDINGS: dict[str, tuple[tuple[str, ...], Mapping[str, str]]] = {
    "no assertions": (("-O",), {}),
    "no docstrings": (("-OO",), {}),
    "isolated": (("-I",), {}),
    "warnings are errors": (("-W", "error"), {"PYTHONWARNINGS": "error"}),
    "a C locale": ((), ASCII),
    "no home": ((), {"HOME": "/dev/null/nowhere", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": ""}),
    "a terminal without letters or colours": ((), {"PYTHONIOENCODING": "ascii:strict", "TERM": "dumb"}),
}


def made(folder: Path, flags: tuple[str, ...], around: Mapping[str, str]) -> dict[str, bytes]:
    """Every file that the commands write, and what they say."""
    (folder / "answers").mkdir(parents=True)
    (folder / "problem.yaml").write_text(PROBLEM, "utf-8")
    (folder / "answers/Ana.txt").write_text("S 1 2 3\nA 0,1 0,2 0,7\n", "utf-8")
    (folder / "answers/Zoë Müller.txt").write_text("S 1 2 4\n", "utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", **around}
    command = [sys.executable, *flags, "-c", PROGRAM, str(ROOT), *COMMANDS]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True)
    assert 0 == done.returncode, done.stderr.decode(errors="replace")
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    found = (file for file in folder.rglob("*") if file.is_file() and "cache" not in str(file))
    return {os.fsencode(file.relative_to(folder)).decode(): file.read_bytes() for file in found}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return made(tmp_path_factory.mktemp("usual") / "room", (), {})


def test_the_commands_do_what_they_are_for(usual: dict[str, bytes]) -> None:
    said = [usual[f"said-{number}.txt"].decode() for number in range(len(COMMANDS))]
    assert [str(code) for code in ENDED] == [words.rpartition("ended with ")[2] for words in said]
    assert {"page.md", "page.tex", "page.html", "exam/lock.json", "marks.csv"} <= set(usual)


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_the_same_bytes_in_all_surroundings(name: str, usual: dict[str, bytes], tmp_path: Path) -> None:
    flags, around = SURROUNDINGS[name]
    found = made(tmp_path / "room", flags, around)
    assert [] == sorted(file for file in usual.keys() | found.keys() if usual.get(file) != found.get(file))
