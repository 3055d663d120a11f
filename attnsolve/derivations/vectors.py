"""Combinations of vectors that are known by their dot products alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attnsolve.derivations.setting import Setting
from attnsolve.exact.formulas.algebra import Unreadable
from attnsolve.statements.tree import ZERO, Name, Tree, minus, number, product, total

# As an index: the sum over all members that have no name.
REST = "…"


@dataclass(frozen=True, slots=True, order=True)
class Member:
    """One vector of a family, or with the index REST the sum of those without a name."""

    family: str
    index: str = ""


# What multiplies each vector.
Vector = dict[Member, Tree]


def added(*vectors: Vector) -> Vector:
    """The sum of some vectors."""
    made: dict[Member, list[Tree]] = {}
    for vector in vectors:
        for member, share in vector.items():
            made.setdefault(member, []).append(share)
    return {member: total(shares) for member, shares in made.items()}


def scaled(vector: Vector, factor: Tree) -> Vector:
    """A multiple of a vector."""
    return {member: product((factor, share)) for member, share in vector.items()}


def dot(left: Vector, right: Vector, setting: Setting) -> Tree:
    """The dot product, by bilinearity."""
    return total(
        product((share, other, gram(one, two, setting)))
        for one, share in left.items()
        for two, other in right.items()
    )


def gram(one: Member, two: Member, setting: Setting) -> Tree:
    """The dot product of two members of families, from what is assumed of these."""
    vectors = setting.assumptions.vectors
    if one.family != two.family:
        if two.family in vectors[one.family].orthogonal_to or one.family in vectors[two.family].orthogonal_to:
            return ZERO
        raise Unreadable(f"nothing is assumed of the dot products of {one.family} and {two.family}")
    family = vectors[one.family]
    if family.table:
        return known(family.table, one, two)
    if family.square is None:
        raise Unreadable(f"nothing is assumed of the dot products of {one.family}")
    if family.is_single:
        return family.square
    between = family.between
    if between is None:
        raise Unreadable(f"nothing is assumed of the dot products of {one.family}")
    if one.index == two.index != REST:
        return family.square
    named = setting.named
    if REST not in (one.index, two.index):
        return between
    if one.index in named or two.index in named:
        return product((setting.rest, between))
    fewer = minus(setting.rest, number(1))
    if one.index == two.index:
        return product((setting.rest, total((family.square, product((fewer, between))))))
    return total((family.square, product((fewer, between))))


def known(table: Mapping[tuple[str, str], Tree], one: Member, two: Member) -> Tree:
    """An entry of a given Gram matrix."""
    found = table.get((one.index, two.index))
    if found is None:
        raise Unreadable(f"the Gram matrix has no entry for {one.index} and {two.index}")
    return found


def depends_on(tree: Tree, index: str) -> bool:
    """Whether a formula has members with this index."""
    from attnsolve.statements.tree import names

    return any(index in name.index for name in names(tree))


def as_tree(vector: Vector, setting: Setting, *, letter: str = "") -> Tree:
    """A vector as a formula, its members in their order, the rest last as a sum over a letter."""
    running = letter or setting.generic
    from attnsolve.statements.tree import Summation

    terms = []
    for member, share in sorted(vector.items(), key=lambda item: (item[0].index == REST, item[0])):
        if member.index == REST:
            inside = Name(member.family, (running,))
            terms.append(product((share, Summation(running, inside, setting.named))))
        else:
            terms.append(product((share, Name(member.family, (member.index,) if member.index else ()))))
    return total(terms)
