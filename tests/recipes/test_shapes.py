"""What does not fit is raised by the op and told by the recipe, also for an op that nobody knew before."""

import pytest

from attnsolve.ops import OPS_BY_NAME, Axis, Frame, Op, Role
from attnsolve.ops.misfits import counted, unfit
from attnsolve.problem import CONVENTIONS
from attnsolve.recipes.base import Chosen, FieldError, Plan
from attnsolve.recipes.scores import compare
from attnsolve.recipes.shapes import Layout


def frame(Q: Frame, K: Frame, G: Frame) -> Frame:
    """Distances in a metric G, which is square."""
    width = Q.columns.size
    if Q.columns.size != K.columns.size:
        raise unfit("K", "{Q} is {Q:shape} but {K} is {K:shape}", Q=Q, K=K)
    if G.rows.size != width:
        raise unfit("G", f"{{Q}} has {counted(width, 'number')}", needs=(width, None), Q=Q, G=G)
    if G.columns.size != width:
        raise unfit("G", "a metric is square, and {G} is {G:shape}", G=G)
    return Frame(Q.rows, K.rows)


# A score whose only matrix is no W, as none of ours has it.
METRIC: Op = OPS_BY_NAME["dot"]._replace(
    name="metric",
    parameters=("Q", "K", "G"),
    roles=(Role.TOKENS, Role.TOKENS, Role.WEIGHTS),
    frame=frame,
)


def side(size: int) -> Axis:
    return Axis(size, tuple(range(size)))


def compared(G: tuple[int, int], *, keys: int = 2, convention: str = "rows") -> FieldError:
    """What is said of an attention with this metric, and where."""
    frames = {
        "X": Frame(side(3), Axis(2)),
        "Y": Frame(side(4), Axis(keys)),
        "a.metric": Frame(Axis(G[0]), Axis(G[1])),
    }
    roles = {"X": Role.TOKENS, "Y": Role.TOKENS, "a.metric": Role.WEIGHTS}
    plan = Plan("a", frames, Layout(CONVENTIONS[convention], roles, 1), {})
    with pytest.raises(FieldError) as refused:
        compare(plan, "X", "Y", {"keys": "Y", "score": Chosen(METRIC, {"G": "a.metric"})})
    return refused.value


@pytest.mark.parametrize(
    ("G", "convention", "said"),
    [
        ((3, 2), "rows", "metric is 3×2, but X has 2 numbers; metric needs 2 rows: 2×2"),
        ((3, 4), "columns", "metric is 4×3, but X has 2 numbers; metric needs 2 columns: 4×2"),
        ((2, 3), "rows", "a metric is square, and metric is 2×3"),
        ((2, 3), "torch", "a metric is square, and metric is 3×2"),
    ],
)
def test_matrix_of_a_new_score_is_blamed_where_it_stands(
    G: tuple[int, int], convention: str, said: str
) -> None:
    refused = compared(G, convention=convention)
    assert ("score", "metric", "G") == refused.path
    assert str(refused).startswith(said)


def test_keys_that_a_new_score_cannot_take_are_blamed_where_they_stand() -> None:
    refused = compared((2, 2), keys=5)
    assert ("keys",) == refused.path
    assert "X is 3×2 but Y is 4×5" == str(refused)


def test_weights_that_would_fit_the_other_way_round_are_told_so() -> None:
    assert "its transpose would fit" in str(compared((5, 2)))
