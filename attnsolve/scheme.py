"""The mark scheme: what a step is worth, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from attnsolve.problem import Call, Part, Scheme

__all__ = ["EACH", "Scheme", "Worth", "worth"]

# What a step is worth when the file says nothing: one mark for the method, one for the numbers.
EACH = 2


@dataclass(frozen=True, slots=True)
class Worth:
    """The marks of one step: for the method, and for the numbers."""

    method: Fraction = Fraction(0)
    accuracy: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """All that can be had."""
        return self.method + self.accuracy


def worth(part: Part, call: Call) -> Worth:
    """What the file gives for method and numbers; else half of a step's marks, rounded up, for its method.

    Where the file gives one number for the whole part its steps share it; where it gives none, each has 2.
    """
    if "" in part.marks:
        share = Fraction(part.marks[""], len(part.calls))
        return Worth(share / 2, share / 2)
    total = part.marks_of(call) if part.marks else EACH
    method = part.method_marks_of(call, default=(total + 1) // 2)
    return Worth(Fraction(method), Fraction(total - method))
