"""Who only rounds or cuts off is never wrong, whatever is left out."""

import os
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from verifier import exercises
from verifier.students import BUNDLED, calculate, own_steps, some_of, verdicts, verifier

from attnsolve.errors import AttnsolveError
from attnsolve.verifier.verification import Verifier

# How many random exercises are drawn; ATTNSOLVE_STUDENTS=1000 for a long run.
DRAWN = int(os.environ.get("ATTNSOLVE_STUDENTS", "60"))
NEVER = {"wrong", "mistake", "follows", "not read"}


@pytest.mark.parametrize("places", [2, 3, 4])
@pytest.mark.parametrize("name", BUNDLED)
def test_who_only_rounds_is_never_wrong_on_a_bundled_problem(name: str, places: int) -> None:
    judge = verifier(name)
    random = Random(f"{name}{places}")
    for write in (None, some_of(judge.trace, random), {own_steps(judge.trace)[-1].call.out}):
        mode = random.choice(("half_up", "half_even"))
        report = judge.verify(calculate(judge.trace, places, write=write, mode=mode))
        assert {} == {name: said for name, said in verdicts(report).items() if said in NEVER}


@pytest.mark.parametrize("places", [2, 3, 4])
@pytest.mark.parametrize("name", BUNDLED)
def test_who_cuts_off_is_never_wrong_on_a_bundled_problem(name: str, places: int) -> None:
    judge = verifier(name)
    random = Random(f"{name}{places}")
    for write in (None, some_of(judge.trace, random), {own_steps(judge.trace)[-1].call.out}):
        report = judge.verify(calculate(judge.trace, places, write=write, mode="truncate"))
        assert {} == {name: said for name, said in verdicts(report).items() if said in NEVER}


@settings(max_examples=DRAWN)
@given(st.integers(0, 10**9), st.sampled_from(["half_up", "truncate"]))
def test_who_only_rounds_or_cuts_off_is_never_wrong_on_a_random_problem(seed: int, mode: str) -> None:
    random = Random(seed)
    trace = exercises.draw(random)
    judge = Verifier(trace)
    for places in (2, 3, 4):
        try:
            submission = calculate(trace, places, write=some_of(trace, random), mode=mode)
        except AttnsolveError:  # rounded scores may tie, or have no weights
            assume(False)
        said = verdicts(judge.verify(submission))
        assert {} == {name: verdict for name, verdict in said.items() if verdict in NEVER}
