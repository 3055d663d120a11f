"""Selection: only some of the tokens, as when one timestep asks."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.ops.back import GRADIENT, Passing, back
from attnsolve.ops.base import Axis, Family, Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit


def frame(X: Frame, *, rows: tuple[int, ...]) -> Frame:
    """Only the chosen tokens."""
    missing = [row for row in rows if not 0 <= row < X.rows.size]
    if missing:
        known = f"{{X}} has the tokens {{0:place}} to {{{X.rows.size - 1}:place}}"
        raise unfit("rows", f"there is no token {{{missing[0]}:place}}; {known}", X=X)
    tokens = X.rows.tokens or tuple(range(X.rows.size))
    return Frame(Axis(len(rows), tuple(tokens[row] for row in rows), X.rows.labels), X.columns)


def rule(X: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """The chosen rows of X."""
    return X.take(rows)


def twin(X: Any, *, rows: tuple[int, ...]) -> Any:
    """torch's own row picker."""
    import torch

    return torch.index_select(X, 0, torch.tensor(rows))


def token_after(X: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """The rows one too late: counted from 0 where the sheet counts from 1."""
    return _moved(X, rows, 1)


def token_before(X: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """The rows one too early: counted from 1 where the sheet counts from 0."""
    return _moved(X, rows, -1)


def _moved(X: Matrix, rows: tuple[int, ...], by: int) -> Matrix:
    moved = [row + by for row in rows]
    if not all(0 <= row < X.shape[0] for row in moved):
        raise UndefinedStep("there is no token beside the first or the last one")
    return X.take(moved)


def places(passing: Passing) -> Options:
    """Where the rows came from, and how many there were."""
    return {"rows": passing.options["rows"], "height": passing.frames[0].rows.size}


SELECT = Op(
    name="select",
    title="Take the tokens that ask",
    parameters=("X",),
    options=(Option("rows", "rows", "the rows to take, such as 2", required=True),),
    moves=True,
    family=Family.SELECTION,
    roles=(Role.TOKENS,),
    formula=Formula(matrix="${X:rows}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(
        Mistake(
            "token-after", "Mind where the sheet starts counting: this is the token after it.", token_after
        ),
        Mistake(
            "token-before", "Mind where the sheet starts counting: this is the token before it.", token_before
        ),
    ),
    gradients=(back("X", "scatter", GRADIENT, settings=places),),
)
