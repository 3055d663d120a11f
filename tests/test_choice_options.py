"""The options of a question of choice: what they are worth, that they can be told apart, and their order."""

import numpy as np
import pytest

from attnsolve.bundled import data
from attnsolve.choice_options import Option, TooFewOptions, options_of, right_letters
from attnsolve.engine import solve
from attnsolve.loader import load, loads

Q, K, V = np.array([1.0, 2.0]), np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 2], [3, 4], [0, 1]])
SCORES = K @ Q


def softmax(scores: np.ndarray) -> np.ndarray:
    shares = np.exp(scores)
    return shares / shares.sum()


# By numpy: what the output is, and what it is with the scale forgotten or made of something else.
OUTPUTS = {
    "": softmax(SCORES / np.sqrt(2)) @ V,
    "unscaled": softmax(SCORES) @ V,
    "scaled-by-n": softmax(SCORES / np.sqrt(3)) @ V,
    "scaled-by-norm": softmax(SCORES / np.sqrt(np.linalg.norm(K, axis=1))) @ V,
    "without-exp": (SCORES / SCORES.sum()) @ V,
}
FILE = """
format: 1
title: Ticks
places: {places}
given: {{q: 1 2, K: 1 0; 0 1; 1 1, V: 1 2; 3 4; 0 1}}
parts:
  - ask: What?
    attend: {{queries: q, keys: K, values: V{more}}}
    choice: {choice}
"""
IN_WORDS = "format: 1\ntitle: T\nparts: [{ask: w, choice: {right: %s, wrong: %s%s}}]\n"


def options(choice: str, *, places: int = 4, more: str = "", name: str = "week") -> tuple[Option, ...]:
    trace = solve(loads(FILE.format(choice=choice, places=places, more=more), name=name))
    return options_of(trace, trace.problem.parts[0])


def numbers(option: Option) -> np.ndarray:
    assert option.value is not None
    return np.array([[float(cell.text) for cell in row] for row in option.value.decimals(12)])


def test_options_are_the_right_value_and_what_mistakes_give() -> None:
    made = options("Z")
    assert 4 == len(made)
    assert "ABCD" == "".join(option.letter for option in made)
    assert [""] == [option.mistake for option in made if option.is_right]
    for option in made:
        assert np.allclose(OUTPUTS[option.mistake], numbers(option)[0], atol=1e-11, rtol=0)


def test_a_file_may_name_the_mistakes() -> None:
    made = options("{of: Z, mistakes: [without-exp, unscaled]}")
    assert {"", "without-exp", "unscaled"} == {option.mistake for option in made}
    wrong = next(option for option in made if option.mistake == "without-exp")
    assert np.allclose((SCORES / np.sqrt(2) / (SCORES / np.sqrt(2)).sum()) @ V, numbers(wrong)[0], atol=1e-11)


@pytest.mark.parametrize(("of", "row"), [("A[1]", slice(None)), ("A[1, 3]", slice(2, 3))])
def test_a_row_or_a_number_may_be_asked_for(of: str, row: slice) -> None:
    right = next(option for option in options(f"{{of: '{of}'}}") if option.is_right)
    assert np.allclose(softmax(SCORES / np.sqrt(2))[row], numbers(right)[0], atol=1e-11, rtol=0)


@pytest.mark.parametrize("places", range(7))
def test_no_two_options_are_nearer_than_a_rounding_may_be_off(places: int) -> None:
    made = [
        np.array(option.value.whole(places))
        for option in options("{of: Z, options: 8}", places=places)
        if option.value
    ]
    assert all(abs(a - b).max() > 1 for i, a in enumerate(made) for b in made[:i])
    assert len(made) > 1


def test_fewer_places_leave_fewer_options() -> None:
    assert len(options("{of: Z, options: 8}", places=1)) < len(options("{of: Z, options: 8}", places=6))


