"""Who keeps which variant and who needs a new one: what is locked stays, whatever the roster does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attnsolve.exams.codes import fresh_code
from attnsolve.exams.records import CURRENT, REPLACED, SPARE, WITHDRAWN, Entry, Seat, identity_of


@dataclass(frozen=True, slots=True)
class Wish:
    """A variant that is still to be drawn, under a code that is decided already."""

    code: str
    seat: Seat
    issue: int = 1

    @property
    def identity(self) -> str:
        """What its numbers are drawn for."""
        return identity_of(self.seat, self.issue)


@dataclass(frozen=True, slots=True)
class Plan:
    """The entries of an exam in order; a wish stands where a variant is missing."""

    entries: tuple[Entry | Wish, ...]

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """What is to be drawn."""
        return tuple(entry for entry in self.entries if isinstance(entry, Wish))


def numbered(count: int) -> tuple[Seat, ...]:
    """Seats without names: "1", "2", …"""
    return tuple(Seat(str(number)) for number in range(1, count + 1))


def spares(count: int) -> tuple[Seat, ...]:
    """Seats for whoever needs another paper."""
    return tuple(Seat(f"spare {number}") for number in range(1, count + 1))


def planned(
    entries: Sequence[Entry],
    seats: Sequence[Seat] | None,
    spare: Sequence[Seat] | None,
    *,
    key: bytes,
    problem: str,
    version: int,
) -> Plan:
    """What the exam has after a run: None for seats or spares leaves them as they are."""
    taken = {entry.code for entry in entries}
    old = {entry.seat.identity: entry for entry in entries if entry.status != REPLACED}
    wanted = {seat.identity: seat for seat in (*(seats or ()), *(spare or ()))}
    made: list[Entry | Wish] = [
        settled(entry, wanted, asked=(spare if entry.seat.is_spare else seats) is not None)
        for entry in entries
    ]
    for seat in wanted.values():
        if seat.identity not in old:
            code = fresh_code(key, problem, version, seat.identity, taken)
            taken.add(code)
            made.append(Wish(code, seat))
    return Plan(tuple(made))


def settled(entry: Entry, wanted: dict[str, Seat], *, asked: bool) -> Entry:
    """An entry after a roster was read: who is not on it any more is withdrawn, and nothing is lost."""
    if entry.status == REPLACED or not asked:
        return entry
    seat = wanted.get(entry.seat.identity)
    if seat is None:
        return replace(entry, status=WITHDRAWN)
    return replace(entry, seat=seat, status=SPARE if seat.is_spare else CURRENT)


def reissued(
    entries: Sequence[Entry], entry: Entry, *, key: bytes, problem: str, version: int
) -> tuple[Entry | Wish, ...]:
    """The entries with new numbers wished for one seat; its old code stays in the history."""
    issue = entry.issue + 1
    taken = {one.code for one in entries}
    code = fresh_code(key, problem, version, identity_of(entry.seat, issue), taken)
    kept = [replace(one, status=REPLACED, pinned=False) if one is entry else one for one in entries]
    return (*kept, Wish(code, entry.seat, issue))
