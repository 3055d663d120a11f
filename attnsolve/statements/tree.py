"""Formulas as trees: numbers, names with indices, sums, products, quotients, powers and a few functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction


class Function(Enum):
    """The functions that a formula may call."""

    EXP = "exp"
    LN = "ln"
    SQRT = "sqrt"
    EXPECTATION = "E"
    VARIANCE = "Var"
    NORMAL = "Phi"  # Φ(x): how much of a normal number lies below x


@dataclass(frozen=True, slots=True)
class Tree:
    """Any formula."""


@dataclass(frozen=True, slots=True)
class Number(Tree):
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name(Tree):
    """A symbol, a member of a family, a weight: `c`, `k_a`, `alpha_{1,a}`."""

    name: str
    index: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum(Tree):
    """Terms that are added up."""

    terms: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Product(Tree):
    """Factors; of two vectors it is their dot product."""

    factors: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Quotient(Tree):
    """One over the other."""

    over: Tree
    under: Tree


@dataclass(frozen=True, slots=True)
class Power(Tree):
    """A base and its exponent."""

    base: Tree
    exponent: Tree


@dataclass(frozen=True, slots=True)
class Call(Tree):
    """A function of a formula."""

    function: Function
    argument: Tree


@dataclass(frozen=True, slots=True)
class Dot(Tree):
    """The dot product of two vectors, printed with its dot."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Summation(Tree):
    """Σ over every index of a family, but for some."""

    index: str
    body: Tree
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit(Tree):
    """What a formula tends to as a symbol tends to 0 or to infinity."""

    variable: Name
    at_infinity: bool
    body: Tree


@dataclass(frozen=True, slots=True)
class Order(Tree):
    """O(…): something that stays below a multiple of it."""

    body: Tree


ZERO, ONE, TWO, HALF = Number(Fraction(0)), Number(Fraction(1)), Number(Fraction(2)), Number(Fraction(1, 2))
MINUS_ONE = Number(Fraction(-1))
PARTIAL = Name("partial")  # of ∂α/∂t


def number(value: Fraction | int) -> Number:
    """A rational number as a tree."""
    return Number(Fraction(value))


def total(terms: Iterable[Tree]) -> Tree:
    """The sum of some terms; zeros are left out."""
    kept = tuple(term for term in terms if term != ZERO)
    return kept[0] if len(kept) == 1 else Sum(kept) if kept else ZERO


def product(factors: Iterable[Tree]) -> Tree:
    """The product of some factors; ones are left out, and a zero leaves nothing else."""
    kept: list[Tree] = []
    for factor in factors:
        kept += factor.factors if isinstance(factor, Product) else (factor,)
    if ZERO in kept:
        return ZERO
    rest = tuple(factor for factor in kept if factor != ONE)
    return rest[0] if len(rest) == 1 else Product(rest) if rest else ONE


def negative(tree: Tree) -> Tree:
    """-tree."""
    return Number(-tree.value) if isinstance(tree, Number) else product((MINUS_ONE, tree))


def minus(left: Tree, right: Tree) -> Tree:
    """left - right."""
    return total((left, negative(right))) if right != ZERO else left


def over(above: Tree, below: Tree) -> Tree:
    """above / below."""
    return above if below == ONE else ZERO if above == ZERO else Quotient(above, below)


def exponential(exponent: Tree) -> Tree:
    """e^exponent."""
    return ONE if exponent == ZERO else Call(Function.EXP, exponent)


def logarithm(tree: Tree) -> Tree:
    """ln(tree)."""
    if isinstance(tree, Call) and tree.function is Function.EXP:
        return tree.argument
    return Call(Function.LN, tree)


def square_root(tree: Tree) -> Tree:
    """√tree."""
    return Call(Function.SQRT, tree)


def differential(tree: Tree) -> Tree:
    """∂x, as a formula."""
    return Product((PARTIAL, tree))


def derivative(body: Tree, variable: Tree) -> Tree:
    """∂body/∂variable, as a formula."""
    return Quotient(differential(body), differential(variable))


def differentiated(tree: Tree) -> tuple[Tree, Name] | None:
    """What a derivative is of, and by which symbol; None for any other formula."""
    match tree:
        case Quotient(Product((one, body)), Product((other, Name() as variable))):
            return (body, variable) if one == other == PARTIAL else None
    return None


def children(tree: Tree) -> Iterator[Tree]:
    """The formulas directly inside one."""
    for field in fields(tree):
        inside = getattr(tree, field.name)
        if isinstance(inside, Tree):
            yield inside
        elif isinstance(inside, tuple):
            yield from (one for one in inside if isinstance(one, Tree))


def walk(tree: Tree) -> Iterator[Tree]:
    """A formula and every formula inside it."""
    yield tree
    for child in children(tree):
        yield from walk(child)


def replaced(tree: Tree, change: Callable[[Tree], Tree | None]) -> Tree:
    """A formula in which `change` has put others in the place of some; None leaves a piece as it is."""
    changed = change(tree)
    if changed is not None:
        return changed
    made: dict[str, object] = {}
    for field in fields(tree):
        inside = getattr(tree, field.name)
        if isinstance(inside, Tree):
            made[field.name] = replaced(inside, change)
        elif isinstance(inside, tuple):
            made[field.name] = tuple(
                replaced(one, change) if isinstance(one, Tree) else one for one in inside
            )
        else:
            made[field.name] = inside
    return type(tree)(**made)


def put_in(tree: Tree, values: dict[Name, Tree]) -> Tree:
    """A formula with other formulas in the place of some names."""
    return replaced(tree, lambda piece: values.get(piece) if isinstance(piece, Name) else None)


def names(tree: Tree) -> set[Name]:
    """Every name in a formula."""
    return {piece for piece in walk(tree) if isinstance(piece, Name)}


def with_euler(tree: Tree) -> Tree:
    """A formula in which the number e is e^1, as exponentials are."""
    return replaced(tree, lambda piece: Call(Function.EXP, ONE) if piece == Name("e") else None)
