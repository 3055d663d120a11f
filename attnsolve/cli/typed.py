"""What is typed, or comes through a pipe: no more of it is read than anybody types."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator

from attnsolve.errors import UsageError
from attnsolve.limits import LIMITS, Limits


def accept_all_bytes() -> None:
    """Read what is no letter as a sign that nobody types, which is refused where a number is expected."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def everything_typed(limits: Limits) -> bytes:
    """The screen's input to its end; one that is too long, as far as its reader needs to refuse it."""
    return sys.stdin.buffer.read(limits.file_bytes + 1)


def lines_typed(prompt: Callable[[], str] | None = None, *, limits: Limits = LIMITS) -> Iterator[str]:
    """Line after line; on a screen the one that is typed can be edited."""
    accept_all_bytes()
    while True:
        if prompt is not None and sys.stdin.isatty():
            yield input(prompt())
            continue
        if prompt is not None:
            print(prompt(), end="", flush=True)
        line = sys.stdin.readline(limits.file_bytes + 1)
        if len(line) > limits.file_bytes:
            raise UsageError(f"a line of more than {limits.file_bytes} characters, the limit")
        if not line:
            return
        yield line.removesuffix("\n")
