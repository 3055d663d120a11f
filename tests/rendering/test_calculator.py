"""The calculator that reads our pages can be trusted: it knows right from wrong by itself."""

import mpmath
import pytest
from rendering.calculator import Equation, NotNumeric, assert_true, equations, value

CASES = (
    ("3", "3"),
    ("-1.5", "-1.5"),
    (r"-\tfrac{9}{4}", "-2.25"),
    (r"4 + 1 - 0.5", "4.5"),
    ("(-2)(-2) + (1)(1.5)", "5.5"),
    (r"2 + 2\,e^{0}", "4"),
    (r"1.87 \cdot 10^{-8}", "1.87e-8"),
    (r"\max(0, -3) + \max(0, 2)", "2"),
    (r"\frac{1}{2 + 2}", "0.25"),
    (r"e^{\ln 3/2}e^{\ln 3/2}", "3"),
)


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_numbers(source: str, expected: str) -> None:
    ((found,),) = value(source)
    assert abs(mpmath.mpf(expected) - found) < 1e-14


def test_roots_and_exponentials() -> None:
    ((found,),) = value(r"e^{-3\sqrt{3}/2}")
    assert abs(mpmath.exp(-1.5 * mpmath.sqrt(3)) - found) < 1e-15


def test_products_of_matrices() -> None:
    A, b, c = "1 & 2 \\\\ 3 & 4", "1 \\\\ -1", "10"
    source = "{} {} + {}".format(*(f"\\begin{{bmatrix}} {rows} \\end{{bmatrix}}" for rows in (A, b, c)))
    assert ((9,), (9,)) == value(source)


@pytest.mark.parametrize(
    "source", ["x", r"2 x_{1}", r"\begin{bmatrix} 1 & \cdots & 2 \end{bmatrix}", r"\alpha", "1 +", ""]
)
def test_symbols_are_not_numbers(source: str) -> None:
    with pytest.raises(NotNumeric):
        value(source)


def test_a_display_is_taken_apart() -> None:
    display = (
        "\\begin{aligned}\na_{1} &= 1 + 1 = 2 \\\\\nb &= 3 \\\\\n &\\approx 3.0, \\quad D = 4\n\\end{aligned}"
    )
    assert [
        Equation("a_{1}", (("=", "1 + 1"), ("=", "2"))),
        Equation("b", (("=", "3"), (r"\approx", "3.0"))),
        Equation("D", (("=", "4"),)),
    ] == equations(display)


LIES = (
    "x = 1 + 1 = 3",
    r"x = \sqrt{3} = 1.7321",
    r"x = \sqrt{3} \approx 1.7320",
    r"x = \sqrt{3} \approx 1.7321 = 1.7321",
    r"x = \begin{bmatrix} 1 & 2 \end{bmatrix} = \begin{bmatrix} 1 & 3 \end{bmatrix}",
    r"x = \begin{bmatrix} \tfrac{1}{3} \end{bmatrix} \approx \begin{bmatrix} 0.334 \end{bmatrix}",
)


@pytest.mark.parametrize("source", LIES)
def test_lies_are_found(source: str) -> None:
    with pytest.raises(AssertionError):
        assert_true(*equations(source))


@pytest.mark.parametrize("source", [r"x = \sqrt{3} \approx 1.7321", r"x = \tfrac{1}{8} = 0.125 \approx 0.13"])
def test_truth_is_left_alone(source: str) -> None:
    assert len(equations(source)[0].stages) - 1 == assert_true(*equations(source))
