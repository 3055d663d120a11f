"""Whoever writes into an exam's folder holds it: a second run is told by whom, and touches nothing."""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import BaseFileLock, FileLock, SoftFileLock, Timeout

from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.exams.folder import CLAIM, IN_USE, Folder
from attnsolve.input_files import opened
from attnsolve.stored import TEXT, Record, Whole, json_text
from attnsolve.whole_files import replace_file

# What a disk without locks answers, as some network disks are.
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
# Who is busy with a folder, as it is said there: process, machine, and since when.
WHO = Record(lambda pid, host, since: (pid, host, since), {"pid": Whole(), "host": TEXT, "since": TEXT})
# How often the folder may be given up by others while it is being taken.
TRIES = 100


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
    words = folder.path / IN_USE
    try:
        lock = taken(folder.path / CLAIM, words)
        try:
            say_who(words)
            yield
        finally:
            give_up(lock, folder.path / CLAIM, words)
    finally:
        with suppress(OSError):  # where nothing came about, nothing stays
            for place in made:
                place.rmdir()


def taken(claim: Path, words: Path) -> BaseFileLock:
    """The lock of a folder, held; the system's own, or where a disk has none, a file that stands for it."""
    kind: type[BaseFileLock] = FileLock
    for _ in range(TRIES):
        held = claim if kind is FileLock else standing_for(claim)
        lock = kind(held, blocking=False, mode=0o644)
        try:
            claim.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
            return lock
        except Timeout:
            raise InUse(f"{in_use(words)}; {cure(kind, held)}") from None
        except (FileNotFoundError, FileExistsError):  # its folder was taken away just now, or as it was made
            continue
        except OSError as error:
            if kind is SoftFileLock or error.errno not in NO_LOCKS:
                raise AttnsolveError(f"'{claim}' cannot be written: {error.strerror or error}") from None
            kind = SoftFileLock
    raise InUse(f"'{claim}' cannot be had; look whether its folder is there, and try again")


def standing_for(claim: Path) -> Path:
    """The file that stands for a lock where the disk has none."""
    return claim.with_name(f"{claim.name}ed")


def cure(kind: type[BaseFileLock], held: Path) -> str:
    """What to do about a folder that is held; only a file that stands for a lock can be left behind."""
    waiting = "wait until it has ended"
    return f"{waiting}; if it has, delete {held}" if kind is SoftFileLock else waiting


def give_up(lock: BaseFileLock, claim: Path, words: Path) -> None:
    """Let the folder go and leave nothing there; who has the file open sees that it is not the one."""
    with suppress(OSError):
        words.unlink()
    if os.name != "nt":
        with suppress(OSError):
            claim.unlink()
    lock.release()
    if os.name == "nt":  # Windows takes no open file away
        with suppress(OSError):
            claim.unlink()


def say_who(words: Path) -> None:
    """Say who this is, for whoever comes second; in a file of its own: on Windows no held one is read."""
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    try:
        replace_file(words, json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": since}))
    except OSError as error:
        raise AttnsolveError(f"'{words}' cannot be written: {error.strerror or error}") from None


def in_use(words: Path) -> str:
    """Who is busy with the folder, and since when."""
    try:
        with opened(words) as stream:
            pid, host, since = WHO.read(json_text.read(stream.read(1000).decode("utf-8", "replace")))
        who = f"process {pid} on {host:.60} since {since:.30}"
    except (OSError, ValueError):
        who = "it has not said yet who it is"  # it has only just begun
    return f"another run of attnsolve writes into '{words.parent}' ({who})"
