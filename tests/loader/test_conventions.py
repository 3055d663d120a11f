"""Rows, columns and torch: the same exercise written three ways is the same computation, worked by hand."""

import pytest

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.problem import CONVENTIONS, Convention, Problem, Target

SHEET = """
format: 1
title: T
convention: {convention}
given:
  X: 1 2; 3 4
  W: {W}
  S: {S}
parts:
  - ask: What?
    self_attention: {{input: X, W_Q: W, divide_by: none, weights: relu}}
    find: {find}
  - ask: And from scores?
    attend: {{scores: S, values: X, weights: relu}}
"""


def sheet(convention: str, *, W: str = "1 0; 5 1", S: str = "1 3; 2 2", find: str = "[Q, Z]") -> Problem:
    return loads(SHEET.format(convention=convention, W=W, S=S, find=find))


# W as rows write it is 1 0; 5 1, so X W = (1·1 + 2·5, 2; 3·1 + 4·5, 4); the others write its transpose.
WRITTEN = {
    "rows": ("1 0; 5 1", "1 3; 2 2"),
    "columns": ("1 5; 0 1", "1 2; 3 2"),
    "torch": ("1 5; 0 1", "1 3; 2 2"),
    "{tokens: columns, project: W X, scores: K'Q}": ("1 5; 0 1", "1 2; 3 2"),
    "{tokens: columns, project: X W, scores: Q'K}": ("1 0; 5 1", "1 3; 2 2"),
    "{project: W X}": ("1 5; 0 1", "1 3; 2 2"),
    "{tokens: rows, project: X Wᵀ}": ("1 5; 0 1", "1 3; 2 2"),
    "{scores: K Q^T}": ("1 0; 5 1", "1 2; 3 2"),
}


@pytest.mark.parametrize(("convention", "W", "S"), [(name, *written) for name, written in WRITTEN.items()])
def test_one_exercise_in_every_convention(convention: str, W: str, S: str) -> None:
    trace = solve(sheet(convention, W=W, S=S))
    assert [["1", "2"], ["3", "4"]] == trace.value("X").texts()
    assert [["11", "2"], ["23", "4"]] == trace.value("a.Q").texts()
    # (1/4 3/4; 1/2 1/2) on (1 2; 3 4)
    assert [["5/2", "7/2"], ["2", "3"]] == trace.value("b.Z").texts()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("rows", CONVENTIONS["rows"]),
        ("columns", CONVENTIONS["columns"]),
        ("torch", CONVENTIONS["torch"]),
        ("{tokens: columns}", CONVENTIONS["columns"]),
        ("{tokens: columns, project: W X, scores: K'Q}", CONVENTIONS["columns"]),
        ("{project: X W'}", CONVENTIONS["torch"]),
        ('{project: "X W\'", scores: "Q K\'"}', CONVENTIONS["torch"]),
        ("{tokens: columns, scores: 'Q^T K'}", Convention("columns", "W X", "Q K'")),
        ("{tokens: rows, project: WX, scores: 'K Q^{\\top}'}", Convention("rows", "W X", "K' Q")),
    ],
)
def test_presets_and_choices_are_spelled_freely(written: str, meant: Convention) -> None:
    assert meant == sheet(written).convention


def test_how_weights_were_typed_turns_with_them() -> None:
    given = sheet("columns", W="0.5 5/1; 0 1").givens["W"]
    assert (("0.5", "0"), ("5/1", "1")) == given.typed
    assert [["1/2", "0"], ["5", "1"]] == given.value.texts()


@pytest.mark.parametrize(
    ("convention", "find", "target"),
    [
        ("rows", "A[2]", Target("a.A", 1)),
        ("columns", "A[2]", Target("a.A", 1)),
        ("rows", "A[2, 1]", Target("a.A", 1, 0)),
        # With a column for each query, the number in row 2 and column 1 is what query 1 gives to key 2.
        ("columns", "A[2, 1]", Target("a.A", 0, 1)),
        ("columns", "Z[2, 1]", Target("a.Z", 0, 1)),
        ("torch", "Z[2, 1]", Target("a.Z", 1, 0)),
    ],
)
def test_indices_are_those_of_the_printed_matrix(convention: str, find: str, target: Target) -> None:
    assert (target,) == sheet(convention, find=find).parts[0].find


def test_torch_layers_have_a_bias() -> None:
    text = """
format: 1
title: T
convention: torch
given: {X: 1 2}
parts:
  - ask: What?
    multi_head: {input: X, heads: 1, W_V: 1 0; 0 1; 1 1, b_V: 1 1 1, W_O: 1 1 1, b_O: 100}
"""
    trace = solve(loads(text))
    # W_V is out × in: (1·1 + 0·2, 0·1 + 1·2, 1 + 2) + 1 = (2, 3, 4); one token, so Z = V; W_O adds them up.
    assert [["2", "3", "4"]] == trace.value("a.V").texts()
    assert [["109"]] == trace.value("a.Z").texts()
