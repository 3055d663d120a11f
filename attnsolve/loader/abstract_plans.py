"""Plans of calls on abstract vectors: `[{S: 'dot(q, k)'}, {A: softmax(S)}, {Z: 'mix(A, v)'}]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from attnsolve.assumptions import AbstractHead, Attention
from attnsolve.documents import Node
from attnsolve.loader.abstract_heads import HeadReader
from attnsolve.loader.calls import WrittenCall, read_plan
from attnsolve.loader.givens import Givens
from attnsolve.loader.reader import shortened
from attnsolve.records import NamedTuple
from attnsolve.statements.tree import MINUS_ONE, ONE, Name, Quotient, Tree, over, product, total


class Scores(NamedTuple):
    """Dot products of a query with keys, divided and masked."""

    head: AbstractHead


class Weights(NamedTuple):
    """The weights of a head, by its number from 1."""

    head: int


class Output(NamedTuple):
    """A combination of the outputs of heads."""

    tree: Tree


Made = Scores | Weights | Output


class PlanReader:
    """Carries the calls of a plan out as far as they make heads and combinations of these."""

    def __init__(self, heads: HeadReader) -> None:
        self.heads, self.reader = heads, heads.reader
        self.made: dict[str, Made] = {}
        self.found: list[AbstractHead] = []
        self.steps: dict[str, Callable[[WrittenCall], Made | None]] = {
            "dot": self.dot,
            "divide": self.divide,
            "multiply": self.multiply,
            "drop_keys": self.drop_keys,
            "softmax": self.softmax,
            "mix": self.mix,
            "add": self.add,
            "subtract": self.subtract,
        }

    def read(self, node: Node, path: str) -> Attention | None:
        """The attention that a plan makes."""
        before = len(self.reader.faults)
        written = read_plan(self.reader, Givens(self.reader), node, path)
        for call in written.calls:
            step = self.steps.get(call.op.name)
            if step is None:
                ops = ", ".join(self.steps)
                said = f"{call.op.name} works on matrices of numbers; with abstract vectors a plan has {ops}"
                self.fault(call, said)
                return None
            made = step(call)
            if made is None:
                return None
            self.made[call.letter] = made
        if len(self.reader.faults) > before:
            return None
        return self._attention(node, path, written.calls)

    def _attention(self, node: Node, path: str, calls: Iterable[WrittenCall]) -> Attention | None:
        if not self.found:
            self.reader.fault(node, path, "this plan makes no weights; add a step such as A: softmax(S)")
            return None
        mixed = [bool(head.values) for head in self.found]
        if any(mixed) and not all(mixed):
            said = "some of the weights are mixed with values and others are not; add a step such as Z: "
            self.reader.fault(node, path, f"{said}mix(A, v) for each head")
            return None
        trees = [made.tree for made in self.made.values() if isinstance(made, Output)]
        single = {self.output(number).tree for number in range(1, len(self.found) + 1)}
        combined = [tree for tree in trees if tree not in single]
        if combined and len(self.found) == 1:
            said = "outputs of several heads are joined; that of one head is a, and claims may say more of it"
            self.reader.fault(node, path, said)
            return None
        return Attention(tuple(self.found), combined[-1] if combined else None)

    def fault(self, call: WrittenCall, said: str) -> None:
        """Complain about a line."""
        self.reader.fault(call.node, call.path, said)

    def argument(self, call: WrittenCall, place: int, kinds: tuple[type, ...], what: str) -> Made | None:
        """What an earlier line has made, if it is of the right kind."""
        name = call.arguments[place]
        made = self.made.get(name)
        if not isinstance(made, kinds):
            known = [letter for letter, one in self.made.items() if isinstance(one, kinds)]
            there = ", ".join(known) or "none before this step"
            said = f"{call.op.name} takes {what} of this plan"
            self.fault(call, f"{said}, and '{shortened(name)}' is none; there are {there}")
            return None
        return made

    def number(self, call: WrittenCall) -> Tree | None:
        """What scores or outputs are divided by or multiplied with."""
        text = next(iter(call.settings.values()), "")
        if not text:
            self.fault(call, f"{call.op.name} needs a number, such as {call.op.name}(S, sqrt(d))")
            return None
        return self.heads.formula(call.node, call.path, text)

    def dot(self, call: WrittenCall) -> Made | None:
        """dot(q, k)."""
        query = self.heads.query(call.node, call.path, call.arguments[0])
        keys = self.heads.family(call.node, call.path, call.arguments[1])
        return None if query is None or keys is None else Scores(AbstractHead(query, keys))

    def divide(self, call: WrittenCall) -> Made | None:
        """divide(S, sqrt(d)), or divide(Z, 2)."""
        made, factor = self.scaled(call)
        if made is None or factor is None:
            return None
        if isinstance(made, Scores):
            return Scores(replace(made.head, divisor=product((made.head.divisor, factor))))
        return Output(Quotient(made.tree, factor))

    def multiply(self, call: WrittenCall) -> Made | None:
        """multiply(S, 2), or multiply(Z, 1/2)."""
        made, factor = self.scaled(call)
        if made is None or factor is None:
            return None
        if isinstance(made, Scores):
            return Scores(replace(made.head, divisor=over(made.head.divisor, factor)))
        return Output(product((factor, made.tree)))

    def scaled(self, call: WrittenCall) -> tuple[Scores | Output | None, Tree | None]:
        """What a line divides or multiplies, and by what."""
        made = self.argument(call, 0, (Scores, Output), "scores or outputs")
        return (made if isinstance(made, Scores | Output) else None), self.number(call)

    def drop_keys(self, call: WrittenCall) -> Made | None:
        """drop_keys(S, a)."""
        made = self.argument(call, 0, (Scores,), "scores")
        if not isinstance(made, Scores):
            return None
        words = " ".join(call.settings.values()).strip("[] ").replace(",", " ").split()
        if not words:
            self.fault(call, "say which keys are hidden, such as drop_keys(S, a)")
            return None
        found = [self.heads.hidden(call.node, call.path, word) for word in words]
        kept = tuple(dict.fromkeys((*made.head.hidden, *(one for one in found if one is not None))))
        return None if None in found else Scores(replace(made.head, hidden=kept))

    def softmax(self, call: WrittenCall) -> Made | None:
        """softmax(S): a head of its own."""
        made = self.argument(call, 0, (Scores,), "scores")
        if not isinstance(made, Scores):
            return None
        head = made.head
        if call.settings:
            temperature = self.number(call)
            if temperature is None:
                return None
            head = replace(head, divisor=product((head.divisor, temperature)))
        self.found.append(head)
        return Weights(len(self.found))

    def mix(self, call: WrittenCall) -> Made | None:
        """mix(A, v)."""
        made = self.argument(call, 0, (Weights,), "weights")
        values = self.heads.family(call.node, call.path, call.arguments[1])
        if not isinstance(made, Weights) or values is None:
            return None
        head = self.found[made.head - 1]
        if head.values:  # the same weights with other values are another head
            self.found.append(replace(head, values=values))
            return self.output(len(self.found))
        self.found[made.head - 1] = replace(head, values=values)
        return self.output(made.head)

    def output(self, head: int) -> Output:
        """The output of a head by its name: a_1."""
        return Output(Name("a", (str(head),)))

    def add(self, call: WrittenCall) -> Made | None:
        """add(Z, Y)."""
        return self.joined(call, ONE)

    def subtract(self, call: WrittenCall) -> Made | None:
        """subtract(Z, Y)."""
        return self.joined(call, MINUS_ONE)

    def joined(self, call: WrittenCall, sign: Tree) -> Made | None:
        """The sum or difference of two outputs."""
        sides = [self.argument(call, place, (Output,), "outputs") for place in (0, 1)]
        trees = [side.tree for side in sides if isinstance(side, Output)]
        return Output(total((trees[0], product((sign, trees[1]))))) if len(trees) == 2 else None
