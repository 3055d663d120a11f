"""Checking a problem file: what is wrong in it, which steps have no value, and is its own key right?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from attnsolve.documents import Node, read
from attnsolve.engine import run
from attnsolve.errors import AttnsolveError, Fault, ProblemError
from attnsolve.graph import graph_of
from attnsolve.limits import LIMITS, Limits
from attnsolve.lint.choices import few_options, without_choice
from attnsolve.lint.markup import lookalikes
from attnsolve.lint.notices import Notice
from attnsolve.lint.published import published
from attnsolve.loader.asked import load_asked
from attnsolve.loader.places import place_of
from attnsolve.loader.pools import exercise_nodes
from attnsolve.problem import Call, Problem
from attnsolve.problem_set import ProblemSet
from attnsolve.rendering import render
from attnsolve.rendering.settings import every_page
from attnsolve.trace import Step, Trace


def check(path: Path, *, limits: Limits = LIMITS) -> list[Notice]:
    """Every fault of a file; if there is none, every step or page that is refused; else a wrong key."""
    try:
        asked = load_asked(path, limits=limits)
    except ProblemError as error:
        return [Notice(fault, "E301", error.exit_code) for fault in error.faults]
    root = read(path, limits=limits)
    if not isinstance(asked, ProblemSet):
        return check_problem(asked, root, limits)
    files = dict.fromkeys(one.problem.file for one in asked.exercises if one.problem.file != asked.file)
    found = [notice for file in files for notice in check(Path(file), limits=limits)]
    for exercise, node in zip(asked.exercises, exercise_nodes(root), strict=True):
        inside = node.get("problem")
        found += check_problem(exercise.problem, inside, limits) if inside is not None else []
    return found


def check_problem(problem: Problem, root: Node, limits: Limits) -> list[Notice]:
    """Every step or page of a problem that is refused; if there is none, a wrong key."""
    attempt = carried_out(problem, most=limits.faults)
    if attempt.stuck:
        places = [place_of(root, problem, call) for call, _ in attempt.stuck]
        errors = [error for _, error in attempt.stuck]
        return [without_value(problem, *where, error) for where, error in zip(places, errors, strict=True)]
    trace = Trace(problem, attempt.steps)
    unprintable = (
        [*without_decimals(root, problem, attempt.steps)]
        or [*without_choice(root, trace)]
        or [*refused(root, trace)]
    )
    if unprintable:
        return unprintable
    try:
        hints = [*taken_over(root, problem), *few_options(root, trace), *lookalikes(root, problem.file)]
        return [*hints, *published(trace)]
    except AttnsolveError as error:
        return [Notice(Fault(problem.file, 1, 1, "", str(error)), "E401", error.exit_code)]


class Attempt(NamedTuple):
    """What could be carried out, and the calls that could not, except where others are to blame."""

    steps: tuple[Step, ...]
    stuck: tuple[tuple[Call, AttnsolveError], ...]


def carried_out(problem: Problem, *, most: int) -> Attempt:
    """As many steps as can be done: those after one without a value too, until `most` have none."""
    stuck: list[tuple[Call, AttnsolveError]] = []
    while True:
        calls = standing(problem, {call.out for call, _ in stuck})
        steps: list[Step] = []
        try:
            for step in run(problem, calls, frames=problem.frames):
                steps.append(step)  # one by one, so that those before an error are kept
        except AttnsolveError as error:
            stuck.append((calls[len(steps)], error))
            if len(stuck) < most:
                continue
        return Attempt(tuple(steps), tuple(stuck))


def standing(problem: Problem, lost: set[str]) -> list[Call]:
    """The calls that need nothing of what is lost."""
    graph = graph_of(problem)
    gone = lost | {call.out for call in graph.following(lost)}
    return [call for call in graph.made.values() if call.out not in gone]


def without_value(problem: Problem, node: Node, path: str, error: AttnsolveError) -> Notice:
    """A step that has no value on these numbers, such as an argmax of equal scores."""
    return Notice(Fault(problem.file, node.line, node.column, path, str(error)), "E401", error.exit_code)


def without_decimals(root: Node, problem: Problem, steps: tuple[Step, ...]) -> Iterator[Notice]:
    """The steps with a number of which no proof tells how it rounds: every page with it is refused."""
    for step in steps if problem.assumptions is None else ():
        try:
            step.value.decimals(problem.places)
        except AttnsolveError as error:
            where = place_of(root, problem, step.call)
            error.args = (f"step {step.call.out} ({step.call.op.name}): {error}",)
            yield without_value(problem, *where, error)


def refused(root: Node, trace: Trace) -> Iterator[Notice]:
    """What `render` says where it refuses a sheet; each sentence once."""
    said = set()
    for settings in every_page():
        try:
            render(trace, settings=settings)
        except AttnsolveError as error:
            if str(error) not in said:
                where, path = (trace.problem.file, root.line, root.column), f"--sheet {settings.sheet}"
                fault = Fault(*where, path, str(error))
                yield Notice(fault, "E401", error.exit_code)
            said.add(str(error))


def taken_over(root: Node, problem: Problem) -> Iterator[Notice]:
    """The parts that have marks, or judges to spare, only because the part that they repeat has."""
    parts = root.get("parts")
    for part, node in zip(problem.parts, parts.items if parts is not None else (), strict=True):
        like = node.get("like")
        if like is None:
            continue
        silent = []
        if part.marks and node.get("marks") is None:
            silent.append("1 mark" if part.total == 1 else f"{part.total} marks")
        if part.allow and node.get("allow") is None:
            silent.append(f"allow: [{', '.join(part.allow)}]")
        if silent:
            said = f"{' and '.join(silent)} as in part '{like.text.strip()}'; write here what is meant"
            fault = Fault(problem.file, like.line, like.column, f"parts.{part.id}.like", said)
            yield Notice(fault, "W102", 0)
