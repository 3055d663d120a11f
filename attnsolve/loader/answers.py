"""What a part asks for and what its sheet says about it: find, plot, marks, published."""

from __future__ import annotations

from collections.abc import Iterable

from attnsolve.documents import Node
from attnsolve.graph import Graph
from attnsolve.loader.format import WORTH
from attnsolve.loader.reader import YAML_BOOLEANS, Reader, did_you_mean
from attnsolve.loader.tables import read_table_node
from attnsolve.loader.targets import Scope, read_target
from attnsolve.problem import CHOICE, WORDS, Call, Published, Target
from attnsolve.recipes.letters import LETTERS

MOST_MARKS = 1000
MOST_LINES = 60


class AnswerReader:
    """Reads these keys of one part, whose plan is built."""

    def __init__(self, reader: Reader, scope: Scope, part: str, path: str, cases: tuple[str, ...]) -> None:
        self.reader = reader
        self.scope = scope
        self.part = part
        self.path = path
        self.cases = cases

    def targets(self, node: Node | None, key: str) -> tuple[Target, ...]:
        """The values, rows or cells that a key names."""
        if node is None:
            return ()
        items = node.items if node.is_list else (node,)
        if not items:
            self.reader.fault(
                node, f"{self.path}.{key}", "an empty list; write names such as [A, Z], or leave the key out"
            )
        found = [self._target(item, f"{self.path}.{key}") for item in items]
        return tuple(target for group in found for target in group)

    def _target(self, node: Node, path: str) -> tuple[Target, ...]:
        return read_target(self.reader, self.scope, node, path, self.part, self.cases)

    def plots(self, node: Node | None, calls: Iterable[Call]) -> tuple[str, ...]:
        """The values to be drawn; `weights` means those of every head."""
        text = node.text.strip() if node is not None and node.is_text else ""
        if node is not None and text.lower() in (*YAML_BOOLEANS, "true", "false"):
            self.reader.fault(
                node, f"{self.path}.plot", f"'{text}' does not say what to draw; write plot: weights"
            )
            return ()
        if node is not None and text == "weights":
            heads = Graph(calls).heads
            made = tuple(dict.fromkeys(head.final_weights.out for head in heads))
            if not made:
                self.reader.fault(node, f"{self.path}.plot", "this part has no weights to draw")
            return made
        drawn = self.targets(node, "plot")
        if node is not None and any(target.row is not None for target in drawn):
            self.reader.fault(
                node, f"{self.path}.plot", "a whole matrix is drawn, not a row or a cell; write its name only"
            )
        kept = {call.out for call in calls}
        hidden = [
            target.name
            for target in drawn
            if target.name.startswith(f"{self.part}.") and target.name not in kept
        ]
        if node is not None and hidden:
            said = f"{hidden[0]} cannot be drawn, because 'find' ends the part before it; add it there"
            self.reader.fault(node, f"{self.path}.plot", said)
        return tuple(target.name for target in drawn)

    def marks(
        self,
        node: Node | None,
        calls: tuple[Call, ...],
        *,
        in_words: bool = False,
        ticked: bool = False,
        stated: tuple[str, ...] = (),
    ) -> tuple[dict[str, int], dict[str, int]]:
        """Marks for the part as a whole, or for single steps by letter or word; and those for the method."""
        if node is None:
            return {}, {}
        path = f"{self.path}.marks"
        if not node.is_map:
            number = self.reader.integer(node, path, 0, MOST_MARKS)
            return ({} if number is None else {CHOICE if ticked else "": number}), {}
        if not calls and not ticked and not stated:
            self.reader.fault(
                node, path, "a question in words has no steps; write one number, such as marks: 2"
            )
            return {}, {}
        letters = {call.letter for call in calls} | {call.out.removeprefix(f"{self.part}.") for call in calls}
        outside = {call.letter for call in calls if "head" not in call.group}
        words = [word for word, letter in LETTERS.items() if letter in letters]
        letters |= {word for word, is_asked in ((WORDS, in_words), (CHOICE, ticked)) if is_asked}
        letters |= set(stated)
        marks: dict[str, int] = {}
        methods: dict[str, int] = {}
        for key, value in node.entries:
            number, method = self._worth(value, f"{path}.{key.text}")
            head, dot, last = key.text.rpartition(".")
            letter = key.text if key.text in stated else f"{head}{dot}{LETTERS.get(last, last)}"
            if key.text == "output" and "Z" not in outside and "C" in outside:
                letter = "C"  # without an output matrix, the heads side by side are the output
            if letter in marks:
                self.reader.fault(key, path, f"{letter} gets marks twice; keep one of them")
            elif letter == WORDS and not in_words:
                said = "marks for words, but nothing is asked in words here; add discuss:, the answer to it"
                self.reader.fault(key, path, said)
            elif letter not in letters:
                hint = (
                    did_you_mean(key.text, [*words, *letters])
                    or f"; the steps are {', '.join([*words, *sorted(letters)])}"
                )
                self.reader.fault(key, path, f"this part has no step '{key.text}'{hint}")
            elif number is not None:
                marks[letter] = number
                if method is not None:
                    methods[letter] = method
        return marks, methods

    def ask_marked(self, node: Node | None, calls: Iterable[Call]) -> None:
        """Take the values inside steps that get marks among those of the part, in all heads or cases."""
        if node is None or not node.is_map:
            return
        letters = {call.letter for call in calls}
        for key in {key.text for key, _ in node.entries} - letters:
            for name, call in self.scope.inner.items():
                if key in (name.removeprefix(f"{self.part}."), call.letter):
                    self.scope.ask(call)

    def lines(self, node: Node | None) -> int | None:
        """How many lines there are for an answer in words."""
        return None if node is None else self.reader.integer(node, f"{self.path}.lines", 0, MOST_LINES)

    def _worth(self, node: Node, path: str) -> tuple[int | None, int | None]:
        """(marks, those for the method): `2`, or `{method: 1, accuracy: 1}`."""
        if not node.is_map:
            return self.reader.integer(node, path, 0, MOST_MARKS), None
        entries = self.reader.mapping(node, path, WORTH)
        found = [
            self.reader.integer(entries[key], f"{path}.{key}", 0, MOST_MARKS) if key in entries else 0
            for key in ("method", "accuracy")
        ]
        method, accuracy = found
        return (None, None) if method is None or accuracy is None else (method + accuracy, method)

    def published(self, node: Node | None) -> tuple[Published, ...]:
        """The answers that the sheet prints, each laid as the engine keeps the value it belongs to."""
        if node is None:
            return ()
        if not node.is_map:
            self.reader.fault(
                node, f"{self.path}.published", "a map is expected here, such as {Z: 1.88 -0.64}"
            )
            return ()
        found = []
        for key, value in node.entries:
            path = f"{self.path}.published.{key.text}"
            targets = self._target(key, path)
            table = read_table_node(self.reader, value, path)
            if len(targets) > 1:
                cases = " and ".join(target.name.removeprefix(f"{self.part}.") for target in targets)
                self.reader.fault(key, path, f"this part has cases; write {cases}, each with its numbers")
            elif targets and table is not None:
                found += self._laid(
                    value, path, targets[0], table.typed or tuple(map(tuple, table.value.texts()))
                )
        return tuple(found)

    def _laid(
        self, node: Node, path: str, target: Target, rows: tuple[tuple[str, ...], ...]
    ) -> list[Published]:
        """The numbers turned into the row convention, if there are as many as the value has."""
        frame = self.scope.frames[target.name]
        across = self.scope.layout.printed_across(target.name, frame)
        shape = (len(rows), len(rows[0]))
        # A list of tokens is the same in every convention, unless it can be read as the sheet prints it.
        if across and frame.columns.tokens is None and shape != frame.shape[::-1]:
            across = False
        if target.row is None:
            wanted = frame.shape[::-1] if across else frame.shape
        else:
            wanted = (1, frame.shape[1] if target.column is None else 1)
        if shape != wanted:
            said = f"this is {shape[0]}×{shape[1]}, but {target.name} has {wanted[0]}×{wanted[1]} numbers"
            turned = "; write it the other way round" if shape == wanted[::-1] else ""
            self.reader.fault(node, path, f"{said}{turned}")
            return []
        laid = tuple(zip(*rows, strict=True)) if across and target.row is None else rows
        return [Published(target, laid, node.line, node.column)]
