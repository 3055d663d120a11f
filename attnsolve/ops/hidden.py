"""Inside an additive score: for each query and key what goes into the tanh, and what comes out."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.base import Family, Formula, Frame, Inner, Onward, Op, Options, Role
from attnsolve.ops.pairs import as_scores, beneath, of_pairs
from attnsolve.ops.writing import WRITTEN_OUT, closing
from attnsolve.working import Apply, Line, Num, Sum, equals

INSIDE, TANH = "inside", "tanh"


def inner(Q: Matrix, K: Matrix, W: Matrix, U: Matrix) -> list[Matrix]:
    """For each query the matrix of what goes into the tanh, q W + k U: a row for each key."""
    queries, keys = Q @ W, K @ U
    return [queries.take([i] * K.shape[0]) + keys for i in range(Q.shape[0])]


def hidden_frame(Q: Frame, K: Frame, W: Frame, U: Frame, v: Frame) -> Frame:
    """A row for each query and key, a column for each hidden number."""
    return of_pairs(Q.rows, K.rows, W.columns.size)


def sums(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """q W + k U, a row for each query and key."""
    return beneath(inner(Q, K, W, U))


def tanhs(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """tanh(q W + k U), a row for each query and key."""
    return sums(Q, K, W, U, v).each("tanh")


def tanhs_of(*, inside: Matrix, **others: Matrix) -> Matrix:
    """The tanh of sums that are there."""
    return inside.each("tanh")


def weighed_up(
    *, K: Matrix, v: Matrix, inside: Matrix | None = None, tanh: Matrix | None = None, **others: Matrix
) -> Matrix:
    """The scores from a tanh that is there, or from what goes into it."""
    if tanh is None:
        assert inside is not None
        tanh = inside.each("tanh")
    return as_scores(tanh @ v.T, K.shape[0])


def sum_lines(
    Q: Matrix,
    K: Matrix,
    W: Matrix,
    U: Matrix,
    v: Matrix,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """What both projections give put together."""
    queries, keys = Q @ W, K @ U
    written = {queries.kind, keys.kind} <= set(WRITTEN_OUT)
    made = []
    for row, k, result in value.cells():
        i, j = divmod(row, K.shape[0])
        apart = equals(Sum((Num(queries.cell(i, k)), Num(keys.cell(j, k)))))
        made.append(Line(row, k, (*((apart,) if written else ()), *closing(result))))
    return tuple(made)


def tanh_lines(
    Q: Matrix,
    K: Matrix,
    W: Matrix,
    U: Matrix,
    v: Matrix,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """The tanh of each number."""
    hidden = sums(Q, K, W, U, v)
    made = []
    for row, k, result in value.cells():
        stage = (equals(Apply("tanh", Num(hidden.cell(row, k)))),) if hidden.kind in WRITTEN_OUT else ()
        made.append(Line(row, k, (*stage, *closing(result))))
    return tuple(made)


def sum_twin(Q: Any, K: Any, W: Any, U: Any, v: Any) -> Any:
    """All pairs added up by torch at once."""
    return ((Q @ W)[:, None, :] + (K @ U)[None, :, :]).reshape(-1, W.shape[1])


def tanh_twin(Q: Any, K: Any, W: Any, U: Any, v: Any) -> Any:
    """torch's own tanh, of all pairs at once."""
    return sum_twin(Q, K, W, U, v).tanh()


SUMS = Op(
    name="additive_inside",
    title="Inside the tanh: a row for each query and key",
    parameters=("Q", "K", "W", "U", "v"),
    family=Family.INNER,
    roles=(Role.TOKENS, Role.TOKENS, Role.WEIGHTS, Role.WEIGHTS, Role.ROW),
    symbol="N",
    formula=Formula(
        matrix=r"\operatorname{sums}(${Q}, ${K})",
        each=r"${local:u_ij} = ${Q:i} ${W} + ${K:j} ${U}",
        each_column=r"${local:u_ij} = ${W} ${Q:i} + ${U} ${K:j}",
    ),
    frame=hidden_frame,
    rule=sums,
    lines=sum_lines,
    twin=sum_twin,
)

TANHS = SUMS._replace(
    name="additive_tanh",
    title="The tanh of each of these: a row for each query and key",
    symbol="H",
    formula=Formula(
        matrix=r"\tanh(\operatorname{sums}(${Q}, ${K}))",
        each=r"${local:t_ij} = \tanh(${Q:i} ${W} + ${K:j} ${U})",
        each_column=r"${local:t_ij} = \tanh(${W} ${Q:i} + ${U} ${K:j})",
    ),
    rule=tanhs,
    lines=tanh_lines,
    twin=tanh_twin,
    onward=Onward((INSIDE,), tanhs_of),
)

ONWARD = Onward((INSIDE, TANH), weighed_up)


def inner_values(sums: Op, tanhs: Op, *, replaces: tuple[str, ...]) -> tuple[Inner, Inner]:
    """What goes into the tanh and what comes out, of an op that is not looked at again behind them."""
    return (
        Inner(INSIDE, sums, replaces=replaces),
        Inner(TANH, tanhs, replaces=(*replaces, INSIDE), spoken=("tanhs", "hidden")),
    )
