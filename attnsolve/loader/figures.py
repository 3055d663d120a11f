"""Figures that a text names: files beside the problem, read and checked by what is in them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from attnsolve.input_files import opened
from attnsolve.limits import Limits
from attnsolve.loader.files import beside
from attnsolve.picture_kinds import ENDINGS
from attnsolve.prose.pictures import Picture, fault_in

# Names that no format and no operating system takes amiss.
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")


def read_figure(folder: Path, relative: str, *, of: str = "problem", limits: Limits) -> tuple[Picture, ...]:
    """A figure, and its versions with other endings beside it; a ValueError says what is wrong."""
    endings = tuple(ENDINGS)
    path = beside(folder, relative, endings, of=of, such_as="figures/plot.png")
    if not NAME.fullmatch(relative):
        raise ValueError(
            f"'{relative}': name figures with a-z, 0-9, -, _ and . only, such as figures/plot.png"
        )
    others = [
        str(Path(relative).with_suffix(ending))
        for ending in endings
        if ending != path.suffix and path.with_suffix(ending).is_file()
    ]
    found = [
        (relative, path),
        *((name, beside(folder, name, endings, of=of, such_as=name)) for name in others),
    ]
    return tuple(picture(name, file, limits.figure_bytes) for name, file in found)


def picture(name: str, file: Path, most: int) -> Picture:
    """One file."""
    about = file.stat()
    if about.st_size > most:
        raise ValueError(f"{name} has {about.st_size} bytes; the limit is {most} (--limit figure_bytes=…)")
    return checked(name, file, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=64)  # the variants of an exam have the same figures
def checked(name: str, file: Path, changed: int, size: int) -> Picture:
    """A file that is what its name says."""
    with opened(file) as stream:
        data = stream.read(size)
    ending = file.suffix.lower()
    fault = fault_in(data, ending)
    if fault:
        raise ValueError(f"{name} {fault}")
    return Picture(name, ENDINGS[ending], data)
