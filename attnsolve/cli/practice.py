"""Practice on the terminal: a prompt for every value, a verdict at once, and progress that is kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from attnsolve.cli.options import LANG, LIMIT
from attnsolve.cli.shows import NARROWEST, is_styled, usual_width
from attnsolve.cli.speech import tell
from attnsolve.cli.typed import lines_typed
from attnsolve.errors import AttnsolveError, UsageError

if TYPE_CHECKING:
    from attnsolve.limits import Limits
    from attnsolve.practice.drill import Drill
    from attnsolve.practice.events import Said, Shown
    from attnsolve.practice.progress import Progress
    from attnsolve.practice.session import Reply
    from attnsolve.practice.source import Source

Made = TypeVar("Made")
SIGNS = {"good": "✓ ", "bad": "✗ ", "hint": "→ ", "note": "  "}


@click.command()
@click.argument("problem")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides the numbers that 'new' draws.")
@click.option(
    "--variant", type=click.IntRange(0, 1_000_000), help="This variant; 0 has the file's own numbers."
)
@click.option("--fresh", is_flag=True, help="Begin anew; what was kept of this exercise is forgotten.")
@click.option(
    "--progress",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where progress is kept (default: a file of your own, one for each exercise).",
)
@LANG
@click.option("--width", type=click.IntRange(NARROWEST, 500), help="Columns (default: the terminal's).")
@LIMIT
def practice(
    problem: str,
    seed: int,
    variant: int | None,
    fresh: bool,
    file: Path | None,
    lang: str | None,
    width: int | None,
    raises: tuple[str, ...],
) -> None:
    """Practise a problem: type value after value, with a verdict at once and hints that rise."""
    from attnsolve.languages import speaking
    from attnsolve.limits import raised

    source = source_of(problem, seed, raised(raises))
    place = file or usual_place(source)
    with speaking(lang or source.problem.lang):
        table = Table(source, place, width or usual_width())
        table.sit_down(variant, fresh=fresh)
        table.stay()


def source_of(problem: str, seed: int, limits: Limits) -> Source:
    """The problem that is meant, as a source of exercises."""
    from attnsolve import batch
    from attnsolve.loader.asked import load_asked
    from attnsolve.practice.source import Source, require_questions
    from attnsolve.problem_set import ProblemSet

    path = batch.find(problem)
    if path.is_dir() or path.suffix == ".json":
        raise UsageError(f"'{problem}' is no problem file; name one exercise")
    asked = load_asked(path, limits=limits)
    if isinstance(asked, ProblemSet):
        files = ", ".join(dict.fromkeys(one.problem.file or one.problem.name for one in asked.exercises))
        raise UsageError(f"'{problem}' is a sheet of several exercises; practise one of them: {files}")
    source = Source(path.read_text("utf-8-sig"), path.stem, path.parent, seed, limits)
    require_questions(source.problem)
    return source


def usual_place(source: Source) -> Path:
    """The file of one's own in which progress on an exercise is kept."""
    if os.name == "nt":
        home = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    else:
        home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return home / "attnsolve" / "practice" / f"{source.name}-{source.digest[:12]}.json"


