"""Back through an activation: the gradient times the slope, number by number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.cells import Cell, multiply, square_root
from attnsolve.exact.functions import pi, power
from attnsolve.exact.rationals import ones
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.blending import complement
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import (
    Apply,
    Entry,
    Expression,
    Line,
    Num,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    equals,
)

UNITY, TWO, HALF = Rational(1), Rational(2), Rational(Fraction(1, 2))
FORGOTTEN = "Multiply by the slope of the activation."


def frame(X: Frame, G: Frame) -> Frame:
    """As what was activated."""
    same_size(X, G, "multiplied number by number", first="X", second="G")
    return X


def without_slope(X: Matrix, G: Matrix) -> Matrix:
    """G."""
    return G


def going_back(
    name: str,
    word: str,
    slope: Callable[[Matrix], Matrix],
    worked: Callable[[Num | Entry], Expression],
    *,
    formula: str,
    twin: Callable[[Any, Any], Any],
    mistake: Mistake,
    counting: Callable[..., Matrix] | None = None,
) -> Op:
    """An op that multiplies a gradient by the slope of an activation at every number."""

    def rule(X: Matrix, G: Matrix) -> Matrix:
        """The gradient times the slope."""
        return slope(calculable(X)) * G

    def lines(
        X: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
    ) -> tuple[Line, ...]:
        before, gradients = factors(names[0], X), factors(names[1], G)
        return tuple(
            Line(i, j, (equals(Product((gradients[i][j], worked(before[i][j])))), *closing(result)))
            for i, j, result in value.cells()
        )

    return Op(
        name=name,
        title=f"Back through {word}: times its slope",
        parameters=("X", "G"),
        roles=(Role.TOKENS, Role.TOKENS),
        formula=Formula(
            matrix=rf"${{G:laid}} \odot {formula.replace('*', '${X:laid}')}",
            each=rf"${{out:ij}} = ${{G:ij}}\, {formula.replace('*', '${X:ij}')}",
        ),
        frame=frame,
        rule=rule,
        lines=lines,
        twin=twin,
        counting=counting,
        mistakes=(Mistake("slope-forgotten", FORGOTTEN, without_slope), mistake),
    )


def tanh_slope(Y: Matrix) -> Matrix:
    """1 - Y², from the result."""
    return complement(Y * Y)


def tanh_worked(y: Num | Entry) -> Expression:
    """1 - y²."""
    return Sum((Num(UNITY), Product((Num(Rational(-1)), Power(y, 2)))))


def tanh_twin(X: Any, G: Any) -> Any:
    """torch's own way back through tanh."""
    import torch

    return torch.ops.aten.tanh_backward(G, X)


def tanh_squared_forgotten(X: Matrix, G: Matrix) -> Matrix:
    """G ∘ (1 - Y)."""
    return complement(calculable(X)) * G


TANH_GRADIENT = going_back(
    "tanh_gradient",
    "tanh",
    tanh_slope,
    tanh_worked,
    formula="(1 - *^2)",
    twin=tanh_twin,
    mistake=Mistake(
        "square-forgotten", "The slope of tanh is 1 less the square of its value.", tanh_squared_forgotten
    ),
)


def sigmoid_slope(Y: Matrix) -> Matrix:
    """Y (1 - Y), from the result."""
    return Y * complement(Y)


def sigmoid_worked(y: Num | Entry) -> Expression:
    """y (1 - y)."""
    return Product((y, Sum((Num(UNITY), negative(y)))))


def sigmoid_twin(X: Any, G: Any) -> Any:
    """torch's own way back through the sigmoid."""
    import torch

    return torch.ops.aten.sigmoid_backward(G, X)


def tanhs_slope(X: Matrix, G: Matrix) -> Matrix:
    """G ∘ (1 - Y²)."""
    return tanh_slope(calculable(X)) * G


SIGMOID_GRADIENT = going_back(
    "sigmoid_gradient",
    "the sigmoid",
    sigmoid_slope,
    sigmoid_worked,
    formula=r"* \odot (1 - *)",
    twin=sigmoid_twin,
    mistake=Mistake(
        "slope-of-tanh", "The slope of the sigmoid is its value times 1 less its value.", tanhs_slope
    ),
)


def rectify_slope(X: Matrix) -> Matrix:
    """1 where X is above 0, else 0."""
    rows, columns = map(range, X.shape)
    return Rationals([[int(X.cell(i, j).sign() > 0) for j in columns] for i in rows])


def rectify_worked(x: Num | Entry) -> Expression:
    """1 or 0."""
    return Num(Rational(int(x.cell.sign() > 0)))


def rectify_twin(X: Any, G: Any) -> Any:
    """torch's own way back through ReLU, which has no slope at 0."""
    import torch

    return torch.ops.aten.threshold_backward(G, X, 0)


def rectify_counting(X: Matrix, G: Matrix) -> Matrix:
    """Nothing but choosing."""
    return G


def gradient_rectified(X: Matrix, G: Matrix) -> Matrix:
    """max(0, G)."""
    return G.relu()


RECTIFY_GRADIENT = going_back(
    "rectify_gradient",
    "ReLU",
    rectify_slope,
    rectify_worked,
    formula="[* > 0]",
    twin=rectify_twin,
    counting=rectify_counting,
    mistake=Mistake(
        "gradient-rectified",
        "What counts is whether the number that went in was above 0, not its gradient.",
        gradient_rectified,
    ),
)


def below_bell() -> Cell:
    """√(2π)."""
    return multiply(square_root(Fraction(2)), power(pi(), Fraction(1, 2)))


def gelu_slope(X: Matrix) -> Matrix:
    """Φ(x) + x φ(x), with the bell curve φ and the area Φ below it."""
    error = (X / square_root(Fraction(2))).each("erf")
    bell = (X * X).scaled(Rational(Fraction(-1, 2))).each("exp") / below_bell()
    return (ones(*X.shape) + error).scaled(HALF) + X * bell


def gelu_counting(X: Matrix, G: Matrix) -> Matrix:
    """The slope of each number, then a product."""
    error, bell = X.scaled(HALF).each("erf"), (X * X).scaled(HALF).exp().scaled(HALF)
    return ((error + error).scaled(HALF) + X * bell) * G


def gelu_worked(x: Num | Entry) -> Expression:
    """½ (1 + erf(x/√2)) + x e^{-x²/2}/√(2π)."""
    error = Apply("erf", Quotient(x, Apply("sqrt", Num(TWO))))
    area = Product((Num(HALF), Sum((Num(UNITY), error))))
    exponent = Product((Num(Rational(Fraction(-1, 2))), Power(x, 2)))
    below = Apply("sqrt", Product((Num(TWO), Symbol("pi", pi()))))
    return Sum((area, Quotient(Product((x, Apply("exp", exponent))), below)))


def gelu_twin(X: Any, G: Any) -> Any:
    """torch's own way back through GELU."""
    import torch

    return torch.ops.aten.gelu_backward(G, X)


def area_only(X: Matrix, G: Matrix) -> Matrix:
    """G ∘ Φ(X)."""
    error = (calculable(X) / square_root(Fraction(2))).each("erf")
    return (ones(*X.shape) + error).scaled(HALF) * G


GELU_GRADIENT = going_back(
    "gelu_gradient",
    "GELU",
    gelu_slope,
    gelu_worked,
    formula=r"(\Phi(*) + * \odot \varphi(*))",
    twin=gelu_twin,
    counting=gelu_counting,
    mistake=Mistake(
        "product-rule-forgotten", "GELU is x times Φ(x): the product rule has two terms.", area_only
    ),
)
