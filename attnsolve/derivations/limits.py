"""Limits of weights and outputs, by cases where they differ, and the first term of what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.assumptions import Approach
from attnsolve.derivations.attention import Head, Solved
from attnsolve.derivations.circumstances import circumstance
from attnsolve.derivations.derivation import Circumstance, Line, Outcome, Passage, Reason, Remark, Topic
from attnsolve.derivations.setting import OUTPUT, HasSetting
from attnsolve.derivations.steps import as_sum, symbol, weight_symbol
from attnsolve.derivations.vectors import Vector
from attnsolve.errors import Undecided
from attnsolve.exact.formulas.algebra import Element
from attnsolve.exact.formulas.growth import Case, Growth
from attnsolve.exact.formulas.writing import relative, written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import ZERO, Tree, exponential, minus, over, product


class Tending:
    """The limits of formulas as one symbol tends to 0 or infinity."""

    def __init__(self, solved: HasSetting, approach: Approach, *trees: Tree) -> None:
        self.algebra, self.signs = solved.setting.algebra(approach.variable, *trees)
        self.growth = Growth(self.algebra, self.signs, approach.variable, approach.at_infinity)

    def cases(self, tree: Tree) -> tuple[tuple[Circumstance, Tree | None], ...]:
        """The limit of a formula, by cases; None where it is infinite."""
        return tuple(
            (
                circumstance(case.conditions, self.algebra, self.signs),
                None if case.value is None else written(case.value, self.algebra),
            )
            for case in self._raw(tree)
        )

    def _raw(self, tree: Tree) -> tuple[Case, ...]:
        value = self.algebra.value(tree)
        return (Case((), value),) if not value else self.growth.limits(value)

    def only(self, tree: Tree) -> Tree | None:
        """The limit of a formula where it is finite and the same in all cases."""
        found = {value for _, value in self.cases(tree)}
        return found.pop() if len(found) == 1 else None

    def leading(self, tree: Tree) -> Tree:
        """The first term of a formula."""
        return self.divided(self.growth.leading(self.algebra.value(tree)))

    def divided(self, element: Element) -> Tree:
        """A term with its exponentials above the line: (m - 2)/4 e^(-c)."""
        exponent = self.algebra.field.zero
        rest = element
        for offset, one in enumerate(self.algebra.exponents):
            place = self.algebra.first_exponential + offset
            power = element.numer.degree(place) - element.denom.degree(place)
            if len(element.numer) == 1 or element.numer.degree(place) <= 0:
                exponent += power * one
                rest = rest / self.algebra.field.gens[place] ** power
        return product((written(rest, self.algebra), exponential(written(exponent, self.algebra))))


def passages(solved: Solved, approach: Approach) -> Iterator[Passage]:
    """The limits of every head, and of the heads together."""
    several = len(solved.heads) > 1
    for number, head in enumerate(solved.heads, start=1):
        yield from of_head(solved, head, approach, number if several else 0)
    if several and solved.attention.combined is not None:
        yield from of_output(solved, solved.expansion.vector(symbol(OUTPUT, 0)), approach, 0)


def of_head(solved: Solved, head: Head, approach: Approach, number: int) -> Iterator[Passage]:
    """Weights, then the output, then how far from the limit they are."""
    tending = Tending(solved, approach, *head.weights.values())
    try:
        by_case = {group[0]: tending.cases(head.weights[group[0]]) for group in solved.groups(head)}
    except Undecided:
        remark = Remark(Outcome.UNDECIDED, symbol("D", number), approach.variable)
        yield Passage(Topic.LIMIT, (), number, approach.variable, approach.at_infinity, remarks=(remark,))
        return
    several = max(map(len, by_case.values()))
    if several == 1:
        chains = tuple(
            tuple(limit_lines(solved, head, tending, index, number, cases[0][1]))
            for index, cases in by_case.items()
        )
        yield Passage(Topic.LIMIT, chains, number, approach.variable, approach.at_infinity)
    if head.asked.values:
        yield from of_output(solved, head.output, approach, number)
    if several == 1:
        yield from errors(solved, head, tending, approach, number)


def limit_lines(
    solved: Solved, head: Head, tending: Tending, index: str, number: int, limit: Tree | None
) -> Iterator[Line]:
    """The weight, divided by what grows fastest, and its limit."""
    group = next(group for group in solved.groups(head) if index in group)
    left = weight_symbol(group[0], number)
    weight = head.weights[index]
    yield Line(left, Relation.EQUAL, weight)
    shown = by_strongest(tending, head, index)
    if shown is not None:
        divisor, whole = shown
        yield Line(None, Relation.EQUAL, whole, Reason.DIVIDING, divisor)
    if limit is not None:
        yield Line(None, Relation.TENDS, limit, Reason.VANISHING if shown else None)


def by_strongest(tending: Tending, head: Head, index: str) -> tuple[Tree, Tree] | None:
    """A weight with numerator and denominator divided by the strongest exponential of the denominator."""
    algebra, growth = tending.algebra, tending.growth
    below = algebra.value(head.denominator)
    strongest = growth.strongest(below.numer)
    if strongest is None or not growth.rates:
        return None
    above = algebra.value(exponential(head.exponents[index]))
    return (
        written(strongest, algebra),
        over(relative(above, strongest, algebra), relative(below, strongest, algebra)),
    )


def of_output(solved: Solved, output: Vector, approach: Approach, number: int) -> Iterator[Passage]:
    """The limit of an output, by the cases of what multiplies its values."""
    tending = Tending(solved, approach, *output.values())
    try:
        shares = {member: tending.cases(share) for member, share in output.items()}
    except Undecided:
        return
    left = symbol(OUTPUT, number)
    circumstances = list(dict.fromkeys(c for cases in shares.values() for c, _ in cases))
    for one in circumstances:
        limit: Vector = {}
        for member, cases in shares.items():
            value = next((value for c, value in cases if c == one or len(cases) == 1), None)
            if value is None:
                return
            if value != ZERO:
                limit[member] = value
        line = Line(left, Relation.TENDS, as_sum(limit, solved) if limit else ZERO)
        yield Passage(Topic.LIMIT, ((line,),), number, approach.variable, approach.at_infinity, one)


def errors(
    solved: Solved, head: Head, tending: Tending, approach: Approach, number: int
) -> Iterator[Passage]:
    """How far the weights are from their limits: exactly, and by the first term."""
    chains = []
    for group in solved.groups(head):
        limit = tending.only(head.weights[group[0]])
        if limit is None or limit == ZERO:
            continue
        missing = solved.setting.tidy(minus(limit, head.weights[group[0]]))
        if missing == ZERO:
            continue
        lines = [Line(minus(limit, weight_symbol(group[0], number)), Relation.EQUAL, missing)]
        try:
            own = Tending(solved, approach, missing)
            lines.append(Line(None, Relation.ABOUT, own.leading(missing), Reason.LEADING))
        except Undecided:
            pass
        chains.append(tuple(lines))
    if chains:
        yield Passage(Topic.ERROR, tuple(chains), number, approach.variable, approach.at_infinity)
