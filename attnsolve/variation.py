"""What may change from one exam variant to the next: pure data, as a problem file says it under `vary:`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil, floor

from attnsolve.exact import Cell, Rational
from attnsolve.languages import message
from attnsolve.records import NamedTuple

# Every judge by name, with the complaint it makes; `allow:` silences those that are about numbers.
JUDGES = {
    "zero_rows": message("a row or column of a given is zero"),
    "equal_rows": message("two rows or two columns of a given are equal"),
    "long_numbers": message("an exact number on the way is too long"),
    "negatives": message("too many of the given numbers are negative"),
    "fractions": message("too many of the given numbers are fractions"),
    "irrational_scale": message("scores are divided by an irrational number"),
    "ties": message("two scores of a row are equal"),
    "no_ties": message("no two scores of a row are equal, and ties are wanted"),
    "equal_weights": message("two queries get the same weights"),
    "small_weights": message("a weight is too small"),
    "large_weights": message("a weight is too large"),
    "undefined": message("a step has no value"),
    "mistakes": message("a catalogued mistake gives the right answer, or two give the same"),
    "choice": message("a question of choice has fewer options than in other variants"),
    "groups": message("other scores are equal than in the original"),
    "outcomes": message("a limit, a solution, a trend or a table is of another kind than in the original"),
    "verdicts": message("a claim has another verdict than in the original"),
    "too_few_claims": message("there are too few claims with one of the verdicts"),
    "effort": message("it is more or less work than the others"),
}
# Those that look at derivations: problems with numbers have none.
OF_SYMBOLS = ("groups", "outcomes", "verdicts", "too_few_claims")


# Which mistakes have to be told apart, which judges decide, and how numbers are looked for. What is added
# later belongs to a later generation: whoever asks for an earlier one gets the numbers it has always given.
GENERATION = 2


class Entry(NamedTuple):
    """A number that may stand in a given, as it is typed."""

    text: str
    value: Cell


class Domain(NamedTuple):
    """The numbers that each entry of a given is drawn from."""

    entries: tuple[Entry, ...]


class Choice(NamedTuple):
    """Ways to go on, one of which is chosen: each puts YAML texts in the places that paths lead to."""

    name: str
    ways: tuple[tuple[tuple[tuple[str | int, ...], str], ...], ...]


class Design(NamedTuple):
    """Weights that a part must come out with, in any order: keys are built from logarithms to give them."""

    part: str
    weights: tuple[tuple[Fraction, ...], ...]


class ClaimCounts(NamedTuple):
    """How many claims of a part each paper has, by their verdicts."""

    part: str
    true: int = 0
    conditional: int = 0
    approximate: int = 0
    false: int = 0


class JudgeSettings(NamedTuple):
    """How strict the judges are."""

    smallest_weight: Fraction = Fraction(1, 100)
    largest_weight: Fraction = Fraction(95, 100)
    digits: int = 6  # of a numerator and a denominator together
    negatives: Fraction = Fraction(1)  # the share of the varied numbers that may be below 0
    fractions: Fraction = Fraction(1)  # the share of them that need not be whole
    rational_scale: bool = False


# How far the work of a variant may be from the usual where nothing else is said.
BAND = Fraction(1, 10)


class Vary(NamedTuple):
    """What a problem file says about its variants; what it leaves open is inferred from its own numbers."""

    domains: Mapping[str, Domain] = {}
    fixed: tuple[str, ...] = ()
    shapes: tuple[Mapping[str, tuple[int, int]], ...] = ()
    choices: tuple[Choice, ...] = ()
    designs: tuple[Design, ...] = ()
    named: Mapping[str, tuple[str, ...]] = {}  # what the names under `let:` may stand for
    claims: tuple[ClaimCounts, ...] = ()
    omit: tuple[tuple[str | int, ...], ...] = ()  # paths to keys that hold for the original's numbers only
    judges: JudgeSettings = JudgeSettings()
    allow: tuple[str, ...] = ()
    want: tuple[str, ...] = ()
    band: Fraction = BAND
    version: int = 1
    generation: int = 0  # 0 where the file names none

    @property
    def inferred(self) -> bool:
        """Whether nothing is said about numbers, so that the original's own style decides."""
        return not (self.domains or self.designs or self.shapes or self.choices)


def ranged(low: Fraction, high: Fraction, denominators: Iterable[int], *, decimals: bool) -> Domain:
    """Every number from low to high with one of the denominators, smallest first."""
    numbers = {
        Fraction(top, bottom)
        for bottom in denominators
        for top in range(ceil(low * bottom), floor(high * bottom) + 1)
    }
    return Domain(tuple(Entry(spelled(x, decimals=decimals), Rational(x)) for x in sorted(numbers)))


def spelled(number: Fraction, *, decimals: bool) -> str:
    """A number as the original writes it: 0.5 or 1/2."""
    if number.denominator == 1:
        return str(number.numerator)
    for places in range(1, 7) if decimals else ():
        whole = number * 10**places
        if whole.denominator == 1:
            sign, digits = "-" if whole < 0 else "", str(abs(whole.numerator)).rjust(places + 1, "0")
            return f"{sign}{digits[:-places]}.{digits[-places:]}"
    return f"{number.numerator}/{number.denominator}"
