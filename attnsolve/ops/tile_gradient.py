"""Back through a softmax that sees its keys in tiles: dS = A ∘ (dA - rowsum(Z ∘ dZ)), tile by tile."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.softmax_gradient import along_rows, calculable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Sum, equals

MINUS = Num(Rational(-1))


def frame(A: Frame, H: Frame, Z: Frame, G: Frame) -> Frame:
    """As the weights of the tile."""
    same_size(A, H, "multiplied number by number", first="A", second="H")
    same_size(Z, G, "multiplied number by number", first="Z", second="G")
    if Z.rows.size != A.rows.size:
        raise unfit("Z", f"there are {A.rows.size} queries", needs=(A.rows.size, None), Z=Z)
    return A


def rule(A: Matrix, H: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """A ∘ (H - rowsum(Z ∘ G))."""
    weights = calculable(A)
    return weights * (H - along_rows((G * calculable(Z)).row_sums(), A))


def counting(A: Matrix, H: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """A product for each number of the output, a sum for each row, two more steps for each weight."""
    (G * Z).row_sums()
    return A * (H - H)


def lines(
    A: Matrix,
    H: Matrix,
    Z: Matrix,
    G: Matrix,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """The weight times what its gradient is above the output with its own gradient."""
    tables = [factors(name, matrix) for name, matrix in zip(names, (A, H, Z, G), strict=True)]
    weights, back, outputs, gradients = tables
    made = []
    for i, j, result in value.cells():
        total = Sum(tuple(Product(pair) for pair in zip(outputs[i], gradients[i], strict=True)))
        whole = Product((weights[i][j], Sum((back[i][j], Product((MINUS, total))))))
        made.append(Line(i, j, (equals(whole), *closing(result))))
    return tuple(made)


def twin(A: Any, H: Any, Z: Any, G: Any) -> Any:
    """Weights times gradients, less the weights times one dot product for each query."""
    import torch

    return torch.addcmul(A * H, A, torch.linalg.vecdot(Z, G)[:, None], value=-1)


def terms(A: Any, H: Any, Z: Any, G: Any) -> Any:
    """A (|H| + Σ |Z G|): what may cancel."""
    return A.abs() * (H.abs() + (Z * G).abs().sum(dim=1, keepdim=True))


def sum_of_the_tile(A: Matrix, H: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """A ∘ (H - rowsum(A ∘ H)), as if there were no other tile."""
    weights = calculable(A)
    return weights * (H - along_rows((H * weights).row_sums(), A))


def sum_forgotten(A: Matrix, H: Matrix, Z: Matrix, G: Matrix) -> Matrix:
    """A ∘ H."""
    return calculable(A) * H


TILE_GRADIENT = Op(
    name="tile_gradient",
    title="Back through the softmax in this tile: less the output with its gradient",
    parameters=("A", "H", "Z", "G"),
    roles=(Role.SCORES, Role.SCORES, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{back}(${A}, ${H})",
        each=r"${out:ij} = ${A:ij} \left(${H:ij} - ${Z:i} \cdot ${G:i}\right)",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="a product for each number of the output, a sum for each query, two steps for each weight",
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake(
            "sum-of-the-tile",
            "The weights of all tiles sum to 1: subtract the sum over all keys, which is the output with "
            "its gradient.",
            sum_of_the_tile,
        ),
        Mistake(
            "sum-forgotten",
            "Each score changes all weights of its row, those of other tiles too.",
            sum_forgotten,
        ),
    ),
)
