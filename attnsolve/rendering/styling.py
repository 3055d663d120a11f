"""The style that documents are made in: one for all that is rendered inside a `with styled(style)`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from attnsolve.languages import rewording
from attnsolve.limits import LIMITS, Limits
from attnsolve.records import NamedTuple
from attnsolve.style import PLAIN, Style


class Manner(NamedTuple):
    """A style, whether only the body is wanted, and what templates that are not ours may use up."""

    style: Style = PLAIN
    fragment: bool = False
    limits: Limits = LIMITS


USUAL = Manner()
CHOSEN: ContextVar[Manner] = ContextVar("manner")


def current() -> Manner:
    """What holds now."""
    return CHOSEN.get(USUAL)


@contextmanager
def styled(
    style: Style | None = None, *, fragment: bool = False, limits: Limits = LIMITS
) -> Iterator[Manner]:
    """Let all documents that are made inside have a style."""
    manner = Manner(style or PLAIN, fragment, limits)
    token = CHOSEN.set(manner)
    try:
        with rewording(manner.style.own_words):
            yield manner
    finally:
        CHOSEN.reset(token)
