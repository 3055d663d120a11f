"""Typed answers to bundled problems: the verdict, the place and a piece of what is said, from a table."""

import csv
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from attnsolve import batch
from attnsolve.rendering.feedback import feedback
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

TABLE = Path(__file__).parent.parent / "answers.tsv"


def rows() -> list[dict[str, str]]:
    """The table; a dash stands for nothing."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def verifier(name: str) -> Verifier:
    """A solved problem and its judge."""
    return Verifier(batch.solved(batch.find(name)))


def test_table_is_long_enough() -> None:
    assert len(rows()) >= 150


def block(said: str, step: str) -> tuple[str, list[str]]:
    """The line of a step in a slip, and what is said below it."""
    lines = said.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith(f"  {step} (")), None)
    if start is None:
        return "", []
    below = takewhile(lambda line: line.startswith("      "), lines[start + 1 :])
    return lines[start], [line.strip() for line in below]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['problem']}: {row['typed'][:50]}")
def test_typed_answer_is_judged(row: dict[str, str]) -> None:
    judge = verifier(row["problem"])
    report = judge.verify(read_submission(row["typed"]))
    step = next(one for one in report.steps if one.name == row["step"])
    assert row["verdict"] == step.verdict
    heading, said = block(feedback(judge.trace, report).text, row["step"])
    pieces = [] if row["message"] == "-" else row["message"].split(" | ")
    if pieces and pieces[0].startswith("["):
        assert heading.endswith(pieces.pop(0))
    # An answer that has no place is told of below the steps.
    said += [f"not read: {words}" for words in report.unread]
    assert len(pieces) == len(said), said
    assert [] == [(piece, words) for piece, words in zip(pieces, said, strict=True) if piece not in words]


@pytest.mark.parametrize(
    "row",
    [row for row in rows() if row["verdict"] in ("wrong", "mistake")],
    ids=lambda row: row["typed"][:50],
)
def test_first_wrong_number_is_found(row: dict[str, str]) -> None:
    judge = verifier(row["problem"])
    hint = feedback(judge.trace, judge.verify(read_submission(row["typed"])), hints=2).text
    assert f"The first number that is off: {row['step']}{row['place']} was read as" in hint


def test_only_what_is_wrong_has_a_place() -> None:
    placed = {row["verdict"] for row in rows() if row["place"] != "-"}
    assert {"wrong", "mistake"} == placed
    assert not [row for row in rows() if row["place"] == "-" and row["verdict"] in placed]
