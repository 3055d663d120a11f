"""The paper of one person as a notebook, with cells for its answers, and the solution of it."""

from __future__ import annotations

from attnsolve.languages import speaking
from attnsolve.notebooks.cells import Cell, Numbered, cut, written
from attnsolve.notebooks.embedding import embedded
from attnsolve.notebooks.sheets import exercise_cells, has_letters, solution_cells
from attnsolve.papers import Cover, Paper
from attnsolve.rendering import Document, Settings
from attnsolve.rendering.exams import render_exams, render_solutions

# The kind of Markdown that notebooks show.
FLAVOUR = "jupyter"


def paper_notebook(
    paper: Paper,
    cover: Cover,
    settings: Settings,
    pictures: tuple[tuple[str, bytes], ...] = (),
    *,
    checks: bool = False,
) -> Document:
    """A paper, or its solution where the settings say so; with `checks` its cells judge what is typed.

    To judge, they have the answers inside: a paper of an exam does not.
    """
    chosen = settings._replace(to="markdown", flavour=FLAVOUR, cells=True, maps=True)
    if settings.sheet == "solution":
        page = render_solutions([paper], cover, settings=chosen)
    else:
        page = render_exams([paper], cover, to=chosen.to, flavour=FLAVOUR, cells=True)
    page = page._replace(pictures=pictures)
    shown = [piece._replace(text=embedded(piece.text, page)) for piece in cut(page.text)]
    with speaking(cover.lang):
        if has_letters(paper.trace):
            cells = [Cell.markdown(piece) for piece in shown]
        elif settings.sheet == "solution":
            cells = solution_cells(paper.trace, shown)
        else:
            cells = exercise_cells(paper.trace, shown, checks=checks)
    return Document(written(Numbered(cells), f"{cover.title or paper.trace.problem.title} ({paper.code})"))
