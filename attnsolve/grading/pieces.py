"""Pieces of work: what one person, or a file of several people, handed in, before it is graded."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """A text to be graded: one person's, or a file of several people's that only its reader can part."""

    source: str
    text: str
    form: str = ""  # compact, yaml, json, csv, html; empty: by its looks
    line: int = 1  # where it starts in its file
    student: str = ""  # who it is if the text does not say
    trouble: str = ""  # why it cannot be read at all
    is_single: bool = True  # whether it is known to be one person's
    is_identified: bool = False  # whether a platform says whose it is: then the text cannot say otherwise
    variant: str = ""  # the code, if something beside the text says it
    remark: str = ""  # what else is to know, such as files that are not read
    is_own: bool = False  # whether the person it is about handed it in: then marks in it do not count

    @property
    def key(self) -> str:
        """A hash of what the marks depend on; where it stands does not matter."""
        known: list[Any] = [self.text, self.form, self.student]
        if self.is_identified or self.variant or self.remark:
            known += [self.is_identified, self.variant, self.remark]
        if self.is_own:
            known.append("own")
        return sha256(json.dumps(known).encode()).hexdigest()[:32]
