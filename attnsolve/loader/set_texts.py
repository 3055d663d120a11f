"""The text of a sheet file with its problems in it: what an exam keeps, whatever becomes of the files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attnsolve.documents import Node
from attnsolve.rewriting import written

INDENT = " " * 6
KEPT = ("title", "parts", "points")


def inlined(root: Node, folder: Path) -> str:
    """A sheet file, which the loader has found to be right, with the texts of its files in it."""
    exercises = root.get("exercises")
    assert exercises is not None
    return with_problems(root, [_own_text(item, folder) for item in exercises.items])


def _own_text(item: Node, folder: Path) -> str:
    """The text of the problem of an exercise, from its file or from the sheet itself."""
    inside, file = item.get("problem"), item.get("file")
    if inside is not None:
        return _cut_out(inside)
    name = item.text if file is None else file.text
    return (folder / name.strip()).read_text("utf-8-sig").replace("\r\n", "\n")


def problem_texts(root: Node) -> list[str]:
    """The texts of the problems in a sheet file that has all of them in it."""
    exercises = root.get("exercises")
    assert exercises is not None
    return [_cut_out(problem) for item in exercises.items if (problem := item.get("problem")) is not None]


def _cut_out(node: Node) -> str:
    """The text of a map in a document, as a document of its own."""
    first = node.line - 1
    line = node.source[first]
    if line[node.column - 1] == "{":
        return written(node) + "\n"
    lead = node.column - 1
    last = next(
        (
            number
            for number in range(first + 1, len(node.source))
            if (text := node.source[number]).strip() and len(text) - len(text.lstrip()) < lead
        ),
        len(node.source),
    )
    lines = [line[lead:], *(text[lead:] for text in node.source[first + 1 : last])]
    return "\n".join(lines).rstrip() + "\n"


def with_problems(root: Node, problems: Sequence[str]) -> str:
    """The sheet file with these problems in it, and all else that it says."""
    lines = []
    for key, value in root.entries:
        if key.text != "exercises":
            lines.append(f"{key.text}: {_value(value)}")
    lines.append("exercises:")
    exercises = root.get("exercises")
    assert exercises is not None
    for item, text in zip(exercises.items, problems, strict=True):
        lines.append("  - problem:")
        lines += [f"{INDENT}{line}" if line.strip() else "" for line in _plain(text)]
        lines += [f"    {key.text}: {written(value)}" for key, value in item.entries if key.text in KEPT]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> list[str]:
    """The lines of a document without the mark that it begins."""
    lines = text.rstrip().split("\n")
    return lines[1:] if lines[0].rstrip() == "---" else lines


def _value(node: Node) -> str:
    """A value of the sheet itself; paragraphs stay apart."""
    if node.kind == "text" and "\n" in node.text.strip():
        block = [f"  {line}".rstrip() for line in node.text.strip().split("\n")]
        return "\n".join(["|-", *block])
    return written(node)
