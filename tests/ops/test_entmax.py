"""Sparse weights: found by sorting and, independently, by halving an interval; both against mpmath."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.errors import AttnsolveError, ProblemError, Undecided
from attnsolve.exact import Matrix, Rational, Rationals, matrix_of_cells
from attnsolve.exact.balls import Balls, around, fixed
from attnsolve.exact.masked import Masked
from attnsolve.exact.thresholds import shares
from attnsolve.expressions import expression, number
from attnsolve.loader import loads
from attnsolve.ops import OPS_BY_NAME, Axis, Frame

SPARSEMAX, ENTMAX15, ENTMAX = (OPS_BY_NAME[name] for name in ("sparsemax", "entmax15", "entmax"))
ALPHAS = ("5/4", "3/2", "2", "3", "sqrt(2)", "10")

# Near enough to each other that more than one key gets weight, and ties are likely.
SCORES = st.lists(st.builds(Fraction, st.integers(-12, 12), st.integers(4, 9)), min_size=1, max_size=6)


def row(text: str) -> Matrix:
    return matrix_of_cells([[number(piece) for piece in text.split()]])


def texts(value: Matrix) -> list[str]:
    return value.texts()[0]


def entmax(scores: Matrix, alpha: str) -> Matrix:
    return ENTMAX.rule(scores, alpha=expression(alpha))


# -- two algorithms -------------------------------------------------------------------------------


@given(scores=SCORES)
@pytest.mark.parametrize(("op", "factor"), [(SPARSEMAX, Fraction(1)), (ENTMAX15, Fraction(1, 2))])
def test_sorting_and_halving_agree(op: object, factor: Fraction, scores: list[Fraction]) -> None:
    given_scores = Rationals.of([scores])
    by_sorting = op.rule(given_scores).balls(256)[0]  # type: ignore[attr-defined]
    by_halving = shares(given_scores, Rational(factor)).balls(256)[0]
    for one, other in zip(by_sorting, by_halving, strict=True):
        assert one.overlaps(other)
        # A weight just above its threshold is the square of a small number, never wider than that.
        assert other.rad() < 1e-60


@given(scores=SCORES)
def test_sparsemax_is_the_nearest_point_of_the_simplex(scores: list[Fraction]) -> None:
    """p minimises |p - s|², so that no step from p towards a corner brings it nearer to s."""
    weights = [SPARSEMAX.rule(Rationals.of([scores])).cell(0, j).rational() for j in range(len(scores))]
    assert 1 == sum(weights)
    assert min(weights) >= 0
    slopes = [p - s for p, s in zip(weights, scores, strict=True)]
    for corner in range(len(scores)):
        assert slopes[corner] - sum(g * p for g, p in zip(slopes, weights, strict=True)) >= 0


@given(scores=SCORES)
def test_entmax15_sums_to_exactly_1(scores: list[Fraction]) -> None:
    value = ENTMAX15.rule(Rationals.of([scores]))
    assert value.kind in ("rational", "surd")
    assert 1 == (value @ Rationals([[1]] * len(scores))).cell(0, 0).rational()


@given(scores=SCORES, shift=st.integers(-3, 3), alpha=st.sampled_from(ALPHAS))
def test_a_number_added_to_all_scores_changes_nothing(scores: list[Fraction], shift: int, alpha: str) -> None:
    here = entmax(Rationals.of([scores]), alpha).balls(256)[0]
    there = entmax(Rationals.of([[s + shift for s in scores]]), alpha).balls(256)[0]
    assert all(a.overlaps(b) for a, b in zip(here, there, strict=True))


# -- other ways to the same numbers ---------------------------------------------------------------


def by_mpmath(scores: list[Fraction], alpha: Fraction, digits: int) -> list[str]:
    """Weights to `digits` decimals, τ from mpmath's own root finder between its known ends."""
    with mpmath.workdps(200):
        factor = mpmath.mpf(alpha.numerator) / alpha.denominator - 1
        z = [factor * s.numerator / s.denominator for s in scores]

        def weights(tau: mpmath.mpf) -> list[mpmath.mpf]:
            return [max(x - tau, mpmath.mpf(0)) ** (1 / factor) for x in z]

        ends = (max(z) - 1, max(z))
        tau = mpmath.findroot(
            lambda t: mpmath.fsum(weights(t)) - 1, ends, solver="anderson", tol=1e-180, maxsteps=2000
        )
        # With as many digits as wanted, half up.
        whole = [int(mpmath.floor(p * mpmath.mpf(10) ** digits + mpmath.mpf("0.5"))) for p in weights(tau)]
        return [f"{n // 10**digits}.{n % 10**digits:0{digits}d}" for n in whole]


