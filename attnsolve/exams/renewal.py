"""Drawing all anew: what was printed stays known, with its own file and the problem it was drawn from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from attnsolve.errors import AttnsolveError
from attnsolve.exams.folder import Folder
from attnsolve.exams.lock import NOW, Entry, Lock
from attnsolve.exams.originals import Original, kept_original
from attnsolve.stored import Damaged


def outdated(folder: Folder, lock: Lock, given: Original) -> str:
    """The name under which the problem of before will be kept; empty when it is the one of now."""
    for name, text in given.data.items():
        if (folder.path / "problems" / name).exists() and folder.data(name) != text:
            raise AttnsolveError(
                f"'{name}' was changed, and the codes that {folder.path} has printed need it as it was; "
                "draw into another folder (-o), or give the new data another name"
            )
    if given.sha256 == lock.source.sha256:
        return ""
    taken = {entry.original for entry in lock.entries}
    return next(name for n in range(1, len(taken) + 2) if (name := f"{NOW}-{n}") not in taken)


def remembered(lock: Lock, name: str) -> tuple[Entry, ...]:
    """What is locked, each line knowing by name which problem it was drawn from."""
    if not name:
        return lock.entries
    return tuple(replace(entry, original=name) if entry.original == NOW else entry for entry in lock.entries)


def archive(folder: Folder, old: Lock, name: str) -> None:
    """Keep the problem of before under its name; a run that was stopped may have done so already."""
    if not (folder.path / f"problems/{name}.yaml").exists():
        with suppress(Damaged):  # it is gone: what needs it says so
            kept = kept_original(folder, old)
            if kept.sha256 == old.source.sha256:
                folder.write(f"problems/{name}.yaml", kept.text)
