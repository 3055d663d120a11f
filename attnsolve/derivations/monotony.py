"""Whether weights grow or shrink with a symbol: the sign of the derivative, proven."""

from __future__ import annotations

from attnsolve.derivations.attention import Solved
from attnsolve.derivations.circumstances import zeros
from attnsolve.derivations.derivation import Circumstance, Line, Outcome, Passage, Reason, Remark, Topic
from attnsolve.derivations.setting import Setting
from attnsolve.derivations.steps import weight_symbol
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.signs import Sign
from attnsolve.exact.formulas.writing import written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Name, Product, Quotient, Tree

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


def trend(setting: Setting, tree: Tree, variable: Name) -> tuple[Outcome, Circumstance, Tree]:
    """What a formula does as a symbol grows; where it stands still; its derivative."""
    algebra, signs = setting.algebra(variable, tree)
    slope = derivative(algebra, algebra.value(tree), variable)
    if variable in algebra.rooted:
        slope /= 2 * algebra.field.gens[algebra.symbols.index(variable)]
    sign = signs.of(slope)
    still: tuple[Tree, ...] = ()
    if sign in (Sign.AT_LEAST_ZERO, Sign.AT_MOST_ZERO):
        still = tuple(written(one, algebra) for one in zeros(slope, algebra, signs) or ())
    return OUTCOMES[sign], Circumstance(zero=still), written(slope, algebra)


def passage(solved: Solved, variable: Name) -> Passage:
    """The derivative of every weight, and what its sign says."""
    chains, remarks = [], []
    several = len(solved.heads) > 1
    for place, head in enumerate(solved.heads, start=1):
        for group in solved.groups(head):
            subject = weight_symbol(group[0], place if several else 0)
            outcome, still, slope = trend(solved.setting, head.weights[group[0]], variable)
            left = Quotient(differential(subject), differential(variable))
            chains.append((Line(left, Relation.EQUAL, slope, Reason.DERIVATIVE),))
            remarks.append(Remark(outcome, subject, variable, still))
    return Passage(Topic.MONOTONY, tuple(chains), variable=variable, remarks=tuple(remarks))


def differential(tree: Tree) -> Tree:
    """∂x, as a formula."""
    return Product((Name("partial"), tree))
