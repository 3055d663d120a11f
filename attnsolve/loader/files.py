"""Large data from a CSV or JSON file beside the problem: every cell as text, nothing outside the folder."""

from __future__ import annotations

from pathlib import Path

from attnsolve.bundled import problem_files
from attnsolve.input_files import opened
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.reader import did_you_mean

ENDINGS = (".csv", ".tsv", ".txt", ".json")
PROBLEM_ENDINGS = (".yaml", ".yml")


def read_data(folder: Path, relative: str, *, limits: Limits = LIMITS) -> str:
    """What stands in a file beside the problem; a ValueError says what is wrong."""
    path = beside(folder, relative, ENDINGS, of="problem", such_as="data/X.csv")
    with opened(path) as stream:
        data = stream.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        raise ValueError(f"{relative} has more than {limits.file_bytes} bytes, the limit")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{data[error.start]:02X}"
        raise ValueError(
            f"{relative} is not UTF-8 (byte {byte} at {error.start}); save it as UTF-8"
        ) from None


def rows_in(text: str, relative: str) -> list[list[str]]:
    """The cells of such a file, as text."""
    is_json = relative.lower().endswith(".json")
    rows = _json_rows(text, relative) if is_json else _csv_rows(text, relative)
    if not rows or not rows[0]:
        raise ValueError(f"{relative} holds no numbers")
    return rows


def beside(folder: Path, relative: str, endings: tuple[str, ...], *, of: str, such_as: str) -> Path:
    """A file that another one names: it lies in that one's folder or below; a ValueError says why not."""
    path = Path(relative)
    if leads_elsewhere(path):
        raise ValueError(
            f"'{relative}' leads elsewhere; the file must lie in the {of}'s folder, such as {such_as}"
        )
    if path.suffix.lower() not in endings:
        raise ValueError(f"'{relative}' must end in {', '.join(endings[:-1])} or {endings[-1]}")
    full = folder / path
    if not full.is_file():
        raise ValueError(f"there is no file '{relative}' beside the {of}")
    if not full.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"'{relative}' is a link that leads out of the {of}'s folder; copy the file there")
    return full


def exercise_file(folder: Path, name: str) -> Path:
    """The problem file that a sheet names, beside it or a bundled one; a ValueError says why not."""
    path = Path(name)
    if path.suffix or path.parent != Path(".") or leads_elsewhere(path):
        return beside(folder, name, PROBLEM_ENDINGS, of="sheet", such_as="week-3/attention.yaml")
    known = problem_files()
    if name in known:
        return known[name]
    if (folder / f"{name}.yaml").is_file():
        raise ValueError(f"'{name}' must end in {' or '.join(PROBLEM_ENDINGS)}; did you mean '{name}.yaml'?")
    hint = did_you_mean(name, known) or f"; a file must end in {' or '.join(PROBLEM_ENDINGS)}"
    raise ValueError(f"there is no bundled problem '{name}'{hint}")


def leads_elsewhere(path: Path) -> bool:
    """Whether a path may lead out of the folder that it is taken in, here or on another system."""
    return path.is_absolute() or ".." in path.parts or any(character in str(path) for character in "\\:\0~")


def folder_below(folder: Path, relative: str) -> Path:
    """A folder below that of a sheet; a ValueError says why not."""
    full = folder / relative
    if leads_elsewhere(Path(relative)) or not full.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"'{relative}' leads elsewhere; name a folder in that of the sheet, such as week-3")
    if not full.is_dir():
        raise ValueError(f"there is no folder '{relative}' beside the sheet")
    return full


def _json_rows(text: str, name: str) -> list[list[str]]:
    import json  # few problems have their numbers in files

    try:
        # Numbers stay text: a float would lose digits before anybody could see them.
        rows = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{name}:{error.lineno}:{error.colno}: not valid JSON: {error.msg.lower()}"
        ) from None
    except RecursionError:
        raise ValueError(
            f"{name} is nested too deep; it must hold a list of rows: [[1, 2], [3, 4]]"
        ) from None
    if isinstance(rows, list) and rows and all(isinstance(cell, str) for cell in rows):
        rows = [rows]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise ValueError(f"{name} must hold a list of rows: [[1, 2], [3, 4]]")
    if not all(isinstance(cell, str) for row in rows for cell in row):
        raise ValueError(f'every cell of {name} must be a number or a text such as "1/3"')
    return rows


def _csv_rows(text: str, name: str) -> list[list[str]]:
    """Cells between semicolons, tabs, commas or blanks, the first of these that the first line has."""
    import csv  # few problems have their data in a file

    lines = [line for line in text.splitlines() if line.strip()]
    separator = next((s for s in (";", "\t", ",") if lines and s in lines[0]), None)
    if separator is None:
        return [line.split() for line in lines]
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator, strict=True)]
    except csv.Error as error:
        raise ValueError(f"{name} is not valid CSV: {error}") from None
