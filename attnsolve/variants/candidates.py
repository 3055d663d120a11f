"""Candidates: sets of numbers found by climbing and judged exactly, the quick judges first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from attnsolve.engine import run
from attnsolve.errors import AttnsolveError
from attnsolve.problem import Problem
from attnsolve.trace import Step, Trace
from attnsolve.variants.choices import has_fewer
from attnsolve.variants.climbs import Climbs
from attnsolve.variants.effort import effort
from attnsolve.variants.forms import Form, Numbers
from attnsolve.variants.generator import Stream
from attnsolve.variants.judges import objections_to_numbers, objections_to_steps
from attnsolve.variants.search import Climb
from attnsolve.variants.separation import Separation

STARTS = 12  # fresh starts before a problem is called impossible
SHAKES = 200  # refusals by an exact judge before a fresh start
DEAD_ENDS = 3  # climbs that do not arrive before a fresh start


@dataclass(frozen=True, slots=True)
class Candidate:
    """Numbers that all judges of numbers accept; the judges of exams have not seen them yet."""

    numbers: Numbers
    trace: Trace
    effort: int


@dataclass(frozen=True, slots=True)
class Standard:
    """What every variant of an exam is held to: the usual work, mistakes that must show, enough to tick."""

    usual: int
    band: Fraction
    separation: Separation | None
    options: Mapping[str, int] = field(default_factory=dict)  # of each question of choice

    def admits(self, effort: int) -> bool:
        """Whether so much work is near enough to the usual."""
        return abs(effort - self.usual) <= self.band * self.usual


def candidates(
    form: Form,
    stream: Stream,
    refused: Counter[str],
    *,
    climbs: Climbs,
    standard: Standard | None = None,
    starts: int = STARTS,
) -> Iterator[Candidate]:
    """Numbers that every judge accepts, one after the other; without a standard, those of numbers only."""
    tries = STARTS * SHAKES
    for _ in range(starts):
        climb = climbs(stream)
        climb.start()
        dead_ends = 0
        for _ in range(min(SHAKES, tries)):
            dead_ends += not climb.climb()
            objection, heavy = "", None
            candidate = judged(form, climb, standard)
            if isinstance(candidate, Candidate):
                yield candidate
            else:
                objection, heavy = candidate
                refused[objection] += 1
            tries -= 1
            if dead_ends == DEAD_ENDS:
                break
            climb.shake(lighter=heavy)


def judged(form: Form, climb: Climb, standard: Standard | None) -> Candidate | tuple[str, bool | None]:
    """A candidate, or the judge that refuses it and whether it is much work; the quick judges first."""
    numbers = climb.drawn()
    for objection in objections_to_numbers(form, numbers):
        return objection, None
    problem = form.filled(numbers)
    # The steps that the effort needs; the others are only taken where it is right.
    exact = Trace(problem, tuple(run(problem, form.exact_calls, frames=problem.frames)))
    work = effort(problem, made={step.call.out: step.value for step in exact.steps})
    if standard is None:
        separation, heavy = None, None
    else:
        separation, heavy = standard.separation, work > standard.usual
        if not standard.admits(work):
            return "effort", heavy
    if separation is not None and separation.often and separation.looks_hopeless(climb.rough_values()):
        return "mistakes", heavy
    steps: list[Step] = []
    try:
        for objection in objections_to_steps(form, carried_out(problem, steps, begun=exact)):
            return objection, heavy
    except Undefined:
        return "undefined", heavy
    trace = Trace(problem, tuple(steps))
    if separation is not None and separation.clashes(trace):
        return "mistakes", heavy
    if standard is not None and has_fewer(trace, standard.options, form.vary.generation):
        return "choice", heavy
    return Candidate(numbers, trace, work)


class Undefined(Exception):
    """A step has no value on these numbers."""


def carried_out(problem: Problem, steps: list[Step], *, begun: Trace | None = None) -> Iterator[Step]:
    """The solution step by step, kept in `steps`: most numbers are refused early, and the rest is spared."""
    try:
        for step in run(problem, problem.calls(), frames=problem.frames, solved=begun):
            steps.append(step)
            yield step
    except AttnsolveError as error:
        raise Undefined from error
