"""True words: what a page says of its numbers holds, and no warning comes with the right answer."""

import re
from typing import Any

import pytest

import attnsolve
from attnsolve.rendering.text import sentence, with_places


def problem(text: str) -> Any:
    return attnsolve.loads(f"format: 1\ntitle: T\n{text}")


def page(text: str, **choices: Any) -> str:
    """The sheet as Markdown, on one line."""
    return " ".join(attnsolve.render(problem(text), **choices).split())


ARGMAX = """
given: {X: 1 0; 0 2; 1 1}
parts:
  - ask: What is the first number of the third output?
    self_attention: {input: X, divide_by: none, weights: {argmax: {ties: %s}}}
    find: %s
"""


def test_no_warning_shows_the_right_answer() -> None:
    """By hand: the third query has a tie of keys 2 and 3, takes key 2, and so gets Z[3] = (0, 2)."""
    shown = page(ARGMAX % ("first", "'Z[3, 1]'"))
    assert "Z_{3,1} = 0" in shown
    _, _, warning = shown.partition("With this mistake one gets")
    assert not warning.startswith(" $$ Z_{3,1} = 0 $$")


@pytest.mark.parametrize(
    ("ties", "formula"),
    [
        ("first", r"1 \text{ if } j \text{ is the first key with } S_{ij} = \max_k S_{ik}"),
        ("split", r"\tfrac{1}{m} \text{ if } S_{ij} \text{ is one of } m \text{ largest}"),
    ],
)
def test_the_formula_of_argmax_says_what_happens_at_a_tie(ties: str, formula: str) -> None:
    assert formula in page(ARGMAX % (ties, "A"))


def test_no_mistake_but_one_of_masking_gives_weight_to_a_hidden_key() -> None:
    """The second key, whose value is 1000, is padding: 2/2 · 0 whatever else goes wrong."""
    masked = problem(
        """
given: {q: 1, K: 2; -1, V: 0; 1000}
parts:
  - ask: x
    attend: {queries: q, keys: K, values: V, divide_by: none, mask: {lengths: 1}, weights: relu}
"""
    )
    from attnsolve.mistakes import wrong_values

    trace = attnsolve.solve(masked)
    weights = {
        name: values["a.A"].cell(0, 1).rational() for name, _, values in wrong_values(trace, masked.parts[0])
    }
    assert "with-exp" in weights
    assert {name for name, weight in weights.items() if weight != 0} <= {"mask-forgotten", "mask-inverted"}


ROUNDED = """
places: %d
given: {q: 1 1, K: %s, V: %s}
parts: [{ask: x, attend: {queries: q, keys: K, values: V}}]
"""


@pytest.mark.parametrize(
    ("places", "keys", "values", "words"),
    [
        (4, "1 0; 0 1; 2 -1", "12345.678; -98765.4321; 0.5", "close enough"),
        (4, "1 0; 0 1; 2 -1", "7; -2; 0.5", "close enough"),
        (2, "1 0; 0 2; 2 -1", "7; -2; 9", "close enough"),
        (3, "1 0; 0 2; 2 -1", "70; -20; 95", "close enough"),
        (0, "1 0; 0 1; 2 -1", "-2; -3; -2", "Keep more places"),
    ],
)
def test_close_enough_is_what_the_verifier_takes(places: int, keys: str, values: str, words: str) -> None:
    text = ROUNDED % (places, keys, values)
    said = re.search(r"one gets \$z \\approx (-?[\d.]+)\$\. (?:That is )?([\w ]+)", page(text))
    assert said is not None and said[2].startswith(words)
    if words == "close enough":
        assert "right" == attnsolve.verify(problem(text), f"Z: {said[1]}").steps[-1].verdict


def test_with_fewer_places_than_asked_for_nothing_is_called_close() -> None:
    """1/3 is 0 without places, and so is the output that should be -2."""
    shown = page(ROUNDED % (4, "1 0; 0 1; 2 -1", "-2; -2; -2.5"), places=0)
    assert r"one gets $z \approx 0$. Keep more places on the way" in shown


POSITIONS = """
index_from: %d
given: {X: 1 0; 0 1; 1 1}
parts: [{ask: x, positions: {input: X, positions_from: %d}}]
"""


