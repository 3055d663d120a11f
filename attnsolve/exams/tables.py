"""Cells of spreadsheets that stay what they are, whatever somebody called himself."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from attnsolve.languages.joiners import without_stray_joiners

PLAIN_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
# What makes a spreadsheet take a cell for a formula, also in its wide forms.
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠", "−")
# Signs that turn the direction of writing, and others that cannot be seen.
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def without_unseen(text: str) -> str:
    """A text without signs that cannot be seen, but for those that keep the letters of a name apart."""
    return without_stray_joiners(UNSEEN.sub("", text))


def harmless(cell: str) -> str:
    """A cell that no spreadsheet runs, whatever somebody called himself."""
    shown = without_unseen(cell)
    if PLAIN_NUMBER.fullmatch(shown) or not shown.lstrip(" \u00a0").startswith(STARTS):
        return shown
    return f"'{shown}"


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV in which no cell is a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow(map(harmless, row))
    return stream.getvalue()


def shortened(words: str, longest: int = 40) -> str:
    """What somebody typed, without the end of what is far too long to be meant, all of it to be seen."""
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words[: longest + 1])
    return shown if len(words) <= longest else f"{shown[:longest]}…"
