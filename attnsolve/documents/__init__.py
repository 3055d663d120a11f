"""YAML with positions: every scalar stays text, and what YAML would do silently is an error here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from attnsolve.documents.conversion import CONTROL, QUOTE, Walker
from attnsolve.documents.node import Node, NodeKind
from attnsolve.errors import Fault, ProblemError
from attnsolve.input_files import opened
from attnsolve.limits import LIMITS, Limits

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Pure Python reads twenty times slower, so a machine without libyaml gets a smaller cap.
SLOW_FILE_BYTES = 200_000


def read(path: Path, *, limits: Limits = LIMITS, faults: list[Fault] | None = None) -> Node:
    """The document in a file; anything wrong is a ProblemError with its place."""
    name = str(path)
    try:
        with opened(path) as stream:
            data = stream.read(limits.file_bytes + 1)
    except IsADirectoryError:
        raise ProblemError([Fault(name, 1, 1, "", "this is a folder; name a problem file in it")]) from None
    except FileNotFoundError:
        raise ProblemError([Fault(name, 1, 1, "", "there is no such file")]) from None
    except OSError as error:
        raise ProblemError([Fault(name, 1, 1, "", f"cannot be read: {error.strerror or error}")]) from None
    except ValueError:  # a NUL in the name
        raise ProblemError([Fault(repr(name), 1, 1, "", "this cannot be the name of a file")]) from None
    return parse(data, name, limits=limits, faults=faults)


def parse(data: bytes, name: str, *, limits: Limits = LIMITS, faults: list[Fault] | None = None) -> Node:
    """The document in some bytes; faults that leave the rest readable go into `faults` if that is given.

    Everything is checked before it is composed: a hostile file must not cost more than a good one.
    """
    text = _decoded(data, name, limits)
    try:
        _check_events(text, name, limits)
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        from attnsolve.documents.syntax import syntax_fault  # only what is not YAML needs it

        raise ProblemError([syntax_fault(error, name, text.splitlines())]) from None
    if root is None:
        raise ProblemError(
            [Fault(name, 1, 1, "", "the file is empty; 'attnsolve new NAME' writes one to start from")]
        )
    walker = Walker(name, text.splitlines())
    node = walker.walk(root)
    if walker.faults and faults is None:
        raise ProblemError(walker.faults)
    if faults is not None:
        faults += walker.faults
    return node


def _decoded(data: bytes, name: str, limits: Limits) -> str:
    most = limits.file_bytes if LOADER is not yaml.SafeLoader else min(limits.file_bytes, SLOW_FILE_BYTES)
    if len(data) > most:
        raise ProblemError([Fault(name, 1, 1, "", f"the file has more than {most} bytes, the limit")])
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        message = f"not UTF-8 (byte 0x{data[error.start]:02X}); save the file as UTF-8"
        raise ProblemError([Fault(name, *position(before, len(before)), "", message)]) from None
    bad = CONTROL.search(text)
    if bad:
        message = f"a control character (U+{ord(bad[0]):04X}), which no text needs; delete it"
        raise ProblemError([Fault(name, *position(text, bad.start()), "", message)])
    return text


def position(text: str, offset: int) -> tuple[int, int]:
    """The line and column, counted from 1, of a character of a text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _check_events(text: str, name: str, limits: Limits) -> None:
    """Refuse anchors, tags, depth and size while nothing has been built yet."""
    depth = nodes = documents = 0
    for event in yaml.parse(text, Loader=LOADER):
        message = ""
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            message = "a second document starts here; one file holds one problem" if documents > 1 else ""
        elif isinstance(event, yaml.NodeEvent):
            nodes += 1
            depth += isinstance(event, yaml.CollectionStartEvent)
            tag = getattr(event, "tag", None)
            if isinstance(event, yaml.AliasEvent) or event.anchor:
                message = f"anchors and aliases (& and *) are not allowed; write the value out{QUOTE}"
            elif tag:
                message = f"the YAML tag '{tag}' is not allowed; write a plain value{QUOTE}"
            elif depth > limits.depth:
                message = f"nested deeper than {limits.depth} levels, the limit"
            elif nodes > limits.nodes:
                message = (
                    f"more than {limits.nodes} values, the limit; large data goes into a CSV file beside it"
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if message:
            mark = event.start_mark
            assert mark is not None  # the stubs allow events without a place; the parser makes none
            raise ProblemError([Fault(name, mark.line + 1, mark.column + 1, "", message)])


__all__ = ["Node", "NodeKind", "parse", "position", "read"]
