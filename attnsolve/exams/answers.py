"""The answers that a key prints, as text: what each part asks for, to the places of the problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from attnsolve.exact.masked import shown
from attnsolve.exact.precision import LADDER
from attnsolve.exams.lock import Answers
from attnsolve.ops import Family
from attnsolve.problem import CHOICE, Target
from attnsolve.problem_set import Exercise, Solved, exercises_of, name_in
from attnsolve.rendering.trace_json import target_text
from attnsolve.trace import Trace

TENTHS = 10


def answers_of(solved: Solved, *, places: int | None = None) -> Answers:
    """Every asked value of a solved problem, in reading order, to its own places unless others are said.

    Of a question of choice the letters too.
    """
    made: dict[str, tuple[tuple[str, ...], ...]] = {}
    for exercise, trace in exercises_of(solved):
        made |= answers_to(exercise, trace, places=trace.problem.places if places is None else places)
    return made


def answers_to(exercise: Exercise | None, trace: Trace, *, places: int) -> Answers:
    """The same for one exercise of a problem set, or for a problem by itself."""
    made: dict[str, tuple[tuple[str, ...], ...]] = {}
    for part in trace.problem.parts:
        for target in part.find:
            made[name_in(exercise, target_text(target, trace.problem))] = printed(trace, target, places)
        if part.choice is not None:
            from attnsolve.choice_options import options_of, right_letters  # few parts have options

            letters = ", ".join(right_letters(options_of(trace, part)))
            made[name_in(exercise, part.ticked)] = ((letters,),)
        if part.abstract is not None or part.entries is not None:
            from attnsolve.exams.stated_answers import stated_answers  # few problems have symbols

            made |= {name_in(exercise, name): rows for name, rows in stated_answers(trace, part)}
    return made


def printed(trace: Trace, target: Target, places: int) -> tuple[tuple[str, ...], ...]:
    """The rows of a target as decimals, or as formulas where there are letters in it."""
    value = trace.value(target.name)
    if shown(value).kind == "formula":
        asked = target.of(value)
        return tuple(
            tuple(asked.cell(i, j).text() for j in range(asked.shape[1])) for i in range(asked.shape[0])
        )
    rows = value.decimals(places)
    kept = rows if target.row is None else [rows[target.row]]
    return tuple(
        tuple(cell.text for cell in (row if target.column is None else [row[target.column]])) for row in kept
    )


def variety(keys: Iterable[Answers]) -> dict[str, tuple[int, int]]:
    """How many different answers there are to what is asked, and of how many variants."""
    different: dict[str, set[str]] = {}
    asked = Counter[str]()
    for answers in keys:
        for name, rows in answers.items():
            if name.endswith(f".{CHOICE}"):
                continue  # a few letters for everybody are no wonder
            different.setdefault(name, set()).add("\n".join(map("\t".join, rows)))
            asked[name] += 1
    return {name: (len(given), asked[name]) for name, given in different.items()}


def weights_of(solved: Solved) -> tuple[int, ...]:
    """How many attention weights fall into each tenth from 0 to 1; what a mask hides does not count."""
    counts = [0] * TENTHS
    for step in (step for _, trace in exercises_of(solved) for step in trace.steps):
        if step.call.op.family is Family.NORMALISER and shown(step.value).kind != "formula":
            for row in step.value.balls(LADDER[0]):
                for ball in row:
                    if not ball.is_zero():
                        tenth = int((ball * TENTHS).mid().floor().unique_fmpz() or 0)
                        counts[min(TENTHS - 1, max(0, tenth))] += 1
    return tuple(counts)


class Difference(NamedTuple):
    """A number of the key that is another one now."""

    where: str  # "b.A[2, 1]"
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}: {self.before or 'not asked'} -> {self.after or 'not asked'}"


def differences(before: Answers, after: Answers, *, index_from: int = 1) -> Iterator[Difference]:
    """Every number of two keys that differs, in the order of the first and then of the second."""
    for name in dict.fromkeys([*before, *after]):
        rows = zip_longest(before.get(name, ()), after.get(name, ()), fillvalue=())
        for i, (old, new) in enumerate(rows):
            for j, (a, b) in enumerate(zip_longest(old, new, fillvalue="")):
                if a != b:
                    yield Difference(place(name, before.get(name) or after[name], i, j, index_from), a, b)


def place(name: str, rows: tuple[tuple[str, ...], ...], i: int, j: int, index_from: int) -> str:
    """`b.A[2, 1]`; a single row has one number, and what has a place already, or is ticked, keeps it."""
    if name.endswith(f".{CHOICE}"):
        return name
    if name.endswith("]"):
        return f"{name[:-1]}, {j + index_from}]" if len(rows[0]) > 1 else name
    indices = f"{j + index_from}" if len(rows) == 1 else f"{i + index_from}, {j + index_from}"
    return f"{name}[{indices}]"
