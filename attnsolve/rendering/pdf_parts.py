"""A PDF as Typst writes it, taken to pieces: its objects, and the few that say what it is as a whole."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.errors import BugFound

# How its last lines say where all else is.
END = re.compile(
    rb"trailer\n<</Size (\d+)/Root (\d+) 0 R/Info (\d+) 0 R/ID\[\(([^()]*)\)\([^()]*\)\]>>\n"
    rb"startxref\n(\d+)\n%%EOF\s*\Z"
)
LENGTH_OF_END = 1000
PLACE = re.compile(rb"(\d{10}) 00000 n")
REFERENCES = rb"((?:\d+ 0 R ?)*)"
CATALOG = re.compile(
    rb"<</Type/Catalog/Pages (\d+) 0 R/Metadata (\d+) 0 R((?:/Lang\([^()]*\))?)/StructTreeRoot (\d+) 0 R"
    rb"(/MarkInfo<<[^<>]*>>/ViewerPreferences<<[^<>]*>>)/Outlines (\d+) 0 R>>"
)
PAGES = re.compile(rb"<</Type/Pages/Count \d+/Kids\[" + REFERENCES + rb"\]>>")
OUTLINE = re.compile(rb"<</Type/Outlines/First (\d+) 0 R/Last (\d+) 0 R/Count (\d+)>>")
STRUCTURE = re.compile(
    rb"<</Type/StructTreeRoot/RoleMap<<([^<>]*)>>/K\[(\d+) 0 R\]/ParentTree<</Nums\[([^\[\]]*)\]>>"
    rb"(?:/IDTree<</Names\[([^\[\]]*)\]>>)?/ParentTreeNextKey (\d+)>>"
)
DOCUMENT = re.compile(rb"<</Type/StructElem/S/Document/P \d+ 0 R/K\[" + REFERENCES + rb"\]>>")
END_OF_OBJECT = b"\nendobj\n"
REFERENCE = re.compile(rb"(\d+) 0 R")
ROLE = re.compile(rb"/[^/]+/[^/]+")
KEYED = re.compile(rb"(\d+) (\d+) 0 R")
CELL = re.compile(rb"\(U(\d+)(x\d+y\d+)\)(\d+) 0 R")


class NotJoined(BugFound):
    """A PDF that is made otherwise than those that can stand one behind the other."""


class Head(NamedTuple):
    """What all parts of a document say alike."""

    opening: bytes  # of the file
    lang: bytes
    marks: bytes  # that it is tagged, and how it is shown
    info: bytes


class Trees(NamedTuple):
    """What others hang from: the tops of the trees of pages, headings and structure."""

    pages: int
    outline: int
    structure: int
    document: int  # below the top of the structure


class Outline(NamedTuple):
    """The headings of the highest level: the first, the last, and how many there are."""

    first: int
    last: int
    size: int


class Cell(NamedTuple):
    """A heading of a table: of which table, at which place of it, and its object."""

    table: int
    place: bytes
    number: int


class Part:
    """One PDF: its objects by their numbers, and what it says as a whole."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        end = END.search(data, max(0, len(data) - LENGTH_OF_END))
        if end is None:
            raise NotJoined("a PDF that does not end as Typst ends them")
        size, root, info, start = (int(end[group]) for group in (1, 2, 3, 5))
        self._places = [*map(int, PLACE.findall(data, start)), start]
        if len(self._places) != size:
            raise NotJoined("a PDF without some of its objects")
        pages, about, lang, structure, marks, outline = self._read(root, CATALOG)
        roles, document, parents, cells, parent_count = self._read(int(structure), STRUCTURE)
        self.id = end[4]
        self.head = Head(data[: self._places[0]], lang, marks, self.body(info))
        self.about = self.body(int(about))
        self.trees = Trees(int(pages), int(outline), int(structure), int(document))
        self.pages = numbers_in(*self._read(int(pages), PAGES))
        self.outline = Outline(*map(int, self._read(int(outline), OUTLINE)))
        self.roles = ROLE.findall(roles)
        self.parents = [(int(key), int(number)) for key, number in KEYED.findall(parents)]
        self.parent_count = int(parent_count)
        self.cells = [Cell(int(table), place, int(number)) for table, place, number in CELL.findall(cells)]
        self.sections = numbers_in(*self._read(int(document), DOCUMENT))
        shared = {root, info, int(about), *self.trees}
        self.own = [number for number in range(1, size) if number not in shared]

    def body(self, number: int) -> bytes:
        """An object without its number, and without the word at its end."""
        start, end = self._places[number - 1 : number + 1]
        begin = b"%d 0 obj\n" % number
        found = self._data[start:end].rstrip(b"\n") + b"\n"
        if not (found.startswith(begin) and found.endswith(END_OF_OBJECT)):
            raise NotJoined("a PDF whose objects are not where it says")
        return found[len(begin) : -len(END_OF_OBJECT)]

    def _read(self, number: int, pattern: re.Pattern[bytes]) -> tuple[bytes, ...]:
        """What stands in the open places of an object; where there is nothing, nothing."""
        body = self.body(number)
        found = pattern.fullmatch(body)
        if found is None:
            raise NotJoined(f"a PDF with an object that is made otherwise: {body[:60]!r}")
        return found.groups(b"")


def numbers_in(data: bytes) -> list[int]:
    """The numbers of the objects that are referred to."""
    return [int(number) for number in REFERENCE.findall(data)]
