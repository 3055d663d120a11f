"""The search for known mistakes is bounded by counted work: what was not looked for is told."""

from pathlib import Path

import pytest

from attnsolve import batch
from attnsolve.engine import solve
from attnsolve.exact.matrices import BallRows
from attnsolve.loader import load
from attnsolve.notes import NoteKind
from attnsolve.report import StepReport
from attnsolve.trace import Step
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


@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_what_is_looked_at_first_leaves_out_nothing_that_mistakes_lead_to(path: Path) -> None:
    trace = solve(load(path))
    judge = Verifier(trace)
    last = trace.steps[-1].call.out
    # Who wrote nothing but the last step, and who wrote others too: what was right rules mistakes out.
    for kept in ({last}, {step.call.out for step in trace.steps[::3]} | {last}):
        written = [step for step in trace.steps if step.call.out in kept]
        typed = "".join(f"{step.call.out} {as_typed(step)}\n" for step in written)
        grids, _ = judge.placing.grids(read_submission(typed, form="compact"))
        calculation = Calculation(judge.exercise, grids, judge.asked, judge.follower.own)
        for _, step in judge.exercise.order:
            judge.judge(step, calculation)
        case = judge.case(judge.exercise.steps[last], calculation)
        known = judge.blamer.catalogue
        for suspects, at_most in (
            (known.alone(case), known.at_most_alone(case)),
            (known.both(case), known.at_most_both(case)),
        ):
            shape = case.step.value.shape
            led_to = {written_out(one.balls) for one in suspects if one.value.shape == shape}
            assert led_to <= set(map(written_out, at_most))


def as_typed(step: Step) -> str:
    """The right numbers of a step, to four places."""
    rows = step.value.decimals(4)
    return "; ".join(" ".join(number.text.replace("-∞", "-inf") for number in row) for row in rows)


def written_out(balls: BallRows) -> str:
    """Balls as a text that tells them apart."""
    return "; ".join(" ".join(ball.str(30, more=True) for ball in row) for row in balls)
