"""The gallery shows what there is: pictures of bundled problems, and values that are exact or certified."""

import re
from functools import cache
from pathlib import Path
from runpy import run_path

import pytest

from attnsolve.bundled import data
from attnsolve.engine import solve
from attnsolve.loader import load
from attnsolve.trace import Trace

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/gallery.md").read_text("utf-8")
LARGEST = 60_000  # bytes of a picture


@cache
def solved(problem: str) -> Trace:
    return solve(load(data("problems") / f"{problem}.yaml"))


def table() -> list[tuple[str, bool]]:
    """(problem and value, whether it is said to be exact)."""
    rows = [
        line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 4
    ]
    named = re.compile(r"`([\w-]+ [\w.]+)`")
    return [
        (value, exact)
        for _, *cells in rows
        for cell, exact in zip(cells, (True, False), strict=True)
        for value in named.findall(cell)
    ]


@pytest.mark.parametrize(("value", "exact"), table())
def test_what_is_said_to_be_exact_is_and_nothing_else(value: str, exact: bool) -> None:
    problem, name = value.split()
    assert exact == (solved(problem).value(name).kind != "certified")


def test_the_table_speaks_of_both() -> None:
    said = [exact for _, exact in table()]
    assert said.count(True) > 12
    assert said.count(False) > 6


def test_every_picture_is_there_small_and_made_of_a_bundled_problem() -> None:
    gallery = run_path(str(ROOT / "docs/pictures.py"))["GALLERY"]  # tests have another module of that name
    shown = re.findall(r"!\[[^\]]+\]\(gallery/([\w-]+)\.png\)", PAGE)
    assert sorted(gallery) == sorted(shown)
    assert sorted(f"{name}.png" for name in shown) == sorted(
        path.name for path in (ROOT / "docs/gallery").iterdir()
    )
    for name in shown:
        assert (data("problems") / f"{name}.yaml").exists()
        assert (ROOT / f"docs/gallery/{name}.png").stat().st_size < LARGEST


def test_the_readme_leads_there() -> None:
    assert "(docs/gallery.md)" in (ROOT / "README.md").read_text("utf-8")
