"""Rounding inside a step: √3 taken as 1.73, exponentials to two places, or those that somebody wrote down."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls, Enclosed, around, fixed, widened
from attnsolve.trace import Step
from attnsolve.verifier.carrying import BITS
from attnsolve.verifier.extras import EXPONENTIALS, beside
from attnsolve.working import evaluate


def other_ways(step: Step, values: dict[str, Matrix], inner_places: int | None) -> Iterator[Matrix]:
    """What a step may also give when numbers inside it are rounded."""
    try:
        written = values.get(beside(step, EXPONENTIALS))
        if step.call.op.powers is not None and isinstance(written, Balls):
            yield checked(written.normalised())
        if inner_places is not None:
            yield from rounded_inside(step, values, Fraction(1, 2 * 10**inner_places))
    except AttnsolveError:
        return  # so coarse that nothing can be told


def rounded_inside(step: Step, values: dict[str, Matrix], radius: Fraction) -> Iterator[Matrix]:
    """The divisor, or the exponentials, anywhere within half a unit of their last place."""
    inputs = [values[name] for name in step.call.args]
    if "by" in step.call.options:
        ball = around(evaluate(step.call.options["by"]), radius)
        near = Enclosed(lambda: ball)
        yield checked(inputs[0] / near if step.call.op.name == "divide" else inputs[0].scaled(near))
    if step.call.op.powers is not None:
        powers = step.call.op.powers(*inputs, **step.call.options).exp().balls(BITS)
        yield checked(fixed([[widened(x, radius) for x in row] for row in powers]).normalised())


def checked(value: Matrix) -> Matrix:
    """A value whose balls exist."""
    balls: Any = value.balls(BITS)
    assert balls
    return value
