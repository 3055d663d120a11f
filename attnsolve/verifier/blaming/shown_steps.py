"""What a mistake still shows: the steps that its plan goes through and does right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rational
from attnsolve.exact.balls import fixed
from attnsolve.exact.masked import Masked
from attnsolve.problem import Call
from attnsolve.verifier.digits import BITS


class ShownSteps(NamedTuple):
    """The steps on the way of a mistake: those that stay right, and those done right with wrong numbers."""

    right: frozenset[str] = frozenset()
    followed: tuple[str, ...] = ()  # in order, with the step that was written at the end
    made: tuple[str, ...] = ()  # the steps that are done by a wrong rule

    def common(self, other: ShownSteps) -> ShownSteps:
        """What is so on both ways."""
        followed = tuple(name for name in self.followed if name in other.followed)
        made = tuple(name for name in self.made if name in other.made)
        return ShownSteps(self.right & other.right, followed, made)


def shown_steps(
    calls: Sequence[Call], right: Sequence[Call], out: str, values: Mapping[str, Matrix]
) -> ShownSteps:
    """What a changed plan needs for one of its values, and finds as it should be found."""
    made = {call.out: call for call in calls}
    spoilt: set[str] = set()
    for call in calls:
        if call not in right or spoilt & set(call.args):
            spoilt.add(call.out)
    needed, left = {out}, [out]
    while left:
        found = made.get(left.pop())
        if found is None:
            continue  # given, or of an earlier part
        names = found.args if found in right else tuple(used(found, values))
        left += [name for name in names if name not in needed]
        needed.update(names)
    rules = {call.out: call.op for call in right}
    wrong = [call for call in calls if call.out in spoilt & needed and call.out in rules]
    followed = tuple(call.out for call in wrong if rules[call.out] is call.op)
    by_rule = tuple(call.out for call in wrong if rules[call.out] is not call.op)
    return ShownSteps(frozenset(needed - spoilt - {out}), followed, by_rule)


def used(call: Call, values: Mapping[str, Matrix]) -> Iterator[str]:
    """The arguments that a wrong rule looks at: the plain average of the values needs no weights."""
    for name in dict.fromkeys(call.args):
        if name not in values or any(changes(call, values, name, other) for other in others(values[name])):
            yield name


def changes(call: Call, values: Mapping[str, Matrix], name: str, other: Matrix) -> bool:
    """Whether a call gives something else once one of its arguments is something else."""
    before = [values.get(argument) for argument in call.args]
    after = [other if argument == name else values.get(argument) for argument in call.args]
    try:
        first = call.op.rule(*before, **call.options).balls(BITS)
        second = call.op.rule(*after, **call.options).balls(BITS)
    except (AttnsolveError, AttributeError):
        return True  # it was looked at, at least
    return any(
        not mine.overlaps(yours)
        for row, column in zip(first, second, strict=True)
        for mine, yours in zip(row, column, strict=True)
    )


def others(value: Matrix) -> Iterator[Matrix]:
    """Other numbers of the same shape: all a little different, and the same ones the other way round."""
    if isinstance(value, Masked):
        yield from (Masked(other, value.keep) for other in others(value.base))
        return
    height, width = value.shape
    balls = value.balls(BITS)
    steps = [
        [Rational(Fraction(i * width + j + 1, 7)).ball(BITS) for j in range(width)] for i in range(height)
    ]
    for rows in (balls, [row[::-1] for row in balls[::-1]]):
        yield fixed(
            [[x + s for x, s in zip(row, more, strict=True)] for row, more in zip(rows, steps, strict=True)]
        )
