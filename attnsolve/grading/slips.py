"""A feedback slip for each student, in files whose names are safe whatever somebody is called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.file_names import safe_name as safe
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.graded import Graded
from attnsolve.grading.outputs import Output
from attnsolve.grading.people import key
from attnsolve.pdf_engines import Engine
from attnsolve.problem_set import Asked, ProblemSet, Solved
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, NOTEBOOK, OF_PAPERS
from attnsolve.rendering.feedback import feedback
from attnsolve.report import Report

TEXT = "text"
ENDINGS = {TEXT: ".txt"} | {name: DIALECTS_BY_NAME[name].endings[0] for name in OF_PAPERS}

WIDTH = 100  # of a slip as text, where it has formulas
BOLD = re.compile("\x1b\\[[0-9;]*m")  # what a terminal shows in bold letters and a file does not


def slips(
    assignment: Assignment,
    marks: Sequence[Graded],
    folder: Path,
    *,
    to: str,
    lang: str | None = None,
    engine: Engine = Engine.TYPST,
) -> list[Output]:
    """A slip for everybody who has marks; nothing is written yet."""
    return [
        Output.of(
            folder / f"{name}{ENDINGS[to]}",
            slip(assignment.trace(graded.variant), graded.report, to=to, lang=lang, engine=engine),
        )
        for name, graded in zip(names(marks), marks, strict=True)
        if graded.report is not None
    ]


def slip(
    solved: Solved,
    report: Report,
    *,
    to: str,
    hints: int | None = None,
    lang: str | None = None,
    engine: Engine = Engine.TYPST,
) -> str | bytes:
    """One slip in a format, whichever room makes it; as text, formulas are set as on a screen."""
    if to == NOTEBOOK:
        from attnsolve.notebooks import FLAVOUR, page_notebook  # few want one

        shown = feedback(solved, report, to="markdown", hints=hints, flavour=FLAVOUR, lang=lang)
        return page_notebook(shown, solved.problem.title).content
    if to != TEXT or not has_symbols(solved.problem):
        return feedback(solved, report, to=to, hints=hints, lang=lang, engine=engine).content
    from attnsolve.terminal import page

    made = feedback(solved, report, to="markdown", hints=hints, lang=lang).content
    assert isinstance(made, str)
    return BOLD.sub("", page(made, width=WIDTH))


def has_symbols(asked: Asked) -> bool:
    """Whether formulas have to be shown, in a problem or in an exercise of a sheet."""
    return bool(asked.claimed) if isinstance(asked, ProblemSet) else asked.assumptions is not None


def contents(
    assignment: Assignment,
    marks: Sequence[Graded],
    *,
    to: str,
    lang: str | None = None,
    engine: Engine = Engine.TYPST,
) -> dict[str, list[str | bytes]]:
    """The slips by student; of whoever handed in more than once one after the other, where a format can."""
    made: dict[str, list[str | bytes]] = {}
    for graded in marks:
        if graded.report is not None:
            trace, student = assignment.trace(graded.variant), key(graded.student)
            own = slip(trace, graded.report, to=to, lang=lang, engine=engine)
            before = made.setdefault(student, [])
            if before and (to == TEXT or DIALECTS_BY_NAME[to].follows):
                before[0] = f"{before[0]!s}\n{own!s}"
            else:
                before.append(own)
    return made


def check_folder(folder: Path) -> None:
    """Refuse a place for slips that is no folder, before anything is graded."""
    if folder.exists() and not folder.is_dir():
        raise AttnsolveError(f"'{folder}' is no folder; name another place for the slips")


def names(marks: Sequence[Graded]) -> Iterator[str]:
    """A name for each file, none twice."""
    taken: set[str] = set()
    for graded in marks:
        name = stem = safe(graded.student or Path(graded.source).stem)
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        yield name
