"""Simulated students: they round every step, write all or some of it down, and may make a slip."""

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache
from random import Random

from flint import arb

from attnsolve import batch
from attnsolve.bundled import problems_with_numbers
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.balls import fixed
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked
from attnsolve.problem import Call
from attnsolve.recipes.shapes import Layout
from attnsolve.report import Report
from attnsolve.submission import Answer, State, Submission, Table, Written
from attnsolve.trace import Step, Trace
from attnsolve.verifier.verification import Verifier

BUNDLED = tuple(path.stem for path in problems_with_numbers())
SEEDS = ("ist-practical-10", "eecs182-discussion-8", "lab-5-self-attention", "ai539-homework-4")

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
    return tuple(c._replace(op=c.op._replace(rule=rule)) if c is wrong else c for c in calls)


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


@cache
def verifier(name: str) -> Verifier:
    """A solved problem and its judge."""
    return Verifier(batch.solved(batch.find(name)))


def own_steps(trace: Trace) -> list[Step]:
    """The steps of the plan, without exponentials and sums."""
    plan = {call.out for call in trace.problem.calls()}
    return [step for step in trace.steps if step.call.out in plan]


def some_of(trace: Trace, random: Random) -> set[str] | None:
    """Which steps are written down: all, some, or only the last."""
    names = [step.call.out for step in own_steps(trace)]
    return random.choice((None, {name for name in names if random.random() < 0.5}, {names[-1]}))


def verdicts(report: Report) -> dict[str, str]:
    """Verdicts by step."""
    return {step.name: step.verdict for step in report.steps}


def nudged(step: Step, inputs: list[Matrix], places: int, i: int, j: int) -> Fraction:
    """How far a number can move when each input moves by a unit of its last place, to first order."""

    def points(value: Matrix, a: int = -1, b: int = -1) -> Matrix:
        if isinstance(value, Masked):
            return Masked(points(value.base, a, b), value.keep)
        balls = value.balls(64)
        return fixed(
            [
                [arb(x.mid()) + (unit if (a, b) == (k, l) else 0) for l, x in enumerate(row)]
                for k, row in enumerate(balls)
            ]
        )

    def at(values: list[Matrix]) -> Fraction:
        found = step.call.op.rule(*values, **step.call.options)
        return Fraction(float((found.base if isinstance(found, Masked) else found).balls(64)[i][j].mid()))

    unit = arb(10) ** -places
    still = [points(value) for value in inputs]
    base, total = at(still), Fraction(0)
    for k, value in enumerate(inputs):
        for a in range(value.shape[0]):
            for b in range(value.shape[1]):
                total += abs(at([*still[:k], points(value, a, b), *still[k + 1 :]]) - base)
    return total


def terms(step: Step, inputs: list[Matrix], i: int, j: int) -> list[Fraction]:
    """The products that a number is the sum of, where it is such a sum; those that are 0 cannot be missed."""
    factors = step.call.op.formula.product
    if len(factors) != 2:
        return []
    given = dict(zip(step.call.op.parameters, inputs, strict=False))
    left, right = (given[factor.rstrip("'")] for factor in factors)
    left = left.T if factors[0].endswith("'") else left
    right = right.T if factors[1].endswith("'") else right
    found = []
    for k in range(left.shape[1]):
        one, two = left.cell(i, k).rational(), right.cell(k, j).rational()
        if one and two:
            found.append(one * two)
    return found


def slips(trace: Trace, random: Random, places: int) -> Iterator[tuple[Step, int, int, Fraction, Fraction]]:
    """One random slip: the step, the cell, by how much, and by how much rounding could have moved it."""
    values: dict[str, Matrix] = {name: given.value for name, given in trace.problem.givens.items()}
    step = random.choice(own_steps(trace))
    for other in own_steps(trace):
        inputs = [values[name] for name in other.call.args]
        values[other.call.out] = rounded(other.call.op.rule(*inputs, **other.call.options), places)
        if other is step:
            break
    i, j = (random.randrange(size) for size in step.value.shape)
    found = values[step.call.out].cell(i, j).rational()
    if found is None:
        return  # what is hidden cannot be miscalculated
    kind = random.choice(("digit", "sign", "product"))
    if kind == "digit" or not found:
        amount = other_digit(found, places, random)
    elif kind == "sign":
        amount = -2 * found
    else:
        amount = -random.choice(terms(step, inputs, i, j) or [found])
    amount = Fraction(round(amount * 10**places), 10**places)
    yield step, i, j, amount, nudged(step, inputs, places, i, j)
