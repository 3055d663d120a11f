"""Things that are much alike in little memory: of each is kept what the first one does not have."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

# So many are kept as they are: a document about a few papers is read again as soon as it is written.
FEW = 4
PLAIN = -zlib.MAX_WBITS  # without a header and a checksum


class Packed:
    """Tuples of texts and numbers, in the order in which they came; each is unpacked when it is wanted."""

    def __init__(self) -> None:
        self._few: list[tuple[Any, ...]] = []
        self._pattern = b""
        self._kept: list[bytes] = []

    def append(self, thing: tuple[Any, ...]) -> None:
        """Keep one more."""
        if len(self._few) < FEW:
            self._few.append(thing)
            return
        data = json.dumps(thing, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        self._pattern = self._pattern or data
        press = zlib.compressobj(wbits=PLAIN, zdict=self._pattern)
        self._kept.append(press.compress(data) + press.flush())

    def extend(self, things: Iterable[tuple[Any, ...]]) -> None:
        """Keep some more."""
        for thing in things:
            self.append(thing)

    def __len__(self) -> int:
        return len(self._few) + len(self._kept)

    def __getitem__(self, place: int) -> tuple[Any, ...]:
        if place < len(self._few):
            return self._few[place]
        press = zlib.decompressobj(wbits=PLAIN, zdict=self._pattern)
        found: tuple[Any, ...] = tupled(json.loads(press.decompress(self._kept[place - FEW])))
        return found

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return map(self.__getitem__, range(len(self)))


def tupled(value: Any) -> Any:
    """A value as it was before JSON made lists of its tuples."""
    if isinstance(value, list):
        return tuple(map(tupled, value))
    return {key: tupled(item) for key, item in value.items()} if isinstance(value, dict) else value
