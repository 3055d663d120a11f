"""What a problem assumes of its symbols, numbers and vectors: pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from attnsolve.statements.claim import Statement
from attnsolve.statements.tree import ONE, ZERO, Name, Tree


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a number lies: bounds that it may reach or not, whole or real."""

    least: Fraction | None = None
    may_be_least: bool = False
    most: Fraction | None = None
    may_be_most: bool = False
    whole: bool = False
    above: str = ""  # another symbol that it is at least as large as: d >= m


@dataclass(frozen=True, slots=True)
class Normal:
    """Independent normal numbers with one mean and one variance."""

    mean: Tree
    variance: Tree


@dataclass(frozen=True, slots=True)
class Numbers:
    """A family of numbers, one for each index: λ_1, …, λ_m."""

    count: Tree
    domain: Domain
    normal: Normal | None = None


@dataclass(frozen=True, slots=True)
class Vectors:
    """A family of vectors; `square` and `between` are their dot products, where these are known."""

    count: Tree
    square: Tree | None = None  # k_i · k_i
    between: Tree | None = None  # k_i · k_j for i ≠ j
    table: Mapping[tuple[str, str], Tree] = field(default_factory=dict)  # a given Gram matrix, by indices
    orthogonal_to: tuple[str, ...] = ()  # families that it is orthogonal to
    is_single: bool = False  # one vector without an index

    @property
    def is_orthonormal(self) -> bool:
        """Whether its vectors have length 1 and stand at right angles."""
        return not self.table and self.square == ONE and self.between == ZERO


@dataclass(frozen=True, slots=True)
class Scaled:
    """A family made from two others, index by index: k_i = λ_i μ_i."""

    numbers: str
    vectors: str


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Everything that a problem assumes, by name, and what it defines with it."""

    symbols: Mapping[str, Domain] = field(default_factory=dict)
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    vectors: Mapping[str, Vectors] = field(default_factory=dict)
    scaled: Mapping[str, Scaled] = field(default_factory=dict)
    definitions: Mapping[Name, Tree] = field(default_factory=dict)  # q = c (k_a + k_b)

    @property
    def has_families(self) -> bool:
        """Whether anything is assumed of vectors, or of numbers with an index, and not of letters alone."""
        return bool(self.vectors or self.numbers or self.scaled)

    @property
    def names(self) -> frozenset[str]:
        """Every name that a formula may use."""
        defined = {name.name for name in self.definitions}
        return frozenset({*self.symbols, *self.numbers, *self.vectors, *self.scaled, *defined})


@dataclass(frozen=True, slots=True)
class Approach:
    """`c -> oo`: a symbol, and whether it tends to infinity or to 0."""

    variable: Name
    at_infinity: bool


@dataclass(frozen=True, slots=True)
class AbstractHead:
    """A query that attends to a family of keys with a family of values."""

    query: Name
    keys: str
    values: str = ""  # none where only weights are asked for
    divisor: Tree = ONE
    hidden: tuple[str, ...] = ()  # the keys that a mask hides, by their indices


@dataclass(frozen=True, slots=True)
class Attention:
    """Heads, and how their outputs are joined."""

    heads: tuple[AbstractHead, ...]
    combined: Tree | None = None  # of a_1, a_2, …: the output of several heads

    @property
    def queries(self) -> tuple[Name, ...]:
        """The query of each head."""
        return tuple(head.query for head in self.heads)

    @property
    def families(self) -> tuple[str, ...]:
        """The families of keys and of values, each once."""
        found = (name for head in self.heads for name in (head.keys, head.values) if name)
        return tuple(dict.fromkeys(found))

    @property
    def has_outputs(self) -> bool:
        """Whether values are mixed."""
        return any(head.values for head in self.heads)


@dataclass(frozen=True, slots=True)
class Inequality:
    """`{for: c, so that: alpha_a >= 1/2 - eps}`: a statement that is solved for a symbol."""

    variable: Name
    wanted: Statement


class Result(StrEnum):
    """What somebody writes down about an attention with symbols, and has marks for."""

    SCORES = "scores"
    WEIGHTS = "weights"
    OUTPUT = "output"
    LIMIT = "limit"
    SOLUTION = "solution"
    MONOTONY = "monotony"


WEIGHED = (Result.SCORES, Result.WEIGHTS)
ABOUT_LETTERS = (Result.LIMIT, Result.SOLUTION, Result.MONOTONY)


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A line of claims as it stands in a file, where, and how many claims it makes."""

    text: str
    line: int = 1
    column: int = 1
    count: int = 1


@dataclass(frozen=True, slots=True)
class Equations:
    """`{for: t, so that: alpha_1 = alpha_2 = 1/3}`: equations that are to hold together."""

    variable: Name
    wanted: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class RandomDotProduct:
    """The dot product of two random vectors; their numbers are independent, with one mean and variance."""

    length: Tree
    mean: Tree
    variance: Tree
    divisor: Tree = ONE


@dataclass(frozen=True, slots=True)
class Reordering:
    """So many tokens, or keys with their values, put into any other order."""

    count: Name
    divisor: Tree = ONE
    has_queries: bool = True  # whether each token asks too, or one query stays as it is


@dataclass(frozen=True, slots=True)
class EntryPart:
    """What a question asks of results that have letters in them."""

    about: str  # the part that made them
    dot_product: RandomDotProduct | None = None
    reordering: Reordering | None = None
    limits: tuple[Approach, ...] = ()
    solve: tuple[Equations | Inequality, ...] = ()
    monotony: tuple[Name, ...] = ()
    table: Mapping[Name, tuple[Fraction, ...]] = field(default_factory=dict)

    @property
    def marked(self) -> tuple[Result, ...]:
        """Everything that may have marks beside the steps."""
        asked = zip(ABOUT_LETTERS, (self.limits, self.solve, self.monotony), strict=True)
        return tuple(name for name, wanted in asked if wanted)


@dataclass(frozen=True, slots=True)
class AbstractPart:
    """What a question asks of an attention with symbols."""

    attention: Attention
    is_derived: bool = True  # whether scores, weights and output are worked out here, or were before
    limits: tuple[Approach, ...] = ()
    solve: tuple[Inequality, ...] = ()
    monotony: tuple[Name, ...] = ()
    table: Mapping[Name, tuple[Fraction, ...]] = field(default_factory=dict)
    claims: tuple[ClaimText, ...] = ()
    expect: Mapping[Name, tuple[Fraction, ...]] = field(default_factory=dict)  # for means and variances

    @property
    def results(self) -> tuple[Result, ...]:
        """What is to be found; where claims are to be judged, the derivation is only what they are about."""
        derived: tuple[Result, ...] = WEIGHED if self.is_derived and not self.claims else ()
        if derived and self.attention.has_outputs:
            derived = (*derived, Result.OUTPUT)
        asked = (
            (Result.LIMIT, () if self.expect else self.limits),
            (Result.SOLUTION, self.solve),
            (Result.MONOTONY, self.monotony),
        )
        return (*derived, *(name for name, wanted in asked if wanted))

    @property
    def judged(self) -> tuple[str, ...]:
        """The names of the claims that are to be judged: claim1, claim2."""
        return tuple(f"claim{number}" for number in range(1, sum(one.count for one in self.claims) + 1))

    @property
    def marked(self) -> tuple[str, ...]:
        """Everything that may have marks, by name."""
        return (*self.results, *self.judged)
