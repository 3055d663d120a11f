"""Documents on the terminal itself: readable maths, a page or a step at a time."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

import click

from attnsolve.cli.options import DETAIL, FADE, FORM, LANG, LIMIT, PLACES, SHEETS
from attnsolve.cli.waiting import naming_what_is_slow

NARROWEST, WIDEST = 40, 100  # longer lines are hard to read


@click.command()
@click.argument("problem")
@click.option(
    "--sheet", type=click.Choice(SHEETS), default="solution", show_default=True, help="What to show."
)
@click.option("--step", "stepwise", is_flag=True, help="One step at a time: Enter goes on, q stops.")
@DETAIL
@FADE
@FORM
@PLACES
@LANG
@click.option(
    "--width", type=click.IntRange(NARROWEST, 500), help="Columns (default: those of the terminal)."
)
@LIMIT
def show(problem: str, stepwise: bool, width: int | None, raises: tuple[str, ...], **choices: Any) -> None:
    """Show a solution or sheet on the terminal, whole or one step at a time."""
    from attnsolve import batch
    from attnsolve.limits import raised
    from attnsolve.rendering import Settings, render

    path = batch.find(problem)
    with naming_what_is_slow(str(path)):
        solved = batch.solved_asked(path, limits=raised(raises))
        text = render(solved, settings=Settings(to="markdown", maps=False, **choices)).text
    if stepwise:
        walk(text, width or usual_width())
    else:
        put_page(text, width or usual_width())


def usual_width() -> int:
    """The columns of the terminal, as far as lines stay readable."""
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def put_page(markdown: str, width: int) -> None:
    """Print a document for people, paged where it is longer than the screen."""
    from attnsolve.terminal import page

    text = page(markdown, width=width)
    on_terminal = sys.stdout.isatty()
    if on_terminal and text.count("\n") >= shutil.get_terminal_size().lines:
        os.environ.setdefault("LESS", "-RFX")  # the pager shows styles, and leaves the page on the screen
        click.echo_via_pager(text, color=is_styled())
    else:
        click.echo(text, nl=False, color=is_styled())


def is_styled() -> bool:
    """Whether bold print may be used: on a terminal, unless its owner wants none (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def walk(markdown: str, width: int) -> None:
    """Print a document step by step, waiting for a key after each; from a pipe it is printed whole."""
    from attnsolve.terminal import page, steps

    waits = sys.stdin.isatty() and sys.stdout.isatty()
    pieces = steps(markdown)
    for number, piece in enumerate(pieces, start=1):
        click.echo(page(piece, width=width), color=is_styled())
        if waits and number < len(pieces):
            click.echo(f"[{number}/{len(pieces)}] ", nl=False)
            key = click.getchar()
            click.echo("\r" + " " * 20 + "\r", nl=False)
            if key in ("q", "Q", "\x1b"):
                return
