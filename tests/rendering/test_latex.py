"""Every sheet compiles with plain pdflatex, and nothing runs off the page or shrinks beyond reading."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from rendering.programs import END, Needs, compiled_together, faults_of, pdflatex
from rendering.samples import BUNDLED, MADE, page_of, trace_of

from attnsolve.rendering import Settings, render
from attnsolve.rendering.template_tools import has_fractions

# What most people ask for, then the longest, the shortest, and the other ways to write numbers.
CHOICES = (
    Settings(to="latex"),
    Settings(to="latex", detail="cells", working="all", numbers="fractions"),
    Settings(to="latex", detail="matrices", numbers="decimals", places=8),
    Settings(to="latex", sheet="exercise", numbers="source"),
)
# Made for one difficulty each: two ways of looking at them are enough.
FEWER = (CHOICES[0], CHOICES[1])
OTHERS = {
    "wide": CHOICES[2],
    "long": CHOICES[3],
    "heads": Settings(to="latex", working="all", places=12),
    "huge-scores": Settings(to="latex", places=0),
    "functions": Settings(to="latex", detail="result", places=30),
}
# A4 less two margins of 2.5 cm, in TeX's points.
TEXT_WIDTH = 16 / 2.54 * 72.27
# 11 point scaled down by more than this is smaller than the small print of a contract.
SMALLEST = 0.6


def label(settings: Settings) -> str:
    return f"{settings.sheet}-{settings.detail}-{settings.numbers}"


def pages(names: Iterable[str], settings: Settings) -> dict[str, str]:
    if settings == CHOICES[0]:
        return {name: page_of(name, "latex") for name in names}
    return {name: render(trace_of(name), settings=settings).text for name in names}


@pytest.mark.parametrize("settings", CHOICES, ids=label)
def test_bundled_sheets_compile(settings: Settings, tmp_path: Path, needs: Needs) -> None:
    made = compiled_together(pages(BUNDLED, settings), tmp_path, needs)
    assert {} == faults_of(made, widest=TEXT_WIDTH / SMALLEST)


@pytest.mark.parametrize("settings", FEWER, ids=label)
def test_made_sheets_compile(settings: Settings, tmp_path: Path, needs: Needs) -> None:
    made = compiled_together(pages(MADE, settings), tmp_path, needs)
    assert {} == faults_of(made, widest=TEXT_WIDTH / SMALLEST)


def test_sheets_in_other_ways_compile(tmp_path: Path, needs: Needs) -> None:
    sheets = {name: render(trace_of(name), settings=settings).text for name, settings in OTHERS.items()}
    made = compiled_together(sheets, tmp_path, needs)
    assert {} == faults_of(made, widest=TEXT_WIDTH / SMALLEST)


def test_only_the_small_set_of_packages_is_asked_for() -> None:
    """texlive-latex-recommended has these; anything else would need another download."""
    text = render(trace_of("wide"), to="latex").text
    asked = {name for line in text.splitlines() if line.startswith("\\usepackage") for name in packages(line)}
    small = {
        "amsmath",
        "amssymb",
        "array",
        "booktabs",
        "fontenc",
        "geometry",
        "graphicx",
        "inputenc",
        "xcolor",
    }
    assert {"amsmath"} <= asked <= small


def packages(line: str) -> list[str]:
    return line.rpartition("{")[2].rstrip("}").split(",")


def test_the_same_bytes_every_time(tmp_path: Path, needs: Needs) -> None:
    source = render(trace_of("ties"), to="latex").text
    made = []
    for run in ("first", "second"):
        (tmp_path / run).mkdir()
        made.append(pdflatex(source, tmp_path / run, needs).pdf.read_bytes())
    assert made[0] == made[1]
    assert source == render(trace_of("ties"), to="latex").text


def test_a_broken_sheet_would_be_seen(tmp_path: Path, needs: Needs) -> None:
    """The measuring itself: an error, an undefined command, a wide box and a shrunk one are all noticed."""
    source = render(trace_of("ties"), to="latex").text
    broken = {
        "error": r"\[ \frac{1}",
        "undefined": r"\nosuchcommand",
        "overfull": r"\mbox{\rule{20cm}{1pt}}",
        "shrunk": r"\fit{\rule{60cm}{1pt}}",
    }
    sheets = {what: source.replace(END, added + END) for what, added in broken.items()}
    good = {f"good beside {what}": source for what in broken}
    together = dict(chain.from_iterable(zip(good.items(), sheets.items(), strict=True)))
    seen = faults_of(compiled_together(together, tmp_path, needs), widest=TEXT_WIDTH / SMALLEST)
    assert set(broken) == set(seen)


@pytest.mark.parametrize(
    ("maths", "tall"),
    [
        (r"\frac{S}{2} = \begin{bmatrix} 1 & 2 \end{bmatrix}", False),
        (r"S = \begin{bmatrix} 1 & \tfrac{1}{2} \end{bmatrix}", True),
        (r"\begin{bmatrix} 1 \end{bmatrix} + \frac{1}{2}", False),
    ],
)
def test_only_rows_of_fractions_stand_further_apart(maths: str, tall: bool) -> None:
    assert tall == has_fractions(maths)
