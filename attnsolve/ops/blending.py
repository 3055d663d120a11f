"""Blending: a gate says number by number how much is kept and how much is new, (1 - Z) ∘ X + Z ∘ Y."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.cells import subtract
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.addition import same_size
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Product, Sum, equals

UNITY = Rational(1)


def frame(Z: Frame, X: Frame, Y: Frame) -> Frame:
    """As the gate, which has a number for each number of both."""
    same_size(X, Y, "blended")
    same_size(X, Z, "blended", second="Z")
    return Z


def complement(Z: Matrix) -> Matrix:
    """1 - Z, number by number."""
    return ones(*Z.shape) - Z


def rule(Z: Matrix, X: Matrix, Y: Matrix) -> Matrix:
    """(1 - Z) ∘ X + Z ∘ Y."""
    return complement(Z) * X + Z * Y


def lines(
    Z: Matrix, X: Matrix, Y: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    gates, first, second = (factors(name, matrix) for name, matrix in zip(names, (Z, X, Y), strict=True))
    made = []
    for i, j, result in value.cells():
        gate = gates[i][j]
        rest: Expression = Sum((Num(UNITY), negative(gate)))
        kept = Product((rest, first[i][j]))
        stages = [equals(Sum((kept, Product((gate, second[i][j])))))]
        if isinstance(gate, Num):
            short = Product((Num(subtract(UNITY, gate.cell)), first[i][j]))
            stages.append(equals(Sum((short, Product((gate, second[i][j])))), fine=True))
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def twin(Z: Any, X: Any, Y: Any) -> Any:
    """torch's own way from one to the other."""
    import torch

    return torch.lerp(X, Y, Z)


def other_way(Z: Matrix, X: Matrix, Y: Matrix) -> Matrix:
    """Z ∘ X + (1 - Z) ∘ Y."""
    return rule(Z, Y, X)


def only_one(Z: Matrix, X: Matrix, Y: Matrix) -> Matrix:
    """Z ∘ Y."""
    return Z * Y


BLEND = Op(
    name="blend",
    title="Blend both as the gate says",
    parameters=("Z", "X", "Y"),
    roles=(Role.TOKENS, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"(1 - ${Z:laid}) \odot ${X:laid} + ${Z:laid} \odot ${Y:laid}",
        each=r"${out:ij} = (1 - ${Z:ij})\, ${X:ij} + ${Z:ij}\, ${Y:ij}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("gate-turned", "Mind which of the two the gate is for: 1 - z is for the other.", other_way),
        Mistake("other-share-forgotten", "What the gate does not take is kept: add 1 - z of it.", only_one),
    ),
    gradients=(
        back("Z", "gate_gradient", "X", "Y", GRADIENT),
        back("X", "kept_gradient", "Z", GRADIENT),
        back("Y", "times", "Z", GRADIENT, title=message("Gradient of what is new: times the gate")),
    ),
)
