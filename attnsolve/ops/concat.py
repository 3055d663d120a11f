"""Concatenated scores: query and key in one vector, s = v · tanh([q, k] W)."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops import Role, additive, hidden
from attnsolve.ops.back import GRADIENT, PARTIAL, SECOND, Passing, back
from attnsolve.ops.base import Family, Formula, Frame, Ledger, Mistake, Op, Options
from attnsolve.ops.misfits import unfit
from attnsolve.working import Line


def parted(Q: Matrix, W: Matrix) -> tuple[Matrix, Matrix]:
    """The rows of W that meet the query, and those that meet the key."""
    width = Q.shape[1]
    return W.take(range(width)), W.take(range(width, W.shape[0]))


def frame(Q: Frame, K: Frame, W: Frame, v: Frame) -> Frame:
    """A row for each query, a column for each key."""
    both = Q.columns.size + K.columns.size
    if W.rows.size != both:
        why = f"query and key together have {both} numbers ({Q.columns.size} and {K.columns.size})"
        raise unfit("W", why, needs=(both, None), W=W)
    additive.hidden_fits(W, v)
    return Frame(Q.rows, K.rows)


def rule(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """v · tanh([q_i, k_j] W)."""
    return additive.rule(Q, K, *parted(Q, W), v)


def counting(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """As with two matrices: the rows of W that meet the query, and those that meet the key."""
    return additive.counting(Q, K, W.repeated(Q.shape[1]), W.repeated(K.shape[1]), v)


def lines(
    Q: Matrix, K: Matrix, W: Matrix, v: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The same sums as with two matrices: those of W side by side."""
    return additive.lines(Q, K, *parted(Q, W), v, value=value, options=options, names=names)


def ledger(
    Q: Matrix, K: Matrix, W: Matrix, v: Matrix, *, value: Matrix, options: Options, row: int
) -> Ledger:
    """As with two matrices."""
    return additive.ledger(Q, K, *parted(Q, W), v, value=value, options=options, row=row)


def twin(Q: Any, K: Any, W: Any, v: Any) -> Any:
    """The vectors really put together, for all pairs, by torch."""
    import torch

    pairs = torch.cat([Q[:, None, :].expand(-1, len(K), -1), K[None, :, :].expand(len(Q), -1, -1)], dim=-1)
    return torch.tanh(pairs @ W) @ v[0]


