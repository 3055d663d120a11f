"""Cosine scores: the dot product of query and key over their lengths."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.ops import Role, dot
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Family, Formula, Frame, Inner, Mistake, Onward, Op, Options, UndefinedRow
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Power, Product, Quotient, Sum, equals, evaluate

PRODUCTS, OF_QUERIES, OF_KEYS = "dot", "query_length", "key_length"


def squares(X: Matrix) -> Matrix:
    """The squared length of each row, as a column."""
    return (X * X).row_sums()


def lengths(X: Matrix) -> Matrix:
    """The length of each row, as a column."""
    return squares(X).each("sqrt")


def rule(Q: Matrix, K: Matrix) -> Matrix:
    """q_i · k_j / (|q_i| |k_j|)."""
    queries, keys = require_directions(Q, K)
    return (Q @ K.T) / (queries.each("sqrt") @ keys.each("sqrt").T)


def require_directions(Q: Matrix, K: Matrix) -> tuple[Matrix, Matrix]:
    """The squared lengths of both; the zero vector is refused."""
    queries, keys = squares(Q), squares(K)
    for i in Q.row_places():
        if queries.cell(i, 0).is_zero():
            raise UndefinedRow("query {row}: it is the zero vector, which has no direction, so no cosine", i)
    for j in K.row_places():
        if keys.cell(j, 0).is_zero():
            raise UndefinedRow(
                "key {columns}: it is the zero vector, which has no direction, so no cosine", 0, [j]
            )
    return queries, keys


def query_lengths(Q: Matrix, K: Matrix) -> Matrix:
    """|q_i|."""
    return lengths(Q)


def key_lengths(Q: Matrix, K: Matrix) -> Matrix:
    """|k_j|."""
    return lengths(K)


def scores(
    *,
    Q: Matrix,
    K: Matrix,
    dot: Matrix | None = None,
    query_length: Matrix | None = None,
    key_length: Matrix | None = None,
) -> Matrix:
    """The cosines from what there is of them: dot products, lengths of queries, lengths of keys."""
    above = Q @ K.T if dot is None else dot
    queries = lengths(Q) if query_length is None else query_length
    keys = lengths(K) if key_length is None else key_length
    return above / (queries @ keys.T)


def of_queries(Q: Frame, K: Frame) -> Frame:
    """One number for each query."""
    return Frame(Q.rows, Axis(1))


def of_keys(Q: Frame, K: Frame) -> Frame:
    """One number for each key."""
    return Frame(K.rows, Axis(1))


def query_lines(
    Q: Matrix, K: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The root of the sum of a query's squares."""
    return length_lines(names[0], Q, value)


