"""Counter-examples: small numbers for which two formulas are proven to differ, or to stand the wrong way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

from attnsolve.claims.verdict import Example
from attnsolve.derivations.numbers import at, is_allowed
from attnsolve.derivations.setting import MEAN
from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact import Cell
from attnsolve.exact.formulas.letters import Letters
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Name, Tree, minus, names

# What is tried for a number, the most telling first.
REALS = tuple(
    map(Fraction, ("1", "2", "1/2", "10", "1/10", "100", "3/4", "-1", "1/4", "-2", "1/1000", "1000"))
)
WHOLES = tuple(map(Fraction, (4, 64, 3, 2, 5, 1, 16, 9, 1024)))
MOST_POINTS = 4_000


def points(symbols: tuple[Name, ...], setting: Letters) -> Iterator[dict[Name, Fraction]]:
    """Numbers that the assumptions allow, symbol by symbol."""
    choices = [WHOLES if setting.domain(name).whole else REALS for name in symbols]
    for values in islice(product(*choices), MOST_POINTS):
        point = dict(zip(symbols, values, strict=True))
        if is_allowed(point, setting):
            yield point


def search(
    left: Tree,
    right: Tree,
    setting: Letters,
    fails: Callable[[int], bool],
    *,
    needed: tuple[Name, ...] = (),
) -> Example | None:
    """Numbers at which the sign of left - right, once it is proven, makes a claim fail."""
    if any(name.name == MEAN for name in names(left) | names(right)):
        return None  # a mean is no number that may be chosen
    symbols = tuple(sorted({*names(left), *names(right), *needed}, key=lambda n: (n.name, n.index)))
    difference = minus(left, right)
    for point in points(symbols, setting):
        try:
            sign = proven_sign(difference, point)
        except AttnsolveError:
            continue
        if sign is not None and fails(sign):
            return Example(tuple(point.items()), at(left, point), at(right, point))
    return None


def proven_sign(tree: Tree, point: Mapping[Name, Fraction]) -> int | None:
    """The sign of a formula at a point: 1, 0 or -1; None where no precision decides it."""
    cell: Cell = at(tree, point)
    try:
        return 0 if cell.is_zero() else cell.sign()
    except Undecided:
        return None


FAILS: dict[Relation, Callable[[int], bool]] = {
    Relation.EQUAL: lambda sign: sign != 0,
    Relation.ABOUT: lambda sign: sign != 0,
    Relation.TENDS: lambda sign: sign != 0,
    Relation.UNEQUAL: lambda sign: sign == 0,
    Relation.LESS: lambda sign: sign >= 0,
    Relation.AT_MOST: lambda sign: sign > 0,
    Relation.GREATER: lambda sign: sign <= 0,
    Relation.AT_LEAST: lambda sign: sign < 0,
}
