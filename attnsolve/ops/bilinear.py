"""Bilinear scores: a matrix stands between query and key, s = q W kᵀ + b."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, PARTIAL, back
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import numbers, require_row, unfit
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors, flipped
from attnsolve.working import Expression, Line, Num, Product, Sum, equals


def frame(Q: Frame, K: Frame, W: Frame, b: Frame | None = None) -> Frame:
    """A row for each query, a column for each key."""
    q, k = Q.columns.size, K.columns.size
    if W.shape != (q, k):
        raise unfit("W", f"a query has {numbers(q)} and a key {k}", needs=(q, k), W=W)
    if b is not None:
        require_row("b", b, 1, "the bias of these scores is a single number")
    return Frame(Q.rows, K.rows)


def rule(Q: Matrix, K: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """Q W Kᵀ + b, the bias added to every score."""
    return _with_bias(Q @ W @ K.T, b)


def _with_bias(scores: Matrix, b: Matrix | None) -> Matrix:
    return scores if b is None else scores + ones(scores.shape[0], 1) @ b @ ones(1, scores.shape[1])


def counting(Q: Matrix, K: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """Two products, and an addition for each score where there is a bias."""
    scores = Q @ W @ K.T
    return scores if b is None else scores + scores


def lines(
    Q: Matrix,
    K: Matrix,
    W: Matrix,
    b: Matrix | None = None,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """The query times each column of W, then times the key."""
    queries, keys = factors(names[0], Q), factors(names[1], K)
    columns, through = flipped(factors(names[2], W)), Q @ W
    extra = () if b is None else (Num(b.cell(0, 0)),)
    made = []
    for i, j, result in value.cells():
        products = [Sum(tuple(map(Product, zip(queries[i], column, strict=True)))) for column in columns]
        whole = Sum((*(Product(pair) for pair in zip(products, keys[j], strict=True)), *extra))
        stages = [equals(whole)]
        if through.kind in WRITTEN_OUT:
            numbers: list[Expression] = [Num(through.cell(i, k)) for k in range(len(columns))]
            short = (Product(pair) for pair in zip(numbers, keys[j], strict=True))
            stages.append(equals(Sum((*short, *extra))))
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def twin(Q: Any, K: Any, W: Any, b: Any = None) -> Any:
    """torch's own bilinear layer, for every pair of a query and a key."""
    import torch

    pairs = torch.cartesian_prod(torch.arange(len(Q)), torch.arange(len(K))).reshape(-1, 2)
    scores = torch.nn.functional.bilinear(
        Q[pairs[:, 0]], K[pairs[:, 1]], W[None], None if b is None else b[0]
    )
    return scores.reshape(len(Q), len(K))


def weights_transposed(Q: Matrix, K: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """Q Wᵀ Kᵀ + b."""
    return rule(Q, K, W.T, b)


def without_weights(Q: Matrix, K: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """Q Kᵀ + b."""
    return _with_bias(Q @ K.T, b)


def without_bias(Q: Matrix, K: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """Q W Kᵀ."""
    return rule(Q, K, W)


BILINEAR = Op(
    name="bilinear",
    title="Bilinear scores: compare each query with each key through a matrix",
    why=(
        "A score says how well a query and a key go together; the matrix between them says which of "
        "their numbers belong together."
    ),
    parameters=("Q", "K", "W", "b"),
    optional=("b",),
    family=Family.SCORE,
    roles=(Role.TOKENS, Role.TOKENS, Role.BETWEEN, Role.ROW),
    formula=Formula(
        product=("Q", "W", "K'"),
        plus="b",
        each=r"${out:ij} = ${Q:i} ${W} ${K:j}^{\top}$[b: + ${b}]",
        each_column=r"${out:ij} = ${Q:i}^{\top} ${W} ${K:j}$[b: + ${b}]",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "weights-transposed",
            "The query stands before the matrix and the key after it; do not transpose the matrix.",
            weights_transposed,
        ),
        Mistake("without-weights", "The matrix between query and key belongs to the score.", without_weights),
        Mistake("without-bias", "Add the bias to every score.", without_bias),
    ),
    gradients=(
        back(
            "Q",
            "left_gradient",
            PARTIAL,
            "W",
            title=message("Gradient of the queries"),
            partial=("product", GRADIENT, "K"),
        ),
        back(
            "K",
            "product",
            PARTIAL,
            "W",
            title=message("Gradient of the keys"),
            partial=("right_gradient", GRADIENT, "Q"),
        ),
        back(
            "W",
            "right_gradient",
            "Q",
            PARTIAL,
            title=message("Gradient of the matrix"),
            partial=("product", GRADIENT, "K"),
        ),
        back("b", "score_bias_gradient", GRADIENT),
    ),
)
