"""First rows: they are those of the whole, and what they prove of all answers the whole proves too."""

from collections.abc import Mapping

import pytest
from ops.examples import EXAMPLES, Example
from ops.matrices import our_options, ours
from variants.drawn import drawer

from attnsolve.engine import solve
from attnsolve.errors import ShapeError, Undecided, UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.precision import precision
from attnsolve.loader import loads
from attnsolve.ops import Op
from attnsolve.ops.mixing import MIX
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.problem import Call
from attnsolve.recipes.head_mistakes import BY_NORM
from attnsolve.variants.blueprint import Selection
from attnsolve.variants.first_rows import (
    ROW_BY_ROW,
    SCALING,
    SIDE_BY_SIDE,
    WRONG_ROW_BY_ROW,
    WRONG_SCALING_RULES,
    WRONG_SIDE_BY_SIDE,
    FirstRows,
    alike_among,
    are_told_apart,
    first_row,
    for_first_row,
    rows_needed,
)
from attnsolve.variants.lineups import RIGHT
from attnsolve.variants.separation import Separation, exact_values, seen

WRONG = [
    op._replace(rule=next(slip.rule for slip in op.mistakes if slip.name == name))
    for op, name in (*WRONG_ROW_BY_ROW, *WRONG_SIDE_BY_SIDE)
]
ALIKE = {BY_NORM.name: MIX.name}  # what has no examples of its own takes matrices of the same shapes
CASES = [
    (op, case)
    for op in (*ROW_BY_ROW, *SIDE_BY_SIDE, *WRONG)
    for case in EXAMPLES[ALIKE.get(op.name, op.name)]
]


@pytest.mark.parametrize(("op", "case"), CASES, ids=[f"{op.name} {case.inputs}" for op, case in CASES])
def test_a_first_row_is_made_from_first_rows(op: Op, case: Example) -> None:
    inputs, options = [ours(text) for text in case.inputs], our_options(op, case)
    rows = rows_needed(Call("out", op, tuple(case.inputs)))
    assert rows
    first = [one.take([0]) for one in inputs[:rows]]
    try:
        whole = op.rule(*inputs, **options)
    except (ShapeError, UndefinedStep):  # a wrong rule may have no value, because of another row
        return
    made = op.rule(*first, *inputs[rows:], **options)
    if isinstance(made, Balls):  # which can be told from others, and seldom proven to be the same
        assert made.decimals(30) == whole.take([0]).decimals(30)
    else:
        assert whole.take([0]).same(made) is True


SCALED = [(op, case) for op, case in CASES if op in SCALING or op.rule in WRONG_SCALING_RULES]


@pytest.mark.parametrize(("op", "case"), SCALED, ids=[f"{op.name} {case.inputs}" for op, case in SCALED])
def test_what_scales_multiplies_each_number_by_what_1_becomes(op: Op, case: Example) -> None:
    (S,), options = [ours(text) for text in case.inputs], our_options(op, case)
    assert op.rule(S, **options).same(S.scaled(op.rule(ours("1"), **options).cell(0, 0))) is True


def test_a_wrong_rule_is_carried_out_in_full() -> None:
    down = next(slip for slip in SOFTMAX.mistakes if slip.name == "down-columns")
    wrong = SOFTMAX._replace(rule=down.rule)
    calls = (Call("A", wrong, ("S",)), Call("Z", MIX, ("A", "V")))
    found = [(call.out, call.args) for call in for_first_row(calls, "Z")]
    assert found == [("A", ("S",)), (first_row("A"), ("A",)), (first_row("Z"), (first_row("A"), "V"))]


def test_nothing_is_made_that_the_first_row_does_not_need() -> None:
    calls = (Call("A", SOFTMAX, ("S",)), Call("B", SOFTMAX, ("R",)), Call("Z", MIX, ("A", "V")))
    outs = [call.out for call in for_first_row(calls, "Z")]
    assert outs == [first_row("S"), first_row("A"), first_row("Z")]


def told_apart(first_rows: FirstRows, values: Mapping[str, Matrix], places: int) -> set[str]:
    """The parts all of whose answers differ by more than a unit of the last place."""
    answers = first_rows.answers(values)
    return {part for part, rows in answers.items() if are_told_apart(rows, 10**places)}


NAMES = (
    "ai539-homework-4",
    "attention-quiz",
    "causal-self-attention",
    "ist-practical-10",
    "tokens-as-columns",
)


