"""Back through a softmax: dS = A ∘ (G - rowsum(G ∘ A)), which is the row's Jacobian times its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.balls import Balls
from attnsolve.exact.rationals import ones
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.exponentials import TEMPERATURE
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Entry, Expression, Line, Num, Product, Quotient, Sum, equals, evaluate

UNITY, MINUS = Rational(1), Rational(-1)


def frame(A: Frame, G: Frame, **settings: Any) -> Frame:
    """As the weights."""
    same_size(A, G, "multiplied number by number", first="A", second="G")
    return A


def calculable(A: Matrix) -> Matrix:
    """Weights as they are multiplied with each other: products of quotients of exponentials read nobody."""
    return Balls.of(A) if A.kind == "attention" else A


def along_rows(column: Matrix, A: Matrix) -> Matrix:
    """One number for each row, repeated along it."""
    return column @ ones(1, A.shape[1])


def rule(A: Matrix, G: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """A ∘ (G - rowsum(G ∘ A)), over the temperature."""
    weights = calculable(A)
    made = weights * (G - along_rows((G * weights).row_sums(), A))
    return made if temperature is None else made / evaluate(temperature)


def counting(A: Matrix, G: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """A product for each number, a sum for each row, a difference and a product for each number."""
    (G * A).row_sums()
    made = A * (G - G)
    return made if temperature is None else made / evaluate(temperature)


def lines(
    A: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The gradient against a column of the Jacobian; then shorter, with the row's sum taken out once."""
    weights, gradients = factors(names[0], A), factors(names[1], G)
    made = []
    for i, j, result in value.cells():
        row, back = weights[i], gradients[i]
        whole = Sum(tuple(jacobian_entry(row, k, j, times=(back[k],)) for k in range(len(row))))
        total = Sum(tuple(Product((a, g)) for a, g in zip(row, back, strict=True)))
        stages = [
            equals(over(whole, options), fine=True),
            equals(over(Product((row[j], Sum((back[j], Product((Num(MINUS), total)))))), options)),
        ]
        if all(isinstance(number, Num) for number in (*row, *back)):
            short = Product((row[j], Sum((back[j], negative(Num(evaluate(total)))))))
            stages.append(equals(over(short, options)))
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def jacobian_entry(
    row: Sequence[Num | Entry], k: int, j: int, *, times: tuple[Num | Entry, ...] = ()
) -> Expression:
    """∂a_k/∂s_j: a_j (1 - a_j) on the diagonal, -a_k a_j beside it; `times` stands before it."""
    if k == j:
        return Product((*times, row[j], Sum((Num(UNITY), negative(row[j])))))
    return Product((Num(MINUS), *times, row[k], row[j]))


def over(expression: Expression, options: Options) -> Expression:
    """The same over the temperature, if there is one."""
    temperature = options.get("temperature")
    return expression if temperature is None else Quotient(expression, temperature)


def twin(A: Any, G: Any, *, temperature: float = 1.0) -> Any:
    """The whole Jacobian of each row, times its gradient."""
    import torch

    jacobians = torch.diag_embed(A) - A[:, :, None] * A[:, None, :]
    return torch.einsum("ikj,ik->ij", jacobians, G) / temperature


def terms(A: Any, G: Any, *, temperature: float = 1.0) -> Any:
    """A (|G| + Σ |G| A): torch subtracts them, and little is left where the gradients are alike."""
    return A * (G.abs() + (G.abs() * A).sum(dim=1, keepdim=True)) / abs(temperature)


def diagonal_only(A: Matrix, G: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """G ∘ A ∘ (1 - A)."""
    weights = calculable(A)
    made = G * weights * (ones(*A.shape) - weights)
    return made if temperature is None else made / evaluate(temperature)


def without_sum(A: Matrix, G: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """G ∘ A."""
    made = G * calculable(A)
    return made if temperature is None else made / evaluate(temperature)


def down_columns(A: Matrix, G: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """The sums down the columns."""
    return rule(A.T, G.T, temperature=temperature).T


SOFTMAX_GRADIENT = Op(
    name="softmax_gradient",
    title="Back through the softmax: the Jacobian of each row times its gradient",
    parameters=("A", "G"),
    options=(TEMPERATURE,),
    roles=(Role.SCORES, Role.SCORES),
    formula=Formula(
        matrix=r"${A} \odot (${G} - (${G} \odot ${A})\, \mathbf{1}\, \mathbf{1}^{\top})",
        each=r"${out:ij} = ${A:ij}\, \Bigl(${G:ij} - \sum_{k} ${G:ik}\, ${A:ik}\Bigr)",
    ),
    variants=(
        (
            "temperature",
            Formula(
                matrix=r"\frac{1}{${temperature}}\, ${A} \odot (${G} - (${G} \odot ${A})\, \mathbf{1}\, "
                r"\mathbf{1}^{\top})",
                each=r"${out:ij} = \frac{${A:ij}}{${temperature}} "
                r"\Bigl(${G:ij} - \sum_{k} ${G:ik}\, ${A:ik}\Bigr)",
            ),
        ),
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake(
            "diagonal-only",
            "Each score changes all weights of its row: a softmax's Jacobian has more than its diagonal.",
            diagonal_only,
        ),
        Mistake(
            "row-sum-forgotten",
            "Subtract the row's sum of gradients times weights before you multiply by the weight.",
            without_sum,
        ),
        Mistake(
            "down-columns",
            "The weights of one query belong together: add up over the keys, not the queries.",
            down_columns,
        ),
    ),
)
