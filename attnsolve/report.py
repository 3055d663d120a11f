"""What is said about numbers that somebody else wrote down: findings, and a report of them."""

from __future__ import annotations

from dataclasses import dataclass

from attnsolve.problem import Target


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict on one published or typed number: `right`, `rounded`, `truncated`, `wrong` or `undecided`."""

    target: Target
    verdict: str
    typed: str
    expected: str
    line: int = 1
    column: int = 1

    @property
    def fine(self) -> bool:
        """Whether nobody has to do anything about it."""
        return self.verdict in ("right", "rounded")
