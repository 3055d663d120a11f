"""Typed answers to bundled problems: the verdict, the place and a piece of what is said, from a table."""

import csv
from functools import cache
from pathlib import Path

import pytest

from attnsolve import batch
from attnsolve.rendering.feedback import feedback
from attnsolve.verifier.judgement import Verifier
from attnsolve.verifier.reading import read_submission

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


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['problem']}: {row['typed'][:50]}")
def test_typed_answer_is_judged(row: dict[str, str]) -> None:
    judge = verifier(row["problem"])
    report = judge.verify(read_submission(row["typed"]))
    step = next(one for one in report.steps if one.name == row["step"])
    assert row["verdict"] == step.verdict
    said = feedback(judge.trace, report).text
    if row["place"] != "-":
        assert f"{row['step']}{row['place']}" in said or step.mistakes
    if row["message"] != "-":
        assert row["message"] in said
