"""Heads with symbols: `attend`, and `multi_head` with queries, keys and values for each of its heads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from attnsolve.assumptions import AbstractHead, Assumptions, Attention
from attnsolve.documents import Node
from attnsolve.errors import ExpressionError
from attnsolve.loader.reader import Reader, shortened
from attnsolve.statements.grammar import formula
from attnsolve.statements.tokens import NAMES
from attnsolve.statements.tree import ONE, Name, Tree

ATTEND = ("queries", "keys", "values", "divide_by", "mask")
MULTI_HEAD = ("heads", "keys", "values", "divide_by", "mask", "combine")
MAP = "a map is expected here, such as {queries: q, keys: k, values: v}"
HEADS = "a list of heads is expected here, such as [{queries: q_1}, {queries: q_2}], or earlier parts: [a, b]"
MASK = "with symbols a mask hides keys by their names: {drop_keys: [a]}; other masks go by places"


class HeadReader:
    """Reads heads; `known` are the names that a formula may use."""

    def __init__(self, reader: Reader, assumptions: Assumptions, known: frozenset[str]) -> None:
        self.reader, self.assumptions, self.known = reader, assumptions, known

    def attend(self, node: Node, path: str) -> Attention | None:
        """`{queries: q, keys: k, values: v, divide_by: sqrt(d)}`; a list of queries makes several heads."""
        found = self._map(node, path, ATTEND)
        heads = None if found is None else self._heads(node, path, found)
        return None if heads is None else Attention(heads)

    def multi_head(self, node: Node, path: str, earlier: Mapping[str, Attention]) -> Attention | None:
        """Heads with what they have in common: `{heads: [{queries: q_1}, …], keys: k, values: v}`."""
        found = self._map(node, path, MULTI_HEAD)
        if found is None:
            return None
        listed = found.pop("heads", None)
        combine = found.pop("combine", None)
        if listed is None or not listed.is_list or not 1 < len(listed.items) <= self.reader.limits.parts:
            self.reader.fault(listed or node, f"{path}.heads", HEADS)
            return None
        heads: list[AbstractHead] = []
        for number, item in enumerate(listed.items, start=1):
            where = f"{path}.heads[{number}]"
            if item.is_text:
                made = self._earlier(item, where, earlier)
            else:
                own = self._map(item, where, ATTEND)
                made = None if own is None else self._heads(item, where, {**found, **own})
            if made is not None and len(made) > 1:
                self.reader.fault(item, where, "a head has one query; write a head for each of these")
                made = None
            if made is None:
                return None
            heads += made
        combined = None if combine is None else self.formula(combine, f"{path}.combine")
        return None if combine is not None and combined is None else Attention(tuple(heads), combined)

    def _earlier(
        self, node: Node, path: str, earlier: Mapping[str, Attention]
    ) -> tuple[AbstractHead, ...] | None:
        """The head of an earlier part."""
        found = earlier.get(node.text.strip())
        if found is None:
            there = ", ".join(earlier) or "none"
            said = f"there is no earlier part '{shortened(node.text)}' with attention; there are {there}"
            self.reader.fault(node, path, said)
        return None if found is None else found.heads

    def _map(self, node: Node, path: str, keys: tuple[str, ...]) -> dict[str, Node] | None:
        if not node.is_map:
            self.reader.fault(node, path, MAP)
            return None
        for key, _ in node.entries:
            if key.text not in keys:
                said = f"unknown key '{shortened(key.text)}'; with symbols the keys are {', '.join(keys)}"
                self.reader.fault(key, path, said)
        return {key.text: value for key, value in node.entries}

    def _heads(self, node: Node, path: str, found: Mapping[str, Node]) -> tuple[AbstractHead, ...] | None:
        """A head for each query."""
        missing = [name for name in ATTEND[:2] if name not in found]
        if missing:
            self.reader.fault(node, path, f"the key '{missing[0]}' is missing")
            return None
        queries = found["queries"].items if found["queries"].is_list else (found["queries"],)
        names = [self.query(query, f"{path}.queries") for query in queries]
        keys = self.family(found["keys"], f"{path}.keys")
        values = self.family(found["values"], f"{path}.values") if "values" in found else ""
        divisor: Tree | None = ONE
        if "divide_by" in found and found["divide_by"].text.strip() != "none":
            divisor = self.formula(found["divide_by"], f"{path}.divide_by")
        hidden = self._mask(found["mask"], f"{path}.mask") if "mask" in found else ()
        if keys is None or values is None or divisor is None or hidden is None or None in names or not names:
            return None
        head = AbstractHead(Name(""), keys, values, divisor, hidden)
        return tuple(replace(head, query=name) for name in names if name is not None)

    def query(self, node: Node, path: str, text: str = "") -> Name | None:
        """A query by its name."""
        made = self.formula(node, path, text)
        if made is not None and made not in self.assumptions.definitions:
            given = ", ".join("_".join((one.name, *one.index)) for one in self.assumptions.definitions)
            self.reader.fault(node, path, f"queries are defined under given:; there are {given or 'none'}")
            return None
        return made if isinstance(made, Name) else None

    def family(self, node: Node, path: str, text: str = "") -> str | None:
        """A family of keys or values by its name; all that are used together have equally many vectors."""
        found = text or self.reader.word(node, path, "the name of a family of vectors")
        if found is None:
            return None
        there = {**self.assumptions.vectors, **self.assumptions.scaled}
        found = NAMES.get(found, found)
        if found not in there:
            said = f"there are no vectors '{shortened(found)}'; there are {', '.join(there) or 'none'}"
            self.reader.fault(node, path, said)
            return None
        family = self.assumptions.vectors.get(found)
        if family is not None and family.is_single:
            said = f"'{found}' is one vector; keys and values are families, such as {found}: m vectors"
            self.reader.fault(node, path, said)
            return None
        return found

    def _mask(self, node: Node, path: str) -> tuple[str, ...] | None:
        """`{drop_keys: [a, b]}`, or `none`."""
        if node.is_text and node.text.strip() == "none":
            return ()
        dropped = node.get("drop_keys")
        if not node.is_map or dropped is None or len(node.entries) != 1:
            self.reader.fault(node, path, MASK)
            return None
        items = dropped.items if dropped.is_list else (dropped,)
        found = [self.hidden(item, f"{path}.drop_keys") for item in items]
        kept = tuple(dict.fromkeys(one for one in found if one is not None))
        return None if None in found or not kept else kept

    def hidden(self, node: Node, path: str, text: str = "") -> str | None:
        """The index of a key that a mask hides: a letter, or a number."""
        word = text or self.reader.word(node, path, "the index of a key, such as a")
        if word is None:
            return None
        name = NAMES.get(word, word)
        if not (name.isalpha() or name.isdecimal()) or name in self.known - {"a"} or len(name) > 8:
            said = f"'{shortened(word)}' is no index of a key; write a for k_a, or 1 for k_1"
            self.reader.fault(node, path, said)
            return None
        return name

    def formula(self, node: Node, path: str, text: str = "") -> Tree | None:
        """A formula of known names."""
        found = text or self.reader.word(node, path, "a formula")
        try:
            return None if found is None else formula(found, self.known, limits=self.reader.limits)
        except ExpressionError as error:
            self.reader.fault(node, path, str(error), at=0 if text else max(0, error.column - 1))
            return None
