"""A trace as a Python file of its own: script(trace) is what a student can run without attnsolve."""

from __future__ import annotations

import builtins
import keyword
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from attnsolve.companion.floats import number
from attnsolve.companion.libraries import TORCH, Function, Library
from attnsolve.companion.literals import WIDTH, literal, matrix, source
from attnsolve.companion.sources import Sources, free
from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact import Matrix, Rounded
from attnsolve.exact.infinity import HIDDEN
from attnsolve.ops import Op
from attnsolve.problem import Call, Given, Part, Problem, Rounding, Target
from attnsolve.trace import Step, Trace

# Digits that a float64 still has right after the few hundred operations of an exercise.
SURE_DIGITS = 13
# And those above which a number beside larger ones is no mere left-over of rounding.
CLEAR_DIGITS = 12
# The least power of ten that float64 has in full.
SMALLEST_POWER = -307
DECIMAL_MODES = {"half_up": "ROUND_HALF_UP", "half_even": "ROUND_HALF_EVEN", "truncate": "ROUND_DOWN"}
# What stands in every script besides the matrices and the ops.
OWN_NAMES = ("torch", "np", "math", "decimal", "Decimal", "PLACES", "shown", "show", "carried")
# And where a layer of torch's own is asked too.
LAYER_NAMES = ("layer", "found", "weights", "mask", "scaled_dot_product_attention")

# What a section of a script begins with.
RULE = "# ---- "
IMPORTS = ("import decimal", "import math", "from decimal import Decimal")

SHOW = '''\
decimal.getcontext().prec = 100
decimal.getcontext().rounding = decimal.ROUND_HALF_UP  # as on paper: 0.125 is 0.13


def shown(x, places, zero):
    """A number to so many places; a tiny one by its power of ten."""
    if x == -math.inf:
        return "-inf"
    number = Decimal(f"{0.0 if abs(x) <= zero else x:.13g}")  # the last digits of a float are noise
    text = f"{number:.{places}f}"
    return f"{number:.2e}" if number and not text.strip("-0.") else text


def show(name, X, places=PLACES, zero=0.0):
    """Print a matrix; what is not above `zero` is a 0 that floats have missed."""
    rows = [[shown(x, places, zero) for x in row] for row in X.tolist()]
    width = max(len(text) for row in rows for text in row)
    print(name)
    for row in rows:
        print(" ", " ".join(text.rjust(width) for text in row))'''

CARRIED = '''\
def carried(X):
    """Every number rounded to CARRY places, as a student writes it down and goes on with it."""

    def rounded(x):
        unit = Decimal(1).scaleb(-CARRY)
        return x if math.isinf(x) else float(Decimal(f"{x:.13g}").quantize(unit, decimal.MODE))

    return MATRIX([[rounded(x) for x in row] for row in X.tolist()]ENDING'''


def script(trace: Trace, *, library: Library = TORCH, asks_layers: bool = True) -> str:
    """A commented Python file that computes the exercise with a library and prints what is asked for.

    With torch its own layers are asked too, if they are wanted; to write that down takes torch.
    """
    return "\n".join(_Writer(trace, library, asks_layers=asks_layers).lines()) + "\n"


class Pieces(NamedTuple):
    """A script in the pieces that the cells of a notebook have."""

    preamble: str
    givens: str
    parts: Mapping[str, str]
    layers: str
    variables: Mapping[str, str]


def pieces(trace: Trace, *, library: Library = TORCH, asks_layers: bool = True) -> Pieces:
    """The same script in pieces: what it needs, what is given, each part, the layers of torch itself."""
    writer = _Writer(trace, library, asks_layers=asks_layers)
    parts = {part.id: joined(writer.part(part)) for part in trace.problem.parts if part.calls or part.find}
    return Pieces(
        joined(writer.preamble()),
        joined(writer.givens()),
        parts,
        joined(writer.layers()),
        writer.variables,
    )


def joined(lines: Iterable[str]) -> str:
    """Lines as a text of their own, without blank ones around them."""
    text = "\n".join(lines).strip("\n")
    return f"# {text.removeprefix(RULE)}" if text.startswith(RULE) else text


def lacking(trace: Trace, library: Library) -> list[str]:
    """The ops of a trace that a library has no function for, by name."""
    ops = {step.call.op.name: step.call.op for step in trace.steps}
    return [name for name, op in ops.items() if library.function(op) is None]


def plain(text: str) -> str:
    """Text of a problem file for a comment: one line, and nothing in it that could end the comment."""
    words = "".join(character if character.isprintable() else " " for character in text).split()
    return " ".join(words)


def comment(text: str) -> Iterator[str]:
    """Comment lines of a text."""
    yield from (f"# {line}" for line in textwrap.wrap(plain(text), WIDTH - 2, break_on_hyphens=False))


