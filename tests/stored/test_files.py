"""A kept file as a whole: written, read back, and refused with the reason and what helps."""

import json
from pathlib import Path
from typing import Any

import pytest

from attnsolve.stored import Damaged, Listed, Record, Stored, Text, Whole, lines_of, loads
from attnsolve.stored.files import checksum, checksum_by_rows

ROW = Record(lambda who, marks: (who, marks), {"who": Text(), "marks": Whole(0, 9)})
KEPT = Stored(
    "the book of marks",
    2,
    Record(lambda course, rows: (course, rows), {"course": Text(), "rows": Listed(ROW)}),
    "restore it from a copy",
    has_checksum=True,
)
ROWS = ({"who": "Ada", "marks": 3}, {"who": "王", "marks": 4})
TEXT = b"".join(lines_of(KEPT, {"course": "Deep"}, "rows", lambda: ROWS)).decode()
PLACE = Path("book.json")


def test_what_was_written_is_read_back() -> None:
    assert ("Deep", (("Ada", 3), ("王", 4))) == loads(TEXT, PLACE, KEPT)


def test_lines_and_spaces_are_no_change() -> None:
    assert ("Deep", (("Ada", 3), ("王", 4))) == loads(json.dumps(json.loads(TEXT), indent=7), PLACE, KEPT)


def test_each_row_has_its_line() -> None:
    assert '    {"who": "Ada", "marks": 3},' in TEXT.splitlines()


def without_checksum(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "checksum" not in line)


def test_who_takes_the_checksum_out_means_the_change() -> None:
    changed = without_checksum(TEXT).replace('"marks": 3', '"marks": 9')
    assert ("Deep", (("Ada", 9), ("王", 4))) == loads(changed, PLACE, KEPT)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "book.json: this is not the book of marks that attnsolve wrote; restore it from a copy"),
        (TEXT[:40], "book.json:4:3: not valid JSON: unterminated string starting at; restore it from a copy"),
        (
            TEXT.replace('"format": 2', '"format": 3'),
            "book.json: format 3 is not known; this release reads format 2; use the release that wrote it",
        ),
        (
            TEXT.replace('"marks": 3', '"marks": 5'),
            "book.json: it was changed since attnsolve wrote it; if you changed it on purpose, "
            'delete its line "checksum", else restore it from a copy',
        ),
        (
            TEXT.replace('"marks": 4', '"marks": 400'),
            "book.json:7:27: rows[2].marks: a whole number from 0 to 9 is expected here; "
            "restore it from a copy",
        ),
        (
            TEXT.replace('"course"', '"co\\u001burse"'),
            "book.json:3:19: 'co\\x1burse': no such key; the keys are course, rows; restore it from a copy",
        ),
    ],
)
def test_what_is_damaged_is_told_with_place_and_cure(text: str, said: str) -> None:
    with pytest.raises(Damaged) as raised:
        loads(text, PLACE, KEPT)
    assert said == str(raised.value)


@pytest.mark.parametrize("rows", [[], [{"a": 1}], [{"b": [None, "é"], "a": {"z": 1, "c": 2}}, {}]])
@pytest.mark.parametrize("head", [{"format": 1}, {"format": 1, "zeta": {"q": 1, "b": 2}, "alpha": "ü"}])
def test_a_checksum_is_the_same_row_by_row(head: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    assert checksum({**head, "variants": rows}) == checksum_by_rows(head, "variants", iter(rows))
