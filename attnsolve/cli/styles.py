"""Commands on house styles: what documents look like, whatever is in them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from attnsolve.cli.options import FORCE
from attnsolve.cli.speech import tell

if TYPE_CHECKING:
    from attnsolve.limits import Limits
    from attnsolve.rendering.styling import Manner


def in_style(
    place: Path | None, limits: Limits, *, fragment: bool = False, saves_ink: bool = False
) -> AbstractContextManager[Manner]:
    """Let all documents that are made inside have the style that --style names."""
    from attnsolve.rendering.styling import styled

    found = None
    if place is not None:
        from attnsolve.loader.styles import read_style

        found = read_style(place, limits=limits)
    if saves_ink:
        from attnsolve.style import PLAIN

        found = (found or PLAIN)._replace(saves_ink=True)
    return styled(found, fragment=fragment, limits=limits)


@click.group()
def style() -> None:
    """Make a house style: `attnsolve style new DIR`, then --style DIR wherever documents are made."""


@style.command()
@click.argument("folder", type=click.Path(path_type=Path))
@FORCE
def new(folder: Path, force: bool) -> None:
    """Write a commented style into FOLDER that works at once."""
    from attnsolve import batch
    from attnsolve.file_names import in_letters
    from attnsolve.loader.style_starter import starter
    from attnsolve.rendering import Document

    for name, text in starter(in_letters(str(folder))).items():
        batch.write(Document(text), folder / name, force=force, say=tell)


@style.command()
@click.argument("folder", type=click.Path(path_type=Path))
def check(folder: Path) -> None:
    """Check a style: what is wrong in it, and what it has."""
    from attnsolve.loader.styles import read_style

    found = read_style(folder)
    for source in found.sources:
        click.echo(source.file)
