"""A derivation as data: passages of lines, each with the reason why it follows from the one above."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Name, Tree


class Reason(Enum):
    """Why a line follows; its words are the business of rendering."""

    DEFINITION = "definition"
    BILINEARITY = "bilinearity"
    ORTHONORMALITY = "orthonormality"
    ORTHOGONALITY = "orthogonality"
    DOT_PRODUCTS = "dot products"
    ADDING_UP = "adding up"
    SOFTMAX = "softmax"
    GROUPING = "grouping"
    EQUAL_EXPONENTS = "equal exponents"
    WEIGHTED_SUM = "weighted sum"
    COMMON_DENOMINATOR = "common denominator"
    DIVIDING = "dividing"
    VANISHING = "vanishing"
    LEADING = "leading"
    SUBTRACTING = "subtracting"
    INSERTING = "inserting"
    HIDDEN = "hidden"
    MULTIPLYING = "multiplying"
    COLLECTING = "collecting"
    DIVIDING_POSITIVE = "dividing by something positive"
    LOGARITHM = "logarithm"
    SOLVING = "solving"
    DERIVATIVE = "derivative"
    TAKING_LOGARITHMS = "taking logarithms"
    CONTINUITY = "continuity"
    RESULTS_PUT_IN = "results put in"
    INDEPENDENCE = "independence"
    MEAN_OF_SQUARE = "the mean of a square is the variance plus the square of the mean"
    MEAN_OF_SUM = "means of sums are sums of means"
    SUM_OF_VARIANCES = "variances of independent terms add up"
    EQUAL_TERMS = "all terms are equal"
    VARIANCE_OF_MULTIPLE = "the variance of a multiple"
    QUOTIENT_OF_SUM = "quotient rule, for a weight over the sum of exponentials"
    WEIGHTS_AGAIN = "exponentials over their sum are weights"
    MULTIPLYING_NONZERO = "multiplying by a denominator that is not 0"
    EXCHANGEABLE = "exchangeable"
    SUM_OF_WEIGHTS = "sum of weights"
    LINEARITY = "linearity"
    LARGEST = "largest"
    BERNOULLI = "bernoulli"
    OTHER_ORDER = "the other order"
    ALL_INDICES = "a permutation runs through all indices"


@dataclass(frozen=True, slots=True)
class Line:
    """`left = right`, because of a reason; without a left side it goes on from the line above."""

    left: Tree | None
    relation: Relation
    right: Tree
    reason: Reason | None = None
    about: Tree | None = None  # what the reason speaks of: what is divided by, what vanishes
    follows: bool = False  # whether it is equivalent to the line above, rather than a chain's next link


class Topic(Enum):
    """What a passage is about."""

    SCORES = "scores"
    DENOMINATOR = "denominator"
    WEIGHTS = "weights"
    OUTPUT = "output"
    TOGETHER = "together"
    LIMIT = "limit"
    ERROR = "error"
    SOLUTION = "solution"
    MONOTONY = "monotony"
    MOMENTS = "moments"
    TABLE = "table"
    EXPECTATION = "expectation"
    REORDERING = "reordering"


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A case: formulas that have to be positive, or not 0, and some of which one has to be 0."""

    positive: tuple[Tree, ...] = ()
    zero: tuple[Tree, ...] = ()
    nonzero: tuple[Tree, ...] = ()


class Outcome(Enum):
    """What a question about a symbol came to, beside its lines."""

    INCREASES = "increases"
    DECREASES = "decreases"
    CONSTANT = "constant"
    NEVER_DECREASES = "never decreases"
    NEVER_INCREASES = "never increases"
    ALWAYS = "always"
    NEVER = "never"
    UNDECIDED = "undecided"
    UNBOUNDED = "unbounded"
    SOLUTION = "one of several solutions"
    ONLY_SOLUTION = "the only solution"
    NOT_ALL = "solves one equation, and not the others"
    CHECKED_SOLUTION = "a solution of all equations"
    SAME_ORDER = "outputs are put into the same order"
    SAME_OUTPUT = "the output stays the same"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to say about a formula: what it came to, in which circumstance."""

    outcome: Outcome
    subject: Tree | None = None
    variable: Name | None = None
    circumstance: Circumstance = Circumstance()


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that belong together; `head` counts from 1 where there are several heads."""

    topic: Topic
    chains: tuple[tuple[Line, ...], ...]
    head: int = 0
    variable: Name | None = None
    at_infinity: bool = False
    circumstance: Circumstance = Circumstance()
    for_others: str = ""  # the letter of indices without a name, where a chain speaks of them
    remarks: tuple[Remark, ...] = ()
    hidden: tuple[Name, ...] = ()  # keys that a mask hides


@dataclass(frozen=True, slots=True)
class TableRow:
    """Chosen numbers, and what comes out for them; None where it is not defined."""

    chosen: tuple[tuple[Name, Tree], ...]
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Certified decimals for chosen numbers."""

    symbols: tuple[Name, ...]
    subjects: tuple[Tree, ...]
    rows: tuple[TableRow, ...]
    left_out: int = 0  # combinations that the assumptions forbid


@dataclass(frozen=True, slots=True)
class Draws:
    """How often drawn weights lie in each tenth from 0 to 1, for every choice of numbers."""

    subject: Tree
    count: int
    seed: int
    chosen: tuple[tuple[tuple[Name, Tree], ...], ...]
    tenths: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Derivation:
    """The answer to a question about symbols."""

    passages: tuple[Passage, ...]
    table: Table | None = None
    results: dict[str, Tree] = field(default_factory=dict)
    expectations: Table | None = None
    draws: Draws | None = None