class _Writer:
    """Collects the pieces; names are given out first, so that nothing hides anything else."""

    def __init__(self, trace: Trace, library: Library, *, asks_layers: bool) -> None:
        self.trace = trace
        self.problem = trace.problem
        self.library = library
        # No layer of torch rounds on the way.
        self.asks_layers = asks_layers and library is TORCH and self.problem.rounding is None
        taken = {*keyword.kwlist, *dir(builtins), *OWN_NAMES, *LAYER_NAMES}
        self.sources = Sources(taken)
        self.functions = {
            step.call.op.name: self.sources.add(self.function(step.call.op), step.call.op.name)
            for step in trace.steps
        }
        names = (*self.problem.givens, *(step.call.out for step in trace.steps))
        self.variables = {name: free(identifier(name), taken) for name in names}
        self.digits = whole_digits(step.value for step in trace.steps)
        self.places = self.sure(self.problem.places)

    def function(self, op: Op) -> Function:
        """What the library has for an op."""
        found = self.library.function(op)
        if found is None:
            raise AttnsolveError(f"{self.library.title} has no function for '{op.name}'; take PyTorch")
        return found

    def sure(self, places: int) -> int:
        """As many places as are wanted, or as float64 can be trusted with."""
        return max(0, min(places, SURE_DIGITS - self.digits))

    def lines(self) -> Iterator[str]:
        yield from header(self.problem, self.library)
        if not self.trace.steps:
            yield from ("", "# This problem has no steps to compute.")
            return
        yield from self.preamble()
        yield from self.givens()
        for part in self.problem.parts:
            if part.calls or part.find:
                yield from self.part(part)
        yield from self.layers()

    def layers(self) -> Iterator[str]:
        """The layers that the library has itself, which must agree."""
        if self.asks_layers:
            from attnsolve.companion.agreement import lines  # it needs torch itself

            yield from lines(self.trace, self.variables)

    def preamble(self) -> Iterator[str]:
        yield from ("", *IMPORTS, "", self.library.imports, "")
        if self.places < self.problem.places:
            yield f"# The sheet wants {self.problem.places} places; float64 is sure of no more than these."
        yield from (f"PLACES = {self.places}", *SHOW.splitlines())
        if self.problem.rounding is not None:
            yield from ("", "", *carried_function(self.problem.rounding, self.library).splitlines())
        yield from ("", "", f"# ---- The operations, as {self.library.package} has them")
        for text in self.sources.texts:
            yield from ("", "", *text.splitlines())

    def givens(self) -> Iterator[str]:
        """The matrices of the file that are used."""
        used = {name for step in self.trace.steps for name in step.call.args}
        givens = [given for name, given in self.problem.givens.items() if name in used]
        yield from ("", "", "# ---- What is given")
        if any(is_turned(given, self.problem) for given in givens):
            yield "# Where the sheet writes a matrix the other way round, .T turns it."
        yield ""
        for given in givens:
            yield from self.given(given)

    def given(self, given: Given) -> Iterator[str]:
        """A matrix of the file, as the file lays it."""
        rows, turned = literals(given), is_turned(given, self.problem)
        written = [list(row) for row in zip(*rows, strict=True)] if turned else rows
        yield from matrix(self.variables[given.name], written, turned=turned, library=self.library)

    def part(self, part: Part) -> Iterator[str]:
        yield from ("", f"# ---- Part {part.id}{': ' if part.title else ''}{plain(part.title)}")
        yield from comment(part.ask)
        yield ""
        targets = part.find or tuple(Target(call.out) for call in part.calls)
        wanted = [(self.problem.resolve(target.name), target) for target in targets]
        for step in self.trace.of_part(part.id):
            yield self.call(step.call)
            for name, target in wanted:
                if name == step.call.out:
                    yield from self.printed(target, step)
        made = {call.out for call in part.calls}
        for name, target in wanted:
            if name not in made:
                yield from self.printed(target, self.trace.step(name))

    def call(self, call: Call) -> str:
        kinds = {option.name: option.kind for option in call.op.options}
        settings = [
            f"{name}={source(value) if kinds[name] == 'number' else repr(value)}"
            for name, value in call.options.items()
        ]
        arguments = ", ".join([*(self.variables[name] for name in call.args), *settings])
        made = f"{self.functions[call.op.name]}({arguments})"
        if self.problem.rounding is not None and not call.op.moves:
            made = f"carried({made})"
        line, title = f"{self.variables[call.out]} = {made}", plain(call.title or call.op.title)
        both = f"{line}  # {title}"
        return both if len(both) <= WIDTH else "\n".join([*comment(title), line])

    def printed(self, target: Target, step: Step) -> Iterator[str]:
        """The line that shows what is asked for, with what `show` has to know about it."""
        rounding = self.problem.rounding
        value, places = step.value, self.places
        if rounding is not None:
            value, places = step.carried, self.sure(rounding.carry)
        piece, label = indexed(target, self.problem.index_from)
        arguments = [repr(label), self.variables[step.call.out] + piece]
        if rounding is not None:
            arguments.append(f"places={places}")
        seen = list(decimals(chosen(target, value), places))
        zero = noise(seen, self.digits)
        if zero:
            arguments.append(f"zero={zero}")
        if any(cell.power is not None and cell.power < SMALLEST_POWER for cell in seen):
            yield "# Some of these numbers are too small for float64, which has 0 there."
        yield f"show({', '.join(arguments)})"


