"""Equations about results, solved for one letter: the lines that lead to every solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from attnsolve.derivations.derivation import Line, Outcome, Passage, Reason, Remark, Topic
from attnsolve.derivations.numbers import at
from attnsolve.derivations.solver import Root, solutions
from attnsolve.errors import Undecided
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Sign
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.tree import (
    ZERO,
    Name,
    Tree,
    minus,
    names,
    put_in,
)

EQUAL = Relation.EQUAL


class Solvable(Protocol):
    """What equations are about: letters, and results that are put in."""

    @property
    def letters(self) -> Letters:
        """What is known of the letters."""

    def scalar(self, tree: Tree) -> Tree:
        """A formula with results put in."""


@dataclass(frozen=True, eq=False)
class Together:
    """Equations that are to hold together: the one that was solved, and which solutions all of them have."""

    first: Statement
    roots: tuple[Root, ...] = ()  # of the first one
    common: tuple[Root, ...] | None = None  # of all; None where not all could be found
    zero: Tree = ZERO
    always: bool = False


def solved(results: Solvable, wanted: Sequence[Statement], variable: Name) -> Together:
    """The solutions of the first equation that says something, and which of them solve the others too."""
    for first in wanted:
        left, right = results.scalar(first.left), results.scalar(first.right)
        try:
            found = solutions(results.letters, left, right, variable)
            if found.always:
                continue
            others = [one for one in wanted if one is not first]
            return Together(first, found.roots, kept(results, found.roots, others, variable), found.zero)
        except Undecided:
            return Together(first)
    return Together(wanted[0], always=True)


def passages(results: Solvable, wanted: Sequence[Statement], variable: Name) -> Iterator[Passage]:
    """The lines from an equation to its solutions, and which of them solve the others too."""
    found = solved(results, wanted, variable)
    first, roots = found.first, found.common
    opening = [Line(first.left, EQUAL, first.right)]
    put_together = (results.scalar(first.left), results.scalar(first.right))
    opening.append(Line(put_together[0], EQUAL, put_together[1], Reason.RESULTS_PUT_IN, follows=True))
    if found.always or roots is None:
        outcome = Outcome.ALWAYS if found.always else Outcome.UNDECIDED
        yield solution((tuple(opening),), variable, (Remark(outcome, None, variable),))
        return
    opening.append(Line(found.zero, EQUAL, ZERO, Reason.MULTIPLYING_NONZERO, follows=True))
    chains = [(*opening, *found.roots[0].lines)] if len(found.roots) == 1 else [tuple(opening)]
    if len(found.roots) > 1:
        chains += [root.lines for root in found.roots]
    yield solution(tuple(chains), variable, tuple(ending(roots, variable, is_checked=len(wanted) > 1)))


def solution(chains: tuple[tuple[Line, ...], ...], variable: Name, remarks: tuple[Remark, ...]) -> Passage:
    """A passage about an equation."""
    return Passage(Topic.SOLUTION, chains, variable=variable, remarks=remarks)


def ending(roots: Sequence[Root], variable: Name, *, is_checked: bool) -> Iterator[Remark]:
    """How many solutions there are, and which."""
    if not roots:
        yield Remark(Outcome.NOT_ALL if is_checked else Outcome.NEVER, None, variable)
    only = Outcome.ONLY_SOLUTION if len(roots) == 1 else Outcome.SOLUTION
    for root in roots:
        yield Remark(Outcome.CHECKED_SOLUTION if is_checked else only, root.value, variable)


def kept(
    results: Solvable, roots: Sequence[Root], others: Sequence[Statement], variable: Name
) -> tuple[Root, ...]:
    """The solutions that solve the other equations too."""
    found = []
    for root in roots:
        differences = [minus(results.scalar(one.left), results.scalar(one.right)) for one in others]
        if all(is_zero_at(results.letters, tree, variable, root.value) for tree in differences):
            found.append(root)
    return tuple(found)


def is_zero_at(letters: Letters, tree: Tree, variable: Name, value: Tree) -> bool:
    """Whether a formula is 0 at a solution: proven in the field of formulas, or from its exact value."""
    whole = put_in(tree, {variable: value})
    if not names(whole):
        return at(whole, {}).sign() == 0
    sign = letters.sign(whole)
    if sign is not Sign.ZERO and not sign.is_nonzero:
        raise Undecided("this depends on other letters")
    return sign is Sign.ZERO
