"""Back through a blend (1 - Z) ∘ X + Z ∘ Y: to the gate, and to what it keeps."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.blending import UNITY, complement
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Sum, equals


def gate_frame(X: Frame, Y: Frame, G: Frame) -> Frame:
    """As the gradient."""
    same_size(X, Y, "subtracted")
    same_size(X, G, "multiplied number by number", second="G")
    return G


def gate(X: Matrix, Y: Matrix, G: Matrix) -> Matrix:
    """G ∘ (Y - X)."""
    return G * (Y - X)


def gate_lines(
    X: Matrix, Y: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    x, y, g = (factors(name, matrix) for name, matrix in zip(names, (X, Y, G), strict=True))
    return tuple(
        Line(i, j, (equals(Product((g[i][j], Sum((y[i][j], negative(x[i][j])))))), *closing(result)))
        for i, j, result in value.cells()
    )


def gate_twin(X: Any, Y: Any, G: Any) -> Any:
    """The same, by torch's own functions."""
    import torch

    return torch.mul(G, torch.sub(Y, X))


def only_new(X: Matrix, Y: Matrix, G: Matrix) -> Matrix:
    """G ∘ Y."""
    return G * Y


GATE_GRADIENT = Op(
    name="gate_gradient",
    title="Gradient of the gate: times new less old",
    parameters=("X", "Y", "G"),
    roles=(Role.TOKENS, Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"${G:laid} \odot (${Y:laid} - ${X:laid})", each=r"${out:ij} = ${G:ij}\, (${Y:ij} - ${X:ij})"
    ),
    frame=gate_frame,
    rule=gate,
    lines=gate_lines,
    twin=gate_twin,
    mistakes=(
        Mistake(
            "old-share-forgotten", "The gate stands in both terms of the blend, once as 1 - z.", only_new
        ),
    ),
)


def kept_frame(Z: Frame, G: Frame) -> Frame:
    """As the gradient."""
    same_size(Z, G, "multiplied number by number", first="Z", second="G")
    return G


def kept(Z: Matrix, G: Matrix) -> Matrix:
    """(1 - Z) ∘ G."""
    return complement(Z) * G


def kept_lines(
    Z: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    z, g = factors(names[0], Z), factors(names[1], G)
    return tuple(
        Line(i, j, (equals(Product((Sum((Num(UNITY), negative(z[i][j]))), g[i][j]))), *closing(result)))
        for i, j, result in value.cells()
    )


def kept_twin(Z: Any, G: Any) -> Any:
    """torch's own product less another."""
    import torch

    return torch.addcmul(G, Z, G, value=-1)


def with_gate(Z: Matrix, G: Matrix) -> Matrix:
    """Z ∘ G."""
    return Z * G


KEPT_GRADIENT = Op(
    name="kept_gradient",
    title="Gradient of what is kept: times 1 less the gate",
    parameters=("Z", "G"),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(matrix=r"(1 - ${Z:laid}) \odot ${G:laid}", each=r"${out:ij} = (1 - ${Z:ij})\, ${G:ij}"),
    frame=kept_frame,
    rule=kept,
    lines=kept_lines,
    twin=kept_twin,
    mistakes=(Mistake("gate-for-its-rest", "What is kept has the factor 1 - z, not z.", with_gate),),
)
