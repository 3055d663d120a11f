"""How a run ends that somebody stops: by Ctrl-C, `kill`, a closed terminal or `timeout`."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# What asks a run to end, beside Ctrl-C.
ASKING = ("SIGTERM", "SIGHUP")
# `timeout` asks twice at once; who asks again later has seen that the first time came to nothing.
AGAIN = 1.0


class AskedToEnd(KeyboardInterrupt):
    """What Ctrl-C does, at the request of something else; whoever answers one answers the other."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def exit_code(stopped: BaseException | None) -> int:
    """128 and the number of the signal, as shells have it."""
    return 128 + (stopped.number if isinstance(stopped, AskedToEnd) else signal.SIGINT)


@contextmanager
def heeding() -> Iterator[None]:
    """Work that ends in order when it is asked to; what somebody else ignores or answers is left to him."""
    mine, asked = os.getpid(), -AGAIN

    def answer(number: int, _: FrameType | None) -> None:
        nonlocal asked
        if os.getpid() != mine:  # a process of ours that has not begun yet
            os._exit(128 + number)
        before, asked = asked, time.monotonic()
        if asked - before >= AGAIN:
            raise AskedToEnd(number)

    known = [getattr(signal, name) for name in ASKING if hasattr(signal, name)]
    free = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]
    for number in free:
        signal.signal(number, answer)
    try:
        yield
    finally:
        for number in free:
            signal.signal(number, signal.SIG_DFL)
