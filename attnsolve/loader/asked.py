"""What a file asks: one problem, or the problem set of a sheet file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attnsolve.documents import Node, parse, read
from attnsolve.errors import Fault
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import build
from attnsolve.loader.reader import Reader
from attnsolve.loader.sheet_format import is_set

if TYPE_CHECKING:
    from attnsolve.problem_set import Asked


def load_asked(path: str | Path, *, limits: Limits = LIMITS) -> Asked:
    """The problem in a file, or the problem set in a sheet file."""
    path = Path(path)
    faults: list[Fault] = []
    root = read(path, limits=limits, faults=faults)
    return _built(root, Reader(str(path), path.parent, limits, faults=faults), path.stem)


def loads_asked(text: str, *, name: str, folder: str | Path = ".", limits: Limits = LIMITS) -> Asked:
    """The same in a text."""
    faults: list[Fault] = []
    root = parse(text.encode("utf-8", "surrogatepass"), name, limits=limits, faults=faults)
    return _built(root, Reader(name, Path(folder), limits, faults=faults), Path(name).stem)


def _built(root: Node, reader: Reader, name: str) -> Asked:
    if not is_set(root):
        return build(root, reader, name)
    from attnsolve.loader.problem_sets import SetReader  # most files have one problem

    return SetReader(reader, name).read(root)
