"""Whether weights grow or shrink with a symbol: the sign of the derivative, proven."""

from __future__ import annotations

from collections.abc import Callable

from attnsolve.derivations.attention import Solved
from attnsolve.derivations.circumstances import zeros
from attnsolve.derivations.derivation import Circumstance, Line, Outcome, Passage, Reason, Remark, Topic
from attnsolve.derivations.steps import weight_symbol
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Sign
from attnsolve.exact.formulas.writing import written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Name, Tree, differentiated, replaced
from attnsolve.statements.tree import derivative as by

OUTCOMES = {
    Sign.POSITIVE: Outcome.INCREASES,
    Sign.NEGATIVE: Outcome.DECREASES,
    Sign.ZERO: Outcome.CONSTANT,
    Sign.AT_LEAST_ZERO: Outcome.NEVER_DECREASES,
    Sign.AT_MOST_ZERO: Outcome.NEVER_INCREASES,
    Sign.UNKNOWN: Outcome.UNDECIDED,
}


def derivative(algebra: Algebra, element: Element, variable: Name) -> Element:
    """The derivative by a symbol; by the root of a rooted one, whose sign is the same."""
    place = algebra.place(variable)
    if place is None:
        return algebra.field.zero
    generator = algebra.field.gens[place]
    total = element.diff(generator)
    for offset, exponent in enumerate(algebra.exponents):
        power = algebra.field.gens[algebra.first_exponential + offset]
        total += element.diff(power) * power * exponent.diff(generator)
    return total


def rise(algebra: Algebra, tree: Tree, variable: Name) -> Element:
    """The derivative of a formula by a symbol."""
    made = derivative(algebra, algebra.value(tree), variable)
    if variable in algebra.rooted:
        made /= 2 * algebra.field.gens[algebra.symbols.index(variable)]
    return algebra.settled(made)


def slope(setting: Letters, tree: Tree, variable: Name) -> Tree:
    """The derivative of a formula by a symbol, as a formula."""
    algebra, _ = setting.algebra(variable, tree)
    return written(rise(algebra, tree, variable), algebra)


def trend(setting: Letters, tree: Tree, variable: Name) -> tuple[Outcome, Circumstance, Tree]:
    """What a formula does as a symbol grows; where it stands still; its derivative."""
    algebra, signs = setting.algebra(variable, tree)
    made = rise(algebra, tree, variable)
    sign = signs.of(made)
    still: tuple[Tree, ...] = ()
    if sign in (Sign.AT_LEAST_ZERO, Sign.AT_MOST_ZERO):
        still = tuple(written(one, algebra) for one in zeros(made, algebra, signs) or ())
    return OUTCOMES[sign], Circumstance(zero=still), written(made, algebra)


def passage(solved: Solved, variable: Name) -> Passage:
    """The derivative of every weight, and what its sign says."""
    chains, remarks = [], []
    several = len(solved.heads) > 1
    for place, head in enumerate(solved.heads, start=1):
        for group in solved.groups(head):
            subject = weight_symbol(group[0], place if several else 0)
            outcome, still, risen = trend(solved.setting, head.weights[group[0]], variable)
            left = by(subject, variable)
            chains.append((Line(left, Relation.EQUAL, risen, Reason.DERIVATIVE),))
            remarks.append(Remark(outcome, subject, variable, still))
    return Passage(Topic.MONOTONY, tuple(chains), variable=variable, remarks=tuple(remarks))


def with_derivatives(setting: Letters, tree: Tree, value: Callable[[Tree], Tree]) -> Tree:
    """A formula in which ∂x/∂t is worked out from the value of x."""

    def change(piece: Tree) -> Tree | None:
        found = differentiated(piece)
        return None if found is None else slope(setting, value(found[0]), found[1])

    return replaced(tree, change)
