"""Back through concatenated scores s = v · tanh([q, k] W): each back by the part of W it met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops import Role, additive_gradients, concat
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Option, Options
from attnsolve.ops.concat import parted
from attnsolve.ops.misfits import numbers, unfit
from attnsolve.ops.pairs import beneath
from attnsolve.ops.writing import each_with_each, factors, flipped
from attnsolve.working import Line

PARAMETERS = ("Q", "K", "W", "v", "G")
TWO_MATRICES, ONE_MATRIX = r"${Q:i} ${W} + ${K:j} ${U}", r"[${Q:i}, ${K:j}]\, ${W}"
TWO_COLUMN, ONE_COLUMN = r"${W} ${Q:i} + ${U} ${K:j}", r"${W} [${Q:i}; ${K:j}]"


def as_one(op: Op, name: str) -> Op:
    """An op of additive scores for a matrix that holds both, the query's rows first."""

    def frame(Q: Frame, K: Frame, W: Frame, v: Frame, G: Frame) -> Frame:
        """As with two matrices."""
        scores = concat.frame(Q, K, W, v)
        if G.shape != scores.shape:
            raise unfit("G", "a gradient is as large as the scores", needs=scores.shape, G=G)
        upper, lower = (W._replace(rows=Axis(part.columns.size)) for part in (Q, K))
        return op.frame(Q, K, upper, lower, v, G)

    def by(way: Callable[..., Matrix]) -> Callable[..., Matrix]:
        def rule(Q: Matrix, K: Matrix, W: Matrix, v: Matrix, G: Matrix) -> Matrix:
            """As with two matrices: the rows of W that meet the query, and those that meet the key."""
            return way(Q, K, *parted(Q, W), v, G)

        return rule

    def counting(Q: Matrix, K: Matrix, W: Matrix, v: Matrix, G: Matrix) -> Matrix:
        """As with two matrices."""
        assert op.counting is not None
        return op.counting(Q, K, W.repeated(Q.shape[1]), W.repeated(K.shape[1]), v, G)

    def lines(
        Q: Matrix,
        K: Matrix,
        W: Matrix,
        v: Matrix,
        G: Matrix,
        *,
        value: Matrix,
        options: Options,
        names: tuple[str, ...],
    ) -> tuple[Line, ...]:
        """As with two matrices."""
        two = (*names[:3], names[2], *names[3:])
        return op.lines(Q, K, *parted(Q, W), v, G, value=value, options=options, names=two)

    each = op.formula.each.replace(TWO_MATRICES, ONE_MATRIX)
    column = op.formula.each_column.replace(TWO_COLUMN, ONE_COLUMN)
    return op._replace(
        name=name,
        parameters=PARAMETERS,
        roles=(Role.TOKENS, Role.TOKENS, Role.WEIGHTS, Role.ROW, Role.SCORES),
        formula=op.formula._replace(each=each, each_column=column),
        frame=frame,
        rule=by(op.rule),
        counting=counting,
        lines=lines,
        mistakes=tuple(mistake._replace(rule=by(mistake.rule)) for mistake in op.mistakes),
    )