@pytest.mark.parametrize(
    ("index_from", "positions_from", "place"),
    [(1, 0, "(t - 1)"), (0, 0, "t"), (1, 1, "t"), (0, 1, "(t + 1)")],
)
def test_positions_count_from_where_the_waves_start(index_from: int, positions_from: int, place: str) -> None:
    shown = page(POSITIONS % (index_from, positions_from))
    assert rf"p_{{t}} = (\sin({place}\,\omega_k), \cos({place}\,\omega_k))_k" in shown


def test_thresholds_are_numbers_of_the_sheet() -> None:
    """By hand: sparsemax of (2, 1.5, 0) keeps 2 and 1.5 above (3.5 - 1)/2 = 5/4."""
    scores = "given: {S: 2 1.5 0}\nparts: [{ask: x, attend: {scores: S, weights: %s}}]"
    assert r"nothing else lies above the threshold $\tau = \tfrac{5}{4}$." in page(scores % "sparsemax")
    shown = page(scores % "{entmax: {alpha: 1.25}}", places=6)
    assert re.search(r"their weights sum to 1 with the threshold \$\\tau \\approx -?0\.\d{6}\$\.", shown)


@pytest.mark.parametrize("convention", ["rows", "columns"])
def test_heads_are_put_together_in_words_that_hold_in_every_convention(convention: str) -> None:
    text = f"""
convention: {convention}
given: {{X: 1 0; 0 1}}
parts: [{{ask: x, multi_head: {{input: X, heads: 2}}}}]
"""
    assert "Concatenate the heads." in page(text)


def test_an_exercise_sheet_asks_for_the_places_of_its_reader() -> None:
    text = "given: {q: 1 1}\nparts: [{ask: x, attend: {queries: q, keys: 1 0; 0 2}}]"
    assert "to 6 decimal places." in page(text, sheet="exercise", places=6)
    assert "to 4 decimal places." in page(text, sheet="exercise")


def test_the_bias_stays_where_the_matrix_between_is_forgotten() -> None:
    """By hand: (1, 2)·(3, 1) + 10 = 15; with the matrix diag(2, 1), 8 + 10 = 18."""
    from attnsolve.mistakes import wrong_values

    bilinear = problem(
        """
given: {q: 1 2, K: 3 1, W: 2 0; 0 1, b: 10}
parts: [{ask: x, attend: {queries: q, keys: K, score: {bilinear: {W: W, b: b}}}, find: S}]
"""
    )
    found = {
        name: values["a.S"].cell(0, 0).rational()
        for name, _, values in wrong_values(attnsolve.solve(bilinear), bilinear.parts[0])
    }
    assert 15 == found["without-weights"]


def test_joined_scores_have_keys_without_a_name() -> None:
    """The largest of (1, 0, 3, 1) is the third, which is not the third row of K."""
    shown = page(
        """
given: {q: 1 0, K: 1 0; 0 1, L: 3 1; 1 1}
parts: [{ask: x, plan: [{S: 'dot(q, K)'}, {R: 'dot(q, L)'}, {J: 'join(S, R)'}, {A: 'softmax(J)'}]}]
"""
    )
    assert "of its weight on key 3." in shown
    assert "$k_{3}$" not in shown


def test_no_denominator_is_named_that_is_not_shown() -> None:
    shown = page(
        """
given: {q: 0.123 0.457 0.789, K: 1 0.457 0.001; 0.999 0.017 1; 0.002 3 0.011; 5 0.013 0.007}
parts: [{ask: x, attend: {queries: q, keys: K, score: cosine, weights: softmax2}, find: A}]
"""
    )
    assert "}{D}" not in shown or "D =" in shown


CAUSAL = """
labels: [the, cat, the]
given: {X: 1 0; 0 2; 1 1}
parts: [{ask: x, self_attention: {input: X, mask: {causal: true}, divide_by: none}}]
"""


def test_tokens_with_one_label_are_told_apart_by_their_places() -> None:
    shown = page(CAUSAL)
    assert "“the” (1) puts all of its weight on “the” (1)." in shown
    assert "| the (3) |" in shown
    assert "“cat” puts" in shown