def key_lines(
    Q: Matrix, K: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The root of the sum of a key's squares."""
    return length_lines(names[1], K, value)


def length_lines(name: str, X: Matrix, value: Matrix) -> tuple[Line, ...]:
    """The squares of each row added up, then the root."""
    made, table = [], factors(name, X)
    for i, j, result in value.cells():
        under = Sum(tuple(Power(x, 2) for x in table[i]))
        stages = [equals(Apply("sqrt", under))]
        if X.kind in WRITTEN_OUT:
            stages.append(equals(Apply("sqrt", Num(evaluate(under)))))
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def lines(
    Q: Matrix, K: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The dot product over both lengths: numbers put in, then added up."""
    queries, keys = factors(names[0], Q), factors(names[1], K)
    short = {Q.kind, K.kind} <= set(WRITTEN_OUT)
    made = []
    for i, j, result in value.cells():
        top = Sum(tuple(map(Product, zip(queries[i], keys[j], strict=True))))
        under = [Sum(tuple(Power(x, 2) for x in row)) for row in (queries[i], keys[j])]
        stages = [equals(quotient(top, *under))]
        if short:
            stages.append(equals(quotient(Num(evaluate(top)), *(Num(evaluate(x)) for x in under))))
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def quotient(top: Expression, first: Expression, second: Expression) -> Expression:
    """top / (√first √second)."""
    return Quotient(top, Product((Apply("sqrt", first), Apply("sqrt", second))))


def twin(Q: Any, K: Any) -> Any:
    """torch's own cosine similarity of every pair."""
    import torch

    return torch.nn.functional.cosine_similarity(Q[:, None, :], K[None, :, :], dim=-1, eps=0.0)


def query_twin(Q: Any, K: Any) -> Any:
    """torch's own norm of each query."""
    import torch

    return torch.linalg.vector_norm(Q, dim=1, keepdim=True)


def key_twin(Q: Any, K: Any) -> Any:
    """torch's own norm of each key."""
    import torch

    return torch.linalg.vector_norm(K, dim=1, keepdim=True)


def without_lengths(Q: Matrix, K: Matrix) -> Matrix:
    """Q Kᵀ."""
    return Q @ K.T


def without_roots(Q: Matrix, K: Matrix) -> Matrix:
    """q · k / (|q|² |k|²)."""
    return (Q @ K.T) / (squares(Q) @ squares(K).T)


def without_query_length(Q: Matrix, K: Matrix) -> Matrix:
    """q · k / |k|."""
    return (Q @ K.T) / (ones(Q.shape[0], 1) @ lengths(K).T)


def without_key_length(Q: Matrix, K: Matrix) -> Matrix:
    """q · k / |q|."""
    return (Q @ K.T) / (lengths(Q) @ ones(1, K.shape[0]))


PAIR: dict[str, Any] = {
    "parameters": ("Q", "K"),
    "family": Family.INNER,
    "roles": (Role.TOKENS, Role.TOKENS),
}
INNER = (
    Inner(
        PRODUCTS,
        Op(
            name="cosine_dot",
            title="Dot products of queries and keys",
            symbol="P",
            formula=dot.DOT.formula,
            frame=dot.frame,
            rule=dot.rule,
            lines=dot.lines,
            twin=dot.twin,
            **PAIR,
        ),
    ),
    Inner(
        OF_QUERIES,
        Op(
            name="cosine_query_length",
            title="Lengths of the queries",
            symbol=r"\ell",
            formula=Formula(
                matrix=r"\lvert ${Q} \rvert",
                each=r"${out:i} = \lvert ${Q:i} \rvert = \sqrt{\sum_{k} ${Q:ik}^2}",
            ),
            frame=of_queries,
            rule=query_lengths,
            lines=query_lines,
            twin=query_twin,
            **PAIR,
        ),
    ),
    Inner(
        OF_KEYS,
        Op(
            name="cosine_key_length",
            title="Lengths of the keys",
            symbol=r"\lambda",
            formula=Formula(
                matrix=r"\lvert ${K} \rvert",
                each=r"${out:i} = \lvert ${K:i} \rvert = \sqrt{\sum_{k} ${K:ik}^2}",
            ),
            frame=of_keys,
            rule=key_lengths,
            lines=key_lines,
            twin=key_twin,
            **PAIR,
        ),
    ),
)

COSINE = Op(
    name="cosine",
    title="Cosine scores: dot products over the lengths of the vectors",
    why=(
        "A score says how well a query and a key go together; the lengths are divided out, so that only "
        "directions count."
    ),
    parameters=("Q", "K"),
    family=Family.SCORE,
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\cos(${Q}, ${K})",
        each=r"${out:ij} = \frac{${Q:i} \cdot ${K:j}}{\lvert ${Q:i} \rvert \, \lvert ${K:j} \rvert}",
        each_column=r"${out:ij} = \frac{${Q:i}^{\top} ${K:j}}{\lvert ${Q:i} \rvert \, \lvert ${K:j} \rvert}",
    ),
    frame=dot.frame,
    rule=rule,
    counted_as="a dot product, a product of two lengths and a division for each pair, "
    "and the squares, their sum and its root once for each query and each key",
    lines=lines,
    twin=twin,
    inner=INNER,
    onward=Onward((PRODUCTS, OF_QUERIES, OF_KEYS), scores),
    mistakes=(
        Mistake("without-lengths", "Divide by the lengths of both vectors.", without_lengths),
        Mistake("without-roots", "The length is the root of the sum of squares.", without_roots),
        Mistake(
            "without-query-length",
            "Divide by the length of the query too, not only of the key.",
            without_query_length,
        ),
        Mistake(
            "without-key-length",
            "Divide by the length of the key too, not only of the query.",
            without_key_length,
            since=2,
        ),
    ),
    gradients=(
        back("Q", "cosine_queries_gradient", "Q", "K", GRADIENT),
        back("K", "cosine_keys_gradient", "Q", "K", GRADIENT),
    ),
)
