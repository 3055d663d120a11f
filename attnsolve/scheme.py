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

    Where a part has one number its steps share it; what it has for one step is shared by all of its cases,
    and by all heads where only they have that step. A file without any marks gives each step 2; one that has
    some gives nothing for what it does not name. Picking out tokens is no work.
    """
    if call.op.family is Family.SELECTION:
        return Worth()
    if "" in part.marks:
        working = [other for other in part.calls if other.op.family is not Family.SELECTION]
        beside = [other for other in working if case_of(part, other) == case_of(part, call)]
        cases = {case_of(part, other) for other in working}
        share = Fraction(part.marks[""], len(beside) * len(cases))
        return Worth(share / 2, share / 2)
    if not any(other.marks for other in problem.parts):
        return Worth(Fraction(EACH, 2), Fraction(EACH, 2))
    name, count = marked_as(part, call)
    total = part.marks.get(name, 0)
    # A single mark is for the answer: without it, too few digits would cost nothing.
    method = part.methods.get(name, total // 2)
    return Worth(Fraction(method, count), Fraction(total - method, count))


def marked_as(part: Part, call: Call) -> tuple[str, int]:
    """The name under which the file gives marks to a step, and by how many steps these are shared."""
    own = own_name(call)
    if own in part.marks or call.letter not in part.marks:
        return own, 1
    sharing = [other for other in part.calls if meant(part, other) and other.letter == call.letter]
    return (call.letter, len(sharing)) if call in sharing else (own, 1)


def meant(part: Part, call: Call) -> bool:
    """Whether a letter means this step: the result outside all heads, or each of theirs if none is."""
    alike = [other for other in part.calls if other.letter == call.letter]
    beside = [other for other in alike if case_of(part, other) == case_of(part, call)]
    outermost = min(depth(other) for other in beside)
    return depth(call) == outermost and own_name(call) not in part.marks


def depth(call: Call) -> int:
    """How deep in heads, cases and layers a step is."""
    return len(call.group.split(".")) if call.group else 0


def case_of(part: Part, call: Call) -> str:
    """The case that a step belongs to, if its part has any."""
    return call.group.partition(".")[0] if part.cases else ""


def own_name(call: Call) -> str:
    """The name of a step within its part: `case1.A`."""
    return call.out.partition(".")[2]
