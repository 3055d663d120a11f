"""The command line: each command loads, calls and echoes; the only room that prints or exits."""

from __future__ import annotations

import gc
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


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from attnsolve.cli.group import cli

    return cli
