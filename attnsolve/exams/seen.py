"""What the documents about all papers of an exam say of each, in whatever process it went by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attnsolve.exams.binding import pictures_on
from attnsolve.file_names import safe_name
from attnsolve.papers import Cover, Layout, Paper
from attnsolve.problem_set import Asked
from attnsolve.rendering.exams import Overview

# What a paper's pictures stand on.
SHEETS = ("exercise", "solution")


class Seen:
    """Papers that went by, in order; their solutions are forgotten but for a few."""

    def __init__(self, cover: Cover, layout: Layout, papers: Sequence[Paper] = ()) -> None:
        self.overview = Overview(papers, cover)
        self.stems = [stem_of(one, names=layout.names) for one in papers]
        self.pictures = {sheet: dict(pictures_on(papers, layout, sheet=sheet)) for sheet in SHEETS}

    def join(self, others: Seen) -> None:
        """The papers that went by elsewhere, after these."""
        self.overview.join(others.overview)
        self.stems += others.stems
        for sheet, shown in self.pictures.items():
            shown |= others.pictures[sheet]

    def forget_solutions(self) -> None:
        """Keep what another process can be told: where solutions are looked at, they are recalled there."""
        self.overview.forget_solutions()

    def recall(self, paper_of: Callable[[str], Paper]) -> None:
        """Have those papers again, by their codes, whose solutions are looked at."""
        self.overview.recall(paper_of)

    @property
    def asked(self) -> Asked | None:
        """What the first paper asks for, in whose words all have their title."""
        return self.overview.key.asked


def stem_of(one: Paper, *, names: bool) -> str:
    """The file name of a paper: its code, and whose it is only if that is wished."""
    person = safe_name(f"{one.student} {one.name}", otherwise="") if names else ""
    return f"{one.code}-{person}" if person else one.code
