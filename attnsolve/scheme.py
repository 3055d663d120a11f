"""The mark scheme: what a step is worth, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from attnsolve.ops import OPS_BY_NAME
from attnsolve.problem import Call, Part, Problem, Scheme

__all__ = ["EACH", "Scheme", "Worth", "worth"]

SELECT = OPS_BY_NAME["select"]
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


def worth(problem: Problem, part: Part, call: Call) -> Worth:
    """What the file gives for method and numbers; else half of a step's marks, rounded down, for its method.

    Where a part has one number its steps share it. A file without any marks gives each step 2; one that has
    some gives nothing for what it does not name. Picking out tokens is no work.
    """
    if call.op is SELECT:
        return Worth()
    if "" in part.marks:
        share = Fraction(part.marks[""], sum(other.op is not SELECT for other in part.calls))
        return Worth(share / 2, share / 2)
    total = part.marks_of(call) if any(other.marks for other in problem.parts) else EACH
    # A single mark is for the answer: without it, too few digits would cost nothing.
    method = part.method_marks_of(call, default=total // 2)
    return Worth(Fraction(method), Fraction(total - method))
