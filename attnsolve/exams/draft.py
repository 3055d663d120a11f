"""The documents of an exam while its papers go by: on disk and without a name, until all are whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attnsolve.exams.drawing import LEAST
from attnsolve.exams.lock import Lock
from attnsolve.exams.papers import Pieces, Seen, documents, shown_pictures
from attnsolve.exams.printing import Press, Sheet, printed, prints_elsewhere
from attnsolve.exams.spool import Kept, Spool
from attnsolve.papers import Paper
from attnsolve.whole_files import pieces_of


class Draft:
    """What is written of an exam so far; of the papers themselves no more than a few are held."""

    def __init__(self, folder: Path, press: Press) -> None:
        self.press = press
        self._seen = Seen(press)
        self._spool = Spool(folder)
        self._pieces = Pieces(*(Kept(self._spool) for _ in Pieces._fields))
        self._waiting: list[Paper] = []

    @property
    def is_begun(self) -> bool:
        """Whether it has papers."""
        return bool(self._seen.stems)

    def take(self, paper: Paper) -> None:
        """Take the next paper; it is written together with a few others."""
        self._seen.look_at(paper)
        self._waiting.append(paper)
        if len(self._waiting) == LEAST:
            self._write()

    def take_from_others(
        self, sheets: Iterable[tuple[Paper, Sheet]], count: int, *, jobs: int
    ) -> Iterator[str]:
        """Take papers that other processes write, giving their codes."""
        for made in prints_elsewhere(self.press, self._passing(sheets), count, jobs=jobs):
            self._pieces.put(made)
            yield from made.codes

    def _passing(self, sheets: Iterable[tuple[Paper, Sheet]]) -> Iterator[Sheet]:
        for paper, sheet in sheets:
            self._seen.look_at(paper)
            yield sheet

    def _write(self) -> None:
        self._pieces.put(printed(self.press, self._waiting))
        self._waiting = []

    def documents(self, lock: Lock) -> dict[str, Kept]:
        """Every document by its name below the folder, once all papers are there."""
        if self._waiting:
            self._write()
        made = documents(lock, self._seen, self.press, self._pieces)
        return {name: Kept(self._spool, pieces_of(content)) for name, content in made}

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The figures beside them."""
        return shown_pictures(self._seen, self.press)

    def close(self) -> None:
        """Let go of what has no name yet."""
        self._spool.close()
