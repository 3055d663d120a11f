"""The documents of an exam while its papers go by: on disk and without a name, until all are whole."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path

from attnsolve.exams.drawing import LEAST, Pattern
from attnsolve.exams.lock import Drawn, Lock
from attnsolve.exams.papers import Pieces, documents, shown_pictures
from attnsolve.exams.printing import (
    Press,
    Print,
    Seated,
    Sheet,
    draws_elsewhere,
    printed,
    prints_elsewhere,
)
from attnsolve.exams.seen import Seen
from attnsolve.exams.spool import Kept, Spool
from attnsolve.papers import Paper
from attnsolve.whole_files import pieces_of


class Draft:
    """What is written of an exam so far; of the papers themselves no more than a few are held."""

    def __init__(self, folder: Path, press: Press) -> None:
        self.press = press
        self._seen = Seen(press.cover, press.layout)
        self._spool = Spool(folder)
        self._pieces = Pieces(*(Kept(self._spool) for _ in Pieces._fields))
        self._waiting: list[Paper] = []

    @property
    def is_begun(self) -> bool:
        """Whether it has papers."""
        return bool(self._seen.stems or self._waiting)

    def take(self, paper: Paper) -> None:
        """Take the next paper; it is written together with a few others."""
        self._waiting.append(paper)
        if len(self._waiting) == LEAST:
            self._write()

    def take_from_others(self, sheets: Iterable[Sheet], count: int, *, jobs: int) -> Iterator[str]:
        """Take papers that other processes write, giving their codes."""
        for made in prints_elsewhere(self.press, sheets, count, jobs=jobs):
            self._put(made)
            yield from made.codes

    def take_drawn(
        self, pattern: Pattern, seats: Sequence[Seated], *, jobs: int
    ) -> Generator[tuple[Drawn, None], None, None]:
        """Take papers that other processes draw and write, giving what they drew."""
        for drawn, made in draws_elsewhere(pattern, self.press, seats, jobs=jobs):
            self._put(made)
            yield from ((one, None) for one in drawn)

    def _write(self) -> None:
        self._put(printed(self.press, self._waiting))
        self._waiting = []

    def _put(self, made: Print) -> None:
        self._seen.join(made.seen)
        self._pieces.put(made)

    def documents(self, lock: Lock, paper_of: Callable[[str], Paper]) -> dict[str, Kept]:
        """Every document by its name below the folder, once all papers are there.

        A few that other processes have solved are wanted again, by their codes.
        """
        if self._waiting:
            self._write()
        self._seen.recall(paper_of)
        made = documents(lock, self._seen, self.press, self._pieces)
        return {name: Kept(self._spool, pieces_of(content)) for name, content in made}

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The figures beside them."""
        return shown_pictures(self._seen, self.press)

    def close(self) -> None:
        """Let go of what has no name yet."""
        self._spool.close()