class Table:
    """Where somebody sits and practises: the exercise, how far they are, and the screen."""

    def __init__(self, source: Source, place: Path, width: int) -> None:
        self.source, self.place, self.width = source, place, width
        self.drill: Drill
        self.progress: Progress
        self.keeps = True

    def sit_down(self, variant: int | None, *, fresh: bool) -> None:
        """Take up what was left, or begin."""
        from attnsolve.practice.keeping import restored, variant_of
        from attnsolve.practice.progress import Progress

        text = "" if fresh else self.read()
        if text:
            kept = self.ours(lambda: variant_of(text, self.source.digest))
            if variant is None or variant == kept:
                drill = self.drilled(kept)
                self.progress = self.ours(lambda: restored(text, self.source.digest, drill))
                self.drill = drill
                return
        self.drill = self.drilled(variant or 0)
        self.progress = Progress(variant=variant or 0)

    def read(self) -> str:
        """What was kept; nothing where nothing was."""
        from attnsolve.input_files import opened
        from attnsolve.practice.keeping import MOST_BYTES

        try:
            with opened(self.place) as stream:
                return stream.read(4 * MOST_BYTES + 4).decode("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8"
            raise AttnsolveError(f"'{self.place}' cannot be taken up: {why}; --fresh begins anew") from None

    def ours(self, make: Callable[[], Made]) -> Made:
        """What is made of a kept progress; where that is not ours, how to begin anew."""
        from attnsolve.practice.keeping import Foreign

        try:
            return make()
        except Foreign as error:
            raise Foreign(f"'{self.place}' cannot be taken up: {error}; --fresh begins anew") from None

    def drilled(self, variant: int) -> Drill:
        """An exercise with the numbers of a variant."""
        from attnsolve.cli.waiting import learning

        if not variant:
            return self.source.drill(0)
        if not self.source.varies:
            raise UsageError(f"'{self.source.name}' says nothing about what may vary, so it has no variants")
        with learning():
            return self.source.drill(variant)

    def stay(self) -> None:
        """Ask and answer until somebody leaves; what was done is kept after every line."""
        from attnsolve.practice.events import Event, Said, Wish
        from attnsolve.practice.prompt import prompt, understood
        from attnsolve.practice.session import opened, reply

        self.say(opened(self.drill, self.progress))
        with_editing(self.drill)
        for line in typed(lambda: prompt(self.drill, self.progress)):
            meant = understood(self.drill, self.progress, line)
            if isinstance(meant, Said):
                self.print(meant)
                continue
            said = reply(self.drill, self.progress, meant)
            if said.progress.variant != self.progress.variant:
                try:
                    self.drill = self.drilled(said.progress.variant)
                except AttnsolveError as error:
                    tell(str(error))  # these numbers go on
                    continue
                said = opened(self.drill, said.progress)
            self.say(said)
            if said.leaves:
                break
        else:
            click.echo()
            self.say(reply(self.drill, self.progress, Event(Wish.QUIT)))
        if self.keeps:
            tell(f"kept in {self.place}; the same command goes on")

    def say(self, said: Reply) -> None:
        """Print what is said, and keep how far somebody is."""
        for one in said.said:
            self.print(one)
        if said.progress != self.progress:
            self.progress = said.progress
            self.keep()

    def keep(self) -> None:
        """Write progress where it is kept; where that fails, that is said once and practice goes on."""
        from attnsolve.practice.keeping import kept
        from attnsolve.whole_files import replace_file

        try:
            if self.place.is_symlink():
                raise OSError(0, "it is a symbolic link")
            self.place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self.place, kept(self.progress, self.source.digest))
        except OSError as error:
            if self.keeps:
                tell(f"'{self.place}' cannot be written ({error.strerror or error}); progress is not kept")
            self.keeps = False

    def print(self, one: Said | Shown) -> None:
        """A sentence, or a piece of the sheet, on the screen."""
        from attnsolve.practice.events import Said, Showing
        from attnsolve.practice.overview import wanted
        from attnsolve.terminal import page, spoken

        if not isinstance(one, Said) and one.what is Showing.VALUE:
            one = wanted(self.drill, self.drill.by_name[one.name])
        if isinstance(one, Said):
            sign = SIGNS[one.tone]
            lines = spoken(one.words, width=self.width - len(sign))
            text = "\n".join(
                (sign if not number else " " * len(sign)) + line for number, line in enumerate(lines)
            )
            click.echo(text, color=is_styled())
        else:
            click.echo("\n" + page(excerpt(self.drill, one), width=self.width), color=is_styled())


def excerpt(drill: Drill, wanted: Shown) -> str:
    """A piece of the sheet as Markdown."""
    from attnsolve.practice.excerpts import excerpt_of

    return excerpt_of(drill, wanted, to="markdown")


def typed(prompt: Callable[[], str]) -> Iterator[str]:
    """The lines that somebody types, until there are no more or Ctrl-C is pressed."""
    with suppress(EOFError, KeyboardInterrupt):
        yield from lines_typed(prompt)


def with_editing(drill: Drill) -> None:
    """Let lines be edited, called back, and completed with Tab, where the system can do that."""
    try:
        import readline
    except ImportError:
        return
    if not sys.stdin.isatty():
        return
    from attnsolve.languages import translated
    from attnsolve.practice.events import COMMANDS

    words = [*(translated(word) for word, _ in COMMANDS.values()), *drill.names]

    def complete(begun: str, number: int) -> str | None:
        fitting = [word for word in words if word.startswith(begun)]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer_delims(" \t=")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
