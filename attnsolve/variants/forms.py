"""A problem whose sizes and plan are settled and whose numbers are not; what follows is found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from attnsolve.exact import Matrix, Rational, Rationals, matrix_of_cells
from attnsolve.graph import Graph, graph_of
from attnsolve.loader import remade
from attnsolve.ops import Family, Mistake, Op
from attnsolve.ops.argmax import ARGMAX
from attnsolve.ops.relu import RELU
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.sum import SUM
from attnsolve.problem import Call, Given, Problem
from attnsolve.variants.design import Drawing, drawing_of
from attnsolve.variants.domains import domains_of
from attnsolve.variants.effort import exact_calls
from attnsolve.variation import Domain, Entry, Vary

# The numbers of every varied given, row by row.
Numbers = Mapping[str, Sequence[Sequence[Entry]]]


class Place(NamedTuple):
    """Where a number is drawn."""

    given: str
    row: int
    column: int


WEIGHT_JUDGES = ("ties", "equal_weights", "small_weights", "large_weights")
# Rules that only differ from their mistakes when a score is negative.
HIDING: tuple[Op, ...] = (RELU, SUM)


class Wish(NamedTuple):
    """What the judges look for in the weights of one call."""

    exponential: bool  # then no weight is 0, and none may come near it
    small: bool
    large: bool
    ties: bool
    equal: bool  # whether two queries must not get the same weights
    from_scores: bool  # a plain softmax that no other weights depend on can be judged by its scores


class Form:
    """The plan of a problem, and where numbers are to be drawn."""

    def __init__(self, problem: Problem, vary: Vary) -> None:
        self.problem = problem
        self.vary = vary
        self.domains: Mapping[str, Domain] = domains_of(problem, vary)
        self.calls: tuple[Call, ...] = tuple(problem.calls())
        # What is rounded on the way is less work than what it is made of: there the two go ways of their own.
        self.exact_calls = exact_calls(problem) if problem.rounding is None else ()
        self.allowed = {part.id: frozenset({*part.allow, *vary.allow}) for part in problem.parts}
        self.drawings: tuple[Drawing, ...] = tuple(drawing_of(problem, design) for design in vary.designs)
        designed = {name for drawing in self.drawings for name in (drawing.query, drawing.keys)}
        # The same for all variants, so that what depends on them is found out once.
        self.parts = tuple(part._replace(published=()) for part in problem.parts)
        self.places = tuple(
            Place(name, i, j)
            for name in self.domains
            if name not in designed
            for i in range(problem.givens[name].value.shape[0])
            for j in range(problem.givens[name].value.shape[1])
        )
        self._excused = {
            judge: {name for name in self.domains if self._all_allow(judge, name)}
            for judge in ("zero_rows", "equal_rows")
        }
        self.derived = tuple(name for name, given in problem.givens.items() if given.made_from)
        self._behind: dict[str, tuple[Place, ...]] = {}
        self.slips = self._slips()
        self.weighing = self._way_to_weights()
        self.wishes = {
            call.out: self._wish(call) for call in self.calls if call.op.family is Family.NORMALISER
        }
        self.twins = twins_among(self.weighing)
        ways = Graph(self.weighing)
        self.weighing_from = {name: ways.following({name, *self.derived}) for name in self.domains}

    def _slips(self) -> dict[str, tuple[Mistake, ...]]:
        """The mistakes of rules that hide them easily, where a part makes each of them first."""
        found: dict[str, tuple[Mistake, ...]] = {}
        for part in self.problem.parts:
            told: set[str] = set()
            for call in part.calls if not self.allows("mistakes", part.id) else ():
                if call.op in HIDING:
                    found[call.out] = tuple(slip for slip in call.op.mistakes if slip.name not in told)
                told |= {slip.name for slip in call.op.mistakes}
        return found

    def _wish(self, call: Call) -> Wish:
        sharp = call.op is not ARGMAX  # whose weights are 0 and 1 by nature
        return Wish(
            exponential=call.op.powers is not None,
            small=sharp and not self.allows("small_weights", call.part),
            large=sharp and not self.allows("large_weights", call.part),
            ties="ties" not in self.vary.want and not self.allows("ties", call.part),
            equal=call.op.powers is not None and not self.allows("equal_weights", call.part),
            from_scores=call.op is SOFTMAX
            and not call.options
            and not any(call.out in other.args for other in self.weighing),
        )

    def _all_allow(self, judge: str, given: str) -> bool:
        users = [part for part in self.problem.parts if given in part.givens]
        return judge in self.vary.allow or (
            bool(users) and all(self.allows(judge, part.id) for part in users)
        )

    def _way_to_weights(self) -> tuple[Call, ...]:
        """The calls of weights that are judged, and those they depend on: no other can cost anything."""
        wanted = {
            call.out
            for call in self.calls
            if call.op.family is Family.NORMALISER and (call.out in self.slips or not self._all_goes(call))
        }
        return graph_of(self.problem).behind(wanted)

    def _all_goes(self, call: Call) -> bool:
        """Whether its part lets any weights pass, as long as there are some."""
        return all(self.allows(judge, call.part) for judge in WEIGHT_JUDGES)

    def places_behind(self, cost: str) -> tuple[Place, ...]:
        """Where a number can be changed that has to do with a cost: of a given, or of weights."""
        if cost not in self._behind:
            self._behind[cost] = tuple(
                place
                for place in self.places
                if place.given == cost or any(call.out == cost for call in self.weighing_from[place.given])
            )
        return self._behind[cost]

    def allows(self, judge: str, part: str) -> bool:
        """Whether a part, or the whole file, lets this pass."""
        return judge in self.allowed.get(part, ())

    def all_allow(self, judge: str) -> bool:
        """Whether every part lets this pass."""
        return all(self.allows(judge, part.id) for part in self.problem.parts)

    def excuses(self, judge: str, given: str) -> bool:
        """Whether every part that uses a given lets it have rows of zeros, or equal rows."""
        return given in self._excused[judge]

    def remake(self, values: dict[str, Matrix]) -> None:
        """Make the givens anew that are made from others."""
        if self.derived:
            givens = {name: given._replace(value=values[name]) for name, given in self.problem.givens.items()}
            values |= {name: remade(self.problem, givens, name) for name in self.derived}

    def filled(self, numbers: Numbers) -> Problem:
        """The problem with these numbers; givens that are made from others are made anew."""
        givens = dict(self.problem.givens)
        for name, rows in numbers.items():
            givens[name] = filled_given(givens[name], rows)
        for name in self.derived:
            givens[name] = givens[name]._replace(value=remade(self.problem, givens, name))
        return self.problem._replace(givens=givens, parts=self.parts, vary=None, file="")


def twins_among(calls: Sequence[Call]) -> dict[str, str]:
    """Calls that do what an earlier one has done, and which that is: parts often begin alike."""
    same: dict[str, str] = {}
    firsts: dict[tuple[str, ...], str] = {}
    for call in calls:
        key = (call.op.name, *[same.get(name, name) for name in call.args])
        if not call.options and firsts.setdefault(key, call.out) != call.out:
            same[call.out] = firsts[key]
    return same


def filled_given(given: Given, rows: Sequence[Sequence[Entry]]) -> Given:
    """A given with drawn numbers, typed as the domain spells them."""
    typed = tuple(tuple(entry.text for entry in row) for row in rows)
    return given._replace(value=matrix_of_entries(rows), typed=typed)


def matrix_of_entries(rows: Sequence[Sequence[Entry]]) -> Matrix:
    """The matrix of drawn numbers; most are rational, which is the quickest kind."""
    if all(type(entry.value) is Rational for row in rows for entry in row):
        return Rationals.of([[entry.value.value for entry in row] for row in rows])  # type: ignore[attr-defined]
    return matrix_of_cells([[entry.value for entry in row] for row in rows])


def values_along(calls: Sequence[Call], values: dict[str, Matrix], *, problem: Problem) -> dict[str, Matrix]:
    """`values` with the results of some calls added, rounded on the way if the problem says so."""
    rounding = problem.rounding
    for call in calls:
        value = call.op.rule(*[values[name] for name in call.args], **call.options)
        values[call.out] = value if rounding is None else rounding.carried(call, value)
    return values
