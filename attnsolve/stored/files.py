"""A kept file as a whole: its format number, its checksum, and what is said when it is damaged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Generic, TypeVar

from attnsolve.errors import AttnsolveError
from attnsolve.stored import json_text
from attnsolve.stored.kinds import Record, Unsuitable, Way

T = TypeVar("T")
# Rows of a file, which may be read more than once.
Rows = Callable[[], Iterable[Mapping[str, Any]]]
CHECKSUM = "checksum"
ON_PURPOSE = f'if you changed it on purpose, delete its line "{CHECKSUM}"'


class Damaged(AttnsolveError):
    """A kept file that is not what was written."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Stored(Generic[T]):
    """How a kept file is written: what it is called, its format, its record, what helps against damage."""

    what: str  # "the lock of an exam"
    format: int
    record: Record[T]
    cure: str  # how to get going again
    has_checksum: bool = False  # where silent damage would change a mark or a paper


def lines_of(stored: Stored[Any], head: Mapping[str, Any], name: str, rows: Rows) -> Iterator[bytes]:
    """A file that people can compare line by line: each key, and each of the rows, on its own.

    The rows are read twice where a checksum stands before them, so that none has to be held.
    """
    head = {"format": stored.format, **head}
    head |= {CHECKSUM: checksum_by_rows(head, name, rows())} if stored.has_checksum else {}
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    yield "\n".join(["{", *lines, f'  "{name}": [']).encode()
    before = "\n    "
    for row in rows():
        yield f"{before}{json.dumps(row, ensure_ascii=False)}".encode()
        before = ",\n    "
    yield b"\n  ]\n}\n"


def loads(text: str, path: Path, stored: Stored[T]) -> T:
    """What a kept file holds; a Damaged where that cannot be, with the place and what belongs there."""
    try:
        value = json_text.read(text)
    except json_text.NotJson as error:
        line, column = json_text.place_at(text, error.offset)
        raise Damaged(f"{path}:{line}:{column}: {error.said}; {stored.cure}") from None
    if not isinstance(value, dict) or "format" not in value:
        raise Damaged(f"{path}: this is not {stored.what} that attnsolve wrote; {stored.cure}")
    if value["format"] != stored.format:
        known = f"this release reads format {stored.format}; use the release that wrote it"
        raise Damaged(f"{path}: format {ascii(value['format'])[:20]} is not known; {known}")
    kept = {key: item for key, item in value.items() if key not in ("format", CHECKSUM)}
    try:
        found = stored.record.read(kept)
    except Unsuitable as error:
        raise Damaged(f"{told(text, path, error)}; {stored.cure}") from None
    if CHECKSUM in value and value[CHECKSUM] != checksum({"format": stored.format, **kept}):
        raise Damaged(f"{path}: it was changed since attnsolve wrote it; {ON_PURPOSE}, else {stored.cure}")
    return found


def told(text: str, path: Path, error: Unsuitable) -> str:
    """`lock.json:12:7: variants[2].effort: a whole number from 0 to … is expected here`."""
    line, column = json_text.place_of(text, error.way)
    where = written(error.way)
    return f"{path}:{line}:{column}: {where}{': ' if where else ''}{error.said}"


def written(way: Way) -> str:
    """The way to a value as people write it, counted from 1."""
    steps = (f"[{step + 1}]" if isinstance(step, int) else f".{step[:40]!a}"[0] + plain(step) for step in way)
    return "".join(steps).lstrip(".")


def plain(key: str) -> str:
    """A key of a file as it can be shown anywhere."""
    return key[:40].encode("ascii", "backslashreplace").decode() if key.isprintable() else ascii(key[:40])


def checksum(value: Mapping[str, Any]) -> str:
    """A hash of what a file says, whatever its lines and spaces are."""
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def checksum_by_rows(head: Mapping[str, Any], name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """`checksum` of a head with its rows under a name, of which one is held at a time."""
    made = sha256()
    for before, key in zip(chain("{", repeat(", ")), sorted([*head, name]), strict=False):
        made.update(f"{before}{json.dumps(key)}: ".encode())
        if key != name:
            made.update(json.dumps(head[key], sort_keys=True).encode())
            continue
        made.update(b"[")
        for comma, row in zip(chain([""], repeat(", ")), rows, strict=False):
            made.update(f"{comma}{json.dumps(row, sort_keys=True)}".encode())
        made.update(b"]")
    made.update(b"}")
    return made.hexdigest()[:32]
