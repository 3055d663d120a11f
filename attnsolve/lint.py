"""Checking a problem file without solving it; only published answers need the solution."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, Fault, ProblemError
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import load
from attnsolve.problem import Problem
from attnsolve.published import judge
from attnsolve.report import Finding


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say about a file; a notice with exit code 0 is only a hint."""

    fault: Fault
    code: str
    exit_code: int

    def record(self) -> dict[str, Any]:
        """The notice for programs."""
        return {**asdict(self.fault), "code": self.code}


def check(path: Path, *, limits: Limits = LIMITS) -> list[Notice]:
    """Every fault of a file, and what is not right about its published answers."""
    try:
        problem = load(path, limits=limits)
    except ProblemError as error:
        return [Notice(fault, "E301", error.exit_code) for fault in error.faults]
    if not any(part.published for part in problem.parts):
        return []
    try:
        return published(problem)
    except AttnsolveError as error:
        return [Notice(Fault(str(path), 1, 1, "", str(error)), "E401", error.exit_code)]


def published(problem: Problem) -> list[Notice]:
    """The published numbers that are not right, each where it stands in the file."""
    trace = solve(problem)
    findings = [finding for part in problem.parts for finding in judge(trace, part)]
    return [notice(problem, finding) for finding in findings if not finding.fine]


def notice(problem: Problem, finding: Finding) -> Notice:
    """A published number that is cut off, wrong or undecided."""
    first = problem.index_from
    place = (
        f"{finding.target.name}[{(finding.target.row or 0) + first}, {(finding.target.column or 0) + first}]"
    )
    said = {
        "truncated": f"the published {finding.typed} is cut off; rounded it is {finding.expected}",
        "wrong": f"the published {finding.typed} is wrong; it should be {finding.expected}",
        "undecided": f"whether the published {finding.typed} is exact could not be decided",
    }[finding.verdict]
    fault = Fault(problem.file, finding.line, finding.column, place, said)
    return Notice(fault, "W101", 1 if finding.verdict == "wrong" else 0)
