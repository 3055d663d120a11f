"""Softmax weights and what is mixed with them: Σ N/D, where N and D map exponents to coefficients.

Softmax keeps one exponent per cell (`Exponentials`); as soon as values are mixed in, each row is a
few terms over shared denominators (`Mixtures`), and heads are never multiplied out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import add, mul
from typing import NamedTuple

from flint import arb

from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import Cell, Closed, closed, total
from attnsolve.exact.combinations import Combination, Exponent
from attnsolve.exact.matrices import BallRows, Matrix, beyond, maxima_of_cells
from attnsolve.exact.precision import LADDER, precision
from attnsolve.exact.rationals import Rationals
from attnsolve.exact.roots import ONE, Root, root_ball
from attnsolve.exact.surds import Parts, Surds

# An exponent inside one matrix: a whole number of units, or one for each unit.
Key = int | tuple[int, ...]
FOLDED_BITS = 4096


class Scale(NamedTuple):
    """What a key counts: Σ key_u·unit_u / denominator."""

    units: tuple[Root, ...]
    denominator: int

    def exponent(self, key: Key) -> Exponent:
        """The exponent a key stands for."""
        numbers = (key,) if isinstance(key, int) else key
        pairs = zip(self.units, numbers, strict=True)
        return tuple(sorted((root, Fraction(x, self.denominator)) for root, x in pairs if x))

    def ball(self, key: Key) -> arb:
        """e to the power of what the key stands for."""
        numbers = (key,) if isinstance(key, int) else key
        pairs = zip(self.units, numbers, strict=True)
        return (sum((root_ball(root) * x for root, x in pairs if x), arb(0)) / self.denominator).exp()


class Total:
    """A row's denominator D = Σ count·e^key, shared by every cell of the row."""

    __slots__ = ("combination", "counts", "scale")

    def __init__(self, scale: Scale, counts: dict[Key, int]) -> None:
        self.scale = scale
        self.counts = counts
        self.combination: Combination | None = None

    def terms(self) -> Combination:
        """D as a combination of exponentials."""
        if self.combination is None:
            self.combination = combine(self.scale, self.counts.items(), ONE, 1)
        return self.combination

    def ball(self) -> arb:
        """D at the working precision."""
        return sum((self.scale.ball(key) * count for key, count in self.counts.items()), arb(0))


def combine(scale: Scale, terms: Iterable[tuple[Key, int]], root: Root, denominator: int) -> Combination:
    """Σ coefficient·root·e^key / denominator."""
    return Combination.of((scale.exponent(key), root, Fraction(c, denominator)) for key, c in terms if c)


def exponentials(parts: Parts) -> Matrix:
    """e to the power of a matrix of rationals, roots and logarithms."""
    folded = powers_of_primes(parts)
    if folded is not None:
        return folded
    common = lcm(*(part.denominator for part in parts.values()))
    tables = [part.over(common).rows for part in parts.values()]
    scale = Scale(tuple(parts), common)
    if len(tables) == 1:
        return Exponentials(scale, tables[0])
    return Exponentials(scale, [list(zip(*rows, strict=True)) for rows in zip(*tables, strict=True)])


def powers_of_primes(parts: Parts) -> Rationals | None:
    """e^{Σ m·ln p} = Π p^m as rationals again, when every m is whole and small; else None."""
    primes = [root[1][0] if root[0] == 1 and len(root[1]) == 1 else 0 for root in parts]
    if not all(primes):
        return None
    rows, columns = next(iter(parts.values())).shape
    table = [[Fraction(1)] * columns for _ in range(rows)]
    for prime, part in zip(primes, parts.values(), strict=True):
        for i, row in enumerate(part.rows):
            for j, x in enumerate(row):
                power, rest = divmod(x, part.denominator)
                if rest or abs(power) * prime.bit_length() > FOLDED_BITS:
                    return None
                table[i][j] *= Fraction(prime) ** power
    return Rationals.of(table)


