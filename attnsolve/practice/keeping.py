"""Progress as a text that can be kept in a file or a browser, and back; what is not ours is refused."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.practice.answers import LONGEST
from attnsolve.practice.drill import Drill, ValueKind
from attnsolve.practice.progress import HIGHEST, Cells, Progress, Round, Work

SCHEMA = 1
MOST_BYTES, MOST_COUNT, MOST_ROUNDS, MOST_MISTAKES = 1_000_000, 1_000_000, 1_000, 100
LONGEST_NAME = 100


class Foreign(AttnsolveError):
    """A text that is no progress of ours, or of another exercise."""

    exit_code = 3


def kept(progress: Progress, digest: str) -> str:
    """Progress as a text."""
    record = {
        "schema": SCHEMA,
        "problem": digest,
        "variant": progress.variant,
        "at": progress.at,
        "values": {name: work_record(work) for name, work in progress.works.items()},
        "rounds": [[one.variant, one.right, one.total, list(one.mistakes)] for one in progress.rounds],
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def work_record(work: Work) -> dict[str, Any]:
    """The work on one value for JSON."""
    return {
        "cells": [list(row) for row in work.cells],
        "tries": work.tries,
        "hints": work.hints,
        "helped": work.helped,
        "shown": work.shown,
        "mistakes": list(work.mistakes),
    }


def variant_of(text: str, digest: str) -> int:
    """Which variant a kept progress is about, which has to be known before the rest can be looked at."""
    return count(parsed(text, digest), "variant")


def restored(text: str, digest: str, drill: Drill) -> Progress:
    """Progress from a text; a Foreign error where anything in it cannot be ours."""
    record = parsed(text, digest)
    at, values, rounds = record.get("at"), record.get("values"), record.get("rounds")
    if not isinstance(values, dict) or not isinstance(rounds, list) or len(rounds) > MOST_ROUNDS:
        raise Foreign("it has no list of values and rounds")
    if not isinstance(at, str) or at not in drill.by_name:
        raise Foreign("it is at a value that this exercise does not have")
    works = {name: work_of(drill, name, one) for name, one in values.items()}
    return Progress(count(record, "variant"), at, MappingProxyType(works), (), tuple(map(round_of, rounds)))


def parsed(text: str, digest: str) -> dict[str, Any]:
    """The JSON of a progress that belongs to this exercise."""
    if len(text) > MOST_BYTES:
        raise Foreign(f"it is longer than {MOST_BYTES} characters")
    from attnsolve.stored import json_text  # whoever begins has nothing to take up

    try:
        record = json_text.read(text)
    except json_text.NotJson as error:
        line, column = json_text.place_at(text, error.offset)
        raise Foreign(f"{error.said} (line {line}, column {column})") from None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise Foreign("it is no progress of this release of attnsolve")
    if record.get("problem") != digest:
        raise Foreign("it belongs to another exercise, or to an earlier text of this one")
    return record


def work_of(drill: Drill, name: str, record: object) -> Work:
    """The work on one value."""
    if name not in drill.by_name or not isinstance(record, dict):
        raise Foreign("it has a value that this exercise does not have")
    hints, helped = count(record, "hints", most=HIGHEST), count(record, "helped", most=HIGHEST)
    return Work(
        cells_of(drill, name, record.get("cells")),
        count(record, "tries"),
        hints,
        helped,
        record.get("shown") is True,
        words(record.get("mistakes"), MOST_MISTAKES),
    )


def cells_of(drill: Drill, name: str, cells: object) -> Cells:
    """What was typed for a value, in its shape."""
    if cells == []:
        return ()
    height, width = drill.by_name[name].shape
    longest = LONGEST if drill.by_name[name].kind is not ValueKind.NUMBERS else LONGEST // 8
    if not isinstance(cells, list) or len(cells) != height:
        raise Foreign(f"it has another number of rows for {name}")
    rows = tuple(words(row, width, longest=longest) for row in cells)
    if any(len(row) != width for row in rows):
        raise Foreign(f"it has another number of columns for {name}")
    return rows


def round_of(record: object) -> Round:
    """An earlier variant."""
    if not isinstance(record, list) or len(record) != 4:
        raise Foreign("it has a round that cannot be read")
    numbers = dict(zip(("variant", "right", "total"), record, strict=False))
    variant, right, total = (count(numbers, name) for name in numbers)
    return Round(variant, right, total, words(record[3], MOST_MISTAKES))


def count(record: dict[str, Any], name: str, *, most: int = MOST_COUNT) -> int:
    """A number that counts something."""
    found = record.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise Foreign(f"'{name}' is no number from 0 to {most}")
    return found


def words(found: object, most: int, *, longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """A list of short texts without signs that a screen would obey."""
    if not isinstance(found, list) or len(found) > most:
        raise Foreign("it has a list that is too long, or none")
    if not all(isinstance(one, str) and len(one) <= longest and is_plain(one) for one in found):
        raise Foreign("it has a text that nobody can have typed")
    return tuple(found)


def is_plain(text: str) -> bool:
    """Whether a text has only signs that are seen, and blanks."""
    return all(sign.isprintable() or sign.isspace() for sign in text)
