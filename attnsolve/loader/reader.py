"""Reading values out of a document; every complaint is kept with its place, none stops the reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attnsolve.documents import Node
from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import LIMITS, Limits
from attnsolve.maths import complaint_about_text
from attnsolve.maths.grammar import Refused
from attnsolve.maths.macros import Expanded, Macro, expanded
from attnsolve.prose import figures, read
from attnsolve.recipes import Field

if TYPE_CHECKING:
    from attnsolve.exact.formulas.letters import Letters
    from attnsolve.prose.pictures import Versions

# A message has at most so many characters, enough for the names of all ops.
LONGEST = 600
# Reading stops at this many times the faults that are shown.
TOO_MANY = 10
YAML_BOOLEANS = {"yes": "true", "no": "false", "on": "true", "off": "false"}
# Words that other tools or other habits use, and what this format calls them.
SYNONYMS = {
    "scale": "a bare 'scale' does not say which way (papers divide, torch multiplies); "
    "use divide_by: sqrt(d_k) or multiply_by: 1/sqrt(d_k)",
    "temperature": "a temperature is a setting of softmax; say weights: {softmax: {temperature: 2}}",
    "softmax": "softmax is a way to make weights; say weights: softmax",
    "argmax": "argmax is a way to make weights; say weights: argmax",
    "relu": "relu is a way to make weights; say weights: relu",
}
MEANT = {
    "data": "given",
    "givens": "given",
    "questions": "parts",
    "exercises": "parts",
    "question": "ask",
    "text": "ask",
    "answer": "discuss",
    "solution": "discuss",
    "points": "marks",
    "steps": "plan",
    "name": "title",
    "digits": "places",
    "decimals": "places",
    "precision": "places",
    "rounding": "round",
    "description": "intro",
    "X": "input",
    "Q": "queries",
    "K": "keys",
    "V": "values",
    "S": "scores",
}


class Reader:
    """The faults of one file while it is read."""

    def __init__(
        self,
        file: str,
        folder: Path,
        limits: Limits = LIMITS,
        *,
        index_from: int = 1,
        faults: list[Fault] | None = None,
    ) -> None:
        self.file = file
        self.folder = folder
        self.limits = limits
        self.index_from = index_from
        self.faults: list[Fault] = [] if faults is None else faults
        self.letters: Letters | None = None  # what may stand for numbers
        self.work = 0  # operations spent on expressions so far
        self.macros: Mapping[str, Macro] = {}  # the commands that it defines for its maths
        self.pictures: dict[str, Versions] = {}  # the figures of its texts
        self.data: dict[str, str] = {}  # what stands in the files with data that it names

    def fault(self, node: Node, path: str, message: str, *, at: int | None = None) -> None:
        """Note what is wrong at a node, or at one character of its text; a broken node has its fault."""
        if not node.broken:
            line, column = (node.line, node.column) if at is None else node.place(at)
            self.faults.append(Fault(self.file, line, column, path, shortened(message, most=LONGEST)))
            if len(self.faults) >= TOO_MANY * self.limits.faults:
                self.finish()  # nobody mends a thousand faults, and looking for more takes long

    def finish(self) -> None:
        """Raise all faults at once, if there are any; the same fault reached on two ways is told once."""
        if not self.faults:
            return
        told: dict[tuple[int, int, str], Fault] = {}
        for fault in self.faults:
            told.setdefault((fault.line, fault.column, fault.message), fault)
        kept = sorted(told.values(), key=lambda fault: (fault.line, fault.column))
        more = len(kept) - self.limits.faults
        if more > 0:
            last = kept[self.limits.faults]
            kept = [
                *kept[: self.limits.faults],
                Fault(self.file, last.line, last.column, "", f"… and {more} more"),
            ]
        raise ProblemError(kept)

    def mapping(
        self,
        node: Node,
        path: str,
        fields: Iterable[Field],
        *,
        what: str = "",
        elsewhere: Mapping[str, str] | None = None,
    ) -> dict[str, Node]:
        """The entries of a map with known keys; unknown and missing ones are faults.

        `elsewhere` has the maps from which some of the keys were taken over.
        """
        known = {field.name: field for field in fields}
        if not node.is_map:
            example = what or f"{next(iter(known))}: …"
            self.fault(node, path, f"a map of keys and values is expected here, such as {{{example}}}")
            return {}
        found, complaints = {}, ""
        for key, value in node.entries:
            if key.text in known:
                found[key.text] = value
            else:
                complaint = unknown_key(key.text, known)
                self.fault(key, (elsewhere or {}).get(key.text, path), complaint)
                complaints += complaint
        for name, wanted in known.items():
            if wanted.required and name not in found and f"did you mean '{name}'?" not in complaints:
                self.fault(node, path, f"the key '{name}' is missing: {wanted.doc}")
        return found

    def text(self, node: Node, path: str) -> str:
        """A line for people, in which $…$ may hold maths."""
        typed = self._written_out(node, path) if self._is_text(node, path) else None
        if typed is None:
            return ""
        complaint = complaint_about_text(typed.text)
        if complaint:
            self.fault(node, path, complaint.message, at=typed.origin(complaint.offset))
        return typed.text.strip()

    def _written_out(self, node: Node, path: str) -> Expanded | None:
        """A text with the macros in its maths written out; nothing where they cannot be."""
        if not self.macros:
            return Expanded(node.text, range(len(node.text)))
        try:
            return expanded(node.text, self.macros)
        except Refused as refused:
            self.fault(node, path, refused.message, at=refused.offset)
            return None

    def _is_text(self, node: Node, path: str) -> bool:
        """Whether a node is a text of a length that can be read."""
        if not node.is_text:
            self.fault(
                node, path, "a text is expected here; put it into single quotes if it starts with [ or {"
            )
            return False
        if len(node.text) > self.limits.text:
            self.fault(node, path, f"a text of {len(node.text)} characters; the limit is {self.limits.text}")
            return False
        if not node.text.strip():
            self.fault(node, path, "this is empty; write the text, or leave the key out")
        if node.comment_follows:
            said = "' #' starts a comment, so the text ends before it; put the whole text into single quotes"
            self.fault(node, path, said, at=len(node.text))
        return True

    def prose(self, node: Node, path: str) -> str:
        """A longer text for people, in the small Markdown that `attnsolve maths` describes."""
        typed = self._written_out(node, path) if self._is_text(node, path) else None
        if typed is None:
            return ""
        text = typed.text.strip()
        before = len(typed.text) - len(typed.text.lstrip())
        found = read(text)
        for complaint in found.complaints:
            self.fault(node, path, complaint.message, at=typed.origin(complaint.offset + before))
        for figure in figures(found.blocks):
            self._figure(node, path, figure.file)
        return text

    def _figure(self, node: Node, path: str, file: str) -> None:
        """Read the file of a figure, and its versions for other formats."""
        from attnsolve.loader.figures import read_figure  # few texts have figures
        from attnsolve.prose.pictures import Versions

        named = node.text.find(f"]({file}") + 2
        at = named if named > 1 else max(0, node.text.find("!["))
        try:
            found = read_figure(self.folder, file, limits=self.limits)
        except (ValueError, OSError) as error:
            self.fault(node, path, str(error), at=at)
        else:
            self.pictures[file] = Versions(found, *node.place(at))

    def word(self, node: Node, path: str, what: str) -> str | None:
        """A bare text such as a name or a number, still unread."""
        if not node.is_text or not node.text.strip():
            self.fault(node, path, f"{what} is expected here")
            return None
        return node.text.strip()

    def integer(self, node: Node, path: str, low: int, high: int) -> int | None:
        """A whole number within bounds."""
        what = f"a whole number from {low} to {high}"
        text = self.word(node, path, what)
        if text is None:
            return None
        if not re.fullmatch(r"-?[0-9]{1,6}", text) or not low <= int(text) <= high:
            self.fault(node, path, f"'{shortened(text)}' is not {what}")
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
        self.fault(
            node, path, f"'{shortened(text)}' is not one of {', '.join(choices)}{did_you_mean(text, choices)}"
        )
        return None


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Why a key is not known, and which one may have been meant."""
    names = list(known)
    if key in SYNONYMS and "divide_by" in names:
        return SYNONYMS[key]
    if MEANT.get(key) in names:
        return f"unknown key '{key}'; did you mean '{MEANT[key]}'?"
    listed = f"; the keys here are {', '.join(names)}"
    return f"unknown key '{shortened(key)}'{did_you_mean(key, names) or listed}"


