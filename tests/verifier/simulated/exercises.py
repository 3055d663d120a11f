"""Exercises of our own, drawn from a recorded seed: the data as decimals, and the same as a problem file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from verifier.simulated.arithmetic import Array, matrix, text

WHOLE = ("-3", "-2", "-2", "-1", "-1", "0", "1", "1", "2", "2", "3")
DECIMALS = ("-1.5", "-0.7", "-0.5", "0.3", "0.5", "1.2", "1.5", "2", "-1", "0", "1", "0.25")
HALVES = ("-1.5", "-1", "-0.5", "0", "0.5", "1", "1.5", "2", "-2")


@dataclass(frozen=True)
class Head:
    """The projections of one head, tokens as rows; None where tokens are taken as they are."""

    W_Q: Array | None = None
    W_K: Array | None = None
    W_V: Array | None = None


@dataclass(frozen=True)
class Exercise:
    """What a sheet gives and asks for, with tokens as rows whatever its convention."""

    shape: str
    asking: Array
    keys: Array
    values: Array
    heads: tuple[Head, ...] = (Head(),)
    divide_by: str = "none"  # none, sqrt(d_k) or a number
    keep: Array | None = None
    mask: str = ""  # as the file writes it
    temperature: str = ""
    additive: tuple[Array, Array, Array] | None = None
    W_O: Array | None = None
    columns: bool = False
    places: int = 4
    marks: Mapping[str, int] | None = None

    @property
    def is_self_attention(self) -> bool:
        """Whether the same tokens ask and are looked at."""
        return self.asking is self.keys

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What stands before the letters of each head."""
        return ("a.",) if self.W_O is None else tuple(f"a.head{h + 1}." for h in range(len(self.heads)))

    def letters(self) -> tuple[str, ...]:
        """The steps of a head that may have marks."""
        found = list("QKV") if self.heads[0].W_Q is not None else []
        found += [
            "S",
            *(["T"] if self.divide_by != "none" else []),
            *(["M"] if self.keep is not None else []),
        ]
        return (*found, "A", "Z")

    def steps(self) -> tuple[str, ...]:
        """The full names of the steps that may have marks, in their order."""
        heads = tuple(prefix + letter for prefix in self.prefixes for letter in self.letters())
        return heads if self.W_O is None else (*heads, "a.C", "a.Z")


def typed(table: Array) -> str:
    """A matrix as a file has it."""
    return "; ".join(" ".join(text(number) for number in row) for row in table)


def problem_text(exercise: Exercise) -> str:
    """The problem file."""
    given = {"X": exercise.keys}
    if not exercise.is_self_attention:
        given["Y"] = exercise.asking
    if exercise.values is not exercise.keys:
        given["V"] = exercise.values
    turned: dict[str, Array] = {}
    for number, head in enumerate(exercise.heads, start=1):
        turned.update({f"{n}{number}": w for n, w in vars(head).items() if w is not None})
    if exercise.W_O is not None:
        turned["W_O"] = exercise.W_O
    if exercise.additive is not None:
        turned.update(zip(("W", "U"), exercise.additive[:2], strict=True))
        given["v"] = exercise.additive[2]
    given.update({name: table.T if exercise.columns else table for name, table in turned.items()})
    lines = ["format: 1", f"title: {exercise.shape}", f"places: {exercise.places}"]
    lines += ["convention: columns"] if exercise.columns else []
    lines += ["given:", *(f"  {name}: {typed(table)}" for name, table in given.items())]
    lines += ["parts:", "  - ask: Find the output.", f"    {recipe(exercise)}"]
    if exercise.marks is not None:
        shares = ", ".join(f"{name.removeprefix('a.')}: {marks}" for name, marks in exercise.marks.items())
        lines.append(f"    marks: {{{shares}}}")
    return "\n".join([*lines, ""])


def recipe(exercise: Exercise) -> str:
    """The line of the file that says what is computed."""
    settings = [f"divide_by: {exercise.divide_by}"] if exercise.additive is None else []
    settings += [f"mask: {{{exercise.mask}}}"] if exercise.mask else []
    if exercise.temperature:
        settings.append(f"weights: {{softmax: {{temperature: {exercise.temperature}}}}}")
    if exercise.additive is not None:
        settings.append("score: {additive: {W: W, U: U, v: v}}")
    others = ", ".join(settings)
    asking = "X" if exercise.is_self_attention else "Y"
    if exercise.values is not exercise.keys or exercise.additive is not None:
        return f"attend: {{queries: {asking}, keys: X, values: V, {others}}}"
    source = f"input: {asking}" + ("" if exercise.is_self_attention else ", context: X")
    projections = [
        ", ".join(f"{name}: {name}{number}" for name, table in vars(head).items() if table is not None)
        for number, head in enumerate(exercise.heads, start=1)
    ]
    if exercise.W_O is not None:
        listed = ", ".join(f"{{{own}}}" for own in projections)
        return f"multi_head: {{{source}, heads: [{listed}], W_O: W_O, {others}}}"
    name = "self_attention" if exercise.is_self_attention else "cross_attention"
    return f"{name}: {{{', '.join(filter(None, (source, projections[0], others)))}}}"


def numbers(random: Random, rows: int, columns: int, entries: tuple[str, ...]) -> Array:
    """A matrix of random entries, none of them all zeros."""
    while True:
        table = matrix([[random.choice(entries) for _ in range(columns)] for _ in range(rows)])
        if any(number != Decimal(0) for number in table.flat):
            return table
