"""The mark scheme: what a step is worth, and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attnsolve.ops import Family
from attnsolve.problem import CHOICE, Call, Marks, Part, Problem, Scheme
from attnsolve.records import NamedTuple

__all__ = [
    "EACH",
    "Scheme",
    "Worth",
    "rescaled",
    "shared_out",
    "stated_worth",
    "tick_worth",
    "total_of",
    "worth",
]

# What a step is worth when the file says nothing: one mark for the method, one for the numbers.
EACH = 2


class Worth(NamedTuple):
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
    some gives nothing for what it does not name. Picking out tokens is no work, and where an option is ticked
    the working has marks only if the file says so.
    """
    if call.op.family is Family.SELECTION or (part.choice and not part.marks):
        return Worth()
    if "" in part.marks:
        working = [other for other in part.calls if other.op.family is not Family.SELECTION]
        beside = [other for other in working if case_of(part, other) == case_of(part, call)]
        cases = {case_of(part, other) for other in working}
        share = Fraction(part.marks[""], len(beside) * len(cases) + len(part.stated))
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


def tick_worth(problem: Problem, part: Part) -> Fraction:
    """What the right tick earns: what the file gives for it, or one mark in a file without any."""
    if part.choice is None:
        return Fraction(0)
    without_marks = not any(other.marks for other in problem.parts)
    return Fraction(1 if without_marks else part.marks.get(CHOICE, 0))


def stated_worth(problem: Problem, part: Part, name: str) -> Fraction:
    """What a result about symbols or the verdict on a claim is worth: `c.claim2`.

    Where a part has one number, all of them share it, with the steps if there are any; in a file without any
    marks a result has 2, a claim 1.
    """
    own = name.removeprefix(f"{part.id}.")
    if "" in part.marks:
        steps = [call for call in part.calls if call.op.family is not Family.SELECTION]
        return Fraction(part.marks[""], len(part.stated) + len(steps))
    if any(other.marks for other in problem.parts):
        return Fraction(part.marks.get(own, 0))
    return Fraction(1 if part.abstract is not None and own in part.abstract.judged else EACH)


def total_of(problem: Problem, part: Part) -> Fraction:
    """All that can be had for a part: for its steps, for what is ticked, and for its question in words."""
    beside = tick_worth(problem, part) + Fraction(part.in_words)
    beside += sum((stated_worth(problem, part, name) for name in part.stated), Fraction(0))
    return sum((worth(problem, part, call).total for call in part.calls), beside)


def rescaled(problem: Problem, points: Mapping[str, Fraction]) -> Problem:
    """The problem with parts that are worth so much, by their ids; the shares of the steps stay."""
    parts = tuple(
        with_total(part, total_of(problem, part), points[part.id]) if part.id in points else part
        for part in problem.parts
    )
    return problem._replace(parts=parts)


def shared_out(total: Fraction, worths: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The total in the proportions of `worths`, in whole marks, or in half ones where whole ones are too few.

    What is left after rounding down goes to those who lost most by it, the first of equals; nobody is left
    with nothing.
    """
    everything = sum(worths.values())
    exact = {name: total * one / everything for name, one in worths.items()}
    units = (Fraction(1), Fraction(1, 2))
    unit = next((one for one in units if total % one == 0 and total >= len(worths) * one), None)
    if unit is None:
        return exact
    given = {name: share // unit * unit for name, share in exact.items()}
    left = int((total - sum(given.values())) / unit)
    for name in sorted(given, key=lambda name: given[name] - exact[name])[:left]:
        given[name] += unit
    for name in [name for name, marks in given.items() if not marks]:
        rich = max((other for other in given if given[other] > unit), key=lambda one: given[one] - exact[one])
        given[rich] -= unit
        given[name] = unit
    return given


def with_total(part: Part, before: Fraction, total: Fraction) -> Part:
    """A part that is worth so much; one without marks of its own shares it among its steps."""
    if not before or not part.total:
        return part._replace(marks={CHOICE if part.choice else "": plain(total)})
    if total == before:
        return part
    factor = total / before
    methods = {name: part.methods.get(name, marks // 2) for name, marks in part.marks.items() if name}
    return part._replace(marks=times(part.marks, factor), methods=times(methods, factor))


def times(marks: Mapping[str, Marks], factor: Fraction) -> dict[str, Marks]:
    """Marks by name, each multiplied."""
    return {name: plain(one * factor) for name, one in marks.items()}


def plain(marks: Fraction) -> Marks:
    """A whole number where it is one."""
    return marks.numerator if marks.denominator == 1 else marks
