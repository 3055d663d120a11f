"""The world of one claim: its conditions worked into the assumptions, its indices told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from attnsolve.assumptions import Approach, Assumptions, Domain
from attnsolve.derivations.expansion import renamed
from attnsolve.errors import ExpressionError
from attnsolve.statements.claim import Condition, Relation, Statement
from attnsolve.statements.tree import (
    Limit,
    Name,
    Number,
    Summation,
    Tree,
    children,
    minus,
    names,
    negative,
    put_in,
    total,
)

# Symbols of our own: how far something is beyond a bound that a claim assumes.
BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class World:
    """A claim with its conditions put in; `shifts` replaces symbols once everything is worked out."""

    left: Tree
    right: Tree
    assumptions: Assumptions
    approach: Approach | None
    shifts: Mapping[Name, Tree]
    beyond: Mapping[Name, Tree]  # what our own symbols stand for: how far c is beyond a bound
    apart: Mapping[str, frozenset[str]]  # indices that a letter is said to differ from


def world(claim: Statement, assumptions: Assumptions) -> World:
    """The conditions of a claim, as far as they can be used."""
    approach: Approach | None = None
    left, right = claim.left, claim.right
    if isinstance(left, Limit):
        approach, left = Approach(left.variable, left.at_infinity), left.body
    if isinstance(right, Limit):
        raise ExpressionError("write the limit on the left side")
    shifts: dict[Name, Tree] = {}
    beyond: dict[Name, Tree] = {}
    apart: dict[str, frozenset[str]] = {}
    indices = free_indices(left) | free_indices(right)
    for one in claim.conditions:
        if one.relation is Relation.TENDS:
            approach = Approach(one.variable, one.at_infinity)
    for one in sorted(claim.conditions, key=has_formula):  # numbers first: they bound what others move
        name = one.variable.name
        if one.relation is Relation.TENDS:
            continue
        if one.relation is Relation.UNEQUAL and name in indices:
            apart[name] = frozenset(n.name for value in one.values for n in names(value))
        elif one.relation is Relation.EQUAL and name in indices:
            left, right = (renamed(side, index_of(one)) for side in (left, right))
        elif one.values and approach is not None and one.variable == approach.variable:
            check_way(one, approach)  # it says nothing that is not so on the way there
        elif one.relation is Relation.EQUAL and one.values:
            shifts[one.variable] = one.values[0]
        elif one.relation.is_order:
            before = shifts
            assumptions, shifts = bounded(assumptions, one, shifts)
            if len(shifts) > len(before):
                beyond[Name(f"{BEYOND}{len(before)}")] = distance(one)
        elif one.values:
            raise ExpressionError("this condition cannot be used; write i != a, m = 2, c > 1 or c -> oo")
    return World(left, right, assumptions, approach, shifts, beyond, apart)


def check_way(condition: Condition, approach: Approach) -> None:
    """Complain about a symbol that cannot go where it is said to go: c → ∞ and c < 1."""
    upward = condition.relation in (Relation.GREATER, Relation.AT_LEAST)
    if not condition.relation.is_order or upward is not approach.at_infinity:
        raise ExpressionError(f"{condition.variable.name} cannot go there under this condition")


def index_of(condition: Condition) -> dict[str, str]:
    """`i = a`; nothing for `for all i`."""
    found = [name.name for value in condition.values for name in names(value)]
    return {condition.variable.name: found[0]} if found else {}


def bounded(
    assumptions: Assumptions, condition: Condition, shifts: dict[Name, Tree]
) -> tuple[Assumptions, dict[Name, Tree]]:
    """The assumptions with a bound more; one that is a formula moves the symbol instead."""
    variable, value = condition.variable, condition.values[0]
    old = assumptions.symbols.get(variable.name, Domain())
    below = condition.relation in (Relation.GREATER, Relation.AT_LEAST)
    reached = condition.relation in (Relation.AT_LEAST, Relation.AT_MOST)
    if isinstance(value, Number) and not variable.index:
        new = (
            replace(old, least=value.value, may_be_least=reached)
            if below
            else replace(old, most=value.value, may_be_most=reached)
        )
        return replace(assumptions, symbols={**assumptions.symbols, variable.name: new}), shifts
    if not is_free(assumptions, variable, shifts) and is_free(assumptions, value, shifts):
        assert isinstance(value, Name)
        variable, value, below = value, variable, not below  # x > 0 and x > w: then w is below x
    if variable in shifts:
        raise ExpressionError(f"more than one bound for {variable.name} cannot be used; write one of them")
    beyond = Name(f"{BEYOND}{len(shifts)}")  # one for each bound: they are not equally far away
    step: Tree = beyond if below else negative(beyond)
    moved = total((put_in(value, shifts), step))
    if variable in names(moved):
        raise ExpressionError("these conditions contradict each other, or go round in a circle")
    domain = Domain(Fraction(0), may_be_least=reached)
    symbols = {**assumptions.symbols, beyond.name: domain}
    before = {name: put_in(tree, {variable: moved}) for name, tree in shifts.items()}
    return replace(assumptions, symbols=symbols), {**before, variable: moved}


def distance(condition: Condition) -> Tree:
    """How far a symbol is beyond its bound: c - b for c ≥ b, b - c for c ≤ b."""
    upward = condition.relation in (Relation.GREATER, Relation.AT_LEAST)
    sides = (condition.variable, condition.values[0])
    return minus(*sides) if upward else minus(*reversed(sides))


def is_free(assumptions: Assumptions, tree: Tree, shifts: Mapping[Name, Tree]) -> bool:
    """Whether a formula is a symbol that may be any number."""
    if not isinstance(tree, Name) or tree.index or tree in shifts or tree.name not in assumptions.symbols:
        return False
    domain = assumptions.symbols[tree.name]
    return domain.least is None and domain.most is None and not domain.whole


def has_formula(condition: Condition) -> bool:
    """Whether a condition bounds something by a formula, and not by a number."""
    return condition.relation.is_order and not isinstance(condition.values[0], Number)


def free_indices(tree: Tree, bound: frozenset[str] = frozenset()) -> set[str]:
    """The indices of a formula that no sum runs over."""
    found = {index for index in tree.index if index not in bound} if isinstance(tree, Name) else set()
    inner = bound | {tree.index} if isinstance(tree, Summation) else bound
    for child in children(tree):
        found |= free_indices(child, frozenset(inner))
    return found


def readings(
    letters: tuple[str, ...], named: tuple[str, ...], apart: Mapping[str, frozenset[str]]
) -> Iterator[dict[str, str]]:
    """What letters without a meaning of their own may stand for: another key, or one of those with a name."""
    if not letters:
        yield {}
        return
    first, *rest = letters
    for others in readings(tuple(rest), named, apart):
        yield others
        for index in (*named, *rest):
            if index not in apart.get(first, ()) and first not in apart.get(index, ()):
                yield {**others, first: others.get(index, index)}


def shifted(tree: Tree, shifts: Mapping[Name, Tree]) -> Tree:
    """A worked-out formula with the conditions of its claim put in."""
    return put_in(tree, dict(shifts)) if shifts else tree
