"""Claims as people hand them in: one in each line, `part b:` above them, `claim 3: only if m = 2`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from attnsolve.limits import LIMITS, Limits
from attnsolve.submission import Submission
from attnsolve.verifier.reading.claim_lines import PART, add_claim
from attnsolve.verifier.reading.compact import HEAD, MARK, Line, read_head, read_override
from attnsolve.verifier.reading.draft import Draft, LimitReached, check_crowd


def read_claims(
    text: str, source: str, *, limits: Limits = LIMITS, first_line: int = 1
) -> Iterator[Submission]:
    """A submission for each block below an @; without one, all of it is one person's."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=first_line) if line.strip()]
    heads = [number for number, line in lines if HEAD.match(line)]
    check_crowd(len(heads), source, limits, line=heads[-1] if heads else 1)
    block: list[Line] = []
    for number, line in lines:
        if block and HEAD.match(line):
            yield from _read_block(block, source, limits)
            block = []
        block.append((number, line))
    yield from _read_block(block, source, limits)


def _read_block(block: list[Line], source: str, limits: Limits) -> Iterator[Submission]:
    """What one person claims."""
    if not block:
        return
    draft = Draft(source, limits)
    part, is_named = "", bool(HEAD.match(block[0][1]))
    if is_named:
        read_head(draft, *block[0])
        block = block[1:]
    with suppress(LimitReached):
        for number, line in block:
            shown = line.strip().strip("$").strip()
            if shown.startswith("#") or not shown:
                continue
            if MARK.match(shown):
                read_override(draft, shown, number, 1, part=part)
            elif found := PART.fullmatch(shown):
                part = found["part"].lower()
            else:
                add_claim(draft, shown, part, number)
    if is_named or not draft.is_empty():
        yield draft.finish()
