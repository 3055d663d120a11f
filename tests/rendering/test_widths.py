"""Lines are broken between the terms of a sum, and nowhere inside what belongs together."""

import pytest

from attnsolve.rendering.widths import laid_out, split_terms

MATRIX = r"\begin{bmatrix} 1 + \sqrt{2} & 3 - x \\ 2 - \sqrt{7} & 6 + 4\sqrt{2} \end{bmatrix}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b - c", ["a", "+ b", "- c"]),
        ("(a + b)(c - d) + e", ["(a + b)(c - d)", "+ e"]),
        (r"\frac{1 + x}{2 - y} - 3", [r"\frac{1 + x}{2 - y}", "- 3"]),
        (r"\left\{ a + b \right\} + c", [r"\left\{ a + b \right\}", "+ c"]),
        (MATRIX, [MATRIX]),
        (f"{MATRIX} {MATRIX} + {MATRIX}", [f"{MATRIX} {MATRIX}", f"+ {MATRIX}"]),
    ],
)
def test_a_sum_is_split_at_its_own_signs(text: str, expected: list[str]) -> None:
    assert expected == split_terms(text)


def test_no_line_ends_inside_a_matrix() -> None:
    wide = MATRIX.replace("3 - x", " + ".join(f"x_{{{i}}}" for i in range(40)))
    rows = laid_out("S", [("=", wide), (r"\approx", MATRIX)])
    assert [rf"= {wide}", rf"\approx {MATRIX}"] == [right for _, right in rows]
