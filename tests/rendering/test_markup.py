"""Indices and marks on a symbol: never two above or two below, which no TeX would print."""

import pytest

from attnsolve.rendering.markup import indexed, powered, raised

RAISED = [
    ("K", r"\top", r"K^{\top}"),
    ("W_{Q}", r"\top", r"W_{Q}^{\top}"),
    ("K^{(1)}", r"\top", r"K^{(1) \top}"),
    ("q^{(1)}_{i}", r"\top", r"q^{(1) \top}_{i}"),
    (r"\tilde{S}_{i}^{[2](1)}", r"\top", r"\tilde{S}^{[2](1) \top}_{i}"),
    ("h'", "(1)", "h'^{(1)}"),
    ("h'_{i}", r"\top", r"h'^{\top}_{i}"),
    ("z^*", "(2)", "z^{* (2)}"),
    (r"x^\prime", "(2)", r"x^{\prime (2)}"),
    ("(N_{1})_{i}", r"\top", r"(N_{1})_{i}^{\top}"),
    (r"(n^{(1)})_{2}", r"\top", r"(n^{(1)})_{2}^{\top}"),
    (r"d_{\text{model}}", r"\top", r"d_{\text{model}}^{\top}"),
    ("Q", "", "Q"),
]


@pytest.mark.parametrize(("symbol", "above", "expected"), RAISED)
def test_what_is_raised_joins_what_stands_there(symbol: str, above: str, expected: str) -> None:
    assert expected == raised(symbol, above)


@pytest.mark.parametrize(
    ("base", "above", "indices", "expected"),
    [
        ("Q", "(1)", ["1", "2"], "Q^{(1)}_{1,2}"),
        ("S", "", ["i", "j"], "S_{ij}"),
        ("N_{1}", "", ["1", "2"], "(N_{1})_{1,2}"),
        ("N_{1}", "[2]", ["i"], "(N_{1}^{[2]})_{i}"),
        ("z^*", "(1)", ["i"], "z^{* (1)}_{i}"),
        (r"\hat{x_1}", "", ["2"], r"\hat{x_1}_{2}"),
        ("A", "(1)", [], "A^{(1)}"),
    ],
)
def test_an_index_stands_below_only_once(base: str, above: str, indices: list[str], expected: str) -> None:
    assert expected == indexed(base, above, indices)


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [("x_{1}", "x_{1}^{2}"), ("x^{(1)}_{1}", "(x^{(1)}_{1})^{2}"), ("x'", "(x')^{2}"), ("(-2)", "(-2)^{2}")],
)
def test_a_power_is_no_mark(symbol: str, expected: str) -> None:
    assert expected == powered(symbol, "2")
