"""Long runs stay flat: processor time, peak memory and sizes of files for more and more of the same.

`python -m benchmarks.long_runs -o docs/long-runs.md` writes the page; with `--most 100000` it goes on to the
sizes for which attnsolve is made, which takes a while. Each run is a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PROBLEM = """\
format: 1
title: A small exam
given: {q: 1 2, K: '1 0; 0 1; 1 1', V: '2 0; 0 4; 1 1'}
parts:
  - ask: Find the weights and the output.
    attend: {queries: q, keys: K, values: V}
    find: [S, A, Z]
    marks: {scores: 1, weights: 2, output: 1}
vary: {q: -9..9, K: -9..9, V: -9..9}
"""
# Verifies answers one after the other in one process, each other than all before.
VERIFYING = """
import sys
from attnsolve.engine import solve
from attnsolve.loader import load
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

verifier = Verifier(solve(load("problem.yaml")))
for number in range(int(sys.argv[1])):
    verifier.verify(read_submission(f"S 1 2 3\\nA .{number % 997} .2 .{number:05}\\nZ 1 {number}"))
"""
ATTNSOLVE = (sys.executable, "-m", "attnsolve")


class LongRun(NamedTuple):
    """A command, what it needs in its folder for a size, and which sizes are measured."""

    what: str
    sizes: tuple[int, ...]
    prepare: Callable[[Path, int], None]
    command: Callable[[int], Sequence[str]]
    files: tuple[str, ...] = ()  # whose sizes are told


class Measured(NamedTuple):
    """What one run took."""

    seconds: float
    megabytes: float
    bytes: tuple[int, ...]


def hand_in(folder: Path, count: int) -> None:
    """A class in one file, everybody with other numbers."""
    people = (f"@ s{n}\nS 1 2 3\nA .{n % 997} .2 .{n:05}\nZ 1 {n % 89}\n" for n in range(count))
    (folder / "class.txt").write_text("".join(people), "utf-8")


def enrol(folder: Path, count: int) -> None:
    """A roster, of whom ten have handed something in."""
    lines = (f"{n},Student Number {n},s{n}@example.org\n" for n in range(count))
    (folder / "roster.csv").write_text("student,name,email\n" + "".join(lines), "utf-8")
    hand_in(folder, 10)


def papers(count: int) -> tuple[str, ...]:
    """An exam of so many papers."""
    return ("variants", "problem.yaml", "-n", str(count), "-o", "exam")


def nothing(folder: Path, count: int) -> None:
    """Nothing but the problem is needed."""


RUNS = (
    LongRun(
        "submissions, graded",
        (100, 1_000, 10_000),
        hand_in,
        lambda count: (*ATTNSOLVE, "grade", "problem.yaml", "class.txt", "-o", "marks.csv"),
        ("marks.csv", "marks.csv.journal"),
    ),
    LongRun(
        "variants, as an exam without solutions",
        (100, 1_000, 10_000),
        nothing,
        lambda count: (
            *(*ATTNSOLVE, *papers(count), "--solutions", "none"),
            *("--limit", f"students={max(count, 10_000)}"),
        ),
        ("exam/lock.json", "exam/manifest.json", "exam/exams.tex"),
    ),
    LongRun(
        "variants, as web pages of all papers, with solutions",
        (100, 1_000),
        nothing,
        lambda count: (*ATTNSOLVE, *papers(count), "--to", "html"),
        ("exam/exams.html", "exam/solutions.html"),
    ),
    LongRun(
        "variants, as PDFs of all papers by pdflatex, with solutions",
        (100, 1_000),
        nothing,
        lambda count: (
            *(*ATTNSOLVE, *papers(count), "--to", "pdf", "--engine", "pdflatex"),
            *("--limit", "tex_seconds=3600"),
        ),
        ("exam/exams.pdf", "exam/solutions.pdf"),
    ),
    LongRun(
        "variants, as PDFs of all papers by Typst, with solutions",
        (10, 100, 1_000),
        nothing,
        lambda count: (*ATTNSOLVE, *papers(count), "--to", "pdf"),
        ("exam/exams.pdf", "exam/solutions.pdf"),
    ),
    LongRun(
        "lines of a roster, ten of whom are graded",
        (1_000, 10_000, 100_000),
        enrol,
        lambda count: (
            *(*ATTNSOLVE, "grade", "problem.yaml", "class.txt", "-o", "marks.csv", "--roster", "roster.csv"),
            *("--limit", f"students={max(count, 10_000)}"),
        ),
        ("marks.csv", "marks.csv.journal"),
    ),
    LongRun(
        "distinct answers, verified in one process",
        (200, 2_000, 20_000, 40_000),
        nothing,
        lambda count: (sys.executable, "-c", VERIFYING, str(count)),
    ),
)


def measured(run: LongRun, count: int) -> Measured:
    """One run in a folder and a process of its own; its workers count too."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "problem.yaml").write_text(PROBLEM, "utf-8")
        run.prepare(folder, count)
        process = subprocess.Popen(
            run.command(count), cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stderr is not None
        said = process.stderr.read().decode()
        process.stderr.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1, 4):
            raise SystemExit(f"{run.what}: ended with {process.returncode}: {said[-2000:]}")
        sizes = tuple((folder / name).stat().st_size for name in run.files)
        return Measured(used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, sizes)


