"""Each judge on its own: what it refuses, what `allow:` then lets pass, and what is said when nothing can be."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

import time
from fractions import Fraction

import pytest
from variants.drawn import ATTEND, VARY, small

from attnsolve.errors import UsageError
from attnsolve.exact import Rational, Rationals
from attnsolve.variants import Impossible, Variant
from attnsolve.variants.judges import digits, has_equal_lines, has_zero_line, is_long
from attnsolve.variation import JUDGES, Entry

SCALED = "  - ask: What?\n    attend: {queries: q, keys: K, values: V}\n"
TOKENS = "given:\n  X: 1 0; 0 1; 1 1\n"
SELF = "  - ask: What?\n    self_attention: {input: X}\n"
START = "small: no numbers were found that all judges accept, in "


def entries(text: str) -> list[list[Entry]]:
    return [[Entry(word, Rational(Fraction(word))) for word in row.split()] for row in text.split(";")]


LINES = {  # what is drawn, whether a line of it is zero, whether two lines are equal
    "an ordinary matrix": ("1 2; 3 4; 5 6", False, False),
    "a row of zeros": ("1 2; 0 0", True, False),
    "a column of zeros": ("0 2; 0 1", True, False),
    "two rows alike": ("1 2; 3 4; 1 2", False, True),
    "two columns alike": ("1 1; 2 2", False, True),
    "two halves alike": ("1/2 1; 1/2 1", False, True),
    "a vector may repeat a number": ("1 0 1", False, False),
    "a vector in a column may too": ("1; 0; 1", False, False),
    "a vector that is zero": ("0 0", True, False),
    "a vector in a column that is zero": ("0; 0", True, False),
    "a number": ("1", False, False),
    "nought": ("0", True, False),
}


@pytest.mark.parametrize(("typed", "zero", "equal"), LINES.values(), ids=LINES)
def test_rows_and_columns_that_are_zero_or_equal(typed: str, zero: bool, equal: bool) -> None:
    drawn = entries(typed)
    assert (zero, equal) == (has_zero_line(drawn), has_equal_lines(drawn))


LONG = {"12": 2, "-12": 2, "12/7": 3, "1/2": 2, "0": 1, "123/4567": 7, "999999": 6, "1000000": 7}


@pytest.mark.parametrize(("number", "written"), LONG.items())
def test_digits_are_those_of_numerator_and_denominator(number: str, written: int) -> None:
    assert written == digits(Fraction(number))
    # Beside a number with another denominator: each is judged as it would be written, reduced.
    matrix = Rationals.of([[Fraction(number), Fraction(1, 3)]])
    assert (False, written > 2) == (is_long(matrix, max(written, 2)), is_long(matrix, max(written - 1, 2)))


def given_matrices(variant: Variant) -> dict[str, list[list[Fraction]]]:
    return {
        name: [[Fraction(text) for text in row] for row in given.typed]
        for name, given in variant.problem.givens.items()
    }


def drawn(vary: str, *, parts: str = ATTEND, data: str = "") -> list[Variant]:
    drawer = small(vary, parts=parts, data=data) if data else small(vary, parts=parts)
    return [drawer.draw(str(number)) for number in range(4)]


# What cannot be, the sentence that names the judge to loosen, and what then makes it work.
IMPOSSIBLE = {
    "entries that are far too large for the window": (
        ("X: 8..9", TOKENS, SELF),
        "without small_weights and large_weights there are some (a weight is too small; a weight is too large); loosen them under vary: allow: [small_weights, large_weights], or smaller numbers",
        "allow: [small_weights, large_weights]",
    ),
    "three weights of 40 % and more": (
        (f"{VARY}, judges: {{smallest_weight: 40%}}", "", ATTEND),
        "without small_weights there are some (a weight is too small); loosen it under vary: allow: [small_weights], judges: {smallest_weight: …}, or smaller numbers",
        "allow: small_weights",
    ),
    "weights that are all below a third": (
        (f"{VARY}, judges: {{largest_weight: 30%}}", "", ATTEND),
        "without large_weights there are some (a weight is too large); loosen it under vary: allow: [large_weights], judges: {largest_weight: …}, or smaller numbers",
        "allow: large_weights",
    ),
    "one digit for sevenths": (
        ("q: 1..4, K: {set: [1/7, 2/7, 3/7]}, V: -3..3, judges: {digits: 1}", "", ATTEND),
        "without long_numbers there are some (an exact number on the way is too long); loosen it under vary: judges: {digits: 8}, smaller numbers, or fewer denominators",
        "allow: long_numbers",
    ),
    "no negative numbers in a range of them": (
        ("q: -2..-1, K: -2..2, V: -3..3, judges: {negatives: 10%}", "", ATTEND),
        "without negatives there are some (too many of the given numbers are negative); loosen it under vary: judges: {negatives: …}, or a range with fewer negative numbers",
        "allow: negatives",
    ),
    "no fractions in a set of halves": (
        ("q: [1/2, 3/2], K: -2..2, V: -3..3, judges: {fractions: 0}", "", ATTEND),
        "without fractions there are some (too many of the given numbers are fractions); loosen it under vary: judges: {fractions: …}, or fewer denominators",
        "allow: fractions",
    ),
    "a whole root of 2": (
        (f"{VARY}, judges: {{rational_scale: true}}", "", SCALED),
        "without irrational_scale there are some (scores are divided by an irrational number); loosen it under vary: judges: {rational_scale: false}, or sizes that have whole roots",
        "allow: irrational_scale",
    ),
    "ties between numbers that never tie": (
        # q·k is 2^(i+2j) for a given column of q = (1, 2) … no two of the keys can have the same score.
        (
            "q: {set: [1, sqrt(2)]}, V: -3..3, want: [ties]",
            "given:\n  q: 1 2\n  K: 1 0; 2 0; 0 3\n  V: 1 0; 0 1; 2 3\n",
            ATTEND,
        ),
        "without no_ties there are some (no two scores of a row are equal, and ties are wanted); loosen it under vary: leave out want: [ties], or a narrower range",
        "",
    ),
    "scores that always tie": (
        ("q: -2..2, V: -3..3", "given:\n  q: 1 2\n  K: 1 0; 1 0; 0 1\n  V: 1 0; 0 1; 2 3\n", ATTEND),
        "without ties there are some (two scores of a row are equal); loosen it under vary: allow: [ties], or a wider range",
        "allow: [ties, mistakes]",
    ),
    "more rows than there are": (
        (
            "q: -2..2, K: -2..2, V: 1..2",
            "given:\n  q: 1 2\n  K: 1 0; 0 1; 1 1; 2 1; 1 2\n  V: 1 0; 0 1; 2 3; 1 1; 1 2\n",
            ATTEND,
        ),
        "without equal_rows there are some (two rows or two columns of a given are equal); loosen it under vary: allow: [equal_rows], or a wider range",
        "allow: equal_rows",
    ),
}


@pytest.mark.parametrize(("what", "said", "allow"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_settings_end_quickly_and_name_the_judge_to_loosen(
    what: tuple[str, str, str], said: str, allow: str
) -> None:
    vary, data, parts = what
    started = time.process_time()
    with pytest.raises(Impossible) as refusal:
        drawn(vary, data=data, parts=parts)
    assert time.process_time() - started < 8
    message = str(refusal.value)
    assert message.startswith(START)
    assert said == message.partition("tries; ")[2]
    # Taken at its word, it works.
    loosened = f"{vary}, {allow}" if allow else vary.replace(", want: [ties]", "")
    assert 4 == len({variant.text for variant in drawn(loosened, data=data, parts=parts)})


def test_a_band_that_is_too_narrow_is_named() -> None:
    # Two values of q and of V: the work comes in a few sizes only, and those in the band hide a mistake.
    data = "given:\n  q: 1 2\n  K: 1 0; 0 1; 1 1\n  V: 1; 1; 2\n"
    asks_output = ATTEND + "    find: Z\n"
    with pytest.raises(Impossible) as refusal:
        drawn("q: 1..2, V: 1..2", data=data, parts=asks_output)
    said = "without effort there are some (it is more or less work than the others)"
    assert f"tries; {said}; loosen it under vary: band: 20%" in str(refusal.value)
    assert drawn("q: 1..2, V: 1..2, band: 100%", data=data, parts=asks_output)


def test_a_problem_without_anything_to_draw_is_refused() -> None:
    data = "given:\n  q: ones(1x2)\n  K: ones(3x2)\n  V: ones(3x2)\n"
    with pytest.raises(UsageError, match=r"'small' has nothing that could vary; say under vary: what may"):
        small("", data=data)


def test_allow_in_a_part_holds_for_that_part_only() -> None:
    two = ATTEND + "    allow: [ties, small_weights, large_weights]\n" + ATTEND
    with pytest.raises(Impossible, match="small_weights"):
        drawn(f"{VARY}, judges: {{smallest_weight: 40%}}", parts=two)
    both = two + "    allow: small_weights\n"
    assert drawn(f"{VARY}, judges: {{smallest_weight: 40%}}", parts=both)


def test_wanted_ties_are_there() -> None:
    for variant in drawn(f"{VARY}, want: [ties]"):
        given = given_matrices(variant)
        scores = [sum(a * b for a, b in zip(given["q"][0], key, strict=True)) for key in given["K"]]
        assert len(set(scores)) < 3, scores


def test_a_share_of_negative_numbers_and_of_fractions_is_kept() -> None:
    halves = "{entries: -2..2, denominators: [1, 2]}"
    for variant in drawn(f"q: {halves}, K: {halves}, V: -3..3, judges: {{negatives: 25%, fractions: 1/7}}"):
        numbers = [x for rows in given_matrices(variant).values() for row in rows for x in row]
        assert 14 == len(numbers)
        assert len([x for x in numbers if x < 0]) <= 3  # of 14, a quarter is 3.5
        assert len([x for x in numbers if x.denominator > 1]) <= 2


def test_argmax_that_takes_the_first_still_needs_a_single_largest_score() -> None:
    parts = "  - ask: W?\n    attend: {queries: q, keys: K, values: V, divide_by: none, weights: {argmax: {ties: first}}}\n"
    for variant in drawn("q: -1..1, K: -1..1, V: -3..3", parts=parts):
        given = given_matrices(variant)
        scores = [sum(a * b for a, b in zip(given["q"][0], key, strict=True)) for key in given["K"]]
        assert 1 == scores.count(max(scores)), scores


def test_a_window_may_be_open_at_both_ends() -> None:
    assert drawn(f"{VARY}, judges: {{smallest_weight: 0, largest_weight: 100%}}")


def test_every_judge_that_can_refuse_has_advice() -> None:
    from attnsolve.variants.culprits import ADVICE

    assert set(JUDGES) == set(ADVICE)
