"""Formulas as those hear them who cannot see them."""

import pytest

from attnsolve.languages import speaking
from attnsolve.rendering.spoken_maths import in_words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (r"x = 1", "x = 1"),
        (r"S = QK^{\top}", "S = Q K transposed"),
        (r"s_{1,2}", "s sub 1, 2"),
        (r"\frac{1}{2}", "1 over 2"),
        (r"\frac{a + b}{c}", "fraction a + b over c end of fraction"),
        (r"\sqrt{3}", "root of 3"),
        (r"\sqrt{a + b} + 1", "root of a + b end of root + 1"),
        (r"\sqrt[3]{x}", "root 3 of x"),
        (r"e^{2}", "e to the power 2"),
        (r"e^{a + b} + 1", "e to the power a + b end of power + 1"),
        (r"W_Q^{(1)}", "W sub Q superscript (1)"),
        (r"h'", "h prime"),
        (r"\tilde{S}", "S tilde"),
        (r"\check{S}", "S check"),
        (r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", "matrix 2 by 2 (row 1: 1, 2; row 2: 3, 4)"),
        (r"\begin{bmatrix} 1 & -2 \end{bmatrix}", "row (1, − 2)"),
        (r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}", "column (1, 2)"),
        (r"\sum_{k=1}^{n} x_k", "∑ from k = 1 to n of x sub k"),
        (r"\max_k s", "max over k of s"),
        (r"\begin{aligned} a &= 1 \\ b &\approx 2 \end{aligned}", "a = 1; b ≈ 2"),
        (r"\begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}", "cases (1 x > 0; 0 else)"),
        (r"\operatorname{softmax}(s)", "softmax (s)"),
        (r"\binom{n}{k}", "n choose k"),
        (r"1, \ldots, n", "1, ..., n"),
    ],
)
def test_a_formula_is_heard_as_it_is_meant(source: str, words: str) -> None:
    assert words == in_words(source)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", "A ≈ Matrix 2 mal 2 (Zeile 1: 0,5; 1; Zeile 2: 0; Wurzel aus 2)"),
        ("pt", "A ≈ matriz 2 por 2 (linha 1: 0,5; 1; linha 2: 0; raiz de 2)"),
        ("fr", "A ≈ matrice 2 par 2 (ligne 1 : 0,5; 1; ligne 2 : 0; racine de 2)"),
    ],
)
def test_it_is_heard_in_the_language_of_the_page(code: str, words: str) -> None:
    with speaking(code):
        assert words == in_words(r"A \approx \begin{bmatrix} 0.5 & 1 \\ 0 & \sqrt{2} \end{bmatrix}")
