"""The `vary:` of a file and the `allow:` of its parts: what may change from one exam variant to the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attnsolve.documents import Node
from attnsolve.loader.domains import given_domain, read_fraction
from attnsolve.loader.parts import PLANS, Draft
from attnsolve.loader.reader import Reader, did_you_mean, listing, shortened
from attnsolve.loader.variation_format import JUDGE_SETTINGS, VARY
from attnsolve.problem import Given
from attnsolve.rewriting import written
from attnsolve.variation import (
    GENERATION,
    JUDGES,
    OF_SYMBOLS,
    Choice,
    ClaimCounts,
    Design,
    Domain,
    JudgeSettings,
    Vary,
)

SIZE = re.compile(r"\s*([1-9]\d{0,2})\s*[x×]\s*([1-9]\d{0,2})\s*")
# What `allow:` may name: the judges that a whole exam cannot do without are not among them.
ALLOWED = tuple(name for name in JUDGES if name not in ("undefined", "no_ties", "effort", *OF_SYMBOLS))
WANTED = ("ties",)
OMITTED = ("note", "title", "plot")
# What may be chosen of a part besides the keys of its recipe.
CHOSEN = ("ask", "title", "note", "explain", "discuss", "find", "plot")
SETTINGS = tuple(field.name for field in VARY)


def read_allowed(
    reader: Reader, node: Node, path: str, choices: tuple[str, ...] = ALLOWED
) -> tuple[str, ...]:
    """`[ties, small_weights]` or a single name."""
    items = node.items if node.is_list else (node,)
    return tuple(word for item in items if (word := reader.choice(item, path, choices)) is not None)


class VaryReader:
    """Reads `vary:` against the givens and parts of its file."""

    allowed: tuple[str, ...] = ALLOWED
    chosen: tuple[str, ...] = CHOSEN

    def __init__(self, reader: Reader, givens: Mapping[str, Given], drafts: Sequence[Draft]) -> None:
        self.reader = reader
        self.givens = {name: given for name, given in givens.items() if given.shown}
        self.drafts = {draft.id: (place, draft) for place, draft in enumerate(drafts)}

    def read(self, node: Node) -> Vary:
        """All of `vary:`."""
        if not node.is_map:
            self.reader.fault(node, "vary", "a map is expected here, such as {X: -2..2, W_Q: -1..1}")
            return Vary()
        said: dict[str, Any] = {}
        domains: dict[str, Domain] = {}
        for key, value in node.entries:
            name, path = key.text, f"vary.{key.text}"
            if name in SETTINGS:
                if name in self.givens:
                    self.reader.fault(key, path, f"'{name}' is a setting of vary; rename the given")
                said[name] = value
            elif name in self.givens:
                domain = given_domain(self.reader, value, path, self.givens[name])
                domains |= {name: domain} if domain is not None else {}
            elif not self._is_named(key, value, path):
                known = [*self.givens, *SETTINGS]
                givens = listing("the givens are", list(self.givens), "nothing is given")
                hint = did_you_mean(name, known) or givens
                self.reader.fault(key, "vary", f"there is no given '{shortened(name)}'{hint}")
        vary = self._vary(said, domains)
        resized = {name for sizes in vary.shapes for name in sizes if node.get(name) is None}
        if resized and "design" not in said:  # which may build them
            name = min(resized)
            why = f"'{name}' gets other sizes, so say which numbers it gets: {name}: -2..2"
            self.reader.fault(said["shapes"], "vary.shapes", why)
        return vary

    def _is_named(self, key: Node, value: Node, path: str) -> bool:
        """Whether something else than a given has this name; problems with symbols have numbers by name."""
        return False

    def _vary(self, said: Mapping[str, Node], domains: Mapping[str, Domain]) -> Vary:
        made: dict[str, Any] = {"domains": domains}
        readers: dict[str, Callable[[Node, str], Any]] = {
            "fixed": self._names,
            "shapes": self._shapes,
            "choose": self._choices,
            "design": self._designs,
            "claims": self._claims,
            "omit": self._omitted,
            "judges": self._settings,
            "allow": lambda node, path: read_allowed(self.reader, node, path, self.allowed),
            "want": lambda node, path: read_allowed(self.reader, node, path, WANTED),
            "band": self._share,
            "version": lambda node, path: self.reader.integer(node, path, 1, 9999),
            "generation": lambda node, path: self.reader.integer(node, path, 1, GENERATION),
        }
        names = {"choose": "choices", "design": "designs"}
        for name, node in said.items():
            value = readers[name](node, f"vary.{name}")
            if value is not None:
                made[names.get(name, name)] = value
        return Vary(**made)

    def _names(self, node: Node, path: str) -> tuple[str, ...]:
        items = node.items if node.is_list else (node,)
        choices = tuple(self.givens)
        return tuple(name for item in items if (name := self.reader.choice(item, path, choices)) is not None)

    def _shapes(self, node: Node, path: str) -> tuple[Mapping[str, tuple[int, int]], ...]:
        if not node.is_list or not node.items or any(not item.is_map for item in node.items):
            self.reader.fault(node, path, "a list of sizes is expected here, such as [{X: 3x2}, {X: 4x2}]")
            return ()
        return tuple(self._shape(item, path) for item in node.items)

    def _shape(self, node: Node, path: str) -> dict[str, tuple[int, int]]:
        sizes = {}
        for key, value in node.entries:
            found = SIZE.fullmatch(value.text) if value.is_text else None
            name = self.reader.choice(key, path, tuple(self.givens))
            if found is None:
                said = f"'{shortened(value.text)}' is not a size; write rows x columns: 3x2"
                self.reader.fault(value, path, said)
            elif name is not None:
                sizes[name] = (int(found[1]), int(found[2]))
        return sizes

    def _choices(self, node: Node, path: str) -> tuple[Choice, ...] | None:
        """Keys such as `b.queries`, each with what may stand there; in a list, what is chosen together."""
        if node.is_list:
            return self._tied(node, path)
        if not node.is_map:
            self.reader.fault(node, path, "a map is expected here, such as {b.queries: [[1], [2]]}")
            return None
        made = []
        for key, value in node.entries:
            where = self._key(key, path)
            if where is None:
                continue
            if not value.is_list or len(value.items) < 2:
                said = "a list of two things or more that may stand there is expected here"
                self.reader.fault(value, f"{path}.{key.text}", said)
                continue
            made.append(Choice(key.text, tuple(((where, written(item)),) for item in value.items)))
        return tuple(made)

    def _tied(self, node: Node, path: str) -> tuple[Choice, ...] | None:
        """`[{b.queries: [1], b.ask: …}, {b.queries: [2], …}]`: what goes together is chosen together."""
        if len(node.items) < 2 or any(not item.is_map or not item.entries for item in node.items):
            said = "two maps or more are expected here, such as [{b.queries: [1]}, {b.queries: [2]}]"
            self.reader.fault(node, path, said)
            return None
        ways = []
        for item in node.items:
            places = [(self._key(key, path), written(value)) for key, value in item.entries]
            ways.append(tuple((where, text) for where, text in places if where is not None))
        return (Choice("way", tuple(ways)),)

    def _key(self, key: Node, path: str) -> tuple[str | int, ...] | None:
        """Where the key `b.queries` stands in the file: in part b, or in its recipe."""
        part, _, name = key.text.partition(".")
        if part not in self.drafts:
            known = did_you_mean(part, self.drafts) or listing("the parts are", list(self.drafts), "")
            self.reader.fault(
                key, path, f"'{shortened(key.text)}' is not part.key; there is no part '{part}'{known}"
            )
            return None
        place, draft = self.drafts[part]
        entries = {inner.text: value for inner, value in draft.node.entries}
        if name in self.chosen and name in entries:
            return ("parts", place, name)
        recipe = next((way for way in PLANS if way in entries and entries[way].is_map), None)
        own = [other.text for other, _ in entries[recipe].entries] if recipe is not None else []
        if recipe is None or name not in own:
            keys = listing(
                "its keys are", [*(word for word in self.chosen if word in entries), *own], "it has none"
            )
            said = f"part {part} does not say '{name}' itself, so nothing can be put in its place{keys}"
            self.reader.fault(key, path, said)
            return None
        return ("parts", place, recipe, name)

    def _claims(self, node: Node, path: str) -> tuple[ClaimCounts, ...]:
        self.reader.fault(node, path, "'claims' is for problems with symbols, which have assume:")
        return ()

    def _omitted(self, node: Node, path: str) -> tuple[tuple[str | int, ...], ...]:
        """Keys such as `b.note`, which variants do without."""
        items = node.items if node.is_list else (node,)
        return tuple(where for item in items if (where := self._own_key(item, path)) is not None)

    def _own_key(self, item: Node, path: str) -> tuple[str | int, ...] | None:
        part, _, name = item.text.partition(".")
        place, draft = self.drafts.get(part, (0, None))
        if draft is None or name not in OMITTED or draft.node.get(name) is None:
            known = [
                f"{key}.{name}" for key, (_, d) in self.drafts.items() for name in OMITTED if d.node.get(name)
            ]
            listed = listing("what can be left out is", known, "nothing here can be left out")
            said = f"'{shortened(item.text)}' is not a note, title or plot of a part"
            self.reader.fault(item, path, f"{said}{did_you_mean(item.text, known) or listed}")
            return None
        return ("parts", place, name)

    def _designs(self, node: Node, path: str) -> tuple[Design, ...]:
        if not node.is_map:
            self.reader.fault(node, path, "a map is expected here, such as {a: [1/2 1/3 1/6, 1/2 1/4 1/4]}")
            return ()
        made = []
        for key, value in node.entries:
            part = self.reader.choice(key, path, tuple(self.drafts))
            items = value.items if value.is_list else (value,)
            rows = [row for item in items if (row := self._weights(item, f"{path}.{key.text}")) is not None]
            if part is not None and rows:
                made.append(Design(part, tuple(rows)))
        return tuple(made)

    def _weights(self, node: Node, path: str) -> tuple[Fraction, ...] | None:
        """`1/2 1/3 1/6`: positive, and together 1."""
        shares = [read_fraction(self.reader, text) for text in node.text.split()]
        known = tuple(share for share in shares if share is not None and share > 0)
        if len(known) < 2 or len(known) < len(shares) or sum(known) != 1:
            said = f"'{shortened(node.text)}' are not weights; write fractions that add up to 1: 1/2 1/3 1/6"
            self.reader.fault(node, path, said)
            return None
        return known

    def _settings(self, node: Node, path: str) -> JudgeSettings:
        entries = self.reader.mapping(node, path, JUDGE_SETTINGS)
        made: dict[str, Any] = {}
        for field in JUDGE_SETTINGS:
            if field.name not in entries:
                continue
            inner, where = entries[field.name], f"{path}.{field.name}"
            value: Any
            if field.kind == "share":
                value = self._share(inner, where)
            elif field.kind == "flag":
                value = self.reader.choice(inner, where, ("true", "false")) == "true"
            else:
                value = self.reader.integer(inner, where, field.low, field.high)
            made |= {field.name: value} if value is not None else {}
        return JudgeSettings(**made)

    def _share(self, node: Node, path: str) -> Fraction | None:
        """`10%`, `0.1` or `1/10`."""
        text = node.text.strip() if node.is_text else ""
        plain = text.removesuffix("%").strip()
        value = read_fraction(self.reader, plain) if plain else None
        if value is not None and text.endswith("%"):
            value /= 100
        if value is None or not 0 <= value <= 1:
            self.reader.fault(
                node, path, f"'{shortened(text)}' is not a share from 0 to 1, such as 10% or 0.1"
            )
            return None
        return value
