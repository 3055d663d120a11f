"""Softmax weights: one exponent per cell, one denominator per row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from operator import add

from attnsolve.errors import UndefinedStep
from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import ZERO, Cell, Closed, closed
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.matrices import BallRows, Matrix, maxima_of_cells
from attnsolve.exact.mixtures import Mixtures, Term, summed
from attnsolve.exact.pending import Pending, is_simple
from attnsolve.exact.precision import LADDER, precision
from attnsolve.exact.rationals import Rationals, over_common
from attnsolve.exact.roots import ONE, lone_prime
from attnsolve.exact.shapes import require_product, require_same_shape
from attnsolve.exact.surds import Parts, Surds
from attnsolve.exact.totals import Key, Scale, Total, Vector, combine, exponent_at, one
from attnsolve.reasons import reason

FOLDED_BITS = 4096


def exponentials(parts: Parts) -> Matrix:
    """e to the power of a matrix of rationals, roots and logarithms."""
    folded = powers_of_primes(parts)
    if folded is not None:
        return folded
    tables = over_common(parts.values())
    scale = Scale(tuple(parts), tables[0].denominator)
    if len(tables) == 1:
        return Exponentials(scale, tables[0].rows)
    rows = zip(*[table.rows for table in tables], strict=True)
    return Exponentials(scale, [list(zip(*row, strict=True)) for row in rows])


def powers_of_primes(parts: Parts) -> Rationals | None:
    """e^{Σ m·ln p} = Π p^m as rationals again, when every m is whole and small; else None."""
    if not all(map(lone_prime, parts)):
        return None
    rows, columns = next(iter(parts.values())).shape
    table = [[Fraction(1)] * columns for _ in range(rows)]
    for root, part in parts.items():
        prime = lone_prime(root)
        for i, row in enumerate(part.rows):
            for j, x in enumerate(row):
                power, rest = divmod(x, part.denominator)
                if rest or abs(power) * prime.bit_length() > FOLDED_BITS:
                    return None
                table[i][j] *= Fraction(prime) ** power
    return Rationals.of(table)


class Exponentials(Matrix):
    """Cells e^key, or e^key/D_i with one denominator for each row once they are normalised.

    A key that a mask hides is None: its exponential is 0 and takes no part in any sum.
    """

    kind = "attention"
    __slots__ = ("keys", "scale", "shape", "totals")

    def __init__(
        self, scale: Scale, keys: Sequence[Sequence[Key | None]], totals: Sequence[Total] | None = None
    ) -> None:
        self.scale = scale
        self.keys = keys
        self.totals = totals
        self.shape = (len(keys), len(keys[0]))

    def cell(self, i: int, j: int) -> Closed:
        key = self.keys[i][j]
        if key is None:
            return ZERO
        if self.totals and is_simple(self.totals[i]):
            return Pending(self, i, j, single=True)
        return self.form(i, j)

    def form(self, i: int, j: int) -> Closed:
        """The number in row i, column j, written out."""
        key = self.keys[i][j]
        assert key is not None
        numerator = combine(self.scale, [(key, 1)], ONE, 1)
        return closed(numerator, self.totals[i].terms()) if self.totals else closed(numerator)

    def made_of(self, i: int, j: int) -> tuple[object, ...]:
        """What tells a number from others, as it was made; nothing for 0."""
        key = self.keys[i][j]
        below = self.totals[i].made_of() if self.totals else ()
        return () if key is None else (self.scale, key, below)

    def enclosures(self) -> BallRows:
        pairs = zip(self._below(), self.keys, strict=True)
        return [[shares[key] for key in keys] for shares, keys in ((b.shares(), keys) for b, keys in pairs)]

    def enclosed_at(self, i: int, j: int) -> arb:
        """The ball around one number."""
        return self._below()[i].shares()[self.keys[i][j]]

    def normalised(self) -> Exponentials:
        """e^key/Σ e^key; a denominator that is already there cancels."""
        for i, row in enumerate(self.keys):
            if all(key is None for key in row):
                why = reason("row {row} has the sum 0, so it cannot be divided by it", row=i + 1)
                raise UndefinedStep(why)
        keys = [self._shifted(row) for row in self.keys]
        return Exponentials(self.scale, keys, [Total(self.scale, counted(row)) for row in keys])

    def __mul__(self, other: Matrix) -> Matrix:
        """A product with zeros and ones drops keys; any other is made number by number."""
        if not isinstance(other, Rationals) or not {x for row in other.rows for x in row} <= {
            0,
            other.denominator,
        }:
            return super().__mul__(other)
        require_same_shape(self, other)
        pairs = zip(self.keys, other.rows, strict=True)
        keys = [[key if kept else None for key, kept in zip(r, k, strict=True)] for r, k in pairs]
        return Exponentials(self.scale, keys, self.totals)

    def _shifted(self, row: Sequence[Key | None]) -> Sequence[Key | None]:
        """The keys less the largest one: the same quotients with small exponents."""
        if None not in row:
            return self._less_largest(row)  # type: ignore[arg-type]
        kept = iter(self._less_largest([key for key in row if key is not None]))
        return [None if key is None else next(kept) for key in row]

    def _less_largest(self, row: Sequence[Key]) -> Sequence[Key]:
        if len(self.scale.units) == 1:
            top = max(row)
            return [key - top for key in row]  # type: ignore[operator]
        with precision(LADDER[0]):  # only the form depends on which key is taken out, never the value
            steps = self.scale.steps()
            top = max(row, key=lambda key: exponent_at(steps, key).mid())
        return [tuple(a - b for a, b in zip(key, top, strict=True)) for key in row]  # type: ignore[arg-type]

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            return self.mix(other)
        if isinstance(other, Surds):
            return summed([self.mix(part).rooted(root) for root, part in other.parts.items()])
        if isinstance(other, Exponentials):  # a product of quotients with different denominators
            return Balls.of(self) @ other
        return NotImplemented

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return other @ self.mixtures()

    def mix(self, values: Rationals) -> Mixtures:
        """The product with a rational matrix: each row of it is weighed with an exponential."""
        require_product(self, values)
        pairs = zip(self._below(), self.keys, strict=True)
        rows = [[Term(below, ONE, mixed(keys, values.rows))] for below, keys in pairs]
        return Mixtures(rows, values.denominator, values.shape[1])

    def mixtures(self) -> Mixtures:
        """The same numbers as a mixture of unit vectors."""
        columns = range(self.shape[1])
        return self.mix(Rationals([[int(j == k) for k in columns] for j in columns]))

    def _below(self) -> Sequence[Total]:
        return self.totals or [one(self.scale)] * self.shape[0]

    def transposed(self) -> Matrix:
        if self.totals:
            return self.mixtures().transposed()
        return Exponentials(self.scale, list(zip(*self.keys, strict=True)))

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

    def relu(self) -> Exponentials:
        return self

    def maxima(self) -> list[tuple[int, ...]]:
        if len(self.scale.units) > 1 or any(None in row for row in self.keys):
            return maxima_of_cells(self)
        return Rationals(self.keys).maxima()  # type: ignore[arg-type]

    def take(self, rows: Sequence[int]) -> Exponentials:
        totals = [self.totals[i] for i in rows] if self.totals else None
        return Exponentials(self.scale, [self.keys[i] for i in rows], totals)

    def columns(self, start: int, stop: int) -> Exponentials:
        return Exponentials(self.scale, [row[start:stop] for row in self.keys], self.totals)


def counted(keys: Sequence[Key | None]) -> dict[Key, int]:
    """How often each key occurs; hidden ones do not."""
    counts = dict.fromkeys(keys, 1)
    if len(counts) < len(keys):
        counts = Counter(keys)
    counts.pop(None, None)
    return counts  # type: ignore[return-value]


def mixed(keys: Sequence[Key | None], rows: Sequence[Vector]) -> dict[Key, Vector]:
    """The row of values for each key; rows that share a key are added up, those of hidden keys left out."""
    sums = dict(zip(keys, rows, strict=True))
    if len(sums) < len(keys):
        sums = {}
        for key, row in zip(keys, rows, strict=True):
            sums[key] = list(map(add, sums[key], row)) if key in sums else row
    sums.pop(None, None)
    return sums  # type: ignore[return-value]
