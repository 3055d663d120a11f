"""A folder of pages as a small site: an index of their titles, which can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.languages import ENGLISH, message, speaking
from attnsolve.rendering import Document
from attnsolve.rendering.filling import fill
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, prose, say

TITLES = {
    "solution": message("Worked solutions"),
    "exercise": message("Exercises"),
    "markscheme": message("Mark schemes"),
}


class PageView(NamedTuple):
    """A page of a site: its title, and where it is."""

    title: Segments
    file: str


class SiteView(NamedTuple):
    """All pages of a folder."""

    title: Segments
    pages: tuple[PageView, ...]


def render_index(pages: Sequence[tuple[str, str]], settings: Settings) -> Document:
    """The index of a folder, of the title and the file name of each page."""
    with speaking(settings.lang or ENGLISH.code):
        views = tuple(PageView(prose(title) or prose(file), file) for title, file in pages)
        site = SiteView(say(TITLES[settings.sheet]), views)
        return Document(fill("site", settings.to, site=site, flavour=settings.flavour, maps_beside=False))
