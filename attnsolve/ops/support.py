"""Sparse weights: which keys of a query get any, found by sorting its scores, and what is left of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any, NamedTuple, NoReturn

from attnsolve.errors import Uncountable
from attnsolve.exact import Cell, Matrix, Rational, Rationals, matrix_of_cells
from attnsolve.exact.cells import subtract
from attnsolve.exact.masked import shown, visible
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.base import Family, Formula, Inner, Mistake, Onward, Op, Option, Remark, Role, no_lines
from attnsolve.ops.normaliser import as_scores, each_row
from attnsolve.working import Expression, Line, Num, Product, Sum, Symbol

SOME = message("{row} gives weight to {columns}; nothing else lies above the threshold {tau}.")
EVERY_ONE = message("{row} gives weight to {columns}; all of them lie above the threshold {tau}.")


class Support(NamedTuple):
    """The visible keys of a row, the largest score first; the first `size` get weight."""

    order: tuple[int, ...]
    size: int
    threshold: Cell

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys that get weight, as they stand in the row."""
        return tuple(sorted(self.order[: self.size]))


def descending(S: Matrix, i: int) -> tuple[int, ...]:
    """The visible keys of row i, the largest score first; equal scores keep their order."""

    def compare(j: int, k: int) -> int:
        return subtract(S.cell(i, k), S.cell(i, j)).sign()

    places = [j for j, kept in enumerate(visible(S).rows[i]) if kept]
    return tuple(sorted(places, key=cmp_to_key(compare)))


def leading(length: int, is_in: Callable[[int], bool]) -> int:
    """How many come before the first that is not in; the first of all always is."""
    return next((place for place in range(1, length) if not is_in(place)), length)


def uncountable(S: Matrix, **settings: Any) -> NoReturn:
    """Who gets weight is up to the scores, and so is what there is to do."""
    raise Uncountable(message("it looks for a threshold, and how many scores lie above that depends on them"))


def cut(S: Matrix, supports: Sequence[Support]) -> Matrix:
    """max(0, S - τ), row by row: the difference on the support, 0 elsewhere."""
    lines = matrix_of_cells([[support.threshold] * S.shape[1] for support in supports])
    return (shown(S) - lines) * members(supports, S.shape[1])


def members(supports: Sequence[Support], width: int) -> Matrix:
    """1 for every key that gets weight, 0 for the others."""
    return Rationals([[int(j in support.keys) for j in range(width)] for support in supports])


def thresholds(supports: Sequence[Support]) -> Matrix:
    """The τ of every row, as a column."""
    return matrix_of_cells([[support.threshold] for support in supports])


def above(S: Matrix, tau: Matrix) -> Matrix:
    """max(0, S - τ) with a τ for each row that is there; nothing for what is hidden."""
    return (shown(S) - tau @ ones(1, S.shape[1])).relu() * visible(S)


def lowered(score: Expression, tau: Cell, *worked_out: Expression) -> list[Sum]:
    """score - τ: how τ comes about (its terms with their signs turned), then its number; else its symbol."""
    if isinstance(score, Num):
        number = () if tau.is_zero() else (Num(subtract(Rational(0), tau)),)
        return [Sum((score, *worked_out)), Sum((score, *number))]
    return [Sum((score, Product((Num(Rational(-1)), Symbol("tau", tau)))))]


def remarks_on(supports: Sequence[Support], width: int) -> tuple[Remark, ...]:
    """Which keys each query gives weight to, and its threshold."""
    said = []
    for i, support in enumerate(supports):
        sentence = SOME if len(support.keys) < width else EVERY_ONE
        said.append(Remark(sentence, i, support.keys, support.threshold))
    return tuple(said)


class Sparse(NamedTuple):
    """What tells one kind of sparse weights from another, inside: how support and τ are found and checked."""

    name: str
    support: Callable[..., Matrix]
    threshold: Callable[..., Matrix]
    support_twin: Callable[..., Any]
    threshold_twin: Callable[..., Any]
    formula: str  # of τ
    threshold_from: Callable[..., Matrix] | None = None  # from a support that is there
    options: tuple[Option, ...] = ()
    mistakes: tuple[Mistake, ...] = ()  # of τ
    lines: Callable[..., tuple[Line, ...]] = no_lines  # of τ


SUPPORT, TAU = "support", "tau"


def inner_values(kind: Sparse) -> tuple[Inner, Inner]:
    """The support, as 1 for each key that gets weight, and the threshold."""
    shared: dict[str, Any] = {
        "parameters": ("S",),
        "options": kind.options,
        "family": Family.INNER,
        "roles": (Role.SCORES,),
    }
    of_supports = Op(
        name=f"{kind.name}_support",
        title="Support: 1 for each key that gets weight",
        symbol="B",
        formula=Formula(matrix=r"\operatorname{support}(${S})"),
        frame=as_scores,
        rule=kind.support,
        twin=kind.support_twin,
        **shared,
    )
    of_thresholds = Op(
        name=f"{kind.name}_tau",
        title="Threshold of each query",
        symbol=r"\tau",
        formula=Formula(matrix=r"\operatorname{threshold}(${S})", each=kind.formula),
        frame=each_row,
        rule=kind.threshold,
        lines=kind.lines,
        twin=kind.threshold_twin,
        mistakes=kind.mistakes,
        onward=None if kind.threshold_from is None else Onward((SUPPORT,), kind.threshold_from),
        **shared,
    )
    return (
        Inner(SUPPORT, of_supports, spoken=("supp",)),
        Inner(TAU, of_thresholds, spoken=("threshold", "thresholds")),
    )
