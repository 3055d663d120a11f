"""Whoever writes into an exam's folder holds it: a second run is told by whom, and touches nothing."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.exams.folder import IN_USE, Folder

try:
    import fcntl
except ImportError:  # not on Windows; there the file itself is the sign
    fcntl = None  # type: ignore[assignment]

FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
# How often the folder may be given up by others while it is being taken.
TRIES = 100

_held: set[int] = set()


class InUse(UsageError):
    """Another run is busy with the folder."""


@contextmanager
def claimed(folder: Folder, *, new: bool = False) -> Iterator[None]:
    """The folder for this run alone; the system lets it go when the process dies, however it dies."""
    if new:
        folder.check_free()
    else:
        folder.check_exam()
    made = [place for place in (folder.path, *folder.path.parents) if not place.exists()]
    try:
        sign = folder.path / IN_USE
        handle = taken(sign)
        try:
            yield
        finally:
            give_up(handle, sign)
    finally:
        with suppress(OSError):  # where nothing came about, nothing stays
            for place in made:
                place.rmdir()


def taken(sign: Path) -> int:
    """The file that says who is busy, open and ours."""
    for _ in range(TRIES):
        try:
            sign.parent.mkdir(parents=True, exist_ok=True)
            handle, is_new = opened(sign)
        except FileNotFoundError:  # the file or its folder was taken away just now
            continue
        except OSError as error:
            raise AttnsolveError(f"'{sign}' cannot be written: {error.strerror or error}") from None
        try:
            hold(handle, sign, is_new=is_new)
            if is_still(handle, sign):
                os.truncate(handle, 0)
                os.write(handle, json.dumps(holder()).encode())
                _held.add(handle)
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
    raise InUse(f"'{sign}' cannot be had; look whether its folder is there, and try again")


def give_up(handle: int, sign: Path) -> None:
    """Take the file away while it is ours, so that whoever has it open sees that it is not the one."""
    _held.discard(handle)
    if fcntl is None:
        os.close(handle)  # Windows takes no open file away
    with suppress(OSError):
        sign.unlink()
    if fcntl is not None:
        os.close(handle)


def opened(sign: Path) -> tuple[int, bool]:
    """The file as it is, or made now."""
    try:
        return os.open(sign, FLAGS | os.O_CREAT | os.O_EXCL, 0o644), True
    except FileExistsError:
        return os.open(sign, FLAGS), False


def hold(handle: int, sign: Path, *, is_new: bool) -> None:
    """Hold the file, or say who does; where the system has no locks, whoever made it holds it."""
    try:
        if fcntl is None:
            raise OSError("no locks")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InUse(f"{in_use(handle, sign)}; wait until it has ended") from None
    except OSError:  # a disk without locks, as some network disks are
        if not is_new:
            cure = f"wait until it has ended; if it has, delete {sign}"
            raise InUse(f"{in_use(handle, sign)}; {cure}") from None


def is_still(handle: int, sign: Path) -> bool:
    """Whether the file is the one in the folder: who held it before has taken it away at the end."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(sign))
    except FileNotFoundError:
        return False


def holder() -> dict[str, str | int]:
    """Who this is, for whoever comes second."""
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def in_use(handle: int, sign: Path) -> str:
    """Who is busy with the folder, and since when."""
    try:
        known = json.loads(os.pread(handle, 1000, 0) if hasattr(os, "pread") else os.read(handle, 1000))
        who = f"process {int(known['pid'])} on {known['host']!s:.60} since {known['since']!s:.30}"
    except (ValueError, KeyError, TypeError):
        who = "it has not said yet who it is"  # it has only just begun
    return f"another run of attnsolve writes into '{sign.parent}' ({who})"


def _let_go() -> None:
    """Workers that outlive a killed run must not hold its folder; closing here frees nothing there."""
    for handle in _held:
        os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
