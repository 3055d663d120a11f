"""Attention of tokens in another order, for any number of them: sums over all keys, rewritten line by line.

A permutation π is known by one thing alone: π(l) runs through all indices, so that Σ_l f(π(l)) = Σ_l f(l).
Every line is made from the one before it by one rewriting: a definition put in, or recognised again, a result
put in, or a sum over π(l) written as one over l.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace

from attnsolve.assumptions import Reordering
from attnsolve.derivations.derivation import Line, Outcome, Passage, Reason, Remark, Topic
from attnsolve.exact.formulas.algebra import Unreadable
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    Call,
    Dot,
    Function,
    Name,
    Product,
    Quotient,
    Summation,
    Tree,
    names,
    over,
    replaced,
    walk,
)

EQUAL = Relation.EQUAL
PRIME, MAP = "'", "π"


def image(index: str) -> str:
    """π(i)."""
    return f"{MAP}({index})"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name with any indices stands for."""

    name: Name  # with the letters of its indices
    body: Tree

    def at(self, index: tuple[str, ...]) -> Tree:
        """The body for certain indices."""
        return indexed(self.body, dict(zip(self.name.index, index, strict=True)))


def indexed(tree: Tree, indices: Mapping[str, str]) -> Tree:
    """A formula with other indices; those that a sum runs over are its own."""

    def change(piece: Tree) -> Tree | None:
        if isinstance(piece, Name) and piece.index:
            return Name(piece.name, tuple(moved(one, indices) for one in piece.index))
        if isinstance(piece, Summation):
            inner = {one: other for one, other in indices.items() if one != piece.index}
            if piece.index in inner.values() or image(piece.index) in inner.values():
                raise Unreadable(f"the sum over {piece.index} would catch another {piece.index}")
            return Summation(piece.index, indexed(piece.body, inner), piece.excluded)
        return None

    return replaced(tree, change)


def moved(index: str, indices: Mapping[str, str]) -> str:
    """An index, perhaps inside π(…), that stands for another one."""
    inside = index.removeprefix(f"{MAP}(").removesuffix(")")
    found = indices.get(inside, inside)
    return image(found) if index != inside else found


def put_in(tree: Tree, *definitions: Definition) -> Tree:
    """A formula with the bodies of definitions in the place of their names."""
    known = {one.name.name: one for one in definitions}

    def change(piece: Tree) -> Tree | None:
        if isinstance(piece, Name) and piece.name in known:
            return known[piece.name].at(piece.index)
        return None

    return replaced(tree, change)


def recognised(tree: Tree, definition: Definition) -> Tree:
    """A formula in which the body of a definition is written by its name."""

    def change(piece: Tree) -> Tree | None:
        found = matched(definition.body, piece, dict.fromkeys(definition.name.index, ""))
        if found is None:
            return None
        return Name(definition.name.name, tuple(found[one] for one in definition.name.index))

    return replaced(tree, change)


def matched(pattern: Tree, tree: Tree, bound: dict[str, str]) -> dict[str, str] | None:
    """What the letters of a pattern stand for in a formula; None where it is another formula."""
    if type(pattern) is not type(tree):
        return None
    if isinstance(pattern, Name) and isinstance(tree, Name):
        if pattern.name != tree.name or len(pattern.index) != len(tree.index):
            return None
        for one, other in zip(pattern.index, tree.index, strict=True):
            if bound.setdefault(one, one) not in ("", other):
                return None
            bound[one] = other
        return bound
    if isinstance(pattern, Summation) and isinstance(tree, Summation):
        inside = matched(pattern.body, tree.body, {**bound, pattern.index: tree.index})
        found = {} if inside is None else {one: inside[one] for one in bound}
        caught = {tree.index, image(tree.index)} & set(found.values())
        return None if inside is None or caught else found
    for field in fields(pattern):
        one, other = getattr(pattern, field.name), getattr(tree, field.name)
        pairs = zip(one, other, strict=False) if isinstance(one, tuple) else ((one, other),)
        if isinstance(one, tuple) and len(one) != len(other):
            return None
        for left, right in pairs:
            if isinstance(left, Tree) and isinstance(right, Tree):
                inner = matched(left, right, bound)
                if inner is None:
                    return None
                bound = inner
            elif left != right:
                return None
    return bound


def renumbered(tree: Tree) -> Tree:
    """Sums whose index occurs as π(l) only, as sums over l: π runs through all indices."""

    def change(piece: Tree) -> Tree | None:
        if not isinstance(piece, Summation) or piece.excluded:
            return None
        index, body = piece.index, renumbered(piece.body)
        used = {one for name in names(body) for one in name.index}
        if index in used or image(index) not in used or bound_inside(body, index):
            return Summation(index, body)
        return Summation(index, without_map(body, index))

    return replaced(tree, change)


