"""Rounding inside a step: √3 taken as 1.73, exponentials to two places, or those that somebody wrote down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls, fixed
from attnsolve.exact.elementwise import ByHand
from attnsolve.exact.rationals import ones
from attnsolve.ops import OPS_BY_NAME
from attnsolve.scheme import Scheme
from attnsolve.trace import Step
from attnsolve.verifier.digits import BITS, rounded_unseen
from attnsolve.verifier.following.softmax_parts import EXPONENTIALS, SUMS, beside
from attnsolve.working import evaluate

DIVIDE = OPS_BY_NAME["divide"]


def other_ways(step: Step, values: dict[str, Matrix], scheme: Scheme, places: int) -> Iterator[Matrix]:
    """What a step may also give when numbers inside it are rounded to the places that somebody works with."""
    try:
        written = values.get(beside(step, EXPONENTIALS))
        if step.call.op.powers is not None and isinstance(written, Balls):
            yield checked(written.normalised())
        if step.call.out == beside(step, SUMS) and written is not None:
            yield checked(written @ ones(written.shape[1], 1))
        inner = places if scheme.inner_places is None else scheme.inner_places
        head = partial(rounded_unseen, places=inner, truncation=scheme.truncation)
        yield from rounded_inside(step, values, head)
    except AttnsolveError:
        return  # so coarse that nothing can be told


def rounded_inside(step: Step, values: dict[str, Matrix], head: Callable[[Any], Any]) -> Iterator[Matrix]:
    """The divisor, the exponentials, or other functions, as somebody may have kept them in the head."""
    inputs = [values[name] for name in step.call.args]
    if "by" in step.call.options:
        ball = head(evaluate(step.call.options["by"]).ball(BITS))
        near = fixed([[ball]]).cell(0, 0)
        yield checked(inputs[0] / near if step.call.op is DIVIDE else inputs[0].scaled(near))
    if step.call.op.powers is not None:
        powers = step.call.op.powers(*inputs, **step.call.options).exp().balls(BITS)
        yield checked(fixed([[head(x) for x in row] for row in powers]).normalised())
    with ByHand(head) as hand:
        value = step.call.op.rule(*inputs, **step.call.options)
    if hand.used:
        yield checked(value)


def checked(value: Matrix) -> Matrix:
    """A value whose balls exist."""
    balls: Any = value.balls(BITS)
    assert balls
    return value
