"""The short codes at the top of each page: decided by the key, and none twice in an exam."""

from __future__ import annotations

import re
from collections.abc import Collection

from attnsolve.errors import AttnsolveError
from attnsolve.variants import Stream

TRIES = 10_000
# What a spreadsheet would take for a number (22E4) or a date (MAR5).
MISREAD = re.compile(r"[0-9]+E?[0-9]+|(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|NOV|DEC)[0-9]")


def fresh_code(key: bytes, problem: str, version: int, identity: str, taken: Collection[str]) -> str:
    """The first fit code of an identity's stream that nobody before it has."""
    stream = Stream(key, problem, version, identity, "code")
    for _ in range(TRIES):
        code = stream.code()
        if code not in taken and is_fit(code):
            return code
    raise AttnsolveError("there are no codes left; so many variants need an exam of their own each")


def is_fit(code: str) -> bool:
    """Whether a code is neither a word, which might be a rude one, nor what a spreadsheet changes."""
    return not code.isalpha() and not MISREAD.fullmatch(code)
