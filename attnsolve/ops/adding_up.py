"""Adding up: what is used several times gets a gradient from every use, and they add up."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import Misfit, Unfit
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Sum, equals


def frame(*shares: Frame) -> Frame:
    """As each of them."""
    if len({share.shape for share in shares}) > 1:
        named = {f"G{place}": share for place, share in enumerate(shares, start=1)}
        said = ", ".join(f"{{{name}}} is {{{name}:shape}}" for name in named)
        raise Unfit(Misfit("G", f"{said}; what adds up needs the same size"), named)
    return shares[0]


def rule(*shares: Matrix) -> Matrix:
    """G₁ + G₂ + …."""
    return reduce(add, shares)


def lines(*shares: Matrix, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Number by number."""
    tables = [factors(name, share) for name, share in zip(names, shares, strict=True)]
    return tuple(
        Line(i, j, (equals(Sum(tuple(table[i][j] for table in tables))), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(*shares: Any) -> Any:
    """torch's own sum over one more side."""
    import torch

    return torch.stack(shares).sum(dim=0)


def only_first(*shares: Matrix) -> Matrix:
    """G₁."""
    return shares[0]


def only_last(*shares: Matrix) -> Matrix:
    """The last one."""
    return shares[-1]


ADVICE = "What is used several times, as by several heads, gets a gradient from each use: add them all up."

ADD_UP = Op(
    name="add_up",
    title="Used several times: the gradients add up",
    parameters=("G",),
    gathers=True,
    roles=(Role.ANY,),
    formula=Formula(matrix="${G:summed}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("uses-forgotten", ADVICE, only_first),
        Mistake("only-last-use", ADVICE, only_last),
    ),
)