class Exponentials(Matrix):
    """Cells e^key, or e^key/D_i with one denominator for each row once they are normalised."""

    kind = "attention"
    __slots__ = ("keys", "scale", "shape", "totals")

    def __init__(self, scale: Scale, keys: Sequence[Sequence[Key]], totals: list[Total] | None = None) -> None:
        self.scale = scale
        self.keys = keys
        self.totals = totals
        self.shape = (len(keys), len(keys[0]))

    def cell(self, i: int, j: int) -> Closed:
        numerator = combine(self.scale, [(self.keys[i][j], 1)], ONE, 1)
        return closed(numerator, self.totals[i].terms()) if self.totals else closed(numerator)

    def enclosures(self) -> BallRows:
        rows = []
        for i, keys in enumerate(self.keys):
            known = {key: self.scale.ball(key) for key in set(keys)}
            if self.totals:
                counts = self.totals[i].counts
                below = sum((known[key] * count for key, count in counts.items()), arb(0))
                known = {key: ball / below for key, ball in known.items()}
            rows.append([known[key] for key in keys])
        return rows

    def normalised(self) -> Matrix:
        if self.totals:
            return Balls.of(self).normalised()
        keys, totals = [], []
        for row in self.keys:
            shifted = self._shifted(row)
            counts: dict[Key, int] = {}
            for key in shifted:
                counts[key] = counts.get(key, 0) + 1
            keys.append(shifted)
            totals.append(Total(self.scale, counts))
        return Exponentials(self.scale, keys, totals)

    def _shifted(self, row: Sequence[Key]) -> Sequence[Key]:
        """The keys less the largest one: the same quotients with small exponents."""
        if len(self.scale.units) == 1:
            top = max(row)
            return [key - top for key in row]  # type: ignore[operator]
        with precision(LADDER[0]):  # only the form depends on which key is taken out, never the value
            top = max(row, key=lambda key: self.scale.ball(key).mid())
        return [tuple(a - b for a, b in zip(key, top, strict=True)) for key in row]  # type: ignore[arg-type]

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            return Mixtures([self._mixed(i, other.rows, ONE) for i in range(self.shape[0])], other.denominator, other.shape[1])
        if isinstance(other, Surds):
            common = lcm(*(part.denominator for part in other.parts.values()))
            rows: list[list[Term]] = [[] for _ in self.keys]
            for root, part in other.parts.items():
                table = part.over(common).rows
                for i, row in enumerate(rows):
                    row += self._mixed(i, table, root)
            return Mixtures(rows, common, other.shape[1])
        return NotImplemented

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return other @ self.mixtures()

    def _mixed(self, i: int, table: Sequence[Sequence[int]], root: Root) -> list[Term]:
        """Row i of the product: the values that share an exponent are added up."""
        sums: dict[Key, Sequence[int]] = {}
        for key, values in zip(self.keys[i], table, strict=True):
            sums[key] = list(map(add, sums[key], values)) if key in sums else values
        below = self.totals[i] if self.totals else one(self.scale)
        return [Term(below, root, sums)]

    def mixtures(self) -> Mixtures:
        """The same numbers as a mixture of unit vectors."""
        columns = self.shape[1]
        identity = [[int(j == k) for k in range(columns)] for j in range(columns)]
        return self @ Rationals(identity)  # type: ignore[return-value]

    @property
    def T(self) -> Matrix:
        return Exponentials(self.scale, list(zip(*self.keys, strict=True))) if not self.totals else self.mixtures().T

    def __add__(self, other: Matrix) -> Matrix:
        return self.mixtures() + other

    __radd__ = __add__

    def __or__(self, other: Matrix) -> Matrix:
        return self.mixtures() | other

    def __ror__(self, other: Matrix) -> Matrix:
        return other | self.mixtures()

    def scaled(self, factor: Cell) -> Matrix:
        return self.mixtures().scaled(factor)

    def exp(self) -> Matrix:
        return Balls.of(self).exp()

    def relu(self) -> Matrix:
        return self

    def maxima(self) -> list[tuple[int, ...]]:
        if len(self.scale.units) > 1:
            return maxima_of_cells(self)
        return Rationals(self.keys).maxima()  # type: ignore[arg-type]

    def take(self, rows: Sequence[int]) -> Exponentials:
        return Exponentials(
            self.scale, [self.keys[i] for i in rows], [self.totals[i] for i in rows] if self.totals else None
        )

    def columns(self, start: int, stop: int) -> Exponentials:
        return Exponentials(self.scale, [row[start:stop] for row in self.keys], self.totals)


