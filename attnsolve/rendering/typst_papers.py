"""PDFs of many papers by Typst: printed part by part, so that memory does not grow with them, and joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from attnsolve.rendering.completion import completed
from attnsolve.rendering.joined_pdfs import joined_pdf
from attnsolve.rendering.pdf_parts import NotJoined, Part
from attnsolve.rendering.typst_engine import typst_pdf

# Characters of a part, unless a single paper has more; Typst takes about a thousand times as much memory.
LONGEST = 300_000
# How a paper begins in `typst-papers.j2`, and what numbers the pages of all papers where a style does so.
PAPER = re.compile(r"^(?=#paper\()", re.MULTILINE)
PAGE, ALL_PAGES = "counter(page)", "#context counter(page).final().first();"


class Sewn(NamedTuple):
    """One document of several that begin and end alike, whose papers are read as often as they are wanted."""

    start: str
    papers: Callable[[], Iterable[str]]
    end: str

    def texts(self) -> Iterator[str]:
        """The document, a few papers at a time."""
        yield from chain([self.start], self.papers(), [self.end])


class Source(NamedTuple):
    """Some of the papers, and what stands before those of every part."""

    head: str
    papers: str

    def printed(self, pictures: Mapping[str, bytes], *, first: int = 1, total: int = 0) -> bytes:
        """The PDF of them, whose pages are counted from the first one of so many."""
        head = self.head
        if PAGE in head:
            head = f"{head.replace(ALL_PAGES, str(total))}#counter(page).update({first});\n\n"
        return typst_pdf(completed(head + self.papers, "typst"), pictures)


def papers_pdf(document: Sewn, pictures: Mapping[str, bytes]) -> Iterator[bytes]:
    """The PDF of all papers, in pieces; what is short, or is not to be taken apart, is printed as it is."""
    is_long = any(islice(sources(document), 1, None))
    pieces = joined_pdf(parts(document, pictures)) if is_long else iter(())
    try:
        begun = next(pieces, b"")
    except NotJoined:  # templates of a style's own may number pages, or name places, as ours do not
        begun = b""
    if begun:
        yield begun
        yield from pieces
    else:
        yield typst_pdf(completed("".join(document.texts()), "typst"), pictures)


def parts(document: Sewn, pictures: Mapping[str, bytes]) -> Iterator[bytes]:
    """The PDFs of some papers each; printed twice where every page says how many there are in all."""
    total = 0
    if any(ALL_PAGES in source.head for source in islice(sources(document), 1)):
        total = sum(len(Part(source.printed(pictures)).pages) for source in sources(document))
    first = 1
    for source in sources(document):
        made = source.printed(pictures, first=first, total=total)
        yield made
        first += len(Part(made).pages)


def sources(document: Sewn) -> Iterator[Source]:
    """The papers, as many at a time as make a part."""
    papers = cut(document.texts())
    head, kept, length = next(papers), list[str](), 0
    for paper in papers:
        if kept and length + len(paper) > LONGEST:
            yield Source(head, "".join([*kept, document.end]))
            kept, length = [], 0
        kept.append(paper)
        length += len(paper)
    yield Source(head, "".join(kept))


def cut(texts: Iterable[str]) -> Iterator[str]:
    """What stands before the papers, then each of them; the last one with what stands behind all."""
    rest = ""
    for text in texts:
        *whole, rest = filter(None, PAPER.split(rest + text))
        yield from whole
    yield rest
