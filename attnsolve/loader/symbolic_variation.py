"""The `vary:` of a file with symbols: numbers by name, numbers beside letters, and which claims it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attnsolve.documents import Node
from attnsolve.loader.domains import read_domain
from attnsolve.loader.format import ABSTRACT_KEYS
from attnsolve.loader.named_numbers import LETTER
from attnsolve.loader.parts import Draft
from attnsolve.loader.reader import Reader, did_you_mean, listing, shortened
from attnsolve.loader.variation import CHOSEN, SETTINGS, VaryReader
from attnsolve.loader.variation_format import CLAIM_COUNTS, MOST_CLAIMS
from attnsolve.problem import Given, Part
from attnsolve.variation import ClaimCounts, Vary

# What works on numbers alone.
NUMERICAL = ("fixed", "shapes", "design", "judges", "want")
# Beside the keys of parts, `choose` may put something else in the place of these.
OUTSIDE = ("let", "given")
NOTHING = "say what varies: a number under let: ({r: 2..5}), numbers of a matrix, choose or claims"


def has_places(node: Node | None) -> bool:
    """Whether some number of `let:` was filled in."""
    return node is not None and (bool(node.origins) or any(map(has_places, node.items)))


class SymbolicVaryReader(VaryReader):
    """Reads `vary:` against the named numbers, givens and parts of a file with symbols."""

    allowed = ("zero_rows", "equal_rows", "groups", "outcomes", "verdicts")
    chosen = (*CHOSEN, *ABSTRACT_KEYS)

    def __init__(
        self,
        reader: Reader,
        entries: Mapping[str, Node],
        givens: Mapping[str, Given],
        drafts: Sequence[Draft],
        parts: Sequence[Part],
    ) -> None:
        super().__init__(reader, givens, drafts)
        self.entries = entries
        self.parts = {part.id: part for part in parts}
        self.named: dict[str, tuple[str, ...]] = {}

    def read(self, node: Node) -> Vary:
        """All of `vary:`."""
        before = len(self.reader.faults)
        for key, value in node.entries:
            if key.text in NUMERICAL:
                said = f"'{key.text}' is for problems with numbers, and this one has symbols"
                self.reader.fault(value, f"vary.{key.text}", said)
        if len(self.reader.faults) > before:
            return Vary()
        vary = super().read(node)._replace(named=self.named)
        if len(self.reader.faults) == before:
            self._check(node, vary)
        return vary

    def _check(self, node: Node, vary: Vary) -> None:
        """Complain where nothing varies, or a number in two ways."""
        if not (vary.named or vary.domains or vary.choices or vary.claims):
            self.reader.fault(node, "vary", NOTHING)
        chosen = {path for choice in vary.choices for way in choice.ways for path, _ in way}
        for name in self.named:
            if ("let", name) in chosen:
                said = f"'{name}' is chosen already, under choose"
                self.reader.fault(node.get(name) or node, f"vary.{name}", said)
        let = self.entries.get("let")
        for name in vary.domains:
            if let is not None and let.get(name) is not None:
                said = f"'{name}' is a given and a number under let; rename one of them"
                self.reader.fault(node.get(name) or node, f"vary.{name}", said)
            elif not any(cell.rational() is not None for _, _, cell in self.givens[name].value.cells()):
                said = f"'{name}' has letters only, and no number that could vary"
                self.reader.fault(node.get(name) or node, f"vary.{name}", said)
            elif has_places(self.entries["given"].get(name)):
                said = f"'{name}' has numbers of let: in it; let these vary, and not the whole matrix"
                self.reader.fault(node.get(name) or node, f"vary.{name}", said)

    def _is_named(self, key: Node, value: Node, path: str) -> bool:
        """`r: 2..5`, `s: [2, 3]` or `i: [a, b]` of a name under `let:`."""
        let = self.entries.get("let")
        typed = None if let is None else let.get(key.text)
        if typed is None:
            known = [inner.text for inner, _ in (() if let is None else let.entries)]
            hint = did_you_mean(key.text, [*known, *self.givens, *SETTINGS])
            there = listing("there are", [*known, *self.givens], "there are none")
            said = f"no number under let, and no matrix of numbers, is called '{shortened(key.text)}'"
            self.reader.fault(key, "vary", f"{said}{hint or there}")
            return True
        if LETTER.fullmatch(typed.text.strip()):
            self._letters(value, path, key.text)
        else:
            domain = read_domain(self.reader, value, path, decimals="." in typed.text)
            if domain is not None and any(entry.value.rational() is None for entry in domain.entries):
                self.reader.fault(value, path, "only rational numbers are put into texts and formulas")
            elif domain is not None:
                self.named[key.text] = tuple(entry.text for entry in domain.entries)
        return True

    def _letters(self, node: Node, path: str, name: str) -> None:
        """The letters that an index may have."""
        texts = [item.text.strip() for item in node.items if item.is_text]
        if len(set(texts)) < max(2, len(node.items)) or not all(map(LETTER.fullmatch, texts)):
            self.reader.fault(node, path, "a list of letters is expected here, each once, such as [a, b, j]")
            return
        self.named[name] = tuple(texts)

    def _key(self, key: Node, path: str) -> tuple[str | int, ...] | None:
        """Where a key stands: in a part, under `let:` (let.r), or under `given:` (given.q)."""
        room, _, name = key.text.partition(".")
        if room not in OUTSIDE or room in self.drafts:
            return super()._key(key, path)
        node = self.entries.get(room)
        known = [inner.text for inner, _ in (() if node is None else node.entries)]
        if name not in known:
            hint = did_you_mean(name, known) or listing("there are", known, "there are none")
            self.reader.fault(key, path, f"nothing is called '{shortened(name)}' under {room}{hint}")
            return None
        return (room, name)

    def _claims(self, node: Node, path: str) -> tuple[ClaimCounts, ...]:
        """`{e: {true: 2, false: 1}}`."""
        if not node.is_map or not node.entries:
            self.reader.fault(node, path, "a map is expected here, such as {e: {true: 2, false: 1}}")
            return ()
        made = []
        for key, value in node.entries:
            counts = self._counts(key, value, f"{path}.{key.text}")
            made += [] if counts is None else [counts]
        return tuple(made)

    def _counts(self, key: Node, node: Node, path: str) -> ClaimCounts | None:
        asked = {name: part.abstract for name, part in self.parts.items() if part.abstract is not None}
        with_claims = [name for name, one in asked.items() if one.claims]
        if key.text not in with_claims:
            there = listing("those with some are", with_claims, "none has any")
            self.reader.fault(key, path, f"'{shortened(key.text)}' is no part with claims{there}")
            return None
        for claim in asked[key.text].claims:
            if claim.count > 1:
                said = f"the claim in line {claim.line} has {claim.count} statements"
                self.reader.fault(key, path, f"{said}; to be drawn, each stands in a line of its own")
                return None
        marks = self.drafts[key.text][1].entries.get("marks")
        if marks is not None and marks.is_map:
            said = "papers have different claims here, so write marks: as one number that all share"
            self.reader.fault(marks, f"parts.{key.text}.marks", said)
        entries = self.reader.mapping(node, path, CLAIM_COUNTS, what="true: 2, false: 1")
        numbers = {
            name: self.reader.integer(inner, f"{path}.{name}", 0, MOST_CLAIMS)
            for name, inner in entries.items()
        }
        made = ClaimCounts(key.text, **{name: number or 0 for name, number in numbers.items()})
        wanted, there_are = sum(made[1:]), len(asked[key.text].claims)
        if not 0 < wanted <= there_are:
            said = f"{wanted} claims are drawn from {there_are}; write how many of each verdict"
            self.reader.fault(node, path, said)
            return None
        return made
