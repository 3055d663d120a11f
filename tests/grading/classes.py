"""A small exercise and answers to it, for the tests of a class."""

import csv
import sys
from pathlib import Path

from attnsolve.grading.assignment import Assignment
from attnsolve.grading.graded import Graded
from attnsolve.grading.session import Session
from attnsolve.grading.sources import gather
from attnsolve.limits import LIMITS, Limits

PROBLEM = """\
format: 1
title: Two keys
places: 2
given: {q: 1 2, K: 1 0; 0 1, V: 2 0; 0 4}
parts:
  - id: a
    ask: Find the weights and the output.
    attend: {queries: q, keys: K, values: V, divide_by: none}
    marks: {scores: 2, weights: 2, output: 1}
"""
# S = (1, 2), A = (e, e²)/(e + e²) = (0.2689, 0.7311), Z = (0.5379, 2.9242)
RIGHT = "s 1 2\na .27 .73\nz .54 2.92\n"
WRONG = "s 1 3\na .12 .88\nz .24 3.52\n"  # q·k₂ is 2; the rest follows from the 3
MISBEHAVING = (sys.executable, str(Path(__file__).with_name("misbehaving_marker.py")))


def problem(folder: Path, text: str = PROBLEM) -> Path:
    """The exercise as a file."""
    path = folder / "two-keys.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def pile(*students: str, answers: str = RIGHT) -> str:
    """A compact pile in which everybody has the same."""
    return "".join(f"@ {student}\n{answers}" for student in students)


def graded(
    folder: Path, *places: Path, misbehaving: bool = False, limits: Limits = LIMITS, jobs: int = 1
) -> dict[str, Graded]:
    """What becomes of everybody in some places."""
    assignment = Assignment(problem(folder), limits)
    more = {"command": MISBEHAVING} if misbehaving else {}
    session = Session(assignment, gather(places, limits=limits), None, jobs=jobs, **more)
    assert len(session.pieces) == len(list(session.run()))
    return {one.student: one for one in session.marks}


def rows(text: str) -> list[dict[str, str]]:
    """A gradebook taken apart."""
    return list(csv.DictReader(text.splitlines()))
