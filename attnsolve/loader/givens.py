"""What is given: read as typed, then laid into the row convention once its use is known."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attnsolve.documents import Node
from attnsolve.exact import Matrix
from attnsolve.exact.functions import NAMES as FUNCTIONS
from attnsolve.exact.masked import Masked
from attnsolve.loader.makers import MAKERS
from attnsolve.loader.reader import Reader, did_you_mean, shortened
from attnsolve.loader.tables import Table, read_table_node
from attnsolve.ops import Axis, Frame, Role
from attnsolve.problem import Convention, Given

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)?")
RESULT = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[A-Za-z]\w*)+", re.ASCII)
LONGEST_CHAIN = 16
# Words that mean something else wherever a name could stand.
TAKEN = {"e", "pi", "log", "none", *FUNCTIONS, *MAKERS}


class Givens:
    """The tables of a file by name, with the role that the parts give each of them."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.nodes: dict[str, Node] = {}
        self.tables: dict[str, Table | None] = {}
        self.roles: dict[str, Role] = {}
        self.inline: set[str] = set()
        # What the written plans of a file make: the name of each result, and the part that makes it.
        self.made: dict[str, str] = {}
        self._open: list[str] = []

    def read(self, node: Node) -> None:
        """All entries of `given:`."""
        if not node.is_map:
            self.reader.fault(node, "given", "a map of names is expected here, such as X: 1 2; 3 4")
            return
        for key, value in node.entries:
            if key.text in TAKEN:
                self.reader.fault(
                    key, "given", f"'{key.text}' means something else in expressions; choose another name"
                )
            elif not NAME.fullmatch(key.text):
                said = f"'{shortened(key.text)}' cannot be a name; use letters, digits and one _, as in W_Q"
                self.reader.fault(key, "given", said)
            # Kept all the same: parts that use the name are not to be told that it does not exist.
            self.nodes[key.text] = value
        for name in self.nodes:
            self.find(name)

    def find(self, name: str) -> Matrix | None:
        """A given as it is typed, read when it is first needed, so that one may be made from others."""
        if name not in self.tables:
            if name in self._open:
                self.reader.fault(self.nodes[name], f"given.{name}", f"'{name}' is made from itself")
                return None
            if len(self._open) >= LONGEST_CHAIN:
                said = f"this is made from givens that are made from givens, more than {LONGEST_CHAIN} deep"
                self.reader.fault(self.nodes[self._open[0]], f"given.{self._open[0]}", said)
                return None
            self._open.append(name)
            self.tables[name] = self._read(self.nodes[name], f"given.{name}")
            self._open.pop()
        table = self.tables[name]
        return None if table is None else table.value

    def _read(self, node: Node, path: str) -> Table | None:
        return read_table_node(self.reader, node, path, names=self.nodes, find=self.find)

    def use(self, node: Node, path: str, role: Role, inline_name: str) -> str | None:
        """The name of the matrix that a key means: a given, an earlier result, or one typed right there."""
        text = node.text.strip() if node.is_text else ""
        if text in self.nodes:
            self.assign(text, role, node, path)
            return text if self.find(text) is not None else None
        if RESULT.fullmatch(text):
            return text
        if NAME.fullmatch(text):
            self.reader.fault(node, path, unknown_name(text, list(self.nodes), self.made))
            return None
        table = self._read(node, path)
        if table is None:
            return None
        self.tables[inline_name] = table
        self.inline.add(inline_name)
        self.assign(inline_name, role, node, path)
        return inline_name

    def assign(self, name: str, role: Role, node: Node, path: str) -> None:
        """Note what a given is for; one matrix cannot be laid in two ways, and `any` leaves it open."""
        known = self.roles.setdefault(name, role) if role is not Role.ANY else role
        if known is not role and not {known, role} <= {Role.TOKENS, Role.ROW}:
            said = f"'{name}' is used as {known} before and as {role} here; give the two uses two names"
            self.reader.fault(node, path, said)
        if role is not Role.SCORES and isinstance(self.find(name), Masked):
            said = f"'{name.rpartition('.')[2]}' has -inf in it, which only scores and an added mask may have"
            self.reader.fault(node, path, said)

    def laid(self, convention: Convention, labels: Mapping[str, tuple[str, ...]]) -> dict[str, Given]:
        """Every given with tokens as rows and weights in × out, as the engine computes."""
        return {
            name: self._laid(name, table, convention, labels)
            for name, table in self.tables.items()
            if table is not None
        }

    def _laid(
        self, name: str, table: Table, convention: Convention, labels: Mapping[str, tuple[str, ...]]
    ) -> Given:
        role = self.roles.get(name, Role.TOKENS)
        transposed = convention.types_transposed(role)
        value = table.value.T if transposed else table.value
        typed = tuple(zip(*table.typed, strict=True)) if transposed and table.typed else table.typed
        rows, columns = value.shape
        tokens = None if table.vector and rows == 1 else tuple(range(rows))
        if role in (Role.WEIGHTS, Role.ROW, Role.BETWEEN):
            frame = Frame(Axis(rows), Axis(columns))
        else:
            seen = tuple(range(columns)) if role is Role.SCORES else None
            asking, looked_at = _labels(labels, name, rows), _labels(labels, "", columns)
            frame = Frame(Axis(rows, tokens, asking), Axis(columns, seen, looked_at if seen else ()))
        shown = name not in self.inline
        return Given(name, value, frame, role, typed, table.vector, shown, table.made_from)


def _labels(labels: Mapping[str, tuple[str, ...]], name: str, size: int) -> tuple[str, ...]:
    """The names of the tokens of a given: its own, or those for all matrices with so many tokens."""
    names = labels.get(name) or labels.get("", ())
    return names if len(names) == size else ()


def unknown_name(name: str, known: list[str], made: Mapping[str, str]) -> str:
    """The complaint about a name that is not given; a result is written with the part that makes it."""
    if name in made:
        return f"there is no given '{name}'; part {made[name]} makes it, so write {made[name]}.{name}"
    listed = f"; the givens are {', '.join(known)}" if known else "; nothing is given"
    return f"there is no given '{name}'{did_you_mean(name, known) or listed}"
