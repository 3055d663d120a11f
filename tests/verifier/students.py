"""Simulated students: they round every step, write all or some of it down, and may make a slip."""

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from random import Random

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked
from attnsolve.problem import Call
from attnsolve.recipes.shapes import Layout
from attnsolve.submission import Answer, State, Submission, Table, Written
from attnsolve.trace import Trace

Change = Callable[[Matrix], Matrix]


def rounded(value: Matrix, places: int, mode: str = "half_up") -> Matrix:
    """What somebody goes on with who rounds; -∞ stays what it is."""
    if isinstance(value, Masked):
        return Masked(rounded(value.base, places, mode), value.keep)
    return value.rounded(places, mode=mode)


def as_written(value: Matrix, places: int, right: Matrix | None = None) -> Table:
    """A rounded matrix as it stands on paper; whole numbers without a point where that is the right value."""

    comparable = right is not None and right.shape == value.shape

    def one(i: int, j: int) -> Written:
        found = value.cell(i, j).rational()
        if found is None:
            return Written("-inf", State.NUMBER, HIDDEN)
        whole = found.denominator == 1 and (not comparable or right.cell(i, j).rational() == found)
        return decimal(found, 0 if whole else places)

    return Table(tuple(one(i, j) for j in range(value.shape[1])) for i in range(value.shape[0]))


def decimal(found: Fraction, places: int) -> Written:
    """A number with so many places."""
    sign, size = ("-" if found < 0 else ""), abs(found)
    text = str(size) if not places else f"{size // 1}.{str(round(size % 1 * 10**places)).zfill(places)}"
    return Written(sign + text, State.NUMBER, Rational(found), places)


def calculate(
    trace: Trace,
    places: int,
    *,
    write: Collection[str] | None = None,
    slip: tuple[str, Change] | None = None,
    mode: str = "half_up",
    calls: Collection[Call] | None = None,
) -> Submission:
    """A whole calculation with rounded values carried on; `slip` changes one value, `calls` the plan."""
    values: dict[str, Matrix] = {name: given.value for name, given in trace.problem.givens.items()}
    answers = []
    layout = Layout(trace.problem.convention)
    for call in trace.problem.calls() if calls is None else calls:
        value = rounded(call.op.rule(*(values[name] for name in call.args), **call.options), places, mode)
        if slip is not None and slip[0] == call.out:
            value = slip[1](value)
        values[call.out] = value
        right = trace.value(call.out) if call.out in trace.problem.frames else value
        if call.out in trace.problem.frames and (write is None or call.out in write):
            if layout.printed_across(call.out, trace.problem.frames[call.out]):
                value, right = value.T, right.T
            answers.append(Answer(call.out, None, None, as_written(value, places, right)))
    return Submission("somebody", "", tuple(answers))


def off_by(i: int, j: int, amount: Fraction) -> Change:
    """A slip in one cell."""

    def change(value: Matrix) -> Matrix:
        if isinstance(value, Masked):
            return Masked(change(value.base), value.keep)
        assert isinstance(value, Rationals)
        table = [[value.fraction(a, b) for b in range(value.shape[1])] for a in range(value.shape[0])]
        table[i][j] += amount
        return Rationals.of(table)

    return change


def misled(trace: Trace, wrong: Call, rule: Callable[..., Matrix]) -> tuple[Call, ...]:
    """The calls of a problem with one of them done by a wrong rule."""
    calls = tuple(trace.problem.calls())
    return tuple(replace(c, op=replace(c.op, rule=rule)) if c is wrong else c for c in calls)


def other_digit(found: Fraction, places: int, random: Random) -> Fraction:
    """How much one changed digit changes a number."""
    text = decimal(found, places).text.lstrip("-")
    place = random.choice([k for k, sign in enumerate(text) if sign.isdigit()])
    digit = random.choice([d for d in "0123456789" if d != text[place]])
    changed = Fraction(text[:place] + digit + text[place + 1 :])
    return (changed - abs(found)) * (-1 if found < 0 else 1)


def guessed(value: Matrix, places: int, random: Random) -> Table:
    """Random numbers of the same size and digits as those of a value; what is hidden stays so."""

    def one(written: Written) -> Written:
        if written.cell is HIDDEN:
            return written
        size = len(written.text.lstrip("-").partition(".")[0])
        top = 10 ** (size + places) if written.text.lstrip("-")[0] != "0" else 10**places
        found = Fraction(random.randrange(top), 10**places) * random.choice((1, 1, -1))
        return decimal(found, places)

    return Table(tuple(one(written) for written in row) for row in as_written(rounded(value, places), places))
