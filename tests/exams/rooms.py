"""A small exercise, rosters, and the command that makes an exam of them, for the tests of exams."""

import io
import json
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from grading.classes import PROBLEM as ONE_FOR_ALL

from attnsolve.cli import main

ROOT = Path(__file__).parents[2]
PROBLEM = f"{ONE_FOR_ALL}vary: {{q: -2..2, K: -2..2, V: -4..4}}\n"


def problem(folder: Path, text: str = PROBLEM) -> Path:
    """The exercise as a file."""
    path = folder / "two-keys.yaml"
    path.write_text(text, encoding="utf-8")
    return path


class Ended(NamedTuple):
    """What a command printed."""

    stdout: str
    stderr: str


def variants(folder: Path, *words: str | Path, code: int = 0) -> Ended:
    """`attnsolve variants …` run in a folder, and seen to end as expected."""
    out, err = io.StringIO(), io.StringIO()
    arguments = ["attnsolve", "variants", *map(str, words)]
    with chdir(folder), redirect_stdout(out), redirect_stderr(err), patch("sys.argv", arguments):
        try:
            main()
        except SystemExit as end:
            assert (end.code or 0) == code, err.getvalue() + out.getvalue()
    assert "bug" not in err.getvalue()
    return Ended(out.getvalue(), err.getvalue())


def command(*words: str | Path) -> list[str]:
    """The same for a process of its own."""
    return [sys.executable, "-c", "from attnsolve.cli import main; main()", "variants", *map(str, words)]


def variants_apart(folder: Path, *words: str | Path, hash_seed: str = "0") -> None:
    """The same in a process of its own."""
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONHASHSEED": hash_seed}
    subprocess.run(command(*words), cwd=folder, env=environment, capture_output=True, check=True)


def roster(folder: Path, *lines: str, name: str = "students.csv") -> Path:
    """A roster with a heading."""
    path = folder / name
    path.write_text("\n".join(["student number,name", *lines, ""]), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def locked(folder: Path) -> dict[str, dict[str, Any]]:
    """The lines of the lock by their seat; the last issue of each."""
    return {line["seat"]: line for line in json.loads((folder / "lock.json").read_text("utf-8"))["variants"]}