class Term(NamedTuple):
    """Σ e^key·vector over one denominator, times a root: a part of a row."""

    below: Total
    root: Root
    sums: dict[Key, Sequence[int]]

    def mapped(self, change: Callable[[Sequence[int]], Sequence[int]]) -> Term:
        """The term with every vector changed."""
        return Term(self.below, self.root, {key: change(vector) for key, vector in self.sums.items()})


def one(scale: Scale) -> Total:
    """The denominator 1."""
    return Total(scale, {0 if len(scale.units) == 1 else (0,) * len(scale.units): 1})


PLAIN = Scale((ONE,), 1)


class Mixtures(Matrix):
    """Rows Σ_terms (Σ e^key·vector)/D, all over one whole denominator: mixed values, concatenations, outputs."""

    kind = "attention"
    __slots__ = ("denominator", "rows", "shape")

    def __init__(self, rows: list[list[Term]], denominator: int, width: int) -> None:
        self.rows = rows
        self.denominator = denominator
        self.shape = (len(rows), width)

    @classmethod
    def of(cls, matrix: Matrix) -> Mixtures | None:
        """Rationals, surds and exponentials as mixtures; None for other kinds."""
        if isinstance(matrix, Mixtures):
            return matrix
        if isinstance(matrix, Exponentials):
            return matrix.mixtures()
        if isinstance(matrix, (Rationals, Surds)):
            parts = Surds.of(matrix).parts
            common = lcm(*(part.denominator for part in parts.values()))
            tables = [(root, part.over(common).rows) for root, part in parts.items()]
            below = one(PLAIN)
            rows = [[Term(below, root, {0: table[i]}) for root, table in tables] for i in range(matrix.shape[0])]
            return cls(rows, common, matrix.shape[1])
        return None

    def cell(self, i: int, j: int) -> Closed:
        quotients = []
        for term in self.rows[i]:
            terms = ((key, vector[j]) for key, vector in term.sums.items())
            quotients.append((combine(term.below.scale, terms, term.root, self.denominator), term.below.terms()))
        return total(quotients)

    def enclosures(self) -> BallRows:
        return [self._enclosed(row) for row in self.rows]

    def _enclosed(self, terms: list[Term]) -> list[arb]:
        sums = [arb(0)] * self.shape[1]
        for term in terms:
            below = term.below.ball() * self.denominator
            if term.root != ONE:
                below = below / root_ball(term.root)
            for key, vector in term.sums.items():
                factor = term.below.scale.ball(key) / below
                sums = [s + factor * x if x else s for s, x in zip(sums, vector, strict=True)]
        return sums

    @property
    def T(self) -> Mixtures:
        """The transpose: each old row becomes a column with its own denominators."""
        height, width = self.shape
        rows: list[list[Term]] = [[] for _ in range(width)]
        for i, row in enumerate(self.rows):
            for term in row:
                for j, new in enumerate(rows):
                    sums = {key: [v[j] if k == i else 0 for k in range(height)] for key, v in term.sums.items() if v[j]}
                    if sums:
                        new.append(Term(term.below, term.root, sums))
        return Mixtures(rows, self.denominator, height)

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            columns = list(zip(*other.rows, strict=True))

            def product(vector: Sequence[int]) -> list[int]:
                return [sum(map(mul, vector, column)) for column in columns]

            rows = [[term.mapped(product) for term in row] for row in self.rows]
            return Mixtures(rows, self.denominator * other.denominator, other.shape[1])
        if isinstance(other, Surds) and all(term.root == ONE for row in self.rows for term in row):
            pieces = [(root, self @ part) for root, part in other.parts.items()]
            return summed([_with_root(piece, root) for root, piece in pieces])
        if isinstance(other, (Surds, Exponentials, Mixtures)):  # a product of sums of quotients: nobody reads it
            return Balls.of(self) @ other
        return NotImplemented

    def __rmatmul__(self, other: Matrix) -> Matrix:
        """A rational matrix times mixtures: rows are weighed and put together."""
        if not isinstance(other, Rationals):
            return Balls.of(other) @ self
        rows = []
        for weights in other.rows:
            row: list[Term] = []
            for weight, terms in zip(weights, self.rows, strict=True):
                if weight:
                    row += [term.mapped(lambda v, w=weight: [w * x for x in v]) for term in terms]
            rows.append(row)
        return Mixtures(rows, self.denominator * other.denominator, self.shape[1])

    def __add__(self, other: Matrix) -> Matrix:
        right = Mixtures.of(other)
        return NotImplemented if right is None else summed([self, right])

    __radd__ = __add__

    def over(self, denominator: int) -> Mixtures:
        """The same rows over a multiple of the whole denominator."""
        factor = denominator // self.denominator
        if factor == 1:
            return self
        rows = [[term.mapped(lambda v: [factor * x for x in v]) for term in row] for row in self.rows]
        return Mixtures(rows, denominator, self.shape[1])

    def scaled(self, factor: Cell) -> Matrix:
        value = factor.rational()
        if value is None:
            return beyond(self, factor).scaled(factor)
        rows = [[term.mapped(lambda v: [value.numerator * x for x in v]) for term in row] for row in self.rows]
        return Mixtures(rows, self.denominator * value.denominator, self.shape[1])

    def exp(self) -> Matrix:
        return Balls.of(self).exp()

    def normalised(self) -> Matrix:
        return Balls.of(self).normalised()

    def relu(self) -> Mixtures:
        keep = [[self.cell(i, j).sign() > 0 for j in range(self.shape[1])] for i in range(self.shape[0])]
        rows = [
            [term.mapped(lambda v, k=kept: [x if yes else 0 for x, yes in zip(v, k, strict=True)]) for term in row]
            for row, kept in zip(self.rows, keep, strict=True)
        ]
        return Mixtures(rows, self.denominator, self.shape[1])

    def maxima(self) -> list[tuple[int, ...]]:
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Mixtures:
        return Mixtures([self.rows[i] for i in rows], self.denominator, self.shape[1])

    def columns(self, start: int, stop: int) -> Mixtures:
        rows = [[term.mapped(lambda v: v[start:stop]) for term in row] for row in self.rows]
        return Mixtures(rows, self.denominator, stop - start)

    def __ror__(self, other: Matrix) -> Matrix:
        left = Mixtures.of(other)
        return NotImplemented if left is None else left | self

    def __or__(self, other: Matrix) -> Matrix:
        right = Mixtures.of(other)
        if right is None:
            return NotImplemented
        common = lcm(self.denominator, right.denominator)
        before, after = [0] * self.shape[1], [0] * right.shape[1]
        rows = [
            [term.mapped(lambda v: [*v, *after]) for term in a] + [term.mapped(lambda v: [*before, *v]) for term in b]
            for a, b in zip(self.over(common).rows, right.over(common).rows, strict=True)
        ]
        return Mixtures(rows, common, self.shape[1] + right.shape[1])


def summed(pieces: list[Mixtures]) -> Mixtures:
    """Mixtures of one shape added up: their terms stand side by side."""
    common = lcm(*(piece.denominator for piece in pieces))
    rows = [sum(parts, []) for parts in zip(*(piece.over(common).rows for piece in pieces), strict=True)]
    return Mixtures(rows, common, pieces[0].shape[1])


def _with_root(piece: Matrix, root: Root) -> Mixtures:
    assert isinstance(piece, Mixtures)
    rows = [[Term(term.below, root, term.sums) for term in row] for row in piece.rows]
    return Mixtures(rows, piece.denominator, piece.shape[1])
