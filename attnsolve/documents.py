"""YAML with positions: every scalar stays text, and what YAML would do silently is an error here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import LIMITS, Limits

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Pure Python reads twenty times slower, so a machine without libyaml gets a smaller cap.
SLOW_FILE_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a document: text, a list of nodes, or a map from text to nodes; with where it stands."""

    kind: str  # text | list | map
    line: int
    column: int
    text: str = ""
    quoted: str = ""
    items: tuple[Node, ...] = ()
    entries: tuple[tuple[Node, Node], ...] = ()
    comment_follows: bool = False

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        for name, value in self.entries:
            if name.text == key:
                return value
        return None

    def key(self, key: str) -> Node | None:
        """The key itself, for errors about it."""
        for name, _ in self.entries:
            if name.text == key:
                return name
        return None

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


def read(path: Path, *, limits: Limits = LIMITS) -> Node:
    """The document in a file; anything wrong is a ProblemError with its place."""
    name = str(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(limits.file_bytes + 1)
    except IsADirectoryError:
        raise ProblemError([Fault(name, 1, 1, "", "this is a folder; name a problem file in it")]) from None
    except OSError as error:
        raise ProblemError([Fault(name, 1, 1, "", f"cannot be read: {error.strerror or error}")]) from None
    return parse(data, name, limits=limits)


def parse(data: bytes, name: str, *, limits: Limits = LIMITS) -> Node:
    """The document in some bytes, checked before it is composed: a hostile file must not cost more than a good one."""
    try:
        text = _decoded(data, name, limits)
        _check_events(text, name, limits)
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        raise ProblemError([_syntax_fault(error, name)]) from None
    if root is None:
        raise ProblemError([Fault(name, 1, 1, "", "the file is empty; 'attnsolve new NAME' writes one to start from")])
    walker = _Walker(name, text.splitlines())
    node = walker.walk(root)
    if walker.faults:
        raise ProblemError(walker.faults)
    return node


def _decoded(data: bytes, name: str, limits: Limits) -> str:
    most = limits.file_bytes if LOADER is not yaml.SafeLoader else min(limits.file_bytes, SLOW_FILE_BYTES)
    if len(data) > most:
        raise ProblemError([Fault(name, 1, 1, "", f"the file is larger than {most} bytes, the limit")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        raise ProblemError(
            [Fault(name, line, column, "", f"not UTF-8 (byte 0x{data[error.start]:02X}); save the file as UTF-8")]
        ) from None
    bad = re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]", text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        column = bad.start() - (text.rfind("\n", 0, bad.start()) + 1) + 1
        raise ProblemError([Fault(name, line, column, "", f"a control character (code {ord(bad[0])}); delete it")])
    return text.replace("\r\n", "\n")


def _check_events(text: str, name: str, limits: Limits) -> None:
    """Refuse anchors, tags, depth and size while nothing has been built yet."""
    depth = nodes = documents = 0
    for event in yaml.parse(text, Loader=LOADER):
        message = ""
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            message = "a second document; one file holds one problem" if documents > 1 else ""
        elif isinstance(event, yaml.NodeEvent):
            nodes += 1
            depth += isinstance(event, yaml.CollectionStartEvent)
            tag = getattr(event, "tag", None)
            if isinstance(event, yaml.AliasEvent) or event.anchor:
                message = "anchors and aliases (& and *) are not allowed; write the value out, or quote the text"
            elif tag and tag != "!":
                message = f"the YAML tag '{tag}' is not allowed; write plain values"
            elif depth > limits.depth:
                message = f"nested deeper than {limits.depth} levels"
            elif nodes > limits.nodes:
                message = f"more than {limits.nodes} values"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if message:
            mark = event.start_mark
            raise ProblemError([Fault(name, mark.line + 1, mark.column + 1, "", message)])


# What PyYAML says, and what it means for somebody who writes exercises.
SYNTAX = (
    ("mapping values are not allowed", "a ': ' inside unquoted text (put the text into single quotes), or a line indented too far"),
    ("found unknown escape character", "double quotes take '\\' as an escape; write LaTeX in single quotes: '\\hat s'"),
    ("cannot start any token", "a character that cannot start a value; put it into single quotes (and indent with spaces, not tabs)"),
    ("found a tab character", "a tab; indent with spaces"),
    ("could not find expected ':'", "a key without ': ' after it; write key: value"),
    ("expected ',' or ']'", "a list in [ ] that is not closed or lacks a comma"),
    ("expected ',' or '}'", "a map in { } that is not closed or lacks a comma; quote texts with commas in them"),
    ("found unexpected end of stream", "a quote that is opened and never closed"),
    ("expected <block end>", "an indentation that fits no line above it"),
    ("did not find expected key", "an indentation or a quote that fits no line above it"),
    ("did not find expected '-' indicator", "a list item that is not indented like the others"),
)


def _syntax_fault(error: yaml.YAMLError, name: str) -> Fault:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = str(getattr(error, "problem", None) or error)
    said = next((ours for theirs, ours in SYNTAX if theirs in problem), problem)
    return Fault(name, line, column, "", f"not valid YAML: {said}")


class _Walker:
    """From PyYAML's nodes to ours, collecting duplicate keys and quoting traps on the way."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.lines = lines
        self.faults: list[Fault] = []

    def walk(self, node: Any, path: str = "") -> Node:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        if isinstance(node, yaml.ScalarNode):
            return self._text(node, line, column, path)
        if isinstance(node, yaml.SequenceNode):
            items = tuple(self.walk(item, f"{path}[{i + 1}]") for i, item in enumerate(node.value))
            return Node("list", line, column, items=items)
        return Node("map", line, column, entries=tuple(self._entries(node, path)))

    def _entries(self, node: Any, path: str) -> Iterator[tuple[Node, Node]]:
        seen: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fault(key.start_mark.line + 1, key.start_mark.column + 1, path, "a key must be plain text")
                continue
            name = self.walk(key, path)
            inner = f"{path}.{name.text}" if path else name.text
            if name.text in seen:
                self._fault(name.line, name.column, path, f"the key '{name.text}' appears twice; keep one of them")
                continue
            seen.add(name.text)
            yield name, self.walk(value, inner)

    def _text(self, node: Any, line: int, column: int, path: str) -> Node:
        quoted = node.style or ""
        if quoted == '"':
            self._check_escapes(node, path)
        after = self.lines[node.end_mark.line][node.end_mark.column :] if node.end_mark.line < len(self.lines) else ""
        comment = not quoted and bool(node.value) and re.match(r"\s*#", after) is not None
        return Node("text", line, column, text=node.value, quoted=quoted, comment_follows=comment)

    def _check_escapes(self, node: Any, path: str) -> None:
        """`"\\alpha"` is a bell and `lpha`: nobody means that."""
        first, last = node.start_mark.line, node.end_mark.line
        for number in range(first, min(last + 1, len(self.lines))):
            start = node.start_mark.column + 1 if number == first else 0
            stop = node.end_mark.column if number == last else None
            found = re.search(r"\\[A-Za-z]{2,}", self.lines[number][start:stop])
            if found:
                place = start + found.start() + 1
                message = f"double quotes turn the '{found[0][:2]}' of '{found[0]}' into a control character; use single quotes"
                self._fault(number + 1, place, path, message)
                return

    def _fault(self, line: int, column: int, path: str, message: str) -> None:
        self.faults.append(Fault(self.name, line, column, path, message))


def read_table(folder: Path, relative: str, *, limits: Limits = LIMITS) -> list[list[str]]:
    """The cells of a CSV or JSON file beside the problem, as text; a ValueError says what is wrong."""
    path = Path(relative)
    if path.is_absolute() or ".." in path.parts or "\\" in relative or ":" in relative:
        raise ValueError("the path must be relative and stay in the problem's folder, such as data/X.csv")
    full = folder / path
    if not full.is_file():
        raise ValueError(f"there is no file '{relative}' beside the problem")
    if not full.resolve().is_relative_to(folder.resolve()):
        raise ValueError("the path leads out of the problem's folder")
    with full.open("rb") as stream:
        data = stream.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        raise ValueError(f"the file is larger than {limits.file_bytes} bytes, the limit")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the file is not UTF-8") from None
    return _json_rows(text) if path.suffix == ".json" else _csv_rows(text)


def _json_rows(text: str) -> list[list[str]]:
    try:
        # Numbers stay text: a float would lose digits before anybody could see them.
        rows = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not valid JSON: {error}") from None
    if isinstance(rows, list) and rows and not any(isinstance(row, list) for row in rows):
        rows = [rows]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise ValueError("a JSON file must hold a list of rows: [[1, 2], [3, 4]]")
    if not all(isinstance(cell, str) for row in rows for cell in row):
        raise ValueError("every cell must be a number or a text such as \"1/3\"")
    return rows


def _csv_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip()]
    separator = next((s for s in (";", "\t", ",") if lines and s in lines[0]), None)
    return [[cell.strip() for cell in line.split(separator)] for line in lines]
