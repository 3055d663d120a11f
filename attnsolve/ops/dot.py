"""Dot-product scores: every query against every key, S = Q Kᵀ."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Family, Formula, Frame, Inner, Mistake, Onward, Op, Options, Role
from attnsolve.ops.misfits import numbers, unfit
from attnsolve.ops.pairs import as_scores, beneath, of_pairs
from attnsolve.ops.writing import closing, each_with_each, factors
from attnsolve.working import Line, Product, equals


def frame(Q: Frame, K: Frame) -> Frame:
    """A row for each query, a column for each key."""
    if Q.columns.size != K.columns.size:
        said = (
            f"{numbers(Q.columns.size)} per token in {{Q}}, but {K.columns.size} in {{K}}; queries and keys "
            "need the same width ({Q} is {Q:shape}, {K} is {K:shape})"
        )
        upright = Q.columns.size == 1 and Q.rows.size == K.columns.size
        hint = "; if {Q} is one vector, write it in one row, without ';'" if upright else ""
        raise unfit("K", said + hint, Q=Q, K=K)
    return Frame(Q.rows, K.rows)


def rule(Q: Matrix, K: Matrix) -> Matrix:
    """Q Kᵀ."""
    return Q @ K.T


def lines(
    Q: Matrix, K: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Query i against key j, product by product."""
    queries, keys = factors(names[0], Q), factors(names[1], K)
    return each_with_each(queries, keys, value)


def pair_frame(Q: Frame, K: Frame) -> Frame:
    """A row for each query and key, a column for each of their numbers."""
    return of_pairs(Q.rows, K.rows, K.columns.size)


def products(Q: Matrix, K: Matrix) -> Matrix:
    """q_ik k_jk, a row for each query and key."""
    return beneath([Q.take([i] * K.shape[0]) * K for i in range(Q.shape[0])])


def added_up(*, K: Matrix, products: Matrix) -> Matrix:
    """The scores from products that are there."""
    return as_scores(products.row_sums(), K.shape[0])


def product_lines(
    Q: Matrix, K: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """A number of the query times that of the key."""
    queries, keys = factors(names[0], Q), factors(names[1], K)
    return tuple(
        Line(row, k, (equals(Product((queries[i][k], keys[j][k]))), *closing(result)))
        for row, k, result in value.cells()
        for i, j in (divmod(row, K.shape[0]),)
    )


def product_twin(Q: Any, K: Any) -> Any:
    """All pairs of rows multiplied by torch at once."""
    return (Q[:, None, :] * K[None, :, :]).reshape(-1, K.shape[1])


def twin(Q: Any, K: Any) -> Any:
    """The same sum of products, as torch's einsum has it."""
    import torch

    return torch.einsum("id,jd->ij", Q, K)


def transposed(Q: Matrix, K: Matrix) -> Matrix:
    """K Qᵀ."""
    return K @ Q.T


def without_transpose(Q: Matrix, K: Matrix) -> Matrix:
    """Q K, which only square keys allow."""
    return Q @ K


PRODUCTS = Op(
    name="dot_products",
    title="Single products: a row for each query and key",
    parameters=("Q", "K"),
    family=Family.INNER,
    roles=(Role.TOKENS, Role.TOKENS),
    symbol="P",
    formula=Formula(
        matrix=r"\operatorname{products}(${Q}, ${K})",
        each=r"${local:p_ij} = ${Q:i} \odot ${K:j}",
    ),
    frame=pair_frame,
    rule=products,
    lines=product_lines,
    twin=product_twin,
)

DOT = Op(
    name="dot",
    title="Scores: compare each query with each key",
    why="A score says how well a query and a key go together: it is large where they point the same way.",
    parameters=("Q", "K"),
    family=Family.SCORE,
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(
        product=("Q", "K'"),
        each=r"${out:ij} = ${Q:i} \cdot ${K:j}",
        each_column=r"${out:ij} = ${Q:i}^{\top} ${K:j}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    inner=(Inner("products", PRODUCTS, replaces=("Q",)),),
    onward=Onward(("products",), added_up),
    mistakes=(
        Mistake(
            "transposed", "Row i of the scores belongs to query i: queries first, keys second.", transposed
        ),
        Mistake(
            "without-transpose",
            "Each query meets each key: multiply by the transpose of the keys.",
            without_transpose,
        ),
    ),
    gradients=(
        back("Q", "product", GRADIENT, "K", title=message("Gradient of the queries")),
        back("K", "right_gradient", GRADIENT, "Q", title=message("Gradient of the keys")),
    ),
)
