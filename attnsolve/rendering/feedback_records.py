"""Reports and hints for programs."""

from __future__ import annotations

from typing import Any

from attnsolve.languages import speaking
from attnsolve.problem_set import Solved, SolvedSet
from attnsolve.rendering.feedback import exercise_marks, feedback_view, words
from attnsolve.rendering.places import place
from attnsolve.report import Report


def report_record(solved: Solved, report: Report) -> dict[str, Any]:
    """The report for programs, with the first wrong number as the sheet counts it: `a.K[2, 1]`."""
    record = report.record()
    for step in record["steps"]:
        cell = step["cell"]
        step["place"] = "" if cell is None else f"{step['name']}{place(solved.problem, step['name'], cell)}"
    if isinstance(solved, SolvedSet):
        record["exercises"] = [
            {"number": number, "earned": str(earned), "possible": str(possible)}
            for number, earned, possible in exercise_marks(solved.problem, report)
        ]
    return record


def hints_record(solved: Solved, report: Report, hints: int, *, lang: str | None = None) -> dict[str, Any]:
    """What a student is told at a level, for programs: made of what is printed, so that it holds no more."""
    with speaking(lang or solved.problem.lang):
        view = feedback_view(solved, report, plain=True, hints=hints)
    return {
        "schema": 1,
        "problem": report.problem,
        "student": report.student,
        "variant": report.variant,
        "hints": hints,
        "steps": [
            {
                "name": line.name,
                "title": line.title,
                "verdict": line.verdict,
                "said": [words(said) for said in line.said],
            }
            for line in view.lines
        ],
        "unread": [words(said) for said in view.unread],
        "remarks": [words(said) for said in view.remarks],
    }
