"""The problem that an exam is drawn from, as it is kept in the folder: its text and the data beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from attnsolve.documents import Node, parse
from attnsolve.engine import solve_asked
from attnsolve.errors import UsageError
from attnsolve.exams.folder import Folder, hash_of
from attnsolve.exams.lock import Entry, Lock
from attnsolve.exams.lockfile import Damaged
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import load_asked, loads_asked
from attnsolve.loader.set_texts import inlined
from attnsolve.problem_set import ProblemSet, Solved, problems_of


@dataclass(frozen=True, slots=True)
class Original:
    """A problem file, and the files with data that it names, by their place beside it."""

    name: str
    text: str
    data: Mapping[str, str]
    folder: Path  # where its data lies
    pictures: Mapping[str, bytes] = field(default_factory=dict)  # its figures, which change no variant

    @property
    def sha256(self) -> str:
        """A hash of all that variants depend on besides the key."""
        pieces = [self.text, *(f"{name}\0{text}" for name, text in sorted(self.data.items()))]
        return hash_of("\0".join(pieces))

    @property
    def lang(self) -> str:
        """The language of its sheets."""
        return loads_asked(self.text, name=self.name, folder=self.folder).lang


def read_original(path: Path, *, limits: Limits = LIMITS) -> Original:
    """The problem in a file; its faults are told with their places."""
    asked = load_asked(path, limits=limits)
    text = path.read_text("utf-8-sig").replace("\r\n", "\n")
    root = parse(text.encode(), str(path), limits=limits)
    if isinstance(asked, ProblemSet):
        check_data(asked, path.parent)
        text = inlined(root, path.parent)
        root = parse(text.encode(), str(path), limits=limits)
    files = {name: (path.parent / name).read_text("utf-8-sig") for name in named_files(root)}
    problems = problems_of(asked)
    every = [one for own in problems for versions in own.pictures.values() for one in versions.pictures]
    if isinstance(asked, ProblemSet) and asked.letterhead.logo is not None:
        every += asked.letterhead.logo.versions.pictures
    return Original(path.stem, text, files, path.parent, {one.file: one.data for one in every})


def kept_original(folder: Folder, lock: Lock) -> Original:
    """The problem as an exam keeps it."""
    text = folder.original()
    root = parse(text.encode(), lock.source.problem)
    files = {name: folder.data(name) for name in named_files(root)}
    return Original(lock.source.problem, text, files, folder.path / "problems")


def check_data(asked: ProblemSet, folder: Path) -> None:
    """Refuse exercises whose data lies in another folder than the sheet: an exam keeps all in one."""
    for exercise in asked.exercises:
        file = Path(exercise.problem.file)
        if file.parent == folder:
            continue
        if exercise.problem.pictures or any(named_files(parse(file.read_bytes(), str(file)))):
            raise UsageError(f"{file} has its data in another folder than the sheet; an exam needs it beside")


def kept_trace(folder: Folder, entry: Entry, name: str, *, limits: Limits = LIMITS) -> Solved:
    """The solution of the problem file that is kept for a code."""
    text = folder.problem_text(entry)
    if text is None:
        raise Damaged(f"{folder.path / entry.file} is gone; the command that made the exam draws it again")
    return solve_asked(loads_asked(text, name=name, folder=folder.path / "problems", limits=limits))


def named_files(node: Node) -> Iterator[str]:
    """Every `{file: …}` in a document; the loader has seen that each lies beside the problem."""
    if node.kind == "map" and [key.text for key, _ in node.entries] == ["file"]:
        value = node.entries[0][1]
        if value.kind == "text":
            yield value.text.strip()
    for child in (*node.items, *(value for _, value in node.entries)):
        yield from named_files(child)
