"""Exam documents: papers, their worked solutions and the key, for a whole class in one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from attnsolve.languages import message, speaking
from attnsolve.papers import Cover, Fairness, Layout, Paper
from attnsolve.problem_set import Asked
from attnsolve.rendering import Document, figures_of
from attnsolve.rendering.booklets import PaperView, cover_view, paper_view
from attnsolve.rendering.dialects import pictures_beside
from attnsolve.rendering.filling import fill
from attnsolve.rendering.settings import Settings

if TYPE_CHECKING:  # few documents are keys
    from attnsolve.rendering.keys import Key

USUAL = Layout()


def render_exams(
    papers: Sequence[Paper],
    cover: Cover | None = None,
    *,
    to: str = "latex",
    flavour: str = "pandoc",
    cells: bool = False,
    layout: Layout = USUAL,
    is_piece: bool = False,
    asked: Asked | None = None,
) -> Document:
    """All papers in one document: title page, questions, answer boxes; the code on every page.

    A piece has some papers of a document that is `completed` when all pieces are joined; one that has
    none is told what is `asked`. One that is cut into `cells` has no boxes.
    """
    settings, cover = Settings(to=to, sheet="exercise", flavour=flavour, cells=cells), cover or Cover()
    with speaking(cover.lang):
        return paged("exams", papers, cover, settings, layout=layout, is_piece=is_piece, asked=asked)


def render_answer_sheets(
    papers: Sequence[Paper],
    cover: Cover | None = None,
    *,
    to: str = "latex",
    flavour: str = "pandoc",
    layout: Layout = USUAL,
    is_piece: bool = False,
    asked: Asked | None = None,
) -> Document:
    """The answer sheets of papers that have questions only: code, name, room for each part."""
    settings, cover = Settings(to=to, sheet="exercise", flavour=flavour), cover or Cover()
    titled = message("Answer sheet: {title}")
    with speaking(cover.lang):
        return paged(
            "answers",
            papers,
            cover,
            settings,
            titled=titled,
            layout=layout,
            is_piece=is_piece,
            asked=asked,
        )


def render_solutions(
    papers: Sequence[Paper],
    cover: Cover | None = None,
    *,
    settings: Settings | None = None,
    layout: Layout = USUAL,
    is_piece: bool = False,
    asked: Asked | None = None,
) -> Document:
    """The worked solutions of all papers in one document, or a piece of it, each headed by its code.

    Maps beside it are called after the problem alone, so that only one paper may have some.
    """
    chosen = (settings or Settings(to="latex"))._replace(sheet="solution")
    cover, titled = cover or Cover(), message("Solution: {title}")
    with speaking(cover.lang):
        return paged(
            "solutions",
            papers,
            cover,
            chosen,
            titled=titled,
            layout=layout,
            is_piece=is_piece,
            asked=asked,
        )


class Overview:
    """What the key and the contact sheet say of papers that go by one after the other."""

    def __init__(self, papers: Iterable[Paper] = (), cover: Cover | None = None) -> None:
        from attnsolve.rendering.contacts import Contacts
        from attnsolve.rendering.keys import Key

        self.cover = cover or Cover()
        self.key, self.contacts = Key(), Contacts()
        for paper in papers:
            self.add(paper)

    def add(self, paper: Paper) -> None:
        """One more paper, whose solution is forgotten unless it is at an edge."""
        with speaking(self.cover.lang):
            self.key.add(paper)
            self.contacts.add(paper)

    def join(self, others: Overview) -> None:
        """The papers that went by elsewhere, after these."""
        self.key.join(others.key)
        self.contacts.join(others.contacts)

    def forget_solutions(self) -> None:
        """Keep of papers what other processes are told."""
        self.key.forget_solutions()
        self.contacts.forget_solutions()

    def recall(self, paper_of: Callable[[str], Paper]) -> None:
        """Have those again whose solutions are looked at: of each exercise the first, and the edges."""
        recalled = cache(paper_of)
        self.key.recall(recalled)
        self.contacts.recall(recalled)

    def render_key(self, *, to: str = "latex", flavour: str = "pandoc") -> Document:
        """The answers of all papers in one table, sorted by code."""
        return key_document(self.key, self.cover, to=to, flavour=flavour)

    def render_contacts(self, *, to: str = "latex", flavour: str = "pandoc") -> Document:
        """The extremes of a set of variants with their givens, on a page or two."""
        with speaking(self.cover.lang):
            about = cover_view(self.cover, self.key.asked, titled=message("Contact sheet: {title}"))
            views = self.contacts.views()
            return Document(filled("contacts", to, cover=about, contacts=views, flavour=flavour))


def key_document(key: Key, cover: Cover, *, to: str, flavour: str) -> Document:
    """A key in print."""
    with speaking(cover.lang):
        about = cover_view(cover, key.asked, titled=message("Key: {title}"))
        return Document(filled("key", to, cover=about, key=key.view(), flavour=flavour))


def render_key(
    papers: Iterable[Paper], cover: Cover | None = None, *, to: str = "latex", flavour: str = "pandoc"
) -> Document:
    """The answers of all papers in one table, sorted by code."""
    from attnsolve.rendering.keys import Key

    cover = cover or Cover()
    with speaking(cover.lang):
        return key_document(Key(papers), cover, to=to, flavour=flavour)


def render_fairness(
    fairness: Fairness, cover: Cover | None = None, *, to: str = "markdown", flavour: str = "pandoc"
) -> Document:
    """How alike the variants are and what was refused, with small plots."""
    from attnsolve.rendering.fairness import fairness_view

    cover = cover or Cover()
    with speaking(cover.lang):
        report = fairness_view(fairness)
        text = filled("fairness", to, cover=cover_view(cover, None), report=report, flavour=flavour)
    beside = tuple((each.file, each.svg) for each in report.charts) if pictures_beside(to) else ()
    return Document(text, beside)


def render_contacts(
    papers: Iterable[Paper], cover: Cover | None = None, *, to: str = "latex", flavour: str = "pandoc"
) -> Document:
    """The extremes of a set of variants with their givens, on a page or two."""
    return Overview(papers, cover).render_contacts(to=to, flavour=flavour)


def paged(
    sheet: str,
    papers: Sequence[Paper],
    cover: Cover,
    settings: Settings,
    *,
    titled: str = "{title}",
    layout: Layout = USUAL,
    is_piece: bool = False,
    asked: Asked | None = None,
) -> Document:
    """A sheet with a section of pages for each paper; views are made one by one, as the sheet needs them."""
    headed = settings.to if settings.sheet == "exercise" else ""
    about = cover_view(cover, problem_of(papers) or asked, titled=titled, to=headed)
    figures: list[tuple[str, str]] = []

    def views() -> Iterator[PaperView]:
        for paper in papers:
            view = paper_view(paper, settings)
            figures.extend(one for exercise in view.exercises for one in figures_of(exercise.doc, settings))
            yield view

    text = filled(
        sheet,
        settings.to,
        cover=about,
        papers=views(),
        flavour=settings.flavour,
        cells=settings.cells,
        maps_beside=settings.maps,
        sides=layout.sides.value,
        answers_apart=layout.answers_apart,
        is_piece=is_piece,
    )
    return Document(text, tuple(figures))


def filled(sheet: str, to: str, **values: Any) -> str:
    """A sheet in a dialect and in what papers add to that."""
    paged = f"dialects/{to}-papers.j2"
    values = {"answers_apart": False, "maps_beside": False, **values}
    return fill(sheet, to, paged=paged, outer=paged, **values)


def problem_of(papers: Sequence[Paper]) -> Any:
    """The problem that all papers are variants of."""
    return papers[0].trace.problem if papers else None