@pytest.mark.parametrize("alpha", ["5/4", "3/2", "7/4", "2", "5/2", "101/100"])
@pytest.mark.parametrize("scores", ["1/2 0 1/3", "1/4 2/5 0 -1/10", "1/7 1/7 0"])
def test_thirty_certified_decimals(scores: str, alpha: str) -> None:
    fractions = [Fraction(piece) for piece in scores.split()]
    shown = entmax(row(scores), alpha).decimals(30)[0]
    assert by_mpmath(fractions, Fraction(alpha), 30) == [cell.text for cell in shown]


def test_worked_by_hand() -> None:
    # Sorted 1, 3/4, 1/2: 1 + 3·1/2 = 5/2 > 9/4, so all three are in and τ = (9/4 - 1)/3 = 5/12.
    assert ["7/12", "1/12", "1/3"] == texts(SPARSEMAX.rule(row("1 1/2 3/4")))
    # Sorted 2, 1, 0: 1 + 2·1 = 3 is not more than 2 + 1, so only the first is in.
    assert ["0", "1", "0"] == texts(SPARSEMAX.rule(row("0 2 1")))
    # Halves 1 and 1/2: M = 3/4, D = 1/8, τ = 3/4 - √(7/16), (1/4 + √7/4)² = 1/2 + √7/8.
    assert ["1/2 + sqrt(7)/8", "1/2 - sqrt(7)/8"] == texts(ENTMAX15.rule(row("2 1")))


# -- alpha ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("alpha", "op"), [("2", SPARSEMAX), ("4/2", SPARSEMAX), ("1.5", ENTMAX15)])
def test_two_alphas_are_exact(alpha: str, op: object) -> None:
    scores = row("1/2 sqrt(2)/4 0 1/3")
    value = entmax(scores, alpha)
    assert value.kind == "surd" or alpha == "1.5"
    assert value.same(op.rule(scores)) is True  # type: ignore[attr-defined]


@pytest.mark.parametrize("alpha", ALPHAS)
def test_single_key_gets_exactly_1(alpha: str) -> None:
    assert 1 == entmax(row("sqrt(2)"), alpha).cell(0, 0).rational()
    hidden = Masked(row("5 1/3 7"), Rationals([[0, 1, 0]]))
    assert [0, 1, 0] == [entmax(hidden, alpha).cell(0, j).rational() for j in range(3)]


@pytest.mark.parametrize("alpha", ALPHAS)
def test_equal_scores_get_equal_weights(alpha: str) -> None:
    value = entmax(row("1/3 1/3 1/3 -7"), alpha)
    for j in range(3):
        assert (value.cell(0, j).ball(1024) * 3).contains(1)
    assert 0 == value.cell(0, 3).rational()


def test_weights_approach_softmax_as_alpha_goes_to_1() -> None:
    scores = row("1 1/2 0")
    near = entmax(scores, "1 + 10^-9")
    softmax = OPS_BY_NAME["softmax"].rule(scores)
    for j in range(3):
        assert abs(near.cell(0, j).ball(256) - softmax.cell(0, j).ball(256)) < 1e-8


