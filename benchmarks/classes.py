"""A class that hands in the seed exercise: everybody rounds each step, one in three has a slip."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import Masked
from attnsolve.trace import Trace

PLACES = 4


def hand_in(trace: Trace, number: int) -> Iterator[str]:
    """The compact text of so many students."""
    for student in range(number):
        slip = None
        if student % 3 == 2:
            chance = Random(student)
            step = chance.choice(trace.steps)
            place = chance.randrange(step.value.shape[0]), chance.randrange(step.value.shape[1])
            slip = (step.call.out, *place, Fraction(chance.randint(1, 9), 10))
        yield calculated(trace, 1_000_000 + student, slip)


def calculated(trace: Trace, student: int, slip: tuple[str, int, int, Fraction] | None) -> str:
    """Every step worked out from rounded numbers and written down to four places."""
    values = {name: given.value for name, given in trace.problem.givens.items()}
    lines = [f"@ {student}"]
    for step in trace.steps:
        call = step.call
        value = rounded(call.op.rule(*(values[name] for name in call.args), **call.options))
        if slip is not None and slip[0] == call.out:
            value = slipped(value, *slip[1:])
        values[call.out] = value
        lines.append(f"{call.out} {written(value, step.value)}")
    return "\n".join(lines) + "\n"


def rounded(value: Matrix) -> Matrix:
    """What somebody goes on with; -∞ stays what it is."""
    if isinstance(value, Masked):
        return Masked(rounded(value.base), value.keep)
    return value.rounded(PLACES)


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
