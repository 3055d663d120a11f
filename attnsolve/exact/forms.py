"""The arithmetic of forms, within bounds on its work: what cannot be taken apart is an atom, told from
others by how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact.ball_products import dot
from attnsolve.exact.base import Cell, side_of
from attnsolve.exact.cells import UNITY, ZERO, Closed, Rational, total
from attnsolve.exact.closed import Quotient
from attnsolve.exact.combinations import Combination
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.precision import LADDER
from attnsolve.reasons import reason

# A form with more terms is an atom: nobody could have multiplied it out either.
MOST_TERMS = 100
# More work than this is not put into one proof: products of terms, and terms that are added up.
MOST_WORK = 4_000
MOST_ADDED = 20_000
# A fraction has a term above the line and one below.
A_FRACTION = 2

AT_ZERO = {
    **dict.fromkeys(("sqrt", "sin", "tanh", "erf", "relu", "gelu"), ZERO),
    **dict.fromkeys(("exp", "cos", "exp2"), UNITY),
    "sigmoid": Rational(Fraction(1, 2)),
}
ODD = ("sin", "tanh", "erf")
ONE = Combination.rational(Fraction(1))


class Form:
    """A number as Σ N/D over roots, exponentials and atoms."""

    __slots__ = ("closed", "forms")

    def __init__(self, closed: Closed, forms: Forms) -> None:
        self.closed = closed
        self.forms = forms

    def rational(self) -> Fraction | None:
        """The fraction that it is, where that can be seen without too much work."""
        one = self.single()
        return None if one is None else one[0].multiple_of(one[1])

    def single(self) -> Quotient | None:
        """One fraction equal to the sum, where multiplying out is affordable."""
        return self.closed.single() if self.forms.is_affordable(multiplying_out(self.closed)) else None

    def __add__(self, other: Form | int) -> Form:
        if isinstance(other, int):
            return self if not other else self + self.forms.fraction(other)
        if not self.forms.can_add(size(self.closed) + size(other.closed)):
            return self.forms.atom("+", self.closed, other.closed)
        return self.forms.short(total((*self.closed.quotients, *other.closed.quotients)), ("+", self, other))

    __radd__ = __add__

    def __mul__(self, other: Form) -> Form:
        if self.forms.is_affordable(size(self.closed) * size(other.closed)):
            pairs = product(self.closed.quotients, other.closed.quotients)
            return self.forms.short(total((n * m, d * e) for (n, d), (m, e) in pairs), ("*", self, other))
        return self.forms.atom("*", self.closed, other.closed)

    def __neg__(self) -> Form:
        return Form(self.closed.times(Fraction(-1)), self.forms)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __truediv__(self, other: Form) -> Form:
        one = other.single()
        length = 0 if one is None else sum(len(part.terms) for part in one)
        if one is None or not self.forms.is_affordable(size(self.closed) * length):
            return self.forms.atom("/", self.closed, other.closed)
        if not one[0].terms:
            raise UndefinedStep(reason("division by zero"))
        quotients = [(n * one[1], d * one[0]) for n, d in self.closed.quotients]
        return self.forms.short(total(quotients), ("/", self, other))

    def __pow__(self, power: int) -> Form:
        made = self.forms.fraction(1)
        for _ in range(abs(power)):
            made = made * self
        return made if power >= 0 else self.forms.fraction(1) / made


def told_by(closed: Closed) -> tuple[object, ...]:
    """What tells a number from others; nothing for 0."""
    if isinstance(closed, Rational):
        return closed.value.as_integer_ratio() if closed.value else ()
    return closed.quotients


def size(closed: Closed) -> int:
    """How many terms a form has."""
    if isinstance(closed, Rational):
        return A_FRACTION
    return sum(len(n.terms) + len(d.terms) for n, d in closed.quotients)


def multiplying_out(closed: Closed) -> int:
    """How many products of terms it takes to bring a form over one denominator."""
    work, above, below = 0, 0, 1
    for n, d in closed.quotients:
        work += above * len(d.terms) + (len(n.terms) + len(d.terms)) * below
        above, below = above * len(d.terms) + len(n.terms) * below, below * len(d.terms)
    return work if len(closed.quotients) > 1 else 0


def has_atoms(closed: Closed) -> bool:
    """Whether something in a form is only known by how it was made."""
    parts = [part for quotient in closed.quotients for part in quotient]
    return any(place < 0 for part in parts for _, (_, places) in part.terms for place in places)


def is_negative(closed: Closed) -> bool:
    """Whether a form is written with a minus, so that of x and -x one is."""
    return bool(closed.quotients) and min(closed.quotients[0][0].terms.items())[1] < 0


class Forms:
    """The arithmetic of forms: what is made in the same way is the same number."""

    def __init__(self) -> None:
        self._atoms: dict[Any, int] = {}
        self._rows: dict[int, tuple[Matrix, list[list[Form]]]] = {}
        self._work = 0
        self._added = 0
        self.is_exhausted = False  # whether a proof wanted more work than may be put into one

    def proof(self) -> Forms:
        """The same, for another proof: what was put into others does not count."""
        self._work, self._added, self.is_exhausted = 0, 0, False
        return self

    def is_affordable(self, work: int) -> bool:
        """Whether so many products of terms may still be made in this proof."""
        if work > MOST_TERMS * MOST_TERMS or self._work + work > MOST_WORK:
            self.is_exhausted |= self._work + work > MOST_WORK
            return False  # and what is not done takes nothing from what is
        self._work += work
        return True

    def can_add(self, terms: int) -> bool:
        """Whether so many terms may still be gone through in this proof; those of two fractions always."""
        if self._added + terms > MOST_ADDED and terms > 2 * A_FRACTION:
            self.is_exhausted = True
            return False
        self._added += terms
        return True

    def product(self, left: Sequence[Sequence[Form]], right: Sequence[Sequence[Form]]) -> list[list[Form]]:
        """The matrix product."""
        columns = list(zip(*right, strict=True))
        return [[self.dot(row, column) for column in columns] for row in left]

    def dot(self, row: Sequence[Form], column: Sequence[Form]) -> Form:
        """Σ a·b; once no more work is done, it is told from others by what is multiplied."""
        if not self.is_exhausted:
            made: Form = dot(row, column)
            return made
        pairs = [(told_by(x.closed), told_by(y.closed)) for x, y in zip(row, column, strict=True)]
        kept = [number for pair in pairs if all(pair) for number in pair]
        return self.atom("dot", *kept) if kept else self.fraction(0)

    def fraction(self, value: Fraction | int) -> Form:
        """A fraction as a form."""
        return Form(Rational(value), self)

    def atom(self, *made: Any) -> Form:
        """A number that is known only by how it was made."""
        key = tuple(told_by(piece) if isinstance(piece, Closed) else piece for piece in made)
        place = self._atoms.setdefault(key, -1 - len(self._atoms))
        # It stands where a logarithm may stand; no prime is below 0.
        return Form(Closed(((Combination({((), (1, (place,))): Fraction(1)}), ONE),)), self)

    def short(self, closed: Closed, made: tuple[str, Form, Form]) -> Form:
        """A result while it is short, else an atom."""
        if size(closed) <= MOST_TERMS:
            return Form(closed, self)
        return self.atom(made[0], made[1].closed, made[2].closed)

    def rows(self, matrix: Matrix) -> list[list[Form]]:
        """The forms of a matrix; a ball that is a single point is that fraction."""
        known = self._rows.get(id(matrix))
        if known is None:
            known = matrix, self._made(matrix)
            self._rows[id(matrix)] = known
        return known[1]

    def _made(self, matrix: Matrix) -> list[list[Form]]:
        from attnsolve.exact.balls import Balls, as_point

        if not isinstance(matrix, Balls):
            rows, columns = map(range, matrix.shape)
            return [[self.of_place(matrix, i, j) for j in columns] for i in rows]
        if matrix.labels:
            made = self.unknown(matrix)
        else:
            made = matrix.worked_out(self)
            if self.is_exhausted and matrix.is_product:  # of which hardly anything can be proven
                matrix.labels = labels_of(made)
        balls = matrix.balls(LADDER[0])
        points = [[as_point(ball) for ball in row] for row in balls]
        return [
            [form if point is None else self.fraction(point) for form, point in zip(*pair, strict=True)]
            for pair in zip(made, points, strict=True)
        ]

    def of_place(self, matrix: Matrix, i: int, j: int) -> Form:
        """A number of a matrix that has closed forms; once no more work is done, none is written out."""
        from attnsolve.exact.attention import Exponentials, Mixtures

        if self.is_exhausted and isinstance(matrix, (Exponentials, Mixtures)):
            made = matrix.made_of(i, j)
            return self.atom("made of", made) if made else self.fraction(0)
        return self.number(matrix.cell(i, j))

    def label(self, matrix: Any) -> None:
        """Note which numbers of a matrix have the same form, or the opposite one.

        What was too long once is not multiplied out again in each step that follows: there these
        numbers are atoms, and all else is forgotten about them.
        """
        from attnsolve.exact.balls import Balls

        if isinstance(matrix, Balls) and not matrix.labels:
            matrix.labels = labels_of(self.rows(matrix))

    def unknown(self, matrix: Any) -> list[list[Form]]:
        """An atom for each number of a matrix that is told from others only by its label."""
        atoms = [
            [(sign, self.atom("unknown", id(matrix), label)) for sign, label in row] for row in matrix.labels
        ]
        return [[-atom if sign < 0 else atom for sign, atom in row] for row in atoms]

    def number(self, cell: Cell) -> Form:
        """The form of a number of any kind."""
        from attnsolve.exact.balls import Enclosed

        if isinstance(cell, Closed):
            length = size(cell)
            self.can_add(length)  # it is written out by now
            return Form(cell, self) if length <= MOST_TERMS else self.atom("number", cell)
        if isinstance(cell, Enclosed):
            form: Form = cell.worked_out(self)
            return form
        from attnsolve.exact.translation import expression_form

        return expression_form(cell.sympy(), self)

    def apply(self, function: str, x: Form) -> Form:
        """A function of a form; e^{-x} is 1/e^x, and odd functions give their sign away."""
        if function in AT_ZERO and x.rational() == 0:
            return Form(AT_ZERO[function], self)
        known = closed_form(function, x.closed) if self.is_affordable(multiplying_out(x.closed)) else None
        if known is not None:
            return Form(known, self)
        turned = is_negative(x.closed)
        if turned and function == "exp":
            return self.fraction(1) / self.atom(function, (-x).closed)
        if turned and function in ODD:
            return -self.atom(function, (-x).closed)
        return self.atom(function, x.closed)

    def each(self, function: str, matrix: Matrix) -> list[list[Form]]:
        """A function of every form; ReLU changes no number that is known to be above 0."""
        rows = self.rows(matrix)
        if function != "relu":
            return [[self.apply(function, x) for x in row] for row in rows]
        places = range(matrix.shape[1])
        return [[self.positive(row[j], matrix.cell(i, j)) for j in places] for i, row in enumerate(rows)]

    def positive(self, x: Form, cell: Cell) -> Form:
        """max(0, x), by the side of 0 on which the number lies."""
        side = cell.climb(side_of)
        return self.atom("relu", x.closed) if side is None else x if side > 0 else self.fraction(0)

    def shares(self, row: Sequence[Form]) -> list[Form]:
        """Each form of a row over their sum."""
        whole = sum(row)
        assert isinstance(whole, Form)
        return [x / whole for x in row]

    def measured(self, balls: list[list[arb]]) -> list[list[Form]]:
        """Atoms, each unlike all others."""
        return [[self.atom(object()) for _ in row] for row in balls]

    def weights(self, balls: list[list[arb]], scores: Matrix) -> list[list[Form]]:
        """Atoms over their sum, which is 1; where the ball is 0, nothing."""
        rows = []
        for i, row in enumerate(balls):
            seen = {j: self.number(scores.cell(i, j)).closed for j, x in enumerate(row) if not x.is_zero()}
            others = frozenset(Counter(score.quotients for score in seen.values()).items())
            atoms = {j: self.atom("weight", others, score) for j, score in seen.items()}
            made = dict(zip(atoms, self.shares(list(atoms.values())), strict=True))
            rows.append([made.get(j, self.fraction(0)) for j in range(len(row))])
        return rows


def labels_of(rows: Sequence[Sequence[Form]]) -> list[list[tuple[int, int]]]:
    """A sign and a number for each form of a matrix: the same number for those that are equal or opposite."""
    known: dict[Any, int] = {}
    made = []
    for row in rows:
        signs = [-1 if is_negative(form.closed) else 1 for form in row]
        forms = [
            (-form if sign < 0 else form).closed.quotients for form, sign in zip(row, signs, strict=True)
        ]
        made.append(
            [(sign, known.setdefault(form, len(known))) for form, sign in zip(forms, signs, strict=True)]
        )
    return made


def closed_form(function: str, closed: Closed) -> Closed | None:
    """A function of a form without atoms, where it has a closed form again."""
    from attnsolve.exact.functions import known_form

    if has_atoms(closed):
        return None
    found = known_form(function, closed)
    return found if isinstance(found, Closed) else None
