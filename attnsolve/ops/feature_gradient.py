"""Back through a feature map of linear attention: the gradient times the slope of the map."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.activation_gradients import frame, rectify_slope
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.feature import FEATURE, MAPS
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Entry, Expression, Line, Num, Product, equals

MINUS, UNITY, TWO = Rational(-1), Rational(1), Rational(2)


def as_tokens(X: Frame, G: Frame, *, map: str = "elu") -> Frame:
    """As what went in."""
    return frame(X, G)


def slope(X: Matrix, map: str) -> Matrix:
    """1 above 0 and e^x below, [x > 0], e^x, or 2x."""
    if map == "relu":
        return rectify_slope(X)
    if map == "exp":
        return X.each("exp")
    if map == "square":
        return X.scaled(TWO)
    # e^{-max(0, -x)} is e^x below 0 and 1 above it.
    return X.scaled(MINUS).relu().scaled(MINUS).each("exp")


def rule(X: Matrix, G: Matrix, *, map: str = "elu") -> Matrix:
    """The gradient times the slope of the map."""
    return slope(calculable(X), map) * G


def counting(X: Matrix, G: Matrix, *, map: str = "elu") -> Matrix:
    """The slope of each number, where there is something to work out, then a product."""
    if map == "relu":
        return G
    return G * (X.scaled(TWO) if map == "square" else X.exp())


def worked(x: Num | Entry, map: str) -> Expression:
    """The slope at one number, written out."""
    if map == "square":
        return Product((Num(TWO), x))
    if map == "exp":
        return Apply("exp", x)
    above = x.cell.sign() > 0
    if map == "relu":
        return Num(Rational(int(above)))
    return Num(UNITY) if above else Apply("exp", x)


def lines(
    X: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Each gradient times the slope at its number."""
    before, gradients = factors(names[0], X), factors(names[1], G)
    map = options.get("map", "elu")
    return tuple(
        Line(i, j, (equals(Product((gradients[i][j], worked(before[i][j], map)))), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(X: Any, G: Any, *, map: str = "elu") -> Any:
    """torch's own way back through elu, relu, exp and square."""
    import torch

    maps = {"elu": torch.nn.functional.elu, "relu": torch.relu, "exp": torch.exp, "square": torch.square}
    return torch.func.vjp(maps[map], X)[1](G)[0]


def without_slope(X: Matrix, G: Matrix, *, map: str = "elu") -> Matrix:
    """G."""
    return G


def map_for_slope(X: Matrix, G: Matrix, *, map: str = "elu") -> Matrix:
    """G times the map itself."""
    return calculable(FEATURE.rule(calculable(X), map=map)) * G


def formula(slope: str) -> Formula:
    """With the slope φ' written out."""
    return Formula(matrix=r"\phi'(${X:laid}) \odot ${G:laid}", each=r"${out:ij} = ${G:ij}\, " + slope)


FEATURE_GRADIENT = Op(
    name="feature_gradient",
    title="Back through the feature map: times its slope",
    parameters=("X", "G"),
    options=FEATURE.options,
    roles=(Role.TOKENS, Role.TOKENS),
    formula=formula(r"\phi'(${X:ij}), \quad \phi'(x) = 1 \text{ if } x > 0, \text{ else } e^x"),
    variants=tuple(
        zip(
            (f"map={map}" for map in MAPS[1:]),
            (formula(slope) for slope in (r"[${X:ij} > 0]", r"e^{${X:ij}}", r"2\, ${X:ij}")),
            strict=True,
        )
    ),
    frame=as_tokens,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("slope-forgotten", "Multiply by the slope of the feature map.", without_slope),
        Mistake(
            "map-for-slope",
            "Multiply by the slope of the feature map, not by the features themselves.",
            map_for_slope,
        ),
    ),
)
