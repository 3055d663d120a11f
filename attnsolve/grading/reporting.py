"""What is said when a class has been graded: the summary, who moved, whom a person must look at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from attnsolve.class_statistics import class_statistics
from attnsolve.errors import BugFound, Undecided
from attnsolve.grading import corrections, summary
from attnsolve.grading.session import Session
from attnsolve.grading.uploads import Upload
from attnsolve.pdf_engines import Engine
from attnsolve.pool_statistics import pool_statistics
from attnsolve.problem_set import ProblemSet
from attnsolve.rendering import Document
from attnsolve.rendering.class_report import render_class_report
from attnsolve.rendering.dialects import NOTEBOOK

SHOWN = 20


def lines(session: Session, *, as_json: bool = False) -> Iterator[str]:
    """The summary, what an erratum means, and the moves, as text or as JSON."""
    made = summary.summarise(session.assignment.trace().problem, session.shown)
    moved, erratum = session.moves(), list(corrections.told(session.assignment))
    if as_json:
        record = {"schema": 1, "ok": not exit_code(session), **summary.record(made)}
        record |= {"erratum": erratum} if erratum else {}
        yield json.dumps({**record, "moved": [move.record() for move in moved]}, indent=2, ensure_ascii=False)
        return
    yield from summary.lines(made)
    if erratum:
        yield "judged by the corrected problem:"
        yield from (f"  {words}" for words in erratum)
    if moved:
        yield f"moved since the last time: {len(moved)}"
        yield from (f"  {move}" for move in moved)


def report(
    session: Session, to: str, stem: str, *, lang: str | None = None, engine: Engine = Engine.TYPST
) -> Document:
    """How the class did, as a document with plots."""
    problem = session.assignment.trace().problem
    reports = [one.report.by_sheet for one in session.marks if one.report is not None]
    missing = len(session.marks) - len(reports)
    statistics = class_statistics(problem.title, reports, without_marks=missing)
    pools = pool_statistics(problem, reports) if isinstance(problem, ProblemSet) else ()
    about: dict[str, Any] = {"stem": stem, "lang": lang or problem.lang, "pools": pools}
    if to != NOTEBOOK:
        return render_class_report(statistics, to=to, engine=engine, **about)
    from attnsolve.notebooks import FLAVOUR, page_notebook  # few want one

    return page_notebook(render_class_report(statistics, flavour=FLAVOUR, **about), problem.title)


def complaints(session: Session) -> Iterator[str]:
    """A sentence for each submission without a mark, and one for all that were read only in part."""
    lost = [one for one in session.shown if one.report is None]
    for one in lost[:SHOWN]:
        yield f"{one.student or one.source}: {one.trouble}"
    if len(lost) > SHOWN:
        yield f"… and {len(lost) - SHOWN} more; see the column 'look at'"
    partly = sum(one.report is not None and not one.is_complete for one in session.marks)
    if partly:
        yield f"{partly} not read or decided in part; see the column 'look at'"
    if session.journal.damaged:
        yield f"{session.journal.damaged} torn or damaged in the journal beside the marks; graded again"
    yield from session.strays
    absent = len(session.absent)
    if absent:
        yield f"{absent} of the roster handed in nothing; their lines in the marks are empty"


def held_back(upload: Upload) -> Iterator[str]:
    """A sentence about everybody whose grade is left empty for a platform."""
    if upload.held_back:
        yield f"without a grade for the platform: {len(upload.held_back)}"
        yield from (f"  {words}" for words in upload.held_back[:SHOWN])
        if len(upload.held_back) > SHOWN:
            yield f"  … and {len(upload.held_back) - SHOWN} more"
    yield from upload.warnings


def exit_code(session: Session) -> int:
    """0 when everybody has marks for all that was written."""
    if any(one.details for one in session.marks):
        return BugFound.exit_code
    is_settled = all(one.is_complete for one in session.marks) and not session.strays
    return 0 if is_settled else Undecided.exit_code