def key_first(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """v · tanh([k_j, q_i] W)."""
    upper, lower = W.take(range(K.shape[1])), W.take(range(K.shape[1], W.shape[0]))
    return additive.rule(Q, K, lower, upper, v)


def without_tanh(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """v · ([q, k] W)."""
    return additive.without_tanh(Q, K, *parted(Q, W), v)


def tanh_last(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """tanh(v · ([q, k] W))."""
    return additive.tanh_last(Q, K, *parted(Q, W), v)


def hidden_frame(Q: Frame, K: Frame, W: Frame, v: Frame) -> Frame:
    """A row for each query and key, a column for each hidden number."""
    return hidden.hidden_frame(Q, K, W, W, v)


def sums(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """[q, k] W, a row for each query and key."""
    return hidden.sums(Q, K, *parted(Q, W), v)


def tanhs(Q: Matrix, K: Matrix, W: Matrix, v: Matrix) -> Matrix:
    """tanh([q, k] W), a row for each query and key."""
    return hidden.tanhs(Q, K, *parted(Q, W), v)


def sum_lines(
    Q: Matrix, K: Matrix, W: Matrix, v: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """As with two matrices."""
    return hidden.sum_lines(Q, K, *parted(Q, W), v, value=value, options=options, names=names)


def tanh_lines(
    Q: Matrix, K: Matrix, W: Matrix, v: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """As with two matrices."""
    return hidden.tanh_lines(Q, K, *parted(Q, W), v, value=value, options=options, names=names)


def sum_twin(Q: Any, K: Any, W: Any, v: Any) -> Any:
    """The vectors really put together, for all pairs, by torch."""
    import torch

    pairs = torch.cat([Q.repeat_interleave(len(K), dim=0), K.repeat(len(Q), 1)], dim=-1)
    return pairs @ W


def tanh_twin(Q: Any, K: Any, W: Any, v: Any) -> Any:
    """torch's own tanh of them."""
    return sum_twin(Q, K, W, v).tanh()


SUMS = hidden.SUMS._replace(
    name="concat_inside",
    parameters=("Q", "K", "W", "v"),
    roles=(Role.TOKENS, Role.TOKENS, Role.WEIGHTS, Role.ROW),
    formula=Formula(
        matrix=r"\operatorname{sums}(${Q}, ${K})",
        each=r"${local:u_ij} = [${Q:i}, ${K:j}]\, ${W}",
        each_column=r"${local:u_ij} = ${W} [${Q:i}; ${K:j}]",
    ),
    frame=hidden_frame,
    rule=sums,
    lines=sum_lines,
    twin=sum_twin,
)

TANHS = SUMS._replace(
    name="concat_tanh",
    title=hidden.TANHS.title,
    symbol=hidden.TANHS.symbol,
    formula=Formula(
        matrix=r"\tanh(\operatorname{sums}(${Q}, ${K}))",
        each=r"${local:t_ij} = \tanh([${Q:i}, ${K:j}]\, ${W})",
        each_column=r"${local:t_ij} = \tanh(${W} [${Q:i}; ${K:j}])",
    ),
    rule=tanhs,
    lines=tanh_lines,
    twin=tanh_twin,
    onward=hidden.TANHS.onward,
)


def query_part(passing: Passing) -> Options:
    """The first rows of the matrix."""
    return {"start": 0, "width": passing.frames[0].columns.size}


def key_part(passing: Passing) -> Options:
    """Those after the query's."""
    return {"start": passing.frames[0].columns.size, "width": passing.frames[1].columns.size}


PARAMETERS = ("Q", "K", "W", "v")
# What goes back to the projected queries, and to the projected keys.
BY_QUERY = ("concat_queries_gradient", *PARAMETERS, GRADIENT)
BY_KEY = ("concat_keys_gradient", *PARAMETERS, GRADIENT)

CONCAT = Op(
    name="concat",
    title="Concatenated scores: query and key in one vector, project, take tanh, weigh",
    why="A score says how well a query and a key go together; here a small network compares them.",
    parameters=PARAMETERS,
    family=Family.SCORE,
    roles=(Role.TOKENS, Role.TOKENS, Role.WEIGHTS, Role.ROW),
    formula=Formula(
        matrix=r"\operatorname{score}(${Q}, ${K})",
        each=r"${out:ij} = \tanh(${local:u_j}) \cdot ${v}, \quad ${local:u_j} = [${Q:i}, ${K:j}]\, ${W}",
        each_column=r"${out:ij} = ${v}^{\top} \tanh(${local:u_j}), "
        r"\quad ${local:u_j} = ${W} [${Q:i}; ${K:j}]",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as=additive.COUNTED_AS,
    lines=lines,
    ledger=ledger,
    twin=twin,
    inner=hidden.inner_values(SUMS, TANHS, replaces=("Q", "W")),
    onward=hidden.ONWARD,
    mistakes=(
        Mistake("key-first", "The query comes first in the long vector, then the key.", key_first),
        Mistake("without-tanh", additive.WITHOUT_TANH, without_tanh),
        Mistake("tanh-last", additive.TANH_LAST, tanh_last),
    ),
    gradients=(
        back("Q", "part_gradient", PARTIAL, "W", settings=query_part, partial=BY_QUERY),
        back("K", "part_gradient", PARTIAL, "W", settings=key_part, partial=BY_KEY),
        back("W", "concat_matrix_gradient", "Q", "K", PARTIAL, SECOND, partial=BY_QUERY, second=BY_KEY),
        back("v", "concat_weighing_gradient", *PARAMETERS, GRADIENT),
    ),
)
