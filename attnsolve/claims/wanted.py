"""What has to be stated for a result: which left sides, of which limits and trends, or which threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from attnsolve.assumptions import AbstractPart, Approach, Inequality, Result
from attnsolve.claims.growing import TRENDS
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.expansion import renamed
from attnsolve.derivations.setting import OUTPUT
from attnsolve.derivations.steps import symbol, weight_symbol
from attnsolve.derivations.thresholds import Threshold, solve
from attnsolve.languages import message
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.tree import Dot, Limit, Name, Tree, names, replaced

TITLES = {
    Result.SCORES: message("Scores"),
    Result.WEIGHTS: message("Weights"),
    Result.OUTPUT: message("Output"),
    Result.LIMIT: message("Limit"),
    Result.SOLUTION: message("Solution"),
    Result.MONOTONY: message("What grows, and what shrinks"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing to be stated: any of these on the left side, or a symbol beyond a threshold."""

    lefts: tuple[Tree, ...]
    approach: Approach | None = None
    variable: Name | None = None  # of a trend, or of what an inequality is solved for
    threshold: Threshold | None = None
    is_hidden: bool = False  # by a mask


# Each of these ways will do, and on it all is wanted.
Ways = tuple[tuple[Wanted, ...], ...]


def ways_to(result: Result, solved: Solved, asked: AbstractPart) -> Ways:
    """What has to be stated for a result."""
    match result:
        case Result.SCORES:
            return (tuple(scores(solved)),)
        case Result.WEIGHTS:
            return (tuple(weights(solved)),)
        case Result.OUTPUT:
            return outputs(solved)
        case Result.LIMIT:
            moving = tuple(one for one in weights(solved) if not one.is_hidden)
            everywhere = (moving, *outputs(solved)) if solved.attention.has_outputs else (moving,)
            return tuple(
                tuple(replace(one, approach=approach) for approach in asked.limits for one in way)
                for way in everywhere
            )
        case Result.MONOTONY:
            shown = tuple(one for one in weights(solved) if not one.is_hidden)
            return (tuple(replace(one, variable=by) for by in asked.monotony for one in shown),)
        case Result.SOLUTION:
            return (tuple(solution(solved, one) for one in asked.solve),)


def scores(solved: Solved) -> Iterator[Wanted]:
    """q · k_a, of keys with equal scores one."""
    for head in solved.heads:
        for group in solved.groups(head):
            yield Wanted(tuple(Dot(head.query, head.key(index)) for index in group))


def weights(solved: Solved) -> Iterator[Wanted]:
    """α_a, of equal weights one."""
    several = len(solved.heads) > 1
    for place, head in enumerate(solved.heads, start=1):
        for group in solved.groups(head):
            yield Wanted(tuple(weight_symbol(index, place if several else 0) for index in group))
        for index in head.asked.hidden:  # none of these moves, and none grows
            yield Wanted((weight_symbol(index, place if several else 0),), is_hidden=True)


def outputs(solved: Solved) -> Ways:
    """The output; of several heads together, or each for itself where they are not combined."""
    together = (Wanted((symbol(OUTPUT, 0),)),)
    if len(solved.heads) == 1 or solved.attention.combined is not None:
        return (together,)
    return (tuple(Wanted((symbol(OUTPUT, place),)) for place in range(1, len(solved.heads) + 1)),)


def solution(solved: Solved, wanted: Inequality) -> Wanted:
    """For which values of a symbol something holds."""
    left, right = (solved.expansion.scalar(side) for side in (wanted.wanted.left, wanted.wanted.right))
    found = solve(solved, left, wanted.wanted.relation, right, wanted.variable).threshold
    return Wanted((wanted.wanted.left,), variable=wanted.variable, threshold=found)


def is_about(claim: Statement, wanted: Wanted, solved: Solved) -> bool:
    """Whether a claim states what is wanted, rightly or not."""
    if wanted.threshold is not None:
        return bound_of(claim, wanted) is not None
    left, approach = claim.left, None
    if isinstance(claim.left, Limit):
        left, approach = claim.left.body, Approach(claim.left.variable, claim.left.at_infinity)
    for one in claim.conditions:
        if one.relation is Relation.TENDS:
            approach = Approach(one.variable, one.at_infinity)
    if approach != wanted.approach or as_named(left, solved) not in wanted.lefts:
        return False
    if wanted.variable is not None:
        return claim.relation in TRENDS and claim.right == wanted.variable
    return claim.relation in (Relation.EQUAL, Relation.TENDS) and is_closed(claim, solved)


def as_named(tree: Tree, solved: Solved) -> Tree:
    """A left side with the usual letter for keys without a name, and with the query first."""
    setting = solved.setting
    known = {*setting.named, *(str(place) for place in range(1, len(solved.heads) + 1))}
    letters = {index for name in names(tree) for index in name.index} - known
    queries = {head.query for head in solved.heads}

    def query_first(piece: Tree) -> Tree | None:
        turned = isinstance(piece, Dot) and piece.right in queries and piece.left not in queries
        return Dot(piece.right, piece.left) if isinstance(piece, Dot) and turned else None

    return replaced(renamed(tree, dict.fromkeys(letters, setting.generic)), query_first)


def is_closed(claim: Statement, solved: Solved) -> bool:
    """Whether the right side says what something is, and not what it is made from."""
    assumptions = solved.setting.assumptions
    open_names = {"alpha", OUTPUT, *assumptions.vectors, *assumptions.scaled}
    open_names |= {name.name for name in assumptions.definitions}
    if any(name.name == OUTPUT for name in names(claim.left)):
        open_names -= {head.values for head in solved.attention.heads}
    return not any(name.name in open_names for name in names(claim.right))


def bound_of(claim: Statement, wanted: Wanted) -> tuple[Relation, Tree] | None:
    """`c >= …`, said by itself or as the condition of what was to be reached."""
    if claim.left == wanted.variable and claim.relation.is_order:
        return claim.relation, claim.right
    if claim.left in wanted.lefts:
        for one in claim.conditions:
            if one.variable == wanted.variable and one.relation.is_order:
                return one.relation, one.values[0]
    return None
