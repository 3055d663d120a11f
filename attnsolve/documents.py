"""YAML with positions: every scalar stays text, and what YAML would do silently is an error here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import LIMITS, Limits

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Pure Python reads twenty times slower, so a machine without libyaml gets a smaller cap.
SLOW_FILE_BYTES = 200_000
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}
QUOTE = ", or put the text into single quotes"
BLANK_ESCAPES = "nrtNLP_ "


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a document: text, a list of nodes, or a map from text to nodes; with where it stands."""

    kind: str  # text | list | map
    line: int
    column: int
    text: str = ""
    quoted: str = ""  # ', ", |, > or nothing
    items: tuple[Node, ...] = ()
    entries: tuple[tuple[Node, Node], ...] = ()
    last_line: int = 0
    end: tuple[int, int] = (0, 0)  # the line and column after it, counted from 0
    comment_follows: bool = False
    broken: bool = False  # its fault is known already, so nothing more is said about it
    source: Sequence[str] = field(default=(), repr=False, compare=False)  # the lines of the file

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        return next((value for name, value in self.entries if name.text == key), None)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of a character of the text, whatever quotes and folds YAML took away."""
        line, column = self.line - 1, self.column - 1
        if self.quoted in ("|", ">"):
            line, column = line + 1, 0
        elif self.quoted:
            column += 1
        length = 0
        for character in self.text[: offset + 1]:
            if character.isspace():
                continue
            line, column = self._next_dark(line, column + length)
            length = self._length(line, column)
        return line + 1, column + 1 + (length if offset >= len(self.text) else 0)

    def _next_dark(self, line: int, column: int) -> tuple[int, int]:
        """The next place that holds a character other than white space, from here on."""
        while line < len(self.source):
            rest = self.source[line][column:]
            blank = len(rest) - len(rest.lstrip())
            if blank < len(rest) and not (
                self.quoted == '"' and re.match(rf"\\[{BLANK_ESCAPES}]", rest[blank:])
            ):
                if rest[blank:] != "\\":  # a line break that double quotes hide
                    return line, column + blank
                blank = len(rest)
            line, column = (line, column + blank + 2) if blank < len(rest) else (line + 1, 0)
        return self.line - 1, self.column - 1

    def _length(self, line: int, column: int) -> int:
        """How many characters of the file stand for the one of the text that is written here."""
        here = self.source[line][column : column + 2] if line < len(self.source) else ""
        if self.quoted == "'" and here == "''":
            return 2
        return ESCAPE_LENGTHS.get(here[1:], 2) if self.quoted == '"' and here[:1] == "\\" else 1


def read(path: Path, *, limits: Limits = LIMITS, faults: list[Fault] | None = None) -> Node:
    """The document in a file; anything wrong is a ProblemError with its place."""
    name = str(path)
    try:
        with path.open("rb") as stream:
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
        raise ProblemError([_syntax_fault(error, name, text.splitlines())]) from None
    if root is None:
        raise ProblemError(
            [Fault(name, 1, 1, "", "the file is empty; 'attnsolve new NAME' writes one to start from")]
        )
    walker = _Walker(name, text.splitlines())
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
            raise ProblemError([Fault(name, mark.line + 1, mark.column + 1, "", message)])


# What PyYAML says, and what it means for somebody who writes exercises.
LATEX = "double quotes take '\\' as an escape; write LaTeX in single quotes: '\\hat s'"
INDEXED = "inside { } and [ ] a name with an index needs single quotes: 'X[2]', 'A[2, 1]'"
SYNTAX = {
    "found unknown escape": LATEX,
    "decimal number": LATEX,
    "found a tab character": "a tab; indent with spaces",
    "could not find expected ':'": "a line without a key; write key: value, with a space after the colon",
    "expected ',' or ']'": "this list is not closed by ], or lacks a comma between two items",
    "expected ',' or '}'": "this map is not closed by }, or lacks a comma; put texts with : in single quotes",
    "unexpected end of stream": "this quote is opened and never closed",
    "sequence entries": f"a '- ' after a key; start the list on its own line{QUOTE}",
    "'-' indicator": "an item that is not indented like the others of its list, or lacks its '- '",
    "alphabetic or numeric": "a text cannot start with * or &; put it into single quotes",
    "expected node content": f"a value is missing before this character; write it{QUOTE}",
    "mapping keys are not allowed": "a text cannot start with '? '; put it into single quotes",
    "comment or line break": "after | or > the text starts on the next line",
    "undefined tag handle": "a text cannot start with !; put it into single quotes",
}
# The cause of these stands where the list, the map, the quote or the line began, not where PyYAML gave up.
BEGUN_EARLIER = (
    "hexdecimal",
    "could not find",
    "expected ',' or",
    "end of stream",
    "numeric",
    "line break",
    "tag",
)


def _syntax_fault(error: yaml.YAMLError, name: str, lines: list[str]) -> Fault:
    """A complaint of PyYAML in the words of this format, where the cause stands."""
    problem = str(getattr(error, "problem", None) or error)
    mark, began = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    here = _rest(lines, mark)
    if began and here[:1] != "[" and any(piece in problem for piece in BEGUN_EARLIER):
        mark = began
    line, column = (mark.line, mark.column) if mark else (0, 0)
    said = _syntax_words(problem, lines, line, column, here)
    return Fault(name, line + 1, column + 1, "", f"not valid YAML: {said}")


def _rest(lines: list[str], mark: Any) -> str:
    """What stands at a mark, to the end of its line."""
    return lines[mark.line][mark.column :] if mark and mark.line < len(lines) else ""


def _syntax_words(problem: str, lines: list[str], line: int, column: int, here: str) -> str:
    """What is wrong, told from what PyYAML says and from what stands there."""
    before = lines[line][:column] if line < len(lines) else ""
    if "mapping values" in problem:
        if re.search(r":\s", before):
            return "a ': ' inside a text that has no quotes; put the whole text into single quotes"
        if line and re.match(r"[-\s]*\w+:[^\s/]", lines[line - 1]):
            return "the line above has no space after its colon; write key: value"
        return "this line is indented too far; indent it like the key it belongs beside"
    if "cannot start any token" in problem:
        tab = here[:1] == "\t"
        return (
            "a tab; indent with spaces"
            if tab
            else f"a text cannot start with '{here[:1]}'; put it into single quotes"
        )
    if "did not find expected key" in problem or "<block end>" in problem:
        if before.rstrip()[-1:] in ("'", '"', "]", "}"):
            return (
                "text goes on after a closing quote or bracket; put all of it into single quotes ('' for ')"
            )
        return "this line is indented like none of the lines above it"
    if "expected ',' or" in problem and here[:1] == "[":
        return INDEXED
    return next((ours for theirs, ours in SYNTAX.items() if theirs in problem), problem)


def _no_value(key: str, before: str) -> str:
    """Why a key inside { } that stands alone is a comma too many."""
    if key.isdigit() and before[-1:].isdigit():
        return f"a comma starts a new key here; decimals use a point: {before}.{key}"
    return f"'{key}' has no value; a comma in {{ }} starts a new key: put texts with commas in single quotes"


class _Walker:
    """From PyYAML's nodes to ours, collecting duplicate keys and quoting traps on the way."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.lines = lines
        self.faults: list[Fault] = []

    def walk(self, node: Any, path: str = "", *, flow: bool = False) -> Node:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        end = (node.end_mark.line, node.end_mark.column)
        if isinstance(node, yaml.ScalarNode):
            return self._text(node, path, flow)
        flow = flow or bool(node.flow_style)
        if isinstance(node, yaml.SequenceNode):
            items: list[Node] = []
            for number, value in enumerate(node.value, start=1):
                item = self.walk(value, f"{path}[{number}]", flow=flow)
                # The other half of a call that a comma has cut in two is not worth a second complaint.
                half = bool(items) and items[-1].broken and ")" in item.text
                items.append(replace(item, broken=True) if half else item)
            return Node("list", line, column, items=tuple(items), end=end, source=self.lines)
        entries = tuple(self._entries(node, path, flow))
        return Node("map", line, column, entries=entries, end=end, source=self.lines)

    def _entries(self, node: Any, path: str, flow: bool) -> Iterator[tuple[Node, Node]]:
        seen: set[str] = set()
        cut, before = False, ""
        for key, value in node.value:
            line, column = key.start_mark.line + 1, key.start_mark.column + 1
            if not isinstance(key, yaml.ScalarNode):
                said = "a key must be plain text; put a text that starts with { or [ into single quotes"
                self._fault(line, column, path, said)
                continue
            name = self.walk(key, path)
            empty = isinstance(value, yaml.ScalarNode) and not value.value and not value.style
            if flow and empty:
                if not cut:
                    self._fault(line, column, path, _no_value(name.text, before))
                continue
            if name.text in seen:
                self._fault(line, column, path, f"the key '{name.text}' appears twice; keep one of them")
                continue
            seen.add(name.text)
            made = self.walk(value, f"{path}.{name.text}" if path else name.text, flow=flow)
            cut, before = made.broken, made.text
            yield name, made

    def _text(self, node: Any, path: str, flow: bool) -> Node:
        line, column, last = node.start_mark.line + 1, node.start_mark.column + 1, node.end_mark.line
        before = len(self.faults)
        if node.style == '"':
            self._check_escapes(node, path)
        elif not node.style and flow and node.value.count("(") > node.value.count(")"):
            self._fault(line, column, path, self._cut_in_two(node))
        after = self.lines[last][node.end_mark.column :] if last < len(self.lines) else ""
        comment = not node.style and bool(node.value) and re.match(r"\s*#", after) is not None
        return Node(
            "text",
            line,
            column,
            text=node.value,
            quoted=node.style or "",
            last_line=last + bool(node.end_mark.column),
            end=(last, node.end_mark.column),
            comment_follows=comment,
            broken=len(self.faults) > before,
            source=self.lines,
        )

    def _cut_in_two(self, node: Any) -> str:
        """Why `{W_Q: ones(3, 2)}` is not what it looks like."""
        rest = self.lines[node.start_mark.line][node.start_mark.column :]
        whole = rest[: rest.find(")") + 1]
        if not whole:
            return f"the bracket in '{node.value}' is never closed"
        said = f"inside {{ }} and [ ] a comma ends a text, so '{node.value}' is cut off"
        size = re.fullmatch(r"(\w+)\(\s*(\d+)\s*,\s*(\d+)\s*\)", whole)
        cure = f"write {size[1]}({size[2]}x{size[3]})" if size else f"put '{whole}' into single quotes"
        return f"{said}; {cure}"

    def _check_escapes(self, node: Any, path: str) -> None:
        """`"\\alpha"` is a bell and `lpha`: nobody means that."""
        first, last = node.start_mark.line, node.end_mark.line
        for number in range(first, min(last + 1, len(self.lines))):
            start = node.start_mark.column + 1 if number == first else 0
            stop = node.end_mark.column if number == last else None
            for found in re.finditer(r"\\(?:\\|[A-Za-z]{2,})", self.lines[number][start:stop]):
                if found[0] != "\\\\" and not re.match(
                    r"\\(x[0-9a-f]|u[0-9a-f]{4})", found[0], re.IGNORECASE
                ):
                    said = f"double quotes change the '{found[0][:2]}' of '{found[0]}'; use single quotes"
                    self._fault(number + 1, start + found.start() + 1, path, said)
                    return
        if CONTROL.search(node.value):
            said = "double quotes make a control character here; use single quotes"
            self._fault(first + 1, node.start_mark.column + 1, path, said)

    def _fault(self, line: int, column: int, path: str, message: str) -> None:
        self.faults.append(Fault(self.name, line, column, path, message))
