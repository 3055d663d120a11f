"""Rows that the same rule is to be applied to, stacked: what many mistakes do to one row is done at once.

A rule that makes each row of its result from that row of its first matrix does not care where the rows come
from. So the scores of ten mistakes become one matrix, and one softmax turns them into ten rows of weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.arithmetic import ONE
from attnsolve.exact.eager_balls import EagerBalls
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.masked import Masked
from attnsolve.ops import Options
from attnsolve.variants.rough import Rough, seen_rows

Row = list[Any]  # balls, or floats
Made = Matrix | Row | Exception  # a matrix, the only row of one, or why there is none


class Making(NamedTuple):
    """How a matrix is made from earlier ones, by their places; the first `rows` of them are single rows."""

    rule: Callable[..., Matrix]
    inputs: tuple[int, ...]
    options: Options
    rows: int
    scales: bool = False  # each number of a row is multiplied by what 1 becomes

    def is_alike(self, other: object) -> bool:
        """Whether another does the same with other rows, or scales them too."""
        if not isinstance(other, Making) or self.scales or other.scales:
            return isinstance(other, Making) and self.scales and other.scales
        return (
            self.rule is other.rule
            and self.rows == other.rows
            and self.inputs[self.rows :] == other.inputs[other.rows :]
            and self.options == other.options
        )


class FirstRow(NamedTuple):
    """The first row of what stands elsewhere."""

    of: int


Planned = str | Making | FirstRow  # what is there already, by name; what is made; what is taken


class Stage(NamedTuple):
    """What is made together, by places: of rows one column for each input, of whole matrices the inputs."""

    makings: tuple[Making, ...]  # alike
    places: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    whole: tuple[int, ...]


def stages_of(plan: Sequence[Planned]) -> list[Stage]:
    """A plan in stages; whole groups first, and where none is whole the one of which most is ready."""
    groups = groups_of(plan)
    waiting = {place for group in groups for place in group}
    stages: list[Stage] = []
    while groups:
        ready = [[place for place in group if not waiting & needed(plan, place)] for group in groups]
        counts = [(len(some) == len(group), len(some)) for some, group in zip(ready, groups, strict=True)]
        best = counts.index(max(counts))
        stages.append(stage_of(plan, ready[best]))
        waiting.difference_update(ready[best])
        groups[best] = [place for place in groups[best] if place in waiting]
        groups = list(filter(None, groups))
    return stages


def groups_of(plan: Sequence[Planned]) -> list[list[int]]:
    """The places of what is made alike."""
    groups: list[list[int]] = []
    for place, making in enumerate(plan):
        if isinstance(making, Making):
            alike = (group for group in groups if making.rows and making.is_alike(plan[group[0]]))
            group = next(alike, None)
            if group is None:
                groups.append([place])
            else:
                group.append(place)
    return groups


def needed(plan: Sequence[Planned], place: int) -> set[int]:
    """What must have been made before."""
    making = plan[place]
    if isinstance(making, str):
        return set()
    inputs = (making.of,) if isinstance(making, FirstRow) else making.inputs
    return {*inputs}.union(*(needed(plan, one) for one in inputs if isinstance(plan[one], FirstRow)))


def stage_of(plan: Sequence[Planned], places: Sequence[int]) -> Stage:
    """The stage in which these places are filled."""
    makings = [making for place in places if isinstance(making := plan[place], Making)]
    rows = makings[0].rows
    columns = tuple(zip(*(making.inputs[:rows] for making in makings), strict=True))
    return Stage(tuple(makings), tuple(places), columns, makings[0].inputs[rows:])


class Stacks:
    """A plan in stages, to be carried out on the numbers of one variant after the other."""

    def __init__(self, plan: Sequence[Planned]) -> None:
        self._size = len(plan)
        needed = {place for making in plan if isinstance(making, Making) for place in making.inputs}
        given = {place: name for place, name in enumerate(plan) if isinstance(name, str)}
        self._given = [(place, name) for place, name in given.items() if place in needed]
        # A first row is taken as soon as there is something to take it from.
        taken = {place: one.of for place, one in enumerate(plan) if isinstance(one, FirstRow)}
        self._factors: dict[int, Any] = {}  # of what scales, as balls
        self._taken = [(place, given[of]) for place, of in taken.items() if of in given]
        self._stages = [
            (stage, [(place, of) for place, of in taken.items() if of in stage.places])
            for stage in stages_of(plan)
        ]

    def made(self, values: Mapping[str, Matrix]) -> list[Made]:
        """All that the plan makes, by its places."""
        known: list[Any] = [None] * self._size
        for place, name in self._given:
            known[place] = at_once(values[name])
        for place, name in self._taken:
            known[place] = first_row_of(at_once(values[name].take((0,))))
        for stage, taken in self._stages:
            if stage.makings[0].scales:
                self._scale(stage, known)
            else:
                carry_out(stage, known)
            for place, of in taken:
                known[place] = first_row_of(known[of])
        return known

    def _scale(self, stage: Stage, known: list[Any]) -> None:
        """Fill the places of a stage that scales rows: balls are multiplied as they are."""
        for making, place in zip(stage.makings, stage.places, strict=True):
            row = known[making.inputs[0]]
            if type(row) is list and type(row[0]) is arb:
                factor = self._factors.get(place)
                if factor is None:
                    made = making.rule(stacked([[ONE]]), **making.options)
                    factor = self._factors[place] = seen_rows(made)[0][0]
                known[place] = [number * factor for number in row]
            else:
                known[place] = first_row_of(made_by(making.rule, [as_matrix(row)], making.options))


def first_row_of(made: Made) -> Made:
    """The first row, where there is one; of what a mask hides as a matrix."""
    if isinstance(made, Masked):
        return made.take((0,))
    return seen_rows(made)[0] if isinstance(made, Matrix) else made


def carry_out(stage: Stage, known: list[Any]) -> None:
    """Fill the places of a stage, all at once where rows can be stacked."""
    rule, options, places = stage.makings[0].rule, stage.makings[0].options, stage.places
    whole = [known[place] for place in stage.whole]
    if not stage.columns:
        known[places[0]] = made_by(rule, whole, options)
        return
    rows = [[known[place] for place in column] for column in stage.columns]
    alone: Iterable[int] = range(len(places))
    together = alone if all(map(are_alike, rows)) else fitting(rows)
    chosen = rows if together is alone else [[one[n] for n in together] for one in rows]
    found = made_by(rule, [*map(stacked, chosen), *whole], options) if together else None
    if isinstance(found, Matrix):
        for number, row in zip(together, seen_rows(found), strict=True):
            known[places[number]] = row
        alone = set(alone).difference(together) if together is not alone else ()
    for number in alone:
        own = [as_matrix(column[number]) for column in rows]
        known[places[number]] = first_row_of(made_by(rule, [*own, *whole], options))


def are_alike(column: Sequence[Made]) -> bool:
    """Whether some inputs are rows of one length."""
    return {*map(type, column)} == {list} and len({*map(len, column)}) == 1  # type: ignore[arg-type]


def fitting(rows: Sequence[Sequence[Made]]) -> Sequence[int]:
    """Which of some inputs are rows as long as those of the first that has rows."""
    sizes = [tuple([len(one) if type(one) is list else 0 for one in own]) for own in zip(*rows, strict=True)]
    wanted = next((size for size in sizes if all(size)), None)
    return [number for number, size in enumerate(sizes) if size == wanted]


def made_by(
    rule: Callable[..., Matrix], inputs: Sequence[Matrix | Exception], options: Options
) -> Matrix | Exception:
    """The matrix, or why there is none."""
    for one in inputs:
        if isinstance(one, Exception):
            return one
    try:
        return rule(*inputs, **options)
    except (AttnsolveError, ArithmeticError) as error:
        return error


def stacked(rows: list[Row]) -> Matrix:
    """A matrix of rows of balls, or of floats."""
    return Rough(rows) if type(rows[0][0]) is float else EagerBalls((len(rows), len(rows[0])), rows=rows)


def as_matrix(made: Made) -> Matrix | Exception:
    """The matrix of a single row, or what there is instead of one."""
    return stacked([made]) if isinstance(made, list) else made


def at_once(matrix: Matrix) -> Matrix:
    """Exact numbers as balls; floats stay floats, and what a mask hides stays hidden."""
    return matrix if isinstance(matrix, (Rough, Masked)) else EagerBalls.of(matrix)
