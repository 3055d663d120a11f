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
    Sheet,
    draws_elsewhere,
    printed,
    prints_elsewhere,
)
from attnsolve.exams.seating import Wish
from attnsolve.exams.seen import Seen
from attnsolve.exams.spool import Kept, Spool
from attnsolve.papers import Paper
from attnsolve.whole_files import pieces_of


class Draft:
    """What is written of an exam so far; of the papers themselves no more than a few are held."""

    def __init__(self, folder: Path, press: Press) -> None:
        self.press = press
        self._spool = Spool(folder)
        self._waiting: list[Paper] = []
        self._begin()

    def _begin(self) -> None:
        self._seen = Seen(self.press.cover, self.press.layout)
        self._pieces = Pieces(*(Kept(self._spool) for _ in Pieces._fields))

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
        self, pattern: Pattern, wishes: Sequence[Wish], *, jobs: int
    ) -> Generator[tuple[Drawn, None], None, None]:
        """Take papers that other processes draw and write, giving what they drew.

        Where some cannot be written, none is taken: it is told when they are written again.
        """
        is_whole = True
        for drawn, made in draws_elsewhere(pattern, self.press, wishes, jobs=jobs):
            is_whole = is_whole and made is not None
            if made is not None:
                self._put(made)
            yield from ((one, None) for one in drawn)
        if not is_whole:
            self._begin()

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
