"""Layer norm: each token less its mean, over its deviation, then γ and β."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import ShapeError, UndefinedStep
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import multiply
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import (
    Formula,
    Frame,
    Ledger,
    Mistake,
    Onward,
    Op,
    Option,
    Options,
    Role,
    UndefinedRow,
)
from attnsolve.ops.misfits import numbers, require_row
from attnsolve.ops.moments import DEVIATION, MEAN, SAMPLE, VARIANCE, along, inner_values, moments, squares
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors
from attnsolve.working import (
    Apply,
    Expression,
    Line,
    Num,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    equals,
    evaluate,
)

# torch's own.
EPSILON: Expression = Power(Num(Rational(10)), -5)
MINUS = Rational(-1)
PLACES = ("variance", "deviation")


def frame(X: Frame, gamma: Frame | None = None, beta: Frame | None = None, **settings: Any) -> Frame:
    """As the tokens; γ and β have one number for each of their features."""
    for name, given in (("gamma", gamma), ("beta", beta)):
        if given is not None:
            width = X.columns.size
            require_row(name, given, width, f"a token has {numbers(width)} here")
    return X


def spread(X: Matrix, *, epsilon: Expression = EPSILON, epsilon_at: str = "variance") -> Matrix:
    """What each token is divided by: √(variance + ε), or the deviation plus ε."""
    return with_epsilon(moments(X)[1], epsilon=epsilon, epsilon_at=epsilon_at)


def with_epsilon(variance: Matrix, *, epsilon: Expression = EPSILON, epsilon_at: str = "variance") -> Matrix:
    """√(variance + ε), or the root of the variance plus ε."""
    small = constant(variance, evaluate(epsilon))
    if epsilon_at == "deviation":
        return variance.each("sqrt") + small
    return (variance + small).each("sqrt")


def constant(X: Matrix, number: Cell) -> Matrix:
    """A matrix of the size of X with one number everywhere."""
    return ones(*X.shape).scaled(number)


def finish(X: Matrix, gamma: Matrix | None, beta: Matrix | None) -> Matrix:
    """γ X + β, row by row."""
    rows = X.shape[0]
    scaled = X if gamma is None else X * gamma.repeated(rows)
    return scaled if beta is None else scaled + beta.repeated(rows)


def rule(X: Matrix, gamma: Matrix | None = None, beta: Matrix | None = None, **settings: Any) -> Matrix:
    """γ (X - mean)/√(variance + ε) + β."""
    below = spread(X, **settings)
    for i in range(X.shape[0]):
        if below.cell(i, 0).is_zero():
            raise UndefinedRow(
                "token {row}: all its numbers are equal and ε is 0, so it would be divided by 0", i
            )
    return finish((X - X.means()) / below, gamma, beta)


def from_moments(
    *,
    X: Matrix,
    gamma: Matrix | None = None,
    beta: Matrix | None = None,
    mean: Matrix | None = None,
    variance: Matrix | None = None,
    deviation: Matrix | None = None,
    **settings: Any,
) -> Matrix:
    """The result from a mean, a variance or a deviation that is there."""
    means = X.means() if mean is None else along(mean, X)
    if deviation is not None:
        variance = deviation * deviation
    spread = squares(X, means) if variance is None else along(variance, X)
    return finish((X - means) / with_epsilon(spread, **settings), gamma, beta)


def counting(
    X: Matrix,
    gamma: Matrix | None = None,
    beta: Matrix | None = None,
    *,
    epsilon: Expression = EPSILON,
    epsilon_at: str = "variance",
) -> Matrix:
    """Mean, variance, ε and root once a token; a difference, a square and a division for each number."""
    D = X - X.means()
    variance = (D * D).means().T.take([0]).T  # the same number all along a row is worked out once
    spread = variance if evaluate(epsilon).is_zero() else variance + variance
    spread.each("sqrt")
    return finish(D / D, gamma, beta)


def lines(
    X: Matrix,
    gamma: Matrix | None = None,
    beta: Matrix | None = None,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """The number less the mean, over the root, times γ, plus β."""
    written, tokens = X.kind in WRITTEN_OUT, factors(names[0], X)
    means, variances = moments(X)
    small: Expression = Num(evaluate(options.get("epsilon", EPSILON)))
    outside = options.get("epsilon_at") == "deviation"
    made = []
    for i, j, result in value.cells():
        mean: Expression = Num(multiply(MINUS, means.cell(i, j)))
        variance: Expression = Num(variances.cell(i, j))
        if not written:  # the table of the row tells what they are worth
            mean = Product((Num(MINUS), Symbol("mu", means.cell(i, j))))
            variance = Symbol("sigma2", variances.cell(i, j))
        if evaluate(small).is_zero():
            below: Expression = Apply("sqrt", variance)
        else:
            below = (
                Sum((Apply("sqrt", variance), small)) if outside else Apply("sqrt", Sum((variance, small)))
            )
        whole: Expression = Quotient(Sum((tokens[i][j], mean)), below)
        if gamma is not None:
            whole = Product((Num(gamma.cell(0, j)), whole))
        if beta is not None:
            whole = Sum((whole, Num(beta.cell(0, j))))
        made.append(Line(i, j, (equals(whole), *closing(result))))
    return tuple(made)


def ledger(X: Matrix, *others: Matrix, value: Matrix, options: Options, row: int) -> Ledger:
    """The numbers of one token, how far each is from their mean, and the squares: their mean is σ²."""
    token = X.take([row])
    means, variances = moments(token)
    deviations = token - means
    squares = deviations * deviations
    columns = tuple(range(X.shape[1]))
    rows = tuple(tuple(Num(table.cell(0, j)) for table in (token, deviations, squares)) for j in columns)
    return Ledger(
        ("${X:ij}", r"${X:ij} - \mu", r"(${X:ij} - \mu)^2"),
        rows,
        columns,
        means=((r"\mu", means.cell(0, 0)), None, (r"\sigma^2", variances.cell(0, 0))),
    )


def twin(
    X: Any, gamma: Any = None, beta: Any = None, *, epsilon: float = 1e-5, epsilon_at: str = "variance"
) -> Any:
    """torch's own layer norm; where ε stands on the deviation torch has none, but its std."""
    import torch

    scale, shift = (None if row is None else row[0] for row in (gamma, beta))
    if epsilon_at == "variance":
        return torch.nn.functional.layer_norm(X, X.shape[1:], scale, shift, eps=epsilon)
    deviation, mean = torch.std_mean(X, dim=1, correction=0, keepdim=True)
    normal = (X - mean) / (deviation + epsilon)
    return torch.addcmul(
        0 * X if shift is None else shift, normal, torch.ones_like(X) if scale is None else scale
    )


