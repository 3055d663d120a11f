"""What an exercise is about, and how much work it is: by its plan, not by what its title says."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Family
from attnsolve.ops.base import Op
from attnsolve.problem import Problem
from attnsolve.variants.effort import PLAIN, effort


class Topic(Enum):
    """What an exercise is about, in the order of a course."""

    ATTENTION = message("Queries, keys and values")
    SCORES = message("Other ways to compare")
    WEIGHTS = message("Other weights than softmax")
    POSITIONS = message("Where a token stands")
    MASKS = message("Masks")
    HEADS = message("Several heads")
    BLOCKS = message("Whole blocks and models")
    RECURRENT = message("Recurrent networks")
    LEARNING = message("Gradients and learning")
    COSTS = message("Costs")
    SYMBOLS = message("Attention with symbols")
    CHOICE = message("Questions of choice")


class Work(Enum):
    """How much work an exercise is."""

    SHORT = message("short")
    MEDIUM = message("medium")
    LONG = message("long")


SHORT, MEDIUM = 60, 200  # products by hand, at most
# What shows by itself what an exercise is about.
TELLING = {
    Topic.LEARNING: ("left_gradient", "right_gradient"),
    Topic.BLOCKS: ("layer_norm", "rms_norm"),
    Topic.RECURRENT: ("recur",),
}


def topic_of(problem: Problem) -> Topic:
    """What is most special about an exercise: what many of its steps do otherwise than usual."""
    parts, ops = problem.parts, [call.op for call in problem.calls()]
    if any(part.choice for part in parts):
        return Topic.CHOICE
    if any(part.abstract for part in parts):
        return Topic.SYMBOLS
    counted = [part for part in parts if part.calls or part.costs]
    if 4 * sum(part.costs is not None for part in counted) >= len(counted) > 0:
        return Topic.COSTS
    for topic, names in TELLING.items():
        if any(OPS_BY_NAME[name] in ops for name in names):
            return topic
    if any(call.group.startswith("head") for call in problem.calls()) or any(part.aliases for part in parts):
        return Topic.HEADS
    return by_steps(ops)


def by_steps(ops: Sequence[Op]) -> Topic:
    """What the steps of plain attention are about."""
    families = [op.family for op in ops]
    scores = [op for op in ops if op.family is Family.SCORE]
    weights = [op for op in ops if op.family is Family.NORMALISER]
    if Family.ROTATION in families or Family.BIAS in families or OPS_BY_NAME["sinusoid"] in ops:
        return Topic.POSITIONS
    if scores and 3 * sum(op is not OPS_BY_NAME["dot"] for op in scores) >= len(scores):
        return Topic.SCORES
    if weights and 2 * sum(op is not OPS_BY_NAME["softmax"] for op in weights) > len(weights):
        return Topic.WEIGHTS
    return Topic.MASKS if 2 * families.count(Family.MASK) > len(weights) else Topic.ATTENTION


def products_of(problem: Problem) -> int:
    """How many plain products an exercise is worth by hand."""
    return round(effort(problem) / PLAIN)


def work_of(products: int) -> Work | None:
    """So many products in one word; None where there is nothing to multiply."""
    if not products:
        return None
    return Work.SHORT if products <= SHORT else Work.MEDIUM if products <= MEDIUM else Work.LONG
