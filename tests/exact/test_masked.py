"""Masked scores: -∞ where a key is hidden, for every kind of matrix behind the mask; SymPy as the judge."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
from exact.oracle import assert_balls, normalised
from exact.samples import KINDS, typed
from flint import arb
from strategies import Drawn

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.balls import Balls
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.kinds import matrix_of_cells
from attnsolve.exact.masked import Masked, masked_of_cells, shown, visible
from attnsolve.expressions import number

KEEP = Rationals([[1, 0, 1], [1, 1, 1], [0, 0, 1]])
EMPTY = Rationals([[1, 0, 1], [0, 0, 0], [0, 0, 1]])
every_kind = pytest.mark.parametrize("name", KINDS)


def hidden(sympys: Any, keep: Rationals = KEEP) -> Any:
    """SymPy's matrix with -∞ where nothing is kept."""
    return sympy.Matrix(*sympys.shape, lambda i, j: sympys[i, j] if keep.rows[i][j] else -sympy.oo)


def zeroed(sympys: Any, keep: Rationals = KEEP) -> Any:
    return sympy.Matrix(*sympys.shape, lambda i, j: sympys[i, j] if keep.rows[i][j] else 0)


def masked(name: str) -> Drawn:
    """One kind of matrix behind the mask."""
    return Drawn(Masked.of(KINDS[name].ours, KEEP), hidden(KINDS[name].sympys))


@every_kind
def test_numbers_behind_a_mask(name: str) -> None:
    ours, sympys = masked(name)
    assert "masked" == ours.kind
    assert_balls(sympys, ours)
    for bits in (64, 1024):
        assert [[not kept for kept in row] for row in KEEP.rows] == [
            [ball == arb("-inf") for ball in row] for row in ours.balls(bits)
        ]
    assert [["-oo", "-oo"]] == [[ours.texts()[0][1], ours.texts()[2][0]]]
    assert -sympy.oo == ours.sympy()[0, 1]
    assert ["-inf", "-inf"] == [str(ours.decimals(4)[i][j]) for i, j in ((0, 1), (2, 0))]
    assert "inf" not in str(ours.decimals(4)[0][0])


@every_kind
def test_verbs_that_move_numbers_move_the_mask_with_them(name: str) -> None:
    ours, sympys = masked(name)
    assert_balls(sympys.T, ours.T)
    assert_balls(sympys[[2, 0], :], ours.take([2, 0]))
    assert_balls(sympys[:, 1:], ours.columns(1, 3))
    assert_balls(sympys[[0, 0], :], ours.take([0]).repeated(2))


@pytest.mark.parametrize("other", ["rational", "one root", "weights", "symbolic", "balls"])
@every_kind
def test_side_by_side_and_added(name: str, other: str) -> None:
    (ours, sympys), (theirs, judged) = masked(name), KINDS[other]
    assert_balls(sympys.row_join(judged), ours | theirs)
    assert_balls(judged.row_join(sympys), theirs | ours)
    assert_balls(sympys + judged, ours + theirs)
    assert_balls(judged + sympys, theirs + ours)
    assert_balls(sympys - judged, ours - theirs)


@every_kind
def test_what_either_hides_is_hidden_in_a_sum(name: str) -> None:
    keep = Rationals([[0, 1, 1], [1, 1, 0], [1, 1, 1]])
    both = Rationals([[0, 0, 1], [1, 1, 0], [0, 0, 1]])
    drawn = KINDS[name]
    total = Masked.of(drawn.ours, KEEP) + Masked.of(drawn.ours, keep)
    assert_balls(hidden(2 * drawn.sympys, both), total)
    assert_balls(hidden(drawn.sympys, both), Masked.of(Masked.of(drawn.ours, KEEP), keep))


@every_kind
def test_scaled_by_what_is_above_zero(name: str) -> None:
    ours, sympys = masked(name)
    assert_balls(sympys * sympy.sqrt(2), ours.scaled(number("√2")))
    assert_balls(sympys / sympy.sqrt(3), ours / number("√3"))
    for factor in ("0", "-1", "1-√2"):
        with pytest.raises(UndefinedStep, match="only be multiplied by a number above 0"):
            ours.scaled(number(factor))


@every_kind
def test_exponentials_and_weights_of_what_is_hidden_are_zero(name: str) -> None:
    ours, drawn = masked(name).ours, KINDS[name]
    powers = zeroed(drawn.sympys.applyfunc(sympy.exp).evalf(90))
    assert_balls(powers, ours.exp())
    assert_balls(normalised(powers), ours.exp().normalised())
    assert_balls(zeroed(drawn.sympys.applyfunc(lambda x: sympy.Max(0, x))), ours.relu())
    for i, j in ((0, 1), (2, 0), (2, 1)):
        for made in (ours.exp(), ours.exp().normalised(), ours.relu()):
            assert made.cell(i, j).ball(64) == 0


@pytest.mark.parametrize(
    "name", ["rational", "one root", "surd", "exponentials", "weights", "symbolic", "balls"]
)
def test_shares_of_what_is_not_hidden(name: str) -> None:
    drawn = KINDS[name]
    keep = Rationals([[1, 0, 1], [1, 0, 1], [0, 1, 1]])
    assert_balls(normalised(zeroed(drawn.sympys, keep)), Masked.of(drawn.ours, keep).normalised())


