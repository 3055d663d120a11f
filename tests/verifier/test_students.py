"""Simulated students: who only rounds is never wrong, who slips is caught where, who guesses is not named."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from verifier import exercises
from verifier.students import calculate, decimal, guessed, misled, off_by, other_digit, rounded

from attnsolve import batch
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.balls import fixed
from attnsolve.exact.masked import Masked
from attnsolve.problem import Call
from attnsolve.recipes.shapes import Layout
from attnsolve.report import Report
from attnsolve.submission import Answer, Submission, Table
from attnsolve.trace import Step, Trace
from attnsolve.verifier.verification import Verifier

BUNDLED = tuple(path.stem for path in batch.bundled())
SEEDS = ("ist-practical-10", "eecs182-discussion-8", "lab-5-self-attention", "ai539-homework-4")
# How many random exercises are drawn; ATTNSOLVE_STUDENTS=1000 for a long run.
DRAWN = int(os.environ.get("ATTNSOLVE_STUDENTS", "60"))
NEVER = {"wrong", "mistake", "follows", "not read"}


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
    across = factors[1].endswith("'")
    found = []
    for k in range(left.shape[1]):
        one, two = left.cell(i, k).rational(), right.cell(*((j, k) if across else (k, j))).rational()
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


def guess(judge: Verifier, step: Step, random: Random, places: int, *, alone: bool) -> bool:
    """Whether random numbers for one step are given a mistake's name."""
    trace, name = judge.trace, step.call.out
    table = guessed(step.value, places, random)
    if Layout(trace.problem.convention).printed_across(name, trace.problem.frames[name]):
        table = Table(zip(*table, strict=True))
    before = [one.call.out for one in own_steps(trace)]
    written = [] if alone else calculate(trace, places, write=before[: before.index(name)]).answers
    report = judge.verify(Submission(answers=(*written, Answer(name, None, None, table))))
    return next(one for one in report.steps if one.name == name).verdict == "mistake"


def guesses(judge: Verifier, random: Random, times: int) -> Iterator[bool]:
    """Random answers to every step that has more than zeros and ones in it."""
    for step in own_steps(judge.trace):
        for _ in range(times):
            yield guess(judge, step, random, random.choice((2, 3, 4)), alone=random.random() < 0.5)


def test_random_wrong_answer_is_given_a_name_in_at_most_one_of_a_hundred() -> None:
    random = Random(539)
    named = [hit for name in SEEDS for hit in guesses(verifier(name), random, 8)]
    assert len(named) >= 300
    assert 100 * sum(named) <= len(named)


def same_to(value: Matrix, other: Matrix, places: int) -> bool:
    """Whether two matrices cannot be told apart with so many places and a unit of grace."""
    for i, j, cell in value.cells():
        mine, yours = cell.rational(), other.cell(i, j).rational()
        if (mine is None) != (yours is None):
            return False
        if mine is not None and yours is not None and abs(mine - yours) > Fraction(2, 10**places):
            return False
    return True


def injected(judge: Verifier, places: int) -> Iterator[tuple[str, str, str]]:
    """(step, mistake, what was said) for every mistake of every op, made in a whole calculation."""
    trace = judge.trace
    for step in own_steps(trace):
        for mistake in step.call.op.mistakes:
            calls = misled(trace, step.call, mistake.rule)
            try:
                submission = calculate(trace, places, calls=calls)
                value = mistake.rule(*step.inputs, **step.call.options)
                if value.shape != step.value.shape:
                    continue
                shows = not same_to(rounded(value, places), rounded(step.value, places), places)
            except AttnsolveError:
                continue  # not defined here, so nobody can make it
            report = judge.verify(submission)
            mine = next(one for one in report.steps if one.name == step.call.out)
            names = {named.name for named in mine.mistakes}
            others = {
                one.name: one.verdict
                for one in report.steps
                if one.verdict in ("wrong", "mistake", "not read") and one.name != mine.name
            }
            assert {} == others, (step.call.out, mistake.name)
            if shows:
                assert mine.verdict in ("mistake", "wrong"), (step.call.out, mistake.name, mine)
            word = "invisible" if not shows else "named" if mistake.name in names else mine.verdict
            yield step.call.out, mistake.name, word


# e^1054 has 458 digits, which nobody writes down.
UNNAMED = {("eecs182-discussion-8", "b.A", "without-sum")}


MORE = ("tokens-as-columns", "lab-5-scores", "ist-practical-10-decoder", "session-18-attention")


@pytest.mark.parametrize("name", [*SEEDS, *MORE])
def test_every_mistake_in_a_seed_problem_is_found_and_named(name: str) -> None:
    found = list(injected(verifier(name), 4))
    assert found
    left = {(name, step, mistake) for step, mistake, word in found if word not in ("named", "invisible")}
    assert UNNAMED >= left


def pairs_of(trace: Trace, part: str) -> Iterator[tuple[str, str, str, tuple[Call, ...]]]:
    """Every two mistakes of two steps of a part: the steps, the name of both, and the changed plan."""
    calls = tuple(trace.problem.calls())
    slips = [(call, mistake) for call in calls if call.part == part for mistake in call.op.mistakes]
    for (first, one), (second, two) in combinations(slips, 2):
        if first is not second:
            rules = {first.out: one.rule, second.out: two.rule}
            plan = (replace(c, op=replace(c.op, rule=rules[c.out])) if c.out in rules else c for c in calls)
            yield first.out, second.out, f"{one.name} + {two.name}", tuple(plan)


def test_pair_of_mistakes_is_named_from_the_output_alone() -> None:
    judge = verifier("tokens-as-columns")
    found: Counter[str] = Counter()
    for _, _, name, plan in pairs_of(judge.trace, "a"):
        try:
            whole = calculate(judge.trace, 8, calls=plan, write={"a.Z"})
        except AttnsolveError:
            continue  # the first leaves nothing for the second
        cells = [[written.cell for written in row] for row in whole.answers[0].rows]
        table = Table(tuple(decimal(cell.rounded(4).fraction, 4) for cell in row) for row in cells)
        report = judge.verify(Submission(answers=(Answer("a.Z", None, None, table),)))
        mine = next(one for one in report.steps if one.name == "a.Z")
        names = {named.name for named in mine.mistakes}
        alone = any(" + " not in one for one in names)
        found["pair" if name in names else "one shows" if alone else mine.verdict] += 1
    assert found["pair"] >= 30
    assert {"pair", "one shows", "right"} >= set(found)  # right: two that undo each other
