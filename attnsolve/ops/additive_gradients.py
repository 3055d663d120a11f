"""Back through additive scores s = v · tanh(q W + k U): to what went into the tanh, and to v."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from operator import add
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.rationals import ones
from attnsolve.ops import Role, additive
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.ops.blending import complement
from attnsolve.ops.hidden import inner
from attnsolve.ops.misfits import unfit
from attnsolve.ops.pairs import beneath
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Power, Product, Sum, equals

UNITY, MINUS = Num(Rational(1)), Num(Rational(-1))
ROLES = (Role.TOKENS, Role.TOKENS, Role.WEIGHTS, Role.WEIGHTS, Role.ROW, Role.SCORES)
SLOPE = r"(1 - \tanh^2(${local:u_j})), \quad ${local:u_j} = ${Q:i} ${W} + ${K:j} ${U}"
SLOPE_COLUMN = r"(1 - \tanh^2(${local:u_j})), \quad ${local:u_j} = ${W} ${Q:i} + ${U} ${K:j}"


def fitting(Q: Frame, K: Frame, W: Frame, U: Frame, v: Frame, G: Frame) -> None:
    """Refuse a gradient that is not as large as the scores."""
    scores = additive.frame(Q, K, W, U, v)
    if G.shape != scores.shape:
        raise unfit("G", "a gradient is as large as the scores", needs=scores.shape, G=G)


def queries_frame(Q: Frame, K: Frame, W: Frame, U: Frame, v: Frame, G: Frame) -> Frame:
    """A row for each query, a column for each hidden number."""
    fitting(Q, K, W, U, v, G)
    return Frame(Q.rows, W.columns)


def keys_frame(Q: Frame, K: Frame, W: Frame, U: Frame, v: Frame, G: Frame) -> Frame:
    """A row for each key, a column for each hidden number."""
    fitting(Q, K, W, U, v, G)
    return Frame(K.rows, W.columns)


def weights_frame(Q: Frame, K: Frame, W: Frame, U: Frame, v: Frame, G: Frame) -> Frame:
    """As v."""
    fitting(Q, K, W, U, v, G)
    return v


def tanhs(Q: Matrix, K: Matrix, W: Matrix, U: Matrix) -> list[Matrix]:
    """For each query tanh(q W + k U), a row for each key."""
    return [hidden.each("tanh") for hidden in inner(Q, K, W, U)]


def slopes(Q: Matrix, K: Matrix, W: Matrix, U: Matrix) -> list[Matrix]:
    """For each query 1 - tanh²(q W + k U), a row for each key."""
    return [complement(outside * outside) for outside in tanhs(Q, K, W, U)]


def over_keys(steep: Sequence[Matrix], v: Matrix, G: Matrix) -> Matrix:
    """Σ_j g_ij v ∘ slope, a row for each query."""
    return beneath([(G.take([i]) @ table) * v for i, table in enumerate(steep)])


def over_queries(steep: Sequence[Matrix], v: Matrix, G: Matrix) -> Matrix:
    """Σ_i g_ij v ∘ slope, a row for each key."""
    width = ones(1, v.shape[1])
    shares = [(G.take([i]).T @ width) * table for i, table in enumerate(steep)]
    return reduce(add, shares) * v.repeated(G.shape[1])


def queries(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """Σ_j g_ij v ∘ (1 - tanh²(q_i W + k_j U))."""
    return over_keys(slopes(Q, K, W, U), v, G)


def keys(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """Σ_i g_ij v ∘ (1 - tanh²(q_i W + k_j U))."""
    return over_queries(slopes(Q, K, W, U), v, G)


def weighing(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """Σ g_ij tanh(q_i W + k_j U)."""
    return total(tanhs(Q, K, W, U), G)


def total(tables: Sequence[Matrix], G: Matrix) -> Matrix:
    """Σ g_ij times row j of table i."""
    return reduce(add, [G.take([i]) @ table for i, table in enumerate(tables)])


def counting(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """For each pair what goes into the tanh, its slope, and two products; then the sums."""
    pairs = Q.shape[0] * K.shape[0]
    outside = ((Q @ W).repeated(pairs) + (K @ U).repeated(pairs)).each("tanh")
    steep = complement(outside * outside)
    return steep * steep


def queries_counting(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """The slopes of all pairs, and a row for each query."""
    counting(Q, K, W, U, v, G)
    return G @ (K @ U) * v.repeated(Q.shape[0])


def keys_counting(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """The slopes of all pairs, and a row for each key."""
    counting(Q, K, W, U, v, G)
    return G.T @ (Q @ W) * v.repeated(K.shape[0])


def weighing_counting(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
    """The tanh of all pairs, and one row."""
    counting(Q, K, W, U, v, G)
    return v * v


def slope_worked(inside: Expression) -> Expression:
    """1 - tanh²(u)."""
    return Sum((UNITY, Product((MINUS, Power(Apply("tanh", inside), 2)))))


def working(own: str) -> Any:
    """The lines of one of the three: what is added up runs over keys, queries or all pairs."""

    def lines(
        Q: Matrix,
        K: Matrix,
        W: Matrix,
        U: Matrix,
        v: Matrix,
        G: Matrix,
        *,
        value: Matrix,
        options: Options,
        names: tuple[str, ...],
    ) -> tuple[Line, ...]:
        """Each gradient times the slope of its pair, and times v."""
        hidden = inner(Q, K, W, U)
        gradients, written = factors(names[5], G), {hidden[0].kind, v.kind} <= set(WRITTEN_OUT)
        made = []
        for row, k, result in value.cells():
            asking = [row] if own == "Q" else range(len(hidden))
            asked = [row] if own == "K" else range(K.shape[0])
            terms = []
            for i, j in product(asking, asked):
                inside = Num(hidden[i].cell(j, k))
                last = (Apply("tanh", inside),) if own == "v" else (Num(v.cell(0, k)), slope_worked(inside))
                terms.append(Product((gradients[i][j], *last)))
            made.append(Line(row, k, (*((equals(Sum(tuple(terms))),) if written else ()), *closing(result))))
        return tuple(made)

    return lines


def queries_twin(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """torch's own way back through the tanh of all pairs, added up over the keys."""
    import torch

    outside = torch.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :])
    return torch.ops.aten.tanh_backward(G[:, :, None] * v[0], outside).sum(dim=1)


