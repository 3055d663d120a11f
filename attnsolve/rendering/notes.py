"""What was noted about a step, as sentences: the verifier notes in fragments that a table can hold too."""

from __future__ import annotations

import re
from collections.abc import Iterable

OFF = re.compile(r"(\d+) of (\d+) numbers (?:is|are) off")
NO_REASON = "by hand"  # what a report has in place of a reason that nobody gave
UNREAD = "was not read"
# What makes a sentence of a fragment that begins like this.
OPENINGS = {
    "cut off": "The numbers are ",
    "too few digits": "There are ",
    "rounded too early": "It was ",
    "written": "It is ",
    "already": "It is ",
    "masked": "It is ",
}


def sentences(notes: Iterable[str], *, counts: bool) -> list[str]:
    """Each note once, as a sentence; with `counts` also how many numbers are off, which tells a little."""
    kept = [note for note in dict.fromkeys(notes) if counts or not OFF.fullmatch(note)]
    return [made for note in kept if (made := spelled_out(note))]


def by_hand(reason: str) -> str:
    """That a person has given the marks, and why, if a reason is there."""
    return f"marked by hand: {reason.rstrip('.')}" if reason not in ("", NO_REASON) else "marked by hand"


def spelled_out(note: str) -> str:
    """A fragment with what it lacks to be a sentence; nothing where there is nothing to say."""
    off = OFF.fullmatch(note)
    if off:
        return how_many(int(off[1]), int(off[2]))
    opening = next((words for start, words in OPENINGS.items() if note.startswith(start)), "")
    text = f"{opening}{note}"
    if re.match(r"[a-z]{2,} ", text):  # but not q = …, and no name
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def how_many(off: int, written: int) -> str:
    """How many numbers are off; of one number that is known already."""
    if written == 1:
        return ""
    if off == written:
        return "Both numbers are off." if off == 2 else f"All {off} numbers are off."
    return f"{off} of {written} numbers {'is' if off == 1 else 'are'} off."
