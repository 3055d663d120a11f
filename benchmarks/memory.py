"""How much memory a class with a variant for everybody takes: `python -m benchmarks.memory -n 500`."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from random import Random

from attnsolve.exact import Rationals
from attnsolve.exact.masked import Masked
from attnsolve.grading.assignment import Assignment
from attnsolve.trace import Trace
from benchmarks.classes import PLACES, rounded, written

# The largest process of a run may have so many megabytes, however large the class is.
TARGET = 300
PROBLEM = "ist-practical-10"


def main() -> int:
    """0 if the run stayed below the target, else 1."""
    parser = ArgumentParser("python -m benchmarks.memory", description=__doc__)
    parser.add_argument("-n", type=int, default=500, help="how many variants, one for each student")
    parser.add_argument("--exam", type=Path, help="an exam that was drawn before")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exam = arguments.exam or drawn(folder / "exam", arguments.n)
        manifest = exam / "manifest.json"
        (folder / "pile.txt").write_text("".join(handed_in(Assignment(manifest))), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        attnsolve("grade", str(manifest), str(folder / "pile.txt"), "-o", str(folder / "marks.csv"))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    megabytes = peak / 1000
    drawing = " (or less: drawing took as much)" if peak == before else ""
    print(f"the largest process had {megabytes:.0f} MB{drawing}; the target is {TARGET} MB")
    return int(megabytes > TARGET)


def attnsolve(*words: str) -> None:
    """Run a command; wrong answers are no failure."""
    done = subprocess.run([sys.executable, "-m", "attnsolve", *words], stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 4):
        raise SystemExit(f"'attnsolve {words[0]}' failed")


def drawn(folder: Path, number: int) -> Path:
    """An exam with so many variants."""
    attnsolve("variants", PROBLEM, "-n", str(number), "--seed", "2026", "-o", str(folder))
    return folder


def handed_in(assignment: Assignment) -> Iterator[str]:
    """A script for every code, in which two of three steps are invented."""
    codes = [row["code"] for row in json.loads(assignment.path.read_text("utf-8"))["variants"]]
    for student, code in enumerate(codes):
        yield f"@ {1_000_000 + student} {code}\n" + "".join(invented(assignment.trace(code), Random(student)))


def invented(trace: Trace, chance: Random) -> Iterator[str]:
    """Every step to four places, most of them with numbers that no mistake explains."""
    for step in trace.steps:
        value = rounded(step.value, PLACES, "half_up")
        if chance.randrange(3) and isinstance(value, Rationals) and not isinstance(value, Masked):
            value = Rationals.of(
                [
                    [value.fraction(i, j) * chance.randrange(2, 20) / 10 for j in range(value.shape[1])]
                    for i in range(value.shape[0])
                ]
            ).rounded(PLACES, mode="half_up")
        yield f"{step.call.out} {written(value, step.value)}\n"


if __name__ == "__main__":
    sys.exit(main())
