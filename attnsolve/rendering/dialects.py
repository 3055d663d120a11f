"""The formats of documents, a record for each: adding one is its templates and a line here.

This is loaded by the command line for its choices, so it imports nothing that starts slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from attnsolve.picture_kinds import PictureKind
from attnsolve.records import NamedTuple
from attnsolve.rendering.escaping import (
    html,
    html_code,
    markdown,
    markdown_target,
    tex,
    tex_address,
    tex_code,
    tex_target,
    typst,
    typst_string,
)


class Pictures(Enum):
    """Where the maps and charts of a document are."""

    BESIDE = "in files beside it, or else as tables"
    INSIDE = "drawn in the document itself"
    NONE = "nowhere: it is for programs"


# A document that is read in pieces, as often as it is wanted, and the last touch to it.
Pieces = Callable[[], Iterable[str]]
Finish = Callable[[Pieces], Iterator[str]]


class Dialect(NamedTuple):
    """One format: `templates/dialects/<name>.j2` has its markup, and `<name>-papers.j2` what exams add."""

    name: str
    endings: tuple[str, ...]  # of its files, the usual one first
    pictures: Pictures
    escape: Callable[[str], str] | None = None  # plain text in this markup; None where no sheet is filled in
    finish: Finish | None = None  # the last touch to a filled sheet
    code: Callable[[str], str] | None = None  # code in this markup, where it is not written as it is
    maths: Callable[..., str] | None = None  # a formula in this markup, where it is not written as it is
    address: Callable[[str], str] | None = None  # an address that is read
    target: Callable[[str], str] | None = None  # an address that a link leads to
    takes: tuple[PictureKind, ...] = ()  # the figures that it can show, what it shows best first
    follows: bool = False  # whether a document may stand behind another in one text
    embeds: bool = False  # whether figures from files are in the document itself
    listing: str = ""  # the file that lists the documents of a folder, where people look for one
    made_of: str = ""  # the format whose sheets another room makes into this one

    @property
    def escapes(self) -> dict[str, Callable[..., str] | None]:
        """How each kind of text is escaped, by the ending of the filter that does it."""
        plain = {"": self.escape, "_code": self.code, "_address": self.address, "_target": self.target}
        return {**plain, "_maths": self.maths}

    @property
    def fills_sheets(self) -> bool:
        """Whether it has templates: what is for programs has none."""
        return self.escape is not None


def joined_displays(pieces: Pieces) -> Iterator[str]:
    """LaTeX without blank lines before displays: they would let the page break there."""
    for text in pieces():
        yield text.replace("\n\n\\[\n", "\n\\[\n")


def mathml(source: str, display: bool = False) -> str:
    """A formula for a web page; the converter is loaded with the first one."""
    from attnsolve.rendering.mathml import converted

    return converted(source, display=display)


def typst_maths(source: str, display: bool = False) -> str:
    """A formula for Typst with its words; the converter is loaded with the first one."""
    from attnsolve.rendering.spoken_maths import in_words
    from attnsolve.rendering.typst_maths import converted

    kind = "shown" if display else "formula"
    return f"#{kind}({typst_string(in_words(source))}, $ {converted(source, display=display)} $);"


def typst_target(address: str) -> str:
    """An address that a link leads to, as a string of Typst's."""
    return typst_string(markdown_target(address))


def arranged(pieces: Pieces) -> Iterator[str]:
    """A document for Typst with its last touch, which is whole: its engine takes it whole as well."""
    from attnsolve.rendering.typst_pages import arranged as made

    yield made("".join(pieces()))


def outlined(pieces: Pieces) -> Iterator[str]:
    """A web page with its outline."""
    from attnsolve.rendering.web_pages import with_outline

    return with_outline(pieces)


PDF, WEB, NOTEBOOK = "pdf", "html", "notebook"
DIALECTS: tuple[Dialect, ...] = (
    Dialect(  # the default
        "markdown",
        (".md", ".markdown", ".qmd"),
        Pictures.BESIDE,
        escape=markdown,
        target=markdown_target,
        takes=(PictureKind.SVG, PictureKind.PNG, PictureKind.JPEG),
        follows=True,
    ),
    Dialect(
        "latex",
        (".tex",),
        Pictures.INSIDE,
        escape=tex,
        finish=joined_displays,
        code=tex_code,
        address=tex_address,
        target=tex_target,
        takes=(PictureKind.PDF, PictureKind.PNG, PictureKind.JPEG),
    ),
    Dialect(
        WEB,
        (".html", ".htm"),
        Pictures.INSIDE,
        escape=html,
        finish=outlined,
        code=html_code,
        maths=mathml,
        target=markdown_target,
        takes=(PictureKind.SVG, PictureKind.PNG, PictureKind.JPEG),
        embeds=True,
        listing="index.html",
    ),
    Dialect(
        "typst",
        (".typ",),
        Pictures.INSIDE,
        escape=typst,
        finish=arranged,
        code=typst_string,
        maths=typst_maths,
        target=typst_target,
        takes=(PictureKind.SVG, PictureKind.PDF, PictureKind.PNG, PictureKind.JPEG),
    ),
    Dialect(PDF, (".pdf",), Pictures.INSIDE),  # made by an engine from one of the others
    Dialect("json", (".json",), Pictures.NONE),
    Dialect(NOTEBOOK, (".ipynb",), Pictures.INSIDE, made_of="markdown"),
)

DIALECTS_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}
DIALECTS_BY_ENDING = {ending: dialect for dialect in DIALECTS for ending in dialect.endings}
TARGETS = tuple(DIALECTS_BY_NAME)
# Those in which sheets, exams and slips are printed.
PRINTED = tuple(dialect.name for dialect in DIALECTS if dialect.fills_sheets)

# Those of exams, slips and reports: all but what is for programs.
OF_PAPERS = (*PRINTED, PDF, NOTEBOOK)


def pictures_beside(to: str) -> bool:
    """Whether a document in this format has its pictures in files beside it."""
    return DIALECTS_BY_NAME[to].pictures is Pictures.BESIDE
