"""Values mixed with softmax weights: each row a few terms N/D, with vectors for coefficients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import lcm
from operator import add, mul
from typing import TypeVar

from attnsolve.exact.ball_products import ball_product, is_large
from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import Cell, Closed, total
from attnsolve.exact.decimals import Shown
from attnsolve.exact.flint_parts import arb, ctx
from attnsolve.exact.matrices import BallRows, Matrix, beyond, maxima_of_cells
from attnsolve.exact.pending import Pending, is_simple, may_merge
from attnsolve.exact.rationals import Rationals, over_common
from attnsolve.exact.roots import ONE, Root, multiply_roots, root_ball
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape
from attnsolve.exact.surds import Surds, parts_of, surd_terms
from attnsolve.exact.totals import Key, Scale, Total, Vector, combine, one
from attnsolve.records import NamedTuple

Number = TypeVar("Number")
PLAIN = Scale((ONE,), 1)


class Term(NamedTuple):
    """√root·Σ e^key·vector over one denominator: a part of a row."""

    below: Total
    root: Root
    sums: Mapping[Key, Vector]

    def shares(self) -> list[arb]:
        """What each vector is multiplied with, at the working precision."""
        shares = self.below.shares()
        if self.root == ONE:
            return [shares[key] for key in self.sums]
        unit = root_ball(self.root)
        return [shares[key] * unit for key in self.sums]


class Mixtures(Matrix):
    """Rows Σ_terms (Σ e^key·vector)/D over one whole denominator: mixed values, concatenations, outputs."""

    kind = "attention"
    __slots__ = ("_balls", "_beside", "_proven", "denominator", "rows", "shape")

    def __init__(self, rows: Sequence[Sequence[Term]], denominator: int, width: int) -> None:
        self.rows = rows
        self.denominator = denominator
        self.shape = (len(rows), width)
        self._balls: dict[int, BallRows] = {}  # around its numbers, by the bits they were computed with
        self._proven: dict[int, list[list[Shown]]] = {}  # its decimals, by their places
        self._beside: tuple[Mixtures, ...] = ()  # what stands side by side in it

    @classmethod
    def of(cls, matrix: Matrix) -> Mixtures | None:
        """Rationals and surds as mixtures; None for other kinds."""
        if isinstance(matrix, Mixtures):
            return matrix
        if not isinstance(matrix, (Rationals, Surds)):
            return None
        parts = parts_of(matrix)
        tables = over_common(parts.values())
        below, rows = one(PLAIN), range(matrix.shape[0])
        pairs = list(zip(parts, tables, strict=True))
        terms = [[Term(below, root, {0: table.rows[i]}) for root, table in pairs] for i in rows]
        return cls(terms, tables[0].denominator, matrix.shape[1])

    def cell(self, i: int, j: int) -> Closed:
        quotients = self._quotients(i, j)
        return Pending(self, i, j, single=quotients == 1) if quotients else self.form(i, j)

    def _quotients(self, i: int, j: int) -> int:
        """How many quotients of exponentials a number has; 0 where some may cancel or come out even."""
        kept: list[Total] = []
        for below, root, sums in self.rows[i]:
            if not any(vector[j] for vector in sums.values()):
                continue
            if root == ONE and is_multiple(sums, j, below.counts):
                continue
            if not is_simple(below) or any(may_merge(below, other) for other in kept):
                return 0
            kept.append(below)
        return len(kept)

    def form(self, i: int, j: int) -> Closed:
        """The number in row i, column j, written out."""
        quotients = []
        for below, root, sums in self.rows[i]:
            terms = ((key, vector[j]) for key, vector in sums.items())
            quotients.append((combine(below.scale, terms, root, self.denominator), below.terms()))
        return total(quotients)

    def made_of(self, i: int, j: int) -> tuple[object, ...]:
        """What tells a number from others, as it was made; nothing for 0."""
        terms = (
            (below.made_of(), root, tuple((key, vector[j]) for key, vector in sums.items() if vector[j]))
            for below, root, sums in self.rows[i]
        )
        kept = tuple(term for term in terms if term[-1])
        return (self.denominator, *kept) if kept else ()

    def enclosures(self) -> BallRows:
        bits = ctx.prec
        if bits not in self._balls:
            pieces = [piece.enclosures() for piece in self._beside]
            self._balls[bits] = side_by_side(pieces) if pieces else self._enclosed_rows()
        return self._balls[bits]

    def proven(self, places: int) -> list[list[Shown]]:
        if places not in self._proven:
            pieces = [piece.proven(places) for piece in self._beside]
            self._proven[places] = side_by_side(pieces) if pieces else super().proven(places)
        return self._proven[places]

    def enclosed_at(self, i: int, j: int) -> arb:
        """The ball around one number; those of its row are found with it."""
        known = self._balls.get(ctx.prec)
        return self._enclosed(self.rows[i])[j] if known is None else known[i][j]

    def _enclosed_rows(self) -> BallRows:
        """A ball around every number; large matrices at once, as far as rows mix the same vectors."""
        inner = sum(len(term.sums) for term in self.rows[0])
        if not is_large(self.shape[0], inner, self.shape[1]):
            return [self._enclosed(row) for row in self.rows]
        mixing: dict[tuple[int, ...], list[tuple[int, Term]]] = {}
        for i, row in enumerate(self.rows):
            for term in row:
                mixing.setdefault(tuple(map(id, term.sums.values())), []).append((i, term))
        totals = [[arb(0)] * self.shape[1] for _ in self.rows]
        for members in mixing.values():
            vectors = list(members[0][1].sums.values())
            mixed = ball_product([term.shares() for _, term in members], vectors)
            for (i, _), added in zip(members, mixed, strict=True):
                totals[i] = list(map(add, totals[i], added))
        return [[ball / self.denominator for ball in row] for row in totals]

    def _enclosed(self, terms: Sequence[Term]) -> list[arb]:
        nothing = arb(0)
        shares = [share for term in terms for share in term.shares()]
        if not shares:
            return [nothing] * self.shape[1]
        columns = zip(*[vector for term in terms for vector in term.sums.values()], strict=True)
        return [sum(map(mul, shares, column), nothing) / self.denominator for column in columns]

    def transposed(self) -> Mixtures:
        """The transpose: each old row becomes a column with its own denominators."""
        height, width = self.shape
        rows: list[list[Term]] = [[] for _ in range(width)]
        for i, row in enumerate(self.rows):
            for below, root, sums in row:
                for j, new in enumerate(rows):
                    column = {key: unit_vector(height, i, v[j]) for key, v in sums.items() if v[j]}
                    if column:
                        new.append(Term(below, root, column))
        return Mixtures(rows, self.denominator, height)

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            return self.projected(other)
        if isinstance(other, Surds):
            return summed([self.projected(part).rooted(root) for root, part in other.parts.items()])
        if isinstance(other, Mixtures):  # a product of sums of quotients: nobody reads it
            return Balls.of(self) @ other
        return NotImplemented

    def projected(self, right: Rationals) -> Mixtures:
        """The product with a rational matrix: every vector is multiplied by it."""
        require_product(self, right)
        columns = list(zip(*right.rows, strict=True))
        rows = self._changed(lambda v: [sum(map(mul, v, column)) for column in columns])
        return Mixtures(rows, self.denominator * right.denominator, right.shape[1])

    def __rmatmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Surds):
            return summed([self.weighed(part).rooted(root) for root, part in other.parts.items()])
        return self.weighed(other) if isinstance(other, Rationals) else Balls.of(other) @ self

    def weighed(self, left: Rationals) -> Mixtures:
        """A rational matrix times this one: rows are weighed and put together."""
        require_product(left, self)
        rows = [
            [
                Term(below, root, {key: [weight * x for x in v] for key, v in sums.items()})
                for weight, terms in zip(weights, self.rows, strict=True)
                if weight
                for below, root, sums in terms
            ]
            for weights in left.rows
        ]
        return Mixtures(rows, self.denominator * left.denominator, self.shape[1])

    def __add__(self, other: Matrix) -> Matrix:
        right = Mixtures.of(other)
        return NotImplemented if right is None else summed([self, right])

    __radd__ = __add__

    def rooted(self, root: Root) -> Mixtures:
        """The matrix times √r."""

        def times_root(term: Term) -> Term:
            whole, product = multiply_roots(term.root, root)
            sums = term.sums if whole == 1 else {k: [whole * x for x in v] for k, v in term.sums.items()}
            return Term(term.below, product, sums)

        return Mixtures([list(map(times_root, row)) for row in self.rows], self.denominator, self.shape[1])

    def times(self, factor: Fraction) -> Mixtures:
        """The matrix times a rational."""
        top, bottom = factor.numerator, factor.denominator
        rows = self.rows if top == 1 else self._changed(lambda v: [top * x for x in v])
        return Mixtures(rows, self.denominator * bottom, self.shape[1])

    def over(self, denominator: int) -> Mixtures:
        """The same rows over a multiple of the whole denominator."""
        multiple = denominator // self.denominator
        rows = self.rows if multiple == 1 else self._changed(lambda v: [multiple * x for x in v])
        return Mixtures(rows, denominator, self.shape[1])

    def scaled(self, factor: Cell) -> Matrix:
        terms = surd_terms(factor)
        if terms is None:
            return beyond(self, factor).scaled(factor)
        return summed([self.times(c).rooted(root) for root, c in terms.items()])

    def exp(self) -> Matrix:
        return Balls.of(self).exp()

    def normalised(self) -> Matrix:
        return Balls.of(self).normalised()

    def relu(self) -> Mixtures:
        rows = []
        for i, row in enumerate(self.rows):
            keep = [self.cell(i, j).sign() > 0 for j in range(self.shape[1])]
            kept = [{k: list(map(mul, v, keep)) for k, v in term.sums.items()} for term in row]
            rows.append([term._replace(sums=sums) for term, sums in zip(row, kept, strict=True)])
        return Mixtures(rows, self.denominator, self.shape[1])

    def maxima(self) -> list[tuple[int, ...]]:
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Mixtures:
        taken = Mixtures([self.rows[i] for i in rows], self.denominator, self.shape[1])
        taken._balls = {bits: [balls[i] for i in rows] for bits, balls in self._balls.items()}
        return taken

    def columns(self, start: int, stop: int) -> Mixtures:
        return Mixtures(self._changed(lambda v: v[start:stop]), self.denominator, stop - start)

    def __or__(self, other: Matrix) -> Matrix:
        right = Mixtures.of(other)
        if right is None:
            return NotImplemented
        require_same_height(self, right)
        before, after = [0] * self.shape[1], [0] * right.shape[1]
        first, second = over_one([self, right])
        pairs = zip(
            first._changed(lambda v: [*v, *after]), second._changed(lambda v: [*before, *v]), strict=True
        )
        made = Mixtures([[*a, *b] for a, b in pairs], first.denominator, len(before) + len(after))
        made._beside = self, right
        return made

    def __ror__(self, other: Matrix) -> Matrix:
        left = Mixtures.of(other)
        return NotImplemented if left is None else left | self

    def _changed(self, change: Callable[[Vector], Vector]) -> list[list[Term]]:
        """The rows with every vector changed; rows share most of their vectors, so each is changed once."""
        known: dict[int, Vector] = {}
        for row in self.rows:
            for term in row:
                for vector in term.sums.values():
                    if id(vector) not in known:
                        known[id(vector)] = change(vector)
        return [
            [Term(below, root, {key: known[id(v)] for key, v in sums.items()}) for below, root, sums in row]
            for row in self.rows
        ]


def side_by_side(pieces: Sequence[list[list[Number]]]) -> list[list[Number]]:
    """What is known of the numbers of matrices, put together for the matrix that has them side by side."""
    return [list(chain(*rows)) for rows in zip(*pieces, strict=True)]


def is_multiple(sums: Mapping[Key, Vector], j: int, counts: Mapping[Key, int]) -> bool:
    """Whether Σ e^key·vector_j is a multiple of Σ count·e^key."""
    if sums.keys() != counts.keys():
        return False
    key = next(iter(counts))
    top, bottom = sums[key][j], counts[key]
    return all(vector[j] * bottom == top * counts[key] for key, vector in sums.items())


def unit_vector(length: int, place: int, value: int) -> list[int]:
    """Zeros, and a value at one place."""
    vector = [0] * length
    vector[place] = value
    return vector


def over_one(pieces: Sequence[Mixtures]) -> list[Mixtures]:
    """The same mixtures, all over one whole denominator."""
    common = lcm(*[piece.denominator for piece in pieces])
    return [piece.over(common) for piece in pieces]


def summed(pieces: list[Mixtures]) -> Mixtures:
    """Mixtures of one shape added up: their terms stand side by side."""
    for piece in pieces[1:]:
        require_same_shape(pieces[0], piece)
    kept = over_one(pieces)
    rows = [list(chain(*parts)) for parts in zip(*[piece.rows for piece in kept], strict=True)]
    return Mixtures(rows, kept[0].denominator, kept[0].shape[1])
