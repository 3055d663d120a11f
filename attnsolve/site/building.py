"""A site as files: the pages of all exercises, what they look like, and what runs in the browser."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from attnsolve.bundled import data
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.languages import ENGLISH, speaking
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.starter import starter
from attnsolve.practice.source import Source
from attnsolve.rendering import render
from attnsolve.site import archives, engine
from attnsolve.site.pages import Listed, exercise_page, list_page, own_page
from attnsolve.site.topics import products_of, topic_of
from attnsolve.whole_files import replace_file

EXAMPLE = 1_000_000  # the variant that is worked out beside an exercise; nobody practises so many
MOST_GZIPPED = 16_000_000  # of all that the first visit loads
LATER = "engine/sympy.zip"  # only exercises that need it load it
MARK = ".made-by-attnsolve-site"  # in a folder that we wrote, and may write again


class Size(NamedTuple):
    """A file of a site, and how much of it goes over a wire."""

    file: str
    bytes: int
    gzipped: int


class Site:
    """All files of a site, by their names."""

    def __init__(self, *, title: str = "", lang: str | None = None, say: Callable[[str], None]) -> None:
        self.title, self.lang, self.say = title, lang, say
        self.files: dict[str, bytes] = {}
        self.listed: list[Listed] = []
        self.skipped: dict[str, str] = {}

    def add_engine(self) -> None:
        """What runs in the browser."""
        for piece in (engine.PYODIDE, engine.KATEX):
            for name, content in engine.taken(piece, engine.had(piece, self.say)):
                self.files[f"engine/{name}"] = content
        self.files["engine/flint.whl"] = engine.had(engine.FLINT, self.say).read_bytes()
        pure = [engine.had(piece, self.say) for piece in engine.PURE]
        sympy = [engine.had(piece, self.say) for piece in engine.SYMPY]
        own = dict(archives.own_files())
        self.files["engine/python.zip"] = archives.packed({**dict(archives.library_files(pure)), **own})
        self.files[LATER] = archives.packed(archives.library_files(sympy))
        self.files["engine/worker.js"] = asset("worker.js")

    def add_looks(self) -> None:
        """What pages look like, and how they move."""
        for name in (
            "page.css",
            "practice.css",
            "practice.js",
            "shelf.js",
            "maths.woff2",
            "GUST-FONT-LICENSE.txt",
        ):
            self.files[f"assets/{name}"] = asset(name)

    def add_exercises(self, paths: Sequence[Path], *, limits: Limits = LIMITS) -> Iterator[Path]:
        """The page of every problem; one that cannot be practised is named, and stops no other."""
        for path in paths:
            try:
                self.add_exercise(path, limits)
            except AttnsolveError as error:
                self.skipped[str(path)] = str(error)
            yield path
        if not self.listed:
            reasons = "\n".join(f"{path}: {why}" for path, why in self.skipped.items())
            raise UsageError(f"no problem could be put on a site:\n{reasons}")

    def add_exercise(self, path: Path, limits: Limits) -> None:
        """The page of one problem, and a worked example with other numbers where it varies."""
        # As the browser has it: without the files beside it.
        source = Source(path.read_text("utf-8-sig"), path.stem, Path("/nowhere"), limits=limits)
        drill = source.drill(0)
        problem = source.problem
        with speaking(self.lang or problem.lang):
            example = self.example(source)
            listed = Listed(path.stem, problem.title, topic_of(problem), products_of(problem), bool(example))
            self.files[f"{path.stem}.html"] = exercise_page(listed, drill, source.text).encode()
            if example:
                self.files[f"{path.stem}-example.html"] = example.encode()
        self.listed.append(listed)

    def example(self, source: Source) -> str:
        """A worked solution with other numbers; nothing where there are none, which is said."""
        try:
            return (
                render(source.drill(EXAMPLE).trace, to="html", lang=self.lang).text if source.varies else ""
            )
        except AttnsolveError as error:
            self.say(f"{source.name}: no worked example with other numbers: {error}")
            return ""

    def finish(self) -> None:
        """The list, the page for a teacher's own file, and what keeps all of it offline."""
        with speaking(self.lang or ENGLISH.code):
            self.files["index.html"] = list_page(self.listed, self.title).encode()
            self.files["own.html"] = own_page(starter("own-exercise")).encode()
        names = sorted(name for name in self.files if name != LATER)
        version = sha256(
            b"".join(sha256(self.files[name]).digest() for name in sorted(self.files))
        ).hexdigest()[:16]
        listed = "[" + ", ".join(f'"{name}"' for name in ["./", *names]) + "]"
        script = asset("offline.js").decode().replace("<<version>>", version).replace("<<files>>", listed)
        self.files["offline.js"] = script.encode()

    def sizes(self) -> list[Size]:
        """Every file of the engine and the looks, and the pages together."""
        return [
            Size(name, len(content), len(gzip.compress(content, 9))) for name, content in self.files.items()
        ]

    def write(self, folder: Path, *, force: bool) -> None:
        """All files in a folder; one that is not ours is left alone without `force`."""
        if folder.is_file() or folder.is_symlink():
            raise AttnsolveError(f"'{folder}' is not a folder; name another")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file() and not force:
            raise AttnsolveError(
                f"'{folder}' has files that are not of a site of ours; --force writes among them"
            )
        # The mark comes first: a build that is killed leaves a folder which the next one knows.
        for name, content in ((MARK, b"written by attnsolve site\n"), *self.files.items()):
            place = folder / name
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                replace_file(place, content)
            except OSError as error:
                raise AttnsolveError(f"'{place}' cannot be written: {error.strerror or error}") from None


def first_visit(sizes: Sequence[Size]) -> int:
    """What the first visit to an exercise loads, compressed."""
    return sum(
        size.gzipped for size in sizes if size.file.startswith(("engine/", "assets/")) and size.file != LATER
    )


def asset(name: str) -> bytes:
    """A file of the pages."""
    return (data("templates") / "web" / name).read_bytes()
