"""PDFs of Typst's one behind the other: one document, as accessible as if it had been printed whole.

The trees of pages, headings and structure are put together; all else is taken as it is, under other numbers.
One part is held at a time, and of those before it little more than where their objects lie.
"""

from __future__ import annotations

import re
from array import array
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from attnsolve.rendering.pdf_parts import END_OF_OBJECT, Head, NotJoined, Part, Trees, numbers_in

# What a document has once, by its numbers here.
TREES = Trees(pages=1, outline=2, structure=3, document=4)
INFO, ABOUT, CATALOG = range(5, 8)
BYTES_OF_ID = 16
STREAM, END_OF_STREAM, PICTURE = b">>\nstream\n", b"\nendstream", b"/Type/XObject"
HANGS = b"<</Parent %d 0 R" % TREES.outline  # how a heading of the highest level begins
# What names another object, a place in the tree of structure, or a heading of a table; and what tells texts,
# which stand in brackets: they name nothing.
NAMING = re.compile(
    rb"(?<![\d.])(\d+) 0 R|(/StructParents?) (\d+)|(?:(?<=/ID)|(?<=[\[ )]))\(U(\d+)(x\d+y\d+)\)|\\.|[()]",
    re.DOTALL,
)
# What a document tells of itself: how long it is, and which one.
PAGE_COUNT = re.compile(rb"(<xmpTPg:NPages>)\d+")
IDENTITY = re.compile(rb"(<xmpMM:(?:Instance|Document)ID>)[^<]*")


