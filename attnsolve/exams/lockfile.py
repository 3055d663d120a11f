"""The lock as JSON, one variant on a line; what is read back is checked before anything trusts it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from attnsolve.exams.lock import NOW, STATUSES, Answers, Entry, Lock, Seat, Source, packed, unpacked
from attnsolve.languages import LANGUAGES
from attnsolve.papers import Cover, Layout, Sides, Solutions
from attnsolve.pdf_engines import Engine
from attnsolve.rendering.dialects import OF_PAPERS
from attnsolve.rendering.settings import DETAILS, FLAVOURS
from attnsolve.stored import (
    TEXT,
    Damaged,
    Field,
    Flag,
    Listed,
    Mapped,
    OneOf,
    Ratio,
    Record,
    Stored,
    StoredKind,
    Text,
    Whole,
    lines_of,
    loads,
)
from attnsolve.stored.reasons import WHY
from attnsolve.variants.generator import ALPHABET
from attnsolve.variation import GENERATION, JUDGES

CODE = re.compile(f"[{ALPHABET}]{{4,8}}")
TENTHS = 10  # from 0 to 1, into which weights fall
CODE_TEXT = Text(CODE.pattern, "a code, such as K7Q2,")  # it becomes the name of a file
HASH = Text("[0-9a-f]{64}", "a hash of 64 digits")
JUDGE = OneOf.of(JUDGES)


def restored_entry(
    *,
    seat: str,
    student: str = "",
    name: str = "",
    exercises: tuple[int, ...] = (),
    refused: Mapping[str, int],
    weights: tuple[int, ...],
    answers: Answers,
    **kept: Any,
) -> Entry:
    """The entry that a line of the lock was made of."""
    whose, found = Seat(seat, student, name), packed(refused, weights, answers)
    return Entry(seat=whose, lineup=exercises, found=found, **kept)


ENTRY = Record(
    restored_entry,
    {
        "code": CODE_TEXT,
        "seat": TEXT,
        "issue": Whole(1),
        "student": Field(TEXT, is_optional=True),
        "name": Field(TEXT, is_optional=True),
        "status": OneOf.of(STATUSES),
        "sha256": HASH,
        "effort": Whole(),
        "pinned": Field(Flag(), is_optional=True),
        "selection": Field(TEXT, is_optional=True),
        "original": Field(Text(f"{NOW}(?:-[1-9][0-9]{{0,5}})?", f"{NOW}, or {NOW}-1"), is_optional=True),
        "exercises": Field(Listed(Whole(1)), is_optional=True),
        "refused": Mapped(Whole(), keys=JUDGE),
        "weights": Listed(Whole(), count=TENTHS),
        "answers": Mapped(Listed(Listed(TEXT))),
    },
)
COVER = Record(
    Cover,
    {
        "title": TEXT,
        "course": TEXT,
        "date": TEXT,
        "minutes": Whole(),
        "instructions": TEXT,
        "page": OneOf.of(("a4", "letter")),
        "lang": OneOf.of(language.code for language in LANGUAGES),
    },
)
LAYOUT = Record(
    Layout,
    {
        "each": Flag(),
        "names": Flag(),
        "detail": OneOf.of(DETAILS),
        "solutions": Field(OneOf.of(Solutions), is_optional=True),
        "sides": Field(OneOf.of(Sides), is_optional=True),
        "answers_apart": Field(Flag(), is_optional=True),
        "saves_ink": Field(Flag(), is_optional=True),
        "to": Field(OneOf.of(OF_PAPERS), is_optional=True),
        "engine": Field(OneOf.of(Engine), is_optional=True),
        "flavour": Field(OneOf.of(FLAVOURS), is_optional=True),
        "is_wrapped": Field(Flag(), is_optional=True),
        "checks": Field(Flag(), is_optional=True),
    },
)

SOURCE: Mapping[str, Field | StoredKind[Any]] = {
    "problem": TEXT,
    "sha256": HASH,
    "version": Whole(1),
    "release": TEXT,
    "fingerprint": TEXT,
    "usual": Whole(),
    "band": Ratio(Fraction(1, 10**6), Fraction(1)),
    "original": Whole(),
    "allowed": Mapped(Listed(JUDGE)),
    "inseparable": Listed(WHY),
    "generation": Field(Whole(1, GENERATION), is_optional=True),
}


def restored_source(*, band: Fraction, **kept: Any) -> Source:
    """What all variants were drawn from, as the lock has it."""
    return Source(band=str(band), **kept)


def restored_lock(
    *, cover: Cover, layout: Layout, written: Mapping[str, str], variants: tuple[Entry, ...], **source: Any
) -> Lock:
    """The lock that a file was made of."""
    return Lock(restored_source(**source), cover, layout, variants, written)


LOCK = Stored(
    "the lock of an exam",
    1,
    Record(
        restored_lock,
        {**SOURCE, "cover": COVER, "layout": LAYOUT, "written": Mapped(HASH), "variants": Listed(ENTRY)},
    ),
    "restore it from a copy; if there is none, draw into a new folder (-o) with the same --seed or --key, "
    "and with 'vary: {generation: 1}' if it is older than generation 2: all but what was reissued comes out "
    "the same",
    has_checksum=True,
)
# A line of the journal that is kept while an exam is drawn, before the lines of what was drawn.
SOURCE_LINE = Record(restored_source, SOURCE)


def written_lock(lock: Lock) -> Iterator[bytes]:
    """The lock, line by line."""
    head = {**asdict(lock.source), "cover": asdict(lock.cover)}
    head |= {"layout": layout_record(lock.layout), "written": lock.written}
    return lines_of(LOCK, head, "variants", lambda: map(entry_record, lock.entries))


def layout_record(layout: Layout) -> dict[str, Any]:
    """How documents are cut and printed, without what nobody asked for."""
    usual = Layout()
    kept = {name: value for name, value in asdict(layout).items() if value != getattr(usual, name)}
    return {"each": layout.each, "names": layout.names, "detail": layout.detail, **kept}


def entry_record(entry: Entry) -> dict[str, Any]:
    """A line of the lock, without what it does not have."""
    seat = entry.seat
    made: dict[str, Any] = {"code": entry.code, "seat": seat.identity, "issue": entry.issue}
    made |= {"student": seat.student, "name": seat.name} if seat.student or seat.name else {}
    made |= {"status": entry.status, "sha256": entry.sha256, "effort": entry.effort}
    made |= {"pinned": True} if entry.pinned else {}
    made |= {"selection": entry.selection} if entry.selection else {}
    made |= {"original": entry.original} if entry.original != NOW else {}
    made |= {"exercises": list(entry.lineup)} if entry.lineup else {}
    return {
        **made,
        **dict(zip(("refused", "weights", "answers"), unpacked(entry.found), strict=True)),
    }


def read_lock(text: str, path: Path) -> Lock:
    """The lock in a text; a damaged one is told with its place."""
    lock = loads(text, path, LOCK)
    codes = [entry.code for entry in lock.entries]
    if len(set(codes)) < len(codes):
        raise Damaged(f"{path}: a code stands there twice; {LOCK.cure}")
    return lock


def with_written(lock: Lock, written: Mapping[str, str]) -> Lock:
    """The lock that also knows which documents were written, and what was in them."""
    return replace(lock, written=dict(sorted(written.items())))
