"""RMS norm: each token over the root of the mean of its squares, then γ."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops import Role, layer_norm
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options, UndefinedRow
from attnsolve.ops.layer_norm import EPSILON, constant, finish
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Power, Product, Quotient, Sum, equals, evaluate


def frame(X: Frame, gamma: Frame | None = None, *, epsilon: Expression = EPSILON) -> Frame:
    """As the tokens; γ has one number for each of their features."""
    return layer_norm.frame(X, gamma)


def squared(X: Matrix, epsilon: Expression) -> Matrix:
    """The mean of the squares of each token, plus ε."""
    means = (X * X).means()
    small = evaluate(epsilon)
    return means if small.is_zero() else means + constant(X, small)


def rule(X: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """γ x/√(mean of x² + ε)."""
    below = squared(X, epsilon)
    for i in X.row_places():
        if below.cell(i, 0).is_zero():
            raise UndefinedRow(
                "token {row}: all its numbers are 0 and so is ε, so it would be divided by 0", i
            )
    return finish(X / below.each("sqrt"), gamma, None)


def counting(X: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """A root for each token, a square and a division for each of its numbers."""
    means = (X * X).row_sums()
    (means + means).each("sqrt")
    return finish(X / X, gamma, None)


def lines(
    X: Matrix, gamma: Matrix | None = None, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The number over the root of the mean square, times γ."""
    tokens, small = factors(names[0], X), Num(evaluate(options.get("epsilon", EPSILON)))
    count = Num(Rational(X.shape[1]))
    made = []
    for i, j, result in value.cells():
        mean: Expression = Quotient(Sum(tuple(Power(x, 2) for x in tokens[i])), count)
        inside = mean if evaluate(small).is_zero() else Sum((mean, small))
        whole: Expression = Quotient(tokens[i][j], Apply("sqrt", inside))
        if gamma is not None:
            whole = Product((Num(gamma.cell(0, j)), whole))
        made.append(Line(i, j, (equals(whole), *closing(result))))
    return tuple(made)


def twin(X: Any, gamma: Any = None, *, epsilon: float = 1e-5) -> Any:
    """torch's own RMS norm."""
    from torch.nn.functional import rms_norm

    return rms_norm(X, X.shape[1:], None if gamma is None else gamma[0], epsilon)


def centred(X: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """The layer norm: less the mean first."""
    return layer_norm.rule(X, gamma, epsilon=epsilon)


def without_root(X: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """Divided by the mean square itself."""
    return finish(X / squared(X, epsilon), gamma, None)


def summed(X: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """Divided by the length: the root of the sum of the squares."""
    count = Rational(X.shape[1])
    return finish(X / squared(X, epsilon).scaled(count).each("sqrt"), gamma, None)


def without_gain(X: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """γ left out."""
    return rule(X, epsilon=epsilon)


RMS_NORM = Op(
    name="rms_norm",
    title="RMS norm: over the root of the mean square",
    parameters=("X", "gamma"),
    optional=("gamma",),
    options=(
        Option(
            "epsilon",
            "number",
            "the small ε (default 10^-5)",
            (),
            r"\varepsilon",
            positive=True,
            zero=True,
            default=EPSILON,
        ),
    ),
    roles=(Role.TOKENS, Role.ROW),
    formula=Formula(
        matrix=r"\operatorname{RMSNorm}(${X})",
        each=r"${out:i} = $[gamma:${gamma} \odot ]"
        r"\frac{${X:i}}{\sqrt{\frac{1}{d} \sum_{j} ${X:ij}^2 + \varepsilon}}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="a root for each token, a square and a division for each of its numbers, besides the gain",
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("centred", "RMS norm takes no mean off; only layer norm does.", centred),
        Mistake(
            "without-root", "Divide by the root of the mean square, not by the mean square.", without_root
        ),
        Mistake("summed-squares", "Take the mean of the squares, not their sum.", summed),
        Mistake("without-gain", "Multiply by γ afterwards.", without_gain),
    ),
    gradients=(
        back("X", "rms_norm_gradient", "X", GRADIENT, "gamma", settings=same_settings),
        back("gamma", "rms_gain_gradient", "X", GRADIENT, settings=same_settings),
    ),
)
