"""What is found of a claim, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from attnsolve.assumptions import Approach
from attnsolve.derivations.derivation import Circumstance, Outcome
from attnsolve.exact import Cell
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.tree import Name, Tree


class Verdict(Enum):
    """How a claim was judged."""

    TRUE = "true"
    CONDITIONAL = "true only if"
    APPROXIMATE = "approximately true"
    FALSE = "false"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Example:
    """Numbers for which a claim fails, and what its two sides are there."""

    point: tuple[tuple[Tree, Fraction], ...]  # symbols, or how far one is beyond a bound, and numbers
    left: Cell | None = None
    right: Cell | None = None
    member: Tree | None = None  # of vectors: whose multiples are compared


@dataclass(frozen=True, slots=True)
class Bound:
    """`c ≥ √d ln(…)`: for which values of a symbol a claim holds."""

    variable: Name
    relation: Relation
    bound: Tree


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a claim, with what proves it or mends it."""

    claim: Statement
    verdict: Verdict
    condition: Circumstance = field(default_factory=Circumstance)  # all that is 0 where it holds
    also: tuple[Circumstance, ...] = ()  # other cases in which it holds
    bounds: tuple[Bound, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()  # letters that have to stand for other keys than these: i ≠ a
    same: tuple[tuple[str, str], ...] = ()  # letters that have to stand for one of these keys: i = a
    right: Tree | None = None  # what the left side is
    missing: Tree | None = None  # left - right
    first_term: Tree | None = None  # of what is missing, as something tends somewhere
    tending: tuple[Approach, ...] = ()  # where what is missing tends to 0
    largest: tuple[Approach, Tree] | None = None  # where it is largest, and what it tends to there
    trend: Outcome | None = None
    example: Example | None = None
    why: str = ""  # for developers: what could not be done


def worst(judgements: tuple[Judgement, ...]) -> Verdict:
    """The verdict on a line: that of its weakest claim."""
    order = (Verdict.FALSE, Verdict.UNDECIDED, Verdict.CONDITIONAL, Verdict.APPROXIMATE, Verdict.TRUE)
    found = {one.verdict for one in judgements}
    return next(verdict for verdict in order if verdict in found)
