"""Proofs that certified numbers are fractions: by how they were made, never by their digits."""

from fractions import Fraction

import pytest
import sympy
from flint import arb

from attnsolve.exact import Matrix, Rationals, forms, fraction_proofs, matrix_of_cells
from attnsolve.exact.balls import Balls, fixed
from attnsolve.exact.forms import MOST_TERMS, MOST_WORK, Forms
from attnsolve.exact.fraction_proofs import is_plausible, proven_fraction
from attnsolve.exact.precision import precision
from attnsolve.exact.symbolic import Symbolic
from attnsolve.exact.thresholds import shares
from attnsolve.expressions import number

tanh, exp, erf, log, sqrt, Q = sympy.tanh, sympy.exp, sympy.erf, sympy.log, sympy.sqrt, sympy.Rational


def table(text: str) -> Matrix:
    """A matrix as a file types it."""
    return matrix_of_cells([[number(cell) for cell in row.split()] for row in text.split(";")])


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (
            exp(tanh(2)) / (8 * (exp(tanh(2)) + exp(tanh(3))))
            + exp(tanh(3)) / (8 * (exp(tanh(2)) + exp(tanh(3)))),
            "1/8",
        ),
        (sympy.Mul(exp(tanh(1) + 1), exp(-1 - tanh(1), evaluate=False), evaluate=False), "1"),
        ((tanh(1) + 1) ** 2 - tanh(1) ** 2 - 2 * tanh(1), "1"),
        ((1 + sqrt(2) * erf(1)) * (1 - sqrt(2) * erf(1)) + 2 * erf(1) ** 2, "1"),
        (tanh(Q(-1, 3), evaluate=False) + tanh(Q(1, 3)), "0"),
        (sympy.pi / (2 * sympy.pi + 2 * tanh(1)) + tanh(1) / (2 * sympy.pi + 2 * tanh(1)), "1/2"),
    ],
)
def test_what_cancels_is_a_fraction(expression: sympy.Expr, value: str) -> None:
    assert Fraction(value) == proven_fraction(Symbolic(expression))


@pytest.mark.parametrize(
    "expression", [tanh(1), tanh(1) + sympy.pi, exp(tanh(1)) * exp(tanh(2)), log(tanh(1))]
)
def test_what_does_not_cancel_is_none(expression: sympy.Expr) -> None:
    assert proven_fraction(Symbolic(expression)) is None


def test_digits_alone_are_no_proof() -> None:
    """e^{π√163} has twelve nines behind its point, and tanh 300 two hundred and sixty."""
    assert proven_fraction(Symbolic(exp(sympy.pi * sqrt(163)))) is None
    assert proven_fraction(Symbolic(tanh(300))) is None
    with precision(256):
        assert not is_plausible(arb(2).sqrt())


def second_layer(X: str) -> tuple[Matrix, Matrix]:
    """The weights of a second layer of self-attention, which have no closed form, and what they mix."""
    tokens = table(X)
    Z = (tokens @ tokens.T).exp().normalised() @ tokens
    return (Z @ Z.T).exp().normalised(), Z


def test_equal_tokens_have_equal_weights_in_every_layer() -> None:
    weights, _ = second_layer("1 0; 1 0; 0 2")
    assert "certified" == weights.kind
    assert weights.cell(0, 0).same(weights.cell(0, 1)) is True
    assert weights.cell(0, 0).same(weights.cell(0, 2)) is False
    assert weights.cell(0, 0).rational() is None


def test_weights_sum_to_one_and_equal_values_are_their_mean() -> None:
    weights, Z = second_layer("1 0; 1/2 1; 0 2")
    assert [1, 1, 1] == [weights.row_sums().cell(i, 0).rational() for i in range(3)]
    mixed = weights @ Rationals([[1], [1], [1]], 8)
    assert [Fraction(1, 8)] * 3 == [mixed.cell(i, 0).rational() for i in range(3)]
    assert "0.13" == mixed.decimals(2)[0][0].text
    assert all((Z - Z).each("tanh").cell(i, j).rational() == 0 for i in range(3) for j in range(2))


def test_relu_keeps_what_is_above_zero() -> None:
    weights, _ = second_layer("1 0; 1/2 1; 0 2")
    assert (weights.relu() - weights).cell(0, 0).rational() == 0
    assert weights.scaled(number("-1")).relu().cell(0, 0).rational() == 0


@pytest.mark.parametrize(
    ("scores", "expected"),
    [("0 2", ["0", "1"]), ("1 1 -3", ["1/2", "1/2", "0"]), ("1 1 1", ["1/3"] * 3)],
)
def test_entmax_of_equal_or_lone_winners_is_a_fraction(scores: str, expected: list[str]) -> None:
    weights = shares(table(scores), number("3/4"))
    assert [list(map(Fraction, expected))] == [[weights.cell(0, j).rational() for j in range(len(expected))]]
    assert shares(table("0 1/2"), number("3/4")).cell(0, 0).rational() is None
    assert 1 == shares(table("0 1/2"), number("3/4")).row_sums().cell(0, 0).rational()


def test_numbers_somebody_wrote_down_are_like_no_others() -> None:
    written = fixed([[arb("0.5", "0.001"), arb("0.5", "0.001")]])
    assert written.cell(0, 0).same(written.cell(0, 1)) is None