def test_the_row_that_is_worked_out_mixes_more_than_one_value() -> None:
    """The first token sees only itself: its output is a copy."""
    shown = page(CAUSAL)
    assert r"Row 2 from $z_{i} = \sum_{j} A_{ij}\, x_{j}$" in shown
    assert not re.search(r"= (\S+) = \1(?: |$)", shown)


def test_a_denominator_that_is_whole_needs_no_name() -> None:
    """Scores 0 and 0 share the weight; a single key has all of it."""
    shown = page("given: {S: zeros(2x2)}\nparts: [{ask: x, attend: {scores: S, mask: {causal: true}}}]")
    assert r"A_{1,:} &= \begin{bmatrix} 1 & 0 \end{bmatrix}" in shown
    assert r"A_{2,:} &= \frac{1}{2} \begin{bmatrix} 1 & 1 \end{bmatrix}" in shown
    assert "D_{" not in shown


def test_e_is_no_power_of_itself() -> None:
    shown = page("given: {S: 1 0}\nparts: [{ask: x, attend: {scores: S}}]")
    assert r"$e \approx 2.7183$" in shown
    assert "e^{1}" not in shown


@pytest.mark.parametrize(("scores", "written"), [("0.25 -1.5", True), ("0.12345678 1.23456789", False)])
def test_exponents_are_written_out_as_far_as_a_person_would(scores: str, written: bool) -> None:
    shown = page(f"numbers: decimals\ngiven: {{S: {scores}}}\nparts: [{{ask: x, attend: {{scores: S}}}}]")
    assert written == ("Exactly, with the largest score" in shown)
    assert written == bool(re.search(r"e\^\{-?[\d.]+\} \\approx", shown))


def test_decimals_that_make_a_matrix_too_wide_are_rounded() -> None:
    """Eight numbers of eight places each do not fit beside each other, and nobody asked for eight."""
    numbers = " ".join(f"0.12{i}7" for i in range(8))
    given = f"numbers: decimals\ngiven: {{x: 0.4321; 0.8765, y: {numbers}}}"
    shown = page(f"{given}\nparts: [{{ask: x, plan: [{{Y: 'product(x, y)'}}]}}]")
    (result,) = re.findall(r"Y &= .*?\\end\{aligned\}", shown)
    assert not re.search(r"0\.\d{5}", result)


@pytest.mark.parametrize(("carry", "said"), [(1, "1 place before"), (2, "2 places before")])
def test_one_place_is_one_place(carry: int, said: str) -> None:
    given = f"round: {{carry: {carry}}}\ngiven: {{S: 1 0}}"
    assert said in page(f"{given}\nparts: [{{ask: x, attend: {{scores: S}}}}]")


def test_a_minus_before_infinity_is_a_sign() -> None:
    r"""After words TeX takes it for an operation, unless braces hold it: `else − ∞`."""
    assert r"\text{ else } {-\infty}" in page(CAUSAL)


def test_what_epsilon_is_is_told_where_the_file_leaves_it_to_torch() -> None:
    shown = page("given: {X: 1 2}\nparts: [{ask: x, plan: {N: layer_norm(X)}}]")
    assert r"Here $\varepsilon = 10^{-5}$." in shown


def test_a_small_epsilon_is_a_power_of_ten() -> None:
    shown = page("given: {X: 1 2}\nparts: [{ask: x, plan: {N: 'layer_norm(X, epsilon=1/100000)'}}]")
    assert r"\varepsilon = 10^{-5}" in shown
    assert "100000" not in shown


def test_a_sentence_is_put_together_whatever_its_pieces_are_kept_in() -> None:
    """Lists come from templates that are not ours; what was said before is told apart by its types."""
    assert ((False, "a 1 "), (True, "x")) == sentence("a ", 1, " ", (True, "x"))
    assert ((False, "a 1 "), (True, "x")) == sentence("a ", [(False, "1 "), (True, "x")])
    assert (((False, "1"),), ((False, "True"),)) == (sentence(1), sentence(True))


def test_a_place_may_be_called_like_the_words_before_it() -> None:
    assert ((False, "x"), (True, "y"), (False, ".")) == with_places("x{x}.", {"x": (True, "y")})
