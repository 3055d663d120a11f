"""Files about a class: looked at before anything is written, and never written over what is not ours."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.rendering import Document
from attnsolve.whole_files import replace_file


class Output(NamedTuple):
    """A file that is to be written, and what it will hold."""

    path: Path
    data: bytes

    @classmethod
    def of(cls, path: Path, content: str | bytes) -> Output:
        """A file of text, or of anything else."""
        return cls(path, content.encode() if isinstance(content, str) else content)

    @property
    def hash(self) -> str:
        """What the journal knows it by."""
        return hash_of(self.data)


def hash_of(data: bytes) -> str:
    """A hash of a file as written."""
    return sha256(data).hexdigest()[:32]


def of_document(document: Document, path: Path) -> Iterator[Output]:
    """A document and the figures beside it."""
    yield Output.of(path, document.content)
    yield from (Output.of(path.parent / name, text) for name, text in document.figures)


def check_places(made: Sequence[Output], own: Container[str], *, force: bool) -> None:
    """Refuse to write over files that are not ours; `own` has the hashes of what we wrote."""
    for output in made:
        path = output.path
        if path.is_symlink():
            raise AttnsolveError(f"'{path}' is a symbolic link; name another place")
        if path.exists() and not path.is_file():
            raise AttnsolveError(f"'{path}' is no file; name another place")
        if force or not path.exists():
            continue
        there = path.read_bytes()
        if there != output.data and hash_of(there) not in own:
            raise AttnsolveError(f"'{path}' was changed since, or is not ours; --force overwrites it")


def write_all(made: Sequence[Output]) -> None:
    """Write all of them; what is in the way was looked at before."""
    for output in made:
        try:
            output.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(output.path, output.data)
        except OSError as error:
            raise AttnsolveError(f"'{output.path}' cannot be written: {error.strerror or error}") from None
