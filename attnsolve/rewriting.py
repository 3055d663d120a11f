"""A document written anew with some of its values changed; all the rest stays as its author typed it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attnsolve.documents import Node
from attnsolve.records import NamedTuple

# Leads to a value: keys of maps, and numbers of list items counted from 0.
Path = tuple[str | int, ...]
PLAIN = r"[A-Za-z0-9_.+/*()^√π-][A-Za-z0-9_.+/*()^√π; -]*"
BLOCK_MARKS = ("|", ">")
BLOCK_MARK = re.compile(r"[|>][-+0-9]*")


class Edit(NamedTuple):
    """A stretch of the lines of a document and what takes its place."""

    start: tuple[int, int]
    stop: tuple[int, int]
    text: str


def written(node: Node) -> str:
    """A value on one line, as YAML."""
    if node.is_list:
        return f"[{', '.join(map(written, node.items))}]"
    if node.is_map:
        return f"{{{', '.join(f'{written(key)}: {written(value)}' for key, value in node.entries)}}}"
    if re.fullmatch(PLAIN, node.text) and not node.text.endswith(" ") and not node.quoted:
        return node.text
    return "'" + node.text.replace("'", "''").replace("\n", " ") + "'"


def rewritten(root: Node, changes: Mapping[Path, str | None]) -> str:
    """The text of a document with the values at some paths replaced; None takes the key and its value out."""
    lines = list(root.source)
    for start, stop, text in reversed(_apart(sorted(_all_edits(root, changes)))):
        first, last = lines[start[0]][: start[1]], lines[stop[0]][stop[1] :] if stop[0] < len(lines) else ""
        lines[start[0] : stop[0] + 1] = (first + text + last).split("\n")
    return "\n".join(lines).rstrip("\n") + "\n"


def found(root: Node, path: Path) -> tuple[Node | None, Node] | None:
    """The key (of a map) and the value at a path."""
    key, node = None, root
    for step in path:
        if isinstance(step, int):
            if not node.is_list or step >= len(node.items):
                return None
            key, node = None, node.items[step]
        else:
            entry = next(((k, v) for k, v in node.entries if k.text == step), None)
            if entry is None:
                return None
            key, node = entry
    return key, node


def _all_edits(root: Node, changes: Mapping[Path, str | None]) -> Iterator[Edit]:
    gone: dict[Path, set[str]] = {}  # the keys that go, by the map they stand in
    for path, text in changes.items():
        place = found(root, path)
        if place is None:
            continue
        key, node = place
        if text is not None:
            yield from _replaced(key, node, text)
        elif key is not None:
            gone.setdefault(path[:-1], set()).add(key.text)
    for path, keys in gone.items():
        place = found(root, path)
        assert place is not None
        yield from _without(place[1], keys)


def _apart(edits: list[Edit]) -> list[Edit]:
    """Edits that overlap made into one: what one of them takes out, none brings back."""
    made: list[Edit] = []
    for edit in edits:
        if made and edit.start < made[-1].stop:
            before = made.pop()
            edit = Edit(before.start, max(before.stop, edit.stop), before.text)
        made.append(edit)
    return made


def _replaced(key: Node | None, node: Node, text: str) -> Iterator[Edit]:
    """One line in place of a value; comments after the key, or after a value of one line, stay."""
    start, stop = (node.line - 1, node.column - 1), _end(node)
    if node.quoted in BLOCK_MARKS:
        mark = BLOCK_MARK.match(node.source[start[0]], start[1])
        assert mark is not None
        yield Edit(start, (start[0], mark.end()), text)
        yield from _dropped(start[0] + 1, stop[0])
    elif key is not None and _in_block(node) and start[0] > key.line - 1:
        colon = node.source[key.end[0]].index(":", key.end[1]) + 1
        yield Edit((key.end[0], colon), (key.end[0], colon), f" {text}")
        yield from _dropped(start[0], stop[0])
    else:
        yield Edit(start, stop, text)


def _dropped(first: int, last: int) -> Iterator[Edit]:
    """Whole lines, if there are any."""
    if first <= last:
        yield Edit((first, 0), (last + 1, 0), "")


def _without(parent: Node, gone: set[str]) -> Iterator[Edit]:
    """A map without some of its keys."""
    kept = [n for n, (key, _) in enumerate(parent.entries) if key.text not in gone]
    first, last = parent.entries[0][0], parent.entries[-1][1]
    if not kept:
        yield Edit((first.line - 1, first.column - 1), _end(last), "" if not _in_block(parent) else "{}")
        return
    for n, (key, value) in enumerate(parent.entries):
        if key.text in gone:
            after = next((parent.entries[m][0] for m in kept if m > n), None)
            before = next((parent.entries[m][1] for m in reversed(kept) if m < n), None)
            way = _without_block if _in_block(parent) else _without_flow
            yield way(key, value, before, after)


def _without_flow(key: Node, value: Node, before: Node | None, after: Node | None) -> Edit:
    """`{a: 1, b: 2}` without one of them, and without its comma."""
    start, stop = (key.line - 1, key.column - 1), _end(value)
    if after is not None:
        return Edit(start, (after.line - 1, after.column - 1), "")
    assert before is not None
    # What stands on the same line before it is its comma; a comma that is left over does no harm.
    return Edit(before.end if before.end[0] == start[0] else start, stop, "")


def _without_block(key: Node, value: Node, before: Node | None, after: Node | None) -> Edit:
    """The lines of a key and its value; after `- ` the next key moves up, unless a comment stands between."""
    line, last = key.line - 1, max(_end(value)[0], key.line - 1)
    lead = key.source[line][: key.column - 1]
    if not lead.strip():
        return Edit((line, 0), (last + 1, 0), "")
    assert after is not None
    if any(text.lstrip().startswith("#") for text in key.source[last + 1 : after.line - 1]):
        return Edit((line, len(lead.rstrip())), (last, len(key.source[last])), "")
    return Edit((line, key.column - 1), (after.line - 1, after.column - 1), "")


def _in_block(node: Node) -> bool:
    """Whether a list or map is written without brackets."""
    return not node.is_text and node.source[node.line - 1][node.column - 1] not in "[{"


def _end(node: Node) -> tuple[int, int]:
    """Where a value ends; YAML counts the comments and blank lines after a block to it, and this does not."""
    if _in_block(node):
        inner = node.items[-1] if node.is_list else node.entries[-1][1]
        return _end(inner)
    if node.quoted not in BLOCK_MARKS:
        return node.end
    line = min(node.end[0] - (node.end[1] == 0), len(node.source) - 1)
    while line > node.line - 1 and not node.source[line].strip():
        line -= 1
    return line, len(node.source[line])
