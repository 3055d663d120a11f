"""Journals: a record a line, kept as it is made; a line that was torn or changed is told from the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from attnsolve.stored import json_text

DIGITS = 16


def line_of(record: Mapping[str, Any]) -> str:
    """A record as a line, with a hash of it before it."""
    text = json.dumps(record, separators=(",", ":"))
    return f"{hash_of(text)} {text}\n"


def records_in(text: str) -> Iterator[dict[str, Any] | None]:
    """The record of each line; None for one that is torn or was changed."""
    for line in text.splitlines():
        kept, space, said = line.partition(" ")
        if space and kept == hash_of(said):
            yield record_in(said)
        elif line.strip():
            yield None


def record_in(text: str) -> dict[str, Any] | None:
    """The record in a text; None where there is none, although its hash is right."""
    try:
        record = json_text.read(text)
    except json_text.NotJson:
        return None
    return record if isinstance(record, dict) else None


def hash_of(text: str) -> str:
    """What tells a line that was changed."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
