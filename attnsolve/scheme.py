"""The mark scheme: what a step is worth, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from attnsolve.ops import Family
from attnsolve.problem import Call, Part, Problem, Scheme

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


def worth(problem: Problem, part: Part, call: Call) -> Worth:
    """What the file gives for method and numbers; else half of a step's marks, rounded down, for its method.

    Where a part has one number its steps share it; what it has for one step is shared by all of its cases. A
    file without any marks gives each step 2; one that has some gives nothing for what it does not name.
    Picking out tokens is no work.
    """
    if call.op.family is Family.SELECTION:
        return Worth()
    if "" in part.marks:
        working = [other for other in part.calls if other.op.family is not Family.SELECTION]
        beside = [other for other in working if case_of(part, other) == case_of(part, call)]
        cases = {case_of(part, other) for other in working}
        share = Fraction(part.marks[""], len(beside) * len(cases))
        return Worth(share / 2, share / 2)
    sharing = repeated(part, call)
    if sharing:
        total, count = part.marks[call.letter], len(sharing)
        method = part.methods.get(call.letter, total // 2)
        return (
            Worth(Fraction(method, count), Fraction(total - method, count))
            if call.out in sharing
            else Worth()
        )
    total = part.marks_of(call) if any(other.marks for other in problem.parts) else EACH
    # A single mark is for the answer: without it, too few digits would cost nothing.
    method = part.method_marks_of(call, default=total // 2)
    return Worth(Fraction(method), Fraction(total - method))


def case_of(part: Part, call: Call) -> str:
    """The case that a step belongs to, if its part has any."""
    return call.group.partition(".")[0] if part.cases else ""


def repeated(part: Part, call: Call) -> list[str]:
    """The steps that share what is given for a letter, one in each case; none for a step with its own marks.

    In a case a letter means the result outside all heads, or the first of them that has one.
    """
    if not part.cases or call.letter not in part.marks or own_name(call) in part.marks:
        return []
    alike = [other for other in part.calls if other.letter == call.letter]
    meant: dict[str, Call] = {}
    for other in sorted(alike, key=lambda one: one.group.count(".")):
        meant.setdefault(case_of(part, other), other)
    return [other.out for other in meant.values() if own_name(other) not in part.marks]


def own_name(call: Call) -> str:
    """The name of a step within its part: `case1.A`."""
    return call.out.partition(".")[2]