def test_a_form_that_grows_too_long_becomes_an_atom() -> None:
    forms = Forms()
    long = sum((forms.atom("a", place) for place in range(MOST_TERMS + 10)), start=forms.fraction(0))
    assert len(long.closed.quotients[0][0].terms) <= MOST_TERMS
    assert long.closed.quotients == (long + forms.fraction(0)).closed.quotients
    assert 1 == (long / long).closed.rational()


def test_balls_among_the_cells_of_a_matrix_keep_their_forms() -> None:
    weights, _ = second_layer("1 0; 1 0; 0 2")
    kept = matrix_of_cells([[weights.cell(0, 0), number("1/3")]])
    assert isinstance(kept, Balls)
    assert [Fraction(1, 3)] == [kept.cell(0, 1).rational()]


def test_a_tiny_number_is_no_fraction_unless_it_may_be_zero() -> None:
    with precision(256):
        assert not is_plausible(arb(-100_000_000).exp())  # its bits as a fraction would fill a book
        assert is_plausible(arb(0))
        assert is_plausible(arb(0, arb(2) ** -180))


def test_multiplying_out_is_counted_as_work() -> None:
    forms = Forms()
    shares = [forms.fraction(1) / (forms.fraction(1) + forms.atom("a", place)) for place in range(20)]
    whole = sum(shares, start=forms.fraction(0))
    assert 20 == len(whole.closed.quotients)
    assert whole.single() is None  # 2^20 terms
    assert whole.rational() is None


def test_each_proof_has_work_of_its_own() -> None:
    forms = Forms()
    assert not forms.is_affordable(MOST_WORK + 1)
    assert forms.proof().is_affordable(1)


def test_numbers_that_were_too_long_are_still_told_to_be_equal_or_opposite() -> None:
    long = Balls.of(Rationals.of([[Fraction(2), Fraction(-2), Fraction(2), Fraction(3)]]))._each("tanh")
    Forms().label(long)
    assert [[(1, 0), (-1, 0), (1, 0), (1, 1)]] == long.labels
    first, opposite, same, other = Forms().rows(long)[0]
    assert 0 == (first + opposite).rational() == (first - same).rational()
    assert 1 == (same / first).rational()
    assert (first - other).rational() is None
    assert (first * first + other).rational() is None


def test_a_proof_that_took_too_much_labels_its_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_WORK", 3)
    roots = Balls.of(Rationals.of([[Fraction(2), Fraction(3)], [Fraction(5), Fraction(7)]]))._each("tanh")
    square = roots @ roots
    cell = square.cell(0, 0)
    monkeypatch.setattr(fraction_proofs, "is_plausible", lambda ball: True)
    assert proven_fraction(cell) is None
    assert square.labels is not None
    assert roots.labels is None  # what it was made of was short enough


def test_adding_up_is_counted_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_ADDED", 12)
    kept = Forms()
    a, b = kept.atom("a"), kept.atom("b")
    assert 2 == len((a + b).closed.quotients[0][0].terms)
    assert 1 == len((a + b + a).closed.quotients[0][0].terms)  # one atom, for what was not added up
    assert kept.is_exhausted
    assert Fraction(5) == (kept.fraction(2) + kept.fraction(3)).rational()
    assert 2 == len((kept.proof().atom("a") + kept.atom("b")).closed.quotients[0][0].terms)


def test_weights_over_products_that_were_too_long_still_sum_to_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_ADDED", 12)
    roots = Balls.of(Rationals.of([[Fraction(2), Fraction(3)], [Fraction(5), Fraction(7)]]))._each("tanh")
    scores = roots @ roots @ roots
    monkeypatch.setattr(fraction_proofs, "is_plausible", lambda ball: True)
    assert scores.cell(0, 1).rational() is None
    monkeypatch.undo()
    assert scores.labels == [[(1, 0), (1, 1)], [(1, 2), (1, 3)]]
    weights = scores.exp().normalised()
    assert Fraction(1) == weights.row_sums().cell(1, 0).rational()


def test_products_that_are_not_added_up_are_told_apart_by_their_factors() -> None:
    kept = Forms()
    kept.is_exhausted = True
    a, b, none = kept.atom("a"), kept.atom("b"), kept.fraction(0)
    assert kept.dot([a, none], [b, a]).closed.quotients == kept.dot([a], [b]).closed.quotients
    assert kept.dot([a], [b]).closed.quotients != kept.dot([a], [a]).closed.quotients
    assert Fraction(0) == kept.dot([a, none], [none, b]).rational()


def test_weights_and_mixtures_are_not_written_out_once_no_more_work_is_done() -> None:
    kept = Forms()
    kept.is_exhausted = True
    table = [[1, 2], [1, 2], [2, 0]]
    scores = Rationals.of([[Fraction(x) for x in row] for row in table])
    weights = scores.exp().normalised()
    mixed = weights @ Rationals.of([[Fraction(3), Fraction(0)], [Fraction(0), Fraction(0)]])
    for matrix in (weights, mixed):
        rows = [[form.closed.quotients for form in row] for row in kept.rows(matrix)]
        assert rows[0] == rows[1] != rows[2]
    assert [Fraction(0)] * 3 == [row[1].rational() for row in kept.rows(mixed)]
