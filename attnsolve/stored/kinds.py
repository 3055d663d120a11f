"""The kinds of values in kept files: each takes a value of JSON, or says what belongs in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

# How to get to a value from the top of its file: keys of maps, places in lists.
Way = tuple[str | int, ...]
T = TypeVar("T")
Read = TypeVar("Read", covariant=True)

LONGEST = 20_000
LARGEST = 10**12
# Line breaks and tabs are text; what else steers a terminal, or is half a letter, is not.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
RATIO = re.compile(r"-?[0-9]{1,30}(?:/[0-9]{1,30})?", re.ASCII)


class Unsuitable(ValueError):
    """A value that does not belong where it stands: the way to it, and what is wrong."""

    def __init__(self, way: Way, said: str) -> None:
        super().__init__(said)
        self.way = way
        self.said = said


def expected(way: Way, what: str) -> Unsuitable:
    """That something else belongs there."""
    return Unsuitable(way, f"{what} is expected here")


class StoredKind(Protocol[Read]):
    """What a value may be."""

    def read(self, value: object, way: Way = ()) -> Read:
        """The value as the program has it; Unsuitable where it is not of this kind."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that can be printed; with a pattern, one of that form."""

    pattern: str = ""
    what: str = "a text"

    def read(self, value: object, way: Way = ()) -> str:
        """The text itself."""
        if not isinstance(value, str) or len(value) > LONGEST or UNPRINTABLE.search(value):
            raise expected(way, self.what)
        if self.pattern and not re.fullmatch(self.pattern, value, re.ASCII):
            raise expected(way, self.what)
        return value


TEXT = Text()


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds."""

    low: int = 0
    high: int = LARGEST

    def read(self, value: object, way: Way = ()) -> int:
        """The number itself; true and false are none."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise expected(way, f"a whole number from {self.low} to {self.high}")
        return value


@dataclass(frozen=True, slots=True)
class Ratio:
    """A fraction written as a text, such as `1/10`."""

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(LARGEST)

    def read(self, value: object, way: Way = ()) -> Fraction:
        """The fraction."""
        what = f'a fraction from {self.low} to {self.high} as a text, such as "1/10",'
        if not isinstance(value, str) or not RATIO.fullmatch(value):
            raise expected(way, what)
        try:
            found = Fraction(value)
        except ZeroDivisionError:
            raise expected(way, what) from None
        if not self.low <= found <= self.high:
            raise expected(way, what)
        return found


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def read(self, value: object, way: Way = ()) -> bool:
        """The flag itself."""
        if not isinstance(value, bool):
            raise expected(way, "true or false")
        return value


@dataclass(frozen=True, slots=True)
class OneOf(Generic[T]):
    """One of a few texts, each of which stands for something; an enum's members, or the texts themselves."""

    among: Mapping[str, T]

    @classmethod
    def of(cls, members: Iterable[T]) -> OneOf[T]:
        """A choice among things that are written as what they say."""
        return cls({str(member): member for member in members})

    def read(self, value: object, way: Way = ()) -> T:
        """What the text stands for."""
        if not isinstance(value, str) or value not in self.among:
            raise expected(way, f"one of {', '.join(self.among)}")
        return self.among[value]


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """A list whose values are all of one kind; `count` where it has always so many."""

    kind: StoredKind[T]
    count: int | None = None

    def read(self, value: object, way: Way = ()) -> tuple[T, ...]:
        """What was read of each."""
        if not isinstance(value, list) or (self.count is not None and len(value) != self.count):
            raise expected(way, "a list" if self.count is None else f"a list of {self.count}")
        return tuple(self.kind.read(item, (*way, place)) for place, item in enumerate(value))


@dataclass(frozen=True, slots=True)
class Mapped(Generic[T]):
    """A map whose keys, and whose values, are all of one kind."""

    kind: StoredKind[T]
    keys: StoredKind[str] = TEXT

    def read(self, value: object, way: Way = ()) -> dict[str, T]:
        """What was read of each, by key."""
        if not isinstance(value, dict):
            raise expected(way, "a map")
        return {self.keys.read(key, way): self.kind.read(item, (*way, key)) for key, item in value.items()}


class Field(NamedTuple):
    """A key of a record, and whether it may be left out."""

    kind: StoredKind[Any]
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Record(Generic[T]):
    """A map with known keys, and what is made of their values; what is left out has the maker's default."""

    make: Callable[..., T]
    fields: Mapping[str, Field | StoredKind[Any]]

    def read(self, value: object, way: Way = ()) -> T:
        """What is made of the values."""
        if not isinstance(value, dict):
            raise expected(way, f"a map with {', '.join(self.fields)}")
        strange = next((key for key in value if key not in self.fields), None)
        if strange is not None:
            raise Unsuitable((*way, strange), f"no such key; the keys are {', '.join(self.fields)}")
        found = {}
        for name, field in self.fields.items():
            kind, is_optional = field if isinstance(field, Field) else (field, False)
            if name in value:
                found[name] = kind.read(value[name], (*way, name))
            elif not is_optional:
                raise Unsuitable(way, f"the key {name} is missing")
        return self.make(**found)
