"""From PyYAML's nodes to ours; what YAML would do silently is found on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from attnsolve.documents.node import Node, NodeKind
from attnsolve.errors import Fault

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# What nearly always helps against YAML.
QUOTE = ", or put the text into single quotes"


class Walker:
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
                items.append(item._replace(broken=True) if half else item)
            return Node(NodeKind.LIST, line, column, items=tuple(items), end=end, source=self.lines)
        entries = tuple(self._entries(node, path, flow))
        return Node(NodeKind.MAP, line, column, entries=entries, end=end, source=self.lines)

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
            NodeKind.TEXT,
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


def _no_value(key: str, before: str) -> str:
    """Why a key inside { } that stands alone is a comma too many."""
    if key.isdigit() and before[-1:].isdigit():
        return f"a comma starts a new key here; decimals use a point: {before}.{key}"
    return f"'{key}' has no value; a comma in {{ }} starts a new key: put texts with commas in single quotes"
