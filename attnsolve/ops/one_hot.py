"""One-hot positions: a 1 at the place where a token stands."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Option, Role
from attnsolve.ops.misfits import unfit


def frame(X: Frame, *, length: int | None = None) -> Frame:
    """The tokens of X, a column for each place."""
    if length is not None and length < X.rows.size:
        said = f"{X.rows.size} tokens do not fit into one-hot codes of length {length}"
        raise unfit("length", f"{{X}} is {{X:shape}}: {said}", X=X)
    return Frame(X.rows, Axis(length or X.rows.size))


def rule(X: Matrix, *, length: int | None = None) -> Matrix:
    """Row t has a 1 at place t."""
    rows = X.shape[0]
    return Rationals([[int(place == t) for place in range(length or rows)] for t in range(rows)])


def counting(X: Matrix, *, length: int | None = None) -> Matrix:
    """Writing zeros and ones is free."""
    return X.T.repeated(length or X.shape[0]).T


def twin(X: Any, *, length: int | None = None) -> Any:
    """torch's own one-hot codes."""
    import torch

    return torch.nn.functional.one_hot(torch.arange(len(X)), length or len(X)).to(X.dtype)


def from_the_end(X: Matrix, *, length: int | None = None) -> Matrix:
    """Row t has its 1 at place t from the right."""
    codes = rule(X, length=length)
    return codes.T.take(range(codes.shape[1])[::-1]).T


ONE_HOT = Op(
    name="one_hot",
    title="One-hot positions: a 1 at the token's own place",
    why="Attention itself does not see in which order tokens stand; a code of its place tells it.",
    parameters=("X",),
    options=(Option("length", "count", "how long the codes are; as many as there are tokens when left out"),),
    roles=(Role.TOKENS,),
    formula=Formula(
        matrix=r"\operatorname{one-hot}(${X})",
        each=r"${out:ij} = 1 \text{ if } j = i, \text{ else } 0",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    twin=twin,
    mistakes=(
        Mistake(
            "from-the-end", "The first token has its 1 at the first place, not at the last.", from_the_end
        ),
    ),
    gradients=(),  # where a token stands does not change with its numbers
)
