"""Answers as YAML or JSON: `{student: …, variant: …, answers: {S: [[…]], 'A[2, 1]': 0.5, Z: '-'}}`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from attnsolve.documents import Node, NodeKind, parse
from attnsolve.errors import AttnsolveError, Fault, ProblemError
from attnsolve.limits import Limits
from attnsolve.loader.reader import shortened
from attnsolve.reasons import as_typed, reason
from attnsolve.submission import State, Submission, Table, Written
from attnsolve.verifier.reading.compact import read_override
from attnsolve.verifier.reading.draft import REMARKS, Draft, LimitReached, check_crowd
from attnsolve.verifier.reading.names import Place, read_key
from attnsolve.verifier.reading.numbers import read_number, unread
from attnsolve.verifier.reading.separators import SPACED, TIGHT, Item, separate, split_row
from attnsolve.verifier.reading.tables import check_ragged, fill_up, read_typed

WHO = {"student": "student", "id": "student", "variant": "variant", "code": "variant"}
MARKS = ("mark", "marks")
EXPECTED = "a map of answers is expected here, such as {S: [[1, 2], [3, 4]], Z: 0.5 0.5}"


def read_yaml(data: bytes, source: str, limits: Limits) -> Iterator[Submission]:
    """The answers in a YAML file, for one person or a list of them."""
    faults: list[Fault] = []
    root = parse(data, source, limits=limits, faults=faults)
    for number, node in enumerate(_people(root, source, limits)):
        yield _read_person(node, source, limits, faults if not number else [])


def read_json(text: str, source: str, limits: Limits) -> Iterator[Submission]:
    """The answers in a JSON file; every number stays text, since a float would lose its digits."""
    try:
        value = json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        said = f"not valid JSON: {error.msg.lower()}"
        raise ProblemError([Fault(source, error.lineno, error.colno, "", said)]) from None
    except RecursionError:
        raise _too_deep(source, limits) from None
    counter = _Counter(source, limits, text)
    for node in _people(counter.node(value, 1), source, limits):
        yield _read_person(node, source, limits, [])


class _Pairs(tuple[tuple[str, Any], ...]):
    """A JSON object with every pair that was written."""


def _too_deep(source: str, limits: Limits) -> ProblemError:
    """That lists lie in lists deeper than the limit."""
    return ProblemError([Fault(source, 1, 1, "", f"nested deeper than {limits.depth} levels, the limit")])


class _Counter:
    """JSON turned into the nodes that YAML gives, within the same caps."""

    def __init__(self, source: str, limits: Limits, text: str) -> None:
        self.source, self.limits, self.text = source, limits, text
        self.nodes = self.place = 0
        self.line = 1

    def node(self, value: Any, depth: int) -> Node:
        """A value as a node; a ProblemError where there are too many, or too deep ones."""
        self.nodes += 1 + (len(value) if isinstance(value, _Pairs) else 0)  # keys count, as in YAML
        if depth > self.limits.depth:
            raise _too_deep(self.source, self.limits)
        if self.nodes > self.limits.nodes:
            said = f"more than {self.limits.nodes} values, the limit"
            raise ProblemError([Fault(self.source, self.line, 1, "", said)])
        if isinstance(value, _Pairs):
            entries = tuple((self._key(key), self.node(item, depth + 1)) for key, item in value)
            return Node(NodeKind.MAP, self.line, 1, entries=entries)
        if isinstance(value, list):
            return Node(
                NodeKind.LIST, self.line, 1, items=tuple(self.node(item, depth + 1) for item in value)
            )
        text = value if isinstance(value, str) else "" if value is None else str(value).lower()
        return Node(NodeKind.TEXT, self.line, 1, text=text, quoted='"')

    def _key(self, key: str) -> Node:
        """A key with its line: keys are met in the order of the file."""
        found = self.text.find(f'"{key}"', self.place) if self.place >= 0 else -1
        if found >= 0:
            self.line += self.text.count("\n", self.place, found)
        # One that is written otherwise ends the search, which would take long.
        self.place = found + 1 if found >= 0 else found
        return Node(NodeKind.TEXT, self.line, 1, text=key)


def _people(root: Node, source: str, limits: Limits) -> tuple[Node, ...]:
    """The map of each person; a ProblemError where there is something else."""
    people = root.items if root.is_list else (root,)
    if not people or any(not person.is_map for person in people):
        raise ProblemError([Fault(source, root.line, root.column, "", EXPECTED)])
    check_crowd(len(people), source, limits)
    return people


def _read_person(node: Node, source: str, limits: Limits, faults: list[Fault]) -> Submission:
    """What one person handed in, with the faults of the file itself."""
    draft = Draft(source, limits)
    with suppress(LimitReached):
        for fault in faults:
            draft.fault(fault.line, fault.column, as_typed(fault.message), name=fault.path)
        _read_map(draft, node)
    return draft.finish()


def _read_map(draft: Draft, node: Node) -> None:
    """The keys that say who it is and what was marked by hand; the others are names of values."""
    for key, value in node.entries:
        word = key.text.strip().lower()
        if word in WHO and value.is_text:
            draft.identify(**{"student": "", "variant": "", WHO[word]: value.text.strip()})
        elif word == "answers" and value.is_map:
            for name, answer in value.entries:
                _read_entry(draft, name, answer, "")
        elif word in MARKS and value.is_map:
            for name, given in value.entries:
                read_override(draft, f"mark {name.text} {given.text}", given.line, given.column)
        elif word in REMARKS:
            for item in value.items or (value,):
                draft.remark(item.text)
        else:
            _read_entry(draft, key, value, "")


def _read_entry(draft: Draft, key: Node, value: Node, prefix: str) -> None:
    """One answer; the answers of a map in a map have both names, and a number is a row: b.Z, A[2]."""
    name = key.text.strip()
    whole = f"{prefix}[{name}]" if prefix and name.isdigit() else f"{prefix}.{name}" if prefix else name
    place = read_key(whole)
    if value.broken:
        broken = unread(value.text, reason("this is cut off or changed by YAML's own signs"))
        draft.add_rows(place, Table.of_one(broken), key.line)
    elif value.is_map:
        for inner, answer in value.entries:
            _read_entry(draft, inner, answer, whole[:200])
    elif value.is_list:
        _read_list(draft, place, value, key.line)
    else:
        draft.add_text(place, _unfolded(value), key.line, value.column)


def _unfolded(node: Node) -> str:
    """The text with the line breaks that YAML takes for blanks: each line is a row."""
    if node.last_line <= node.line or node.quoted in ("|", '"'):
        return node.text
    first = node.line if node.quoted == ">" else node.line - 1
    lines = list(node.source[first : node.last_line])
    if lines and node.quoted != ">":
        lines[0] = lines[0][node.column - 1 :]
    kept = "\n".join(lines).strip().strip(node.quoted or " ")
    return kept if kept.split() == node.text.split() else node.text


def _read_list(draft: Draft, place: Place, node: Node, line: int) -> None:
    """One answer that is a list, or why it could not be read."""
    try:
        rows = _rows(draft, node)
    except AttnsolveError as error:
        draft.fault(node.line, node.column, error.reason, name=place.name)
        rows = Table.of_one(unread("[…]", error.reason))
    draft.add_rows(place, rows, line)


def _rows(draft: Draft, node: Node) -> Table:
    """`[1, 2]` is a row; a list of lists, or of texts with several numbers each, has rows."""
    while len(node.items) == 1 and node.items[0].is_list and _is_nested(node.items[0]):
        node = node.items[0]  # a batch of one
    if any(item.is_text and len(split_row(item.text)) > 1 for item in node.items):
        lists = node.items
    else:
        lists = node.items if _is_nested(node) else (node,)
    draft.budget.count(sum(max(len(row.items), 1) for row in lists))
    rows = [_row(draft, row) for row in lists]
    check_ragged(list(map(len, rows)), draft.budget)
    return fill_up(rows) if any(rows) else Table.of_one(Written("", State.BLANK))


def _is_nested(node: Node) -> bool:
    """Whether some item of a list is a list."""
    return any(item.is_list for item in node.items)


def _row(draft: Draft, node: Node) -> list[Written]:
    """The numbers of one row; commas between its items are as tight as they were typed."""
    budget = draft.budget
    if node.is_text:
        typed = split_row(node.text)
        budget.count(len(typed))
        return [read_typed(one, budget) for one in typed]
    if node.is_map or any(not item.is_text for item in node.items):
        why = reason("a number is expected here, such as 0.5 or 1/3")
        return [unread(shortened(node.kind), why)]
    if not node.source or any(item.quoted for item in node.items):
        return [read_number(item.text, budget) for item in node.items]
    items = [Item(item.text) for item in node.items[:1]]  # which stands behind no comma
    for before, item in pairwise(node.items):
        touching = (before.line, before.column + len(before.text) + 1) == (item.line, item.column)
        items.append(Item(item.text, TIGHT if touching else SPACED))
    return [read_typed(one, budget) for one in separate(items, bracketed=True)]
