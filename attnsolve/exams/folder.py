"""The folder of an exam: its lock, its problem files, and a journal while it is being drawn."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR
from typing import TextIO

from attnsolve.errors import AttnsolveError
from attnsolve.exams import lockfile
from attnsolve.exams.lock import NOW, Entry, Lock, Source
from attnsolve.input_files import opened
from attnsolve.stored import Damaged, Unsuitable, line_of, records_in
from attnsolve.whole_files import HALF, Content, pieces_of, replace_file

LOCK, JOURNAL, ORIGINAL = "lock.json", "lock.json.journal", f"problems/{NOW}.yaml"
# There only while somebody writes into the folder: what is held, and who holds it since when.
CLAIM, IN_USE = "lock.json.claim", "lock.json.in-use"

# Files are read in pieces of so many bytes where only their hash is wanted.
PIECE = 1 << 20
# The documents that a later run may take away again.
CUT = "(?:exams|answers|solutions)(?:/[A-Za-z0-9-]+)?"
OWN = re.compile(rf"(?:{CUT}|key|contacts|fairness)\.(?:tex|pdf|html)")


class Folder:
    """Where an exam is kept; every file appears whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: TextIO | None = None

    def lock(self) -> Lock | None:
        """What was printed, if anything was."""
        path = self.path / LOCK
        if not path.exists():
            return None
        return lockfile.read_lock(self._read(path), path)

    @property
    def is_exam(self) -> bool:
        """Whether it has a lock."""
        return (self.path / LOCK).is_file()

    def locked(self) -> Lock:
        """What was printed; a folder without a lock is no exam."""
        lock = self.lock()
        if lock is None:
            raise self._no_exam()
        return lock

    def check_exam(self) -> None:
        """Refuse a folder without a lock."""
        if not self.is_exam:
            raise self._no_exam()

    def _no_exam(self) -> AttnsolveError:
        cure = f"'attnsolve variants PROBLEM -o {self.path}' makes one"
        return AttnsolveError(f"'{self.path}' is no exam: it has no {LOCK}; {cure}")

    def check_free(self) -> None:
        """Refuse a folder with anything in it that is not an exam's."""
        try:  # each is asked once: another run may take the folder away in between
            is_folder = S_ISDIR(self.path.lstat().st_mode)
            found = list(self.path.iterdir()) if is_folder else []
            names = {path.name for path in found if not is_left_over(path)}
        except FileNotFoundError:
            return
        except OSError as error:
            raise AttnsolveError(f"'{self.path}' cannot be read: {error.strerror or error}") from None
        if not is_folder:
            raise AttnsolveError(f"'{self.path}' is a file or a link; name a folder")
        if names and names.isdisjoint((LOCK, JOURNAL, CLAIM, IN_USE)) and not (self.path / ORIGINAL).exists():
            raise AttnsolveError(f"'{self.path}' holds other files and no exam; name a new or empty folder")

    def problem_text(self, entry: Entry) -> str | None:
        """The kept problem file of a variant, or None when it is gone; another text is an error."""
        path = self.path / entry.file
        if not path.exists():
            return None
        text = self._read(path)
        if hash_of(text) != entry.sha256:
            raise Damaged(
                f"{path} is not what was locked for {entry.code}; restore it, or delete it and "
                "run the same command again: it is drawn anew"
            )
        return text

    def original(self, name: str = NOW) -> str:
        """The text that variants are drawn from, or one that was before it."""
        path = self.path / f"problems/{name}.yaml"
        if not path.exists():
            raise Damaged(f"{path} is gone; copy the problem file there as it was when the exam was drawn")
        return self._read(path)

    def data(self, name: str) -> str:
        """A file with data that problems of this exam name; none outside the folder."""
        path = self.path / "problems" / name
        if not path.resolve().is_relative_to(self.path.resolve()):
            raise Damaged(f"'{name}' leads out of {self.path}")
        return self._read(path)

    def write(self, name: str, text: Content) -> None:
        """A file of the exam, whole; links are not followed out of the folder."""
        target = self.path / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_symlink() or target.parent.is_symlink():
                raise AttnsolveError(f"'{target}' is, or lies behind, a symbolic link; remove it")
            replace_file(target, text)
        except OSError as error:
            raise AttnsolveError(f"'{target}' cannot be written: {error.strerror or error}") from None

    def write_lock(self, lock: Lock) -> None:
        """Keep what is printed now, and forget how far the drawing was."""
        self.write(LOCK, lockfile.written_lock(lock))
        self.close()
        (self.path / JOURNAL).unlink(missing_ok=True)

    def sweep(self, codes: Container[str], *, unlocked: bool) -> None:
        """Take away what a run that was stopped has left: halves of files, and variants nobody wants now."""
        for place in ("", "problems", "exams", "answers", "solutions"):
            for path in (self.path / place).glob(f"{HALF}*"):
                path.unlink(missing_ok=True)
        for path in (self.path / "problems").glob("*.yaml") if unlocked else ():
            if lockfile.CODE.fullmatch(path.stem) and path.stem not in codes:
                path.unlink()

    def abandon(self, names: Iterable[str]) -> None:
        """Take away the files of an exam that does not come about, and folders in it that are empty then."""
        places: set[Path] = set()
        for name in names:
            (self.path / name).unlink(missing_ok=True)
            places |= {self.path / parent for parent in Path(name).parents}
        for place in sorted(places - {self.path}, reverse=True):
            with suppress(OSError):
                place.rmdir()

    def note(self, source: Source, entries: Iterable[Entry]) -> None:
        """Keep variants that are drawn while others are not yet; their files are written before."""
        if self._stream is None:
            self.path.mkdir(parents=True, exist_ok=True)
            journal = self.path / JOURNAL
            if journal.is_symlink() or (journal.exists() and not journal.is_file()):
                raise AttnsolveError(f"'{journal}' is a symbolic link, or no file; remove it")
            self._stream = journal.open("a", encoding="utf-8")
            self._stream.write("\n" + line_of({"source": asdict(source)}))  # ends a torn line
        for entry in entries:
            self._stream.write(line_of(lockfile.entry_record(entry)))
        self._stream.flush()

    def noted(self, source: Source) -> list[Entry]:
        """What a run that was stopped had drawn from the same source; a torn line is left out."""
        path = self.path / JOURNAL
        text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
        found: list[Entry] = []
        same = False
        for kept in filter(None, records_in(text)):
            with suppress(Unsuitable):  # of another release
                if "source" in kept:
                    same = lockfile.SOURCE_LINE.read(kept["source"]) == source
                elif same:
                    found.append(lockfile.ENTRY.read(kept))
        return found

    def check_untouched(self, hashes: Mapping[str, str], written: Mapping[str, str]) -> None:
        """Refuse to lose what somebody changed by hand since it was written."""
        for name, digest in hashes.items():
            path = self.path / name
            if path.is_file() and hash_of(pieces_in(path)) not in (digest, written.get(name)):
                raise AttnsolveError(f"'{path}' was changed since it was written; --force overwrites it")

    def remove(self, names: Iterable[str], written: Mapping[str, str]) -> None:
        """Take away documents of an earlier run that nobody has changed and that are not made any more."""
        for name in sorted(names):
            path = self.path / name
            if not OWN.fullmatch(name) or path.is_symlink() or not path.is_file():
                continue
            if hash_of(pieces_in(path)) == written[name]:
                path.unlink()

    def close(self) -> None:
        """Let the journal go."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def read(self, name: str) -> str:
        """The text of a file of the exam."""
        return self._read(self.path / name)

    def _read(self, path: Path) -> str:
        if path.is_symlink():
            raise AttnsolveError(f"'{path}' is a symbolic link; put the file itself there")
        try:
            with opened(path) as stream:
                return stream.read().decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8; restore it from a copy"
            raise Damaged(f"{path} cannot be read: {why}") from None


def is_left_over(path: Path) -> bool:
    """Whether it is half a file that a stopped run has left, or a folder without anything else in it."""
    if path.name.startswith(HALF) or path.is_symlink() or not path.is_dir():
        return path.name.startswith(HALF)
    return all(inner.name.startswith(HALF) for inner in path.iterdir())


def hash_of(content: Content) -> str:
    """The hash of a file by its text, or by its bytes."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    made = sha256()
    for piece in pieces_of(data):
        made.update(piece)
    return made.hexdigest()


def pieces_in(path: Path) -> Iterator[bytes]:
    """What a file holds, a piece at a time."""
    with path.open("rb") as stream:
        while piece := stream.read(PIECE):
            yield piece
