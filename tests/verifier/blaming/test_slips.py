"""One slip in a whole calculation is caught at its cell, and what comes after it follows."""

from collections import Counter
from fractions import Fraction
from random import Random

from verifier.students import BUNDLED, SEEDS, calculate, off_by, own_steps, slips, verdicts, verifier

from attnsolve.errors import AttnsolveError
from attnsolve.verifier.verification import Verifier


def judged_slip(judge: Verifier, random: Random, places: int) -> str:
    """What becomes of one random slip, written into a whole calculation."""
    trace = judge.trace
    try:
        found = next(slips(trace, random, places), None)
        if found is None or not found[3]:
            return "none"
        step, i, j, amount, moved = found
        submission = calculate(trace, places, slip=(step.call.out, off_by(i, j, amount)))
    except AttnsolveError:
        return "none"  # the slip leaves a later step without a value
    report = judge.verify(submission)
    said = verdicts(report)
    mine = next(one for one in report.steps if one.name == step.call.out)
    later = {said[one.call.out] for one in own_steps(trace)} - {"right", "follows", "undecided"}
    visible = abs(amount) > moved * Fraction(11, 10) + Fraction(2, 10**places)
    if mine.verdict in ("wrong", "mistake"):
        assert (i, j) == mine.cell
        assert {"wrong", "mistake"} >= later
        others = [
            name for name, v in said.items() if v in ("wrong", "mistake", "not read") and name != mine.name
        ]
        assert [] == others
        users = {said[one.call.out] for one in own_steps(trace) if mine.name in one.call.args}
        if mine.verdict == "mistake":
            return "named"
        return "caught, and followed" if "follows" in users else "caught"
    assert not visible or mine.verdict == "undecided", (step.call.out, i, j, amount, moved, mine)
    return "undecided" if mine.verdict == "undecided" else "invisible"


def test_one_slip_is_caught_at_its_cell_and_the_rest_follows() -> None:
    random = Random(182)
    found = Counter(judged_slip(verifier(name), random, 4) for name in (*SEEDS, *BUNDLED) for _ in range(6))
    assert found["caught"] + found["caught, and followed"] >= 80
    assert found["caught, and followed"] >= 40
    assert 10 * found["invisible"] <= found.total()
