"""The search for known mistakes is bounded by counted work: what was not looked for is told."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from attnsolve import batch
from attnsolve.engine import solve
from attnsolve.exact import Matrix
from attnsolve.exact.matrices import BallRows
from attnsolve.loader import load
from attnsolve.notes import NoteKind
from attnsolve.report import StepReport
from attnsolve.submission import Submission
from attnsolve.trace import Step, Trace
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


def test_a_value_that_a_wrong_plan_hands_on_is_held_against_each_step_by_itself() -> None:
    """Whichever step somebody asks about first: else a diagnosis would hang on who was judged before."""
    trace = solve(load(batch.find("ist-practical-10")))
    for first, second in (("a.S", "a.A"), ("a.A", "a.S")):
        found = Verifier(trace).blamer.catalogue
        value = trace.value("a.S")
        spoilt = {name: found.spoils(value, name) for name in (first, second)}
        assert {"a.S": False, "a.A": True} == spoilt


def test_what_is_said_of_somebody_hangs_on_nobody_else() -> None:
    """Each has other steps right, and one of them wrong: who is judged before makes no difference."""
    trace = solve(load(batch.find("attention-inside-a-gru")))
    chance, names = Random(5), [step.call.out for step in trace.steps]
    scripts = [script(trace, chance.sample(names, 6)) for _ in range(40)]
    together, backwards = Verifier(trace), Verifier(trace)
    forwards = [together.verify(one) for one in scripts]
    assert forwards == [backwards.verify(one) for one in reversed(scripts)][::-1]
    assert forwards == [Verifier(trace).verify(one) for one in scripts]


def script(trace: Trace, names: Sequence[str]) -> Submission:
    """Somebody who wrote these steps, rounded; the first number of the first one is off by a tenth."""
    lines = [f"{name} {written(trace.value(name), off=0.1 * (name == names[0]))}" for name in names]
    return read_submission("\n".join(lines))


def written(value: Matrix, *, off: float) -> str:
    rows = [[float(number.fraction) for number in row] for row in value.decimals(4)]
    rows[0][0] += off
    return "; ".join(" ".join(f"{number:.4f}" for number in row) for row in rows)
