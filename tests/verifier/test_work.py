"""What judging costs, in function calls, which are the same on every machine: no script hangs a class."""

from cProfile import Profile
from itertools import islice
from pstats import Stats
from random import Random

from attnsolve import load
from attnsolve.engine import solve
from attnsolve.trace import Trace
from attnsolve.verifier.reading import read_submissions
from attnsolve.verifier.verification import Verifier
from benchmarks.classes import hand_in

# About a third more than they took when this was written: 8,000 in so small a class, and 52,000.
MOST_FOR_A_STUDENT, MOST_FOR_A_WRONG_ONE = 10_500, 70_000
KNOWN, NEW = 40, 20


def calls(verifier: Verifier, scripts: list[str]) -> float:
    """How many functions are called to read and judge a script, on average."""
    with Profile() as profile:
        for submission in read_submissions("".join(scripts), form="compact"):
            verifier.verify(submission)
    total: int = Stats(profile).total_calls  # type: ignore[attr-defined]
    return total / len(scripts)


def all_wrong(trace: Trace, student: int) -> str:
    """A script of which every number is invented."""
    chance, lines = Random(student), [f"@ {student}"]
    for step in trace.steps:
        rows, columns = step.value.shape
        table = [[f"{chance.uniform(-3, 3):.4f}" for _ in range(columns)] for _ in range(rows)]
        lines.append(f"{step.call.out} {'; '.join(map(' '.join, table))}")
    return "\n".join(lines) + "\n"


def test_a_usual_class_is_judged_in_few_calls() -> None:
    trace = solve(load("ist-practical-10"))
    scripts, verifier = list(islice(hand_in(trace, KNOWN + NEW), KNOWN + NEW)), Verifier(trace)
    calls(verifier, scripts[:KNOWN])  # what mistakes lead to is found out once for a class
    assert calls(verifier, scripts[KNOWN:]) < MOST_FOR_A_STUDENT


def test_a_script_that_is_wrong_throughout_is_judged_in_bounded_work() -> None:
    trace = solve(load("ist-practical-10"))
    verifier = Verifier(trace)
    verifier.prepare()
    calls(verifier, [all_wrong(trace, 0)])
    assert calls(verifier, [all_wrong(trace, student) for student in range(1, 6)]) < MOST_FOR_A_WRONG_ONE
