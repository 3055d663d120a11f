"""Every cap in one record; only the person who runs the tool may raise one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from attnsolve.errors import UsageError
from attnsolve.records import NamedTuple


class Limits(NamedTuple):
    """How large a problem may be; exact solutions are meant to be read."""

    file_bytes: int = 1_000_000
    nodes: int = 50_000
    depth: int = 32
    tokens: int = 64
    dimension: int = 64
    heads: int = 16
    parts: int = 40
    calls: int = 400
    characters: int = 1_000
    brackets: int = 64
    operations: int = 500
    work: int = 10_000
    text: int = 20_000
    figure_bytes: int = 5_000_000
    bits: int = 4_096
    exponent: int = 64
    root_bits: int = 128
    faults: int = 50
    # What is handed in: by one person, and in one pile.
    numbers: int = 4_096
    answers: int = 5_000
    students: int = 10_000
    pile_bytes: int = 20_000_000
    zip_bytes: int = 50_000_000
    # What a document may take that is filled in by templates which are not ours.
    template_seconds: int = 20
    template_characters: int = 50_000_000
    # How long LaTeX may take for one run over a document.
    tex_seconds: int = 30
    # What the process that grades may use for one answer: processor time and memory.
    answer_seconds: int = 2
    megabytes: int = 2_000


LIMITS = Limits()


def raised(settings: Iterable[str] = (), *, environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits with `name=number` settings and ATTNSOLVE_LIMIT_NAME variables applied."""
    known = set(Limits._fields)
    changes = {
        name: _number(name, environment[variable])
        for name in known
        if (variable := f"ATTNSOLVE_LIMIT_{name.upper()}") in environment
    }
    for setting in settings:
        name, _, text = setting.partition("=")
        if name not in known:
            raise UsageError(f"there is no limit '{name}'; the limits are {', '.join(sorted(known))}")
        changes[name] = _number(name, text)
    return LIMITS._replace(**changes)


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and int(text) > 0):
        raise UsageError(f"the limit '{name}' must be a whole number above 0, such as {name}=128")
    return int(text)
