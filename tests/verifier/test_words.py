"""No sentence for people decides anything: with gibberish in place of every word, the marks are the same."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from verifier.test_answers import rows, verifier

from attnsolve.rendering import notes
from attnsolve.rendering.feedback import feedback
from attnsolve.report import StepReport
from attnsolve.verifier.reading import read_submission

GIBBERISH = "rounded too early: too few digits was not read"  # which once decided marks
TABLES = ("WORDS", "SENTENCES", "SLIPS", "SPREADS")


@pytest.fixture
def gibberish(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in TABLES:
        monkeypatch.setattr(notes, name, dict.fromkeys(getattr(notes, name), GIBBERISH))
    monkeypatch.setattr(notes, "EARLIER_DIGITS", GIBBERISH)
    monkeypatch.setattr(notes, "EARLIER_DIGITS_SENTENCE", GIBBERISH)


def marked(problem: str, typed: str) -> Iterator[tuple[str, str, Fraction]]:
    """The verdict and the marks of each step."""
    judge = verifier(problem)
    report = judge.verify(read_submission(typed))
    feedback(judge.trace, report)  # in the words of the moment
    return ((step.name, step.verdict, step.earned) for step in report.steps)


TYPED = [(row["problem"], row["typed"]) for row in rows()]
MARKS = {typed: list(marked(*typed)) for typed in TYPED[::7]}


@pytest.mark.usefixtures("gibberish")
@pytest.mark.parametrize("typed", MARKS, ids=lambda typed: typed[1][:50])
def test_gibberish_in_place_of_sentences_gives_the_same_marks(typed: tuple[str, str]) -> None:
    assert MARKS[typed] == list(marked(*typed))


def step(typed: str, name: str) -> StepReport:
    """One step of ist-practical-10."""
    report = verifier("ist-practical-10").verify(read_submission(typed))
    return next(step for step in report.steps if step.name == name)


@pytest.mark.parametrize("struck", ["rounded too early", "too few digits: 2", "was not read"])
def test_struck_words_change_no_mark(struck: str) -> None:
    # An identity in place of the weights makes the output trivial, whatever was struck out before it.
    plain = "b.A 1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1\na.Z 2 5 1"
    written = plain.replace("a.Z 2", f"a.Z ~~{struck}~~ 2")
    assert step(plain, "a.Z").earned == step(written, "a.Z").earned
    assert step(plain, "a.Z").verdict is step(written, "a.Z").verdict
