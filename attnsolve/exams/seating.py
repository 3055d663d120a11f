"""Who keeps which variant and who needs a new one: what is locked stays, whatever the roster does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attnsolve.exams.codes import fresh_code
from attnsolve.exams.lock import CURRENT, NOW, REPLACED, SPARE, WITHDRAWN, Entry, Seat, identity_of


@dataclass(frozen=True, slots=True)
class Wish:
    """A variant that is still to be drawn, under a code that is decided already."""

    code: str
    seat: Seat
    issue: int = 1
    before: Entry | None = None  # what it replaces, unless it turns out to be the same
    lineup: tuple[int, ...] = ()  # its exercises by their numbers in the sheet, once they are decided

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
    fresh: bool = False,
) -> Plan:
    """What the exam has after a run: None for seats or spares leaves them as they are.

    With `fresh` everybody gets new numbers under a new code, except where a variant is pinned.
    """
    if fresh:
        seats = seated(entries, is_spare=False) if seats is None else seats
        spare = seated(entries, is_spare=True) if spare is None else spare
    taken = {entry.code for entry in entries}
    old = {entry.seat.identity: entry for entry in entries if entry.status != REPLACED}
    wanted = {seat.identity: seat for seat in (*(seats or ()), *(spare or ()))}
    anew = {old[name].code for name in wanted if name in old and is_drawn_anew(old[name], fresh=fresh)}
    made: list[Entry | Wish] = [
        replace(entry, status=REPLACED)
        if entry.code in anew
        else settled(entry, wanted, asked=(spare if entry.seat.is_spare else seats) is not None)
        for entry in entries
    ]
    for seat in wanted.values():
        before = old.get(seat.identity)
        if before is None or before.code in anew:
            issue = 1 if before is None else before.issue
            code = fresh_code(key, problem, version, identity_of(seat, issue), taken)
            taken.add(code)
            made.append(Wish(code, seat, issue, before))
    return Plan(tuple(made))


def is_drawn_anew(entry: Entry, *, fresh: bool) -> bool:
    """Whether a seat needs other numbers: all do, or this one was away while all the others got theirs."""
    is_outdated = entry.status == WITHDRAWN and entry.original != NOW
    return not entry.pinned and (fresh or is_outdated)


def seated(entries: Sequence[Entry], *, is_spare: bool) -> tuple[Seat, ...]:
    """The seats of all that are printed."""
    return tuple(one.seat for one in entries if one.is_printed and one.seat.is_spare == is_spare)


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
    """The entries with new numbers wished for one seat; its old code stays in the history.

    Where papers have different exercises, it keeps its own.
    """
    issue = entry.issue + 1
    taken = {one.code for one in entries}
    code = fresh_code(key, problem, version, identity_of(entry.seat, issue), taken)
    kept = [replace(one, status=REPLACED, pinned=False) if one is entry else one for one in entries]
    return (*kept, Wish(code, entry.seat, issue, lineup=entry.lineup))
