"""Answers as CSV: rows `name,row,column,value`, or a heading of names with the numbers below."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby

from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import Limits
from attnsolve.loader.reader import shortened
from attnsolve.reasons import reason
from attnsolve.submission import Submission, Table
from attnsolve.verifier.reading.draft import REMARKS, Draft, LimitReached, check_crowd
from attnsolve.verifier.reading.names import Place, read_key
from attnsolve.verifier.reading.numbers import read_number

Record = tuple[int, list[str]]  # a line and its cells

NAMES = ("name", "answer", "step", "quantity")
VALUES = ("value", "values", "number")
ROWS = ("row", "i")
COLUMNS = ("column", "col", "j")
STUDENTS = ("student", "id", "studentid", "student id", "matriculation")
VARIANTS = ("variant", "code")


def read_csv(text: str, source: str, limits: Limits, *, first_line: int = 1) -> Iterator[Submission]:
    """The answers of one person, or of each student named in a column."""
    records = [(line + first_line - 1, cells) for line, cells in _records(text, source)]
    heading = [cell.strip() for cell in records[0][1]]
    words = [cell.lower() for cell in heading]
    student = _find(words, STUDENTS)
    listed = _find(words, VALUES) is not None and _find(words, NAMES) is not None
    groups: list[list[Record]] = [records[1:]]
    if student is not None:
        groups = [[record] for record in records[1:]]
        if listed:
            groups = [list(group) for _, group in groupby(records[1:], lambda one: _cell(one[1], student))]
    check_crowd(len(groups), source, limits)
    for group in groups:
        draft = Draft(source, limits)
        with suppress(LimitReached):
            for _, cells in group[:1]:
                draft.identify(_cell(cells, student), _cell(cells, _find(words, VARIANTS)))
            fitting = [record for record in group if _fits(draft, heading, record)]
            if listed:
                _read_listed(draft, words, fitting)
            else:
                _read_headed(draft, heading, fitting)
        yield draft.finish()


def _records(text: str, source: str) -> list[Record]:
    """The lines that say something, taken apart at the separator that the first one has."""
    if text.lower().startswith("sep="):  # how Excel tells itself
        text = "\n" + text.partition("\n")[2]
    bare = re.sub(r'"[^"]*"|\[[^\[\]\n]*\]', "", text.lstrip().partition("\n")[0])
    separator = next((sign for sign in "\t;," if sign in bare), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    records = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append((reader.line_num, cells))
    except csv.Error as error:
        raise ProblemError([Fault(source, reader.line_num, 1, "", f"not valid CSV: {error}")]) from None
    if not records:
        raise ProblemError([Fault(source, 1, 1, "", "the file is empty")])
    return records


def _find(words: list[str], wanted: tuple[str, ...]) -> int | None:
    """The number of the first column with one of these headings, if there is one."""
    return next((number for number, word in enumerate(words) if word in wanted), None)


def _cell(cells: list[str], number: int | None) -> str:
    """What stands in a column of a line; nothing where there is no such column or the line is short."""
    return cells[number].strip() if number is not None and number < len(cells) else ""


def _fits(draft: Draft, heading: list[str], record: Record) -> bool:
    """Whether a line has no more cells than the heading; a decimal comma makes one too many."""
    line, cells = record
    if not any(cell.strip() for cell in cells[len(heading) :]):
        return True
    said = reason(
        "{cells} cells below {headings} headings; decimals use a point, or quotes around them",
        cells=len(cells),
        headings=len(heading),
    )
    draft.fault(line, 1, said)
    return False


def _read_listed(draft: Draft, words: list[str], records: list[Record]) -> None:
    """`name,row,column,value`: one answer a line."""
    columns = [_find(words, wanted) for wanted in (NAMES, ROWS, COLUMNS, VALUES)]
    for line, cells in records:
        name, row, column, value = (_cell(cells, number) for number in columns)
        place = read_key(name)
        wrong = next((text for text in (row, column) if text and not re.fullmatch("[0-9]{1,6}", text)), "")
        if wrong or not name:
            said = (
                reason("'{typed}' is not the number of a row or column", typed=shortened(wrong))
                if wrong
                else reason("a name is missing")
            )
            draft.fault(line, 1, said)
            continue
        if row or column:
            place = Place(place.name, int(row) if row else None, int(column) if column else None)
        draft.add_text(place, value, line)


def _read_headed(draft: Draft, heading: list[str], records: list[Record]) -> None:
    """Names above, numbers below: one line of answers, or a vector that goes down."""
    for number, name in enumerate(heading):
        word = name.lower()
        if not name or word in (*STUDENTS, *VARIANTS):
            continue
        texts = [_cell(cells, number) for _, cells in records]
        while len(texts) > 1 and not texts[-1]:
            texts.pop()  # another column is longer
        line = records[0][0] if records else 1
        if word in REMARKS:
            draft.remark(" ".join(texts))
        elif len(texts) < 2:
            draft.add_text(read_key(name), "".join(texts), line)
        elif all(len(text.split()) < 2 for text in texts):
            draft.budget.count(len(texts))
            rows = Table((read_number(text, draft.budget),) for text in texts)
            draft.add_rows(read_key(name), rows, line)
        else:
            draft.add_text(read_key(name), "\n".join(text or "-" for text in texts), line)
