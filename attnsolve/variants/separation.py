"""Whether the numbers of a variant tell mistakes apart: from the right answer, and from one another.

A mistake is carried out on balls: two answers count as different only when some asked number is proven to
differ by more than one unit of the asked precision. Which calls a mistake changes follows from the form
alone, so that is found once; for each variant only those calls are carried out again.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.masked import Masked
from attnsolve.exact.precision import LADDER, precision
from attnsolve.mistakes import wrong_plans
from attnsolve.ops import Frame
from attnsolve.problem import Call, Part, Problem, Target
from attnsolve.trace import Trace
from attnsolve.variants.forms import values_along

RIGHT = "the right answer"
Values = Mapping[str, Matrix]
# The shape of each asked value, and its numbers.
Answer = tuple[tuple[tuple[int, int], ...], list[Any]]


class Clash(NamedTuple):
    """Two ways to do a part that give the same answer; the first may be the right one."""

    part: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"part {self.part}: {self.second} gives the same as {self.first}"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A mistake in a part, and the calls whose results it changes."""

    name: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Lineup:
    """What a part asks for and every mistake that can be made on the way there."""

    part: str
    targets: tuple[Target, ...]
    suspects: tuple[Suspect, ...]


class Separation:
    """All lineups of a problem, and which pairs its form cannot tell apart."""

    def __init__(self, problem: Problem, *, allowed: Mapping[str, Container[str]] | None = None) -> None:
        self.problem = problem
        self.lineups = tuple(
            lineup_of(problem, part)
            for part in problem.parts
            if part.calls and "mistakes" not in (allowed or {}).get(part.id, ())
        )
        self.by_form: frozenset[Clash] = frozenset()

    def clashes(self, trace: Trace) -> frozenset[Clash]:
        """Every pair that these numbers do not tell apart, except those that no numbers would."""
        exact = {name: given.value for name, given in trace.problem.givens.items()}
        exact |= {step.call.out: step.carried for step in trace.steps}
        balls = {name: seen(value) for name, value in exact.items()}
        right = balls | {step.call.out: seen(step.value) for step in trace.steps}
        with precision(LADDER[0]):
            return frozenset(
                clash
                for lineup in self.lineups
                for clash in self._clashes(lineup, right, balls, exact)
                if clash not in self.by_form
            )

    def _clashes(self, lineup: Lineup, right: Values, balls: Values, exact: Values) -> Iterator[Clash]:
        answers = [(RIGHT, asked(lineup.targets, right))]
        for suspect in lineup.suspects:
            try:
                answers.append((suspect.name, self._answer(lineup, suspect, balls, exact)))
            except AttnsolveError:
                continue  # undefined on these numbers: nobody can make it
        places = 10**self.problem.places
        for (first, a), (second, b) in combinations(answers, 2):
            if first != second and not told_apart(a, b, places):
                yield Clash(lineup.part, first, second)

    def _answer(self, lineup: Lineup, suspect: Suspect, balls: Values, exact: Values) -> Answer:
        """What a mistake gives; exact numbers decide where balls leave a sign open."""
        try:
            wrong = values_along(suspect.calls, dict(balls), problem=self.problem)
        except Undecided:
            wrong = values_along(suspect.calls, dict(exact), problem=self.problem)
        return asked(lineup.targets, wrong)


def seen(matrix: Matrix) -> Matrix:
    """A given through balls; what a mask hides stays hidden."""
    return matrix if isinstance(matrix, Masked) else Balls.of(matrix)


def lineup_of(problem: Problem, part: Part) -> Lineup:
    """The mistakes of a part that can be made with matrices of these sizes."""
    right = {call.out: call for call in problem.calls()}
    suspects = []
    for plan in wrong_plans(problem, part):
        changed = changed_calls(plan.calls, right)
        if changed and fits(problem, plan.calls):
            suspects.append(Suspect(plan.name, changed))
    return Lineup(part.id, part.find, tuple(suspects))


def changed_calls(calls: Sequence[Call], right: Mapping[str, Call]) -> tuple[Call, ...]:
    """The calls of a wrong plan that are not those of the right one, and those that follow from them."""
    changed: set[str] = set()
    found = []
    for call in calls:
        if right.get(call.out) != call or not changed.isdisjoint(call.args):
            changed.add(call.out)
            found.append(call)
    return tuple(found)


def fits(problem: Problem, calls: Sequence[Call]) -> bool:
    """Whether the matrices of a wrong plan fit together at all."""
    frames: dict[str, Frame] = {name: given.frame for name, given in problem.givens.items()}
    try:
        for call in calls:
            frames[call.out] = call.op.frame(*[frames[name] for name in call.args], **call.options)
    except (AttnsolveError, KeyError):
        return False
    return True


def asked(targets: Sequence[Target], values: Mapping[str, Matrix]) -> Answer:
    """The numbers a part asks for, as balls."""
    shapes, numbers = [], []
    for target in targets:
        value = values[target.name]
        shapes.append(value.shape)
        rows = value.enclosures()
        kept = rows if target.row is None else rows[target.row : target.row + 1]
        for row in kept:
            numbers += row if target.column is None else row[target.column : target.column + 1]
    return tuple(shapes), numbers


def told_apart(first: Answer, second: Answer, places: int) -> bool:
    """Whether two answers are proven to differ by more than a unit somewhere."""
    if first[0] != second[0]:
        return True
    return any(abs(a - b) * places > 1 for a, b in zip(first[1], second[1], strict=True))
