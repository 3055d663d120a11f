"""Whole classes of simulated students, graded, with what was unfair or wrong about their reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

from verifier.simulated.careful import carrying, exact, otherwise
from verifier.simulated.exercises import Exercise, problem_text
from verifier.simulated.inventions import invented
from verifier.simulated.mistaken import mistaken
from verifier.simulated.scripts import Complaint, Script, blamed, is_right_throughout
from verifier.simulated.shapes import SHAPES, draw
from verifier.simulated.slips import slipping
from verifier.simulated.spelled import spelled

import attnsolve
from attnsolve.report import Report
from attnsolve.trace import Trace

KINDS: dict[str, Callable[[Random, Exercise], Script | None]] = {
    "exact": exact,
    "carrying": carrying,
    "otherwise": otherwise,
    "mistaken": mistaken,
    "invented": invented,
    "slipping": slipping,
    "spelled": spelled,
}
# How many exercises a seed has: each shape so many times.
POOL = 4 * len(SHAPES)


@dataclass(frozen=True)
class Graded:
    """A script with the reports on it, and what is wrong with them."""

    kind: str
    number: int
    seed: int
    script: Script
    reports: tuple[Report, ...]
    complaints: tuple[Complaint, ...]


@dataclass
class Tally:
    """What became of a class."""

    kind: str
    students: int = 0
    wrong: int = 0
    right: int = 0
    named: int = 0
    named_rightly: int = 0
    full: int = 0
    offending: list[Graded] = field(default_factory=list)
    traits: Counter[str] = field(default_factory=Counter)
    offending_traits: Counter[str] = field(default_factory=Counter)
    named_traits: Counter[str] = field(default_factory=Counter)
    complaints: Counter[str] = field(default_factory=Counter)

    def add(self, graded: Graded) -> None:
        """Count one more."""
        report, script = graded.reports[0], graded.script
        names = {named.name for step in report.steps for named in step.mistakes}
        self.students += 1
        self.wrong += bool(blamed(report))
        self.right += is_right_throughout(report)
        self.named += bool(names)
        if any(wanted in name.split(" + ") for wanted in script.names for name in names):
            self.named_rightly += 1
            self.named_traits.update(script.traits)
        self.full += report.earned == report.possible
        self.traits.update(script.traits)
        if graded.complaints:
            self.offending.append(graded)
            self.complaints.update(complaint.short for complaint in graded.complaints)
            self.offending_traits.update(script.traits)


@cache
def solved(number: int, seed: int) -> tuple[Exercise, Trace]:
    """One exercise of a seed's pool, solved by attnsolve."""
    exercise = draw(number, seed)
    return exercise, attnsolve.solve(attnsolve.loads(problem_text(exercise)))


def grade(kind: str, number: int, seed: int) -> Graded:
    """The student with this number in a class; who cannot go wrong as wanted gets another exercise."""
    random = Random(f"{kind} {seed} {number}")
    place = number
    while True:
        exercise, trace = solved(place % POOL, seed)
        script = KINDS[kind](random, exercise)
        if script is not None:
            break
        place = random.randrange(POOL)
    reports = tuple(attnsolve.verify(trace, text) for text in (script.text, *script.others))
    return Graded(kind, number, seed, script, reports, tuple(script.rule(reports)))


def graded_class(kind: str, students: int, seed: int) -> Iterator[Graded]:
    """All students of a class, one after the other."""
    return (grade(kind, number, seed) for number in range(students))
