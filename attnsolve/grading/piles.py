"""A pile taken apart without reading a number: one piece for each person, so that each is judged alone."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from attnsolve.errors import ProblemError
from attnsolve.exams.table_files import records
from attnsolve.grading.people import People
from attnsolve.grading.pieces import Piece
from attnsolve.grading.response_tables import Mapping, layout_of, pieces_in
from attnsolve.verifier.reading import FORMS, guess_form
from attnsolve.verifier.reading.columns import NAMES, STUDENTS, VALUES

PAGES = (".html", ".htm")
WORD = r"(?:\"([^\"]*)\"|(\S*))"
HEAD = re.compile(rf"\s*@\s*{WORD}[ \t]*{WORD}")


class Described(NamedTuple):
    """What is known about tables and people beforehand; people that are met are added."""

    people: People
    mappings: tuple[Mapping, ...] = ()


def split(data: bytes, source: str, suffix: str, student: str, described: Described) -> Iterator[Piece]:
    """The pieces of a file; `student` is whose they are if it does not say."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = f"not read: line {line} is not UTF-8 (byte 0x{data[error.start]:02X}); save the file as UTF-8"
        return iter([Piece(source, "", student=student, trouble=said)])
    if not text.strip():
        return iter([Piece(source, "", student=student, trouble="not read: the file is empty")])
    form = "html" if suffix.lower() in PAGES else FORMS.get(suffix.lower(), "") or guess_form(text)
    if form == "compact":
        return split_compact(text, source, student)
    if form == "csv":
        responses = in_responses(text, source, described)
        return split_columns(text, source, student) if responses is None else responses
    return iter([Piece(source, text, form, student=student, is_single=False)])


def split_compact(text: str, source: str, student: str) -> Iterator[Piece]:
    """A piece for each @, with what stands before the first one as somebody's too, unless it is remarks."""
    block: list[str] = []
    start = 1
    for number, line in enumerate([*text.split("\n"), "@"], start=1):
        if line.lstrip().startswith("@"):
            piece = of_block(block, source, start, student)
            if piece is not None:
                yield piece
            block, start = [], number
        block.append(line)


def of_block(block: list[str], source: str, start: int, student: str) -> Piece | None:
    """The piece of some lines; None where they say nothing."""
    said = [line for line in block if line.strip() and not line.lstrip().startswith("//")]
    if not said:
        return None
    head = HEAD.match(block[0])
    named = (head[1] or head[2]) if head else ""
    return Piece(source, "\n".join(block).rstrip(), "compact", start, named or student)


def in_responses(text: str, source: str, described: Described) -> Iterator[Piece] | None:
    """The pieces of a table of texts, as a quiz exports it; None for a table of numbers."""
    try:
        lines = records(text, source)
    except ProblemError:
        return None  # its reader says where it is broken
    layout = layout_of(lines[0][1], described.mappings, source) if lines else None
    return None if layout is None else pieces_in(lines[1:], layout, source, described.people)


def code_written(piece: Piece) -> str:
    """The code in the head of a compact piece, as it was typed."""
    head = HEAD.match(piece.text) if piece.form == "compact" else None
    return (head[3] or head[4]) if head else ""


def words_of(heading: str, separator: str) -> list[str]:
    """The headings of a table; none where they cannot be read, which the reader of the table then tells."""
    try:
        return [word.strip().lower() for word in next(csv.reader([heading], delimiter=separator), [])]
    except csv.Error:
        return []


def split_columns(text: str, source: str, student: str) -> Iterator[Piece]:
    """A piece for each student of a table of numbers; one piece where no column says who it is."""
    whole = Piece(source, text, "csv", student=student, is_single=False)
    lines = text.split("\n")
    skipped = 1 if lines[0].lower().startswith("sep=") else 0
    while skipped < len(lines) and not lines[skipped].strip():
        skipped += 1
    heading = lines[skipped] if skipped < len(lines) else ""
    bare = re.sub(r'"[^"]*"|\[[^\]\n]*\]', "", heading)
    separator = next((sign for sign in "\t;," if sign in bare), ",")
    words = words_of(heading, separator)
    who = next((number for number, word in enumerate(words) if word in STUDENTS), None)
    if who is None:
        yield whole
        return
    reader = csv.reader(
        io.StringIO("\n".join(lines[skipped + 1 :]), newline=""), delimiter=separator, strict=True
    )
    rows: list[tuple[int, list[str]]] = []
    last = 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((skipped + 2 + last, cells))
            last = reader.line_num
    except csv.Error:
        yield whole  # its reader says where it is broken
        return
    listed = any(word in VALUES for word in words) and any(word in NAMES for word in words)

    def owner(row: tuple[int, list[str]]) -> str:
        return row[1][who].strip() if who < len(row[1]) else ""

    for name, group in groupby(rows, owner) if listed else ((owner(row), [row]) for row in rows):
        kept = list(group)
        stream = io.StringIO(newline="")
        csv.writer(stream, delimiter=separator, lineterminator="\n").writerows(cells for _, cells in kept)
        start = kept[0][0] - 1  # the heading stands just above
        yield Piece(source, f"{heading}\n{stream.getvalue()}", "csv", start, name or student)
