"""The way from drawn numbers to scores in whole numbers: what most exercises do before their softmax.

Entries with a common denominator are whole numbers times a unit, and so are projections, dot products and
scaled scores. So one number that changes costs a few small products of integer matrices, and what weights a
row of scores gives depends on whole differences alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.integers import Integers
from attnsolve.exact.masked import shown, visible
from attnsolve.ops import Family
from attnsolve.ops.argmax import ARGMAX
from attnsolve.ops.dot import DOT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.scaling import DIVIDE, MULTIPLY
from attnsolve.ops.selection import SELECT
from attnsolve.ops.splitting import SPLIT
from attnsolve.problem import Call
from attnsolve.variants.forms import Form, Wish
from attnsolve.variants.rough import added, exponential, rough
from attnsolve.variants.search import Window, window_of
from attnsolve.variation import Domain, Entry
from attnsolve.working import evaluate

Keep = tuple[tuple[int, ...], ...]  # the columns that each row sees
KNOWN = 4096  # rows of scores whose cost is kept


class Product(NamedTuple):
    """`out` is left · right, or left · rightᵀ."""

    out: str
    left: str
    right: str
    turned: bool = False


class Total(NamedTuple):
    """`out` is a · left + b · right: what brings two values to one unit is multiplied first."""

    out: str
    left: str
    right: str
    a: int
    b: int


Following = Product | Total


class Scores(NamedTuple):
    """Scores that a softmax turns into weights: whole numbers, their unit, and which keys each row sees."""

    weights: str  # what the plan calls the weights
    matrix: str
    unit: float
    keep: Keep
    wish: Wish
    judge: Callable[[tuple[int, ...]], tuple[tuple[int, ...], float]]  # a row: its gaps and its cost


class Way(NamedTuple):
    """What leads from a drawn matrix to scores: the calls between them, in order."""

    scores: Scores
    calls: tuple[Following, ...]


class Lattice:
    """What follows from the drawn numbers of a form, in whole numbers."""

    def __init__(self, form: Form) -> None:
        self.given: dict[str, Integers] = {}  # those that do not vary
        self.denominators: dict[str, int] = {}  # of those that do
        self.drawable: dict[str, tuple[tuple[Entry, int], ...]] = {}
        self.calls: list[Following] = []
        self.scores: list[Scores] = []
        self._units: dict[str, Fraction] = {}
        self._scales: dict[str, float] = {}  # what scores are multiplied by besides
        self._keep: dict[str, Keep] = {}
        self._same: dict[str, str] = {}  # calls that leave the whole numbers as they are
        self._add_givens(form)
        for call in form.weighing:
            self._add(form, call)
        self.ways = {name: tuple(self._ways_from(name)) for name in self.denominators}
        self.free = {  # costs of nothing for all weights that change with a given
            name: {scores.weights: 0.0 for scores, _ in ways} for name, ways in self.ways.items()
        }

    def _add_givens(self, form: Form) -> None:
        for name, given in form.problem.givens.items():
            domain = form.domains.get(name)
            if domain is not None:
                self.denominators[name] = denominator_of(domain)
                self.drawable[name] = in_whole_numbers(domain, self.denominators[name])
                self._units[name] = Fraction(1, self.denominators[name])
            elif isinstance(given.value, Rationals):
                self.given[name] = Integers(given.value.rows)
                self._units[name] = Fraction(1, given.value.denominator)

    def _add(self, form: Form, call: Call) -> None:
        """One more call; what no whole numbers follow from raises a KeyError."""
        if call.out in form.twins:
            self._take_over(call.out, form.twins[call.out])
        elif call.op is PROJECTION:
            self._project(form, call.out, *call.args)
        elif call.op is DOT:
            self._multiply(call.out, *call.args, turned=True)
        elif call.op is SELECT:
            rows = choosing(call.options["rows"], form.problem.frames[call.args[0]].shape[0])
            self._multiply(call.out, self._fixed(f"{call.out} rows", rows), call.args[0])
        elif call.op is SPLIT:
            columns = range(call.options["start"], call.options["stop"])
            turned = choosing(columns, form.problem.frames[call.args[0]].shape[1])
            chosen = self._fixed(f"{call.out} columns", turned)
            self._multiply(call.out, call.args[0], chosen, turned=True)
        elif call.op in (DIVIDE, MULTIPLY):
            factor = rough(evaluate(call.options["by"]))
            self._take_over(call.out, call.args[0], 1 / factor if call.op is DIVIDE else factor)
        elif call.op.family is Family.MASK:
            self._take_over(call.out, call.args[0])
            self._keep[call.out] = seen_keys(form, call, self._keep.get(call.args[0]))
        if call.op.family is Family.NORMALISER:
            self._judge(form, call)
        elif call.out not in self._units:
            raise KeyError(call.out)

    def _multiply(self, out: str, left: str, right: str, *, turned: bool = False) -> None:
        if left in self._keep or right in self._keep:
            raise KeyError(out)
        self._units[out] = self._units[left] * self._units[right]
        self._scales[out] = self._scales.get(left, 1.0) * self._scales.get(right, 1.0)
        self.calls.append(Product(out, self._same.get(left, left), self._same.get(right, right), turned))

    def _project(self, form: Form, out: str, X: str, W: str, b: str | None = None) -> None:
        """X W, and where there is a bias a row of it for each token."""
        if b is None:
            self._multiply(out, X, W)
            return
        ones = Integers([[1]] * form.problem.frames[out].shape[0])
        product, rows = f"{out} without bias", f"{out} biases"
        self._multiply(product, X, W)
        self._multiply(rows, self._fixed(f"{out} ones", ones), b)
        if not self._scales[product] == self._scales[rows] == 1.0:
            raise KeyError(out)
        first, second = self._units[product].denominator, self._units[rows].denominator
        both = lcm(first, second)
        self._units[out] = Fraction(1, both)
        self.calls.append(Total(out, product, rows, both // first, both // second))

    def _fixed(self, name: str, matrix: Integers) -> str:
        """A matrix of our own that never changes, by name."""
        self.given[name], self._units[name] = matrix, Fraction(1)
        return name

    def _take_over(self, out: str, earlier: str, factor: float = 1.0) -> None:
        """The whole numbers of an earlier value, perhaps times a number."""
        self._same[out] = self._same.get(earlier, earlier)
        self._scales[out] = self._scales.get(earlier, 1.0) * factor
        if earlier in self._units:
            self._units[out] = self._units[earlier]
        if earlier in self._keep:
            self._keep[out] = self._keep[earlier]

    def _judge(self, form: Form, call: Call) -> None:
        wish, scores = form.wishes[call.out], call.args[0]
        unit = rough(Rational(self._units[scores])) * self._scales.get(scores, 1.0)
        if unit <= 0 or not (wish.from_scores or call.op is ARGMAX) or is_needed(form, call.out):
            raise KeyError(call.out)
        rows, columns = form.problem.frames[scores].shape
        keep = self._keep.get(scores, (tuple(range(columns)),) * rows)
        matrix = self._same.get(scores, scores)
        if (matrix, unit, keep, wish) not in [(it.matrix, it.unit, it.keep, it.wish) for it in self.scores]:
            judge = partial(judged_row, unit=unit, wish=wish, window=window_of(form.vary.judges))
            self.scores.append(Scores(call.out, matrix, unit, keep, wish, lru_cache(KNOWN)(judge)))

    def _ways_from(self, name: str) -> Iterator[Way]:
        """The way to all scores that change with a given."""
        changed = {name}
        for call in self.calls:
            if changed & {call.left, call.right}:
                changed.add(call.out)
        for scores in self.scores:
            if scores.matrix in changed:
                yield Way(scores, self._calls_between(changed, scores.matrix))

    def _calls_between(self, changed: Container[str], matrix: str) -> tuple[Following, ...]:
        """The calls behind a matrix whose results change."""
        wanted, found = {matrix}, []
        for call in reversed(self.calls):
            if call.out in wanted and call.out in changed:
                wanted |= {call.left, call.right}
                found.append(call)
        return tuple(reversed(found))


def lattice_of(form: Form) -> Lattice | None:
    """The lattice of a form, if there is one: nothing but products leads from its numbers to its weights."""
    plain = form.problem.rounding is None and not (form.drawings or form.derived or form.slips)
    try:
        return Lattice(form) if plain else None
    except (KeyError, AttnsolveError):
        return None


def is_needed(form: Form, weights: str) -> bool:
    """Whether other weights are made from these."""
    return any(weights in call.args for call in form.weighing)


def denominator_of(domain: Domain) -> int:
    """The common denominator of all numbers that may be drawn; there is none for roots: a KeyError."""
    numbers = [entry.value.rational() for entry in domain.entries]
    if None in numbers:
        raise KeyError("no whole numbers")
    return lcm(*(number.denominator for number in numbers if number is not None))


def in_whole_numbers(domain: Domain, denominator: int) -> tuple[tuple[Entry, int], ...]:
    """What may be drawn, each with its number in parts of the denominator."""
    numbers = [entry.value.rational() for entry in domain.entries]
    return tuple(
        (entry, int(number * denominator))
        for entry, number in zip(domain.entries, numbers, strict=True)
        if number is not None
    )


def choosing(rows: Sequence[int], size: int) -> Integers:
    """The matrix that picks some rows of another."""
    return Integers([[int(row == column) for column in range(size)] for row in rows])


def seen_keys(form: Form, call: Call, before: Keep | None) -> Keep:
    """The columns that a mask leaves in each row; one that is drawn, or adds numbers, raises a KeyError."""
    rows, columns = form.problem.frames[call.out].shape
    masks: list[Matrix] = [form.problem.givens[name].value for name in call.args[1:]]
    hidden = call.op.rule(Rationals([[0] * columns] * rows), *masks, **call.options)
    left = shown(hidden)
    if set(call.args[1:]) & set(form.domains) or not isinstance(left, Rationals) or any(map(any, left.rows)):
        raise KeyError(call.out)
    seen = [[j for j, kept in enumerate(row) if kept] for row in visible(hidden).rows]
    earlier = before or (tuple(range(columns)),) * rows
    return tuple(tuple(j for j in row if j in old) for row, old in zip(seen, earlier, strict=True))


def judged_row(
    row: tuple[int, ...], *, unit: float, wish: Wish, window: Window
) -> tuple[tuple[int, ...], float]:
    """How far each score of a row lies below the largest, which is all that softmax sees, and its cost."""
    top = max(row)
    gaps = tuple([top - score for score in row])
    return gaps, row_cost(sorted(gaps), unit=unit, wish=wish, window=window)


def row_cost(gaps: Sequence[int], *, unit: float, wish: Wish, window: Window) -> float:
    """How far the weights of a row are from the window, by how far its scores lie below the largest."""
    if not wish.exponential:  # all the weight goes to the largest
        return float(gaps.count(0) - 1) if wish.ties else 0.0
    cost = float(len(gaps) - len(set(gaps))) if wish.ties else 0.0
    distances = [gap * unit for gap in gaps]
    if wish.small and distances[-1] > window.widest:  # every score that is too low pulls on its own
        return cost + 0.5 + added([far - window.widest for far in distances if far > window.widest])
    shares = [exponential(-far) for far in distances]
    whole = added(shares)
    if wish.small and shares[-1] < window.least * whole:
        cost += 0.5
    if wish.large and 1.0 > window.most * whole:
        cost += 0.5
    return cost


def follow(calls: Sequence[Following], values: Mapping[str, Integers], made: dict[str, Integers]) -> None:
    """Add to what is `made` already what the calls make of some values."""
    for call in calls:
        if call.out in made:
            continue
        left = made[call.left] if call.left in made else values[call.left]
        right = made[call.right] if call.right in made else values[call.right]
        if isinstance(call, Total):
            made[call.out] = left * call.a + right * call.b
        else:
            made[call.out] = left * (right.transpose() if call.turned else right)
