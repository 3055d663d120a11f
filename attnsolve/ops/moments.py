"""Inside a layer norm: the mean of each token, its variance, and the deviation."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import ShapeError
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import divide, multiply
from attnsolve.exact.rationals import ones
from attnsolve.ops.base import Axis, Family, Formula, Frame, Inner, Mistake, Onward, Op, Option, Options, Role
from attnsolve.ops.writing import WRITTEN_OUT, closing
from attnsolve.working import Apply, Line, Num, Power, Quotient, Stage, Sum, equals, evaluate

MEAN, VARIANCE, DEVIATION = "mean", "variance", "deviation"
MINUS = Rational(-1)
SAMPLE = "The variance here is the mean of the squares: divide by d, not by d - 1."


def squares(X: Matrix, means: Matrix) -> Matrix:
    """The mean of (x - mean)² of each row, repeated along it."""
    D = X - means
    return (D * D).means()


def moments(X: Matrix) -> tuple[Matrix, Matrix]:
    """The mean and the variance of each row, repeated along it."""
    means = X.means()
    return means, squares(X, means)


def along(column: Matrix, X: Matrix) -> Matrix:
    """One number for each row of X, repeated along it."""
    return column @ ones(1, X.shape[1])


def each_token(X: Frame, *others: Frame, **settings: Any) -> Frame:
    """One number for each token."""
    return Frame(X.rows, Axis(1))


def mean(X: Matrix, *others: Matrix, **settings: Any) -> Matrix:
    """The mean of each token's numbers."""
    return X.means().columns(0, 1)


def variance(X: Matrix, *others: Matrix, **settings: Any) -> Matrix:
    """The mean of the squares of what they differ from it."""
    return variance_from(X=X, mean=mean(X))


def deviation(X: Matrix, *others: Matrix, **settings: Any) -> Matrix:
    """The root of the variance."""
    return variance(X).each("sqrt")


def variance_from(*, X: Matrix, mean: Matrix, **others: Any) -> Matrix:
    """The variance around a mean that is there."""
    return squares(X, along(mean, X)).columns(0, 1)


def deviation_from(
    *, X: Matrix, mean: Matrix | None = None, variance: Matrix | None = None, **others: Any
) -> Matrix:
    """The root of a variance that is there, or of that around a mean."""
    if variance is None:
        assert mean is not None
        variance = variance_from(X=X, mean=mean)
    return variance.each("sqrt")


def sample_variance(X: Matrix, *others: Matrix, **settings: Any) -> Matrix:
    """The variance over d - 1 instead of d."""
    width = X.shape[1]
    if width < 2:
        raise ShapeError("one number has no sample variance")
    return variance(X).scaled(divide(Rational(width), Rational(width - 1)))


def sample_deviation(X: Matrix, *others: Matrix, **settings: Any) -> Matrix:
    """The root of the variance over d - 1."""
    return sample_variance(X).each("sqrt")


