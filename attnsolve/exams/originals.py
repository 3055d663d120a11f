"""The problem that an exam is drawn from, as it is kept in the folder: its text and the data beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from attnsolve.documents import Node, parse
from attnsolve.engine import solve_asked
from attnsolve.errors import UsageError
from attnsolve.exams.folder import Folder, hash_of
from attnsolve.exams.lock import Entry, Lock
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import load_asked, loads_asked
from attnsolve.loader.pools import exercise_nodes
from attnsolve.loader.set_texts import folders_of, inlined
from attnsolve.loader.sheet_format import is_set
from attnsolve.problem import Problem
from attnsolve.problem_set import ProblemSet, Solved, drawn_from, problems_of
from attnsolve.stored import Damaged


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
    places = [""]
    if isinstance(asked, ProblemSet):
        text = inlined(root, path.parent, folders=folders_needed(asked, path.parent))
        root = parse(text.encode(), str(path), limits=limits)
        places = folders_of(root)
    files = {name: (path.parent / name).read_text("utf-8-sig") for name in data_files(root)}
    pictures = pictures_by_place(problems_of(asked), places)
    if isinstance(asked, ProblemSet) and asked.letterhead.logo is not None:
        pictures |= {one.file: one.data for one in asked.letterhead.logo.versions.pictures}
    return Original(path.stem, text, files, path.parent, pictures)


def kept_original(folder: Folder, lock: Lock) -> Original:
    """The problem as an exam keeps it."""
    text = folder.original()
    root = parse(text.encode(), lock.source.problem)
    files = {name: folder.data(name) for name in data_files(root)}
    return Original(lock.source.problem, text, files, folder.path / "problems")


def folders_needed(asked: ProblemSet, folder: Path) -> dict[int, str]:
    """The folders below the sheet's in which exercises have data or figures, by their numbers."""
    found = {}
    for exercise in asked.exercises:
        file = Path(exercise.problem.file)
        if file.parent == folder:
            continue
        if exercise.problem.pictures or any(named_files(parse(file.read_bytes(), str(file)))):
            found[exercise.number] = file.parent.relative_to(folder).as_posix()
    return found


def pictures_by_place(problems: Sequence[Problem], places: Sequence[str]) -> dict[str, bytes]:
    """The figures of all problems by where they lie; papers show them by name, so one name is one figure."""
    found: dict[str, bytes] = {}
    shown: dict[str, bytes] = {}
    for problem, place in zip(problems, places, strict=True):
        for one in (one for versions in problem.pictures.values() for one in versions.pictures):
            if shown.setdefault(one.file, one.data) != one.data:
                raise UsageError(f"two exercises have different figures '{one.file}'; rename one of them")
            found[str(PurePosixPath(place) / one.file)] = one.data
    return found


def data_files(root: Node) -> Iterator[str]:
    """Every file with data that a problem names, or an exercise of a sheet with its problems in it."""
    if not is_set(root):
        yield from named_files(root)
        return
    for item, place in zip(exercise_nodes(root), folders_of(root), strict=True):
        yield from (str(PurePosixPath(place) / name) for name in named_files(item))


def kept_trace(folder: Folder, entry: Entry, name: str, *, limits: Limits = LIMITS) -> Solved:
    """The solution of the problem file that is kept for a code."""
    text = kept_text(folder, entry)
    asked = loads_asked(text, name=name, folder=folder.path / "problems", limits=limits)
    return solve_asked(drawn_from(asked, entry.lineup))


def kept_text(folder: Folder, entry: Entry) -> str:
    """The problem file that is kept for a code."""
    text = folder.problem_text(entry)
    if text is None:
        raise Damaged(f"{folder.path / entry.file} is gone; the command that made the exam draws it again")
    return text


def named_files(node: Node) -> Iterator[str]:
    """Every `{file: …}` in a document; the loader has seen that each lies beside the problem."""
    if node.is_map and [key.text for key, _ in node.entries] == ["file"]:
        value = node.entries[0][1]
        if value.is_text:
            yield value.text.strip()
    for child in node.items:
        yield from named_files(child)
    for _, child in node.entries:
        yield from named_files(child)
