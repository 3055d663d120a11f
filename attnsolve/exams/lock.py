"""What an exam keeps: who has which variant, and what was printed for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from attnsolve.papers import Cover, Layout
from attnsolve.reasons import Reason

# What a part asks for, by the name of the target: rows of decimals as printed.
Answers = Mapping[str, tuple[tuple[str, ...], ...]]

CURRENT, SPARE, WITHDRAWN, REPLACED = "current", "spare", "withdrawn", "replaced"
STATUSES = (CURRENT, SPARE, WITHDRAWN, REPLACED)
PRINTED = (CURRENT, SPARE)
NOW = "original"  # the problem that new variants are drawn from


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody, or something, that gets a variant: a student, a number, or a spare."""

    identity: str
    student: str = ""
    name: str = ""

    @property
    def is_spare(self) -> bool:
        """Whether it waits for whoever needs one."""
        return not self.student and self.identity.startswith("spare ")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A variant as it passes between processes and is kept: its file, and what was found out about it."""

    identity: str
    text: str
    effort: int
    selection: str
    refused: Mapping[str, int]
    weights: tuple[int, ...]  # how many fall into each tenth from 0 to 1
    answers: Answers
    lineup: tuple[int, ...] = ()  # its exercises by their numbers in the sheet, where papers differ


def packed(
    refused: Mapping[str, int] | None = None, weights: tuple[int, ...] = (), answers: Answers | None = None
) -> bytes:
    """What was found out about a variant, in as little memory as it takes in the lock."""
    found = (dict(sorted((refused or {}).items())), weights, answers or {})
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def unpacked(found: bytes) -> tuple[dict[str, int], list[int], dict[str, list[list[str]]]]:
    """What judges refused, weights and answers, as the lock has them."""
    refused, weights, answers = json.loads(found)
    return refused, weights, answers


NOTHING_FOUND = packed()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the lock: a code, whose it is, and what was printed under it."""

    code: str
    seat: Seat
    sha256: str  # of the problem file
    issue: int = 1  # 2 after the first reissue
    status: str = CURRENT
    pinned: bool = False
    effort: int = 0
    selection: str = ""
    found: bytes = NOTHING_FOUND  # what was found out about it, packed: most of the time nobody looks at it
    original: str = NOW  # the problem it was drawn from, by its name below problems/
    lineup: tuple[int, ...] = ()  # its exercises by their numbers in the sheet, where papers differ

    @property
    def refused(self) -> dict[str, int]:
        """How many candidates each judge refused before it."""
        return unpacked(self.found)[0]

    @property
    def weights(self) -> tuple[int, ...]:
        """How many of its weights fall into each tenth from 0 to 1."""
        return tuple(unpacked(self.found)[1])

    @property
    def answers(self) -> Answers:
        """Its key."""
        return {name: tuple(map(tuple, rows)) for name, rows in unpacked(self.found)[2].items()}

    @property
    def identity(self) -> str:
        """What the numbers were drawn for."""
        return identity_of(self.seat, self.issue)

    @property
    def file(self) -> str:
        """Where its problem file is kept, below the folder."""
        return f"problems/{self.code}.yaml"

    @property
    def is_printed(self) -> bool:
        """Whether it belongs into the documents."""
        return self.status in PRINTED

    @property
    def standing(self) -> str:
        """`spare`, `withdrawn`, `pinned`; nothing for an ordinary one."""
        words = ("" if self.status == CURRENT else self.status, "pinned" if self.pinned else "")
        return ", ".join(filter(None, words))

    @property
    def who(self) -> str:
        """A few words for whom it is."""
        return self.seat.student or self.seat.identity


@dataclass(frozen=True, slots=True)
class Source:
    """What all variants of an exam were drawn from, and what belongs to the problem itself."""

    problem: str  # its name
    sha256: str  # of its text and of the data beside it
    version: int  # of vary:
    release: str  # of attnsolve
    fingerprint: str  # of the key
    usual: int  # the work of a usual variant
    band: str
    original: int  # the work of the problem as it was typed
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inseparable: tuple[Reason, ...] = ()
    generation: int = 1  # of files that name none; exams that do not tell it were drawn before there were two


@dataclass(frozen=True, slots=True)
class Lock:
    """The truth about what was printed."""

    source: Source
    cover: Cover = field(default_factory=Cover)
    layout: Layout = field(default_factory=Layout)
    entries: tuple[Entry, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)  # a hash of each document as it was written


@dataclass(frozen=True, slots=True)
class Match:
    """The variant that somebody's answers belong to, and what is odd about that."""

    code: str
    student: str
    remarks: tuple[Reason, ...] = ()


def identity_of(seat: Seat, issue: int) -> str:
    """What numbers are drawn for: a seat, and which issue of it."""
    return seat.identity if issue == 1 else f"{seat.identity} reissue {issue}"
