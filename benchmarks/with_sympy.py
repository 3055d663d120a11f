"""What one would write with SymPy alone: Matrix and exp, never simplify, and latex() for the page."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Matrix, Rational, exp, latex, sqrt

from benchmarks.variants import D_K, HEADS, Variant

RATIONAL = "QKVS"
# Ours writes these exactly (the softmax of the first head only) and the rest in decimals, for readers.
READABLE = ("Q1", "K1", "V1", "S1", "T1", "A1", "Q2", "K2", "V2", "S2", "T2")


def matrices(variant: Variant) -> Iterator[tuple[str, Matrix]]:
    """Every matrix on the way to the output, by name."""
    M = {
        name: Matrix([[Rational(x.numerator, x.denominator) for x in row] for row in rows])
        for name, rows in variant.numbers.items()
    }
    X, outputs = M["X"], []
    for h in HEADS:
        Q, K, V = X * M[f"W_Q{h}"], X * M[f"W_K{h}"], X * M[f"W_V{h}"]
        S = Q * K.T
        T = S / sqrt(D_K)
        E = T.applyfunc(exp)
        sums = [sum(E.row(i)) for i in range(E.rows)]
        A = Matrix(E.rows, E.cols, lambda i, j, E=E, sums=sums: E[i, j] / sums[i])
        Z = A * V
        outputs.append(Z)
        for letter, value in zip("QKVSTAZ", (Q, K, V, S, T, A, Z), strict=True):
            yield letter + h, value
    C = Matrix.hstack(*outputs)
    yield "C", C
    yield "O", C * M["W_O"]


def solve(variant: Variant) -> dict[str, Matrix]:
    """All matrices, exact."""
    return dict(matrices(variant))


def page(variant: Variant) -> str:
    """Every matrix exactly and, unless it is rational, in decimals (evalf: nearly always right)."""
    return document(variant, exact=None)


def readable_page(variant: Variant) -> str:
    """The same, but exact only where our page is exact: no latex() of long closed forms."""
    return document(variant, exact=READABLE)


def document(variant: Variant, *, exact: tuple[str, ...] | None) -> str:
    """The page as one text; None writes every matrix exactly."""
    lines = [r"\documentclass{article}", r"\usepackage{amsmath}", r"\begin{document}"]
    for name, value in matrices(variant):
        sides = [name]
        if exact is None or name in exact:
            sides.append(f"= {latex(value)}")
        if name[0] not in RATIONAL:
            sides.append(rf"\approx {latex(value.evalf(4))}")
        lines += [r"\[", " ".join(sides), r"\]"]
    return "\n".join([*lines, r"\end{document}", ""])


def output(variant: Variant) -> list[list[float]]:
    """The output of the layer, as floats."""
    O = solve(variant)["O"].evalf(17)
    return [[float(x) for x in O.row(i)] for i in range(O.rows)]
