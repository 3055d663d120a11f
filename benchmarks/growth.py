"""How costs grow with tokens, width, places and students: processor time, and the exponent that fits it best.

`python -m benchmarks.growth -o docs/performance.md` writes the page.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from attnsolve.batch import find
from attnsolve.engine import solve
from attnsolve.exact import Rationals
from attnsolve.limits import LIMITS
from attnsolve.loader import load, loads
from attnsolve.problem import Problem
from attnsolve.variants import Blueprint, Drawer, key_of_seed
from attnsolve.verifier.reading import read_submissions
from attnsolve.verifier.verification import Verifier
from benchmarks.classes import hand_in, handed_in
from benchmarks.table import duration

TEXT = """\
format: 1
title: Self-attention
given:
  X: ones({tokens}x{width})
  W_Q: ones({width}x{width})
  W_K: ones({width}x{width})
  W_V: ones({width}x{width})
parts:
  - ask: Find the weights and the output.
    self_attention: {{input: X, W_Q: W_Q, W_K: W_K, W_V: W_V, divide_by: sqrt(d_k)}}
"""
REPEATS = 3
SEED = 2026
PLACES = 4


class Growth(NamedTuple):
    """One cost along one size; everything else stays as `about` says."""

    what: str
    along: str
    about: str
    sizes: tuple[int, ...]
    prepare: Callable[[int], Callable[[], object]]  # what is not measured, and what is
    repeats: int = REPEATS


def attention(*, tokens: int, width: int) -> Problem:
    """Self-attention on random halves, the projections so small that no weight is nearly 1."""
    limits = LIMITS._replace(tokens=max(tokens, LIMITS.tokens))
    problem = loads(TEXT.format(tokens=tokens, width=width), limits=limits)
    chance, givens = Random(1), {}
    for name, given in problem.givens.items():
        below = 2 if name == "X" else 2 * width
        rows, columns = (range(size) for size in given.frame.shape)
        numbers = [[Fraction(chance.randint(-4, 4), below) for _ in columns] for _ in rows]
        givens[name] = given._replace(value=Rationals.of(numbers), typed=())
    return problem._replace(givens=givens)


def solving(problem: Problem) -> Callable[[], object]:
    """Every step, exact."""
    return lambda: solve(problem)


def rounding(problem: Problem, places: int) -> Callable[[], object]:
    """Certified decimals of weights and output; the steps are there."""

    def measured() -> object:
        trace = solve(problem)
        return [trace.value(name).decimals(places) for name in ("a.A", "a.Z")]

    return measured


def grading_variants(students: int) -> Callable[[], object]:
    """A class read and judged in which nobody has the exercise of another: each is solved first."""
    drawer = Drawer(Blueprint.read(find("ist-practical-10")), key_of_seed(SEED))
    drawn = [drawer.draw(str(student)) for student in range(students)]
    piles = [(one.text, handed_in(one.trace, student)) for student, one in enumerate(drawn)]

    def measured() -> object:
        graded = []
        for text, pile in piles:
            verifier = Verifier(solve(loads(text)))
            graded += [verifier.verify(one) for one in read_submissions(pile, form="compact")]
        return graded

    return measured


def grading(students: int) -> Callable[[], object]:
    """A class read and judged; what mistakes lead to is found out on the way."""
    trace = solve(load(find("ist-practical-10")))
    pile = "".join(hand_in(trace, students))

    def measured() -> object:
        verifier = Verifier(trace)
        return [verifier.verify(submission) for submission in read_submissions(pile, form="compact")]

    return measured


GROWTHS = (
    Growth(
        "exact solve",
        "tokens",
        "width 8",
        (16, 32, 64, 128, 256),
        lambda n: solving(attention(tokens=n, width=8)),
    ),
    Growth(
        "exact solve", "width", "32 tokens", (8, 16, 32, 64), lambda d: solving(attention(tokens=32, width=d))
    ),
    Growth(
        "solve and certified decimals",
        "tokens",
        "width 8, 4 places",
        (16, 32, 64, 128, 256),
        lambda n: rounding(attention(tokens=n, width=8), PLACES),
    ),
    Growth(
        "solve and certified decimals",
        "width",
        "32 tokens, 4 places",
        (8, 16, 32, 64),
        lambda d: rounding(attention(tokens=32, width=d), PLACES),
    ),
    Growth(
        "solve and certified decimals",
        "places",
        "32 tokens, width 8",
        (4, 8, 16, 30),
        lambda places: rounding(attention(tokens=32, width=8), places),
    ),
    Growth("grading a class", "students", "Practical 10", (25, 50, 100, 200), grading),
    Growth(
        "grading a class in which everybody has a variant of their own",
        "students",
        "Practical 10",
        (125, 250, 500, 1000),
        grading_variants,
        repeats=1,  # so many are an average of their own
    ),
)
LARGEST = (256, 64)


def least_time(work: Callable[[], object], *, repeats: int = REPEATS) -> float:
    """The processor time of the quickest of a few runs."""
    times = []
    for _ in range(repeats):
        begin = process_time()
        work()
        times.append(process_time() - begin)
    return min(times)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The b of the power a·n^b that fits the times best: the slope of their logarithms (least squares)."""
    xs, ys = [log(size) for size in sizes], [log(time) for time in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def row(growth: Growth, times: Sequence[float]) -> str:
    """A line of the table."""
    told = ", ".join(f"{size}: {duration(time)}" for size, time in zip(growth.sizes, times, strict=True))
    grows = f"{growth.along}^{exponent(growth.sizes, times):.1f}"
    return f"| {growth.what} | {growth.along} ({growth.about}) | {told} | {grows} |"


HEAD = """\
# What things cost, and how that grows

Made by `make bench` (`python -m benchmarks.growth -o docs/performance.md`): processor time, the least of
{repeats} runs (of variants one), on one core of whatever machine it ran on last. What counts is how it grows:
the last column is the power that fits the times best.

| what | with more | processor time | grows like |
|---|---|---|---|
"""
TAIL = """
The largest that is tried: {tokens} tokens of width {width}, solved exactly with certified decimals of all
{numbers} weights and outputs, in {time}.

Scores that lie far apart cost more than this: a weight of 1 − 10⁻¹⁰⁰ needs more digits than the first balls
have before it can be told from 1, number by number.

## Memory

Measured once, on variants of Practical 10 that were drawn, solved and written as exams in one process, one
after the other: from the 200th to the 1,600th the number of objects stays the same within 0.5 %. Caches fill
up to their bounds, which takes 4 MB; the last 600 variants take 0.1 MB of them. Exams of 10,000, classes of
10,000 and 40,000 answers in one process are in [long runs](long-runs.md).
"""


def page() -> str:
    """The page as Markdown."""
    rows = []
    for growth in GROWTHS:
        print(f"{growth.what}, {growth.along} ...", file=sys.stderr)
        rows.append(
            row(growth, [least_time(growth.prepare(size), repeats=growth.repeats) for size in growth.sizes])
        )
    tokens, width = LARGEST
    time = least_time(rounding(attention(tokens=tokens, width=width), PLACES))
    numbers = f"{tokens * (tokens + width):,}"
    tail = TAIL.format(tokens=tokens, width=width, numbers=numbers, time=duration(time))
    return HEAD.format(repeats=REPEATS) + "\n".join(rows) + "\n" + tail


def main() -> None:
    """Print the page, or write it."""
    parser = ArgumentParser("python -m benchmarks.growth", description="Costs as functions of sizes.")
    parser.add_argument("-o", "--output", type=Path, help="the file to write")
    arguments = parser.parse_args()
    made = page()
    if arguments.output is None:
        print(made, end="")
    else:
        arguments.output.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