def bound_inside(tree: Tree, index: str) -> bool:
    """Whether another sum inside runs over a letter."""
    return any(isinstance(piece, Summation) and piece.index == index for piece in walk(tree))


def without_map(tree: Tree, index: str) -> Tree:
    """A formula with l for π(l)."""

    def change(piece: Tree) -> Tree | None:
        if not isinstance(piece, Name):
            return None
        return Name(piece.name, tuple(index if one == image(index) else one for one in piece.index))

    return replaced(tree, change)


@dataclass(frozen=True, eq=False)
class Attending:
    """Scores, weights and outputs of one order: those of the other have a prime."""

    scores: Definition
    weights: Definition
    output: Definition

    @property
    def primed(self) -> Attending:
        """The same formulas for what has a prime, but for a query that stays."""
        return Attending(*(with_prime(one) for one in (self.scores, self.weights, self.output)))


def with_prime(definition: Definition) -> Definition:
    """A definition in which everything that is put into another order has a prime."""

    def change(piece: Tree) -> Tree | None:
        is_ordered = isinstance(piece, Name) and (piece.index or piece.name == "z")
        return Name(f"{piece.name}{PRIME}", piece.index) if isinstance(piece, Name) and is_ordered else None

    name = replaced(definition.name, change)
    assert isinstance(name, Name)
    return Definition(name, replaced(definition.body, change))


def attending(asked: Reordering) -> Attending:
    """z_i = Σ_j α_ij v_j with α_ij = e^(s_ij)/Σ_l e^(s_il) and s_ij = q_i · k_j; without i for one query."""
    i = ("i",) if asked.has_queries else ()
    score, weight = Name("s", (*i, "j")), Name("alpha", (*i, "j"))
    power = Call(Function.EXP, over(score, asked.divisor))
    below = Summation("l", indexed(power, {"j": "l"}))
    return Attending(
        Definition(score, Dot(Name("q", i), Name("k", ("j",)))),
        Definition(weight, Quotient(power, below)),
        Definition(Name("z", i), Summation("j", Product((weight, Name("v", ("j",)))))),
    )


def passage(asked: Reordering) -> Passage:
    """Scores, weights and outputs of the other order, by those of the first."""
    first = attending(asked)
    other = first.primed
    order = [
        Definition(Name(f"{letter}{PRIME}", ("i",)), Name(letter, (image("i"),)))
        for letter in ("q", "k", "v")[not asked.has_queries :]
    ]
    scores = Chain(other.scores.name)
    scores.add(put_in(other.scores.name, other.scores), Reason.DEFINITION)
    scores.add(put_in(scores.last, *order), Reason.RESULTS_PUT_IN)
    scores.add(recognised(scores.last, first.scores), Reason.DEFINITION)
    weights = Chain(other.weights.name)
    weights.add(put_in(other.weights.name, other.weights), Reason.DEFINITION)
    weights.add(put_in(weights.last, scores.result), Reason.RESULTS_PUT_IN)
    weights.add(renumbered(weights.last), Reason.ALL_INDICES)
    weights.add(recognised(weights.last, first.weights), Reason.DEFINITION)
    output = Chain(other.output.name)
    output.add(put_in(other.output.name, other.output), Reason.DEFINITION)
    output.add(put_in(output.last, weights.result, *order), Reason.RESULTS_PUT_IN)
    output.add(renumbered(output.last), Reason.ALL_INDICES)
    output.add(recognised(output.last, first.output), Reason.DEFINITION)
    outcome = Outcome.SAME_ORDER if asked.has_queries else Outcome.SAME_OUTPUT
    chains: list[tuple[Line, ...]] = [(Line(one.name, EQUAL, one.body, Reason.OTHER_ORDER),) for one in order]
    chains += [tuple(chain.lines()) for chain in (scores, weights, output)]
    return Passage(Topic.REORDERING, tuple(chains), variable=asked.count, remarks=(Remark(outcome),))


class Chain:
    """The lines that begin with one name."""

    def __init__(self, left: Name) -> None:
        self.left, self.rest = left, list[tuple[Tree, Reason]]()

    @property
    def last(self) -> Tree:
        """What the name is equal to in the latest line."""
        return self.rest[-1][0]

    @property
    def result(self) -> Definition:
        """What was found, for all indices."""
        return Definition(self.left, self.last)

    def add(self, tree: Tree, reason: Reason) -> None:
        """One more line, which has to be another one than the line before."""
        if tree == (self.last if self.rest else self.left):
            raise Unreadable(f"nothing is left to be done here: {reason.value}")
        self.rest.append((tree, reason))

    def lines(self) -> Iterator[Line]:
        """The lines as a derivation has them."""
        for place, (tree, reason) in enumerate(self.rest):
            line = Line(self.left, EQUAL, tree, reason)
            yield line if place == 0 else replace(line, left=None)