def did_you_mean(text: str, known: Iterable[str], *, alike: float = 0.6) -> str:
    """`; did you mean 'softmax'?` when something close is known, else nothing."""
    from difflib import get_close_matches  # only the misspelt need it

    names, typed = list(known), text[:100].lower()
    # In another case, or with two letters swapped.
    mixed_up = [name for name in names if sorted(name.lower()) == sorted(typed)]
    begun = sorted((name for name in names if len(typed) > 2 and name.lower().startswith(typed)), key=len)
    close = mixed_up or begun or get_close_matches(text[:100], names, n=1, cutoff=alike)
    return f"; did you mean '{close[0]}'?" if close else ""


def listing(intro: str, names: Iterable[str], otherwise: str) -> str:
    """`; the parts before this one are a, b`, or what to say when there are none."""
    listed = ", ".join(names)
    return f"; {intro} {listed}" if listed else f"; {otherwise}"


def shortened(text: str, *, most: int = 60) -> str:
    """A text as it may stand in a message: on one line, and never a page of it."""
    line = " ".join(text[: 2 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def counted(number: int, noun: str) -> str:
    """`1 number`, `3 numbers`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def within_limits(reader: Reader, node: Node, path: str, shape: tuple[int, int]) -> bool:
    """Whether a shape is small enough for a solution that is meant to be read."""
    limits = reader.limits
    for count, what, limit in ((shape[0], "rows", limits.tokens), (shape[1], "columns", limits.dimension)):
        if count > limit:
            reader.fault(
                node, path, f"{count} {what}; the limit is {limit} (exact solutions are meant to be read)"
            )
            return False
    return True
