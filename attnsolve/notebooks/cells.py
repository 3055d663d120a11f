"""The cells of a notebook: a page cut at its marks, and the file that holds them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

# What Markdown has between parts and steps where it is to be cut into cells.
MARK = re.compile(r"<!-- cell (?P<kind>\w+) (?P<name>\S*) -->")
HEADING = re.compile("#{1,6} ")
FENCE = re.compile("`{3,}|~{3,}|\\$\\$")
# An id has at most so many characters.
LONGEST = 60


class Mark(NamedTuple):
    """A piece of a page: what it is, the part that it belongs to, its text."""

    id: str
    part: str
    text: str


class Cell(NamedTuple):
    """One cell: an id that stays the same, what is in it, and whether its code is folded away."""

    id: str
    kind: str  # markdown | code
    text: str
    is_folded: bool = False

    @classmethod
    def markdown(cls, piece: Mark) -> Cell:
        """A piece of a page as a cell."""
        return cls(piece.id, "markdown", piece.text)

    def record(self, name: str) -> dict[str, Any]:
        """The cell as a notebook keeps it."""
        about: dict[str, Any] = {"cell_type": self.kind, "id": name, "metadata": {}}
        lines = self.text.splitlines(keepends=True)
        if self.kind == "markdown":
            return {**about, "source": lines}
        if self.is_folded:
            about["metadata"] = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
        return {**about, "execution_count": None, "outputs": [], "source": lines}


class Numbered:
    """Cells under names of their own: those that would be called alike are counted."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.cells = tuple(cells)

    def __iter__(self) -> Iterator[tuple[str, Cell]]:
        counts: dict[str, int] = {}
        for cell in self.cells:
            name = re.sub("[^A-Za-z0-9_-]+", "-", cell.id).strip("-")[:LONGEST] or "cell"
            counts[name] = counts.get(name, 0) + 1
            yield (name if counts[name] == 1 else f"{name}-{counts[name]}"), cell


def cut(text: str) -> list[Mark]:
    """A page in pieces: at its marks, and before headings in between."""
    made: list[Mark] = []
    name, part, lines = "title", "", list[str]()
    fence = ""

    def close() -> None:
        whole = "\n".join(lines).strip("\n")
        if whole.strip():
            made.append(Mark(name, part, whole))
        lines.clear()

    for line in text.split("\n"):
        mark = None if fence else MARK.fullmatch(line)
        if mark:
            close()
            part = {"part": mark["name"], "end": ""}.get(mark["kind"], part)
            name = f"{mark['kind']}-{mark['name'] or part}"
            continue
        if not fence and HEADING.match(line) and any(map(str.strip, lines)):
            close()
            name = f"below-{part or 'title'}"
        opening = FENCE.match(line)
        if opening:
            fence = "" if fence and line.startswith(fence) else fence or opening[0]
        lines.append(line)
    close()
    return made


def written(cells: Numbered, title: str) -> str:
    """The notebook as its file has it: the same text for the same cells."""
    notebook = {
        "cells": [cell.record(name) for name, cell in cells],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": title,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
