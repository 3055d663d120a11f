"""How much memory each of our methods takes at most: a process of its own for each, without any rival."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
BATCH, LARGE, STUDENTS = 8, 128, 125


def solve_one() -> object:
    """One exact solve."""
    from benchmarks import variants, with_attnsolve

    return with_attnsolve.solve(variants.draw(1))


def write_matrices() -> object:
    """A page with every matrix."""
    from benchmarks import variants, with_attnsolve

    return with_attnsolve.matrices_page(variants.draw(1))


def write_page() -> object:
    """A page with the usual detail."""
    from benchmarks import variants, with_attnsolve

    return with_attnsolve.full_page(variants.draw(1))


def draw_variants() -> object:
    """Some variants of Q1.3, written."""
    from benchmarks import variants, with_attnsolve

    return [with_attnsolve.page_of(variants.drawer().draw(str(number)).trace) for number in range(BATCH)]


def make_exams() -> object:
    """Some complete exams of all of Q1."""
    from attnsolve.batch import find
    from attnsolve.variants import Blueprint, Drawer, key_of_seed
    from benchmarks import with_attnsolve

    sheet = Drawer(Blueprint.read(find("ist-practical-10")), key_of_seed(2026))
    return [with_attnsolve.exam_of(sheet.draw(str(number)).trace) for number in range(BATCH)]


def solve_large() -> object:
    """Many tokens."""
    from benchmarks import variants, with_attnsolve

    return with_attnsolve.solve(variants.draw(1, tokens=LARGE))


def grade_class() -> object:
    """A class, read and judged."""
    from benchmarks.growth import grading

    return grading(STUDENTS)()


def call(*words: str) -> Callable[[], object]:
    """A command."""

    def called() -> object:
        from attnsolve.cli import main

        with redirect_stdout(StringIO()), patch("sys.argv", ["attnsolve", *words]):
            try:
                main()
            except SystemExit as end:
                return end.code

    return called


# By the first words of the rows that they belong to.
METHODS: dict[str, Callable[[], object]] = {
    "exact solve": solve_one,
    "LaTeX page, matrices": write_matrices,
    "LaTeX page, default": write_page,
    "8 variants of Q1.3": draw_variants,
    "8": make_exams,
    "solve with": solve_large,
    "125 students": grade_class,
    "attnsolve --help": call("--help"),
    "attnsolve render": call("render", "ist-practical-10"),
}


def peak_of(what: str) -> float | None:
    """The megabytes of the method that a row is about, if it is measured."""
    name = next((name for name in METHODS if what.startswith(name)), None)
    return None if name is None else measured(name)


@cache
def measured(name: str) -> float:
    """What a process takes that carries out one method."""
    command = [sys.executable, "-m", "benchmarks.peaks", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def peak() -> float:
    """The megabytes that this process has had at most; what `getrusage` tells is at least its parent's."""
    status = Path("/proc/self/status").read_text("ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    METHODS[sys.argv[1]]()
    print(peak())
