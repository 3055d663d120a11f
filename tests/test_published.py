"""Published answers: right, rounded, truncated, wrong or undecided, each at its printed precision."""

import pytest

from attnsolve.engine import solve
from attnsolve.expressions import number
from attnsolve.loader import loads
from attnsolve.published import compare, judge, printed_places


@pytest.mark.parametrize(
    ("exact", "typed", "verdict", "expected"),
    [
        ("1/3", "1/3", "right", "1/3"),
        ("1/2", "0.50", "right", "0.50"),
        ("sqrt(12)", "2*sqrt(3)", "right", "2*sqrt(3)"),
        ("1/3", "0.33", "rounded", "0.33"),
        ("2/3", "0.67", "rounded", "0.67"),
        ("2/3", "0.66", "truncated", "0.67"),
        ("-2/3", "-0.66", "truncated", "-0.67"),
        ("2/3", "0.68", "wrong", "0.67"),
        ("2/3", "0.6", "truncated", "0.7"),
        ("2/3", "3/4", "wrong", "2/3"),
        ("0.125", "0.13", "rounded", "0.13"),
        ("0.125", "0.12", "truncated", "0.13"),
        ("sqrt(2)", "1.41421356", "rounded", "1.41421356"),
        ("sqrt(2)", "1.41421357", "last digit", "1.41421356"),
        ("exp(-200)", "1.38e-87", "rounded", "1.38e-87"),  # mpmath: exp(-200) = 1.38389652...e-87
        ("exp(-200)", "1.39e-87", "last digit", None),
        ("exp(-200)", "0.00", "rounded", "0.00"),
        ("-1/1000", "-0.00", "rounded", "-0.00"),
        ("123456", "1.23e5", "rounded", "1.23e5"),
        ("123456", "1.24e5", "last digit", "123000"),
        ("199/100", "2", "rounded", "2"),
        ("1/3", "−0.33", "wrong", "0.33"),
        ("2/3", "．67", "rounded", "．67"),
        # numpy.float32(0.1) and friends; 0.2/3 in single precision is 0.06666667.
        ("1/10", "0.10000000149011612", "machine noise", "0.10000000000000000"),
        ("1/15", "0.06666667014360428", "machine noise", "0.06666666666666667"),
        ("0", "5.551115123125783e-17", "machine noise", None),
        ("1/10", "0.1001000", "wrong", "0.1000000"),
        # sin² + cos² is 1, which no ball can prove.
        ("sin(1)^2 + cos(1)^2", "sqrt(1)", "undecided", None),
        ("(sin(1)^2 + cos(1)^2)/2", "1", "undecided", None),
    ],
)
def test_a_printed_number_is_judged(exact: str, typed: str, verdict: str, expected: str | None) -> None:
    found = compare(number(exact), typed)
    assert verdict == found[0]
    assert expected in (found[1], None)


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("2", 0),
        ("2.", 0),
        ("0.670", 3),
        (".5", 1),
        ("-1.5e-3", 4),
        ("2e3", -3),
        ("1/3", None),
        ("sqrt(2)", None),
    ],
)
def test_printed_precision_is_read_off_the_spelling(typed: str, places: int | None) -> None:
    assert places == printed_places(typed)


def test_a_whole_number_among_decimals_has_their_places() -> None:
    assert ("wrong", "1.99") == compare(number("1.99"), "2", places=2)
    assert ("rounded", "2") == compare(number("1.999"), "2", places=2)


def test_a_sheet_that_cuts_off_is_right_to_cut_off() -> None:
    assert ("rounded", "0.66") == compare(number("2/3"), "0.66", mode="truncate")
    assert ("rounded", "0.12") == compare(number("0.125"), "0.12", mode="half_even")


SHEET = """
format: 1
title: T
convention: {convention}
given: {{S: 1 3; 2 2}}
parts:
  - ask: Find the weights.
    attend: {{scores: S, values: 4 0; 0 4, weights: relu}}
    published:
      A: {A}
      Z: 1 3.0; 2 1.9
"""


@pytest.mark.parametrize(
    ("convention", "weights"),
    [
        ("rows", "0.25 0.75; 0.5 0.5"),
        # S is written with a column for each query; the columns add up to 3 and 5.
        ("columns", "0.33 0.6; 0.67 0.4"),
    ],
)
def test_weights_are_published_as_the_course_writes_them(convention: str, weights: str) -> None:
    trace = solve(loads(SHEET.format(convention=convention, A=weights)))
    findings = [finding for finding in judge(trace, trace.problem.parts[0]) if finding.target.name == "a.A"]
    assert {"right", "rounded"} >= {finding.fit for finding in findings}
    assert [(0, 0), (0, 1), (1, 0), (1, 1)] == [(f.target.row, f.target.column) for f in findings]


def test_findings_stand_where_the_answer_stands() -> None:
    trace = solve(loads(SHEET.format(convention="rows", A="0.25 0.75; 0.5 0.5")))
    findings = judge(trace, trace.problem.parts[0])
    assert ["right"] * 7 + ["wrong"] == [finding.fit for finding in findings]
    wrong = findings[-1]
    assert ("1.9", "2.0", 11, 10) == (wrong.typed, wrong.expected, wrong.line, wrong.column)
    assert [True] * 7 + [False] == [finding.fit.is_fine for finding in findings]


def test_rows_and_cells_can_be_published() -> None:
    text = SHEET.format(convention="rows", A="0.25 0.75; 0.5 0.5").replace(
        "Z: 1 3.0; 2 1.9", "'Z[2]': 2 2\n      'Z[1, 2]': 3"
    )
    trace = solve(loads(text))
    findings = judge(trace, trace.problem.parts[0])[4:]
    assert [("right", 1, 0), ("right", 1, 1), ("right", 0, 1)] == [
        (f.fit, f.target.row, f.target.column) for f in findings
    ]
