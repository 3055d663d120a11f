"""Why something could not be read or decided, as data: a sentence of the catalogues and what stands in it."""

from __future__ import annotations

from collections.abc import Callable

from attnsolve.records import NamedTuple


class Reason(NamedTuple):
    """A whole English sentence, or a piece of one, with named places; `rendering` says it in any language."""

    text: str
    places: tuple[tuple[str, str | int | Reason], ...] = ()

    def __str__(self) -> str:
        """In English, as the command line speaks and programs read it."""
        return self.text.format(**{name: str(value) for name, value in self.places})

    def each(self, change: Callable[[str], str]) -> Reason:
        """The same with every text that stands in it changed."""
        return Reason(self.text, tuple((name, changed(value, change)) for name, value in self.places))


def changed(value: str | int | Reason, change: Callable[[str], str]) -> str | int | Reason:
    """What stands at a place, its texts changed."""
    if isinstance(value, Reason):
        return value.each(change)
    return change(value) if isinstance(value, str) else value


def reason(text: str, /, **places: str | int | Reason) -> Reason:
    """A reason with its places filled in; the sentence itself is gathered into the catalogues."""
    return Reason(text, tuple(places.items()))


def as_typed(text: str) -> Reason:
    """Words that belong to no catalogue: a name, or what somebody else says."""
    return Reason("{text}", (("text", text),))


def on_line(line: int, typed: str, why: Reason) -> Reason:
    """Why what stands on a line, called as it was typed, has no place."""
    return reason("line {line}: {typed}: {why}", line=line, typed=typed, why=why)


def at_place(place: str, why: Reason) -> Reason:
    """What is wrong at a place of a file."""
    return Reason("{place}: {why}", (("place", place), ("why", why)))


def in_exercise(number: int, why: Reason) -> Reason:
    """A reason that belongs to one exercise of a sheet."""
    return reason("exercise {number}, {why}", number=number, why=why)
