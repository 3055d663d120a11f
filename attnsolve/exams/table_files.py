"""Tables that offices and platforms hand over: CSV, TSV or Excel, in whatever encoding they were saved."""

from __future__ import annotations

import codecs
import csv
import io
import re
from pathlib import Path

from attnsolve.errors import Fault, ProblemError, UsageError
from attnsolve.input_files import opened
from attnsolve.limits import LIMITS, Limits

# A line with its number in the file and its cells.
Row = tuple[int, list[str]]

WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".ods")
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8-sig",
}
# What a file that is not UTF-8 mostly is: Western Europe's Windows has a letter for nearly every byte.
LIKELY = "cp1252"


def read_rows(path: Path, *, encoding: str = "", limits: Limits = LIMITS) -> list[Row]:
    """The lines of a table that say something, each with its number."""
    if path.suffix.lower() in WORKBOOKS:
        from attnsolve.exams.workbooks import rows_of  # few rosters are workbooks

        return rows_of(read_bytes(path, limits), str(path), limits)
    return records(decoded(path, limits, encoding=encoding), str(path))


def read_bytes(path: Path, limits: Limits) -> bytes:
    """What is in a file, unless that is more than may be handed in."""
    try:
        with opened(path) as stream:
            data = stream.read(limits.pile_bytes + 1)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise ProblemError([Fault(str(path), 1, 1, "", f"cannot be read: {said}")]) from None
    if len(data) > limits.pile_bytes:
        raise ProblemError([Fault(str(path), 1, 1, "", f"more than {limits.pile_bytes} bytes, the limit")])
    return data


def decoded(path: Path, limits: Limits, *, encoding: str = "") -> str:
    """The text of a file: in the encoding that is named, that its first bytes name, or UTF-8."""
    data = read_bytes(path, limits)
    marked = next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), "")
    chosen = known(encoding) if encoding else marked or "utf-8"
    try:
        text = data.decode(chosen)
    except UnicodeDecodeError as error:
        raise ProblemError([undecodable(str(path), data, error, asked=bool(encoding or marked))]) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def known(encoding: str) -> str:
    """An encoding that somebody named, as Python knows it."""
    try:
        found = codecs.lookup(encoding).name
        "".encode(found)  # some codecs are not about text
    except (LookupError, ValueError):
        said = (
            f"there is no encoding '{encoding}'; usual ones are utf-8, utf-16, cp1252, iso-8859-1 and gb18030"
        )
        raise UsageError(said) from None
    return found


def undecodable(name: str, data: bytes, error: UnicodeDecodeError, *, asked: bool) -> Fault:
    """Where a file stops being what it should be, and what it would say in the likely encoding."""
    line = data.count(b"\n", 0, error.start) + 1
    column = error.start - data.rfind(b"\n", 0, error.start)
    where = f"not {error.encoding.upper()} (byte 0x{data[error.start]:02X})"
    if asked:
        return Fault(name, line, column, "", f"{where}; name another --encoding, or save it as 'CSV UTF-8'")
    word, cure = likely_word(data, error.start), "save it as 'CSV UTF-8'"
    if word:
        cure = f"in {LIKELY} it says '{word}': if that is right, say --encoding {LIKELY}, or else {cure}"
    return Fault(name, line, column, "", f"{where}; {cure}")


def likely_word(data: bytes, place: int) -> str:
    """The word around a byte in the likely encoding, or nothing if that has no such letter."""
    around = re.compile(rb"[^\s,;\"]*$").search(data, max(0, place - 40), place)
    start = around.start() if around else place
    end = re.compile(rb"[\s,;\"]|$").search(data, place, place + 40)
    try:
        word = data[start : end.start() if end else place + 1].decode(LIKELY)
    except UnicodeDecodeError:
        return ""
    return word if word.isprintable() else ""


def records(text: str, name: str) -> list[tuple[int, list[str]]]:
    """The lines that say something, each with its number, taken apart at the separator of the first."""
    skipped = 1 if text.lower().startswith("sep=") else 0  # how Excel tells itself
    body = text.partition("\n")[2] if skipped else text
    bare = re.sub(r'"[^"]*"', "", body.lstrip("\n").partition("\n")[0])
    separator = next((sign for sign in "\t;," if sign in bare), ",")
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=separator, strict=True)
    found, last = [], 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((skipped + last + 1, cells))
            last = reader.line_num
    except csv.Error as error:
        said = f'a quote that is not closed, or text after one ({error}); double quotes inside a cell: ""'
        raise ProblemError([Fault(name, skipped + last + 1, 1, "", said)]) from None
    return found
