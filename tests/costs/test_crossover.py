"""Where one way becomes dearer than another: the verdict against plain comparison of numbers."""

from fractions import Fraction
from itertools import product

import pytest

from attnsolve.costs.crossover import crossover
from attnsolve.exact.polynomials import ZERO, Polynomial, size

L, M, D, K = size("l"), size("m"), size("d"), size("d_k")
CASES: dict[str, tuple[Polynomial, Polynomial, str]] = {
    "core": (2 * L * L * D, 6 * L * D * D + 3 * L * D, "below"),
    "quotient": (L * L * (K + D), 5 * L * D * D + D * L, "below"),
    "from-on": (40 * L * D, 2 * L * L * D, "above"),
    "never-below": (L * L + 9 * L * D, L * D, "never"),
    "always": (L * D, L * D * D + L * D, "always"),
    "equal": (L * D, L * D, "equal"),
    "nothing": (ZERO, ZERO, "equal"),
    "other-tokens": (2 * L * M * D, 6 * L * D * D, "independent"),
    "square-root": (L * L * L, 20 * L + D, "unsolved"),
    "slope": (L * D + 4 * M, L * M + 3, "unsolved"),
}


@pytest.mark.parametrize("name", CASES)
def test_verdict_agrees_with_every_comparison(name: str) -> None:
    first, second, verdict = CASES[name]
    found = crossover(first, second)
    assert verdict == found.verdict
    smaller, larger = found.sides
    for l, m, d, k in product((1, 2, 3, 7, 20, 21), (1, 4), (1, 2, 5), (1, 3)):
        sizes = {"l": l, "m": m, "d": d, "d_k": k}
        cheaper = first.value(sizes) < second.value(sizes)
        bound = found.top.value(sizes) / found.bottom.value(sizes)
        claims = {"below": l < bound, "above": l > bound, "always": True, "never": False, "equal": False}
        assert cheaper == claims.get(verdict, cheaper)
        assert cheaper == (smaller.value(sizes) < larger.value(sizes))


def test_a_bound_is_reduced() -> None:
    found = crossover(2 * L * L * D, 6 * L * D * D + 3 * L * D)
    assert (3 * D + Fraction(3, 2), 1) == (found.top, found.bottom)
    found = crossover(L * L * D * (K + D), L * D * D)
    assert (D, K + D) == (found.top, found.bottom)
