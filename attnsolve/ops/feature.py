"""Feature maps of linear attention: a function of every number that is never negative."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Power, Sum, equals

MAPS = ("elu", "relu", "exp", "square")
MINUS, ONE = Rational(-1), Num(Rational(1))


def frame(X: Frame, *, map: str = "elu") -> Frame:
    """As what comes in."""
    return X


def rule(X: Matrix, *, map: str = "elu") -> Matrix:
    """x + 1 above 0 and e^x below, max(0, x), e^x, or x²."""
    if map == "relu":
        return X.relu()
    if map == "exp":
        return X.exp()
    if map == "square":
        return X * X
    # e^{-max(0, -x)} is e^x below 0 and 1 above it.
    return X.relu() + X.scaled(MINUS).relu().scaled(MINUS).exp()


def counting(X: Matrix, *, map: str = "elu") -> Matrix:
    """A function of each number; a product where it is a square, nothing where it is a comparison."""
    if map == "square":
        return X * X
    return X.relu() if map == "relu" else X.exp()


def worked(x: Any, map: str) -> Expression:
    """The function of one number, written out."""
    if map == "square":
        return Power(x, 2)
    if map == "elu":
        return Sum((x, ONE)) if x.cell.sign() > 0 else Apply("exp", x)
    return Apply(map, x)


def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The function of each number."""
    inside = factors(names[0], X)
    return tuple(
        Line(i, j, (equals(worked(inside[i][j], options.get("map", "elu"))), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(X: Any, *, map: str = "elu") -> Any:
    """torch's own elu, relu, exp and square."""
    import torch

    if map == "elu":
        return torch.nn.functional.elu(X) + 1
    return {"relu": torch.relu, "exp": torch.exp, "square": torch.square}[map](X)


def without_map(X: Matrix, *, map: str = "elu") -> Matrix:
    """X."""
    return X


def other_map(X: Matrix, *, map: str = "elu") -> Matrix:
    """ReLU in place of the map, or its square."""
    return rule(X, map="square" if map == "relu" else "relu")


def always_one_more(X: Matrix, *, map: str = "elu") -> Matrix:
    """max(0, x) + 1: below 0 it is e^x."""
    return X.relu() + X.scaled(Rational(0)).exp()


FEATURE = Op(
    name="feature",
    title="Feature map: a function of every number",
    parameters=("X",),
    options=(
        Option("map", "choice", "elu: x + 1 above 0 and e^x below (default); relu, exp, or square", MAPS),
    ),
    roles=(Role.TOKENS,),
    formula=Formula(
        matrix=r"\phi(${X})",
        each=r"${out:ij} = \phi(${X:ij}), \quad \phi(x) = x + 1 \text{ if } x > 0, \text{ else } e^x",
    ),
    variants=(
        ("map=relu", Formula(matrix=r"\phi(${X})", each=r"${out:ij} = \max(0, ${X:ij})")),
        ("map=exp", Formula(matrix=r"\phi(${X})", each=r"${out:ij} = e^{${X:ij}}")),
        ("map=square", Formula(matrix=r"\phi(${X})", each=r"${out:ij} = ${X:ij}^2")),
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="an exponential for each number, a product where it is squared",
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "map-forgotten", "Put every number of queries and keys through the feature map.", without_map
        ),
        Mistake("other-map", "Mind which feature map is asked for.", other_map),
        Mistake("one-more-everywhere", "Below 0 the map is e^x, not 1.", always_one_more),
    ),
    gradients=(back("X", "feature_gradient", "X", GRADIENT, settings=same_settings),),
)
