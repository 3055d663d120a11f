"""A class that hands in the seed exercise: all leave a step out now and then, one in three has a slip."""

from __future__ import annotations

from collections.abc import Container, Iterator
from fractions import Fraction
from random import Random

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import Masked
from attnsolve.trace import Trace

PLACES = 4
# As many as a calculator keeps.
MANY_PLACES = 12
# One step in so many is done in the head.
LEFT_OUT = 8


def hand_in(trace: Trace, number: int) -> Iterator[str]:
    """The compact text of so many students, of whom hardly two write the same."""
    for student in range(number):
        yield handed_in(trace, student)


def handed_in(trace: Trace, student: int) -> str:
    """The compact text of one of them."""
    chance, slip = Random(student), None
    if student % 3 == 2:
        step = chance.choice(trace.steps)
        place = chance.randrange(step.value.shape[0]), chance.randrange(step.value.shape[1])
        slip = (step.call.out, *place, Fraction(chance.randint(1, 9), 10))
    left_out = {step.call.out for step in trace.steps if chance.randrange(LEFT_OUT) == 0}
    mode = chance.choice(("half_up", "half_up", "half_even", "truncate"))
    # One in three keeps all digits in a calculator.
    carried = PLACES if student % 3 else MANY_PLACES
    return calculated(trace, 1_000_000 + student, slip, left_out, carried=carried, mode=mode)


def calculated(
    trace: Trace,
    student: int,
    slip: tuple[str, int, int, Fraction] | None,
    left_out: Container[str],
    *,
    carried: int,
    mode: str,
) -> str:
    """Every step worked out from one's own numbers, and nearly all of them written down to four places."""
    values = {name: given.value for name, given in trace.problem.givens.items()}
    lines = [f"@ {student}"]
    for step in trace.steps:
        call = step.call
        value = rounded(call.op.rule(*(values[name] for name in call.args), **call.options), carried, mode)
        if slip is not None and slip[0] == call.out:
            value = slipped(value, *slip[1:])
        values[call.out] = value
        if call.out not in left_out:
            lines.append(f"{call.out} {written(rounded(value, PLACES, mode), step.value)}")
    return "\n".join(lines) + "\n"


def rounded(value: Matrix, places: int, mode: str) -> Matrix:
    """What somebody goes on with; -∞ stays what it is."""
    if isinstance(value, Masked):
        return Masked(rounded(value.base, places, mode), value.keep)
    return value.rounded(places, mode=mode)


def slipped(value: Matrix, i: int, j: int, amount: Fraction) -> Matrix:
    """The same with one number off."""
    if not isinstance(value, Rationals):
        return value
    table = [[value.fraction(a, b) for b in range(value.shape[1])] for a in range(value.shape[0])]
    table[i][j] += amount
    return Rationals.of(table)


def written(value: Matrix, right: Matrix) -> str:
    """The numbers on paper: short decimals as they are, whatever was rounded with all its places."""
    rows = []
    for i in range(value.shape[0]):
        row = []
        for j in range(value.shape[1]):
            own, exact = value.cell(i, j).rational(), right.cell(i, j).rational()
            if own is None:
                row.append("-inf")
            elif exact is not None and exact * 100 % 1 == 0 and own * 100 % 1 == 0:
                row.append(f"{float(own):g}")
            else:
                row.append(f"{float(own):.{PLACES}f}")
        rows.append(" ".join(row))
    return "; ".join(rows)
