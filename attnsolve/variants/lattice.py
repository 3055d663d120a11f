"""The way from drawn numbers to scores in whole numbers: what most exercises do before their softmax.

Entries with a common denominator are whole numbers times a unit, and so are projections, dot products and
scaled scores. So one number that changes costs a few small products of integer matrices, and what weights a
row of scores gives depends on whole differences alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.integers import Lanes, Rows, rows_of
from attnsolve.exact.masked import shown, visible
from attnsolve.ops import Family
from attnsolve.ops.argmax import ARGMAX
from attnsolve.ops.dot import DOT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.scaling import DIVIDE, MULTIPLY
from attnsolve.ops.selection import SELECT
from attnsolve.ops.splitting import SPLIT
from attnsolve.problem import Call
from attnsolve.variants.forms import Form
from attnsolve.variants.packing import Following, Packing, Product, SearchedMatrix, Total
from attnsolve.variants.rough import rough
from attnsolve.variants.scores import Judged, Keep, Scores
from attnsolve.variants.search import window_of
from attnsolve.variation import Domain, Entry
from attnsolve.working import evaluate


class Lattice:
    """What follows from the drawn numbers of a form, in whole numbers."""

    def __init__(self, form: Form) -> None:
        self.given: dict[str, Rows] = {}  # those that do not vary
        self.denominators: dict[str, int] = {}  # of those that do
        self.drawable: dict[str, tuple[tuple[Entry, int], ...]] = {}
        self.calls: list[Following] = []
        self._judged: list[Judged] = []
        self._units: dict[str, Fraction] = {}
        self._scales: dict[str, float] = {}  # what scores are multiplied by besides
        self._keep: dict[str, Keep] = {}
        self._same: dict[str, str] = {}  # calls that leave the whole numbers as they are
        self._add_givens(form)
        for call in form.weighing:
            self._add(form, call)
        self.packing = Packing(self.calls, [*self.given, *self.denominators])
        self.scores = tuple(self._all_scores(form))
        self.fixed = {
            name: SearchedMatrix.of(rows, self.packing.weights[name]) for name, rows in self.given.items()
        }
        self.ways = {name: self._ways_from(name) for name in self.denominators}
        self.touched = {  # the costs that change with a given: its own, and those of weights
            name: frozenset({name, *(scores.weights for scores in ways)}) for name, ways in self.ways.items()
        }

    def _add_givens(self, form: Form) -> None:
        for name, given in form.problem.givens.items():
            domain = form.domains.get(name)
            if domain is not None:
                self.denominators[name] = denominator_of(domain)
                self.drawable[name] = in_whole_numbers(domain, self.denominators[name])
                self._units[name] = Fraction(1, self.denominators[name])
            elif isinstance(given.value, Rationals):
                self.given[name] = rows_of(given.value.rows)
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
        ones = [(1,)] * form.problem.frames[out].shape[0]
        product, rows = f"{out} without bias", f"{out} biases"
        self._multiply(product, X, W)
        self._multiply(rows, self._fixed(f"{out} ones", ones), b)
        if not self._scales[product] == self._scales[rows] == 1.0:
            raise KeyError(out)
        first, second = self._units[product].denominator, self._units[rows].denominator
        both = lcm(first, second)
        self._units[out] = Fraction(1, both)
        self.calls.append(Total(out, product, rows, both // first, both // second))

    def _fixed(self, name: str, matrix: Rows) -> str:
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
        judged = Judged(call.out, self._same.get(scores, scores), unit, keep, wish)
        if judged[1:] not in [other[1:] for other in self._judged]:
            self._judged.append(judged)

    def _all_scores(self, form: Form) -> Iterator[Scores]:
        largest = self._largest_values(form)
        for judged in self._judged:
            matrix = largest[judged.matrix]
            lanes = Lanes((len(matrix), len(matrix[0])), max(map(max, matrix)))
            yield Scores(
                judged,
                window_of(form.vary.judges),
                lanes,
                self.packing.ends(judged.matrix, lanes),
                is_full=len(matrix[0]) > 1 and all(len(keep) == len(matrix[0]) for keep in judged.keep),
            )

    def _largest_values(self, form: Form) -> dict[str, Rows]:
        """What no number can exceed, whatever is drawn."""
        largest: dict[str, Rows] = {
            name: [tuple(map(abs, row)) for row in rows] for name, rows in self.given.items()
        }
        for name, drawable in self.drawable.items():
            rows, columns = form.problem.givens[name].value.shape
            largest[name] = [(max(abs(number) for _, number in drawable),) * columns] * rows
        follow(self.calls, largest)
        return largest

    def _ways_from(self, name: str) -> tuple[Scores, ...]:
        """All scores that change with a given."""
        changed = {name}
        for call in self.calls:
            if changed & {call.left, call.right}:
                changed.add(call.out)
        return tuple(scores for scores in self.scores if scores.matrix in changed)


def follow(calls: Sequence[Following], values: dict[str, Rows]) -> None:
    """Add to some values what the calls make of them."""
    for call in calls:
        values[call.out] = call.made(values[call.left], values[call.right])


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


def choosing(rows: Sequence[int], size: int) -> Rows:
    """The matrix that picks some rows of another."""
    return [tuple([int(row == column) for column in range(size)]) for row in rows]


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
