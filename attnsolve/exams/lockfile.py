"""The lock as JSON, one variant on a line; what is read back is checked before anything trusts it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exams.lock import NOW, STATUSES, Entry, Lock, Seat, Source
from attnsolve.papers import Cover, Layout, Sides, Solutions
from attnsolve.rendering.settings import DETAILS
from attnsolve.variants.generator import ALPHABET

FORMAT = 1
CODE = re.compile(f"[{ALPHABET}]{{4,8}}")
HASH = re.compile("[0-9a-f]{64}")
PROBLEM = re.compile(f"{NOW}(?:-[1-9][0-9]{{0,5}})?")


CURE = (
    "restore it from a copy; if there is none, draw into a new folder (-o) with the same --seed or --key: "
    "all but what was reissued comes out the same"
)


class Unfit(ValueError):
    """What is wrong with a lock, in words for a person."""


class Damaged(AttnsolveError):
    """A file of an exam that is not what was written."""

    exit_code = 3


def dumps(lock: Lock) -> str:
    """The lock as text."""
    head = {"format": FORMAT, **asdict(lock.source), "cover": asdict(lock.cover)}
    head |= {"layout": layout_record(lock.layout), "written": lock.written}
    return as_lines(head, "variants", [entry_record(entry) for entry in lock.entries])


def layout_record(layout: Layout) -> dict[str, Any]:
    """How documents are cut and printed, without what nobody asked for."""
    usual = Layout()
    kept = {name: value for name, value in asdict(layout).items() if value != getattr(usual, name)}
    return {"each": layout.each, "names": layout.names, "detail": layout.detail, **kept}


def restored_layout(kept: Mapping[str, Any]) -> Layout:
    """The layout that a record was made of."""
    flags = ("each", "names", "answers_apart", "saves_ink")
    if kept["detail"] not in DETAILS or any(kept.get(name, False) not in (True, False) for name in flags):
        raise Unfit("its layout")
    try:
        chosen = {"solutions": Solutions(kept.get("solutions", Solutions.USUAL))}
        return Layout(**(dict(kept) | chosen | {"sides": Sides(kept.get("sides", Sides.USUAL))}))
    except ValueError:
        raise Unfit("its layout") from None


def as_lines(head: Mapping[str, Any], name: str, rows: list[dict[str, Any]]) -> str:
    """A JSON object that people can compare line by line: each key, and each of the rows, on its own."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    body = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return "\n".join(["{", *lines, f'  "{name}": [', *([body] if body else []), "  ]", "}", ""])


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
        "refused": dict(sorted(entry.refused.items())),
        "weights": list(entry.weights),
        "answers": {name: [list(row) for row in rows] for name, rows in entry.answers.items()},
    }


def loads(text: str, path: Path) -> Lock:
    """The lock in a text; a damaged one is told with its place."""
    try:
        kept = json.loads(text)
        if kept["format"] != FORMAT:
            known = f"this release reads {FORMAT}; use the release that wrote it"
            raise Damaged(f"{path}: format {str(kept['format'])[:20]} is not known; {known}")
        entries = tuple(restored_line(number, row) for number, row in enumerate(kept["variants"], start=1))
        source = {name: kept[name] for name in Source.__dataclass_fields__}
        source["allowed"] = {part: tuple(judges) for part, judges in source["allowed"].items()}
        if kept["cover"]["page"] not in ("a4", "letter") or not 0 < Fraction(source["band"]) <= 1:
            raise Unfit("its page or its band")
        source["inseparable"] = tuple(source["inseparable"])
        lock = Lock(
            Source(**source),
            Cover(**kept["cover"]),
            restored_layout(kept["layout"]),
            entries,
            dict(kept["written"]),
        )
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        raise Damaged(f"{where}: not valid JSON ({error.msg.lower()}); {CURE}") from None
    except Unfit as error:
        raise Damaged(f"{path}: this is not a lock that attnsolve wrote ({error}); {CURE}") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise Damaged(f"{path}: this is not a lock that attnsolve wrote; {CURE}") from None
    codes = [entry.code for entry in lock.entries]
    if len(set(codes)) < len(codes):
        raise Damaged(f"{path}: a code stands there twice; {CURE}")
    return lock


def restored_line(number: int, row: Mapping[str, Any]) -> Entry:
    """The entry of a line of the lock; a damaged one is told by its number."""
    try:
        return restored(row)
    except Unfit:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Unfit(f"number {number} of its variants") from None


def restored(row: Mapping[str, Any]) -> Entry:
    """The entry that a line was made of; codes become file names, so they are looked at closely."""
    code, status, digest = str(row["code"]), str(row["status"]), str(row["sha256"])
    original = str(row.get("original", NOW))
    if not CODE.fullmatch(code):
        raise Unfit(f"{code[:20]!r} is no code")
    if status not in STATUSES or not HASH.fullmatch(digest) or not PROBLEM.fullmatch(original):
        raise Unfit(f"the line of {code}")
    return Entry(
        code=code,
        seat=Seat(str(row["seat"]), str(row.get("student", "")), str(row.get("name", ""))),
        sha256=digest,
        issue=int(row["issue"]),
        status=status,
        pinned=bool(row.get("pinned", False)),
        effort=int(row["effort"]),
        selection=str(row.get("selection", "")),
        refused={str(judge): int(times) for judge, times in row["refused"].items()},
        weights=tuple(map(int, row["weights"])),
        answers={
            str(name): tuple(tuple(map(str, cells)) for cells in rows)
            for name, rows in row["answers"].items()
        },
        original=original,
        lineup=tuple(map(int, row.get("exercises", ()))),
    )


def with_written(lock: Lock, written: Mapping[str, str]) -> Lock:
    """The lock that also knows which documents were written, and what was in them."""
    return replace(lock, written=dict(sorted(written.items())))
