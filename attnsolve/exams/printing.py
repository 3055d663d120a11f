"""Exams and solutions written by one process or by several: the same bytes, put together in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from attnsolve.engine import solve_asked
from attnsolve.errors import BugFound
from attnsolve.exams.drawing import chunked, in_processes
from attnsolve.exams.lock import Layout
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.papers import Cover, Paper
from attnsolve.problem_set import drawn_from
from attnsolve.rendering import Settings
from attnsolve.rendering.environment import completed
from attnsolve.rendering.exams import render_exams, render_solutions
from attnsolve.rendering.styling import Manner, styled


class Sheet(NamedTuple):
    """A paper as another process is told of it: its problem file instead of its trace."""

    text: str
    code: str
    student: str
    name: str
    effort: int
    lineup: tuple[int, ...] = ()


class Press(NamedTuple):
    """What all papers of an exam have in common."""

    problem: str
    folder: Path
    cover: Cover
    layout: Layout = Layout()
    limits: Limits = LIMITS
    manner: Manner = Manner()  # for other processes; in this one it holds already

    @property
    def settings(self) -> Settings:
        """How solutions are written."""
        return Settings(to="latex", detail=self.layout.detail)

    def paper(self, sheet: Sheet) -> Paper:
        """A paper, solved."""
        asked = loads_asked(sheet.text, name=self.problem, folder=self.folder, limits=self.limits)
        solved = solve_asked(drawn_from(asked, sheet.lineup))
        return Paper(sheet.code, solved, sheet.student, sheet.name, sheet.effort)


class Print(NamedTuple):
    """The exam and the solution of one paper, or of some papers in one document."""

    codes: tuple[str, ...]
    exam: str
    solution: str


def prints(press: Press, papers: Sequence[Paper], sheets: Sequence[Sheet], *, jobs: int) -> Iterator[Print]:
    """All papers written, in order; other processes are told of them by their sheets."""
    if jobs == 1:
        for some in chunked(papers, jobs):
            yield from printed(press, some)
        return
    for made in in_processes(partial(printed_elsewhere, press), sheets, jobs=jobs):
        yield from made


def printed_elsewhere(press: Press, sheets: Sequence[Sheet]) -> list[Print]:
    """Some papers written in another process."""
    with styled(press.manner.style, limits=press.manner.limits):
        return printed(press, [press.paper(sheet) for sheet in sheets])


def printed(press: Press, papers: Sequence[Paper]) -> list[Print]:
    """Some papers written here, each alone or together."""
    is_piece = not press.layout.each
    return [
        Print(
            tuple(paper.code for paper in some),
            render_exams(some, press.cover, is_piece=is_piece).text,
            render_solutions(some, press.cover, settings=press.settings, is_piece=is_piece).text,
        )
        for some in ([[paper] for paper in papers] if press.layout.each else [papers])
    ]


def joined(empty: str, pieces: Iterable[str]) -> str:
    """One document of several that begin and end alike; `empty` is that beginning and end, and no more.

    Where exactly it is cut does not matter: what is taken too much from the beginning of one
    piece is what its end has too much for the next.
    """
    kept = list(pieces)
    start = alike([empty, *kept])
    end = empty[start:]
    if not all(piece.endswith(end) and len(piece) >= len(empty) for piece in kept):
        raise BugFound("papers that were written apart do not fit together")
    return "".join([empty[:start], *(piece[start : len(piece) - len(end)] for piece in kept), end])


def alike(texts: Sequence[str]) -> int:
    """How many characters all texts begin with alike."""
    first, last = min(texts), max(texts)
    return next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))


def whole(press: Press, made: Sequence[Print]) -> tuple[str, str]:
    """All exams in one document, and all solutions in another."""
    exams = render_exams([], press.cover, is_piece=True).text
    solutions = render_solutions([], press.cover, settings=press.settings, is_piece=True).text
    return (
        completed(joined(exams, [one.exam for one in made]), press.settings.to),
        completed(joined(solutions, [one.solution for one in made]), press.settings.to),
    )
