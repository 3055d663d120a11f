"""A claim as data: formulas in a chain of relations, and what it is said to hold for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from attnsolve.statements.tree import Name, Tree


class Relation(Enum):
    """What may stand between two formulas."""

    EQUAL = "="
    ABOUT = "≈"
    LESS = "<"
    AT_MOST = "≤"
    GREATER = ">"
    AT_LEAST = "≥"
    UNEQUAL = "≠"
    TENDS = "→"
    INCREASES = "increases with"
    DECREASES = "decreases with"

    @property
    def is_order(self) -> bool:
        """Whether it says which of two is larger."""
        return self in (Relation.LESS, Relation.AT_MOST, Relation.GREATER, Relation.AT_LEAST)

    @property
    def turned(self) -> Relation:
        """The same said from the other side."""
        return TURNED.get(self, self)


TURNED = {
    Relation.LESS: Relation.GREATER,
    Relation.GREATER: Relation.LESS,
    Relation.AT_MOST: Relation.AT_LEAST,
    Relation.AT_LEAST: Relation.AT_MOST,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """`i ≠ a, b`, `m = 2` or `c → ∞`, as it stands behind a claim."""

    variable: Name
    relation: Relation
    values: tuple[Tree, ...] = ()
    at_infinity: bool = False  # what the variable tends to, else 0


@dataclass(frozen=True, slots=True)
class Statement:
    """One relation between two formulas, with its conditions; `text` is what was written."""

    left: Tree
    relation: Relation
    right: Tree
    conditions: tuple[Condition, ...] = ()
    text: str = ""
