"""Natural spellings of the same step, from a table: read right, or refused with a reason, never guessed."""

import csv
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from noted import words

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.submission import State
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

TABLE = Path(__file__).parent / "spellings.tsv"
REFUSED = "refused: "
# In part a the scores are K turned, since Q is the identity; part b has two heads.
PROBLEM = """
format: 1
title: spellings
places: 4
given: {Q: 1 0; 0 1, K: 4.5 -1; 0 0.5; 1 2, V: 1 0; 0 1; 1 1, X: 1 0; 0 1, W: 1 2; 3 4, U: 1 1; 0 1}
parts:
  - id: a
    ask: Find Z.
    attend: {queries: Q, keys: K, values: V, divide_by: none}
  - id: b
    ask: Find the output.
    multi_head: {input: X, heads: [{W_Q: W, W_K: W, W_V: W}, {W_Q: U, W_K: W, W_V: W}], divide_by: none}
"""


def rows() -> list[dict[str, str]]:
    """The table; line breaks, tabs and backslashes are escaped in it."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def unescaped(typed: str) -> str:
    """What was typed, with its line breaks and tabs."""
    return re.sub(r"\\(.)", lambda sign: {"n": "\n", "t": "\t"}.get(sign[1], sign[1]), typed)


@cache
def judge() -> Verifier:
    """The judge of the problem that all spellings are answers to."""
    return Verifier(solve(loads(PROBLEM)))


def read(typed: str, step: str) -> tuple[dict[tuple[int, int], Fraction | None], list[str]]:
    """The numbers that were read for a step, and all that is told about what was not read."""
    submission = judge().as_understood(read_submission(typed))
    grids, lost = judge().placing.grids(submission)
    cells = grids[step].cells if step in grids else {}
    numbers = {
        place: written.cell.rational()
        for place, written in cells.items()
        if written.state is State.NUMBER and written.cell is not None
    }
    unread = [said for grid in grids.values() for written in grid.unread for said in words(written.notes)]
    return numbers, [*map(str, submission.unread), *map(str, lost), *unread]


def test_table_has_99_spellings_that_are_read() -> None:
    assert len([row for row in rows() if not row["expected"].startswith(REFUSED)]) >= 99


def cells(table: str) -> dict[tuple[int, int], Fraction]:
    """The numbers of a table by their places; a dash is no number."""
    lines = [line.split() for line in table.split(";")]
    return {(i, j): Fraction(x) for i, line in enumerate(lines) for j, x in enumerate(line) if x != "-"}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["typed"][:50])
def test_spelling_is_read_or_refused(row: dict[str, str]) -> None:
    numbers, told = read(unescaped(row["typed"]), row["step"])
    if row["expected"].startswith(REFUSED):
        right = cells("9/2 0 1; -1 1/2 2")
        assert {} == {place: x for place, x in numbers.items() if right[place] != x}
        assert [said for said in told if row["expected"].removeprefix(REFUSED) in said], told
    else:
        assert cells(row["expected"]) == numbers, told
        assert [] == told
