"""What attention rows are made of: exponents as whole numbers, and sums of exponentials to divide by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from attnsolve.exact.combinations import Combination, Exponent
from attnsolve.exact.flint_parts import arb, ctx
from attnsolve.exact.roots import ONE, Root, root_ball
from attnsolve.records import NamedTuple

# An exponent inside one matrix: a whole number of units, or one for each unit.
Key = int | tuple[int, ...]
Vector = Sequence[int]


class Scale(NamedTuple):
    """What a key counts: Σ key_u·unit_u / denominator."""

    units: tuple[Root, ...]
    denominator: int

    def exponent(self, key: Key) -> Exponent:
        """The exponent a key stands for."""
        if isinstance(key, int):
            return ((self.units[0], Fraction(key, self.denominator)),) if key else ()
        pairs = zip(self.units, key, strict=True)
        return tuple(sorted((root, Fraction(x, self.denominator)) for root, x in pairs if x))

    def steps(self) -> list[arb]:
        """What one count of each unit adds to the exponent, at the working precision."""
        return [root_ball(root) / self.denominator for root in self.units]


def exponent_at(steps: list[arb], key: Key) -> arb:
    """The exponent a key stands for, as a ball."""
    if isinstance(key, int):
        return steps[0] * key
    return sum((step * x for step, x in zip(steps, key, strict=True) if x), arb(0))


class Shares(dict[Key | None, arb]):
    """e^key/D at one precision, for the keys of D and for any other that is asked; 0 for a hidden one."""

    __slots__ = ("below", "steps")

    def __init__(self, scale: Scale, counts: dict[Key, int]) -> None:
        self.steps = scale.steps()
        powers = {key: exponent_at(self.steps, key).exp() for key in counts}
        self.below = sum((power * counts[key] for key, power in powers.items()), arb(0))
        super().__init__({key: power / self.below for key, power in powers.items()})
        self[None] = arb(0)

    def __missing__(self, key: Key | None) -> arb:
        assert key is not None
        self[key] = share = exponent_at(self.steps, key).exp() / self.below
        return share


class Total:
    """A row's denominator D = Σ count·e^key, shared by every cell of the row."""

    __slots__ = ("_combination", "_made_of", "_shares", "counts", "scale")

    def __init__(self, scale: Scale, counts: dict[Key, int]) -> None:
        self.scale = scale
        self.counts = counts
        self._combination: Combination | None = None
        self._made_of: tuple[object, ...] = ()
        self._shares: dict[int, Shares] = {}

    def terms(self) -> Combination:
        """D as a combination of exponentials."""
        if self._combination is None:
            self._combination = combine(self.scale, self.counts.items(), ONE, 1)
        return self._combination

    def made_of(self) -> tuple[object, ...]:
        """What tells D from others."""
        self._made_of = self._made_of or (self.scale, frozenset(self.counts.items()))
        return self._made_of

    def shares(self) -> Shares:
        """e^key/D for each key, at the working precision."""
        bits = ctx.prec
        if bits not in self._shares:
            self._shares[bits] = Shares(self.scale, self.counts)
        return self._shares[bits]


def one(scale: Scale) -> Total:
    """The denominator 1."""
    return Total(scale, {0 if len(scale.units) == 1 else (0,) * len(scale.units): 1})


def combine(scale: Scale, terms: Iterable[tuple[Key, int]], root: Root, denominator: int) -> Combination:
    """Σ coefficient·root·e^key / denominator."""
    return Combination.of((scale.exponent(key), root, Fraction(c, denominator)) for key, c in terms if c)
