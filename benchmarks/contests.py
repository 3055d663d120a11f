"""What is measured against what, and the ratio each must reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from attnsolve import load
from attnsolve.batch import find
from attnsolve.engine import solve
from attnsolve.variants import Blueprint, Drawer, key_of_seed
from attnsolve.verifier.reading import read_submissions
from attnsolve.verifier.verification import Verifier
from benchmarks import agreement, startup, with_attnsolve, with_numpy, with_sympy
from benchmarks.classes import hand_in
from benchmarks.table import Row, faster, within
from benchmarks.timing import Case, race
from benchmarks.variants import TOKENS, Variant, draw, drawer, examined

SMALL, LARGE = 32, 128
BATCH = 8

Method = Callable[[tuple[Variant, Variant]], object]


class Effort(NamedTuple):
    """How many rounds are run, and how many fresh cases each contest gets in a round."""

    rounds: int
    solves: int
    pages: int
    growths: int
    students: int
    processes: int


FULL = Effort(rounds=7, solves=9, pages=3, growths=3, students=125, processes=5)
QUICK = Effort(rounds=1, solves=2, pages=1, growths=1, students=3, processes=1)

SEEDS = count(1)  # every variant of a run has its own


def fresh(number: int, *, tokens: int = TOKENS) -> list[Variant]:
    """Variants that nobody has solved yet."""
    return [draw(next(SEEDS), tokens=tokens) for _ in range(number)]


def split(cases: list[Case], rounds: int) -> list[list[Case]]:
    """The cases dealt out to the rounds."""
    return [cases[start::rounds] for start in range(rounds)]


def solving(effort: Effort) -> Iterator[Row]:
    """The exact solve, against the plain SymPy script and against floats."""
    warm_up, *rest = fresh(1 + effort.rounds * effort.solves)
    agreement.require(map(agreement.numpy_differs, rest))
    agreement.require([agreement.sympy_differs(warm_up)])
    methods = {"ours": with_attnsolve.solve, "numpy": with_numpy.solve, "SymPy": with_sympy.solve}
    times = race(methods, warm_up, split(rest, effort.rounds))
    yield faster("exact solve of Q1.3", times, "ours", "SymPy", at_least=100)
    yield within("exact solve of Q1.3", times, "ours", "numpy", at_most=5)


def writing(effort: Effort) -> Iterator[Row]:
    """Solve, certified decimals and LaTeX, against the naive page."""
    number = 1 + effort.rounds * effort.pages
    # Two pages by the same hand are made of two variants: the second would find the cache filled.
    warm_up, *rest = zip(fresh(number), fresh(number), strict=True)
    methods: dict[str, Method] = {
        "matrices": lambda pair: with_attnsolve.matrices_page(pair[0]),
        "default": lambda pair: with_attnsolve.full_page(pair[1]),
        "SymPy page": lambda pair: with_sympy.page(pair[0]),
        "SymPy, no long forms": lambda pair: with_sympy.readable_page(pair[1]),
    }
    times = race(methods, warm_up, split(rest, effort.rounds))
    yield faster("LaTeX page, matrices", times, "matrices", "SymPy page", at_least=300)
    yield faster("LaTeX page, matrices", times, "matrices", "SymPy, no long forms")
    yield faster("LaTeX page, default detail", times, "default", "SymPy page", at_least=120)


def examining(effort: Effort) -> Iterator[Row]:
    """Variants drawn, judged, solved, certified and written, mistakes told apart, against the naive page.

    Some are found at once and some after a long search, so whole batches are timed.
    """
    sheet = Drawer(Blueprint.read(find("ist-practical-10")), key_of_seed(2026))
    names = [[f"{number}.{place}" for place in range(BATCH)] for number in range(1 + effort.rounds)]
    # The naive script is handed its numbers: it only has to solve and write.
    batches = [(batch, [examined(f"SymPy {name}") for name in batch]) for batch in names]
    methods: dict[str, Callable[[tuple[list[str], list[Variant]]], object]] = {
        "drawn": lambda batch: [with_attnsolve.page_of(drawer().draw(name).trace) for name in batch[0]],
        "whole sheet": lambda batch: [with_attnsolve.page_of(sheet.draw(name).trace) for name in batch[0]],
        "draws": lambda batch: [sheet.draw(f"draw {name}") for name in batch[0]],
        "exams": lambda batch: [
            with_attnsolve.exam_of(sheet.draw(f"exam {name}").trace) for name in batch[0]
        ],
        "SymPy page": lambda batch: [with_sympy.page(variant) for variant in batch[1]],
    }
    warm_up, *rest = batches
    times = race(methods, warm_up, [[batch] for batch in rest])
    yield faster(f"{BATCH} variants of Q1.3 drawn, written", times, "drawn", "SymPy page", at_least=40)
    yield faster(f"{BATCH} variants of all of Q1 drawn, written", times, "whole sheet", "SymPy page")
    yield faster(f"{BATCH} draws of all of Q1, all judges", times, "draws", "SymPy page", at_least=90)
    yield faster(f"{BATCH} complete exams of all of Q1", times, "exams", "SymPy page", at_least=30)


def growing(effort: Effort) -> Iterator[Row]:
    """More tokens: against ourselves and against floats."""
    number = 1 + effort.rounds * effort.growths
    small, large = fresh(number, tokens=SMALL), fresh(number, tokens=LARGE)
    agreement.require(map(agreement.numpy_differs, [small[0], large[0]]))
    warm_up, *rest = zip(small, large, strict=True)
    methods: dict[str, Method] = {
        f"{SMALL} tokens": lambda pair: with_attnsolve.solve(pair[0]),
        f"{LARGE} tokens": lambda pair: with_attnsolve.solve(pair[1]),
        "numpy": lambda pair: with_numpy.solve(pair[1]),
    }
    times = race(methods, warm_up, split(rest, effort.rounds))
    yield within(f"solve with {LARGE} tokens", times, f"{LARGE} tokens", f"{SMALL} tokens", at_most=40)
    yield within(f"solve with {LARGE} tokens", times, f"{LARGE} tokens", "numpy", at_most=300)


def grading(effort: Effort) -> Iterator[Row]:
    """A whole class read and judged, against as many plain solves of the same exercise.

    What somebody right costs and what somebody with a slip costs differ much, so whole piles are timed.
    """
    problem = load("ist-practical-10")
    trace = solve(problem)
    verifier = Verifier(trace)

    def judge(pile: list[str]) -> None:
        for submission in read_submissions("".join(pile), form="compact"):
            verifier.verify(submission)

    def solve_each(pile: list[str]) -> None:
        for _ in pile:
            solve(problem)

    known, *rest = split(list(hand_in(trace, (1 + effort.rounds) * effort.students)), 1 + effort.rounds)
    verifier.prepare()  # as `grade` does before it judges anybody
    judge(known)  # what mistakes lead to is found out once for a class
    methods: dict[str, Callable[[list[str]], object]] = {"grade": judge, "solve": solve_each}
    what = f"{effort.students} students' calculations"
    times = race(methods, known, [[pile] for pile in rest])
    yield within(what, times, "grade", "solve", at_most=3)


def starting(effort: Effort) -> Iterator[Row]:
    """Whole processes, against an interpreter that does nothing."""
    methods: dict[str, Callable[[None], None]] = {
        "bare python": lambda _: startup.run(startup.BARE),
        "help": lambda _: startup.run(startup.HELP),
        "render": lambda _: startup.run(startup.RENDER),
        "html": lambda _: startup.run(startup.HTML),
        "pdf": lambda _: startup.run(startup.PDF),
    }
    rounds = [[None] * effort.processes] * effort.rounds
    times = race(methods, None, rounds, clock=startup.children_time)
    yield within("attnsolve --help", times, "help", "bare python", at_most=4)
    yield within("attnsolve render ist-practical-10", times, "render", "bare python", at_most=12)
    # 30 ms more than the Markdown page, which takes 130 ms with the start of everything.
    yield within("attnsolve render ist-practical-10 --to html", times, "html", "render", at_most=1.25)
    # Half a second beside 11 ms: eight pages, with the start of everything.
    yield within("attnsolve render ist-practical-10 --to pdf", times, "pdf", "bare python", at_most=45)


CONTESTS = (solving, writing, examining, growing, grading, starting)