def joined_pdf(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The document that some PDFs make one behind the other, in pieces; NotJoined if that cannot be."""
    joining = Joining()
    for data in parts:
        yield b"".join(joining.add(Part(data)))
    yield b"".join(joining.end())


class Joining:
    """A document while its parts go by."""

    def __init__(self) -> None:
        self._head: Head | None = None
        self._about = b""
        self._size = 0  # in bytes
        self._places = array("Q", [0] * (CATALOG + 1))  # where each object begins, by its number
        self._pages, self._page_count = bytearray(), 0
        self._sections = bytearray()  # what hangs from the top of the structure
        self._roles: dict[bytes, None] = {}
        self._parents, self._parent_count = bytearray(), 0  # where pages and links belong in the structure
        self._cells: list[tuple[bytes, int]] = []
        self._tables = 0
        self._first_heading, self._heading_count = 0, 0
        self._last_heading = 0, b""  # which is not written before it is known whether one comes after it
        self._shared: dict[bytes, int] = {}  # pictures and what they are made of, each of which is there once
        self._ids = sha256()

    def add(self, part: Part) -> Iterator[bytes]:
        """One more part, as it stands in the document."""
        if self._head is None:
            self._head, self._about, self._size = part.head, part.about, len(part.head.opening)
            yield part.head.opening
        elif part.head != self._head:
            raise NotJoined("parts of a document that are not alike")
        numbers: dict[int, int] = dict(zip(part.trees, TREES, strict=True))
        for number in part.own:
            if is_picture(part.body(number)):
                yield from self._share(part, number, numbers)
        new = [number for number in part.own if number not in numbers]
        numbers |= {number: self._next_number() for number in new}
        first, last, _ = part.outline
        before, _ = self._last_heading
        yield from self._end_headings(b"/Next %d 0 R" % numbers[first])
        for number in new:
            body = self._renamed(part.body(number), numbers)
            if number == first and before:
                body = beside(body, b"/Prev %d 0 R" % before)
            if number == last:
                self._last_heading = numbers[number], body
            else:
                yield self._object(numbers[number], body)
        self._note(part, numbers)

    def end(self) -> Iterator[bytes]:
        """What says that all parts are one document."""
        assert self._head is not None
        yield from self._end_headings(b"")
        outline = self._first_heading, self._last_heading[0], self._heading_count
        yield self._object(TREES.outline, b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % outline)
        pages = self._page_count, bytes(self._pages[:-1])
        yield self._object(TREES.pages, b"<</Type/Pages/Count %d/Kids[%b]>>" % pages)
        yield self._object(TREES.structure, self._structure())
        top = TREES.structure, bytes(self._sections[:-1])
        yield self._object(TREES.document, b"<</Type/StructElem/S/Document/P %d 0 R/K[%b]>>" % top)
        identity = b64encode(self._ids.digest()[:BYTES_OF_ID])
        yield self._object(INFO, self._head.info)
        yield self._object(ABOUT, self._told(identity))
        catalog = TREES.pages, ABOUT, self._head.lang, TREES.structure, self._head.marks, TREES.outline
        said = b"<</Type/Catalog/Pages %d 0 R/Metadata %d 0 R%b/StructTreeRoot %d 0 R%b/Outlines %d 0 R>>"
        yield self._object(CATALOG, said % catalog)
        yield b"xref\n0 %d\n0000000000 65535 f\r\n" % len(self._places)
        yield b"".join(b"%010d 00000 n\r\n" % place for place in self._places[1:])
        about = len(self._places), CATALOG, INFO, identity, identity, self._size
        yield b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[(%b)(%b)]>>\nstartxref\n%d\n%%%%EOF" % about

    def _next_number(self) -> int:
        self._places.append(0)
        return len(self._places) - 1

    def _object(self, number: int, body: bytes) -> bytes:
        """An object as it stands in the file, where all before it is written."""
        self._places[number] = self._size
        made = b"%d 0 obj\n%b%b\n" % (number, body, END_OF_OBJECT)
        self._size += len(made)
        return made

    def _share(self, part: Part, number: int, numbers: dict[int, int]) -> Iterator[bytes]:
        """A picture with all that it is made of, unless the same was there before."""
        if number in numbers:
            return
        body = part.body(number)
        for below in numbers_in(cut(body)[0]):
            yield from self._share(part, below, numbers)
        body = self._renamed(body, numbers)
        which = sha256(body).digest()
        if which in self._shared:
            numbers[number] = self._shared[which]
            return
        numbers[number] = self._shared[which] = self._next_number()
        yield self._object(numbers[number], body)

    def _renamed(self, body: bytes, numbers: Mapping[int, int]) -> bytes:
        """An object that names others as they are called here."""
        head, stream = cut(body)
        depth = 0

        def name(found: re.Match[bytes]) -> bytes:
            nonlocal depth
            depth += {b"(": 1, b")": -1}.get(found[0], 0)
            if depth:
                return found[0]
            if found[1]:
                return b"%d 0 R" % numbers[int(found[1])]
            if found[2]:
                return b"%b %d" % (found[2], int(found[3]) + self._parent_count)
            if found[4]:
                return self._cell(int(found[4]), found[5])
            return found[0]

        return NAMING.sub(name, head) + stream

    def _cell(self, table: int, place: bytes) -> bytes:
        """What a heading of a table is called, whose table is counted over all parts."""
        return b"(U%d%b)" % (table + self._tables, place)

    def _end_headings(self, link: bytes) -> Iterator[bytes]:
        """The last heading so far, with the next one if there is one."""
        number, body = self._last_heading
        if number:
            yield self._object(number, beside(body, link))

    def _note(self, part: Part, numbers: Mapping[int, int]) -> None:
        """Keep of a part what the whole says of it."""
        self._pages += b"".join(b"%d 0 R " % numbers[page] for page in part.pages)
        self._page_count += len(part.pages)
        self._first_heading = self._first_heading or numbers[part.outline.first]
        self._heading_count += part.outline.size
        self._sections += b"".join(b"%d 0 R " % numbers[section] for section in part.sections)
        self._roles |= dict.fromkeys(part.roles)
        parents = ((key + self._parent_count, numbers[number]) for key, number in part.parents)
        self._parents += b"".join(b"%d %d 0 R " % one for one in parents)
        self._parent_count += part.parent_count
        self._cells += ((self._cell(table, place), numbers[number]) for table, place, number in part.cells)
        self._tables += max((cell.table for cell in part.cells), default=0)
        self._ids.update(part.id)

    def _structure(self) -> bytes:
        """The top of the structure."""
        roles, parents = b"".join(self._roles), bytes(self._parents[:-1])
        cells = b"".join(b"%b%d 0 R" % cell for cell in sorted(self._cells))
        named = b"/IDTree<</Names[%b]>>" % cells if cells else b""
        top = b"<</Type/StructTreeRoot/RoleMap<<%b>>/K[%d 0 R]" % (roles, TREES.document)
        below = b"/ParentTree<</Nums[%b]>>%b/ParentTreeNextKey %d>>" % (parents, named, self._parent_count)
        return top + below

    def _told(self, identity: bytes) -> bytes:
        """What the document tells of itself to programs."""
        text = cut(self._about)[1].removeprefix(STREAM).removesuffix(END_OF_STREAM)
        text = PAGE_COUNT.sub(rb"\g<1>%d" % self._page_count, IDENTITY.sub(rb"\g<1>%b" % identity, text))
        return b"<</Length %d/Type/Metadata/Subtype/XML%b%b%b" % (len(text), STREAM, text, END_OF_STREAM)


def cut(body: bytes) -> tuple[bytes, bytes]:
    """What an object says, and the stream of bytes behind that, if it has one."""
    place = body.find(STREAM) if body.endswith(END_OF_STREAM) else len(body)
    return body[:place], body[place:]


def is_picture(body: bytes) -> bool:
    """Whether an object is a picture."""
    head, stream = cut(body)
    return bool(stream) and PICTURE in head


def beside(heading: bytes, link: bytes) -> bytes:
    """A heading of the highest level, with what is beside it."""
    if not heading.startswith(HANGS):
        raise NotJoined("a PDF whose headings are not where it says")
    return HANGS + link + heading[len(HANGS) :]