@every_kind
def test_the_largest_number_is_one_that_is_seen(name: str) -> None:
    drawn = KINDS[name]
    rows = [[float(sympy.N(x, 30)) for x in row] for row in drawn.sympys.tolist()]
    for left_out in range(3):
        keep = Rationals([[int(j != left_out) for j in range(3)]] * 3)
        expected = [max((j for j in range(3) if j != left_out), key=row.__getitem__) for row in rows]
        assert [(best,) for best in expected] == Masked.of(drawn.ours, keep).maxima()


def test_equal_largest_numbers_are_told_all() -> None:
    keep = Rationals([[1, 1, 0, 1]])
    assert [(1, 3)] == Masked.of(typed("0 √8 7 2√2"), keep).maxima()


@every_kind
def test_rounded_stays_hidden(name: str) -> None:
    ours = masked(name).ours.rounded(1)
    assert KEEP.rows == visible(ours).rows
    for i, j, cell in ours.cells():
        if KEEP.rows[i][j]:
            assert cell.rational().denominator in (1, 2, 5, 10)
            exact = Fraction(str(sympy.N(KINDS[name].sympys[i, j], 60)))
            assert abs(cell.rational() - exact) <= Fraction(1, 20)


@every_kind
def test_a_row_without_keys_has_neither_weights_nor_a_largest_number(name: str) -> None:
    ours = Masked.of(KINDS[name].ours, EMPTY)
    assert HIDDEN is ours.cell(1, 1)
    with pytest.raises(UndefinedStep, match="row 2 has the sum 0"):
        ours.exp().normalised().balls(64)
    with pytest.raises(UndefinedStep, match="row 2 has no largest number"):
        ours.maxima()


UNDEFINED: dict[str, Callable[[Matrix, Matrix], Any]] = {
    "a product": lambda hidden, other: hidden @ other,
    "a product from the left": lambda hidden, other: other @ hidden,
    "number by number": lambda hidden, other: hidden * other,
    "number by number from the left": lambda hidden, other: other * hidden,
    "a quotient": lambda hidden, other: other / hidden,
    "a difference": lambda hidden, other: other - hidden,
    "a difference of two": lambda hidden, other: hidden - hidden,
    "means": lambda hidden, other: hidden.means(),
    "tanh": lambda hidden, other: hidden.each("tanh"),
    "ln": lambda hidden, other: hidden.exp().each("ln"),
}


@pytest.mark.parametrize("what", UNDEFINED)
@pytest.mark.parametrize("other", ["rational", "surd", "weights", "symbolic", "balls"])
def test_what_minus_infinity_leaves_undefined(what: str, other: str) -> None:
    scores = Masked.of(typed("1 2 √2", "1 3 1/2", "5 1 1"), KEEP)
    with pytest.raises(UndefinedStep, match=r"-∞|ln of 0"):
        UNDEFINED[what](scores, KINDS[other].ours)


def test_a_mask_that_hides_nothing_is_no_mask() -> None:
    scores = typed("1 2 3")
    assert scores is Masked.of(scores, Rationals([[1, 1, 1]]))
    assert [[1, 1, 1]] == visible(scores).rows
    assert scores is shown(scores)
    assert masked_of_cells([[number("1"), number("2")]]) is None


def test_cells_with_minus_infinity_make_a_masked_matrix() -> None:
    made = matrix_of_cells([[number("√2"), HIDDEN], [number("1"), number("2")]])
    assert "masked" == made.kind
    assert "surd" == shown(made).kind
    assert_balls(sympy.Matrix([[sympy.sqrt(2), -sympy.oo], [1, 2]]), made)


@pytest.mark.parametrize("name", [name for name in KINDS if name != "balls"])
def test_equal_is_what_hides_the_same(name: str) -> None:
    drawn = KINDS[name].ours
    assert Masked.of(drawn, KEEP).same(Masked.of(drawn, KEEP)) is True
    assert Masked.of(drawn, KEEP).same(drawn) is False
    assert drawn.same(Masked.of(drawn, KEEP)) is False
    assert Masked.of(drawn, KEEP).same(Masked.of(drawn, EMPTY)) is False
    # What stands behind the mask does not count.
    behind = drawn + Rationals([[0, 5, 0], [0, 0, 0], [1, 2, 0]])
    assert Masked.of(behind, KEEP).same(Masked.of(drawn, KEEP)) is True


def test_what_is_certified_is_the_same_where_its_origin_is_known() -> None:
    balls = Balls.of(typed("√2 2 3", "4 √5 6", "7 8 √3"))
    assert Masked.of(balls, KEEP).same(Masked.of(balls, KEEP)) is True


def test_the_cell() -> None:
    assert HIDDEN.ball(64) == arb("-inf")
    assert HIDDEN.is_zero() is False
    assert HIDDEN.rational() is None
    assert (HIDDEN.same(HIDDEN), HIDDEN.same(number("1"))) == (True, False)
    assert HIDDEN.sign() == -1
    assert str(HIDDEN.rounded(3)) == "-inf"
