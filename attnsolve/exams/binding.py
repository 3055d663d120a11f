"""The documents of an exam as they lie in its folder: in one format, with pictures inside or beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attnsolve.papers import Layout, Paper
from attnsolve.problem_set import Asked, problems_of
from attnsolve.rendering import Settings, headed, pictures_of
from attnsolve.rendering.booklets import letterhead_of
from attnsolve.rendering.dialects import DIALECTS_BY_NAME


def source_format(layout: Layout) -> str:
    """The format in which documents are written, before an engine or another room makes them into theirs."""
    if layout.engine is not None:
        return layout.engine.source
    return DIALECTS_BY_NAME[layout.to].made_of or layout.to


def holds_pictures(layout: Layout) -> bool:
    """Whether documents have their pictures inside; others have them beside them."""
    dialect = DIALECTS_BY_NAME[layout.to]
    return dialect.embeds or not dialect.fills_sheets


def ending(layout: Layout) -> str:
    """What the names of documents end in."""
    return DIALECTS_BY_NAME[layout.to].endings[0]


def bound(text: str, papers: Sequence[Paper], layout: Layout, *, sheet: str) -> str | bytes:
    """A document of some papers as it is kept; a PDF has their pictures inside."""
    if layout.engine is None:
        return text
    return with_pictures(text, dict(pictures_on(papers, layout, sheet=sheet)), layout)


def with_pictures(text: str, pictures: Mapping[str, bytes], layout: Layout) -> str | bytes:
    """A document as it is kept; a PDF has its pictures inside."""
    if layout.engine is None:
        return text
    from attnsolve.rendering.pdf import pdf_of

    return pdf_of(text, dict(pictures), layout.engine)


def pictures_on(papers: Sequence[Paper], layout: Layout, *, sheet: str) -> Iterator[tuple[str, bytes]]:
    """The figures of some papers, each once, and the logo of their title pages."""
    settings = Settings(to=source_format(layout), sheet=sheet, maps=True)
    yield from dict(one for paper in papers for one in shown_on(paper.trace.problem, settings)).items()


def shown_on(asked: Asked, settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """The figures of a document, and the logo that stands on title pages."""
    pictures = tuple(one for problem in problems_of(asked) for one in pictures_of(problem, settings))
    if settings.sheet != "exercise":
        return pictures
    return headed(pictures, letterhead_of(asked), settings)
