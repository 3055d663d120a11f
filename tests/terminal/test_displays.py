"""Formulas as characters: what is drawn for what is written."""

from __future__ import annotations

import pytest

from attnsolve.terminal.displays import display, inline


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"e^{3\sqrt{3}/2} \approx 13.4379", "e^(3√3/2) ≈ 13.4379"),
        (r"(1 \times 3) (3 \times 4)", "(1 × 3)(3 × 4)"),
        (r"\frac{a+b}{2}", "(a + b)/2"),
        (r"-\tfrac{1}{2}", "-1/2"),
        (r"\tfrac{2m}{3}", "2m/3"),
        (r"\tfrac{-1}{2m}", "-1/(2m)"),
        (r"\tfrac{1}{2\sqrt{3}}", "1/(2√3)"),
        (r"\sqrt{2d}", "√(2d)"),
        (r"\tfrac{c}{\sqrt{d}}", "c/√d"),
        (r"\tfrac{1}{k}(a - b)", "1/k (a - b)"),
        (r"\tfrac{-99\sqrt{2}}{32}", "-99√2/32"),
        (r"\frac{1}{a b + c}", "1/(ab + c)"),
        (r"Q^{(1)}_{2,1}", "Q₂,₁⁽¹⁾"),
        (r"K^{\top}", "Kᵀ"),
        (r"x'_1", "x₁′"),
        (r"W_{Q}", "W_Q"),
        (r"h_{t-1}", "h_(t - 1)"),
        (r"\max_i s_i", "maxᵢ sᵢ"),
        (r"\ln 2 - \sin(x)", "ln 2 - sin(x)"),
        (r"-\infty", "-∞"),
        (r"2 - -3 = 5", "2 - -3 = 5"),
        (r"(-2)(1) + (-0.5)", "(-2)(1) + (-0.5)"),
        (r"\mathbb{R}^{n}", "ℝⁿ"),
        (r"\lVert x\rVert^2", "‖x‖²"),
        (r"\tilde{s}_{1}", "s\u0303₁"),
        (r"\check{S}", "S\u030c"),
        (r"4.79 \cdot 10^{-5}", "4.79 · 10⁻⁵"),
        (r"\text{if } x > 0", "if x > 0"),
        (r"\operatorname{softmax}(S)", "softmax(S)"),
        (r"\sqrt[3]{x + 1}", "³√(x + 1)"),
        (r"z \approx (-1.7,\ 0.9)", "z ≈ (-1.7, 0.9)"),
        (r"\left(\tfrac{1}{2}\right)^2", "(1/2)²"),
        (r"\bigl( x \bigr)", "(x)"),
        (r"75\,\%", "75%"),
        (r"\begin{bmatrix} 1 & 2 \end{bmatrix}", "[1  2]"),
        ("", ""),
    ],
)
def test_a_formula_in_a_sentence_is_one_line(source: str, shown: str) -> None:
    assert shown == inline(source)


DRAWN = [
    (
        r"X = \begin{bmatrix} -2 & 1 \\[4pt] 1 & 1.5 \end{bmatrix}, \qquad "
        r"q = \begin{bmatrix} 1 & -1 \end{bmatrix}",
        """
    X = ⎡-2    1⎤,    q = [1  -1]
        ⎣ 1  1.5⎦
""",
    ),
    (
        r"\tilde{s} = \frac{s}{\sqrt{d}} = \begin{bmatrix} \tfrac{3\sqrt{3}}{2} & 0 \end{bmatrix}",
        """
        s
    s\u0303 = ── = [3√3/2  0]
        √d
""",
    ),
    (
        r"f = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
        """
    f = ⎧1  x > 0
        ⎩0  else
""",
    ),
    (
        r"\begin{aligned} z_{1} &= a + b \\ &\approx 0.5 \end{aligned}",
        """
    z₁ = a + b
       ≈ 0.5
""",
    ),
    (
        r"\left( \begin{matrix} 1 \\ 2 \\ 3 \end{matrix} \right)",
        """
    ⎛1⎞
    ⎜2⎟
    ⎝3⎠
""",
    ),
]


@pytest.mark.parametrize(("source", "shown"), DRAWN)
def test_a_display_is_drawn_over_lines(source: str, shown: str) -> None:
    assert shown.strip("\n").split("\n") == display(source, 80)


def test_a_long_formula_is_broken_after_commas_and_before_relations() -> None:
    terms = " + ".join(["(1)(2)"] * 6)
    shown = display(rf"a = {terms} = 12, \quad b = 3", 64)
    assert [f"    a = {terms}", "       = 12,  b = 3"] == shown


def test_aligned_lines_are_broken_where_their_own_relations_stand() -> None:
    terms = " + ".join(["(1)(2)"] * 6)
    source = rf"\begin{{aligned}} s_1 &= {terms} = 12 \\ s_2 &= 0 \end{{aligned}}"
    assert [f"    s₁ = {terms}", "       = 12", "    s₂ = 0"] == display(source, 62)


def test_a_matrix_that_is_too_wide_is_cut_between_its_columns() -> None:
    cells = " & ".join(str(1000 + i) for i in range(12))
    lines = display(rf"X = \begin{{bmatrix}} {cells} \\ {cells} \end{{bmatrix}}", 50)
    assert max(map(len, lines)) <= 50
    shown = [word for line in lines for word in line.translate(str.maketrans("⎡⎤⎣⎦X=", " " * 6)).split()]
    assert sorted(2 * [str(1000 + i) for i in range(12)]) == sorted(shown)


@pytest.mark.parametrize(
    "source",
    [r"\frac{1}", "{", "}", r"\left(", "^", "_", r"\begin{bmatrix}", r"\sqrt[", r"x^", "&", r"\\", r"\text{"],
)
def test_a_formula_that_ends_too_soon_is_shown_as_far_as_it_goes(source: str) -> None:
    assert isinstance(inline(source), str)
    assert isinstance(display(source, 80), list)
