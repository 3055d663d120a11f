"""One row for each claim, as text for people and as records for programs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.timing import Times


@dataclass(frozen=True, slots=True)
class Row:
    """Two medians, the ratio that is claimed, round by round, and the target it is held to, if any."""

    what: str
    ours: float
    theirs: float
    least: tuple[float, float]
    rival: str
    ratios: tuple[float, ...]
    faster: bool  # whether the ratio says how many times faster we are, or how many times as long we take
    target: float | None = None
    peak: float | None = None  # megabytes

    @property
    def ratio(self) -> float:
        """The median over the rounds."""
        return median(self.ratios)

    @property
    def met(self) -> bool:
        """Whether the target is met; a row without one is there to be read."""
        if self.target is None:
            return True
        return self.ratio >= self.target if self.faster else self.ratio <= self.target

    def cells(self) -> tuple[str, ...]:
        """The row as a reader sees it."""
        sign = "≥" if self.faster else "≤"
        return (
            self.what,
            duration(self.ours),
            f"{self.rival} {duration(self.theirs)}",
            f"{factor(self.ratio)} {'faster' if self.faster else 'as long'}",
            f"{factor(min(self.ratios))} to {factor(max(self.ratios))}",
            "" if self.target is None else f"{sign} {self.target:g}x",
            "" if self.target is None else ("yes" if self.met else "NO"),
            "" if self.peak is None else f"{self.peak:.0f} MB",
        )

    def record(self) -> dict[str, Any]:
        """The row for programs; times in seconds."""
        return {
            "what": self.what,
            "ours": {"median": self.ours, "least": self.least[0]},
            "theirs": {"name": self.rival, "median": self.theirs, "least": self.least[1]},
            "ratio": self.ratio,
            "ratios": list(self.ratios),
            "means": "times faster" if self.faster else "times as long",
            "target": self.target,
            "met": self.met,
            "peak": self.peak,
        }


HEADINGS = ("what", "ours", "theirs", "ratio", "in rounds", "target", "met?", "our peak")


def faster(what: str, times: Times, ours: str, theirs: str, *, at_least: float | None = None) -> Row:
    """How many times faster ours is."""
    return _row(what, times, ours, theirs, times.ratios(theirs, ours), True, at_least)


def within(what: str, times: Times, ours: str, theirs: str, *, at_most: float | None = None) -> Row:
    """How many times as long ours takes."""
    return _row(what, times, ours, theirs, times.ratios(ours, theirs), False, at_most)


def _row(
    what: str, times: Times, ours: str, theirs: str, ratios: list[float], quicker: bool, target: float | None
) -> Row:
    least = (times.least(ours), times.least(theirs))
    return Row(what, times.median(ours), times.median(theirs), least, theirs, tuple(ratios), quicker, target)


def duration(seconds: float) -> str:
    """Milliseconds with three digits."""
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def factor(ratio: float) -> str:
    """How many times."""
    return f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.2g}x"


def text(rows: list[Row]) -> str:
    """The table in columns."""
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