def mean_lines(
    X: Matrix, *others: Matrix, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """All numbers of the token added up, over how many they are."""
    return row_lines(X, value, lambda row: Quotient(Sum(tuple(map(Num, row))), Num(Rational(len(row)))))


def variance_lines(
    X: Matrix, *others: Matrix, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The squares of what each number differs from the mean, added up, over how many they are."""

    def worked(row: list[Cell]) -> Quotient:
        centre = mean_of(row)
        less = () if centre.is_zero() else (Num(multiply(MINUS, centre)),)
        terms = [Power(Sum((Num(x), *less)), 2) for x in row]
        return Quotient(Sum(tuple(terms)), Num(Rational(len(row))))

    return row_lines(X, value, worked)


def deviation_lines(
    X: Matrix, *others: Matrix, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The root of the variance, as a number."""
    spread = variance(X)
    return tuple(
        Line(i, 0, (*root(spread.cell(i, 0), X), *closing(value.cell(i, 0)))) for i in range(X.shape[0])
    )


def root(number: Cell, X: Matrix) -> tuple[Stage, ...]:
    """√number, where the numbers of X are written out."""
    return (equals(Apply("sqrt", Num(number))),) if X.kind in WRITTEN_OUT else ()


def mean_of(row: list[Cell]) -> Cell:
    """The mean of some numbers."""
    return evaluate(Quotient(Sum(tuple(map(Num, row))), Num(Rational(len(row)))))


def row_lines(X: Matrix, value: Matrix, worked: Any) -> tuple[Line, ...]:
    """A line for each token; long numbers are not written out."""
    made = []
    for i in range(X.shape[0]):
        row = [X.cell(i, j) for j in range(X.shape[1])]
        stages = (equals(worked(row)),) if X.kind in WRITTEN_OUT else ()
        made.append(Line(i, 0, (*stages, *closing(value.cell(i, 0)))))
    return tuple(made)


def mean_twin(X: Any, *others: Any, **settings: Any) -> Any:
    """torch's own mean."""
    return X.mean(dim=1, keepdim=True)


def variance_twin(X: Any, *others: Any, **settings: Any) -> Any:
    """torch's own variance, over d."""
    return X.var(dim=1, correction=0, keepdim=True)


def deviation_twin(X: Any, *others: Any, **settings: Any) -> Any:
    """torch's own standard deviation, over d."""
    return X.std(dim=1, correction=0, keepdim=True)


def inner_values(options: tuple[Option, ...]) -> tuple[Inner, ...]:
    """Mean, variance and deviation, of an op with these settings."""
    shared: dict[str, Any] = {
        "parameters": ("X", "gamma", "beta"),
        "optional": ("gamma", "beta"),
        "options": options,
        "family": Family.INNER,
        "roles": (Role.TOKENS, Role.ROW, Role.ROW),
        "frame": each_token,
    }
    size = r"\operatorname{mean}"
    of_means = Op(
        name="layer_norm_mean",
        title="Mean of each token",
        symbol=r"\mu",
        formula=Formula(matrix=rf"{size}(${{X}})", each=r"${out:i} = \tfrac{1}{d} \sum_{j} ${X:ij}"),
        rule=mean,
        lines=mean_lines,
        twin=mean_twin,
        **shared,
    )
    of_variances = Op(
        name="layer_norm_variance",
        title="Variance of each token: the mean of the squares around its mean",
        symbol=r"\sigma^2",
        formula=Formula(
            matrix=rf"{size}((${{X}} - \mu)^2)", each=r"${out:i} = \tfrac{1}{d} \sum_{j} (${X:ij} - \mu_i)^2"
        ),
        rule=variance,
        lines=variance_lines,
        twin=variance_twin,
        onward=Onward((MEAN,), variance_from),
        mistakes=(Mistake("sample-variance", SAMPLE, sample_variance),),
        **shared,
    )
    of_deviations = Op(
        name="layer_norm_deviation",
        title="Deviation of each token: the root of its variance",
        symbol=r"\sigma",
        formula=Formula(matrix=rf"\sqrt{{{size}((${{X}} - \mu)^2)}}", each=r"${out:i} = \sqrt{\sigma_i^2}"),
        rule=deviation,
        lines=deviation_lines,
        twin=deviation_twin,
        onward=Onward((MEAN, VARIANCE), deviation_from),
        mistakes=(
            Mistake("sample-variance", SAMPLE, sample_deviation),
            Mistake("without-root", "The deviation is the root of the variance.", variance),
        ),
        **shared,
    )
    return (
        Inner(MEAN, of_means, spoken=("mu", "means", "average")),
        Inner(VARIANCE, of_variances, spoken=("var", "variances", "sigma^2", "sigma2")),
        Inner(DEVIATION, of_deviations, replaces=(VARIANCE,), spoken=("sigma", "std", "deviations")),
    )
