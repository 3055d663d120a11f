"""The simplest kind that holds given numbers."""

from fractions import Fraction

import pytest
from exact.samples import typed

from attnsolve.exact import Cell, Rationals, fraction_proofs
from attnsolve.exact.balls import Balls
from attnsolve.exact.kinds import matrix_of_cells, next_kind, simplified
from attnsolve.expressions import number


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("1 1/2 -0.25", "rational"),
        ("√4 ln(1) exp(0) cos(0)", "rational"),
        ("exp(ln(2)) ln(exp(3))", "rational"),
        ("1 √2", "surd"),
        ("ln(2) √2*ln(3)", "surd"),
        ("√2 1/√2", "surd"),
        ("e 1", "symbolic"),
        ("tanh(1) 1", "symbolic"),
        ("1/(1+√2) 1", "symbolic"),
        ("(2+2√2)/(1+√2) 1", "rational"),
        ("pi-pi 1", "rational"),
    ],
)
def test_kind_of_given_numbers(row: str, kind: str) -> None:
    assert kind == typed(row).kind


def test_kind_that_goes_on() -> None:
    ball = Balls.of(typed("√2")).cell(0, 0)
    assert "symbolic" == next_kind(typed("√2"), None).kind
    assert "certified" == next_kind(typed("√2"), ball).kind
    assert "certified" == next_kind(typed("1 2").exp(), None).kind
    assert "certified" == matrix_of_cells([[ball, number("1")]]).kind


def test_of_many_numbers_one_that_is_no_fraction_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Cell] = []
    find = fraction_proofs.proven_fraction

    def counted(cell: Cell) -> Fraction | None:
        tried.append(cell)
        return find(cell)

    monkeypatch.setattr(fraction_proofs, "proven_fraction", counted)
    roots = Balls.of(typed("√2 √3", "√5 1"))
    assert simplified(roots) is roots
    assert 1 == len(tried)


def test_many_numbers_that_are_all_fractions_become_fractions() -> None:
    twos = Balls.of(typed("√2 √8")) @ Balls.of(typed("√2", "√2"))
    assert isinstance(simplified(twos), Rationals)
    assert simplified(twos).same(Rationals([[6]])) is True
