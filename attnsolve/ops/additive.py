"""Additive scores: a small network with tanh compares query and key, s = v · tanh(q W + k U)."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.cells import Cell, add
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, PARTIAL, back
from attnsolve.ops.base import Family, Formula, Frame, Ledger, Mistake, Op, Options, Role
from attnsolve.ops.hidden import ONWARD, SUMS, TANHS, inner, inner_values
from attnsolve.ops.misfits import numbers, require_product, require_row, unfit
from attnsolve.ops.pairs import beneath
from attnsolve.ops.writing import WRITTEN_OUT, closing
from attnsolve.working import Apply, Expression, Line, Num, Product, Sum, equals

# Beside more hidden numbers than this their tanh finds no room in a table.
NARROW = 3


def frame(Q: Frame, K: Frame, W: Frame, U: Frame, v: Frame) -> Frame:
    """A row for each query, a column for each key; queries and keys may differ in width."""
    require_product("Q", Q, "W", W)
    require_product("K", K, "U", U)
    if W.columns.size != U.columns.size:
        said = f"{{U}} makes {numbers(U.columns.size)} of a key, but {{W}} makes {W.columns.size} of a query"
        raise unfit("U", f"{said}; both are added, so they must make equally many", W=W, U=U)
    hidden_fits(W, v)
    return Frame(Q.rows, K.rows)


def hidden_fits(W: Frame, v: Frame) -> None:
    """Refuse a v that has not one number for each hidden value."""
    makes = W.columns.size
    require_row("v", v, makes, f"{{W}} makes {numbers(makes)}", W=W)


def rule(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """v · tanh(q_i W + k_j U)."""
    return beneath([(hidden.each("tanh") @ v.T).T for hidden in inner(Q, K, W, U)])


def counting(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """Each query and each key projected once; then for each pair a sum, its tanh, and a product with v."""
    pairs = Q.shape[0] * K.shape[0]
    hidden = (Q @ W).repeated(pairs) + (K @ U).repeated(pairs)
    hidden.each("tanh") @ v.T  # a score for each pair, in one long column
    return K.T.repeated(Q.shape[0])


def lines(
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
    """What both projections give put together, then tanh, then weighed with v."""
    queries, keys = Q @ W, K @ U
    made = []
    for i, j, result in value.cells():
        stages = []
        if {queries.kind, keys.kind, v.kind} <= set(WRITTEN_OUT):
            places = range(v.shape[1])
            pairs = [(queries.cell(i, k), keys.cell(j, k)) for k in places]
            apart: list[Expression] = [Sum((Num(a), Num(b))) for a, b in pairs]
            whole: list[Expression] = [Num(add(a, b)) for a, b in pairs]
            stages = [
                equals(weighed(v, apart), fine=True),
                equals(weighed(v, whole)),
            ]
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def weighed(v: Matrix, hidden: list[Expression]) -> Expression:
    """Σ v_k tanh(u_k)."""
    return Sum(tuple(Product((Num(v.cell(0, k)), Apply("tanh", u))) for k, u in enumerate(hidden)))


def ledger(
    Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix, *, value: Matrix, options: Options, row: int
) -> Ledger:
    """For each key what goes into the tanh, what comes out, and the score."""
    hidden = inner(Q.take([row]), K, W, U)[0]
    outside = hidden.each("tanh")
    places = range(v.shape[1])
    inside = tuple(f"${{local:u_j{k}}}" for k in places)
    shown = inside if len(places) > NARROW else (*inside, *(rf"\tanh {name}" for name in inside))

    def numbers(j: int) -> list[Cell]:
        before, after = ([part.cell(j, k) for k in places] for part in (hidden, outside))
        return [*before, *(after if len(places) <= NARROW else []), value.cell(row, j)]

    keys = tuple(range(K.shape[0]))
    return Ledger((*shown, "${out:ij}"), tuple(tuple(map(Num, numbers(j))) for j in keys), keys)


def twin(Q: Any, K: Any, W: Any, U: Any, v: Any) -> Any:
    """The same for all pairs at once, broadcast by torch."""
    import torch

    return torch.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :]) @ v[0]


def without_tanh(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """v · (q W + k U)."""
    return beneath([(hidden @ v.T).T for hidden in inner(Q, K, W, U)])


def tanh_last(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """tanh(v · (q W + k U))."""
    return without_tanh(Q, K, W, U, v).each("tanh")


def weights_exchanged(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """v · tanh(q U + k W)."""
    return rule(Q, K, U, W, v)


def v_forgotten(Q: Matrix, K: Matrix, W: Matrix, U: Matrix, v: Matrix) -> Matrix:
    """The sum of tanh(q W + k U)."""
    return rule(Q, K, W, U, ones(*v.shape))


WITHOUT_TANH = "The tanh belongs to every hidden value before they are weighed and added."
TANH_LAST = "Take the tanh of each hidden value first; then weigh and add."
COUNTED_AS = (
    "a projection for each query and each key, and for each pair of them a sum, "
    "the tanh of each number in it, and a product with the vector that weighs them"
)

PARAMETERS = ("Q", "K", "W", "U", "v")
# What goes back to the projected queries, and to the projected keys.
BY_QUERY = ("additive_queries_gradient", *PARAMETERS, GRADIENT)
BY_KEY = ("additive_keys_gradient", *PARAMETERS, GRADIENT)

ADDITIVE = Op(
    name="additive",
    title="Additive scores: project query and key, add, take tanh, weigh",
    why="A score says how well a query and a key go together; here a small network compares them.",
    parameters=PARAMETERS,
    family=Family.SCORE,
    roles=(Role.TOKENS, Role.TOKENS, Role.WEIGHTS, Role.WEIGHTS, Role.ROW),
    formula=Formula(
        matrix=r"\operatorname{score}(${Q}, ${K})",
        each=r"${out:ij} = \tanh(${local:u_j}) \cdot ${v}, \quad ${local:u_j} = ${Q:i} ${W} + ${K:j} ${U}",
        each_column=r"${out:ij} = ${v}^{\top} \tanh(${local:u_j}), "
        r"\quad ${local:u_j} = ${W} ${Q:i} + ${U} ${K:j}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as=COUNTED_AS,
    lines=lines,
    ledger=ledger,
    twin=twin,
    inner=inner_values(SUMS, TANHS, replaces=("Q", "W", "U")),
    onward=ONWARD,
    mistakes=(
        Mistake("without-tanh", WITHOUT_TANH, without_tanh),
        Mistake("tanh-last", TANH_LAST, tanh_last),
        Mistake(
            "weights-exchanged",
            "Each matrix has its own vector: do not exchange query and key.",
            weights_exchanged,
        ),
        Mistake("v-forgotten", "Weigh the hidden values before you add them up.", v_forgotten, since=2),
    ),
    gradients=(
        back("Q", "left_gradient", PARTIAL, "W", title=message("Gradient of the queries"), partial=BY_QUERY),
        back("W", "right_gradient", "Q", PARTIAL, title=message("Gradient of the matrix"), partial=BY_QUERY),
        back("K", "left_gradient", PARTIAL, "U", title=message("Gradient of the keys"), partial=BY_KEY),
        back("U", "right_gradient", "K", PARTIAL, title=message("Gradient of the matrix"), partial=BY_KEY),
        back("v", "additive_weighing_gradient", *PARAMETERS, GRADIENT),
    ),
)
