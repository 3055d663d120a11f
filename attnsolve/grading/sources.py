"""Which submissions there are: a folder of files, a file of one or many, a zip that stays packed on disk."""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.file_names import in_letters
from attnsolve.grading.moodle import Owner, owner_of, person_of
from attnsolve.grading.people import People
from attnsolve.grading.pieces import Piece
from attnsolve.grading.piles import Described, split
from attnsolve.input_files import opened as opened_file
from attnsolve.limits import LIMITS, Limits

SUFFIXES = (".txt", ".text", ".md", ".yaml", ".yml", ".json", ".csv", ".tsv", ".html", ".htm", "")
# What systems and programs leave beside the files that somebody meant.
LITTER = ("__macosx", "thumbs.db", "desktop.ini")
# What a file of a zip is called that has no name there.
NAMELESS = "nameless.txt"
# So many files of a folder for each student that a class may have.
FILES_EACH = 4


class Refused(AttnsolveError):
    """Something handed in that is not taken apart at all."""

    exit_code = 3


class File(NamedTuple):
    """A file that was handed in: where it comes from, its path below that, its bytes or why it has none."""

    source: str
    path: PurePosixPath
    data: bytes
    trouble: str = ""


def gather(
    names: Iterable[str | Path], *, limits: Limits = LIMITS, described: Described | None = None
) -> list[Piece]:
    """Every piece of work in the named places, in order; what cannot be read is a piece with its trouble."""
    known = described or Described(People())
    pieces: list[Piece] = []
    for name in names:
        files = list(opened(Path(name), limits))
        owned = [(file, owner) for file in files if (owner := owner_of(file.path)) is not None]
        strays = [file for file in files if owner_of(file.path) is None]
        found = [*of_owners(owned, known), *of_files(strays, known)]
        # What lies in a folder or a zip was handed in; a file that is named itself is whoever marks's.
        pieces += found if is_file(Path(name)) else [piece._replace(is_own=True) for piece in found]
        if len(pieces) > limits.students:
            said = f"more than {limits.students} submissions; --limit students=N raises the limit"
            raise Refused(f"{name}: {said}")
    return pieces


def of_files(files: list[File], known: Described) -> Iterator[Piece]:
    """The pieces of files that say themselves whose they are, or by their names."""
    for file, student in zip(files, owners([file.path for file in files]), strict=True):
        if file.trouble:
            yield Piece(file.source, "", student=student, trouble=f"not read: {file.trouble}")
            continue
        alone = len(files) == 1
        found = list(split(file.data, file.source, file.path.suffix, "" if alone else student, known))
        # The name of a single file is the student's only if nobody is named in it.
        nameless = alone and len(found) == 1 and found[0].is_single and not names_somebody(found[0])
        yield from [found[0]._replace(student=student)] if nameless else found


def of_owners(owned: list[tuple[File, Owner]], known: Described) -> Iterator[Piece]:
    """The pieces of files that a platform has put into folders by their owners, who are sure therefore."""
    belongings: dict[str, list[File]] = {}
    for file, owner in owned:
        belongings.setdefault(person_of(owner, known.people).student, []).append(file)
    for student, files in belongings.items():
        read, unread = ([file for file in files if bool(file.trouble) is side] for side in (False, True))
        said = "; ".join(f"{file.path.name}: {file.trouble}" for file in unread)
        if not read:
            yield Piece(files[0].source, "", student=student, trouble=f"not read: {said}")
        for file in read:
            for piece in split_owned(file, student):
                yield piece._replace(remark=f"not read: {said}" if said and file is read[0] else "")


def split_owned(file: File, student: str) -> Iterator[Piece]:
    """The one piece of a file whose owner is sure; another name in it changes nothing."""
    for piece in split(file.data, file.source, file.path.suffix, student, Described(People())):
        yield piece._replace(student=student, is_identified=True)


def names_somebody(piece: Piece) -> bool:
    """Whether a text may say whose it is."""
    return piece.is_identified or bool(piece.trouble) or "@" in piece.text or "student" in piece.text


def opened(path: Path, limits: Limits) -> Iterator[File]:
    """The files that a place holds."""
    if not path.exists():
        raise UsageError(f"there is no file or folder '{path}'")
    if path.is_dir():
        return in_folder(path, limits)
    if not is_file(path):
        return in_zip(path, limits)
    return iter([on_disk(path, PurePosixPath(in_letters(path.name)), limits.pile_bytes)])


def is_file(path: Path) -> bool:
    """Whether a place is one file, and no folder or zip of them."""
    return not path.is_dir() and path.suffix.lower() != ".zip"


