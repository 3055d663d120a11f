"""What is remembered of others changes nobody's report, whoever came before and however little is kept."""

from functools import cache
from random import Random

import pytest
from verifier.students import calculate, off_by, slips, some_of

from attnsolve import batch
from attnsolve.errors import AttnsolveError
from attnsolve.report import StepReport
from attnsolve.submission import Submission
from attnsolve.trace import Trace
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.outcomes import Outcome
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

PROBLEMS = ("ist-practical-10", "causal-self-attention", "eecs182-discussion-8", "tokens-as-columns")


@cache
def trace(name: str) -> Trace:
    return batch.solved(batch.find(name))


def students(name: str, number: int) -> list[Submission]:
    """Who round or cut off, leave steps out, and slip; some of them twice."""
    random, found = Random(name), []
    solved = trace(name)
    while len(found) < number:
        places, mode = random.choice((3, 4)), random.choice(("half_up", "truncate"))
        try:
            wrong = next(slips(solved, random, places), None) if random.random() < 0.5 else None
            slip = None if wrong is None else (wrong[0].call.out, off_by(wrong[1], wrong[2], wrong[3]))
            write = some_of(solved, random)
            found.append(calculate(solved, places, write=write, slip=slip, mode=mode))
        except AttnsolveError:
            continue  # the slip leaves a later step without a value
    return found + found[::3]


@pytest.mark.parametrize("name", PROBLEMS)
def test_report_is_the_same_whoever_came_before(name: str) -> None:
    shared, forgetful = Verifier(trace(name)), Verifier(trace(name))
    forgetful.outcomes, forgetful.alike, forgetful.comparison._fits = Memory(60), Memory(60), Memory(60)
    follower = forgetful.follower
    follower._reaches, follower._given, follower._goes_on_with = Memory(60), Memory(60), Memory(60)
    for submission in students(name, 8):
        alone = Verifier(trace(name)).verify(submission)
        assert alone == shared.verify(submission)
        assert alone == forgetful.verify(submission)


# The scores the other way round are right only where they are used so, which a later line tells.
TURNED = (
    "b.S -6.1875 10.1875 -0.0625 -21.0625; -6.75 1.5 -4.875 -3.75; -1.125 9.625 3.875 -19.375; "
    "7.875 -2.125 5.5 5.125"
)
USED = "b.Z -0.7522 -1.5067; -2.2956 -6.5869; -1.0714 -2.4760; -0.7481 -1.4972"


@pytest.mark.parametrize("order", [(0, 1, 0), (1, 0, 1)])
def test_verdict_that_hangs_on_a_later_line_is_not_remembered(order: tuple[int, ...]) -> None:
    judge, typed = Verifier(trace("ist-practical-10")), (TURNED, f"{TURNED} ; {USED}")
    for which in order:
        report = judge.verify(read_submission(typed[which]))
        said = next(step.verdict for step in report.steps if step.name == "b.S")
        assert ("mistake", "right")[which] == said


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # The same weights from other scores: follow from the first, not from the second.
        ("a.S 3 0 4.5 0 ; a.T 1.7321 0 2.5981 0", "a.S 4.5 0 4.5 0 ; a.T 1.7321 0 2.5981 0"),
        # Written exponentials have a say in the weights, though no step of the plan makes them.
        ("a.exp 13.5 1 13.5 1 ; a.A .4655 .0345 .4655 .0345", "a.A .4655 .0345 .4655 .0345"),
    ],
)
def test_same_numbers_from_elsewhere_are_judged_anew(first: str, second: str) -> None:
    name = "ist-practical-10"
    shared = Verifier(trace(name))
    reports = [shared.verify(read_submission(typed)) for typed in (first, second, first)]
    alone = [Verifier(trace(name)).verify(read_submission(typed)) for typed in (first, second)]
    assert alone == reports[:2]
    assert alone[0].steps == reports[2].steps
    assert [step.verdict for step in alone[0].steps] != [step.verdict for step in alone[1].steps]


def test_no_more_is_kept_than_allowed() -> None:
    memory, outcome = Memory[Outcome](most=30), Outcome(StepReport("a.S", "", "right"))
    for number in range(10):
        memory.keep(number, outcome, 9)
    assert [None] * 9 == [memory.get(number) for number in range(9)]
    assert outcome is memory.get(9)


def test_small_values_are_not_kept_without_end() -> None:
    memory = Memory[str]()
    for number in range(10_000):
        memory.keep(number, "a report of one number")
    assert sum(memory.get(number) is not None for number in range(10_000)) < 4_000
