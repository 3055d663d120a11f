"""Questions of choice in variants: as many options for everybody, an order of one's own, kept in the file."""

from collections import Counter

import pytest
from variants.drawn import DATA, VARY, blueprint, small

from attnsolve.choice_options import Option, options_of
from attnsolve.documents import parse
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.loader.choice_pins import Pin, pinned, pins_in
from attnsolve.trace import Trace
from attnsolve.variants import Variant

ATTEND = "  - ask: What?\n    attend: {queries: q, keys: K, values: V}\n"
IN_WORDS = """\
  - ask: Why?
    choice:
      right: |
        Because.

        - It is so.
      wrong: [not so, {text: never, why: It was once.}]   # two of them
      order: 3
  - {ask: Which?, choice: {right: [x, y], wrong: z, shuffle: false}}
"""
DRAWER = small(parts=f"{ATTEND}    choice: Z\n{IN_WORDS}")
DRAWN = [DRAWER.draw(str(number)) for number in range(40)]


def options(trace: Trace, place: int = 0) -> tuple[Option, ...]:
    return options_of(trace, trace.problem.parts[place])


def told(made: tuple[Option, ...]) -> list[tuple[str, bool, str, str, str]]:
    return [(one.letter, one.is_right, one.mistake, one.text, one.why) for one in made]


def places_of_right(place: int) -> Counter[str]:
    return Counter(one.letter for drawn in DRAWN for one in options(drawn.trace, place) if one.is_right)


def test_the_file_of_a_variant_has_the_options_that_were_drawn() -> None:
    for drawn in DRAWN:
        again = solve(loads(drawn.text, name="another name"))
        for place in range(3):
            assert told(options(drawn.trace, place)) == told(options(again, place))
        assert "Because.\n\n- It is so." == again.problem.parts[1].choice.right[0]  # type: ignore[union-attr]


def test_every_variant_has_as_many_options_that_can_be_told_apart() -> None:
    for drawn in DRAWN:
        made = options(drawn.trace)
        assert 4 == len(made)
        rows = [[x for row in one.value.whole(4) for x in row] for one in made if one.value is not None]
        for place, first in enumerate(rows):
            for second in rows[:place]:
                assert any(
                    x is None or y is None or abs(x - y) > 1 for x, y in zip(first, second, strict=True)
                )


def test_the_right_answer_stands_anywhere() -> None:
    assert set("ABCD") == set(places_of_right(0))
    assert set("ABC") == set(places_of_right(1))
    assert max(places_of_right(0).values()) < 25, "of 40"
    assert Counter(A=40, B=40) == places_of_right(2), "the file keeps its own order"


def test_the_same_identity_has_the_same_letters() -> None:
    again = small(parts=f"{ATTEND}    choice: Z\n{IN_WORDS}")
    assert [drawn.text for drawn in DRAWN[:3]] == [again.draw(str(number)).text for number in range(3)]


def test_a_question_changes_nobodys_numbers() -> None:
    """The order is drawn from a stream of its own; only the judge of options may refuse some numbers."""
    without = small(parts=ATTEND + "    find: Z\n")
    ticked = small(parts=ATTEND + "    choice: Z\n")
    for number in range(5):
        first, second = without.draw(str(number)), ticked.draw(str(number))
        if not second.refused.get("choice"):
            assert numbers(first) == numbers(second)


def numbers(variant: Variant) -> list[list[list[str]]]:
    return [given.value.texts() for given in variant.problem.givens.values()]


def test_values_that_come_too_near_are_refused() -> None:
    drawer = small(
        data=DATA + "places: 0\n", parts=ATTEND + "    choice: {of: Z, options: 3}\n    allow: [mistakes]\n"
    )
    drawn = [drawer.draw(str(number)) for number in range(6)]
    assert {len(options(one.trace)) for one in drawn} == {max(len(options(one.trace)) for one in drawn)}
    assert any(one.refused.get("choice") for one in drawn)


def test_a_file_may_allow_fewer() -> None:
    parts = ATTEND + "    choice: {of: Z, options: 3}\n    allow: [mistakes, choice]\n"
    drawer = small(data=DATA + "places: 0\n", parts=parts)
    assert all(len(options(drawer.draw(str(number)).trace)) > 1 for number in range(6))


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("Z", "{of: Z, order: 5, mistakes: [unscaled]}"),
        ("'A[1, 2]'", "{of: 'A[1, 2]', order: 5, mistakes: [unscaled]}"),
        ("{of: Z, options: 4, order: 1}", "{order: 5, mistakes: [unscaled], of: Z}"),
        ("{order: 1, of: Z}", "{order: 5, mistakes: [unscaled], of: Z}"),
        (
            "\n      options: 4\n      of: Z  # the output\n      order: 2",
            "\n      order: 5\n      mistakes: [unscaled]\n      of: Z  # the output",
        ),
    ],
)
def test_a_pin_is_put_before_what_the_file_says(choice: str, expected: str) -> None:
    text = f"format: 1\ntitle: T\n{DATA}parts:\n{ATTEND}    choice: %s\n    marks: 2\n"
    pin = Pin("5", ("unscaled",))
    made = pinned(text.replace("%s", choice).replace("choice: \n", "choice:\n"), {0: pin})
    assert text.replace("%s", expected).replace("choice: \n", "choice:\n") == made
    assert {0: pin} == pins_in(parse(made.encode(), "x"))
    question = loads(made).parts[0].choice
    assert question is not None and ("5", ("unscaled",)) == (question.seed, question.mistakes)


def test_nothing_is_pinned_where_nothing_is_ticked() -> None:
    text = blueprint(VARY).source
    assert text == pinned(text, {})
    assert {} == pins_in(parse(text.encode(), "x"))