def test_where_nothing_can_go_wrong_there_is_nothing_to_choose() -> None:
    file = "format: 1\ntitle: T\ngiven: {X: 0 0}\nparts: [{ask: w, plan: [{Y: 'add(X, X)'}], choice: Y}]\n"
    trace = solve(loads(file))
    with pytest.raises(TooFewOptions, match=r"part a: no known mistake gives another value of a\.Y"):
        options_of(trace, trace.problem.parts[0])


def test_a_named_mistake_that_does_not_show_is_told() -> None:
    with pytest.raises(TooFewOptions, match=r"the mistake mask-afterwards gives no value of a\.Z"):
        options("{of: Z, mistakes: [mask-afterwards]}")


def words(right: str, wrong: str, more: str = "", *, name: str = "week") -> list[str]:
    trace = solve(loads(IN_WORDS % (right, wrong, more), name=name))
    return [option.text for option in options_of(trace, trace.problem.parts[0])]


def test_the_order_hangs_on_the_file_or_on_a_number() -> None:
    assert words("r", "[u, v, w]") == words("r", "[u, v, w]")
    by_file = {tuple(words("r", "[u, v, w]", name=f"week-{n}")) for n in range(60)}
    by_number = {tuple(words("r", "[u, v, w]", f", order: {n}")) for n in range(60)}
    assert 15 < len(by_file) <= 24, "of 24 orders"
    assert 15 < len(by_number) <= 24
    places = [made.index("r") for made in by_number]
    assert {0, 1, 2, 3} == set(places)
    assert words("r", "[u, v]", ", order: 3") == words("r", "[u, v]", ", order: 3", name="renamed")


def test_a_correction_moves_no_option() -> None:
    before, after = words("r", "[u, v, w]"), words("R", "[u, V, w]")
    assert [text.lower() for text in after] == before


def test_the_order_of_the_file_is_kept_on_request() -> None:
    assert ["r", "s", "u", "v"] == words("[r, s]", "[u, v]", ", shuffle: false")


def test_every_right_letter_is_to_be_ticked() -> None:
    trace = solve(loads(IN_WORDS % ("[r, s]", "[u, v]", ", shuffle: false")))
    assert "AB" == right_letters(options_of(trace, trace.problem.parts[0]))


def test_rounded_on_the_way_options_have_the_carried_numbers() -> None:
    file = FILE.format(choice="Z", places=4, more="") + "round: {carry: 2}\n"
    trace = solve(loads(file))
    right = next(option for option in options_of(trace, trace.problem.parts[0]) if option.is_right)
    # By hand: s = (1, 2, 3)/√2 ≈ (0.71, 1.41, 2.12), weights ≈ (0.14, 0.28, 0.57), z ≈ (0.98, 1.97).
    weights = np.round(softmax(np.array([0.71, 1.41, 2.12])), 2)
    assert np.allclose(np.round(weights @ V, 2), numbers(right)[0])


def test_the_bundled_quiz_has_the_values_that_numpy_finds() -> None:
    trace = solve(load(data("problems") / "attention-quiz.yaml"))
    q, K, V = np.array([2.0, 1]), np.array([[1.0, 0], [0, 2], [1, 1]]), np.array([[3.0, 0], [0, 3], [-1, 1]])
    X = np.array([[1.0, 0], [1, 1], [-1, 2]])
    weights, seen = softmax(K @ q / np.sqrt(2)), X @ X[1] / np.sqrt(2)
    expected = {
        "a": {"": weights, "unscaled": softmax(K @ q)},
        "b": {"": weights @ V, "unscaled": softmax(K @ q) @ V},
        "c": {
            "": [*softmax(seen[:2]), 0],
            "mask-forgotten": softmax(seen),
            "mask-afterwards": [*softmax(seen)[:2], 0],
            "unscaled": [*softmax(X[:2] @ X[1]), 0],
        },
    }
    for part in trace.problem.parts[:3]:
        made = {option.mistake: numbers(option)[0] for option in options_of(trace, part)}
        assert 4 == len(made)
        for mistake, value in expected[part.id].items():
            assert np.allclose(value, made[mistake], atol=1e-11, rtol=0), (part.id, mistake)
