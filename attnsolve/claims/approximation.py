"""How good an approximation is: where its error vanishes, how fast, and where it is largest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from attnsolve.assumptions import Approach
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Outcome
from attnsolve.derivations.limits import Tending
from attnsolve.derivations.monotony import trend
from attnsolve.derivations.setting import MEAN, Setting
from attnsolve.errors import Undecided
from attnsolve.statements.tree import ZERO, Tree, names

MONOTONE = (Outcome.INCREASES, Outcome.DECREASES, Outcome.NEVER_DECREASES, Outcome.NEVER_INCREASES)


@dataclass(frozen=True, slots=True)
class Approximation:
    """Where an error tends to 0, its first term there, and what it tends to at the other end."""

    tending: tuple[Approach, ...] = ()
    first_term: Tree | None = None
    largest: tuple[Approach, Tree] | None = None


def approximation(solved: Solved, missing: Tree) -> Approximation:
    """What can be said about an error."""
    if any(name.name == MEAN for name in names(missing)):
        return Approximation()  # a mean changes with all symbols, and nobody knows how
    found = [one for one in approaches(missing, solved.setting) if limit(solved, missing, one) == ZERO]
    if not found:
        return Approximation()
    first = found[0]
    return Approximation(tuple(found), first_term(solved, missing, first), largest(solved, missing, first))


def approaches(tree: Tree, setting: Setting) -> Iterator[Approach]:
    """Where the symbols of a formula may tend to, within what is assumed of them."""
    symbols = sorted((name for name in names(tree) if not name.index), key=lambda name: name.name)
    for name in symbols:
        domain = setting.domain(name)
        # A larger m needs a larger d, so that d cannot stay where it is.
        follows = [other for other in symbols if setting.domain(other).above == name.name]
        if domain.most is None and not follows:
            yield Approach(name, True)
        if domain.least == 0 and not domain.whole:
            yield Approach(name, False)


def limit(solved: Solved, tree: Tree, approach: Approach) -> Tree | None:
    """The limit of a formula, where it is one."""
    try:
        tending = Tending(solved, approach, tree)
        cases = tending.cases(tree)
    except Undecided:
        return None
    return cases[0][1] if len(cases) == 1 and not cases[0][0].positive else None


def first_term(solved: Solved, missing: Tree, approach: Approach) -> Tree | None:
    """What an error is asymptotically equal to."""
    try:
        return Tending(solved, approach, missing).leading(missing)
    except Undecided:
        return None


def largest(solved: Solved, missing: Tree, approach: Approach) -> tuple[Approach, Tree] | None:
    """The other end, where an error that changes in one direction only is largest."""
    outcome, _, _ = trend(solved.setting, missing, approach.variable)
    if outcome not in MONOTONE:
        return None
    other = Approach(approach.variable, not approach.at_infinity)
    domain = solved.setting.domain(approach.variable)
    if approach.at_infinity and (domain.least != 0 or domain.whole):
        return None
    found = limit(solved, missing, other)
    return None if found is None else (other, found)
