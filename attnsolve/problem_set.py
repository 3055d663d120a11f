"""A problem set as pure data: several problems as one document, numbered, with their steps called `2b.A`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from attnsolve.letterhead import UNHEADED, Letterhead
from attnsolve.problem import Part, Problem
from attnsolve.trace import Trace

# `2b.A`, `2.A`, `2-1.A`: the exercise, the part where there are several, and the rest of the name.
ADDRESS = re.compile(r"(?P<number>[0-9]{1,3})-?(?P<part>[a-z0-9][a-z0-9-]*)?(?P<rest>(?:\..*)?)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise of a set: its number there, and its problem with the parts and marks it has there."""

    number: int
    problem: Problem
    origin: int = 0  # its number in the sheet that a paper was drawn from, where there is one

    @property
    def identity(self) -> int:
        """Which exercise it is, whatever number a paper gives it: its number in the sheet."""
        return self.origin or self.number

    def label(self, part: str) -> str:
        """What a part is called in the set: `2b`; `2` where it is the only one; `2-1` for a part called 1."""
        if len(self.problem.parts) == 1:
            return str(self.number)
        return f"{self.number}{'-' if part[0].isdigit() else ''}{part}"

    def outer(self, name: str) -> str:
        """The name in the set of a value or a part of the problem: `2b.A` for `b.A`."""
        part, dot, rest = name.partition(".")
        return f"{self.label(part)}{dot}{rest}"

    def inner(self, name: str) -> str | None:
        """The name in the problem of what is called so in the set; None where no part is meant."""
        found = ADDRESS.fullmatch(name)
        if found is None or int(found["number"]) != self.number:
            return None
        ids = [part.id for part in self.problem.parts]
        part = found["part"] or (ids[0] if len(ids) == 1 else "")
        return f"{part}{found['rest']}" if part in ids else None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts as the set calls them."""
        return tuple(part._replace(id=self.label(part.id)) for part in self.problem.parts)


@dataclass(frozen=True, slots=True)
class Pool:
    """Exercises of a set, one after the other, of which each paper of an exam has only so many."""

    choose: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """Everything a sheet file says: a weekly sheet, or the exam that papers are drawn from."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]
    course: str = ""
    term: str = ""
    date: str = ""
    instructions: str = ""
    file: str = ""
    pools: tuple[Pool, ...] = ()
    is_shuffled: bool = False  # whether the papers of an exam have the exercises in different orders
    letterhead: Letterhead = UNHEADED

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts of all exercises, called 1a, 1b, 2."""
        return tuple(part for exercise in self.exercises for part in exercise.parts)

    @property
    def lang(self) -> str:
        """The language of the sheet, which all its exercises share."""
        return self.exercises[0].problem.lang

    @property
    def lineup(self) -> tuple[int, ...]:
        """Of a paper, the numbers that its exercises have in the sheet; nothing where they are the same."""
        return tuple(one.identity for one in self.exercises) if any(e.origin for e in self.exercises) else ()

    @property
    def claimed(self) -> frozenset[str]:
        """The numbers of the exercises with symbols, which are answered with claims and formulas."""
        found = (one.number for one in self.exercises if one.problem.assumptions is not None)
        return frozenset(map(str, found))

    def pool(self, number: int) -> Pool | None:
        """The pool that the exercise with a number belongs to."""
        return next((pool for pool in self.pools if number in pool.numbers), None)

    def exercise(self, name: str) -> Exercise:
        """The exercise that a name of the set belongs to: the second for `2b.A`."""
        return next(exercise for exercise in self.exercises if exercise.inner(name) is not None)

    def owner(self, name: str) -> tuple[Problem, str]:
        """The problem that a name of the set belongs to, and what it is called there."""
        exercise = self.exercise(name)
        return exercise.problem, exercise.inner(name) or ""


@dataclass(frozen=True, slots=True)
class SolvedSet:
    """A problem set with the trace of each of its exercises."""

    problem: ProblemSet
    traces: tuple[Trace, ...]

    def __iter__(self) -> Iterator[tuple[Exercise, Trace]]:
        """Each exercise with its trace."""
        return zip(self.problem.exercises, self.traces, strict=True)


# What is asked of somebody, and its solution.
Asked = Problem | ProblemSet
Solved = Trace | SolvedSet


def numbered(problems: Iterable[Problem], *, name: str) -> tuple[Exercise, ...]:
    """The exercises of a set, each problem with a name of its own, after which its figures are called."""
    return tuple(
        Exercise(number, problem._replace(name=f"{name}-{number}"))
        for number, problem in enumerate(problems, start=1)
    )


def drawn_from(asked: Asked, numbers: Sequence[int]) -> Asked:
    """A paper whose exercises know their numbers in the sheet it was drawn from; others are themselves."""
    if not numbers or not isinstance(asked, ProblemSet):
        return asked
    own = zip(asked.exercises, numbers, strict=True)
    return replace(asked, exercises=tuple(replace(one, origin=number) for one, number in own))


def problems_of(asked: Asked) -> tuple[Problem, ...]:
    """The problems of a set, or the one problem."""
    return tuple(one.problem for one in asked.exercises) if isinstance(asked, ProblemSet) else (asked,)


def exercises_of(solved: Solved) -> tuple[tuple[Exercise | None, Trace], ...]:
    """Each exercise with its trace; a problem by itself is no exercise of a set."""
    return tuple(solved) if isinstance(solved, SolvedSet) else ((None, solved),)


def in_sheet(exercise: Exercise) -> Exercise:
    """An exercise of a paper under the number that it has in the sheet."""
    return replace(exercise, number=exercise.identity)


def name_in(exercise: Exercise | None, name: str) -> str:
    """What a value is called in a set, or in a problem by itself."""
    return name if exercise is None else exercise.outer(name)


def owner(asked: Asked, name: str) -> tuple[Problem, str]:
    """The problem that a name belongs to, and what it is called there."""
    return asked.owner(name) if isinstance(asked, ProblemSet) else (asked, name)


def needed_parts(problem: Problem, chosen: Iterable[str]) -> dict[str, str]:
    """The parts that are not chosen although a chosen one goes on from them, each with that one."""
    kept = set(chosen)
    lost: dict[str, str] = {}
    for part in problem.parts:
        if part.id in kept:
            made = [arg for call in part.calls for arg in call.args if arg not in problem.givens]
            used = [name.partition(".")[0] for name in made]
            used += [target.partition(".")[0] for target in part.aliases.values()]
            used += part.costs.of if part.costs is not None else ()
            ids = {other.id for other in problem.parts} - kept
            lost |= {one: part.id for one in used if one in ids and one not in lost}
    return lost


def selected(problem: Problem, chosen: Iterable[str]) -> Problem:
    """The problem with these parts only, in their order; none of them needs another (`needed_parts`)."""
    kept = set(chosen)
    dropped = {call.out for part in problem.parts if part.id not in kept for call in part.calls}
    return problem._replace(
        parts=tuple(part for part in problem.parts if part.id in kept),
        frames={name: frame for name, frame in problem.frames.items() if name not in dropped},
    )
