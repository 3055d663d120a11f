"""Whether the methods get the same numbers: a benchmark of wrong answers is worthless."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks import with_attnsolve, with_numpy, with_sympy
from benchmarks.variants import Variant

TOLERANCE = 1e-9


def difference(a: Iterable[Sequence[float]], b: Iterable[Sequence[float]]) -> float:
    """The largest difference of two matrices, relative where the numbers are above 1."""
    cells = [pair for r, s in zip(a, b, strict=True) for pair in zip(r, s, strict=True)]
    return max(abs(x - y) / max(1.0, abs(x)) for x, y in cells)


def numpy_differs(variant: Variant) -> float:
    """By how much numpy and ours differ."""
    return difference(with_attnsolve.output(variant), with_numpy.solve(variant).tolist())


def sympy_differs(variant: Variant) -> float:
    """By how much SymPy and ours differ."""
    return difference(with_attnsolve.output(variant), with_sympy.output(variant))


def require(differences: Iterable[float]) -> None:
    """Stop the benchmark where two methods disagree."""
    worst = max(differences)
    if not worst <= TOLERANCE:
        raise SystemExit(f"the methods disagree by {worst:.1e}: nothing is measured")
