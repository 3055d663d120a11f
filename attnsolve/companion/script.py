"""A trace as a Python file of its own: script(trace) is what a student can run without attnsolve."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from attnsolve.companion.digits import SMALLEST_POWER, SURE_DIGITS, decimals, noise, whole_digits
from attnsolve.companion.libraries import TORCH, Function, Library
from attnsolve.companion.literals import WIDTH, literal, matrix, source
from attnsolve.companion.preamble import IMPORTS, SHOW, carried_function, comment, header, plain
from attnsolve.companion.sources import Sources, free
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.ops import Op, Role
from attnsolve.problem import Call, Given, Part, Problem, Target
from attnsolve.trace import Step, Trace

# What stands in every script besides the matrices and the ops.
OWN_NAMES = ("torch", "np", "math", "decimal", "Decimal", "PLACES", "shown", "show", "carried")
# And where a layer of torch's own is asked too.
LAYER_NAMES = ("layer", "found", "weights", "mask", "scaled_dot_product_attention")

# What a section of a script begins with.
RULE = "# ---- "


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
    if given.role is Role.SCORES:
        return convention.queries_as_columns
    return given.role is Role.WEIGHTS and convention.weights_transposed
