"""Marks by hand: shares and marks, what is cut, and the examples of the README."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from noted import words

from attnsolve import batch
from attnsolve.grading.graded import Graded, record, restored
from attnsolve.notes import NoteKind
from attnsolve.rendering.feedback import feedback
from attnsolve.report import Report
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
    ("mark a.A 5/4", "a.A", "2", ["5/4 × 2 was given by hand, but 2 is the most there is"]),
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


# Part c is worth 6: head2.Z 3, the concatenation 1, the output 2.
PARTS = [
    ("mark c 3", "c", "3", []),
    ("mark c 1/2", "c", "3", []),
    ("mark c 0", "c", "0", []),
    ("mark c 7", "c", "6", ["7 was given by hand, but 6 is the most there is"]),
]


@pytest.mark.parametrize(("typed", "name", "earned", "said"), PARTS)
def test_part_can_be_given_its_total(typed: str, name: str, earned: str, said: list[str]) -> None:
    report = judged(f"a.S 4.5 0 4.5 0\nmark c.head2.Z 2\n{typed}")
    (part,) = report.parts
    assert (name, Fraction(earned), 6, tuple(said)) == (
        part.name,
        part.earned,
        part.possible,
        words(part.notes),
    )
    assert Fraction(earned) == report.earned_in("c")
    assert 2 + Fraction(earned) == report.earned  # 2 for the scores of part a
    # The steps keep the marks of their own.
    assert 2 == next(step for step in report.steps if step.name == "c.head2.Z").earned


def test_total_by_hand_is_told_with_its_reason() -> None:
    report = judged('mark c 3 "explained orally"')
    said = feedback(JUDGE.trace, report).text
    assert "c, all of it" in said
    assert "3 of 6" in said
    assert "Marked by hand: explained orally." in said
    assert [{"name": "c", "earned": "3", "possible": "6", "notes": [], "reason": "explained orally"}] == (
        report.record()["parts"]
    )


def test_step_called_like_a_part_needs_its_full_name() -> None:
    assert [] == [step.name for step in judged("mark a 1").steps if step.overridden]
    assert ["a.A"] == [step.name for step in judged("mark a.A 1").steps if step.overridden]


def test_total_by_hand_is_kept_with_the_marks() -> None:
    graded = Graded("x", report=judged("mark c 7"))
    assert graded == restored(json.loads(json.dumps(record(graded))))
