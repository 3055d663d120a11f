"""What somebody sees while a longer run goes on: a bar on a screen, elsewhere a line now and then."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import Any

import click

from attnsolve.cli.speech import tell
from attnsolve.errors import AttnsolveError

# Seconds until something is said, and then between two lines.
PATIENCE, EVERY = 1.0, 5.0
LEARNING = "learning what is usual work …"


class Stopped(AttnsolveError):
    """Somebody pressed Ctrl-C where nothing is lost by it."""

    exit_code = 130


@contextmanager
def resumable() -> Iterator[None]:
    """Work that goes on where it was stopped, and says so."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped("stopped; run the same command again to go on") from None


@contextmanager
def learning() -> Iterator[None]:
    """What must be found out before anything can be counted; nothing is said where it takes no time."""
    timer = Timer(PATIENCE, tell, [LEARNING])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def watched(work: Iterator[Any], count: int, label: str) -> None:
    """Carry work out, counting."""
    if sys.stderr.isatty() and count > 2:
        with click.progressbar(work, length=count, label=label, show_pos=True, file=sys.stderr) as bar:
            deque(bar, maxlen=0)
        return
    said = monotonic()
    for number, _ in enumerate(work, start=1):
        if monotonic() - said >= EVERY:
            tell(f"{label}: {number} of {count}")
            said = monotonic()
