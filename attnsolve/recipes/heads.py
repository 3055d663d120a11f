"""One attention head: scores, weights, mixed values; every recipe is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops import NORMALISERS_BY_NAME, OPS_BY_NAME, PLACINGS_BY_NAME, SCORES_BY_NAME
from attnsolve.recipes import masks
from attnsolve.recipes.base import Chosen, Plan
from attnsolve.recipes.fields import Field
from attnsolve.recipes.projections import PROJECTIONS
from attnsolve.recipes.scores import compared, prepare

MIX, SOFTMAX = OPS_BY_NAME["mix"], OPS_BY_NAME["softmax"]

SETTINGS = (
    Field(
        "score",
        "op",
        "how a query is compared with a key: dot (default), or with its matrices",
        ops=SCORES_BY_NAME,
    ),
    Field(
        "divide_by",
        "scale",
        "what the scores are divided by: sqrt(d_k) (default of dot scores), a number, or none",
    ),
    Field("multiply_by", "scale", "what the scores are multiplied by, for sheets that write it so"),
    Field("soft_cap", "number", "a bound c that the scaled scores are pressed under: c tanh(S/c)"),
    Field(
        "position",
        "op",
        "how the places of queries and keys change the scores, beside any mask",
        ops=PLACINGS_BY_NAME,
    ),
    Field("mask", "map", "which keys a query may not look at", fields=masks.FIELDS),
    Field("weights", "op", "how scores become weights", ops=NORMALISERS_BY_NAME),
)

# What one head of several may say for itself.
HEAD = (*PROJECTIONS, *SETTINGS)


def attention(
    plan: Plan,
    Q: str,
    K: str,
    V: str | None,
    settings: Mapping[str, Any],
    *,
    d_model: int,
    output: str = "Z",
) -> str:
    """From queries, keys and values to the output: S, T, M, A and Z."""
    weights = normalise(plan, compared(plan, Q, K, settings, d_model=d_model), settings)
    if V is None:
        return weights
    with plan.at("values"):
        return plan.call(output, MIX, weights, V)


def weigh(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """From scores to weights."""
    return normalise(plan, prepare(plan, scores, settings, sizes), settings)


def normalise(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The weights, with whatever is set for their op."""
    chosen: Chosen = settings.get("weights") or Chosen(SOFTMAX)
    with plan.at("weights"):
        weights = plan.call("A", chosen.op, scores, **plan.chosen_options(chosen))
    return masks.silence(plan, weights, settings)
