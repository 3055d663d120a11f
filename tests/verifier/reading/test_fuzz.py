"""A few hundred of the texts that tests/fuzz_answers.py makes, the same ones every time."""

from contextlib import suppress

import pytest
from fuzz_answers import FORMS, Text, fault, judge, run, shortest, texts

from attnsolve.errors import AttnsolveError
from attnsolve.verifier.reading import read_submissions
from attnsolve.verifier.verification import Verifier

TEXTS = 300


def test_no_text_stops_the_reader_or_the_judge() -> None:
    count, found = run(1, lambda count: count >= TEXTS)
    assert (TEXTS, []) == (count, found)


def test_texts_come_in_every_form_and_can_be_made_again() -> None:
    made = [text for text, _ in zip(texts(1), range(TEXTS), strict=False)]
    assert set(FORMS) == {text.form for text in made}
    assert made[200] == next(texts(1, first=200))
    assert len({text.text for text in made}) > 0.9 * TEXTS


def test_most_texts_say_something_that_can_be_judged() -> None:
    """Else nothing but the errors of the forms would be tried."""
    made = [text for text, _ in zip(texts(1), range(TEXTS), strict=False)]
    assert TEXTS / 3 < sum(map(is_judged, made))


def is_judged(text: Text) -> bool:
    with suppress(AttnsolveError):
        found = list(read_submissions(text.text, form=text.form))
        steps = [step for one in found for step in judge(text.problem).verify(one).steps]
        return any(step.verdict != "not written" for step in steps)
    return False


def test_crash_is_told_with_a_short_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(self: Verifier, submission: object) -> None:
        if "0.5" in str(submission):
            raise RuntimeError("a bug")

    monkeypatch.setattr(Verifier, "verify", crash)
    monkeypatch.setattr("fuzz_answers.feedback", lambda *_: None)
    text = Text(0, "ist-practical-10", "compact", "a.S 1 2 3 0.5 4\na.A 1 2 3")
    said = fault(text)
    assert "judging: RuntimeError: a bug" == said
    assert len(shortest(text, said).text) <= len("a 0.5") + 1
