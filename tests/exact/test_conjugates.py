"""Roots out of denominators: the same number, shorter to read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.exact import Closed
from attnsolve.exact.conjugates import rationalised
from attnsolve.expressions import number


def closed(text: str) -> Closed:
    found = number(text)
    assert isinstance(found, Closed)
    return found


# By hand, each times its conjugate: (1 + √2)(√2 - 1) = 1, (2 - √3)(2 + √3) = 1, (√3 + √2)(√3 - √2) = 1,
# (1 + √6)(√6 - 1) = 5, (1 + √2 + √3)(1 + √2 - √3) = 2√2 and 1/(2√2)·(1 + √2 - √3) = (√2 + 2 - √6)/4.
@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("1/(1+sqrt(2))", "sqrt(2) - 1"),
        ("sqrt(2)/(1+sqrt(2))", "2 - sqrt(2)"),
        ("2/(2-sqrt(3))", "4 + 2*sqrt(3)"),
        ("1/(sqrt(3)+sqrt(2))", "sqrt(3) - sqrt(2)"),
        ("5/(1+sqrt(6))", "sqrt(6) - 1"),
        ("1 + 1/(1+sqrt(2))", "sqrt(2)"),
        ("1/(1+sqrt(2)) + 1/(1-sqrt(2))", "-2"),
        ("1/(17+sqrt(3))", "17/286 - sqrt(3)/286"),
        ("4/(1+sqrt(2)+sqrt(3))", "sqrt(2) + 2 - sqrt(6)"),
    ],
)
def test_roots_leave_the_denominator(typed: str, written: str) -> None:
    found = rationalised(closed(typed))
    assert sorted(written.replace("- ", "+ -").split(" + ")) == sorted(
        found.text().replace("- ", "+ -").split(" + ")
    )
    assert not found.text().startswith("-") or written.startswith("-")
    assert found.same(number(typed)) is True
    assert found.same(number(written)) is True


@pytest.mark.parametrize(
    "typed",
    [
        "1/2",
        "sqrt(2)/2",
        "1/(1+exp(1))",
        "1/(1+exp(sqrt(2)))",
        "1/(1+ln(2))",
        "1/(1+sqrt(2)+sqrt(3)+sqrt(5))",  # eight terms
        "(sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7))/(1+sqrt(11))",  # eight terms instead of six
    ],
)
def test_what_would_not_be_shorter_stays(typed: str) -> None:
    assert rationalised(closed(typed)).text() == closed(typed).text()


WHOLE = st.integers(-9, 9)
RADICANDS = st.sampled_from([1, 2, 3, 5, 6, 10])


@given(WHOLE, WHOLE, WHOLE, RADICANDS, RADICANDS, RADICANDS)
def test_it_is_always_the_same_number(a: int, b: int, c: int, r: int, s: int, t: int) -> None:
    below = number(f"{b}*sqrt({s}) + {c}*sqrt({t})")
    if below.is_zero():
        return
    typed = closed(f"(3 + {a}*sqrt({r}))/({b}*sqrt({s}) + {c}*sqrt({t}))")
    assert rationalised(typed).same(typed) is True