def header(problem: Problem, library: Library) -> Iterator[str]:
    """What this file is. Its first two lines are ours: a title there could say how the file is encoded."""
    yield "# -*- coding: utf-8 -*-"
    needs = f"{library.title} (pip install {library.package})"
    yield f"# Written by attnsolve. It needs {needs} and nothing else: python FILE.py"
    yield "#"
    yield from comment(problem.title)
    if problem.source:
        yield from comment(f"Source: {problem.source}")
    yield "#"
    yield "# In every matrix a token is a row, and a projection is X @ W; all numbers are float64."
    rounding = problem.rounding
    if rounding is not None:
        words = {"half_up": "half up", "half_even": "half to even", "truncate": "cut off"}[rounding.mode]
        yield f"# As the sheet asks, every result is rounded to {rounding.carry} places ({words}) on the way."


def carried_function(rounding: Rounding, library: Library) -> str:
    """The function that rounds on the way."""
    made = CARRIED.replace("CARRY", str(rounding.carry)).replace("MODE", DECIMAL_MODES[rounding.mode])
    return made.replace("MATRIX(", library.start).replace("ENDING", library.ending)


def identifier(name: str) -> str:
    """A variable for a value: `c_head2_A` for `c.head2.A`."""
    made = name.replace(".", "_").replace("-", "_")
    return made if made.isidentifier() else f"part_{made}"


def indexed(target: Target, first: int) -> tuple[str, str]:
    """A target's place in Python, and its name as a problem file writes it: `[1:2]` and `a.A[2]`."""
    i, j = target.row, target.column
    if i is None:
        return "", target.name
    if j is None:
        return f"[{i}:{i + 1}]", f"{target.name}[{i + first}]"
    return f"[{i}:{i + 1}, {j}:{j + 1}]", f"{target.name}[{i + first}, {j + first}]"


def chosen(target: Target, value: Matrix) -> Matrix:
    """The row or the cell that is asked for, or all of a value."""
    if target.row is None:
        return value
    row = value.take([target.row])
    return row if target.column is None else row.columns(target.column, target.column + 1)


def literals(given: Given) -> list[list[str]]:
    """The numbers of a given as Python source, as the file spells them where it does."""
    typed = given.typed or [[""] * given.value.shape[1]] * given.value.shape[0]
    return [
        [literal(given.value.cell(i, j), typed=text) for j, text in enumerate(row)]
        for i, row in enumerate(typed)
    ]


def is_turned(given: Given, problem: Problem) -> bool:
    """Whether the file has a matrix the other way round than it is computed with."""
    convention = problem.convention
    if given.role == "scores":
        return convention.queries_as_columns
    return given.role == "weights" and convention.weights_transposed


def whole_digits(values: Iterable[Matrix]) -> int:
    """How many digits stand before the point of the largest number."""
    cells = (cell for value in values for _, _, cell in value.cells() if cell is not HIDDEN)
    largest = max((abs(number(cell)) for cell in cells), default=0.0)
    return len(str(int(largest))) if largest >= 1 else 0


def decimals(value: Matrix, places: int) -> Iterator[Rounded]:
    """The certified decimals of a matrix, as far as they can be decided."""
    for _, _, cell in value.cells():
        try:
            yield cell.decimals(places)
        except Undecided:
            continue


def noise(seen: list[Rounded], digits: int) -> str:
    """Below which size a number stands for one of the zeros that are shown; nothing when there are none."""
    finite = [cell for cell in seen if not cell.infinite]
    orders = [order(cell) for cell in finite if cell.digits and order(cell) >= SMALLEST_POWER]
    if len(orders) == len(finite):
        return ""
    return f"1e{min([digits - CLEAR_DIGITS, *(power - 1 for power in orders)])}"


def order(cell: Rounded) -> int:
    """The power of ten of a number's first digit."""
    return len(str(abs(cell.digits))) - 1 - cell.places if cell.power is None else cell.power
