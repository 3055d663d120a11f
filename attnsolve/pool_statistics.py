"""Whether one exercise of a pool is harder than another, as far as the marks of those who had it can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import NamedTuple

from attnsolve.class_statistics import DEALS, FEWEST, mean, unevenness
from attnsolve.problem_set import Exercise, Pool, ProblemSet
from attnsolve.report import Report


class Result(NamedTuple):
    """What one person earned for an exercise, and for everything else on the paper, as shares."""

    here: Fraction
    elsewhere: Fraction | None  # None: there is nothing else

    @property
    def above(self) -> Fraction:
        """How much better this went than the rest of the paper."""
        return self.here - (self.elsewhere or 0)


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """All who had one exercise of a pool, and have marks for it."""

    number: int  # in the sheet
    title: str
    possible: Fraction
    results: tuple[Result, ...]

    @property
    def share(self) -> Fraction | None:
        """What share of its marks they earned on average."""
        return mean([one.here for one in self.results])

    @property
    def elsewhere(self) -> Fraction | None:
        """And what share of all other marks on their papers."""
        return mean([one.elsewhere for one in self.results if one.elsewhere is not None])


@dataclass(frozen=True, slots=True)
class PoolResult:
    """The exercises of a pool beside one another."""

    exercises: tuple[ExerciseResult, ...]

    @property
    def as_uneven_by_chance(self) -> int | None:
        """In how many of `DEALS` random deals of the same results the exercises differ as much, or more.

        A result is what somebody earned above the rest of his paper. None where there are too few.
        """
        groups = [one.results for one in self.exercises if one.results]
        values = [result.above for results in groups for result in results]
        if len(groups) < 2 or len(values) < FEWEST:
            return None
        unit = lcm(*(value.denominator for value in values))
        whole, sizes = [int(value * unit) for value in values], list(map(len, groups))
        found, chance, count = unevenness(whole, sizes), Random(0), 0
        for _ in range(DEALS):
            chance.shuffle(whole)
            count += unevenness(whole, sizes) >= found
        return count


def pool_statistics(asked: ProblemSet, reports: Sequence[Report]) -> tuple[PoolResult, ...]:
    """Each pool of a sheet, over reports whose names are those of the sheet."""
    return tuple(pool_result(asked, pool, reports) for pool in asked.pools)


def pool_result(asked: ProblemSet, pool: Pool, reports: Sequence[Report]) -> PoolResult:
    """One pool."""
    own = [exercise for exercise in asked.exercises if exercise.number in pool.numbers]
    return PoolResult(tuple(exercise_result(exercise, reports) for exercise in own))


def exercise_result(exercise: Exercise, reports: Sequence[Report]) -> ExerciseResult:
    """One exercise of a pool, by all who had it and for whom no person has still to mark it."""
    parts = {part.id for part in exercise.parts}
    possible, results = Fraction(0), []
    for report in reports:
        steps = [step for step in report.steps if step.part in parts]
        if not steps or any(step.waits for step in steps):
            continue
        possible = sum((step.possible for step in steps), Fraction(0))
        earned = sum((report.earned_in(part) for part in sorted(parts)), Fraction(0))
        rest = report.possible - possible
        if possible:
            results.append(Result(earned / possible, (report.earned - earned) / rest if rest else None))
    return ExerciseResult(exercise.number, exercise.problem.title, possible, tuple(results))