def in_folder(folder: Path, limits: Limits) -> Iterator[File]:
    """Every file of a folder and the folders in it; a link leads elsewhere and is not followed."""
    most = FILES_EACH * limits.students
    found = list(islice(folder.rglob("*"), most + 1))
    if len(found) > most:
        raise Refused(f"{folder}: more than {most} files; name the folder that has the answers")
    for path in sorted(found):
        below = PurePosixPath(in_letters(path.relative_to(folder).as_posix()))
        if is_litter(below):
            continue
        if path.is_symlink():
            yield File(in_letters(str(path)), below, b"", "it is a symbolic link")
        elif path.suffix.lower() == ".zip":
            trouble = "a zip in a folder is not opened; name it, or unpack it"
            yield File(in_letters(str(path)), below, b"", trouble)
        elif path.is_file():
            yield on_disk(path, below, limits.pile_bytes)


def on_disk(path: Path, below: PurePosixPath, most: int) -> File:
    """A file with its bytes, no more than the limit."""
    trouble = unwanted(below)
    if trouble:
        return File(in_letters(str(path)), below, b"", trouble)
    try:
        with opened_file(path) as stream:
            data = stream.read(most + 1)
    except OSError as error:
        return File(in_letters(str(path)), below, b"", error.strerror or str(error))
    if len(data) > most:
        return File(in_letters(str(path)), below, b"", f"more than {most} bytes, the limit")
    return File(in_letters(str(path)), below, data)


def in_zip(path: Path, limits: Limits) -> Iterator[File]:
    """Every file of a zip, read into memory only: what it declares is checked first, then what comes out."""
    try:
        if not path.is_file():  # what has no end has no list of what is in it there
            raise Refused(f"{path} is no file; name a zip that is one")
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.filename.endswith("/")]
            if len(members) > limits.students:
                raise Refused(f"{path}: {len(members)} files; the limit is {limits.students}")
            declared = sum(one.file_size for one in members)
            if declared > limits.zip_bytes:
                raise Refused(f"{path}: unpacks to {size(declared)}; the limit is {size(limits.zip_bytes)}")
            left = limits.zip_bytes
            for member in sorted(members, key=lambda one: one.filename):
                below = PurePosixPath(member.filename.replace("\\", "/"))
                below = below if below.name else PurePosixPath(NAMELESS)
                if is_litter(below):
                    continue
                file = unzipped(archive, member, f"{path}/{below}", below, min(left, limits.pile_bytes))
                left -= len(file.data)
                yield file
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, ValueError) as error:
        raise Refused(f"{path}: this zip cannot be read: {error}") from None


def unzipped(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: str, below: PurePosixPath, most: int
) -> File:
    """One file of a zip; it may lie about its size, so the bytes are counted as they come."""
    trouble = unwanted(below)
    if ".." in below.parts or below.is_absolute() or ":" in below.parts[0] or not source.isprintable():
        trouble = "its name leads out of the zip"
        source = f"{archive.filename}/{below.name}" if below.name.isprintable() else f"{archive.filename}"
    elif member.flag_bits & 1:
        trouble = "it is locked with a password"
    elif below.suffix.lower() in (".zip", ".gz", ".7z", ".rar", ".tar", ".bz2", ".xz"):
        trouble = "a zip in a zip is not opened"
    if trouble:
        return File(source, below, b"", trouble)
    try:
        with archive.open(member) as stream:
            data = stream.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        return File(source, below, b"", f"it cannot be unpacked: {error}")
    if len(data) > most:
        return File(source, below, b"", f"more than {most} bytes, the limit")
    return File(source, below, data)


def unwanted(path: PurePosixPath) -> str:
    """Why a file is not opened, if its name tells."""
    if path.suffix.lower() in SUFFIXES:
        return ""
    return f"{path.suffix} is not a kind of file I read; type its answers as text, YAML, JSON or CSV"


def is_litter(path: PurePosixPath) -> bool:
    """Whether nobody meant to hand this in."""
    names = [part.lower() for part in path.parts if part != ".."]
    return any(name.startswith((".", "~$")) or name in LITTER for name in names)


def owners(paths: list[PurePosixPath]) -> list[str]:
    """Who each file belongs to, if it does not say: its name; its folder's, if files are called alike."""
    for guess in (
        [path.stem for path in paths],
        [path.parent.name for path in paths],
    ):
        if max(Counter(guess).values(), default=0) <= 1 and all(guess):
            return guess
    return [str(path.with_suffix("")) for path in paths]


def size(count: int) -> str:
    """So many bytes, in words."""
    return f"{count / 1_000_000:.0f} MB" if count >= 1_000_000 else f"{count} bytes"
