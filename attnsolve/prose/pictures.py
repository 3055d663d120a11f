"""Pictures by what is in them: which kind a file really is, and whether a document can show it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import unpack
from typing import NamedTuple
from zlib import crc32

from attnsolve.picture_kinds import ENDINGS, PictureKind


class Picture(NamedTuple):
    """A file beside the problem that a document shows: its name there, its kind, and what is in it."""

    file: str
    kind: PictureKind
    data: bytes


class Versions(NamedTuple):
    """A figure as a text names it, its other versions (files with another ending), and where it is named."""

    pictures: tuple[Picture, ...]
    line: int
    column: int


MOST_PIXELS = 50_000_000
PNG_START = b"\x89PNG\r\n\x1a\n"
# The segments of a JPEG that say how large it is.
JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# What a drawing needs no more than a text does.
ACTIVE_SVG = re.compile(
    r"<\s*(script|foreignObject|iframe)|<!(ENTITY|DOCTYPE)|\son\w+\s*=|javascript:", re.IGNORECASE
)


def kind_of(data: bytes) -> PictureKind | None:
    """What a file is by its first bytes, whatever it is called."""
    if data.startswith(PNG_START):
        return PictureKind.PNG
    if data.startswith(b"\xff\xd8\xff"):
        return PictureKind.JPEG
    if data.startswith(b"%PDF-"):
        return PictureKind.PDF
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return PictureKind.SVG if start.startswith((b"<svg", b"<?xml", b"<!--")) and b"<svg" in data else None


def fault_in(data: bytes, ending: str) -> str:
    """Why a file cannot be shown, or nothing."""
    kind, wanted = kind_of(data), ENDINGS[ending]
    if kind is not wanted:
        found = "no picture that we know" if kind is None else f"a {kind.name}"
        return f"is called {ending} but is {found}"
    return {
        PictureKind.PNG: png_fault,
        PictureKind.JPEG: jpeg_fault,
        PictureKind.PDF: pdf_fault,
        PictureKind.SVG: svg_fault,
    }[kind](data)


def png_fault(data: bytes) -> str:
    """Whether all pieces of a PNG are there and whole."""
    seen = []
    for name, body, checksum in png_chunks(data):
        if crc32(name + body) != checksum:
            return "is damaged: a piece of it does not have its checksum"
        if name == b"IHDR" and len(body) == 13:
            width, height = unpack(">II", body[:8])
            if not 0 < width * height <= MOST_PIXELS:
                return f"has {width}×{height} pixels; the limit is {MOST_PIXELS}"
        seen.append(name)
    complete = seen[:1] == [b"IHDR"] and b"IDAT" in seen and seen[-1] == b"IEND"
    return "" if complete else "is cut off"


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """The pieces of a PNG: name, contents, checksum."""
    place = len(PNG_START)
    while place + 12 <= len(data):
        (size,) = unpack(">I", data[place : place + 4])
        end = place + 8 + size
        if end + 4 > len(data):
            return
        yield data[place + 4 : place + 8], data[place + 8 : end], unpack(">I", data[end : end + 4])[0]
        place = end + 4


def jpeg_fault(data: bytes) -> str:
    """Whether a JPEG says its size and goes on to its end."""
    place, size = 2, 0
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker in JPEG_FRAMES:
            height, width = unpack(">HH", data[place + 5 : place + 9])
            size = width * height
            break
        place += 2 + unpack(">H", data[place + 2 : place + 4])[0]
    if not size:
        return "is damaged: it does not say how large it is"
    if size > MOST_PIXELS:
        return f"has {size} pixels; the limit is {MOST_PIXELS}"
    return "" if b"\xff\xd9" in data[-64:] else "is cut off"


def pdf_fault(data: bytes) -> str:
    """Whether a PDF goes on to its end."""
    return "" if b"%%EOF" in data[-2048:] else "is cut off"


def svg_fault(data: bytes) -> str:
    """Whether an SVG is a drawing and nothing that acts."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "is not UTF-8"
    active = ACTIVE_SVG.search(text)
    if active:
        return f"has '{active[0].strip()}' in it, which a drawing does not need; take it out"
    return "" if "</svg>" in text else "is cut off"
