"""What stands in the place of a file that is read: a pipe, a circle of links, two versions at once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import BinaryIO, cast

# What stands in a file that was merged by version control, and not by anybody.
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
MERGED = "what version control leaves where two changes met; keep one of them"


def place_of(path: Path) -> Path:
    """Where a path leads, to be compared with others; links that lead in a circle lead nowhere."""
    return Path(os.path.realpath(path))


def opened(path: Path) -> BinaryIO:
    """A file for reading; a pipe that nobody writes into is empty, instead of being waited for."""
    return cast(BinaryIO, open(path, "rb", opener=_open_at_once))


def text_in(path: Path, most: int) -> str:
    """A text, or the beginning of one that has more than so many bytes and is refused by whoever reads it."""
    with opened(path) as stream:
        return stream.read(most + 1).decode("utf-8-sig", "strict")


def _open_at_once(path: str, flags: int) -> int:
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # which Windows does not have
    if hasattr(os, "set_blocking"):
        os.set_blocking(handle, True)  # what is on its way through a pipe is waited for
    return handle
