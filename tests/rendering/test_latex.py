"""Every sheet compiles with plain pdflatex, and nothing runs off the page or shrinks beyond reading."""

import itertools
from pathlib import Path

import pytest
from rendering.programs import Needs, pdflatex
from rendering.samples import MADE, NAMES, trace_of

from attnsolve.rendering import Settings, render
from attnsolve.rendering.environment import has_fractions

# What most people ask for, then the longest, the shortest, and the other ways to write numbers.
CHOICES = (
    Settings(to="latex"),
    Settings(to="latex", detail="cells", working="all", numbers="fractions"),
    Settings(to="latex", detail="matrices", numbers="decimals", places=8),
    Settings(to="latex", sheet="exercise", numbers="source"),
)
# Made for one difficulty each: two ways of looking at them are enough.
FEWER = (CHOICES[0], CHOICES[1])
CASES = [
    *itertools.product([name for name in NAMES if name not in MADE], CHOICES),
    *itertools.product(MADE, FEWER),
    ("wide", CHOICES[2]),
    ("long", CHOICES[3]),
    ("heads", Settings(to="latex", working="all", places=12)),
    ("huge-scores", Settings(to="latex", places=0)),
    ("functions", Settings(to="latex", detail="result", places=30)),
]
# A4 less two margins of 2.5 cm, in TeX's points.
TEXT_WIDTH = 16 / 2.54 * 72.27
# 11 point scaled down by more than this is smaller than the small print of a contract.
SMALLEST = 0.6


def label(case: str | Settings) -> str:
    return case if isinstance(case, str) else f"{case.sheet}-{case.detail}-{case.numbers}-{case.places}"


@pytest.mark.parametrize(("name", "settings"), CASES, ids=label)
def test_sheets_compile(name: str, settings: Settings, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render(trace_of(name), settings=settings).text, tmp_path, needs)
    assert [] == done.complaints()
    assert 0 == done.code
    assert done.pdf.exists()
    assert [] == [points for points in done.overfull() if points > 5]
    assert TEXT_WIDTH / SMALLEST >= done.widest(), "scaled down until nobody can read it"


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
    seen = set()
    for what, added in broken.items():
        (tmp_path / what).mkdir()
        done = pdflatex(source.replace(r"\end{document}", added + r"\end{document}"), tmp_path / what, needs)
        seen |= {what} if done.code or done.complaints() or max(done.overfull(), default=0) > 5 else set()
        seen |= {what} if done.widest() > TEXT_WIDTH / SMALLEST else set()
    assert set(broken) == seen


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