def test_weights_are_those_of_argmax_for_large_alpha() -> None:
    assert [0, 1, 0] == [entmax(row("1 3/2 5/4"), "1001").cell(0, j).rational() for j in range(3)]


def test_larger_alpha_leaves_fewer_keys() -> None:
    # Key k is in if Σ ((α-1)(s_j - s_k))^{1/(α-1)} over the larger scores is less than 1.
    counts = []
    for alpha in ("1.01", "1.25", "1.5", "2", "4", "12"):
        value = entmax(row("1/2 2/5 1/10 -2/5 -3/2"), alpha)
        counts.append(sum(value.cell(0, j).rational() != 0 for j in range(5)))
    assert [5, 5, 4, 3, 2, 1] == counts


def test_score_at_the_threshold_gets_nothing() -> None:
    assert ["1", "0"] == texts(SPARSEMAX.rule(row("1 0")))
    assert ["1", "0"] == texts(ENTMAX15.rule(row("2 0")))
    assert ["1", "0"] == texts(SPARSEMAX.rule(row("1+sqrt(2) sqrt(2)")))


@pytest.mark.parametrize("alpha", ["1", "1/2", "-3", "sqrt(2)/2"])
def test_alpha_must_be_above_1(alpha: str) -> None:
    frame = Frame(Axis(2), Axis(2))
    for refuses in (lambda a: ENTMAX.frame(frame, alpha=a), lambda a: ENTMAX.rule(row("1 2"), alpha=a)):
        with pytest.raises(AttnsolveError, match=r"must be above 1 .*alpha = 1 is softmax"):
            refuses(expression(alpha))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("entmax", "entmax needs more: weights: {entmax: {alpha: …}}"),
        ("{entmax: {alpha: 1}}", "alpha is 1; it must be above 1"),
        ("{entmax: {alpha: 0.5}}", "alpha is 1/2; it must be above 1"),
    ],
)
def test_file_is_told_about_alpha(weights: str, message: str) -> None:
    part = f"  - ask: y\n    attend: {{scores: S, weights: {weights}}}\n"
    with pytest.raises(ProblemError) as refused:
        loads(f"format: 1\ntitle: x\ngiven: {{S: 1 2}}\nparts:\n{part}")
    assert message in str(refused.value)


# -- what is not known ---------------------------------------------------------------------------------


def test_order_that_cannot_be_proven_is_not_guessed() -> None:
    third = around(Rational(Fraction(1, 3)), Fraction(1, 1000))
    with pytest.raises(Undecided):
        SPARSEMAX.rule(fixed([[third, third]]))
    # Halving needs no order.
    blurred = Balls.of(row("1/3 1/3"))
    assert ["0.5000", "0.5000"] == [cell.text for cell in entmax(blurred, "5/4").decimals(4)[0]]


@pytest.mark.parametrize("name", ["sparsemax", "entmax15"])
def test_certified_scores_are_sorted_too(name: str) -> None:
    exact = row("1/2 1/3 0")
    blurred = OPS_BY_NAME[name].rule(Balls.of(exact))
    assert "certified" == blurred.kind
    sharp = OPS_BY_NAME[name].rule(exact)
    for j in range(3):
        assert blurred.cell(0, j).ball(256).overlaps(sharp.cell(0, j).ball(256))


def test_hidden_keys_take_no_part() -> None:
    keep = Rationals([[1, 0, 1, 1]])
    for name, options in (("sparsemax", {}), ("entmax15", {}), ("entmax", {"alpha": expression("4/3")})):
        rule = OPS_BY_NAME[name].rule
        masked = rule(Masked(row("1/2 9 1/3 0"), keep), **options)
        alone = rule(row("1/2 1/3 0"), **options)
        assert 0 == masked.cell(0, 1).rational()
        for j, k in ((0, 0), (2, 1), (3, 2)):
            assert masked.cell(0, j).ball(256).overlaps(alone.cell(0, k).ball(256))
