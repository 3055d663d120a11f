"""Marks by hand: shares and marks, what is cut, and the examples of the README."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from noted import words

from attnsolve import batch
from attnsolve.report import NoteKind, Report
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

README = Path(__file__).parents[2] / "README.md"
JUDGE = Verifier(batch.solved(batch.find("ist-practical-10")))


def judged(typed: str) -> Report:
    return JUDGE.verify(read_submission(typed))


# c.head2.Z is worth 3, a.A 2, and the scaled scores nothing of their own.
MARKS = [
    ("mark c.head2.Z 1/2", "c.head2.Z", "3/2", []),
    ("mark c.head2.Z 0.5", "c.head2.Z", "1/2", []),
    ("mark a.A 2", "a.A", "2", []),
    ("mark a.A 7", "a.A", "2", ["7 was given by hand, but 2 is the most there is"]),
    ("mark a.A 5/4", "a.A", "2", ["5/4 of the marks was given by hand, but 2 is the most there is"]),
    ("mark a.T 1", "a.T", "0", ["1 was given by hand, but 0 is the most there is"]),
]


@pytest.mark.parametrize(("typed", "name", "earned", "said"), MARKS)
def test_what_is_more_than_can_be_had_is_cut_and_told(
    typed: str, name: str, earned: str, said: list[str]
) -> None:
    step = next(step for step in judged(typed).steps if step.name == name)
    cut = [note for note in step.notes if note.kind is NoteKind.MARK_CUT]
    assert (Fraction(earned), tuple(said)) == (step.earned, words(cut))


def test_examples_of_the_readme_have_their_places_in_its_problem() -> None:
    text = README.read_text(encoding="utf-8").partition("## Hand calculations")[2].partition("\n## ")[0]
    typed = re.findall(r"`((?:@ |mark |[a-c]\.[A-Z])[^`]+)`", " ".join(text.split()))
    assert 7 == len(typed), typed
    in_words = [line for line in typed if line.startswith("mark f ")]
    report = judged("\n".join(line for line in typed if line not in in_words))
    assert () == report.unread
    assert {"right", "not written"} == {step.verdict for step in report.steps}
    masks = Verifier(batch.solved(batch.find("causal-self-attention")))
    marked = masks.verify(read_submission("\n".join(in_words)))
    assert (2, ()) == (marked.earned, marked.unread)
