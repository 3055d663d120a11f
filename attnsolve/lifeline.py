"""Processes that a run starts: they end with it, however it ends, and leave interrupts to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # only who waits for one has loaded it
    from concurrent.futures import Future

Made = TypeVar("Made")

# Seconds until a process that was asked to end is made to.
GRACE = 1.0
# A terminal sends them to everybody: whoever runs the command answers, and takes its processes along.
LEFT_TO_THE_RUN = ("SIGINT", "SIGHUP")
STDIN = 0
# Filled when this process was asked to end while it was not at work.
ASKED: list[bool] = []
# Seconds until whoever waits looks whether he was asked to end.
A_MOMENT = 0.2


def end_with_parent() -> None:
    """Begin as a process of `multiprocessing`: end when asked to, or when the parent is gone."""
    leave_interrupts()
    signal.signal(signal.SIGTERM, remember)
    Thread(target=follow_parent, daemon=True).start()


def remember(*_: object) -> None:
    """Be asked to end between two works: half a result in the pipe would keep its reader waiting forever."""
    ASKED.append(True)


@contextmanager
def tidying() -> Iterator[None]:
    """Work of such a process that takes away what is half done before it ends."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        if ASKED:
            sys.exit(1)
        yield
    except SystemExit:  # a pool would hand it on as a result, and go on
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, remember)


def end_with_input() -> None:
    """Begin as a program whose input is held open, and never written to, as long as it is wanted."""
    leave_interrupts()
    Thread(target=follow_input, daemon=True).start()


def orders() -> Iterator[bytes]:
    """Begin as a program that takes work line by line: where no more comes, nobody waits for answers."""
    leave_interrupts()
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=take_orders, args=(waiting,), daemon=True).start()
    while True:
        yield waiting.get()


def leave_interrupts() -> None:
    """Take no notice of what concerns the whole run."""
    for name in LEFT_TO_THE_RUN:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def follow_parent() -> None:
    """End this process when the one that has started it is gone: otherwise it waits for work forever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    if os.name == "posix":  # what is half done is taken away, if that does not take long
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
    os._exit(1)


def follow_input() -> None:
    """End this process when nobody holds its input open any more."""
    while os.read(STDIN, 1024):
        pass
    os._exit(1)


def take_orders(waiting: SimpleQueue[bytes]) -> None:
    """Hand on each line of the input as it comes, and end this process with the last one."""
    try:
        # Not `sys.stdin`, for which the end of the process would wait.
        with open(STDIN, "rb", closefd=False) as lines:
            for line in lines:
                waiting.put(line)
    finally:
        os._exit(1)


def result_of(work: Future[Made]) -> Made:
    """What is made elsewhere; a signal that comes just before a wait would not end it, so no wait is long."""
    while not work.done():
        with suppress(TimeoutError):
            return work.result(A_MOMENT)
    return work.result()


def end(processes: Iterable[BaseProcess]) -> None:
    """End processes whose work nobody wants any more, by force where they do not within a moment."""
    ending = list(processes)
    for process in ending:
        process.terminate()
    until = time.monotonic() + GRACE
    for process in ending:
        process.join(max(0.0, until - time.monotonic()))
        process.kill()