def terms(
    X: Any, gamma: Any = None, beta: Any = None, *, epsilon: float = 1e-5, epsilon_at: str = "variance"
) -> Any:
    """(|x| + |mean|)/σ·|γ|: torch subtracts them, and little is left where the mean is far from 0."""
    mean, variance = X.mean(dim=1, keepdim=True), X.var(dim=1, correction=0, keepdim=True)
    below = (variance + epsilon).sqrt() if epsilon_at == "variance" else variance.sqrt() + epsilon
    sizes = (X.abs() + mean.abs()) / below
    return sizes if gamma is None else sizes * gamma.abs()


def epsilon_misplaced(
    X: Matrix,
    gamma: Matrix | None = None,
    beta: Matrix | None = None,
    *,
    epsilon_at: str = "variance",
    **settings: Any,
) -> Matrix:
    """ε on the deviation where it belongs to the variance, or the other way round."""
    other = "deviation" if epsilon_at == "variance" else "variance"
    return rule(X, gamma, beta, epsilon_at=other, **settings)


def over_tokens(
    X: Matrix, gamma: Matrix | None = None, beta: Matrix | None = None, **settings: Any
) -> Matrix:
    """Each feature over all tokens, as batch norm does."""
    return finish(rule(X.T, **settings).T, gamma, beta)


