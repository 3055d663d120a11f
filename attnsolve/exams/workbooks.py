"""Tables in Excel and OpenDocument workbooks."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook

from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import Limits

# Excel keeps numbers with so many digits; those behind are lost when it saves.
EXACT_DIGITS = 15


def rows_of(data: bytes, name: str, limits: Limits) -> list[tuple[int, list[str]]]:
    """The lines of the only sheet that has any, each with its number there."""
    refuse_large(data, name, limits)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {title: lines(workbook, title) for title in workbook.sheet_names}
    except (CalamineError, ValueError, OSError) as error:
        said = f"cannot be read as a workbook ({error}); save it as .xlsx without a password, or as CSV UTF-8"
        raise ProblemError([Fault(name, 1, 1, "", said)]) from None
    filled = {title: rows for title, rows in sheets.items() if rows}
    if len(filled) > 1:
        titles = ", ".join(f"'{title}'" for title in filled)
        said = f"several sheets have lines ({titles}); keep the one with the students"
        raise ProblemError([Fault(name, 1, 1, "", said)])
    return [
        (number, [text_of(cell, name, number, column) for column, cell in enumerate(row, start=1)])
        for rows in filled.values()
        for number, row in rows
    ]


def refuse_large(data: bytes, name: str, limits: Limits) -> None:
    """Complain about a workbook that is no zip or would fill the memory when it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError):
        said = "is no workbook, whatever it is called; save it as .xlsx or as CSV UTF-8"
        raise ProblemError([Fault(name, 1, 1, "", said)]) from None
    if size > limits.zip_bytes:
        said = f"more than {limits.zip_bytes} bytes when unpacked; --limit zip_bytes=N raises the limit"
        raise ProblemError([Fault(name, 1, 1, "", said)])


def lines(workbook: CalamineWorkbook, title: str) -> list[tuple[int, list[Any]]]:
    """The lines of a sheet in which something stands, counted as the sheet shows them."""
    rows = workbook.get_sheet_by_name(title).to_python(skip_empty_area=False)
    return [
        (number, row) for number, row in enumerate(rows, start=1) if any(str(cell).strip() for cell in row)
    ]


def text_of(cell: Any, name: str, line: int, column: int) -> str:
    """A cell as it was typed: Excel keeps the number 1001 as 1001.0."""
    if isinstance(cell, float) and cell.is_integer():
        if len(str(int(abs(cell)))) > EXACT_DIGITS:
            said = (
                f"a number of more than {EXACT_DIGITS} digits, which Excel does not keep; format it as text"
            )
            raise ProblemError([Fault(name, line, column, "", said)])
        return str(int(cell))
    return str(cell)
