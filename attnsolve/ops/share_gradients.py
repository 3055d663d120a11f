"""Back through weights without exponentials: shares of a sum, of what is above 0, and sparsemax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.masked import shown, visible
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.softmax_gradient import along_rows, calculable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Quotient, Sum, equals

MINUS = Rational(-1)
FORGOTTEN = "Each score changes the sum that all are divided by: subtract the row's sum first."


def frame(S: Frame, A: Frame, G: Frame) -> Frame:
    """As the scores."""
    same_size(S, A, "compared", first="S", second="A")
    same_size(S, G, "multiplied number by number", first="S", second="G")
    return S


def seen(S: Matrix) -> Matrix:
    """The scores, with 0 for what a mask hides."""
    return shown(S) * visible(S)


def above(S: Matrix) -> Rationals:
    """1 where a score that is seen is above 0, else 0."""
    rows, columns = map(range, S.shape)
    scores = seen(S)
    return Rationals([[int(scores.cell(i, j).sign() > 0) for j in columns] for i in rows])


def of_shares(N: Matrix, A: Matrix, G: Matrix, kept: Matrix) -> Matrix:
    """(G - rowsum(G ∘ A)) over the sums of N, where `kept` is 1."""
    weights = calculable(A)
    centred = G - along_rows((G * weights).row_sums(), A)
    return centred * kept / along_rows(N.row_sums(), A)


def of_sum(S: Matrix, A: Matrix, G: Matrix) -> Matrix:
    """(G - rowsum(G ∘ A)) over the sum of the scores."""
    return of_shares(seen(S), A, G, visible(S))


def of_relu(S: Matrix, A: Matrix, G: Matrix) -> Matrix:
    """(G - rowsum(G ∘ A)) over the sum of the scores above 0, for those alone."""
    return of_shares(seen(S).relu(), A, G, above(S))


def counting(S: Matrix, A: Matrix, G: Matrix) -> Matrix:
    """A product for each number and two sums for each row, then a difference and a quotient."""
    (G * A).row_sums()
    S.row_sums()
    return (G - G) / S


def working(numbers: Callable[[Matrix], Matrix], kept: Callable[[Matrix], Rationals]) -> Callable[..., Any]:
    """The gradient less the row's sum, over what all were divided by."""

    def lines(
        S: Matrix, A: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
    ) -> tuple[Line, ...]:
        tops, weights, gradients = factors(names[0], numbers(S)), factors(names[1], A), factors(names[2], G)
        made = []
        for i, j, result in value.cells():
            if not kept(S).rows[i][j]:
                made.append(Line(i, j, closing(result)))
                continue
            total = Sum(tuple(Product((a, g)) for a, g in zip(weights[i], gradients[i], strict=True)))
            top = Sum((gradients[i][j], Product((Num(MINUS), total))))
            made.append(Line(i, j, (equals(Quotient(top, Sum(tuple(tops[i])))), *closing(result))))
        return tuple(made)

    return lines


def positive(S: Matrix) -> Matrix:
    """max(0, S), as far as it is seen."""
    return seen(S).relu()


def sum_twin(S: Any, A: Any, G: Any) -> Any:
    """The whole Jacobian of each row, times its gradient."""
    import torch

    kept = S.isfinite()
    total = S.masked_fill(~kept, 0.0).sum(dim=1)
    jacobians = (torch.eye(S.shape[1], dtype=S.dtype) - A[:, :, None]) / total[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, G) * kept


def relu_twin(S: Any, A: Any, G: Any) -> Any:
    """The same for what is above 0."""
    import torch

    kept = S > 0
    total = S.clamp_min(0.0).sum(dim=1)
    jacobians = (torch.eye(S.shape[1], dtype=S.dtype) - A[:, :, None]) / total[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, G) * kept


def sum_constant(S: Matrix, A: Matrix, G: Matrix) -> Matrix:
    """G over the sum of the scores."""
    return G * visible(S) / along_rows(seen(S).row_sums(), A)


def relu_constant(S: Matrix, A: Matrix, G: Matrix) -> Matrix:
    """G over the sum of the scores above 0."""
    return G * above(S) / along_rows(positive(S).row_sums(), A)


SUM_GRADIENT = Op(
    name="sum_gradient",
    title="Back through the shares of a sum",
    parameters=("S", "A", "G"),
    roles=(Role.SCORES, Role.SCORES, Role.SCORES),
    formula=Formula(
        matrix=r"(${G} - (${G} \odot ${A})\, \mathbf{1}\, \mathbf{1}^{\top}) "
        r"\oslash (${S}\, \mathbf{1}\, \mathbf{1}^{\top})",
        each=r"${out:ij} = \frac{${G:ij} - \sum_{k} ${G:ik}\, ${A:ik}}{\sum_{k} ${S:ik}}",
    ),
    frame=frame,
    rule=of_sum,
    counting=counting,
    lines=working(seen, visible),
    twin=sum_twin,
    mistakes=(Mistake("sum-constant", FORGOTTEN, sum_constant),),
)

RELU_GRADIENT = SUM_GRADIENT._replace(
    name="relu_gradient",
    title="Back through the ReLU normalisation: only scores above 0 have a gradient",
    formula=Formula(
        matrix=r"[${S} > 0] \odot (${G} - (${G} \odot ${A})\, \mathbf{1}\, \mathbf{1}^{\top}) "
        r"\oslash (\max(0, ${S})\, \mathbf{1}\, \mathbf{1}^{\top})",
        each=r"${out:ij} = [${S:ij} > 0]\, "
        r"\frac{${G:ij} - \sum_{k} ${G:ik}\, ${A:ik}}{\sum_{k} \max(0, ${S:ik})}",
    ),
    rule=of_relu,
    lines=working(positive, above),
    twin=relu_twin,
    mistakes=(
        Mistake("sum-constant", FORGOTTEN, relu_constant),
        Mistake(
            "negatives-too",
            "A score that is not above 0 has no weight, and its gradient is 0.",
            lambda S, A, G: of_shares(positive(S), A, G, visible(S)),
        ),
    ),
)
