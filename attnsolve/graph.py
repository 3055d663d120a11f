"""A plan as a graph: who made a value, who uses it, what lies behind it, and the attention heads in it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property, lru_cache

from attnsolve.identity import Same
from attnsolve.ops import Family
from attnsolve.problem import Call, Part, Problem
from attnsolve.records import NamedTuple

# Papers are made of one problem after another, or of many variants of one, which share their parts.
MOST_GRAPHS = 64


class Source(NamedTuple):
    """Where queries, keys or values come from: the projection of some tokens, or columns of one."""

    tokens: str
    projection: Call | None = None  # None where the tokens are used as they are
    slice: Call | None = None  # a head's columns of what was projected for all heads


class Head(NamedTuple):
    """An attention head by its calls: scores, what changes them, weights, and the mixed values."""

    scores: Call | None  # None where the scores are given, or are no comparison of queries and keys
    changes: tuple[Call, ...]  # from the scores to what the weights are made of, in order
    weights: Call
    output: Call | None  # None where nothing is mixed
    silenced: Call | None = None  # the weights with 0 for padding that asks, where there is such a mask

    @property
    def final_weights(self) -> Call:
        """The call that makes the weights as they are mixed with."""
        return self.silenced or self.weights

    @property
    def queries(self) -> str | None:
        """The name of what is compared with the keys."""
        return None if self.scores is None else self.scores.args[0]

    @property
    def keys(self) -> str | None:
        """The name of what the queries are compared with."""
        return None if self.scores is None else self.scores.args[1]

    @property
    def values(self) -> str | None:
        """The name of what is mixed."""
        return None if self.output is None else self.output.args[1]

    @property
    def scalings(self) -> tuple[Call, ...]:
        """The calls that scale its scores."""
        return tuple(call for call in self.changes if call.op.family is Family.SCALING)

    @property
    def masks(self) -> tuple[Call, ...]:
        """The calls that mask its scores."""
        return tuple(call for call in self.changes if call.op.family is Family.MASK)

    @property
    def only_scales_and_masks(self) -> bool:
        """Whether nothing else is done to its scores; what is added to them counts as a mask."""
        return all(call.op.family in CHANGING for call in self.changes)


# What makes scores of scores, and where the way back from weights to their scores ends at the latest.
CHANGING = (Family.SCALING, Family.BIAS, Family.MASK)
ENDS = (Family.SCORE, Family.NORMALISER, Family.MIXTURE)


class Graph:
    """The calls of a plan by what they make; every argument that none of them makes is given."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self.made = {call.out: call for call in calls}

    def maker(self, name: str) -> Call | None:
        """The call that makes a value; None for what is given."""
        return self.made.get(name)

    @cached_property
    def _users(self) -> dict[str, list[Call]]:
        users: dict[str, list[Call]] = {}
        for call in self.made.values():
            for name in dict.fromkeys(call.args):
                users.setdefault(name, []).append(call)
        return users

    def users(self, name: str) -> tuple[Call, ...]:
        """The calls that take a value, in order."""
        return tuple(self._users.get(name, ()))

    def behind(self, names: Iterable[str], *, known: Container[str] = ()) -> tuple[Call, ...]:
        """The calls that lead to some values, those that make them included, in order.

        What is `known` already needs no call.
        """
        found: dict[str, Call] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in self.made and name not in found and name not in known:
                call = found[name] = self.made[name]
                waiting += call.args
        if len(found) < 2:  # as for most steps of which all that leads to them is known
            return tuple(found.values())
        return tuple([self.made[name] for name in sorted(found, key=self._places.__getitem__)])

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where in the plan each value is made."""
        return {name: place for place, name in enumerate(self.made)}

    def following(self, names: Iterable[str]) -> tuple[Call, ...]:
        """The calls whose results change with some values, in order."""
        changed, found = set(names), []
        for call in self.made.values():
            if not changed.isdisjoint(call.args):
                changed.add(call.out)
                found.append(call)
        return tuple(found)

    def descent(self, name: str) -> Iterator[Call]:
        """The call that made a value, the one that made its first matrix, and so on back to a given."""
        call = self.made.get(name)
        while call is not None:
            yield call
            call = self.made.get(call.args[0])

    def scores_behind(self, name: str) -> Call | None:
        """The nearest comparison of queries with keys that a value descends from."""
        return next((call for call in self.descent(name) if call.op.family is Family.SCORE), None)

    def stages(self, scores: str) -> tuple[str, ...]:
        """The names of scores from before they were scaled and masked to what became of them."""
        names = [scores]
        for call in self.descent(scores):
            if call.op.family not in CHANGING:
                break
            names.append(call.args[0])
        return tuple(reversed(names))

    def before_turning(self, name: str) -> str:
        """Queries or keys as they were before their places turned them."""
        call = self.made.get(name)
        return call.args[0] if call is not None and call.op.family is Family.ROTATION else name

    def source(self, name: str) -> Source:
        """The tokens that queries, keys or values are projected from."""
        call, cut = self.made.get(name), None
        if call is not None and call.op.family is Family.SLICE:
            name, cut = call.args[0], call
            call = self.made.get(name)
        if call is None or call.op.family is not Family.PROJECTION:
            return Source(name, None, cut)
        return Source(call.args[0], call, cut)

    def origin(self, name: str, side: int) -> str:
        """The given whose rows stand along a side of a value: 0 its rows, 1 the columns of scores."""
        for call in self.descent(name):
            if call.op.family is Family.LOOKUP:
                return call.out
            name = call.args[0]
            if call.op.family is Family.SCORE:
                return self.origin(call.args[side], 0)
        return name

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        """Every attention head, in the order of their weights; weights that mix twice make two."""
        weights = [call for call in self.made.values() if call.op.family is Family.NORMALISER]
        return tuple(head for call in weights for head in self._heads_of(call))

    def _heads_of(self, weights: Call) -> Iterator[Head]:
        changes: list[Call] = []
        scores = None
        for call in self.descent(weights.args[0]):
            if call.op.family in ENDS:
                scores = call if call.op.family is Family.SCORE else None
                break
            changes.append(call)
        silenced = next(iter(self._uses(weights.out, Family.QUERY_MASK)), None)
        for output in self._uses((silenced or weights).out, Family.MIXTURE) or (None,):
            yield Head(scores, tuple(reversed(changes)), weights, output, silenced)

    def _uses(self, name: str, family: Family) -> list[Call]:
        """The calls of a family that take a value as their first matrix."""
        return [user for user in self.users(name) if user.op.family is family and user.args[0] == name]


def graph_of(problem: Problem) -> Graph:
    """The whole plan of a problem, read once."""
    return _graph(Same(problem.parts))


@lru_cache(maxsize=MOST_GRAPHS)
def _graph(same: Same[tuple[Part, ...]]) -> Graph:
    return Graph(call for part in same.thing for call in part.calls)
