"""Simulated students: they round every step, write all or some of it down, and may make a slip."""

from collections.abc import Callable, Collection
from fractions import Fraction

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.masked import Masked
from attnsolve.recipes.shapes import Layout
from attnsolve.trace import Trace
from attnsolve.verifier.records import Answer, Submission, Written


def rounded(value: Matrix, places: int, mode: str = "half_up") -> Matrix:
    """What somebody goes on with who rounds; -∞ stays what it is."""
    if isinstance(value, Masked):
        return Masked(rounded(value.base, places, mode), value.keep)
    return value.rounded(places, mode=mode)


def as_written(value: Matrix, places: int) -> tuple[tuple[Written, ...], ...]:
    """A rounded matrix as it stands on paper; whole numbers without a point."""

    def one(i: int, j: int) -> Written:
        found = value.cell(i, j).rational()
        if found is None:
            return Written("-inf", "blank")
        digits = 0 if found.denominator == 1 else places
        sign, size = ("-" if found < 0 else ""), abs(found)
        text = str(size) if not digits else f"{size // 1}.{str(round(size % 1 * 10**digits)).zfill(digits)}"
        return Written(sign + text, "number", Rational(found), digits)

    return tuple(tuple(one(i, j) for j in range(value.shape[1])) for i in range(value.shape[0]))


def calculate(
    trace: Trace,
    places: int,
    *,
    write: Collection[str] | None = None,
    slip: tuple[str, Callable[[Matrix], Matrix]] | None = None,
    mode: str = "half_up",
) -> Submission:
    """A whole calculation with rounded values carried on; `slip` changes one value on the way."""
    values: dict[str, Matrix] = {name: given.value for name, given in trace.problem.givens.items()}
    answers = []
    layout = Layout(trace.problem.convention)
    for step in trace.steps:
        call = step.call
        value = rounded(call.op.rule(*(values[name] for name in call.args), **call.options), places, mode)
        if slip is not None and slip[0] == call.out:
            value = slip[1](value)
        values[call.out] = value
        if write is None or call.out in write:
            turned = layout.printed_across(call.out, trace.problem.frames[call.out])
            answers.append(Answer(call.out, None, None, as_written(value.T if turned else value, places)))
    return Submission("somebody", "", tuple(answers))


def off_by(i: int, j: int, amount: Fraction) -> Callable[[Matrix], Matrix]:
    """A slip in one cell."""

    def change(value: Matrix) -> Matrix:
        assert isinstance(value, Rationals)
        table = [[value.fraction(a, b) for b in range(value.shape[1])] for a in range(value.shape[0])]
        table[i][j] += amount
        return Rationals.of(table)

    return change