def queries_twin(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """torch's own way back to what is added to every pair of a query, just before the tanh."""
    import torch

    pairs = torch.cat([Q[:, None, :].expand(-1, len(K), -1), K[None, :, :].expand(len(Q), -1, -1)], dim=-1)
    more = torch.zeros(len(Q), 1, W.shape[1], dtype=W.dtype)
    return torch.func.vjp(lambda more: torch.tanh(pairs @ W + more) @ v[0], more)[1](G)[0][:, 0]


def keys_twin(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """torch's own way back to what is added to every pair of a key, just before the tanh."""
    import torch

    pairs = torch.cat([Q[:, None, :].expand(-1, len(K), -1), K[None, :, :].expand(len(Q), -1, -1)], dim=-1)
    more = torch.zeros(1, len(K), W.shape[1], dtype=W.dtype)
    return torch.func.vjp(lambda more: torch.tanh(pairs @ W + more) @ v[0], more)[1](G)[0][0]


def queries_terms(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """As with two matrices."""
    return additive_gradients.queries_terms(Q, K, W, W, v, G)


def keys_terms(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """As with two matrices."""
    return additive_gradients.keys_terms(Q, K, W, W, v, G)


def weighing_twin(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """torch's own way back to the vector that weighs."""
    import torch

    pairs = torch.cat([Q[:, None, :].expand(-1, len(K), -1), K[None, :, :].expand(len(Q), -1, -1)], dim=-1)
    return torch.func.vjp(lambda v: torch.tanh(pairs @ W) @ v[0], v)[1](G)[0]


CONCAT_QUERIES_GRADIENT = as_one(
    additive_gradients.ADDITIVE_QUERIES_GRADIENT, "concat_queries_gradient"
)._replace(twin=queries_twin, cancelling=queries_terms)
CONCAT_KEYS_GRADIENT = as_one(additive_gradients.ADDITIVE_KEYS_GRADIENT, "concat_keys_gradient")._replace(
    twin=keys_twin, cancelling=keys_terms
)
CONCAT_WEIGHING_GRADIENT = as_one(
    additive_gradients.ADDITIVE_WEIGHING_GRADIENT, "concat_weighing_gradient"
)._replace(twin=weighing_twin)


def part_frame(G: Frame, W: Frame, *, start: int, width: int) -> Frame:
    """A column for each row of W that was met."""
    if start + width > W.rows.size:
        said = f"{{W}} is {{W:shape}}; there are no {width} rows in it from {{{start}:place}} on"
        raise unfit("width", said, W=W)
    if G.columns.size != W.columns.size:
        raise unfit("G", f"{{W}} makes {numbers(W.columns.size)}", needs=(None, W.columns.size), G=G, W=W)
    return Frame(G.rows, Axis(width))


def part(G: Matrix, W: Matrix, *, start: int, width: int) -> Matrix:
    """G times the transpose of the rows of W that were met."""
    return G @ W.take(range(start, start + width)).T


def part_lines(
    G: Matrix, W: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """A row of the gradient against a row of the matrix."""
    met = factors(names[1], W)[options["start"] : options["start"] + options["width"]]
    return each_with_each(factors(names[0], G), met, value)


def part_twin(G: Any, W: Any, *, start: int, width: int) -> Any:
    """torch's linear map without a bias, by the rows that were met."""
    import torch

    return torch.nn.functional.linear(G, W.narrow(0, start, width))


def other_end(G: Matrix, W: Matrix, *, start: int, width: int) -> Matrix:
    """By as many rows of W at its other end."""
    return part(G, W, start=0 if start else W.shape[0] - width, width=width)


PART_GRADIENT = Op(
    name="part_gradient",
    title="Gradient of a part of the long vector: by the rows of the matrix that it met",
    parameters=("G", "W"),
    options=(
        Option("start", "integer", "the first of the rows", required=True),
        Option("width", "count", "how many rows they are", required=True),
    ),
    roles=(Role.TOKENS, Role.WEIGHTS),
    formula=Formula(
        matrix=r"\operatorname{back}(${G}, ${W})",
        each=r"${out:ij} = \textstyle\sum_{k} ${G:ik}\, ${local:w}_{jk} "
        r"\text{ with the rows } ${local:w}_{j} \text{ of } ${W} \text{ that this part met}",
    ),
    frame=part_frame,
    rule=part,
    lines=part_lines,
    twin=part_twin,
    mistakes=(
        Mistake(
            "other-rows",
            "The first rows of the matrix met the query, the others the key: each goes back by its own.",
            other_end,
        ),
    ),
)


def matrix_frame(Q: Frame, K: Frame, G: Frame, H: Frame) -> Frame:
    """A row for each number of a query and of a key, a column for each hidden number."""
    for tokens, gradient, name, own in ((Q, G, "G", "Q"), (K, H, "H", "K")):
        if gradient.rows.size != tokens.rows.size:
            why = f"{{{own}}} has {tokens.rows.size} rows"
            frames = {name: gradient, own: tokens}
            raise unfit(name, why, needs=(tokens.rows.size, None), **frames)
    if G.columns.size != H.columns.size:
        raise unfit("H", "{G} has another width", needs=(H.rows.size, G.columns.size), G=G, H=H)
    return Frame(Axis(Q.columns.size + K.columns.size), G.columns)


def matrix(Q: Matrix, K: Matrix, G: Matrix, H: Matrix) -> Matrix:
    """Qᵀ G above Kᵀ H."""
    return beneath([Q.T @ G, K.T @ H])


def matrix_lines(
    Q: Matrix, K: Matrix, G: Matrix, H: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """A column of queries or keys against a column of their gradient."""
    queries, keys, of_queries, of_keys = (
        flipped(factors(name, X)) for name, X in zip(names, (Q, K, G, H), strict=True)
    )
    width = Q.shape[1]
    above = each_with_each(queries, of_queries, value.take(range(width)))
    below = each_with_each(keys, of_keys, value.take(range(width, value.shape[0])))
    return (*above, *(line._replace(i=line.i + width) for line in below))


def matrix_twin(Q: Any, K: Any, G: Any, H: Any) -> Any:
    """torch's einsum of each, one above the other."""
    import torch

    return torch.cat([torch.einsum("il,ik->lk", X, D) for X, D in ((Q, G), (K, H))])


CONCAT_MATRIX_GRADIENT = Op(
    name="concat_matrix_gradient",
    title="Gradient of the matrix: the rows that met the queries, then those that met the keys",
    parameters=("Q", "K", "G", "H"),
    roles=(Role.TOKENS, Role.TOKENS, Role.TOKENS, Role.TOKENS),
    by_rows=False,
    formula=Formula(
        matrix=r"\operatorname{back}(${Q}, ${K}, ${G}, ${H})",
        each=r"${out:kl} = \textstyle\sum_{i} ${Q:ik}\, ${G:il} "
        r"\text{ above, } \textstyle\sum_{j} ${K:jk}\, ${H:jl} \text{ below}",
    ),
    frame=matrix_frame,
    rule=matrix,
    lines=matrix_lines,
    twin=matrix_twin,
    mistakes=(
        Mistake(
            "key-first",
            "The query comes first in the long vector, so its rows come first in the matrix.",
            lambda Q, K, G, H: matrix(K, Q, H, G),
        ),
        Mistake(
            "gradients-exchanged",
            "Queries go with the gradient of the queries, keys with that of the keys.",
            lambda Q, K, G, H: beneath([Q.T @ H, K.T @ G]),
        ),
    ),
)
