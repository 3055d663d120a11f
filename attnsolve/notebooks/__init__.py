"""Jupyter notebooks: the working as cells, code that recomputes it, cells that check what is typed."""

from __future__ import annotations

from attnsolve.languages import speaking
from attnsolve.notebooks.cells import Cell, Numbered, cut, written
from attnsolve.notebooks.embedding import embedded
from attnsolve.notebooks.papers import FLAVOUR, paper_notebook
from attnsolve.notebooks.sheets import exercise_cells, has_letters, solution_cells
from attnsolve.problem_set import Solved
from attnsolve.rendering import Document, Settings, render

__all__ = ["FLAVOUR", "page_notebook", "paper_notebook", "render_notebook"]


def render_notebook(solved: Solved, settings: Settings) -> Document:
    """A solved problem or problem set as a notebook; an exercise sheet has cells to fill in."""
    page = render(solved, settings=settings._replace(to="markdown", flavour=FLAVOUR, maps=True, cells=True))
    beside = {"solution": solution_cells, "exercise": exercise_cells}.get(settings.sheet)
    if beside is None or has_letters(solved):
        return page_notebook(page, solved.problem.title)
    shown = [piece._replace(text=embedded(piece.text, page)) for piece in cut(page.text)]
    with speaking(settings.lang or solved.problem.lang):
        return Document(written(Numbered(beside(solved, shown)), solved.problem.title))


def page_notebook(page: Document, title: str) -> Document:
    """A page in Markdown that is only read, with its figures inside: a key, a report, a slip."""
    pieces = [piece._replace(text=embedded(piece.text, page)) for piece in cut(page.text)]
    return Document(written(Numbered(map(Cell.markdown, pieces)), title))
