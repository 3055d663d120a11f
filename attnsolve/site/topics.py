"""What an exercise is about, and how much work it is: by its plan, not by what its title says."""

from __future__ import annotations

from enum import Enum

from attnsolve.languages import message
from attnsolve.ops import Family
from attnsolve.ops.dot import DOT
from attnsolve.ops.layer_norm import LAYER_NORM
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.problem import Problem
from attnsolve.variants.effort import PLAIN, effort


class Topic(Enum):
    """What an exercise is about, in the order of a course."""

    ATTENTION = message("Queries, keys and values")
    SCORES = message("Other ways to compare")
    WEIGHTS = message("Other weights than softmax")
    MASKS = message("Masks")
    HEADS = message("Several heads")
    BLOCKS = message("Whole blocks")
    COSTS = message("Costs")
    CHOICE = message("Questions of choice")


def topic_of(problem: Problem) -> Topic:
    """What is most special about an exercise: what many of its steps do otherwise than usual."""
    parts, calls = problem.parts, list(problem.calls())
    if any(part.choice for part in parts):
        return Topic.CHOICE
    if any(part.costs for part in parts):
        return Topic.COSTS
    if any(call.op is LAYER_NORM for call in calls):
        return Topic.BLOCKS
    if len({call.group for call in calls if call.group.startswith("head")}) or any(
        part.aliases for part in parts
    ):
        return Topic.HEADS
    scores = [call.op for call in calls if call.op.family is Family.SCORE]
    weights = [call.op for call in calls if call.op.family is Family.NORMALISER]
    masks = sum(call.op.family is Family.MASK for call in calls)
    if scores and 3 * sum(op is not DOT for op in scores) >= len(scores):
        return Topic.SCORES
    if weights and 3 * sum(op is not SOFTMAX for op in weights) >= len(weights):
        return Topic.WEIGHTS
    return Topic.MASKS if 2 * masks > len(weights) else Topic.ATTENTION


def products_of(problem: Problem) -> int:
    """How many plain products an exercise is worth by hand."""
    return round(effort(problem) / PLAIN)
