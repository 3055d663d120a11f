"""Which mistakes given numbers tell apart: on problems small enough to see it by hand."""

import pytest
from variants.drawn import drawer

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.ops import PlanMistake
from attnsolve.problem import Call, Problem
from attnsolve.variants.answers import told_apart
from attnsolve.variants.lineups import RIGHT
from attnsolve.variants.separation import Clash, Separation

PART = "  - ask: What?\n    attend: {queries: q, keys: K, values: V, divide_by: 2}\n"


def clashes(
    q: str, K: str, V: str = "1 0; 0 1; 2 3", *, part: str = PART, top: str = ""
) -> set[tuple[str, str]]:
    text = f"format: 1\ntitle: T\n{top}given:\n  q: {q}\n  K: {K}\n  V: {V}\nparts:\n{part}"
    trace = solve(loads(text))
    return {(clash.first, clash.second) for clash in Separation(trace.problem).clashes(trace)}


def test_a_division_that_is_forgotten_shows_in_scores_that_differ() -> None:
    assert (RIGHT, "unscaled") not in clashes("1 2", "1 0; 0 1; 1 1")


def test_a_division_that_is_forgotten_is_hidden_by_scores_that_are_all_alike() -> None:
    # q·k = 1 for every key: the weights are 1/3 whatever the scores are divided by.
    found = clashes("1 0", "1 0; 1 1; 1 2")
    assert {(RIGHT, "unscaled"), (RIGHT, "multiplied"), ("multiplied", "unscaled")} <= {
        *found,
        *((second, first) for first, second in found),
    }


def test_a_difference_below_the_asked_precision_does_not_count() -> None:
    # The values differ by a thousandth at most, and so do the outputs of any two sets of weights.
    output = PART + "    find: Z\n"
    small = "1.000 2.000; 1.001 2.000; 1.000 2.001"
    assert (RIGHT, "unscaled") in clashes("1 2", "1 0; 0 1; 1 1", small, part=output, top="places: 2\n")
    assert (RIGHT, "unscaled") not in clashes("1 2", "1 0; 0 1; 1 1", small, part=output, top="places: 6\n")
    # Asked for the weights as well, the same numbers do show it.
    assert (RIGHT, "unscaled") not in clashes("1 2", "1 0; 0 1; 1 1", small, top="places: 2\n")


def test_only_what_is_asked_for_can_show_a_mistake() -> None:
    # With all values alike the output is that value, whatever the weights.
    alike = "3 4; 3 4; 3 4"
    assert (RIGHT, "unscaled") in clashes("1 2", "1 0; 0 1; 1 1", alike, part=PART + "    find: Z\n")
    assert (RIGHT, "unscaled") not in clashes("1 2", "1 0; 0 1; 1 1", alike, part=PART + "    find: A\n")


def test_a_part_that_allows_mistakes_has_no_lineup() -> None:
    problem = loads(
        "format: 1\ntitle: T\ngiven:\n  q: 1 0\n  K: 1 0; 1 1; 1 2\n  V: 1 0; 0 1; 2 3\nparts:\n" + PART
    )
    assert ["a"] == [lineup.part for lineup in Separation(problem).lineups]
    assert () == Separation(problem, allowed={"a": {"mistakes"}}).lineups


APART = {  # one, other, places, whether they are told apart: only by more than a unit of the last place
    "the same": ([[[1.0]]], [[[1.0]]], False),
    "a hundredth": ([[[1.0]]], [[[1.0099]]], False),
    "more than a hundredth": ([[[1.0]]], [[[1.0101]]], True),
    "below": ([[[1.0]]], [[[0.98]]], True),
    "one number of many": ([[[1.0, 2.0], [3.0, 4.0]]], [[[1.0, 2.0], [3.0, 5.0]]], True),
    "another shape": ([[[1.0, 2.0]]], [[[1.0], [2.0]]], True),
    "the second of two answers": ([[[1.0]], [[1.0]]], [[[1.0]], [[2.0]]], True),
}


@pytest.mark.parametrize(("one", "other", "expected"), APART.values(), ids=APART)
def test_answers_are_told_apart_by_more_than_a_unit(one: list, other: list, expected: bool) -> None:  # type: ignore[type-arg]
    assert expected == told_apart(one, other, 100)
    assert expected == told_apart(other, one, 100)


def test_what_algebra_makes_equal_is_reported_and_not_refused_for_ever() -> None:
    separation = drawer("ist-practical-10").separation(drawer("ist-practical-10").blueprint.selections()[0])
    # K Qᵀ is the transpose of Q Kᵀ.
    assert Clash("b", "queries-and-keys-swapped", "transposed") in drawer("ist-practical-10").by_form()
    # √4 tokens is 2, as is d_k without its root; and in part a, d is d_model.
    assert Clash("b", "scaled-by-n", "without-root") in drawer("ist-practical-10").by_form()
    assert Clash("a", RIGHT, "scaled-by-d-model") in separation.never_seen
    # A temperature of 1 may be multiplied or divided by.
    assert Clash("a", RIGHT, "temperature-multiplied") in separation.never_seen


def test_a_clash_reads_as_a_sentence() -> None:
    expected = "part b: unscaled gives the same as the right answer"
    assert expected == str(Clash("b", RIGHT, "unscaled"))


def test_a_mistake_of_a_later_generation_is_nobody_s_suspect_before() -> None:
    text = f"format: 1\ntitle: T\ngiven:\n  q: 1 2\n  K: 1 0; 0 1\n  V: 1 0; 0 1\nparts:\n{PART}"
    problem = loads(text)
    part = problem.parts[0]

    def of_keys(calls: tuple[Call, ...], frames: object) -> tuple[Call, ...]:
        return (*calls[:-1], calls[-1]._replace(args=("a.A", "K")))

    later = PlanMistake("keys-mixed", "Average the values.", of_keys, since=2)
    changed = problem._replace(parts=(part._replace(mistakes=(*part.mistakes, later)),))

    def names(asked: Problem, generation: int) -> set[str]:
        return {one.name for one in Separation(asked, generation=generation).lineups[0].suspects}

    assert names(problem, 1) == names(changed, 1)
    assert {"keys-mixed"} == names(changed, 2) - names(problem, 2)