def sample_variance(
    X: Matrix,
    gamma: Matrix | None = None,
    beta: Matrix | None = None,
    *,
    epsilon: Expression = EPSILON,
    epsilon_at: str = "variance",
) -> Matrix:
    """The variance over d - 1 instead of d."""
    width = X.shape[1]
    if width < 2:
        raise ShapeError("one number has no sample variance")
    shrink = evaluate(Quotient(Num(Rational(width - 1)), Num(Rational(width))))
    # √(v·d/(d-1) + ε) = √(d/(d-1)) · √(v + ε(d-1)/d): the rule itself, with another ε and scaled.
    factor = Apply("sqrt", Num(shrink)) if epsilon_at == "deviation" else Num(shrink)
    smaller: Expression = Num(multiply(evaluate(epsilon), evaluate(factor)))
    plain = rule(X, epsilon=smaller, epsilon_at=epsilon_at)
    return finish(plain.scaled(evaluate(Apply("sqrt", Num(shrink)))), gamma, beta)


def without_root(
    X: Matrix,
    gamma: Matrix | None = None,
    beta: Matrix | None = None,
    *,
    epsilon: Expression = EPSILON,
    epsilon_at: str = "variance",
) -> Matrix:
    """Divided by the variance itself."""
    D = X - X.means()
    below = (D * D).means() + constant(X, evaluate(epsilon))
    if any(below.cell(i, 0).is_zero() for i in range(X.shape[0])):
        raise UndefinedStep("the variance is 0")
    return finish(D / below, gamma, beta)


def without_gain(
    X: Matrix, gamma: Matrix | None = None, beta: Matrix | None = None, **settings: Any
) -> Matrix:
    """γ and β left out."""
    return rule(X, **settings)


MATRIX = r"\operatorname{LayerNorm}(${X})"
EACH = r"${out:i} = $[gamma:${gamma} \odot ]\frac{${X:i} - \mu_i}{BELOW}$[beta: + ${beta}]"

OPTIONS = (
    Option(
        "epsilon",
        "number",
        "the small ε (default 10^-5, as torch)",
        (),
        r"\varepsilon",
        positive=True,
        zero=True,
        default=EPSILON,
    ),
    Option("epsilon_at", "choice", "where ε is added: to the variance (default) or the deviation", PLACES),
)

LAYER_NORM = Op(
    name="layer_norm",
    title="Layer norm: less the mean, over the deviation",
    why="Numbers that have grown or shrunk on the way are brought back to one size, token by token.",
    parameters=("X", "gamma", "beta"),
    optional=("gamma", "beta"),
    options=OPTIONS,
    roles=(Role.TOKENS, Role.ROW, Role.ROW),
    formula=Formula(matrix=MATRIX, each=EACH.replace("BELOW", r"\sqrt{\sigma_i^2 + \varepsilon}")),
    variants=(
        (
            "epsilon_at=deviation",
            Formula(matrix=MATRIX, each=EACH.replace("BELOW", r"\sqrt{\sigma_i^2} + \varepsilon")),
        ),
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="a mean, a variance and a root for each token, and a difference, a square and a division "
    "for each of its numbers, besides what the small constant, the gain and the bias add",
    lines=lines,
    ledger=ledger,
    twin=twin,
    cancelling=terms,
    inner=inner_values(OPTIONS),
    onward=Onward((MEAN, VARIANCE, DEVIATION), from_moments),
    mistakes=(
        Mistake(
            "epsilon-misplaced",
            "Mind where ε is added: to the variance or to the deviation.",
            epsilon_misplaced,
        ),
        Mistake(
            "over-tokens", "Layer norm runs over the numbers of one token, not over the tokens.", over_tokens
        ),
        Mistake(
            "sample-variance",
            SAMPLE,
            sample_variance,
        ),
        Mistake("without-root", "Divide by the root of the variance, not by the variance.", without_root),
        Mistake("without-gain", "Multiply by γ and add β afterwards.", without_gain),
    ),
    gradients=(
        back("X", "layer_norm_gradient", "X", GRADIENT, "gamma", settings=same_settings),
        back("gamma", "gain_gradient", "X", GRADIENT, settings=same_settings),
        back("beta", "total", GRADIENT, title=message("Gradient of a bias: the sum of all rows")),
    ),
)