@pytest.mark.parametrize("name", NAMES)
def test_what_first_rows_tell_apart_does_not_clash(name: str) -> None:
    drawn = drawer(name)
    separation = drawn.separation(Selection())
    # The same lineups on whole answers: a fresh one has learned nothing about first rows.
    whole = Separation(separation.problem, generation=2)
    whole.lineups, whole.by_form = separation.lineups, separation.by_form
    asked = [lineup for lineup in whole.lineups if lineup.targets[-1].row is None]
    calls = tuple(separation.problem.calls())
    first_rows, told = FirstRows(asked, calls=calls), set[str]()
    for candidate in drawn._sample(Selection()):
        trace = candidate.trace
        with precision(64):
            balls = {name: seen(value) for name, value in exact_values(trace).items()}
            parts = told_apart(first_rows, balls, trace.problem.places)
        clashes = whole.clashes(trace)
        assert clashes == separation.clashes(trace)
        assert not parts & {clash.part for clash in clashes}
        told |= parts
    assert told or name == "causal-self-attention"  # where the first token sees itself alone


TWO = """\
format: 1
title: T
given:
  Q: {first}; 1 2
  K: 1 0; 0 1; 1 1
  V: 1 0; 0 1; 2 3
parts:
  - ask: What?
    attend: {{queries: Q, keys: K, values: V, divide_by: 2}}
"""


def test_a_query_of_zeros_tells_nothing_and_the_next_one_does() -> None:
    # The scores of a query of zeros are all 0, divided or not.
    for first, expected in (("0 0", []), ("1 2", ["a"])):
        trace = solve(loads(TWO.format(first=first)))
        separation = Separation(trace.problem)
        lineups = [lineup.only({"unscaled"}) for lineup in separation.lineups]
        with precision(64):
            balls = {name: seen(value) for name, value in exact_values(trace).items()}
            assert set(expected) == told_apart(FirstRows(lineups), balls, 4)
        assert (RIGHT, "unscaled") not in {(one.first, one.second) for one in separation.clashes(trace)}


ROWS = {"right": [1.0, 2.0], "near": [1.001, 2.0], "beside": [1.0, 3.0], "far": [7.0, 2.0]}


@pytest.mark.parametrize("kind", [float, arb])
def test_only_what_is_near_to_another_has_to_be_looked_at_again(kind: type) -> None:
    rows = {who: [kind(number) for number in row] for who, row in ROWS.items()}
    assert [{"right", "near"}] == [{*pair} for pair in alike_among(rows, 100)]
    assert [] == list(alike_among(rows, 10**4))


def test_wide_balls_are_proven_to_be_apart_or_else_looked_at_again() -> None:
    rows = {"1": [arb(1)], "3": [arb(3)], "0 to 8": [arb(4, 4)], "7": [arb(7)], "nothing": [arb("nan")]}
    pairs = {frozenset(pair) for pair in alike_among(rows, 1)}
    beside = {"0 to 8", "nothing"}
    assert {frozenset({one, other}) for one in beside for other in rows if one != other} == pairs
    del rows["nothing"]
    pairs = {frozenset(pair) for pair in alike_among(rows, 1)}
    assert {frozenset({"0 to 8", other}) for other in ("1", "3", "7")} == pairs


def test_what_balls_leave_open_is_not_told_apart_and_what_is_undefined_is_nobody_s() -> None:
    rows = {"right": [1.0], "wrong": [2.0]}
    assert are_told_apart({**rows, "undefined": UndefinedStep("0/0")}, 100)
    assert not are_told_apart({**rows, "open": Undecided("its sign")}, 100)


def test_a_mistake_that_balls_leave_open_is_judged_by_exact_numbers() -> None:
    # Without exponentials the first row is divided by the sum of its scores, 1/3 + 2/3 - 1 = 0.
    for third, expected in (("-1", False), ("-2", True)):
        text = TWO.format(first="1 0").replace("K: 1 0; 0 1; 1 1", f"K: 1/3 0; 2/3 0; {third} 0")
        trace = solve(loads(text))
        separation = Separation(trace.problem)
        wrong = separation.lineups[0].only({"without-exp"})
        separation.lineups, separation._first_rows = (wrong,), FirstRows([wrong])
        with precision(64):
            values = {name: seen(value) for name, value in exact_values(trace).items()}
            answer = separation._first_rows.answers(values)["a"]["without-exp"]
        assert expected == (not isinstance(answer, Exception))
        assert frozenset() == separation.clashes(trace)
