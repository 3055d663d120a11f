"""What somebody sees while a longer run goes on: a bar on a screen, a line now and then, what is slow."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread, Timer
from time import monotonic
from typing import Any

import click

from attnsolve.cli.speech import tell
from attnsolve.cli.stopping import exit_code
from attnsolve.errors import AttnsolveError
from attnsolve.pace import WHOLE, Pace, Piece

# Seconds until something is said, and then between two lines.
PATIENCE, EVERY = 1.0, 5.0
# A page that takes longer than so many seconds says what it works on, and in the end what took longest.
LONG = 5.0
MOST_NAMED = 3
LEARNING = "learning what is usual work …"


class Stopped(AttnsolveError):
    """Somebody stopped a run where nothing is lost by it."""

    def __init__(self, how: KeyboardInterrupt) -> None:
        super().__init__("stopped; run the same command again to go on")
        self.exit_code = exit_code(how)


@contextmanager
def resumable() -> Iterator[None]:
    """Work that goes on where it was stopped, and says so."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        raise Stopped(stopped) from None


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


@contextmanager
def naming_what_is_slow(about: str, say: Callable[[str], None] = tell) -> Iterator[None]:
    """Work on a page; where it takes long, somebody who waits is told for what."""
    with Pace() as pace:
        timer = Repeated(LONG, lambda: say(f"{about}: {so_far(pace)}"))
        timer.start()
        try:
            yield
        finally:
            timer.stop()
    if pace.seconds >= LONG:
        say(f"{about}: {in_the_end(pace)}")


class Repeated:
    """Something that is done every few seconds, beside all else, until it is stopped."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self._seconds = seconds
        self._act = act
        self._is_over = Event()

    def start(self) -> None:
        """Begin to wait."""
        with suppress(RuntimeError):  # where no threads are to be had, nobody is told
            Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Do it no more."""
        self._is_over.set()

    def _run(self) -> None:
        while not self._is_over.wait(self._seconds):
            self._act()


def so_far(pace: Pace) -> str:
    """`10 s so far, solving a.layer2.G (gelu)`."""
    doing = pace.doing
    what = f", {doing[0].value} {called(doing[1])}" if doing else ""
    return f"{pace.seconds:.0f} s so far{what}"


def in_the_end(pace: Pace) -> str:
    """`took 12 s; slow: solving a.layer2.G (gelu) 7 s, writing a.layer1.A (softmax) 2 s`."""
    named = [
        f"{work.value} {called(piece)} {seconds:.0f} s" for work, piece, seconds in pace.longest(MOST_NAMED)
    ]
    slow = f"; slow: {', '.join(named)}" if named else f", on {len(pace.took)} pieces of work that are alike"
    return f"took {pace.seconds:.0f} s{slow}"


def called(piece: Piece) -> str:
    """A step by its name and op; a page has none."""
    return "the page" if piece == WHOLE else f"{piece[0]} ({piece[1]})"
