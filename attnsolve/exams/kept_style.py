"""The house style of an exam, kept in its folder: what is printed again later looks as it did."""

from __future__ import annotations

import shutil
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.exams.folder import Folder
from attnsolve.loader.styles import FILE
from attnsolve.style import Style

PLACE = "style"


def kept_place(folder: Folder, chosen: Path | None = None) -> Path | None:
    """Where the style of an exam is: the one that is chosen now, else the one that was kept, if any was."""
    return chosen or kept_below(folder.path)


def kept_below(folder: Path) -> Path | None:
    """Where the style is that an exam keeps in its folder; None where it keeps none."""
    place = folder / PLACE
    return place if (place / FILE).is_file() else None


def keep_style(folder: Folder, style: Style) -> None:
    """Put a style into the folder of an exam, in the place of the one before."""
    place = folder.path / PLACE
    if place.is_symlink():
        raise AttnsolveError(f"'{place}' is a symbolic link; remove it")
    if place.is_dir():
        shutil.rmtree(place)
    for source in style.sources:
        folder.write(f"{PLACE}/{source.name}", source.text)
    logo = style.letterhead.logo
    for picture in () if logo is None else logo.versions.pictures:
        folder.write(f"{PLACE}/{picture.file}", picture.data)
