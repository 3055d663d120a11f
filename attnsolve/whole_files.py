"""Files that appear whole or not at all, whenever a run is stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from errno import EEXIST
from functools import lru_cache
from pathlib import Path

# What a file is called until it is whole.
HALF = ".attnsolve-"
# A file is half for a moment only; one that is older than this was left by a run that was killed.
LEFT_BEHIND = 600

# What is written: a text, data, or pieces of data that are too many to be held at once.
Content = str | bytes | Iterable[bytes]


def replace_file(file: Path, content: Content, *, mode: int = 0o644) -> None:
    """Write beside the file and move it into place, so that nobody ever sees half of it."""
    if is_no_file(file) and not file.is_dir():  # of folders the system says so itself
        raise FileExistsError(EEXIST, "it is no file")
    sweep(file.parent)
    temporary = file.parent / f"{HALF}{os.urandom(8).hex()}"  # known before it is there
    try:
        with open(temporary, "xb", opener=for_us_alone) as stream:
            stream.writelines(pieces_of(content))
        os.chmod(temporary, mode)
        os.replace(temporary, file)
    except BaseException:
        with suppress(OSError):  # it is not there yet, or no more
            os.unlink(temporary)
        raise


def for_us_alone(path: str, flags: int) -> int:
    """A new file that nobody else can read while it is half."""
    return os.open(path, flags, 0o600)


def is_no_file(place: Path) -> bool:
    """Whether something stands there that is not to be written over: a folder, a pipe, a device."""
    return place.exists() and not place.is_file()


def pieces_of(content: Content) -> Iterable[bytes]:
    """What is written, piece by piece."""
    return (encoded(content),) if isinstance(content, str | bytes) else content


def encoded(content: str | bytes) -> bytes:
    """A text as it is written; anything else as it is."""
    return content.encode("utf-8") if isinstance(content, str) else content


@lru_cache(maxsize=64)
def sweep(folder: Path) -> None:
    """Take away what killed runs have left in a folder; once is enough for a process."""
    for half in folder.glob(f"{HALF}*"):
        with suppress(OSError):
            if half.stat().st_mtime < time.time() - LEFT_BEHIND:
                half.unlink()
