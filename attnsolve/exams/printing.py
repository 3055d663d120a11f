"""Exams and solutions written by one process or by several: the same bytes, put together in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError, BugFound
from attnsolve.exams.binding import bound, pictures_on, source_format, with_pictures
from attnsolve.exams.drawing import Pattern, drawer_of, drawn, in_processes, prepare, variant_of
from attnsolve.exams.lock import Drawn
from attnsolve.exams.seating import Wish
from attnsolve.exams.seen import Seen
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.notebooks import paper_notebook
from attnsolve.papers import Cover, Layout, Paper, Solutions
from attnsolve.pdf_engines import Engine
from attnsolve.problem_set import Asked, drawn_from
from attnsolve.rendering import Settings
from attnsolve.rendering.books import render_wrapped_papers
from attnsolve.rendering.completion import completed_pieces
from attnsolve.rendering.dialects import NOTEBOOK
from attnsolve.rendering.exams import render_answer_sheets, render_exams, render_solutions
from attnsolve.rendering.styling import Manner, styled
from attnsolve.rendering.typst_papers import Sewn, papers_pdf
from attnsolve.whole_files import Content, encoded

# Writes some papers: a document, or a piece of one.
Writer = Callable[[Sequence[Paper], bool], str]
# Documents as they are kept, or pieces of one as text.
Contents = tuple[str | bytes, ...]


class Sheet(NamedTuple):
    """A paper as another process is told of it: its problem file instead of its trace."""

    text: str
    code: str
    student: str
    name: str
    effort: int
    lineup: tuple[int, ...] = ()
    solves: tuple[str, ...] | None = None
    is_for_all: bool = False


class Press(NamedTuple):
    """What all papers of an exam have in common."""

    problem: str
    folder: Path
    cover: Cover
    layout: Layout = Layout()
    limits: Limits = LIMITS
    manner: Manner = Manner()  # for other processes; in this one it holds already
    asked: Asked | None = None  # for what has no papers in it that would say so

    @property
    def settings(self) -> Settings:
        """How solutions are written."""
        return Settings(to=self.to, detail=self.layout.detail, flavour=self.layout.flavour, wrap="none")

    @property
    def to(self) -> str:
        """The format that documents are written in."""
        return source_format(self.layout)

    @property
    def has_solutions(self) -> bool:
        """Whether solutions are documents of their own; in blocks of a book they stand below their papers."""
        return self.layout.solutions is not Solutions.NONE and not self.layout.is_wrapped

    def exams(self, papers: Sequence[Paper], is_piece: bool) -> str:
        """The papers themselves."""
        if self.layout.to == NOTEBOOK:
            return self.notebook(papers, sheet="exercise")
        if self.layout.is_wrapped:
            sheet = "exercise" if self.layout.solutions is Solutions.NONE else "solution"
            settings = self.settings._replace(sheet=sheet, wrap="exercise")
            return render_wrapped_papers(papers, self.cover, settings, asked=self.asked).text
        made = render_exams(papers, self.cover, to=self.to, flavour=self.layout.flavour, **self.cut(is_piece))
        return made.text

    def answers(self, papers: Sequence[Paper], is_piece: bool) -> str:
        """Their answer sheets."""
        flavour = self.layout.flavour
        made = render_answer_sheets(papers, self.cover, to=self.to, flavour=flavour, **self.cut(is_piece))
        return made.text

    def worked_out(self, papers: Sequence[Paper], is_piece: bool) -> str:
        """Their solutions."""
        if self.layout.to == NOTEBOOK:
            return self.notebook(papers, sheet="solution")
        return render_solutions(papers, self.cover, settings=self.settings, **self.cut(is_piece)).text

    def cut(self, is_piece: bool) -> dict[str, Any]:
        """How a document of many papers is laid out and put together."""
        return {"layout": self.layout, "is_piece": is_piece, "asked": self.asked}

    def notebook(self, papers: Sequence[Paper], *, sheet: str) -> str:
        """A notebook of one paper, or of its solution."""
        (paper,) = papers
        pictures = tuple(pictures_on(papers, self.layout, sheet=sheet))
        settings = self.settings._replace(sheet=sheet)
        return paper_notebook(paper, self.cover, settings, pictures, checks=self.layout.checks).text

    def bound(self, text: str, papers: Sequence[Paper], write: Writer) -> str | bytes:
        """A document of some papers, as it is kept."""
        sheet = "solution" if write == self.worked_out else "exercise"
        return bound(text, papers, self.layout, sheet=sheet)

    def paper(self, sheet: Sheet) -> Paper:
        """A paper, solved."""
        asked = loads_asked(sheet.text, name=self.problem, folder=self.folder, limits=self.limits)
        return Paper(
            sheet.code,
            solve_asked(drawn_from(asked, sheet.lineup)),
            sheet.student,
            sheet.name,
            sheet.effort,
            sheet.solves,
            sheet.is_for_all,
        )


class Print(NamedTuple):
    """Some papers as they are written: of each kind of document one for each, or a piece of one for all."""

    codes: tuple[str, ...]
    exams: Contents
    answers: Contents
    solutions: Contents
    seen: Seen


def prints_elsewhere(press: Press, sheets: Iterable[Sheet], count: int, *, jobs: int) -> Iterator[Print]:
    """Papers written by other processes, in order, which are told of them by their sheets."""
    yield from in_processes(partial(printed_elsewhere, press), sheets, count, jobs=jobs)


def printed_elsewhere(press: Press, sheets: Sequence[Sheet]) -> Print:
    """Some papers written in another process."""
    return told(press, [press.paper(sheet) for sheet in sheets])


def draws_elsewhere(
    pattern: Pattern, press: Press, wishes: Sequence[Wish], *, jobs: int
) -> Iterator[tuple[list[Drawn], Print | None]]:
    """Papers that other processes draw and write, in order: what is drawn is solved once."""
    prepare(drawer_of(pattern))
    yield from in_processes(partial(drawn_elsewhere, pattern, press), wishes, len(wishes), jobs=jobs)


def drawn_elsewhere(
    pattern: Pattern, press: Press, wishes: Sequence[Wish]
) -> tuple[list[Drawn], Print | None]:
    """Some papers drawn and written in another process."""
    drawer = drawer_of(pattern)
    made = [variant_of(drawer, wish) for wish in wishes]
    papers = [
        Paper(wish.code, variant.trace, wish.seat.student, wish.seat.name, variant.effort)
        for wish, variant in zip(wishes, made, strict=True)
    ]
    return [drawn(variant) for variant in made], told_if_written(press, papers)


def told_if_written(press: Press, papers: Sequence[Paper]) -> Print | None:
    """Some papers written for another process; a fault in writing must not lose what was drawn."""
    try:
        return told(press, papers)
    except AttnsolveError:
        return None


def told(press: Press, papers: Sequence[Paper]) -> Print:
    """Some papers written here for another process."""
    with styled(press.manner.style, limits=press.manner.limits):
        made = printed(press, papers)
    made.seen.forget_solutions()
    return made


def printed(press: Press, papers: Sequence[Paper]) -> Print:
    """Some papers written here, each alone or together."""
    layout = press.layout
    solved = [paper for paper in papers if paper.solves != ()]
    return Print(
        tuple(paper.code for paper in papers),
        written(press, papers, press.exams, each=layout.each),
        written(press, papers, press.answers, each=layout.each) if layout.answers_apart else (),
        written(press, solved, press.worked_out, each=layout.solutions_each) if press.has_solutions else (),
        Seen(press.cover, layout, papers),
    )


def written(press: Press, papers: Sequence[Paper], write: Writer, *, each: bool) -> Contents:
    """A document for each paper, or one piece of a document for all."""
    if not each:
        return (write(papers, True),)
    return tuple(press.bound(write([paper], False), [paper], write) for paper in papers)


def joined(empty: str, pieces: Callable[[], Iterable[str]]) -> Sewn:
    """One document of several that begin and end alike; `empty` is that beginning and end, and no more.

    Where exactly it is cut does not matter: what is taken too much from the beginning of one
    piece is what its end has too much for the next. Pieces are read anew each time.
    """
    start = min((alike(empty, piece) for piece in pieces()), default=len(empty))
    end = empty[start:]

    def between() -> Iterator[str]:
        for piece in pieces():
            if not piece.endswith(end) or len(piece) < len(empty):
                raise BugFound("papers that were written apart do not fit together")
            yield piece[start : len(piece) - len(end)]

    return Sewn(empty[:start], between, end)


def alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def whole(
    press: Press, write: Writer, pieces: Callable[[], Iterable[str]], pictures: Mapping[str, bytes]
) -> Content:
    """One document of the pieces that were written apart; where its format allows, it is never held whole."""
    document = joined(write([], True), pieces)
    if press.layout.engine is Engine.TYPST:
        return papers_pdf(document, pictures)
    texts = completed_pieces(document.texts, press.to)
    if press.layout.engine is None:
        return map(encoded, texts)
    return with_pictures("".join(texts), pictures, press.layout)
