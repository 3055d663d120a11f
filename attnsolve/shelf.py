"""Records by name, each loaded from its file when somebody first wants it: most pages need few of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

Record = TypeVar("Record")


class Shelf(Mapping[str, Record]):
    """`places` say for each name the module of the room and the record in it: `softmax.SOFTMAX`."""

    def __init__(self, room: str, places: Mapping[str, str]) -> None:
        self.room = room
        self.places = places
        self._taken: dict[str, Record] = {}  # no more than there are places

    def __getitem__(self, name: str) -> Record:
        found = self._taken.get(name)
        if found is None:
            module, _, record = self.places[name].partition(".")
            found = self._taken[name] = getattr(import_module(f"{self.room}.{module}"), record)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, name: object) -> bool:
        return name in self.places
