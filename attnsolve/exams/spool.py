"""Texts on disk that have no name: what is written of an exam until all of it is there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.whole_files import encoded


class Place(NamedTuple):
    """Where something lies in a spool."""

    start: int
    size: int


class Spool:
    """A file without a name in the folder of an exam: it goes with the run, however that ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._end = 0

    def put(self, content: str | bytes) -> Place:
        """Keep something; where it lies."""
        data = encoded(content)
        place = Place(self._end, len(data))
        try:
            if self._file is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  closed with the spool
            self._file.seek(self._end)
            self._file.write(data)
            self._file.flush()  # a full disk is told here
        except OSError as error:
            raise AttnsolveError(f"'{self._folder}' cannot be written: {error.strerror or error}") from None
        self._end += len(data)
        return place

    def get(self, place: Place) -> bytes:
        """What lies there."""
        assert self._file is not None
        self._file.seek(place.start)
        return self._file.read(place.size)

    def close(self) -> None:
        """Let go of all of it."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Kept:
    """Things in a spool, one after the other, which are read as often as they are wanted."""

    def __init__(self, spool: Spool, contents: Iterable[str | bytes] = ()) -> None:
        self.spool = spool
        self.places = [spool.put(content) for content in contents]

    def put(self, content: str | bytes) -> None:
        """Keep one more."""
        self.places.append(self.spool.put(content))

    def __iter__(self) -> Iterator[bytes]:
        return map(self.spool.get, self.places)

    def texts(self) -> Iterator[str]:
        """The same as texts."""
        return map(bytes.decode, self)