def keys_twin(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """torch's own way back through the tanh of all pairs, added up over the queries."""
    import torch

    outside = torch.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :])
    return torch.ops.aten.tanh_backward(G[:, :, None] * v[0], outside).sum(dim=0)


def weighing_twin(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """torch's einsum over all pairs."""
    import torch

    return torch.einsum("ij,ijk->k", G, torch.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :]))[None]


def queries_terms(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """Σ_j |g v|, twice: of 1 - tanh² nothing is left where the tanh is nearly 1."""
    return 2 * (G[:, :, None] * v[0]).abs().sum(dim=1)


def keys_terms(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """Σ_i |g v|, twice, for the same reason."""
    return 2 * (G[:, :, None] * v[0]).abs().sum(dim=0)


def flat(Q: Matrix, K: Matrix, W: Matrix, U: Matrix) -> list[Matrix]:
    """1 in place of every slope."""
    return [ones(K.shape[0], W.shape[1])] * Q.shape[0]


V_FORGOTTEN = "Each hidden number was weighed with v, so its gradient is multiplied by v."
SLOPE_FORGOTTEN = "Multiply by the slope of tanh, 1 less the square of its value."


def mistakes_of(gather: Callable[[Sequence[Matrix], Matrix, Matrix], Matrix]) -> tuple[Mistake, ...]:
    """What people leave out, whether it is added up over keys or over queries."""

    def without_slope(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
        return gather(flat(Q, K, W, U), v, G)

    def without_v(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, G: Matrix) -> Matrix:
        return gather(slopes(Q, K, W, U), ones(*v.shape), G)

    return (
        Mistake("slope-forgotten", SLOPE_FORGOTTEN, without_slope),
        Mistake("v-forgotten", V_FORGOTTEN, without_v),
    )


ADDITIVE_QUERIES_GRADIENT = Op(
    name="additive_queries_gradient",
    title="Gradient of the projected queries: through the tanh of every key",
    parameters=("Q", "K", "W", "U", "v", "G"),
    roles=ROLES,
    formula=Formula(
        matrix=r"\operatorname{back}(${Q}, ${G})",
        each=r"${out:i} = \textstyle\sum_{j} ${G:ij}\, ${v} \odot " + SLOPE,
        each_column=r"${out:i} = \textstyle\sum_{j} ${G:ij}\, ${v} \odot " + SLOPE_COLUMN,
    ),
    frame=queries_frame,
    rule=queries,
    counting=queries_counting,
    lines=working("Q"),
    twin=queries_twin,
    cancelling=queries_terms,
    mistakes=mistakes_of(over_keys),
)

ADDITIVE_KEYS_GRADIENT = ADDITIVE_QUERIES_GRADIENT._replace(
    name="additive_keys_gradient",
    by_rows=False,
    title="Gradient of the projected keys: through the tanh of every query",
    formula=Formula(
        matrix=r"\operatorname{back}(${K}, ${G})",
        each=r"${out:j} = \textstyle\sum_{i} ${G:ij}\, ${v} \odot " + SLOPE,
        each_column=r"${out:j} = \textstyle\sum_{i} ${G:ij}\, ${v} \odot " + SLOPE_COLUMN,
    ),
    frame=keys_frame,
    rule=keys,
    counting=keys_counting,
    lines=working("K"),
    twin=keys_twin,
    cancelling=keys_terms,
    mistakes=mistakes_of(over_queries),
)

ADDITIVE_WEIGHING_GRADIENT = ADDITIVE_KEYS_GRADIENT._replace(
    name="additive_weighing_gradient",
    title="Gradient of the weighing vector: the tanh of every pair, added up",
    formula=Formula(
        matrix=r"\operatorname{back}(${v}, ${G})",
        each=r"${out:laid} = \textstyle\sum_{i,j} ${G:ij}\, \tanh(${local:u_j}), "
        r"\quad ${local:u_j} = ${Q:i} ${W} + ${K:j} ${U}",
        each_column=r"${out:laid} = \textstyle\sum_{i,j} ${G:ij}\, \tanh(${local:u_j}), "
        r"\quad ${local:u_j} = ${W} ${Q:i} + ${U} ${K:j}",
    ),
    frame=weights_frame,
    rule=weighing,
    counting=weighing_counting,
    lines=working("v"),
    twin=weighing_twin,
    cancelling=None,
    mistakes=(
        Mistake(
            "tanh-forgotten",
            "The vector weighs the tanh of the sums, not the sums.",
            lambda Q, K, W, U, v, G: total(inner(Q, K, W, U), G),
        ),
        Mistake(
            "slope-for-tanh",
            "The vector stands outside the tanh: its gradient has the tanh itself, not its slope.",
            lambda Q, K, W, U, v, G: total(slopes(Q, K, W, U), G),
        ),
    ),
)
