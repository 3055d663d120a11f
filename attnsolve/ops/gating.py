"""Gating: an old memory and a new one, each through its own gate, added up: F ∘ C + I ∘ N."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.addition import same_size
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Product, Sum, equals


def frame(F: Frame, C: Frame, I: Frame, N: Frame) -> Frame:
    """As the new memory; all four have equally many numbers."""
    for name, matrix in (("F", F), ("C", C), ("I", I)):
        same_size(N, matrix, "gated", first="N", second=name)
    return N


def rule(F: Matrix, C: Matrix, I: Matrix, N: Matrix) -> Matrix:
    """F ∘ C + I ∘ N."""
    return F * C + I * N


def lines(
    F: Matrix,
    C: Matrix,
    I: Matrix,
    N: Matrix,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """Number by number."""
    f, c, i_, n = (factors(name, matrix) for name, matrix in zip(names, (F, C, I, N), strict=True))
    return tuple(
        Line(
            i,
            j,
            (
                equals(Sum((Product((f[i][j], c[i][j])), Product((i_[i][j], n[i][j]))))),
                *closing(result),
            ),
        )
        for i, j, result in value.cells()
    )


def twin(F: Any, C: Any, I: Any, N: Any) -> Any:
    """torch's own product that is added to another."""
    import torch

    return torch.addcmul(F * C, I, N)


def exchanged(F: Matrix, C: Matrix, I: Matrix, N: Matrix) -> Matrix:
    """I ∘ C + F ∘ N."""
    return rule(I, C, F, N)


def without_old(F: Matrix, C: Matrix, I: Matrix, N: Matrix) -> Matrix:
    """I ∘ N."""
    return I * N


def nothing_forgotten(F: Matrix, C: Matrix, I: Matrix, N: Matrix) -> Matrix:
    """C + I ∘ N."""
    return C + I * N


GATE = Op(
    name="gate",
    title="The old memory and the new one, each through its gate",
    parameters=("F", "C", "I", "N"),
    roles=(Role.TOKENS, Role.TOKENS, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"${F:laid} \odot ${C:laid} + ${I:laid} \odot ${N:laid}",
        each=r"${out:ij} = ${F:ij}\, ${C:ij} + ${I:ij}\, ${N:ij}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "gates-exchanged",
            "The forget gate is for the old memory, the input gate for the new one.",
            exchanged,
        ),
        Mistake("memory-forgotten", "Add what the forget gate leaves of the old memory.", without_old),
        Mistake(
            "nothing-forgotten",
            "The forget gate is for the old memory before it is added.",
            nothing_forgotten,
        ),
    ),
    gradients=(
        back("F", "times", GRADIENT, "C", title=message("Gradient of a gate: times what it is for")),
        back("C", "times", GRADIENT, "F", title=message("Gradient of a memory: times its gate")),
        back("I", "times", GRADIENT, "N", title=message("Gradient of a gate: times what it is for")),
        back("N", "times", GRADIENT, "I", title=message("Gradient of a memory: times its gate")),
    ),
)
