"""Small bar charts: a picture beside Markdown, rules in LaTeX, and words for those who see neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.rendering.escaping import html_code
from attnsolve.rendering.maps import colour, written

ROW, LETTER, LONGEST, MARGIN = 26, 9, 320, 10
DARKNESS = 60
# The longest bar is so many characters where a bar is written as text.
CHARACTERS = 30


class Bar(NamedTuple):
    """One bar: what it stands for, how many, and how long it is in thousandths of the longest."""

    label: str
    number: int
    length: int
    text: str


class Chart(NamedTuple):
    """A bar chart, its picture, and where that is kept."""

    title: str
    what: str  # what the labels are
    bars: tuple[Bar, ...]
    alt: str
    svg: str
    file: str


def chart(title: str, what: str, counts: Sequence[tuple[str, int]], file: str) -> Chart:
    """A chart of how many there are of each."""
    most = max((count for _, count in counts), default=0) or 1
    bars = tuple(
        Bar(label, count, 1000 * count // most, "█" * -(-CHARACTERS * count // most))
        for label, count in counts
    )
    alt = "; ".join(f"{bar.label}: {bar.number}" for bar in bars)
    return Chart(title, what, bars, alt, svg(title, bars, alt), file)


def svg(title: str, bars: Sequence[Bar], alt: str) -> str:
    """Bars from left to right, each with its label before and its count behind it."""
    start = MARGIN + LETTER * max((len(bar.label) for bar in bars), default=0)
    width, height = start + LONGEST + 70, 2 * MARGIN + ROW * len(bars)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15">',
        f"<title>{html_code(title)}</title>",
        f"<desc>{html_code(alt)}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for row, bar in enumerate(bars):
        top = MARGIN + ROW * row
        length = LONGEST * bar.length // 1000
        place = f'x="{start + 8}" y="{top + 3}" width="{length}" height="{ROW - 6}"'
        parts.append(written(bar.label, start, top + 18, anchor="end"))
        parts.append(f'<rect {place} fill="{colour(DARKNESS)}"/>')
        parts.append(written(str(bar.number), start + length + 16, top + 18, anchor="start"))
    return "\n".join([*parts, "</svg>", ""])
