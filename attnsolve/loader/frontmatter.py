"""Everything in a file that is neither given nor asked: convention, places, labels, symbols, rounding."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attnsolve.documents import Node
from attnsolve.languages import ENGLISH
from attnsolve.loader.format import CONVENTION, PROBLEM, PROJECT, ROUND, SCHEME, SCORES
from attnsolve.loader.reader import Reader, did_you_mean, shortened
from attnsolve.loader.targets import Scope
from attnsolve.maths import complaint_about_maths
from attnsolve.maths.grammar import Refused
from attnsolve.maths.macros import written_out
from attnsolve.ops import Role
from attnsolve.problem import CONVENTIONS, Convention, Rounding, Scheme
from attnsolve.recipes.letters import LETTERS

FIELDS = {field.name: field for field in (*PROBLEM, *ROUND, *SCHEME)}
SIZES = ("d", "d_k", "d_model", "n")
# Products as they may be spelled once blanks are gone and every transpose is a prime.
SPELLINGS = {
    "project": {spelling.replace(" ", ""): spelling for spelling in PROJECT},
    "scores": {"QK'": SCORES[0], "Q'K": SCORES[0], "K'Q": SCORES[1], "KQ'": SCORES[1]},
}


class FrontMatter:
    """The choices a file makes for the whole sheet."""

    def __init__(self, reader: Reader, entries: Mapping[str, Node]) -> None:
        self.reader = reader
        self.entries = entries
        if "index_from" in entries:
            chosen = reader.choice(entries["index_from"], "index_from", FIELDS["index_from"].choices)
            reader.index_from = int(chosen or 1)
        if "macros" in entries:
            from attnsolve.loader.macros import read_macros  # few files define any

            reader.macros = read_macros(reader, entries["macros"])
        self.texts = {key: reader.text(entries[key], key) for key in ("title", "source") if key in entries}
        if "intro" in entries:
            self.texts["intro"] = reader.prose(entries["intro"], "intro")
        self.convention = self._convention(entries.get("convention"))
        places = self._integer("places", entries)
        self.places = 4 if places is None else places
        self.numbers = self._choice("numbers", entries) or "fractions"
        self.lang = self._choice("lang", entries) or ENGLISH.code
        self.labels = self._labels(entries.get("labels"))
        self.symbols = self._symbols(entries.get("symbols"))
        self.rounding = self._rounding(entries.get("round"))
        self.scheme = self._scheme(entries.get("scheme"))

    def _integer(self, name: str, entries: Mapping[str, Node], path: str = "") -> int | None:
        field = FIELDS[name]
        return (
            self.reader.integer(entries[name], path + name, field.low, field.high)
            if name in entries
            else None
        )

    def _choice(self, name: str, entries: Mapping[str, Node], path: str = "") -> str | None:
        return (
            self.reader.choice(entries[name], path + name, FIELDS[name].choices) if name in entries else None
        )

    def _convention(self, node: Node | None) -> Convention:
        """A preset by name, or the three choices one by one."""
        if node is None:
            return CONVENTIONS["rows"]
        if node.is_text:
            return CONVENTIONS[self.reader.choice(node, "convention", tuple(CONVENTIONS)) or "rows"]
        entries = self.reader.mapping(
            node, "convention", CONVENTION, what="tokens: columns, project: W X, scores: K' Q"
        )
        choices = CONVENTION[0].choices
        tokens = (
            self.reader.choice(entries["tokens"], "convention.tokens", choices)
            if "tokens" in entries
            else None
        )
        base = CONVENTIONS[tokens or "rows"]
        project = self._product(entries.get("project"), "project") or base.project
        scores = self._product(entries.get("scores"), "scores") or base.scores
        return Convention(tokens or "rows", project, scores)

    def _product(self, node: Node | None, key: str) -> str | None:
        """A product such as `K'Q`, however its transposes are spelled."""
        if node is None:
            return None
        known = SPELLINGS[key]
        choices = ", ".join(dict.fromkeys(known.values()))
        text = self.reader.word(node, f"convention.{key}", f"one of {choices}")
        if text is None:
            return None
        primed = re.sub(r"\^?\{?(?:\\top|\\mathsf\{T\}|ᵀ|⊤|(?<=[\^{WQK])T|['’′])\}?", "'", text)
        spelling = known.get(re.sub(r"[\s*·@]", "", primed))
        if spelling is None:
            self.reader.fault(node, f"convention.{key}", f"'{text}' is not one of {choices}")
        return spelling

    def _labels(self, node: Node | None) -> dict[str, tuple[str, ...]]:
        """The names of all tokens under "", or of the tokens of each given under its name."""
        if node is None:
            return {}
        if node.is_map:
            return {key.text: self._label_list(value, f"labels.{key.text}") for key, value in node.entries}
        return {"": self._label_list(node, "labels")}

    def _label_list(self, node: Node, path: str) -> tuple[str, ...]:
        if not node.is_list or not node.items:
            self.reader.fault(node, path, "a list of token names is expected here, such as [the, cat, sat]")
            return ()
        if len(node.items) > self.reader.limits.tokens:
            self.reader.fault(
                node, path, f"{len(node.items)} labels; the limit is {self.reader.limits.tokens}"
            )
            return ()
        return tuple(self.reader.text(item, f"{path}[{i}]") for i, item in enumerate(node.items, start=1))

    def _symbols(self, node: Node | None) -> dict[str, str]:
        """Names and how they print, words such as `weights` put under their letters."""
        if node is None:
            return {}
        if not node.is_map:
            self.reader.fault(node, "symbols", "a map is expected here, such as {A: '\\alpha'}")
            return {}
        symbols = {}
        for key, value in node.entries:
            path = f"symbols.{key.text}"
            text = self.reader.word(value, path, "a symbol such as '\\alpha'")
            if text is None:
                continue
            text = self._symbol(value, path, text)
            head, dot, last = key.text.rpartition(".")
            symbols[f"{head}{dot}{LETTERS.get(last, last)}"] = text
        return symbols

    def _symbol(self, node: Node, path: str, text: str) -> str:
        """How a name prints, with the macros in it written out."""
        try:
            typed = written_out(text, self.reader.macros)
        except Refused as refused:
            self.reader.fault(node, path, refused.message, at=refused.offset)
            return text
        complaint = complaint_about_maths(typed.text)
        if complaint:
            self.reader.fault(node, path, complaint.message, at=typed.origin(complaint.offset))
        return typed.text.strip()

    def _scheme(self, node: Node | None) -> Scheme:
        """What the mark scheme allows."""
        if node is None:
            return Scheme()
        entries = self.reader.mapping(node, "scheme", SCHEME)
        chosen: dict[str, Any] = {}
        for name in ("truncation", "follow_through", "all_digits"):
            if name in entries:
                said = self.reader.choice(entries[name], f"scheme.{name}", ("true", "false"))
                chosen[name] = said == "true"
        places = self._integer("inner_places", entries, "scheme.")
        return Scheme(**chosen) if places is None else Scheme(**chosen, inner_places=places)

    def _rounding(self, node: Node | None) -> Rounding | None:
        if node is None:
            return None
        entries = self.reader.mapping(node, "round", ROUND, what="carry: 3, mode: half_up")
        carry = self._integer("carry", entries, "round.")
        mode = self._choice("mode", entries, "round.") if "mode" in entries else "half_up"
        return None if carry is None or mode is None else Rounding(carry, mode)

    def check_names(self, scope: Scope) -> None:
        """Symbols for names that are nowhere, and labels that fit no tokens; not with a part lost."""
        if scope.lost or self.reader.faults:
            return
        self._check_labels(scope)
        letters = {name.rpartition(".")[2] for name in scope.frames}
        known = {
            *scope.frames,
            *letters,
            *SIZES,
            *(f"{alias}.{letter}" for alias in scope.aliases for letter in letters),
        }
        for key, _ in self.entries["symbols"].entries if "symbols" in self.entries else ():
            head, dot, last = key.text.rpartition(".")
            if key.text not in known and f"{head}{dot}{LETTERS.get(last, last)}" not in known:
                hint = did_you_mean(key.text, known) or f"; the names here are {', '.join(sorted(letters))}"
                self.reader.fault(key, "symbols", f"nothing here is called '{key.text}'{hint}")

    def _check_labels(self, scope: Scope) -> None:
        """Labels that are not as many as the tokens they name."""
        used = [frame for name, frame in scope.frames.items() if "." in name or name in scope.layout.roles]
        sides = [axis for frame in used for axis in (frame.rows, frame.columns)]
        every = {axis.size for axis in sides if axis.tokens is not None}
        named = {name: frame.rows for name, frame in scope.frames.items() if "." not in name}
        for name, labels in self.labels.items():
            node, path = self.entries["labels"], f"labels.{name}" if name else "labels"
            key = next((key for key, _ in node.entries if key.text == name), node)
            if name and (name not in named or scope.layout.roles.get(name) is not Role.TOKENS):
                tokens = [other for other in named if scope.layout.roles.get(other) is Role.TOKENS]
                hint = did_you_mean(name, tokens) or f"; the givens with tokens are {', '.join(tokens)}"
                self.reader.fault(key, path, f"there are no tokens of a given '{shortened(name)}'{hint}")
                continue
            sizes = {named[name].size} if name else every
            if len(labels) not in sizes:
                there = " or ".join(map(str, sorted(sizes))) or "no"
                said = f"{len(labels)} labels, but there are {there} tokens; name each token once"
                self.reader.fault(key, path, said)
