"""Many problems at once: which files are meant, where documents go; one bad file stops no other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attnsolve.bundled import problem_files
from attnsolve.engine import solve, solve_asked, solve_set
from attnsolve.errors import AttnsolveError, BugFound, Fault, ProblemError, RefusedBySystem, UsageError
from attnsolve.input_files import place_of
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import load
from attnsolve.loader.asked import load_asked
from attnsolve.loader.files import PROBLEM_ENDINGS
from attnsolve.problem import Problem
from attnsolve.records import NamedTuple
from attnsolve.rendering import Document, Settings, render
from attnsolve.rendering.dialects import DIALECTS_BY_ENDING, DIALECTS_BY_NAME
from attnsolve.trace import Trace
from attnsolve.whole_files import encoded, is_no_file, replace_file

if TYPE_CHECKING:
    from attnsolve.problem_set import Solved


class Outcome(NamedTuple):
    """What became of one file: its document, or why there is none."""

    path: Path
    document: Document | None = None
    error: AttnsolveError | None = None
    title: str = ""  # of what was asked


def find(name: str) -> Path:
    """The file that a name on the command line means: a path, or a bundled problem."""
    path = Path(name)
    if path.exists() or (path.suffix in PROBLEM_ENDINGS and path.parent != Path(".")):
        return path
    known = problem_files()
    stem = path.stem if path.suffix in PROBLEM_ENDINGS else name
    if stem in known:
        return known[stem]
    for suffix in PROBLEM_ENDINGS if path.name else ():
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            return beside
    from difflib import get_close_matches  # only the misspelt need it

    close = get_close_matches(stem, list(known), n=1)
    hint = f"did you mean '{close[0]}'?" if close else "'attnsolve problems' lists the bundled ones"
    raise UsageError(f"there is no file or bundled problem '{name}'; {hint}")


def gather(names: Iterable[str]) -> list[Path]:
    """Every problem file that is meant; a folder means all problem files in it."""
    paths: list[Path] = []
    for name in names:
        path = find(name)
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix in PROBLEM_ENDINGS and p.is_file())
            if not inside:
                raise UsageError(f"the folder '{name}' has no problem files (*.yaml)")
            paths += inside
        else:
            paths.append(path)
    return list(dict.fromkeys(paths))


def solved(path: Path, *, limits: Limits = LIMITS) -> Trace:
    """The trace of the problem in a file."""
    return solve(load(path, limits=limits))


def solved_asked(path: Path, *, limits: Limits = LIMITS) -> Solved:
    """The solution of the problem or the problem set in a file."""
    return solve_asked(load_asked(path, limits=limits))


def render_together(paths: list[Path], name: str, settings: Settings, *, limits: Limits = LIMITS) -> Document:
    """One document of many files, whose figures are called after it; all faults of all files are told."""
    from attnsolve.problem_set import ProblemSet, numbered

    problems: list[Problem] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            asked = load_asked(path, limits=limits)
        except ProblemError as error:
            faults += error.faults
            continue
        inside = [one.problem for one in asked.exercises] if isinstance(asked, ProblemSet) else [asked]
        problems += inside
    if faults:
        raise ProblemError(faults)
    asked = ProblemSet(name, "Exercises", numbered(problems, name=name))
    return rendered(solve_set(asked), settings)


def rendered(solution: Solved, settings: Settings) -> Document:
    """A solved problem or problem set as a document, whichever room makes it."""
    if not DIALECTS_BY_NAME[settings.to].made_of:
        return render(solution, settings=settings)
    from attnsolve.notebooks import render_notebook  # few want one

    return render_notebook(solution, settings)


def is_one_document(paths: list[Path], output: str | None, settings: Settings) -> bool:
    """Whether several files become one document: in one named file, or printed where two cannot follow."""
    if len(paths) < 2:
        return False
    if output is None:
        return not DIALECTS_BY_NAME[settings.to].follows
    return not is_folder(output) and Path(output).suffix in DIALECTS_BY_ENDING


def is_folder(output: str) -> bool:
    """Whether a place on the command line means a folder."""
    return Path(output).is_dir() or output.endswith(("/", os.sep))


def render_all(paths: Iterable[Path], settings: Settings, *, limits: Limits = LIMITS) -> Iterator[Outcome]:
    """The documents of many files, in order; a file that fails says why and the next one goes on."""
    for path in paths:
        try:
            solution = solved_asked(path, limits=limits)
            made = rendered(solution, settings)
            yield Outcome(path, made, title=solution.problem.title)
        except AttnsolveError as error:
            yield Outcome(path, error=error)
        except OSError as error:
            yield Outcome(path, error=RefusedBySystem(error))
        except Exception as error:
            bug = BugFound(f"attnsolve hit a bug ({type(error).__name__})")
            bug.__cause__ = error
            yield Outcome(path, error=bug)


def index(titles: dict[Path, str], settings: Settings) -> tuple[Path, Document] | None:
    """Where the index of a folder goes, and the index; nothing for one page, or a format without."""
    name = DIALECTS_BY_NAME[settings.to].listing
    places = {place.parent / name for place in titles}
    if not name or len(titles) < 2 or len(places) != 1 or places & titles.keys():
        return None
    from attnsolve.rendering.sites import render_index

    return places.pop(), render_index([(title, place.name) for place, title in titles.items()], settings)


def destinations(paths: list[Path], output: str, settings: Settings) -> dict[Path, Path]:
    """Where each document goes: the named file, or files named after the problems in the named folder."""
    sheet = "" if settings.sheet == "solution" else f"-{settings.sheet}"
    ending = DIALECTS_BY_NAME[settings.to].endings[0]
    return placed(paths, output, f"{sheet}{ending}", files=tuple(DIALECTS_BY_ENDING))


def placed(paths: list[Path], output: str, ending: str, *, files: tuple[str, ...]) -> dict[Path, Path]:
    """The same for names with any ending; `files` are the endings that no folder has."""
    folder = is_folder(output)
    if not folder and len(paths) == 1:
        places = {paths[0]: Path(output)}
    elif not folder and Path(output).suffix in files:
        raise UsageError(f"several problems cannot go into one file; name a folder: -o {Path(output).stem}/")
    else:
        places = {path: Path(output) / f"{path.stem}{ending}" for path in paths}
    owners = {place_of(path): path for path in paths}
    for path, place in places.items():
        owner = owners.setdefault(place_of(place), path)
        if owner is not path or place_of(place) == place_of(path):
            raise UsageError(f"'{place}' is wanted for {path} but belongs to {owner}; name another place")
    return places


def write(document: Document, target: Path, *, force: bool, say: Callable[[str], None]) -> None:
    """Write a document and its figures; nothing that is there already is lost without `force`."""
    beside: dict[str, str | bytes] = {**dict(document.figures), **dict(document.pictures)}
    write_files(
        {target: document.content, **{target.parent / name: found for name, found in beside.items()}},
        force=force,
    )
    say(str(target))


def write_files(files: Mapping[Path, str | bytes], *, force: bool) -> None:
    """Write files, all or none where one would be lost."""
    for file, text in files.items():
        if file.is_symlink():
            raise AttnsolveError(f"'{file}' is a symbolic link; name another file")
        if is_no_file(file):
            raise AttnsolveError(f"'{file}' is no file; name another place")
        if file.exists() and not force and file.read_bytes() != encoded(text):
            raise AttnsolveError(f"'{file}' is there already; --force overwrites it")
    try:
        for file, text in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(file, text)
    except OSError as error:
        raise AttnsolveError(f"'{file}' cannot be written: {error.strerror or error}") from None
