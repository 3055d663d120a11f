"""A site as files: the pages of all exercises, what they look like, and what runs in the browser."""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from attnsolve.bundled import data
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.file_names import safe_stem
from attnsolve.input_files import text_in
from attnsolve.languages import CODES, speaking, spoken
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.files import leads_elsewhere
from attnsolve.loader.starter import starter
from attnsolve.practice.source import Source
from attnsolve.rendering import render
from attnsolve.site import archives, engine
from attnsolve.site.pages import Listed, Names, exercise_page, in_page, list_page, own_page
from attnsolve.site.topics import products_of, topic_of
from attnsolve.trace import Trace
from attnsolve.whole_files import replace_file

EXAMPLE = 1_000_000  # the variant that is worked out beside an exercise; nobody practises so many
MOST_GZIPPED = 16_000_000  # of all that the first visit loads
LATER = "engine/sympy.zip"  # only exercises that need it load it
LOOKS = (
    *("page.css", "practice.css", "maths.woff2", "GUST-FONT-LICENSE.txt"),
    *("practice.js", "engine.js", "grids.js", "keeping.js", "own.js", "shelf.js", "ticks.js"),
)
RESERVED = ("index", "own")  # pages that every site has
MARK = ".made-by-attnsolve-site"  # in a folder of ours, with the names of its files


class Size(NamedTuple):
    """A file of a site, and how much of it goes over a wire."""

    file: str
    bytes: int
    gzipped: int


