"""The judge of claims: judge(statement) says true, true only if, approximately true, false or undecided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from attnsolve.assumptions import Approach, Assumptions, Attention
from attnsolve.claims.comparing import judged
from attnsolve.claims.comparison import Comparison
from attnsolve.claims.verdict import Bound, Judgement, Verdict
from attnsolve.claims.worlds import World, free_indices, readings, world
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Circumstance
from attnsolve.derivations.expansion import renamed
from attnsolve.derivations.setting import OUTPUT, Setting
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.limits import LIMITS, Limits
from attnsolve.statements.claim import Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.tree import (
    Dot,
    Name,
    Product,
    Quotient,
    Sum,
    Tree,
    names,
    product,
    put_in,
    replaced,
)

KNOWN = frozenset({"alpha", "a"})


def judge_line(
    text: str, assumptions: Assumptions, attention: Attention, *, limits: Limits = LIMITS
) -> tuple[Judgement, ...]:
    """The judgements of all claims in a line."""
    found = claims_of_line(text, assumptions, limits=limits)
    return tuple(judge(claim, assumptions, attention) for claim in found)


def claims_of_line(text: str, assumptions: Assumptions, *, limits: Limits = LIMITS) -> tuple[Statement, ...]:
    """The claims of a line, with the dots of dot products."""
    found = statements(text, assumptions.names | KNOWN, limits=limits)
    return tuple(with_dots(claim, assumptions) for claim in found)


def with_dots(claim: Statement, assumptions: Assumptions) -> Statement:
    """A claim in which products of two vectors are dot products, as they are printed."""
    return replace(claim, left=dotted(claim.left, assumptions), right=dotted(claim.right, assumptions))


def dotted(tree: Tree, assumptions: Assumptions) -> Tree:
    """A formula in which products of two vectors are dot products."""

    def change(piece: Tree) -> Tree | None:
        if not isinstance(piece, Product):
            return None
        factors = [dotted(factor, assumptions) for factor in piece.factors]
        vectors = [factor for factor in factors if is_vector(factor, assumptions)]
        if len(vectors) != 2:
            return Product(tuple(factors))
        numbers = [factor for factor in factors if factor not in vectors]
        return product((*numbers, Dot(vectors[0], vectors[1])))

    return replaced(tree, change)


def is_vector(tree: Tree, assumptions: Assumptions) -> bool:
    """Whether a formula looks like a vector."""
    match tree:
        case Name(name):
            defined = assumptions.definitions.get(tree)
            families = {*assumptions.vectors, *assumptions.scaled, OUTPUT}
            return is_vector(defined, assumptions) if defined is not None else name in families
        case Sum(terms):
            return is_vector(terms[0], assumptions)
        case Product(factors):
            return sum(is_vector(factor, assumptions) for factor in factors) == 1
        case Quotient(above, _):
            return is_vector(above, assumptions)
    return False


def judge(claim: Statement, assumptions: Assumptions, attention: Attention) -> Judgement:
    """What is found of a claim; what is beyond the methods here is undecided."""
    seen = world(claim, assumptions)
    named = Setting(seen.assumptions, attention).named
    heads = {str(number) for number in range(1, len(attention.heads) + 1)}
    indices = free_indices(seen.left) | free_indices(seen.right)
    letters = tuple(sorted(index for index in indices if index not in named and index not in heads))
    found: list[tuple[dict[str, str], Judgement]] = []
    for reading in readings(letters, named, seen.apart):
        if contradicts(reading, seen.apart):
            continue
        found.append((reading, _in_reading(claim, seen, attention, letters, reading)))
    return _together(claim, found)


def _in_reading(
    claim: Statement, seen: World, attention: Attention, letters: tuple[str, ...], reading: dict[str, str]
) -> Judgement:
    """The verdict when letters stand for certain keys."""
    others = [letter for letter in letters if letter not in reading]
    solved = Solved(seen.assumptions, attention, tuple(others[1:]))
    inside = dict(reading)
    if others:
        inside[others[0]] = solved.setting.generic
    read = replace(claim, left=renamed(seen.left, inside), right=renamed(seen.right, inside))
    try:
        found = judged(Comparison(read, solved, seen))
        return replace(in_own_symbols(found, seen, solved.setting) if seen.beyond else found, claim=claim)
    except ExpressionError:
        raise
    except AttnsolveError as error:
        return Judgement(claim, Verdict.UNDECIDED, why=str(error))


def in_own_symbols(found: Judgement, seen: World, setting: Setting) -> Judgement:
    """A judgement that speaks of c again, where c was written as so much beyond its bound."""

    def back(tree: Tree) -> Tree:
        known = put_in(tree, dict(seen.beyond))
        try:
            return tree if known == tree else setting.tidy(known)
        except AttnsolveError:
            return known

    def case(one: Circumstance) -> Circumstance:
        kinds = ((*map(back, trees),) for trees in (one.positive, one.zero, one.nonzero))
        return Circumstance(*kinds)

    def maybe(tree: Tree | None) -> Tree | None:
        return None if tree is None else back(tree)

    example = found.example and replace(
        found.example, point=tuple((back(name), value) for name, value in found.example.point)
    )
    return replace(
        found,
        condition=case(found.condition),
        also=tuple(map(case, found.also)),
        bounds=tuple(
            as_bound(one, seen)
            if one.variable in seen.beyond
            else replace(one, bound=back(one.bound))
            for one in found.bounds
        ),
        tending=tuple(one for each in found.tending for one in as_approach(each, seen)),
        right=maybe(found.right),
        missing=maybe(found.missing),
        first_term=maybe(found.first_term),
        largest=next(
            ((one, back(found.largest[1])) for one in as_approach(found.largest[0], seen)), None
        )
        if found.largest is not None
        else None,
        example=example,
    )


def as_approach(found: Approach, seen: World) -> Iterator[Approach]:
    """Where c goes, if what is beyond its bound goes to infinity; nothing is said of c at its bound."""
    if found.variable not in seen.beyond:
        yield found
    elif found.at_infinity:
        name, tree = next((name, one) for name, one in seen.shifts.items() if found.variable in names(one))
        if isinstance(tree, Sum) and found.variable in tree.terms:
            yield Approach(name, at_infinity=True)


def as_bound(found: Bound, seen: World) -> Bound:
    """What is so far beyond a bound of c, as a bound of c."""
    variable, tree = next((name, one) for name, one in seen.shifts.items() if found.variable in names(one))
    rises = isinstance(tree, Sum) and found.variable in tree.terms
    bound = put_in(tree, {found.variable: found.bound})
    return Bound(variable, found.relation if rises else found.relation.turned, bound)


def _together(claim: Statement, found: list[tuple[dict[str, str], Judgement]]) -> Judgement:
    """One verdict from those of all readings: a claim about every key may hold for some of them only."""
    general = found[0][1]
    failing = [(reading, one) for reading, one in found if one.verdict is not Verdict.TRUE]
    if not failing or len(found) == 1:
        return general
    if general.verdict is Verdict.TRUE:
        return replace(
            failing[0][1],
            claim=claim,
            verdict=Verdict.CONDITIONAL,
            apart=differences([reading for reading, _ in failing], [reading for reading, _ in found]),
            condition=general.condition,
            bounds=(),
        )
    holding = [pair for reading, one in found if one.verdict is Verdict.TRUE for pair in reading.items()]
    if holding and all(len(reading) < 2 for reading, _ in found) and general.verdict is Verdict.FALSE:
        return replace(general, claim=claim, verdict=Verdict.CONDITIONAL, same=tuple(holding), bounds=())
    return general


def contradicts(reading: dict[str, str], apart: Mapping[str, frozenset[str]]) -> bool:
    """Whether two letters that are said to differ stand for one key."""
    return any(
        reading.get(one, one) == reading.get(other, other)
        for one, others in apart.items()
        for other in others
    )


def differences(failing: list[dict[str, str]], every: list[dict[str, str]]) -> tuple[tuple[str, str], ...]:
    """What has to differ: two letters, if a claim fails where they are one; else a letter and some keys."""
    letters = sorted({letter for reading in every for letter in reading})
    for one, other in combinations(letters, 2):
        same = [r for r in every if r.get(one, one) == r.get(other, other)]
        if failing and all(reading in same for reading in failing):
            return ((one, other),)
    return tuple(dict.fromkeys(pair for reading in failing for pair in reading.items()))
