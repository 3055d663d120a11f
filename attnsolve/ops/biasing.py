"""What biases of scores share: to each score something is added that its two places say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attnsolve.exact import Cell, Matrix, matrix_of_cells
from attnsolve.exact.infinity import HIDDEN
from attnsolve.ops.back import GRADIENT, back, handed_on, same_settings
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Sum, equals, evaluate

ROWS = Option("rows", "rows", "the places of the queries, when only some of the tokens ask")
FORGOTTEN = "Add what the places say to every score before the weights are computed."

# The terms that are added to the scores of a row, from its place and the number of keys.
Terms = Callable[..., list[Expression]]


def places_of(S: Matrix, rows: tuple[int, ...] | None) -> Sequence[int]:
    """Where the queries stand, counted from 0."""
    return range(S.shape[0]) if rows is None else rows


def has_places(S: Frame, rows: tuple[int, ...] | None) -> Frame:
    """As the scores, with a place for each query."""
    if rows is not None and len(rows) != S.rows.size:
        raise unfit("rows", f"{len(rows)} places for {S.rows.size} queries; each query has one")
    return S


def added(S: Matrix, cells: list[list[Cell]]) -> Matrix:
    """S + B; what is hidden stays hidden."""
    return S + matrix_of_cells(cells)


def biasing(
    name: str,
    title: str,
    terms: Terms,
    *,
    parameters: tuple[str, ...] = ("S",),
    formula: Formula,
    frame: Callable[..., Frame],
    twin: Callable[..., Any],
    options: tuple[Option, ...],
    mistakes: tuple[tuple[str, str, Terms], ...],
) -> Op:
    """An op that adds to every score; `terms(place, keys, *tables, **settings)` are those of one row."""

    def table(rule: Terms, S: Matrix, tables: Sequence[Any], settings: Options) -> list[list[Expression]]:
        own = {key: value for key, value in settings.items() if key != "rows"}
        return [rule(place, S.shape[1], *tables, **own) for place in places_of(S, settings.get("rows"))]

    def by(way: Terms) -> Callable[..., Matrix]:
        def carried_out(S: Matrix, *tables: Matrix, **settings: Any) -> Matrix:
            """S_ij + b_ij, where b_ij hangs on the places of query and key alone."""
            rows = table(way, S, [factors("", B)[0] for B in tables], settings)
            return added(S, [[evaluate(term) for term in row] for row in rows])

        return carried_out

    def counting(S: Matrix, *tables: Matrix, **settings: Any) -> Matrix:
        """An addition for each score; what is added is worked out once, beforehand."""
        return S + S

    def lines(
        S: Matrix, *tables: Matrix, value: Matrix, options: Options, names: tuple[str, ...]
    ) -> tuple[Line, ...]:
        scores = factors(names[0], S)
        own = [factors(name, B)[0] for name, B in zip(names[1:], tables, strict=True)]
        rows, made = table(terms, S, own, options), []
        for i, j, result in value.cells():
            if result is HIDDEN:
                made.append(Line(i, j, (equals(Num(result)),)))
                continue
            made.append(Line(i, j, (equals(Sum((scores[i][j], rows[i][j]))), *closing(result))))
        return tuple(made)

    def without(S: Matrix, *tables: Matrix, **settings: Any) -> Matrix:
        return S

    return Op(
        name=name,
        title=title,
        parameters=parameters,
        options=(*options, ROWS),
        roles=(Role.SCORES, *(Role.ROW,) * (len(parameters) - 1)),
        family=Family.BIAS,
        formula=formula,
        frame=frame,
        rule=by(terms),
        counting=counting,
        counted_as="an addition for each score; what is added is worked out beforehand",
        lines=lines,
        twin=twin,
        mistakes=(
            *(Mistake(word, advice, by(way)) for word, advice, way in mistakes),
            Mistake("bias-forgotten", FORGOTTEN, without),
        ),
        gradients=(
            handed_on("S"),
            *(back(B, f"{name}_gradient", GRADIENT, B, settings=same_settings) for B in parameters[1:]),
        ),
    )
