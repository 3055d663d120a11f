"""The results that a part asks about, as formulas with letters: `Results` looks numbers of them up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from attnsolve.derivations.results import ResultNames
from attnsolve.exact import Matrix
from attnsolve.exact.formulas.cells import tree_of
from attnsolve.exact.formulas.letters import Letters
from attnsolve.ops import Family
from attnsolve.problem import Part
from attnsolve.statements.claim import Statement
from attnsolve.statements.tree import Name, Tree, replaced
from attnsolve.trace import Trace


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a plan, as formulas; a number of one is the name `a.A` with its row and column."""

    letters: Letters
    names: ResultNames
    values: Mapping[str, Matrix]
    exponents: Mapping[str, Matrix]  # of the weights: what is exponentiated for them
    subjects: tuple[str, ...]  # the results that are asked about

    @property
    def setting(self) -> Letters:
        """What is known of the letters."""
        return self.letters

    @property
    def expansion(self) -> Results:
        """What works formulas out that speak of results."""
        return self

    def scalar(self, tree: Tree) -> Tree:
        """A formula with results put in."""
        return replaced(tree, self._value)

    def _value(self, piece: Tree) -> Tree | None:
        if not isinstance(piece, Name) or piece.name not in self.values:
            return None
        row, column = map(int, piece.index)
        return tree_of(self.values[piece.name].cell(row, column))

    def named(self, tree: Tree) -> Tree:
        """A formula in which results go by the names that they are kept under."""

        def change(piece: Tree) -> Tree | None:
            if not isinstance(piece, Name) or piece.name not in self.names.letters:
                return None
            return entry(*self.names.place(piece))

        return replaced(tree, change)

    def statement(self, one: Statement) -> Statement:
        """A statement about results by the names that they are kept under."""
        return replace(one, left=self.named(one.left), right=self.named(one.right))

    def cells(self, result: str) -> Iterator[tuple[Name, Tree]]:
        """Every number of a result, with its name."""
        for i, j, cell in self.values[result].cells():
            yield entry(result, i, j), tree_of(cell)


def entry(result: str, row: int, column: int) -> Name:
    """One number of a result, as a name."""
    return Name(result, (str(row), str(column)))


def results_of(trace: Trace, part: Part) -> Results:
    """The results that a part asks about."""
    problem = trace.problem
    assert problem.assumptions is not None and part.entries is not None
    upto = next(place for place, one in enumerate(problem.parts) if one.id == part.entries.about) + 1
    names = ResultNames.of(problem.parts[:upto], part.entries.about, problem.frames, problem.index_from)
    steps = {step.call.out: step for step in trace.steps}
    exponents = {
        name: step.call.op.powers(*step.inputs[:1], **step.call.options)
        for name, step in steps.items()
        if step.call.op.family is Family.NORMALISER and step.call.op.powers is not None
    }
    asked = [target.name for target in problem.parts[upto - 1].find]
    values = {name: step.value for name, step in steps.items()}
    return Results(Letters(problem.assumptions.symbols), names, values, exponents, tuple(asked))