class Site:
    """All files of a site, by their names."""

    def __init__(self, *, title: str = "", lang: str | None = None, say: Callable[[str], None]) -> None:
        self.title, self.say = title, say
        self.names = Names((lang,) if lang else CODES)
        self.files: dict[str, bytes] = {}
        self.pages: dict[str, list[str]] = {code: [] for code in CODES}  # the files of each language
        self.listed: list[Listed] = []
        self.skipped: dict[str, str] = {}

    def add_engine(self) -> None:
        """What runs in the browser."""
        for piece in (engine.PYODIDE, engine.TEMML):
            for name, content in engine.taken(piece, engine.had(piece, self.say)):
                self.files[f"engine/{name}"] = content
        self.files["engine/flint.whl"] = engine.had(engine.FLINT, self.say).read_bytes()
        pure = [engine.had(piece, self.say) for piece in engine.PURE]
        sympy = [engine.had(piece, self.say) for piece in engine.SYMPY]
        own = dict(archives.own_files())
        self.files["engine/python.zip"] = archives.packed({**dict(archives.library_files(pure)), **own})
        self.files[LATER] = archives.packed(archives.library_files(sympy))
        for name in ("worker.js", "formulas.js"):
            self.files[f"engine/{name}"] = asset(name)

    def add_looks(self) -> None:
        """What pages look like, and how they move."""
        for name in LOOKS:
            self.files[f"assets/{name}"] = asset(name)

    def add_exercises(self, paths: Sequence[Path], *, limits: Limits = LIMITS) -> Iterator[Path]:
        """The pages of every problem; one that cannot be practised is named, and stops no other."""
        sources = [(path, self.read(path, limits)) for path in paths]
        self.speak_as([source for _, source in sources if source is not None])
        for path, source in sources:
            try:
                if source is not None:
                    self.add_exercise(source)
            except AttnsolveError as error:
                self.skipped[str(path)] = str(error)
            yield path
        if not self.listed:
            reasons = "\n".join(f"{path}: {why}" for path, why in self.skipped.items())
            raise UsageError(f"no problem could be put on a site:\n{reasons}")

    def read(self, path: Path, limits: Limits) -> Source | None:
        """A problem with the files beside it; None where it cannot be read, which is remembered."""
        try:
            text = text_in(path, limits.file_bytes)
            source = Source(text, path.stem, path.parent, limits=limits)
            return source if source.problem.parts else None
        except (OSError, UnicodeDecodeError, AttnsolveError) as error:
            self.skipped[str(path)] = str(error)
            return None

    def speak_as(self, sources: Sequence[Source]) -> None:
        """Let the language of most problems be the first, where none was asked for."""
        if sources and len(self.names.codes) > 1:
            [(first, _)] = Counter(source.problem.lang for source in sources).most_common(1)
            self.names = Names((first, *(code for code in CODES if code != first)))

    def add_exercise(self, source: Source) -> None:
        """The pages of one problem, and worked examples with other numbers where it varies."""
        problem, drill = source.problem, source.drill(0)
        name = safe_stem(source.name)  # it becomes an address
        own = [self.names.page(one, code) for one in (name, f"{name}-example") for code in self.names.codes]
        if name in RESERVED or not self.files.keys().isdisjoint(own):
            raise AttnsolveError(f"a page is called '{name}' already; rename the file")
        listed = Listed(name, problem.title, topic_of(problem), products_of(problem))
        example = self.example(source)
        for code in self.names.codes:
            with speaking(code):
                beside = self.names.page(f"{name}-example") if example else ""
                if example:
                    self.add_page(beside, render(example, to="html", lang=code).text)
                made = exercise_page(listed, source, drill, self.names, example=beside)
                self.add_page(self.names.page(name), made)
        self.listed.append(listed)

    def add_page(self, name: str, text: str) -> None:
        """A page in the language that is spoken."""
        self.files[name] = text.encode()
        self.pages[spoken().code].append(name)

    def example(self, source: Source) -> Trace | None:
        """The problem solved with other numbers; None where there are none, which is said."""
        try:
            return source.drill(EXAMPLE).trace if source.varies else None
        except AttnsolveError as error:
            self.say(f"{source.name}: no worked example with other numbers: {error}")
            return None

    def finish(self) -> None:
        """The list, the page for a teacher's own file, and what keeps all of it offline."""
        for code in self.names.codes:
            with speaking(code):
                self.add_page(self.names.page("index"), list_page(self.listed, self.title, self.names))
                self.add_page(self.names.page("own"), own_page(starter("own-exercise"), self.names))
        digests = b"".join(sha256(self.files[name]).digest() for name in sorted(self.files))
        pages = {code: sorted(self.pages[code]) for code in self.names.codes}
        translated = {name for some in pages.values() for name in some}
        always = ["./", *sorted(name for name in self.files if name not in (*translated, LATER))]
        script = asset("offline.js").decode().replace("<<version>>", sha256(digests).hexdigest()[:16])
        script = script.replace("<<files>>", in_page(always)).replace("<<pages>>", in_page(pages))
        self.files["offline.js"] = script.encode()

    def sizes(self) -> list[Size]:
        """Every file, with its size and what a host sends of it."""
        return [Size(name, len(content), sent(name, content)) for name, content in self.files.items()]

    def write(self, folder: Path, *, force: bool) -> None:
        """All files in a folder; one that is not ours is left alone without `force`."""
        if folder.is_file() or folder.is_symlink():
            raise AttnsolveError(f"'{folder}' is not a folder; name another")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file() and not force:
            raise AttnsolveError(
                f"'{folder}' has files that are not of a site of ours; --force writes among them"
            )
        forget(folder, set(self.files))
        mark = "\n".join((*sorted(self.files), "")).encode()
        # The mark comes first: a build that is killed leaves a folder which the next one knows.
        for name, content in ((MARK, mark), *self.files.items()):
            place = folder / name
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                replace_file(place, content)
            except OSError as error:
                raise AttnsolveError(f"'{place}' cannot be written: {error.strerror or error}") from None


def sent(name: str, content: bytes) -> int:
    """How many bytes of a file a host sends that compresses; archives are compressed already."""
    return len(content) if name.endswith((".zip", ".whl", ".woff2")) else len(gzip.compress(content))


def forget(folder: Path, wanted: set[str]) -> None:
    """Take away the pages of an earlier site that this one does not have any more."""
    if (folder / MARK).is_file():
        # What is damaged in it names no page: that one stays, and nothing else is taken away for it.
        for name in set((folder / MARK).read_text("utf-8", "replace").splitlines()) - wanted:
            # Not `Path.is_file`, which complains of what is too long for a name.
            if not leads_elsewhere(Path(name)) and os.path.isfile(folder / name):
                (folder / name).unlink()


def first_visit(sizes: Sequence[Size]) -> int:
    """What the first visit to an exercise loads, compressed."""
    return sum(
        size.gzipped for size in sizes if size.file.startswith(("engine/", "assets/")) and size.file != LATER
    )


def asset(name: str) -> bytes:
    """A file of the pages."""
    return (data("templates") / "web" / name).read_bytes()
