"""A problem as it is practised: its values in their order, what judges them, and how they are laid."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from attnsolve.graph import graph_of
from attnsolve.languages import template
from attnsolve.problem import WORDS, Part
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.text import Segments, formula, prose, say, sentence
from attnsolve.trace import Step, Trace
from attnsolve.verifier.verification import Verifier

Shape = tuple[int, int]


class ValueKind(StrEnum):
    """What is typed for a value."""

    NUMBERS = "numbers"
    LETTERS = "letters"  # of options
    WORDS = "words"  # which nobody judges, but for claims about symbols in them


class Value(NamedTuple):
    """Something that a question asks to be written down."""

    name: str
    kind: ValueKind
    part: Part
    shape: Shape = (1, 1)  # as the sheet prints it
    wanted: frozenset[tuple[int, int]] = frozenset()  # the places that are asked for, where not all are


@dataclass(frozen=True, eq=False)
class Drill:
    """One problem with its numbers, ready to be practised."""

    trace: Trace
    values: tuple[Value, ...]
    judge: Verifier

    @classmethod
    def of(cls, trace: Trace) -> Drill:
        """What is practised of a solved problem."""
        judge = Verifier(trace)
        return cls(trace, tuple(one for part in trace.problem.parts for one in values_of(part, judge)), judge)

    @cached_property
    def by_name(self) -> dict[str, Value]:
        """The values by what they are called."""
        return {value.name: value for value in self.values}

    @property
    def names(self) -> list[str]:
        """What the values are called, in their order."""
        return list(self.by_name)

    def step(self, value: Value) -> Step:
        """How a value is worked out."""
        return self.trace.step(value.name)

    def notation(self, value: Value) -> Notation:
        """How a value is written."""
        problem = self.trace.problem
        return Notation(problem, value.part, style=problem.numbers, places=problem.places)

    def title(self, value: Value) -> Segments:
        """What is done for a value, in a few words."""
        if value.kind is ValueKind.NUMBERS:
            call = self.step(value).call
            return prose(template(call.title or call.op.title))
        if value.kind is ValueKind.LETTERS:
            return say("choose among the options")
        return say("answer in words")

    def heading(self, value: Value) -> Segments:
        """`s (Scores: compare each query with each key)`."""
        title = self.title(value)
        if value.kind is not ValueKind.NUMBERS:
            return title
        return sentence(formula(self.notation(value).symbol(value.name)), " (", title, ")")

    def before(self, value: Value) -> list[str]:
        """The values that lead to one, in their order."""
        behind = {call.out for call in graph_of(self.trace.problem).behind([value.name])} - {value.name}
        return [name for name in self.names if name in behind]

    def part(self, typed: str) -> Part | None:
        """The part of this id, if there is one."""
        return next((part for part in self.trace.problem.parts if part.id == typed), None)


def values_of(part: Part, judge: Verifier) -> list[Value]:
    """All that a part asks to be written down."""
    if part.choice is not None:
        return [Value(part.ticked, ValueKind.LETTERS, part)]
    made = [number_value(call.out, part, judge) for call in part.written]
    if not made or part.explain:
        name = f"{part.id}.{WORDS}" if made else part.id
        made.append(Value(name, ValueKind.WORDS, part))
    return made


def number_value(name: str, part: Part, judge: Verifier) -> Value:
    """A value of numbers, laid as the sheet prints it, and which of them are asked for."""
    rows, columns = judge.trace.step(name).value.shape
    across = judge.placing.across[name]
    asked = [target for target in part.find if target.name == name]
    wanted = {
        (j, i) if across else (i, j)
        for i in range(rows)
        for j in range(columns)
        if any(target.row in (None, i) and target.column in (None, j) for target in asked)
    }
    everything = not asked or len(wanted) == rows * columns
    shape = (columns, rows) if across else (rows, columns)
    return Value(name, ValueKind.NUMBERS, part, shape, frozenset() if everything else frozenset(wanted))
