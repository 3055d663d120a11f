"""A question of choice in a file: `choice: Z`, `{of: 'A[1]', options: 4}` or `{right: …, wrong: […]}`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attnsolve.choice import FEWEST, MOST, ChoiceQuestion, WrongText
from attnsolve.documents import Node
from attnsolve.loader.answers import AnswerReader
from attnsolve.loader.format import CHOICE, WRONG_TEXT
from attnsolve.loader.parts import Draft
from attnsolve.loader.reader import Reader, did_you_mean, shortened
from attnsolve.problem import Call, Target

# Which keys belong to which of the two kinds.
COMPUTED, IN_WORDS = ("of", "options", "mistakes"), ("right", "wrong", "shuffle")
EXAMPLES = "write choice: Z, {of: Z, options: 4} or {right: …, wrong: [… , …]}"


class ChoiceReader:
    """Reads this key of one part, whose plan is built."""

    def __init__(self, reader: Reader, answers: AnswerReader, draft: Draft, calls: tuple[Call, ...]) -> None:
        self.reader = reader
        self.answers = answers
        self.draft = draft
        self.calls = calls
        self.path = f"{draft.path}.choice"

    def read(self, node: Node) -> tuple[ChoiceQuestion | None, tuple[Target, ...]]:
        """The question, and the value that is right where the part computes it."""
        before = len(self.reader.faults)
        if node.is_text:
            found = self._computed(node, {"of": node})
        else:
            entries = self.reader.mapping(node, self.path, CHOICE, what="of: Z")
            if len(self.reader.faults) > before:
                return None, ()  # a misspelt key may be the one that is missing
            if "of" in entries:
                self._refuse(entries, IN_WORDS, "stands beside 'of', whose options are computed")
                found = self._computed(node, entries)
            else:
                self._refuse(entries, COMPUTED, "stands beside no 'of', so there is nothing to compute")
                found = self._in_words(node, entries), ()
        return found if len(self.reader.faults) == before else (None, ())

    def _refuse(self, entries: dict[str, Node], keys: tuple[str, ...], why: str) -> None:
        """Complain about keys of the other kind."""
        for key in keys:
            if key in entries:
                self.reader.fault(entries[key], self.path, f"'{key}' {why}; {EXAMPLES}")

    def _computed(
        self, node: Node, entries: dict[str, Node]
    ) -> tuple[ChoiceQuestion | None, tuple[Target, ...]]:
        """The right value among those that mistakes give."""
        if not self.calls:
            said = "this part computes nothing to choose from; add a recipe or a plan"
            self.reader.fault(node, self.path, f"{said}, or write the options: {{right: …, wrong: [… , …]}}")
            return None, ()
        find = self.draft.node.get("find")  # what is taken over from another part gives way
        if find is not None:
            said = "choice says what is asked for; leave find out, or ask for it in a part of its own"
            self.reader.fault(find, f"{self.draft.path}.find", said)
        targets = self.answers.targets(entries["of"], "choice")
        if len(targets) > 1:
            names = " or ".join(target.name.removeprefix(f"{self.draft.id}.") for target in targets)
            self.reader.fault(entries["of"], self.path, f"one value is chosen; write {names}")
        own = [target for target in targets if target.name in {call.out for call in self.calls}]
        if targets and not own:
            said = f"{targets[0].name} is known before this part, so nobody can go wrong here"
            self.reader.fault(entries["of"], self.path, said)
        mistakes = tuple(self._mistakes(entries["mistakes"])) if "mistakes" in entries else ()
        options = self._number(entries, "options", FEWEST, MOST)
        if mistakes and options is not None and options != len(mistakes) + 1:
            said = f"{len(mistakes)} mistakes and the right value are {len(mistakes) + 1} options"
            self.reader.fault(entries["options"], f"{self.path}.options", f"{said}; leave 'options' out")
        return ChoiceQuestion(options=options, mistakes=mistakes, seed=self._seed(entries)), targets

    def _in_words(self, node: Node, entries: dict[str, Node]) -> ChoiceQuestion | None:
        """Options that the file writes."""
        if self.calls or self.draft.costs:
            said = "this part has something to compute; ask for options in words in a part of its own"
            self.reader.fault(node, self.path, said)
            return None
        for key in ("right", "wrong"):
            if key not in entries:
                self.reader.fault(node, self.path, f"the key '{key}' is missing; {EXAMPLES}")
                return None
        items = [item for key in ("right", "wrong") for item in self._items(entries[key])]
        for key in ("right", "wrong"):
            if not self._items(entries[key]):
                said = "an empty list; write at least one option"
                self.reader.fault(entries[key], f"{self.path}.{key}", said)
        if len(items) > MOST:
            self.reader.fault(node, self.path, f"{len(items)} options; the limit is {MOST}")
        right = tuple(self._text(item, "right") for item in self._items(entries["right"]))
        wrong = tuple(self._wrong(item) for item in self._items(entries["wrong"]))
        texts = [*right, *(text for text, _ in wrong)]
        for item, text in zip(items, texts, strict=True):
            if text and texts.index(text) < items.index(item):
                self.reader.fault(item, self.path, f"the option '{shortened(text)}' is there twice")
        shuffle = entries.get("shuffle")
        kept = shuffle is not None and (
            self.reader.choice(shuffle, f"{self.path}.shuffle", ("true", "false")) == "false"
        )
        if kept and "order" in entries:
            said = "the options stand in the order of the file; leave out shuffle: false, or this number"
            self.reader.fault(entries["order"], f"{self.path}.order", said)
        return ChoiceQuestion(right, wrong, seed="" if kept else self._seed(entries))

    def _items(self, node: Node) -> tuple[Node, ...]:
        """One text or a list of them."""
        return node.items if node.is_list else (node,)

    def _text(self, node: Node, key: str) -> str:
        return self.reader.prose(node, f"{self.path}.{key}")

    def _wrong(self, node: Node) -> WrongText:
        """A wrong option, perhaps with why it is wrong."""
        if not node.is_map:
            return WrongText(self._text(node, "wrong"))
        entries = self.reader.mapping(node, f"{self.path}.wrong", WRONG_TEXT)
        text = self._text(entries["text"], "wrong.text") if "text" in entries else ""
        why = self.reader.text(entries["why"], f"{self.path}.wrong.why") if "why" in entries else ""
        return WrongText(text, why)

    def _mistakes(self, node: Node) -> Iterator[str]:
        """Names of mistakes that can be made in this part."""
        made = [mistake.name for mistake in self.draft.recipe.mistakes] if self.draft.recipe else []
        made += [mistake.name for call in self.calls for mistake in call.op.mistakes]
        known, path = list(dict.fromkeys(made)), f"{self.path}.mistakes"
        if not self._items(node):
            self.reader.fault(node, path, "an empty list; write names of mistakes, or leave the key out")
        if len(self._items(node)) >= MOST:
            said = f"{len(self._items(node))} mistakes; with the right value the limit is {MOST} options"
            self.reader.fault(node, path, said)
        told: set[str] = set()
        for item in self._items(node):
            name = self.reader.word(item, path, "the name of a mistake")
            if name is None:
                continue
            if name not in known:
                hint = did_you_mean(name, known) or f"; those of this part are {', '.join(known)}"
                self.reader.fault(item, path, f"no known mistake is called '{shortened(name)}' here{hint}")
            elif name in told:
                self.reader.fault(item, path, f"the mistake {name} is there twice")
            told.add(name)
            yield name

    def _number(self, entries: dict[str, Node], key: str, low: int, high: int) -> int | None:
        return self.reader.integer(entries[key], f"{self.path}.{key}", low, high) if key in entries else None

    def _seed(self, entries: dict[str, Node]) -> str:
        """What the order hangs on: a number in the file, else its name, so that corrections change none."""
        order = self._number(entries, "order", 0, 999999)
        return Path(self.reader.file).stem or "problem" if order is None else str(order)
