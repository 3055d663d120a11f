"""A document written anew with some of its values changed; all the rest stays as its author typed it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from attnsolve.documents import Node

# Leads to a value: keys of maps, and numbers of list items counted from 0.
Path = tuple[str | int, ...]
PLAIN = re.compile(r"[A-Za-z0-9_.+/*()^√π-][A-Za-z0-9_.+/*()^√π; -]*")


class Edit(NamedTuple):
    """A stretch of the lines of a document and what takes its place."""

    start: tuple[int, int]
    stop: tuple[int, int]
    text: str


def written(node: Node) -> str:
    """A value on one line, as YAML."""
    if node.kind == "list":
        return f"[{', '.join(map(written, node.items))}]"
    if node.kind == "map":
        return f"{{{', '.join(f'{written(key)}: {written(value)}' for key, value in node.entries)}}}"
    if PLAIN.fullmatch(node.text) and not node.text.endswith(" ") and not node.quoted:
        return node.text
    return "'" + node.text.replace("'", "''").replace("\n", " ") + "'"


def rewritten(root: Node, changes: Mapping[Path, str | None]) -> str:
    """The text of a document with the values at some paths replaced; None takes the key and its value out."""
    edits = sorted(edit for path, text in changes.items() for edit in _edits(root, path, text))
    lines = list(root.source)
    for start, stop, text in reversed(edits):
        first, last = lines[start[0]][: start[1]], lines[stop[0]][stop[1] :] if stop[0] < len(lines) else ""
        lines[start[0] : stop[0] + 1] = (first + text + last).split("\n")
    return "\n".join(line.rstrip() if not line.strip() else line for line in lines).rstrip("\n") + "\n"


def found(root: Node, path: Path) -> tuple[Node | None, Node] | None:
    """The key (of a map) and the value at a path."""
    key, node = None, root
    for step in path:
        if isinstance(step, int):
            if node.kind != "list" or step >= len(node.items):
                return None
            key, node = None, node.items[step]
        else:
            entry = next(((k, v) for k, v in node.entries if k.text == step), None)
            if entry is None:
                return None
            key, node = entry
    return key, node


def _edits(root: Node, path: Path, text: str | None) -> Iterator[Edit]:
    place = found(root, path)
    if place is None:
        return
    key, node = place
    start, stop = (node.line - 1, node.column - 1), node.end
    if text is not None:
        # A block of lines ends where the next key begins; what replaces it is one line.
        yield Edit(start, stop, text + ("\n" if stop[1] == 0 and stop[0] > start[0] else ""))
    elif key is not None:
        line = root.source[key.line - 1]
        if line[: key.column - 1].strip() == "":  # the key begins its line: all its lines go
            last = stop[0] if stop[1] == 0 and stop[0] > start[0] else stop[0] + 1
            yield Edit((key.line - 1, 0), (last, 0), "")
        else:
            yield Edit(start, stop, "{}")
