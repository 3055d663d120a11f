"""What a key of a problem file is: the record that recipes, loader and schema read."""

from __future__ import annotations

from collections.abc import Mapping

from attnsolve.ops import Op, Role
from attnsolve.records import NamedTuple


class Field(NamedTuple):
    """One key of a mapping in a problem file: what it holds and what it is for."""

    name: str
    kind: str
    doc: str
    required: bool = False
    role: Role | None = None  # of a matrix
    choices: tuple[str, ...] = ()
    low: int = 0  # for integers: the least and the most
    high: int = 0
    fields: tuple[Field, ...] = ()  # for maps and lists of maps: their own keys
    once: str = ""  # for lists in which nothing may stand twice: what to say when it does
    ops: Mapping[str, Op] = {}  # for a choice among ops that may have matrices and settings of their own
