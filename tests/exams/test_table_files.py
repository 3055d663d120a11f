"""Rosters as offices hand them over: Excel workbooks and the encodings of Windows."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from attnsolve.errors import ProblemError, UsageError
from attnsolve.exams.roster import Roster, read_roster
from attnsolve.exams.tables import shortened
from attnsolve.limits import LIMITS

CONTENT_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml"
 ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
</Types>"""
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

Table = Sequence[Sequence[str | int | float | None]]


def cell(value: str | int | float | None, place: str) -> str:
    """A cell as Excel writes it: a number, or a text that stands in the sheet itself."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def line(row: Sequence[str | int | float | None], number: int) -> str:
    """A line of a sheet."""
    cells = [cell(value, f"{chr(64 + column)}{number}") for column, value in enumerate(row, start=1)]
    return f'<row r="{number}">{"".join(cells)}</row>'


def workbook(*tables: Table) -> bytes:
    """An Excel file with these sheets, made by hand."""
    stream = io.BytesIO()
    numbers = range(1, len(tables) + 1)
    named = "".join(f'<sheet name="Sheet{n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("[Content_Types].xml", CONTENT_TYPES)
        packed.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        packed.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets>{named}</sheets></workbook>',
        )
        packed.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>'
        )
        for n, table in zip(numbers, tables, strict=True):
            rows = "".join(line(row, i) for i, row in enumerate(table, start=1))
            sheet = f'<worksheet xmlns="{SHEETS}"><sheetData>{rows}</sheetData></worksheet>'
            packed.writestr(f"xl/worksheets/sheet{n}.xml", sheet)
    return stream.getvalue()


def read(folder: Path, data: bytes, *, name: str = "r.xlsx", encoding: str = "", **limits: int) -> Roster:
    (folder / name).write_bytes(data)
    return read_roster(folder / name, encoding=encoding, limits=LIMITS._replace(**limits))


def people(roster: Roster) -> list[tuple[str, str]]:
    return [(seat.student, seat.name) for seat in roster.seats]


def test_a_workbook_is_a_roster(tmp_path: Path) -> None:
    students: Table = [["Matrikelnummer", "Name"], [1001, "王小明"], [None, None], ["007", "Đorđe"]]
    assert [("1001", "王小明"), ("007", "Đorđe")] == people(read(tmp_path, workbook(students, [])))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"id,name\n17,Ada\n", "r.xlsx:1:1: is no workbook, whatever it is called"),
        (workbook([["id"], [17]], [["id"], [18]]), "several sheets have lines ('Sheet1', 'Sheet2')"),
        (workbook([["id"], [1234567890123456789]]), "r.xlsx:2:1: a number of more than 15 digits"),
        (
            workbook([["id", "name"], [17, "Ada"], [None, "Bo"]]),
            "r.xlsx:3:1: this line has no student number",
        ),
        (workbook([]), "r.xlsx:1:1: the roster is empty"),
        (workbook([["id"], [17]])[:-30], "r.xlsx:1:1: is no workbook"),
        (workbook([["id", "x" * 3000], [17]]), "more than 2000 bytes when unpacked; --limit zip_bytes=N"),
    ],
)
def test_faults_of_workbooks_have_their_line(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(ProblemError) as error:
        read(tmp_path, data, **({"zip_bytes": 2000} if "unpacked" in said else {}))
    assert said in str(error.value)


def test_a_damaged_workbook_says_what_to_do(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("xl/workbook.xml", "<workbook")
    with pytest.raises(ProblemError, match=r"cannot be read as a workbook .*; save it as \.xlsx"):
        read(tmp_path, stream.getvalue())


@pytest.mark.parametrize(
    "saved", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le with a mark", "utf-16-be with a mark"]
)
def test_encodings_that_name_themselves_are_read(tmp_path: Path, saved: str) -> None:
    text = "id;name\r\n17;José Ñandú\r\n"
    encoding = saved.partition(" ")[0]
    data = (text if encoding == saved else f"\ufeff{text}").encode(encoding)
    assert [("17", "José Ñandú")] == people(read(tmp_path, data, name="r.csv"))


def test_another_encoding_is_asked_about_with_the_likely_one(tmp_path: Path) -> None:
    data = "id,name\n17,José Ñandú\n".encode("cp1252")
    with pytest.raises(ProblemError) as error:
        read(tmp_path, data, name="r.csv")
    said = (
        "r.csv:2:7: not UTF-8 (byte 0xE9); in cp1252 it says 'José': if that is right, say --encoding cp1252"
    )
    assert said in str(error.value)
    assert [("17", "José Ñandú")] == people(read(tmp_path, data, name="r.csv", encoding="cp1252"))


def test_no_encoding_is_guessed_that_has_no_such_letter(tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as error:
        read(tmp_path, b"id,name\n17,\x81da\n", name="r.csv")
    assert "r.csv:2:4: not UTF-8 (byte 0x81); save it as 'CSV UTF-8'" in str(error.value)


def test_a_named_encoding_that_does_not_fit_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"r\.csv:2:4: not ASCII \(byte 0xE9\); name another --encoding"):
        read(tmp_path, b"id,name\n17,\xe9\n", name="r.csv", encoding="ascii")


@pytest.mark.parametrize("name", ["klingon", "base64", "a\0b"])
def test_an_unknown_encoding_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="there is no encoding"):
        read(tmp_path, b"id\n17\n", name="r.csv", encoding=name)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("Ana", "Ana"), ("x" * 41, "x" * 40 + "…"), ("a\x00\x1b[31m", r"a\x00\x1b[31m"), ("\ud800", r"\ud800")],
)
def test_what_was_typed_is_shown_and_steers_nothing(typed: str, shown: str) -> None:
    assert shown == shortened(typed)
