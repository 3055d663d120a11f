"""Hints: JSON holds no more than the text; what was not read is told, no step takes the blame for another."""

import json

import pytest

from attnsolve import batch
from attnsolve.notes import Note, NoteKind
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.feedback_records import hints_record
from attnsolve.rendering.hints import EARLIER
from attnsolve.rendering.notes import slip_words
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

JUDGE = Verifier(batch.solved(batch.find("ist-practical-10")))
LEVELS = (1, 2, 3, 4)


def judged(typed: str) -> Report:
    return JUDGE.verify(read_submission(typed))


def hint(typed: str, level: int) -> str:
    return feedback(JUDGE.trace, judged(typed), hints=level).text


TYPED = ["a.S -4.5 0 4.5 0", "a.Z -1.7363 .9835 .0055", "a.S 4.5 foo 4.5 0 ; a.A .1 .2 .3 .4", "b.Q ok"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("typed", TYPED)
def test_json_holds_no_more_than_the_text(typed: str, level: int) -> None:
    made = hints_record(JUDGE.trace, judged(typed), level)
    text = hint(typed, level)
    assert {"schema", "problem", "student", "variant", "hints", "steps", "unread", "remarks"} == set(made)
    for step in made["steps"]:
        assert {"name", "title", "verdict", "said"} == set(step)
        for words in (step["name"], step["title"], step["verdict"], *step["said"]):
            assert words in text


def test_json_of_the_first_hint_gives_nothing_away() -> None:
    report = judged("a.S -4.5 0 4.5 0")
    wrong = report.first_wrong
    assert wrong is not None
    text = json.dumps(hints_record(JUDGE.trace, report, 1))
    assert [] == [
        word for word in (slip_words(wrong.slips), "4.5", "earned", "possible", "expected") if word in text
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_what_was_not_read_is_told_at_every_level(level: int) -> None:
    right = hint("a.S 4.5 foo 4.5 0", level)
    assert "right, as far as it could be read\n      'foo' was not read" in right
    # Also where another step is wrong, and without a word on what the rest of it is worth.
    wrong = hint("a.S 4.5 foo 4.5 0 ; a.A .1 .2 .3 .4", level)
    assert "a.S (Scores: compare each query with each key):\n      'foo' was not read" in wrong
    assert "a.A (Softmax: exponentiate, add up, divide): look at this again" in wrong


@pytest.mark.parametrize("level", LEVELS)
def test_too_few_digits_are_told_at_every_level(level: int) -> None:
    assert "too few digits: .47; 4 places were asked for." in hint("a.A .47 .03 .47 .03", level)


def test_notes_tell_nothing_of_steps_that_are_not_spoken_of_yet() -> None:
    steps = (
        StepReport("a.S", "Scores", Verdict.WRONG, notes=(Note(NoteKind.NUMBERS_OFF, number=1, total=4),)),
        StepReport("a.A", "Weights", Verdict.RIGHT, notes=(Note(NoteKind.CUT_OFF),)),
        StepReport(
            "a.Z",
            "Output",
            Verdict.UNDECIDED,
            notes=(Note(NoteKind.UNDECIDED, meant="cannot decide whether 0.1234 is 0"),),
        ),
    )
    text = feedback(JUDGE.trace, Report("x", steps=steps), hints=1).text
    assert ["a.S", "a.Z"] == [line.split()[0] for line in text.splitlines()[1:]]
    assert "0.1234" not in text and "1 of 4" not in text


UNSCALED = "a.Z -1.7363 .9835 .0055"
# What was typed, and whether the fault may lie in a step that was not written.
BLAME = [
    (UNSCALED, True),
    (f"a.S ok ; {UNSCALED}", True),
    ("a.Z 9 9 9", True),
    ("a.S ok ; a.T ok ; a.A ok ; a.Z 9 9 9", False),
    ("a.S -4.5 0 4.5 0", False),  # nothing comes before the scores
    ("a.A .4654 .4654 .0346 .0436", True),
]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("typed", "earlier"), BLAME)
def test_a_step_is_not_blamed_for_what_was_not_written(typed: str, earlier: bool, level: int) -> None:
    assert earlier is (EARLIER in hint(typed, level))
