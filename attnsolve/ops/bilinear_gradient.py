"""Back through bilinear scores to their bias, a single number that was added to every one of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.rationals import ones
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Sum, equals


def frame(G: Frame) -> Frame:
    """One number."""
    return Frame(Axis(1), Axis(1))


def rule(G: Matrix) -> Matrix:
    """1ᵀ G 1."""
    return ones(1, G.shape[0]) @ G @ ones(G.shape[1], 1)


def counting(G: Matrix) -> Matrix:
    """An addition for each number but the first."""
    return G.row_sums().T.row_sums()


def lines(G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """All numbers, row after row."""
    shares = tuple(share for row in factors(names[0], G) for share in row)
    return (Line(0, 0, (equals(Sum(shares)), *closing(value.cell(0, 0)))),)


def twin(G: Any) -> Any:
    """torch's own sum of everything."""
    return G.sum().reshape(1, 1)


def averaged(G: Matrix) -> Matrix:
    """The mean of all numbers."""
    return rule(G).scaled(Rational(Fraction(1, G.shape[0] * G.shape[1])))


def first_query_only(G: Matrix) -> Matrix:
    """The sum of the first row."""
    return rule(G.take([0]))


SCORE_BIAS_GRADIENT = Op(
    name="score_bias_gradient",
    by_rows=False,
    title="Gradient of the bias: the sum over all scores",
    parameters=("G",),
    roles=(Role.SCORES,),
    formula=Formula(matrix=r"\textstyle\sum_{i,j} ${G:ij}"),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="an addition for each number but one",
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "averaged", "The bias was added to every score: add their gradients up, do not average.", averaged
        ),
        Mistake("first-query-only", "The bias was added to the scores of all queries.", first_query_only),
    ),
)
