"""The table of docs/formats.md: every sheet in every format that it has a mark for."""

import io
import json
import re
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from exams.rooms import PROBLEM
from grading.classes import RIGHT, pile
from rendering.web import Page

from attnsolve.cli import main
from attnsolve.rendering import settings
from attnsolve.rendering.dialects import DIALECTS

GUIDE = Path(__file__).parents[1] / "docs/formats.md"
MADE, NOT_MADE = "✓", "–"
# The columns, and how a format is asked for.
COLUMNS = {
    ".md": ("--to", "markdown"),
    "book": ("--to", "markdown", "--flavour", "myst", "--wrap", "exercise"),
    ".tex": ("--to", "latex"),
    ".html": ("--to", "html"),
    ".typ": ("--to", "typst"),
    ".pdf": ("--to", "pdf"),
    ".ipynb": ("--to", "notebook"),
    "JSON": ("--to", "json"),
    "terminal": (),
}
# What a text in each format is told by.
SIGNS: dict[str, Callable[[bytes], bool]] = {
    ".md": lambda made: re.search(rb"^#+ .*Two keys", made, re.MULTILINE) is not None,
    "book": lambda made: b"{exercise}" in made,
    ".tex": lambda made: made.startswith(b"\\documentclass") and b"\\end{document}" in made,
    ".html": lambda made: not Page(made.decode()).faults and b"Two keys" in made,
    ".typ": lambda made: b"#set document" in made and b"Two keys" in made,
    ".pdf": lambda made: made.startswith(b"%PDF") and b"/StructTreeRoot" in made,
    ".ipynb": lambda made: nbformat.validate(nbformat.reads(made.decode(), as_version=4)) is None,
    "JSON": lambda made: bool(json.loads(made)),
    "terminal": lambda made: b"$" not in made and len(made.splitlines()) > 1,
}


def cells_of(head: str) -> list[list[str]]:
    """The cells of the guide's table that begins with this head, row by row."""
    lines = iter(GUIDE.read_text("utf-8").splitlines())
    found = next(line for line in lines if line.startswith(f"| {head} |"))
    rows = [found, *takewhile(lambda line: line.startswith("|"), lines)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if set(row) - set("|-")]


def table() -> dict[tuple[str, str], str]:
    """What the guide says of each sheet in each format."""
    heads, *rows = cells_of("sheet")
    assert ["sheet", "made by", *COLUMNS] == [head.strip("`") for head in heads]
    return {(row[0], head): mark for row in rows for head, mark in zip(COLUMNS, row[2:], strict=True)}


TABLE = table()


def attnsolve(folder: Path, *words: str) -> bytes:
    """What a command prints."""
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(said), patch("sys.argv", ["attnsolve", *words]):
        try:
            main()
        except SystemExit as end:
            assert not end.code, said.getvalue()
    out.flush()
    made: bytes = out.buffer.getvalue()  # type: ignore[attr-defined]
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], bytes]:
    """A sheet in a format; of one exam in a format all documents are made at once."""
    folder = tmp_path_factory.mktemp("formats")
    (folder / "two-keys.yaml").write_text(PROBLEM, "utf-8")
    (folder / "class.txt").write_text(pile("17", "18"), "utf-8")

    def rendered(sheet: str, column: str) -> bytes:
        if column == "terminal":
            return attnsolve(folder, "show", "two-keys.yaml", "--sheet", sheet)
        return attnsolve(folder, "render", "two-keys.yaml", "--sheet", sheet, *COLUMNS[column])

    @cache
    def exam(column: str, *options: str) -> Path:
        name = "-".join((column.strip("."), *options))
        attnsolve(folder, "variants", "two-keys.yaml", "-n", "1", "-o", name, *COLUMNS[column], *options)
        return folder / name

    def of_exam(stem: str, column: str, *options: str) -> bytes:
        places = exam(column, *options)
        ending = ".md" if column == "book" else column
        found = [*places.glob(f"{stem}{ending}"), *places.glob(f"{stem}/*{ending}")]
        assert 1 == len(found)
        return found[0].read_bytes()

    def slip(column: str) -> bytes:
        options = {"JSON": ("--json",)}.get(column, COLUMNS[column])
        return attnsolve(folder, "verify", "two-keys.yaml", RIGHT, *options)

    def report(column: str) -> bytes:
        if column in ("JSON", "terminal"):
            options = {"JSON": ("--json",)}.get(column, ())
            return attnsolve(folder, "grade", "two-keys.yaml", "class.txt", "-o", f"{column}.csv", *options)
        place = f"report{column}"
        attnsolve(folder, "grade", "two-keys.yaml", "class.txt", "-o", f"m{column}.csv", "--report", place)
        return (folder / place).read_bytes()

    makers: dict[str, Callable[[str], bytes]] = {
        "worked solution": lambda column: rendered("solution", column),
        "exercise": lambda column: rendered("exercise", column),
        "mark scheme": lambda column: rendered("markscheme", column),
        "paper": lambda column: of_exam("exams", column),
        "its solution": lambda column: of_exam("exams" if column == "book" else "solutions", column),
        "answer sheet": lambda column: of_exam("answers", column, "--answer-sheets"),
        "key": lambda column: of_exam("key", column),
        "fairness report": lambda column: of_exam("fairness", column),
        "contact sheet": lambda column: of_exam("contacts", column),
        "slip": slip,
        "class report": report,
    }
    assert set(makers) == {sheet for sheet, _ in TABLE}
    return lambda sheet, column: makers[sheet](column)


def test_options_of_render_have_the_choices_that_the_guide_says() -> None:
    _, *rows = cells_of("option of `render`")
    said = {option.strip("`"): re.findall("`([^`]+)`", words.partition(": ")[0]) for option, words in rows}
    assert said == {
        "--to": [*settings.TARGETS],
        "--sheet": [*settings.SHEETS],
        "--detail": [*settings.DETAILS],
        "--working": [*settings.WORKING],
        "--numbers": [*settings.NUMBERS],
        "--flavour": [*settings.FLAVOURS],
        "--wrap": [wrap for wrap in settings.WRAPS if wrap != "none"],
        "--lang": [*settings.CODES],
    }


def test_every_format_has_a_column() -> None:
    endings = {"JSON" if dialect.name == "json" else dialect.endings[0] for dialect in DIALECTS}
    assert endings == set(COLUMNS) - {"book", "terminal"}
    assert {MADE, NOT_MADE} == set(TABLE.values())


@pytest.mark.parametrize("column", COLUMNS)
def test_every_sheet_that_has_a_mark_is_made(column: str, made: Callable[[str, str], bytes]) -> None:
    for sheet in [sheet for sheet, format in TABLE if format == column and TABLE[sheet, format] == MADE]:
        assert SIGNS[column](made(sheet, column)), sheet


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to", "notebook", "--answer-sheets"), "every variant has its own notebook"),
        (("--to", "notebook", "--solutions", "one"), "every variant has its own notebook"),
        (("--to", "html", "--wrap", "exercise"), "in Markdown of the flavour myst or quarto"),
        (("--to", "markdown", "--flavour", "quarto", "--answer-sheets"), "each has its solution below it"),
    ],
)
def test_what_does_not_go_together_is_refused(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=said):
        attnsolve(tmp_path, "variants", "calculator-free", "-n", "1", *words)
    assert [] == list(tmp_path.iterdir())
