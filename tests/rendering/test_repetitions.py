"""What an earlier part has worked out is not gone through again, and nothing that is needed is missing."""

import pytest

from attnsolve.bundled import problem_files
from attnsolve.engine import solve
from attnsolve.loader import load, loads
from attnsolve.problem import Problem
from attnsolve.rendering import render
from attnsolve.rendering.repetitions import beginning

MODEL = """
format: 1
title: T
given: {X: 1 0; 0 1; 1 1, W: 1 2; 0 1, U: 1 0; 2 1}
parts:
  - id: a
    ask: Q
    model: {words: [1, 3], embedding: X, layers: [{W_Q: W, W_K: U, W_V: W, W_1: U, W_2: W}]}
  - id: b
    ask: Q
    like: a
    model: {temperature: 1/2}
"""
MARKED = "    find: [layer1.Z, Y]\n    marks: {layer1.Z: 1, Y: 1}\n"
NOTE = "The first steps are those of part (a)."


def part_b(text: str, **settings: str) -> str:
    problem: Problem = loads(text)
    return render(solve(problem), to="markdown", **settings).text.partition("## Part (b)")[2]


@pytest.mark.parametrize(
    ("parts", "common", "length"),
    [
        ([], (), 0),
        ([(), ("a",)], (), 0),
        ([("a",), ("a",), ()], ("a",), 2),
        ([("a", "b"), ("b",), ("b",), ("c",)], ("b",), 3),
        ([("a",), ("b",)], ("a",), 1),
        ([("a", "b"), ("a", "b")], ("a", "b"), 2),
    ],
)
def test_the_beginning_is_that_of_one_part(
    parts: list[tuple[str, ...]], common: tuple[str, ...], length: int
) -> None:
    assert (common, length) == beginning(parts)


def test_a_long_beginning_is_named_and_not_repeated() -> None:
    page = part_b(MODEL)
    assert page.index(NOTE) < page.index("**Step 1.")
    assert "Queries: project the tokens" not in page


def test_what_later_steps_take_is_shown() -> None:
    """The temperature divides the logits, which are those of part a."""
    again, _, new = part_b(MODEL).partition("**Step 2.")
    assert "Logits: compare each token with each word of the embedding.** As in part (a)." in again
    assert "As in part (a)." not in new


def test_what_has_marks_is_shown() -> None:
    page = " ".join(part_b(MODEL + MARKED).split())
    assert "Average the values with these weights.** [1 mark] As in part (a)." in page
    assert "Queries: project the tokens" not in page


def test_whoever_wants_all_working_gets_it() -> None:
    page = part_b(MODEL, working="all")
    assert NOTE not in page
    assert "Queries: project the tokens" in page


def test_a_few_steps_are_shown_again() -> None:
    text = MODEL.partition("  - id: a")[0] + (
        "  - {id: a, ask: Q, self_attention: {input: X, W_Q: W, W_K: U, W_V: W}}\n"
        "  - {id: b, ask: Q, like: a, self_attention: {mask: {causal: true}}}\n"
    )
    page = part_b(text)
    assert NOTE not in page
    assert 5 == page.count("As in part (a).")


def test_tokens_that_are_picked_twice_are_the_same() -> None:
    """Picking has no step in print, yet what is made of it is recognised."""
    text = MODEL.partition("  - id: a")[0] + (
        "  - {id: a, ask: Q, plan: [{T: 'select(X, rows=[2])'}, {Z: 'project(T, W)'}]}\n"
        "  - {id: b, ask: Q, plan: [{T: 'select(X, rows=[2])'}, {Z: 'project(T, W)'}]}\n"
    )
    assert "As in part (a)." in part_b(text)


def test_a_warning_is_about_the_new_steps() -> None:
    page = render(solve(load(problem_files()["tiny-gpt"])), to="markdown").text
    sampling = page.partition("## Part (c)")[2].partition("## Part (d)")[0]
    assert "Divide the logits by the temperature first." in sampling
