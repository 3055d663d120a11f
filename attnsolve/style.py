"""The house style of a department as data: what its documents look like and say, besides their content."""

from __future__ import annotations

import re

from attnsolve.letterhead import UNHEADED, Letterhead
from attnsolve.records import NamedTuple


class Word(NamedTuple):
    """Words that a sheet prints: as they usually are, what they are for, and what may stand in braces."""

    usual: str  # a sentence of the catalogues
    doc: str
    places: tuple[str, ...] = ()


WORDS = {
    "part": Word("Part ({part})", "the heading of a part; {number} counts from 1", ("part", "number")),
    "question": Word("Question", "the heading of a problem's only question"),
    "given": Word("Given", "above what is given"),
    "source": Word("Source: {source}", "where the exercise comes from", ("source",)),
    "step": Word("Step {number}. {title}.", "the title of a step", ("number", "title")),
    "answer": Word("Answer.", "before the result"),
    "pitfall": Word("Easy to get wrong.", "before a mistake that is often made"),
    "name": Word("Name", "on the title page of an exam"),
    "number": Word("Number", "on the title page of an exam"),
    "seat": Word("Seat", "on the title page of an exam, where its cover asks for it"),
    "signature": Word("Signature", "on the title page of an exam, where its cover asks for it"),
    "working": Word("Working:", "above the room for working"),
}

# What a style may leave out of worked solutions.
REMARKS = (
    "source",
    "shapes",
    "checks",
    "meanings",
    "by_hand",
    "names",
    "pitfalls",
    "published",
    "notes",
)
PLACES = ("title", "page", "pages")
PLACE = re.compile(r"\{(\w+)\}")

# Text in pieces: (is it the name of a place?, text).
Pieces = tuple[tuple[bool, str], ...]


def pieces(text: str) -> Pieces:
    """A text with places in braces, taken apart."""
    parts = PLACE.split(text)
    return tuple((i % 2 == 1, part) for i, part in enumerate(parts) if part)


class Line(NamedTuple):
    """The head or the foot of a page."""

    left: Pieces = ()
    centre: Pieces = ()
    right: Pieces = ()

    @property
    def says(self) -> bool:
        """Whether anything stands there."""
        return any(self)


class Fonts(NamedTuple):
    """A package for pdflatex; names of fonts of the system for lualatex; the size of letters in points."""

    package: str = ""
    main: str = ""
    sans: str = ""
    mono: str = ""
    size: int = 11


class Colours(NamedTuple):
    """Colours as RRGGBB."""

    title: str = ""
    headings: str = ""


class Source(NamedTuple):
    """A file of a style: its name below the folder, and what it says."""

    name: str
    file: str
    text: str


class Style(NamedTuple):
    """How documents look; everything may be left empty."""

    document_class: str = "article"
    class_options: tuple[str, ...] = ()
    page: str = ""
    margin: str = ""
    preamble: str = ""  # the owner's own TeX, which is trusted
    header: Line = Line()
    footer: Line = Line()
    fonts: Fonts = Fonts()
    colours: Colours = Colours()
    words: tuple[tuple[str, str], ...] = ()
    hide: tuple[str, ...] = ()
    letterhead: Letterhead = UNHEADED
    saves_ink: bool = False  # no colours, no shades, smaller letters and margins
    templates: tuple[Source, ...] = ()  # in Jinja, which are not trusted
    sources: tuple[Source, ...] = ()  # every file that it was read from

    @property
    def own_words(self) -> dict[str, str]:
        """What a style says for usual sentences, both with their places still open."""
        return {WORDS[key].usual: own for key, own in self.words}

    @property
    def letter_size(self) -> int:
        """The size of letters in points; whoever saves ink has them a little smaller than usual."""
        return 10 if self.saves_ink and self.fonts.size == Fonts().size else self.fonts.size

    def shows(self, remark: str) -> bool:
        """Whether a remark is printed."""
        if remark not in REMARKS:
            raise KeyError(remark)
        return remark not in self.hide


PLAIN = Style()
