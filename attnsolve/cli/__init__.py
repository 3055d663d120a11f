"""The command line: each command loads, calls and echoes; the only room that prints or exits."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # typing's own would have to be loaded, which is half of what --help costs
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from attnsolve.cli.group import cli

__all__ = ["cli", "main"]

# What is loaded and what a command makes is nearly all kept or let go at once: searching it every 700 objects
# is in vain.
RARELY = 100_000


def main() -> NoReturn:
    """Run a command; the overview of all commands needs nothing of what they need."""
    try:
        if None in (sys.stdin, sys.stdout, sys.stderr):
            open_what_is_closed()
        show_what_can_be_shown()
        if sys.argv[1:] in (["--help"], ["-h"]):
            from attnsolve.cli.overview import overview

            print(overview(), flush=True)
            sys.exit(0)
        gc.set_threshold(RARELY)
        from attnsolve.cli.group import run

        run()
    except BrokenPipeError:  # whoever reads has seen enough: attnsolve --help | head
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:  # before a command had begun
        print("stopped", file=sys.stderr)
        sys.exit(130)
    except OSError as error:  # such as attnsolve --help > /dev/full
        from attnsolve.cli.speech import complain
        from attnsolve.errors import RefusedBySystem

        sys.exit(complain(RefusedBySystem(error)))


def open_what_is_closed() -> None:
    """Let what nobody listens to (`attnsolve … >&-`) go nowhere, not into the next file that is opened."""
    sys.stdin = sys.stdin or nowhere("r")
    sys.stdout = sys.stdout or nowhere("w")
    sys.stderr = sys.stderr or nowhere("w")


def show_what_can_be_shown() -> None:
    """On a screen, and in complaints, let a letter that its encoding has not become a question mark."""
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None) or "utf-8"
        is_seen = stream is sys.stderr or stream.isatty()
        if is_seen and not encoding.lower().startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def nowhere(mode: str) -> Any:
    """What can be read and written, and holds nothing; it stays open until the process ends."""
    return open(os.devnull, mode, encoding="utf-8")


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from attnsolve.cli.group import cli

    return cli
