"""Letters of options as people write them: `B`, `b`, `(B)`, `B)`, `A, C`, `A and C`, `AC`."""

from __future__ import annotations

import re

from attnsolve.choice import LETTERS

LETTER = rf"[(\[]?[{LETTERS}{LETTERS.lower()}][)\].]?"
BETWEEN = r"\s*(?:[,;&+/]|and|und|et)\s*|\s+"
# A line with letters and nothing else, as it may stand behind the name of a part.
TICKS = re.compile(rf"\s*{LETTER}(?:(?:{BETWEEN}){LETTER})*\s*")
# Several in one word are capitals: `AC`, but not `bad`.
TOGETHER = re.compile(rf"\s*[{LETTERS}]+[).]?\s*")
BEFORE = re.compile(r"\s*(?:option|answer|choice|letter)s?\b\s*:?", re.IGNORECASE)
QUOTES = str.maketrans("", "", "\"'`*_“”’‘")
LONGEST = 80


def are_ticks(text: str) -> bool:
    """Whether a text can only be the letters of some options."""
    return len(text) <= LONGEST and TICKS.fullmatch(text) is not None


def read_letters(text: str) -> str:
    """The letters that a text names, in their order; nothing where it is something else.

    No letter is there twice and all are capitals or none is: `D b C` may be the answers to two questions.
    """
    said = BEFORE.sub("", text[: LONGEST + 1].translate(QUOTES), count=1)
    if len(said) > LONGEST:
        return ""
    if TOGETHER.fullmatch(said):
        found = re.findall(rf"[{LETTERS}]", said)
    elif TICKS.fullmatch(said):
        found = [piece.strip("()[]. ") for piece in re.split(BETWEEN, said.strip())]
    else:
        return ""
    letters = "".join(sorted(found))
    is_clear = len(set(found)) == len(found) and (letters.isupper() or letters.islower())
    return letters.upper() if is_clear else ""
