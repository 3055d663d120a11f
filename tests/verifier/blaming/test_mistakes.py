"""Known mistakes, alone and in pairs, are named where they were made; who guesses is not given a name."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from verifier.students import SEEDS, calculate, decimal, guessed, misled, own_steps, rounded, verifier

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.problem import Call
from attnsolve.recipes.shapes import Layout
from attnsolve.submission import Answer, Submission, Table
from attnsolve.trace import Step, Trace
from attnsolve.verifier.verification import Verifier


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
            plan = (c._replace(op=c.op._replace(rule=rules[c.out])) if c.out in rules else c for c in calls)
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
