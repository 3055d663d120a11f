"""Reading values out of a document; every complaint is kept with its place, none stops the reading."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from attnsolve.documents import Node
from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import LIMITS, Limits
from attnsolve.maths import complaint_about_text
from attnsolve.recipes import Field

YAML_BOOLEANS = {"yes": "true", "no": "false", "on": "true", "off": "false"}


@dataclass
class Reader:
    """The faults of one file while it is read."""

    file: str
    folder: Path
    limits: Limits = LIMITS
    index_from: int = 1
    faults: list[Fault] = field(default_factory=list)

    def fault(self, node: Node, path: str, message: str, *, shift: int = 0, line_shift: int = 0) -> None:
        """Note what is wrong at a node; `shift` moves the column inside its text."""
        column = node.column + shift if not line_shift else 1 + shift
        self.faults.append(Fault(self.file, node.line + line_shift, column, path, message))

    def finish(self) -> None:
        """Raise all faults at once, if there are any."""
        if self.faults:
            kept = sorted(set(self.faults), key=lambda f: (f.line, f.column))
            more = len(kept) - self.limits.faults
            if more > 0:
                last = kept[self.limits.faults]
                kept = [*kept[: self.limits.faults], Fault(self.file, last.line, last.column, "", f"… and {more} more")]
            raise ProblemError(kept)

    def mapping(self, node: Node, path: str, fields: Iterable[Field]) -> dict[str, Node]:
        """The entries of a map with known keys; unknown and missing ones are faults."""
        if node.kind != "map":
            self.fault(node, path, f"a map is expected here, such as {{{next(iter(fields)).name}: …}}")
            return {}
        known = {field.name: field for field in fields}
        found = {}
        for key, value in node.entries:
            if key.text in known:
                found[key.text] = value
            else:
                self.fault(key, path, self.unknown_key(key, value, known))
        for name, wanted in known.items():
            if wanted.required and name not in found:
                self.fault(node, path, f"the key '{name}' is missing: {wanted.doc}")
        return found

    @staticmethod
    def unknown_key(key: Node, value: Node, known: Iterable[str]) -> str:
        """Why a key is not known, and which one may have been meant."""
        if re.fullmatch(r"[\d\s.)]*\)?", key.text) and value.kind == "text" and not value.text:
            return f"'{key.text}' is not a key; a comma inside {{ }} starts a new one: write ones(3x2), or quote the value"
        close = get_close_matches(key.text, list(known), n=1, cutoff=0.6)
        hint = f"did you mean '{close[0]}'?" if close else f"the keys here are {', '.join(known)}"
        return f"unknown key '{key.text}'; {hint}"

    def text(self, node: Node, path: str) -> str:
        """A text for people, in which $…$ may hold maths."""
        if node.kind != "text":
            self.fault(node, path, "a text is expected here; put it into quotes if it starts with [ or {")
            return ""
        if not node.text.strip():
            self.fault(node, path, "this is empty; write the text, or leave the key out")
        if node.comment_follows:
            self.fault(node, path, "' #' starts a comment, so the text ends before it; put the whole text into single quotes")
        complaint = complaint_about_text(node.text)
        if complaint:
            self.fault(node, path, complaint)
        return node.text.strip()

    def word(self, node: Node, path: str, what: str) -> str | None:
        """A bare text such as a name or a number, still unread."""
        if node.kind != "text" or not node.text.strip():
            self.fault(node, path, f"{what} is expected here")
            return None
        return node.text.strip()

    def integer(self, node: Node, path: str, low: int, high: int) -> int | None:
        """A whole number within bounds."""
        text = self.word(node, path, f"a whole number from {low} to {high}")
        if text is None:
            return None
        if not re.fullmatch(r"-?[0-9]{1,6}", text) or not low <= int(text) <= high:
            self.fault(node, path, f"'{text}' is not a whole number from {low} to {high}")
            return None
        return int(text)

    def choice(self, node: Node, path: str, choices: tuple[str, ...]) -> str | None:
        """One of a few words."""
        text = self.word(node, path, f"one of {', '.join(choices)}")
        if text is None or text in choices:
            return text
        if text.lower() in YAML_BOOLEANS and "true" in choices:
            self.fault(node, path, f"'{text}' is not a choice here; write {YAML_BOOLEANS[text.lower()]}")
            return None
        self.fault(node, path, f"'{text}' is not one of {', '.join(choices)}{did_you_mean(text, choices)}")
        return None


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """`; did you mean 'softmax'?` when something close is known, else nothing."""
    close = get_close_matches(text, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
