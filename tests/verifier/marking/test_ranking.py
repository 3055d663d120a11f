"""Who shows more never earns less: more right steps, more digits, no slip instead of one."""

from random import Random

import pytest
from verifier.students import BUNDLED, calculate, off_by, own_steps, slips, verifier

from attnsolve.errors import AttnsolveError
from attnsolve.report import Report


def earned(report: Report) -> dict[str, object]:
    """All marks, and those of each step, to be seen where a test fails."""
    return {"all": report.earned, **{step.name: (step.verdict, step.earned) for step in report.steps}}


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("places", [2, 4])
def test_more_right_steps_never_earn_less(name: str, places: int) -> None:
    judge, random = verifier(name), Random(f"{name}{places}")
    names = [step.call.out for step in own_steps(judge.trace)]
    for _ in range(6):
        fewer = {one for one in names if random.random() < 0.4}
        more = fewer | {one for one in names if random.random() < 0.4}
        few, many = (judge.verify(calculate(judge.trace, places, write=write)) for write in (fewer, more))
        assert few.earned <= many.earned, (sorted(more - fewer), earned(few), earned(many))


@pytest.mark.parametrize("name", BUNDLED)
def test_more_digits_never_earn_less(name: str) -> None:
    judge, random = verifier(name), Random(name)
    names = [step.call.out for step in own_steps(judge.trace)]
    for _ in range(4):
        write = {one for one in names if random.random() < 0.5}
        few, many = (judge.verify(calculate(judge.trace, places, write=write)) for places in (2, 4))
        assert few.earned <= many.earned, (sorted(write), earned(few), earned(many))


@pytest.mark.parametrize("name", BUNDLED)
def test_a_slip_never_earns_more_than_none(name: str) -> None:
    judge, random = verifier(name), Random(name)
    names = [step.call.out for step in own_steps(judge.trace)]
    found = [slip for _ in range(8) for slip in slips(judge.trace, random, 4)]
    for wrong, i, j, amount, _ in found:
        write = {one for one in names if random.random() < 0.6}
        try:
            slipped = calculate(judge.trace, 4, write=write, slip=(wrong.call.out, off_by(i, j, amount)))
        except AttnsolveError:
            continue  # the slip leaves a later step without a value
        right, off = judge.verify(calculate(judge.trace, 4, write=write)), judge.verify(slipped)
        assert off.earned <= right.earned, (wrong.call.out, i, j, amount, earned(right), earned(off))
