"""What is said beside the output proper: complaints, progress, where the details of a bug are kept."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from attnsolve import __version__
from attnsolve.errors import AttnsolveError, BugFound, ProblemError

# What a terminal would obey instead of showing it, or cannot show at all; lines may still end. It is compiled
# when something is said, since most commands have nothing to say.
STEERING = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def tell(words: str) -> None:
    """Say something beside the output proper."""
    print_line(words, err=True)


def print_line(words: str, *, err: bool = False) -> None:
    """A line for people; a name of a file or of a person cannot steer their terminal."""
    click.echo(seen(words), err=err)


def print_text(words: str | bytes) -> None:
    """A text of several lines for people, likewise; what is no text goes out as it is."""
    click.echo(seen(words) if isinstance(words, str) else words, nl=False)


def seen(words: str) -> str:
    """Words in which all that would steer a terminal is written out."""
    return re.sub(STEERING, lambda found: ascii(found[0])[1:-1], words)


@contextmanager
def progress(
    work: Iterator[Any], count: int, *, printing: bool, label: str = "Rendering"
) -> Iterator[tuple[Iterator[Any], Callable[[str], None]]]:
    """A progress bar where somebody watches a longer run; what there is to say then waits until it ends."""
    if count < 3 or printing or not sys.stderr.isatty():
        yield work, tell
        return
    waiting: list[str] = []
    with click.progressbar(work, length=count, label=label, file=sys.stderr) as bar:
        yield iter(bar), waiting.append
    for words in waiting:
        tell(words)


def complain(error: AttnsolveError, path: Path | None = None, *, say: Callable[[str], None] = tell) -> int:
    """Say what is wrong on stderr and give the exit code for it."""
    where = f"{path}: " if path is not None and not isinstance(error, ProblemError) else ""
    kept = (
        f"; details in {report(error.__cause__)}" if isinstance(error, BugFound) and error.__cause__ else ""
    )
    say(f"{where}{error}{kept}")
    return error.exit_code


def unprinted(error: UnicodeEncodeError) -> AttnsolveError:
    """Letters that the encoding of the output has not are no bug; any others are."""
    letter, encoding = error.object[error.start], getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        if not encoding.lower().startswith("utf"):
            cure = "set PYTHONIOENCODING=utf-8, or name a file with -o"
            lost = f"U+{ord(letter):04X}"  # complaints may go out in the same encoding
            return AttnsolveError(f"what is printed goes out in {encoding}, which has no {lost}; {cure}")
    bug = BugFound(f"attnsolve hit a bug ({type(error).__name__})")
    bug.__cause__ = error
    return bug


def report(error: BaseException) -> str:
    """Keep the details of a bug in a file, and say where; if none can be written, tell them."""
    import tempfile
    import traceback

    trace = "".join(traceback.format_exception(error))
    details = f"attnsolve {__version__}\n{' '.join(sys.argv)}\n\n{trace}".encode("utf-8", "backslashreplace")
    try:
        with tempfile.NamedTemporaryFile(prefix="attnsolve-error-", suffix=".txt", delete=False) as stream:
            stream.write(details)
    except OSError as full:
        return f"what follows, since no file for them can be written ({full.strerror}):\n{details.decode()}"
    return stream.name
