"""Inequalities solved exactly for one symbol: from which c on is a weight as large as was asked for?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from attnsolve.assumptions import Inequality
from attnsolve.derivations.circumstances import zeros
from attnsolve.derivations.derivation import Circumstance, Line, Outcome, Passage, Reason, Remark, Topic
from attnsolve.derivations.setting import HasSetting
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.logarithms import has_logarithm
from attnsolve.exact.formulas.signs import Sign, Signs, multiplied
from attnsolve.exact.formulas.writing import written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    Name,
    Tree,
    exponential,
    logarithm,
    number,
    product,
)


@dataclass(frozen=True, eq=False)
class Threshold:
    """`variable relation bound`, and how one comes to it: e^exponent relation power."""

    relation: Relation
    bound: Tree
    exponent: Tree | None = None
    power: Tree | None = None
    collected: tuple[Tree, Tree] | None = None  # A e^x and -B, before it is divided by A
    factor: Tree | None = None  # A
    trivial: Circumstance = field(default_factory=Circumstance)  # where what is asked for holds anyway


@dataclass(frozen=True, eq=False)
class Answer:
    """A threshold, or that something holds always, never, or cannot be solved."""

    outcome: Outcome
    threshold: Threshold | None = None


class Scalars(Protocol):
    """What works formulas out."""

    def scalar(self, tree: Tree) -> Tree:
        """A formula that stands for a number."""


class Expandable(HasSetting, Protocol):
    """Whatever was worked out, and works out formulas that speak of it."""

    @property
    def expansion(self) -> Scalars:
        """What works them out."""


def solve(solved: HasSetting, left: Tree, relation: Relation, right: Tree, variable: Name) -> Answer:
    """For which values of a symbol `left relation right` holds."""
    algebra, signs = solved.setting.algebra(variable, left, right)
    difference = algebra.settled(algebra.value(left) - algebra.value(right))
    if relation in (Relation.AT_MOST, Relation.LESS):
        difference = -difference
    sign = signs.of(difference)
    strict = relation in (Relation.GREATER, Relation.LESS)
    if sign is Sign.POSITIVE or (sign in (Sign.ZERO, Sign.AT_LEAST_ZERO) and not strict):
        return Answer(Outcome.ALWAYS)
    if sign is Sign.NEGATIVE or (sign in (Sign.ZERO, Sign.AT_MOST_ZERO) and strict):
        return Answer(Outcome.NEVER)
    below = signs.of_polynomial(difference.denom)
    if not below.is_nonzero:
        return Answer(Outcome.UNDECIDED)
    polynomial = difference.numer if below is Sign.POSITIVE else -difference.numer
    direction = Relation.GREATER if strict else Relation.AT_LEAST
    found = _exponential(algebra, signs, polynomial, variable, direction)
    found = found or _linear(algebra, signs, polynomial, variable, direction)
    if found is not None and not has_logarithm(found.bound):  # which is best left as it was found
        found = replace(found, bound=solved.setting.tidy(found.bound))
    return Answer(Outcome.UNDECIDED if found is None else Outcome.UNBOUNDED, found)


def _exponential(
    algebra: Algebra, signs: Signs, polynomial: Element, variable: Name, relation: Relation
) -> Threshold | None:
    """A e^x + B ≥ 0, where x is a multiple of the symbol, or of one over it."""
    place = algebra.place(variable)
    if place is None:
        return None
    moving = [
        offset
        for offset, exponent in enumerate(algebra.exponents)
        if algebra.depends(exponent, algebra.field.gens[place])
    ]
    if len(moving) != 1 or polynomial.degree(place) > 0:
        return None
    where = algebra.first_exponential + moving[0]
    if polynomial.degree(where) != 1:
        return None
    generator = polynomial.ring.gens[where]
    above = polynomial.diff(generator)
    rest = polynomial - above * generator
    sign = signs.of_polynomial(above)
    ratio = -algebra.field(rest) / algebra.field(above)
    positive = signs.of(ratio)
    if not sign.is_nonzero or positive not in (Sign.POSITIVE, Sign.AT_LEAST_ZERO):
        return None
    exponent = algebra.exponents[moving[0]]
    rate = exponent / algebra.field.gens[place]
    if algebra.depends(rate, algebra.field.gens[place]) or not signs.of(rate).is_nonzero:
        return None
    turns = multiplied(sign, signs.of(rate)) is Sign.NEGATIVE
    power = written(ratio, algebra)
    bound = product((written(1 / rate, algebra), logarithm(power)))
    if variable in algebra.rooted:
        return None
    maybe = zeros(algebra.field(rest), algebra, signs) or []
    return Threshold(
        relation.turned if turns else relation,
        bound,
        written(exponent, algebra),
        power,
        (
            product((written(algebra.field(above), algebra), exponential(written(exponent, algebra)))),
            written(-algebra.field(rest), algebra),
        ),
        written(algebra.field(above), algebra),
        Circumstance(
            zero=tuple(written(one, algebra) for one in maybe) if positive is not Sign.POSITIVE else ()
        ),
    )


def _linear(
    algebra: Algebra, signs: Signs, polynomial: Element, variable: Name, relation: Relation
) -> Threshold | None:
    """A x + B ≥ 0 for a symbol that stands in no exponent."""
    place = algebra.place(variable)
    if place is None or variable in algebra.rooted or polynomial.degree(place) != 1:
        return None
    if any(algebra.depends(exponent, algebra.field.gens[place]) for exponent in algebra.exponents):
        return None
    above = polynomial.diff(polynomial.ring.gens[place])
    rest = polynomial - above * polynomial.ring.gens[place]
    sign = signs.of_polynomial(above)
    if not sign.is_nonzero:
        return None
    bound = written(-algebra.field(rest) / algebra.field(above), algebra)
    return Threshold(
        relation if sign is Sign.POSITIVE else relation.turned,
        bound,
        collected=(
            product((written(algebra.field(above), algebra), variable)),
            written(-algebra.field(rest), algebra),
        ),
        factor=written(algebra.field(above), algebra),
    )


def passage(solved: Expandable, inequality: Inequality) -> Passage:
    """The lines from what is asked for to the threshold."""
    wanted, variable = inequality.wanted, inequality.variable
    left, right = solved.expansion.scalar(wanted.left), solved.expansion.scalar(wanted.right)
    answer = solve(solved, left, wanted.relation, right, variable)
    first = Line(wanted.left, wanted.relation, wanted.right)
    threshold = answer.threshold
    if threshold is None:
        return Passage(
            Topic.SOLUTION, ((first,),), variable=variable, remarks=(Remark(answer.outcome, None, variable),)
        )
    lines = [first, Line(left, wanted.relation, right, Reason.INSERTING, follows=True)]
    relation = threshold.relation
    algebra, signs = solved.setting.algebra(threshold.factor or number(1))
    positive = signs.of(algebra.value(threshold.factor or number(1))) is Sign.POSITIVE
    before = (
        Relation.AT_LEAST if wanted.relation in (Relation.AT_LEAST, Relation.AT_MOST) else Relation.GREATER
    )
    if threshold.collected is not None:
        lines.append(
            Line(threshold.collected[0], before, threshold.collected[1], Reason.MULTIPLYING, follows=True)
        )
    if threshold.power is not None and threshold.exponent is not None:
        power = exponential(threshold.exponent)
        lines.append(
            Line(
                power,
                before if positive else before.turned,
                threshold.power,
                Reason.DIVIDING_POSITIVE,
                threshold.factor,
                follows=True,
            )
        )
        lines.append(Line(variable, relation, threshold.bound, Reason.LOGARITHM, follows=True))
    else:
        lines.append(
            Line(
                variable, relation, threshold.bound, Reason.DIVIDING_POSITIVE, threshold.factor, follows=True
            )
        )
    remarks = []
    if threshold.trivial.zero:
        remarks.append(Remark(Outcome.ALWAYS, None, variable, threshold.trivial))
    return Passage(Topic.SOLUTION, (tuple(lines),), variable=variable, remarks=tuple(remarks))
