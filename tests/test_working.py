"""The display algebra: expressions know their value, and stages say how they relate."""

from typing import Any

import pytest
import sympy
from exact.oracle import assert_number
from hypothesis import given
from hypothesis import strategies as st
from strategies import Drawn, surds

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Rational
from attnsolve.expressions import number
from attnsolve.working import (
    Apply,
    Decimal,
    Entry,
    Expression,
    Num,
    Power,
    Product,
    Quotient,
    Stage,
    Sum,
    Symbol,
    about,
    dot_stages,
    equals,
    evaluate,
)

TWO, HALF, ROOT = number("2"), number("1/2"), number("√2")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Num(TWO), 2),
        (Num(HALF, "0.50"), sympy.Rational(1, 2)),
        (Entry("A", 0, 1, ROOT), sympy.sqrt(2)),
        (Symbol("d_k", TWO), 2),
        (Decimal(ROOT), sympy.sqrt(2)),  # shown rounded, but the value is exact
        (Sum((Num(TWO), Num(HALF), Num(ROOT))), sympy.Rational(5, 2) + sympy.sqrt(2)),
        (Sum(()), 0),
        (Product((Num(TWO), Num(ROOT), Num(ROOT))), 4),
        (Product(()), 1),
        (Quotient(Num(TWO), Num(ROOT)), sympy.sqrt(2)),
        (Power(Num(ROOT), 3), 2 * sympy.sqrt(2)),
        (Power(Num(TWO), -2), sympy.Rational(1, 4)),
        (Apply("sqrt", Num(TWO)), sympy.sqrt(2)),
        (Apply("exp", Product((Num(number("-1")), Num(ROOT)))), sympy.exp(-sympy.sqrt(2))),
        (Apply("relu", Num(number("-2"))), 0),
        (Apply("tanh", Num(HALF)), sympy.tanh(sympy.Rational(1, 2))),
        (
            Quotient(Apply("exp", Num(TWO)), Sum((Apply("exp", Num(TWO)), Num(number("1"))))),
            sympy.exp(2) / (1 + sympy.exp(2)),
        ),
    ],
)
def test_value(expression: Expression, expected: Any) -> None:
    assert_number(sympy.S.Zero + expected, evaluate(expression))


def test_division_by_zero_is_undefined() -> None:
    with pytest.raises(UndefinedStep, match="division by zero"):
        evaluate(Quotient(Num(TWO), Sum((Num(ROOT), Product((Num(number("-1")), Num(ROOT)))))))


def test_stages() -> None:
    assert Stage("=", Num(TWO), False) == equals(Num(TWO))
    assert Stage("=", Num(TWO), True) == equals(Num(TWO), fine=True)
    assert Stage("≈", Decimal(ROOT), False) == about(ROOT)


PAIRS = st.lists(st.tuples(surds(), surds()), min_size=1, max_size=4)


@given(PAIRS, st.lists(surds(), max_size=2))
def test_every_stage_of_a_dot_product_is_its_value(
    pairs: list[tuple[Drawn, Drawn]], extra: list[Drawn]
) -> None:
    expected = sympy.Add(*(a.sympys * b.sympys for a, b in pairs), *(c.sympys for c in extra)).expand()
    result = evaluate(
        Sum((*(Product((Num(a.ours), Num(b.ours))) for a, b in pairs), *(Num(c.ours) for c in extra)))
    )
    numbers = [(Num(a.ours), Num(b.ours)) for a, b in pairs]
    stages = dot_stages(numbers, result, extra=[Num(c.ours) for c in extra])
    assert (3 if len(pairs) + len(extra) > 1 else 2) == len(stages)
    assert Num(result) == stages[-1].expression
    assert [1] * (len(stages) - 2) == [i for i, stage in enumerate(stages) if stage.fine]
    for relation, expression, _ in stages:
        assert "=" == relation
        assert evaluate(expression).same(result) is True
        assert_number(expected if expected.is_Rational else expected.evalf(80), evaluate(expression))


def test_a_single_product_has_no_fine_stage() -> None:
    stages = dot_stages([(Num(TWO), Num(HALF))], Rational(1))
    assert [Product((Num(TWO), Num(HALF)))] == list(stages[0].expression.terms)  # type: ignore[union-attr]
    assert [False, False] == [stage.fine for stage in stages]
