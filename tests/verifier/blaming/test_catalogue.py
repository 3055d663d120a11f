"""The search for known mistakes is bounded by counted work: what was not looked for is told."""

from pathlib import Path

import pytest

from attnsolve import batch
from attnsolve.engine import solve
from attnsolve.loader import load
from attnsolve.notes import NoteKind
from attnsolve.report import StepReport
from attnsolve.verifier.blaming import catalogue
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

PROBLEMS = sorted((Path(__file__).parents[3] / "problems").glob("*.yaml"))
# e^4.5 = 90.017 over 2 · 90.017 + 2: the scores were not divided by √3.
UNSCALED = "a.A .4945 .0055 .4945 .0055"


def judged(typed: str) -> StepReport:
    report = Verifier(batch.solved(batch.find("ist-practical-10"))).verify(read_submission(typed))
    return next(step for step in report.steps if step.name == "a.A")


def test_a_mistake_is_named_where_all_could_be_tried() -> None:
    found = judged(UNSCALED)
    assert ["unscaled"] == [named.name for named in found.mistakes]
    assert NoteKind.NOT_SEARCHED not in {note.kind for note in found.notes}


@pytest.mark.parametrize("limit", ["MOST_TRIED", "MOST_PLANNED"])
def test_a_search_that_is_given_up_names_nothing_and_says_so(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, limit, 10)
    found = judged(UNSCALED)
    assert ("wrong", ()) == (found.verdict, found.mistakes)
    assert NoteKind.NOT_SEARCHED in {note.kind for note in found.notes}
    assert "right" == judged("a.A .4654 .0346 .4654 .0346").verdict


@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_no_search_is_given_up_for_a_bundled_problem(path: Path) -> None:
    judge = Verifier(solve(load(path)))
    nothing = Calculation(judge.exercise, {}, judge.asked, judge.follower.own)
    cases = [judge.case(step, nothing) for _, step in judge.exercise.order]
    assert not any(map(judge.blamer.catalogue.gives_up, cases))