def rows(most: int) -> list[str]:
    """The lines of the table, each told as soon as it is known."""
    made = []
    for run in RUNS:
        for count in (size for size in run.sizes if size <= most):
            one = measured(run, count)
            files = "; ".join(
                f"`{name}` {size / 1e6:.2f} MB ({size / count:,.0f} bytes each)"
                for name, size in zip(run.files, one.bytes, strict=True)
            )
            took = f"{one.seconds:.1f} s | {1000 * one.seconds / count:.2f} ms | {one.megabytes:.0f} MB"
            made.append(f"| {run.what} | {count:,} | {took} | {files} |")
            print(made[-1], file=sys.stderr, flush=True)
    return made


PAGE = """\
# Long runs

Made by `python -m benchmarks.long_runs -o docs/long-runs.md --most {most}`: processor time (workers too),
the largest memory of one process, and sizes of files, on whatever machine it ran last. What counts is that
time and files grow no faster than the number, and that memory does not grow with papers that were written
and answers that were judged. Beside other programs processor time is longer; memory and files are the same.

| what | how many | processor time | for each | peak memory | files |
|---|--:|--:|--:|--:|---|
{rows}

What is remembered of answers has a bound, which is met after some 4,000. Of an exam twenty papers are held
at a time: they are written when they are drawn, into a file without a name in the exam's folder, and LaTeX,
Markdown and web pages of all papers are put together from it piece by piece. What grows, by about 1 kB a
variant, is what the lock and the key say of it, and as much again for the moment in which the key is put
together; of a roster, by 1 kB too, what is known of everybody.

A PDF is made by its engine. pdflatex keeps to a few pages. Typst holds a document whole, some 5 MB for a
paper with its solution of this small problem, and remembers it for the next one; so papers are printed in
parts of 300,000 characters, one after the other, each by a process that gives its memory back, and the
parts are joined as they come: the exam of 1,000 papers with their solutions took 6.4 GB before. Its two
processes together take some 100 MB more than the larger one. The key is one table, which Typst prints as a
whole: 300 kB a paper, which `variants` says from 2,000 papers on. `--each` holds one paper at a time.

With `--solutions one` or `--fresh` solutions beyond 500 are worked out again.
"""


def main() -> None:
    """Measure, and write or print the page."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, help="a file; printed if none is named")
    parser.add_argument("--most", type=int, default=2_000, help="no size beyond this")
    given = parser.parse_args()
    page = PAGE.format(most=given.most, rows="\n".join(rows(given.most)))
    if given.output is None:
        print(page, end="")
    else:
        given.output.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
