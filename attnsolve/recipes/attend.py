"""Attention from queries, keys and values as they are given: one query or many, or scores alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops import OPS_BY_NAME, Family, Role
from attnsolve.recipes import head_mistakes, heads, projections
from attnsolve.recipes.base import FieldError, Plan, Recipe, present
from attnsolve.recipes.fields import Field
from attnsolve.recipes.scores import prepare

FIELDS = (
    Field("queries", "matrix", "the queries, a row each", role=Role.TOKENS),
    Field("keys", "matrix", "the keys, a row each", role=Role.TOKENS),
    Field("values", "matrix", "the values, a row each; the keys themselves when left out", role=Role.TOKENS),
    Field("scores", "matrix", "scores to start from instead of queries and keys", role=Role.SCORES),
    Field("given_weights", "matrix", "weights to start from: only the values are averaged", role=Role.SCORES),
    *projections.PROJECTIONS,
    *heads.SETTINGS,
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """S = q Kᵀ, T = S/√d, A = softmax(T), Z = A V."""
    if "given_weights" in settings:
        _from_weights(plan, settings)
        return
    if "scores" in settings:
        _from_scores(plan, settings)
        return
    Q, K, V = projected(plan, settings)
    heads.attention(plan, Q, K, V, settings, d_model=plan.frames[settings["keys"]].columns.size)


def projected(plan: Plan, settings: Mapping[str, Any]) -> tuple[str, str, str]:
    """Queries, keys and values, from those that are given."""
    for needed in ("queries", "keys"):
        if needed not in settings:
            raise FieldError((), f"the key '{needed}' is missing; say {needed}: X, or start from scores: S")
    keys = settings["keys"]
    Q = projections.project(plan, "Q", settings["queries"], settings)
    if "W_DKV" in settings:
        plan.refuse("W_DKV", "keys and values are given; a latent is made of tokens, as in self_attention")
    K = projections.project(plan, "K", keys, settings)
    return Q, K, projections.project(plan, "V", settings.get("values", keys), settings)


def given_scores(plan: Plan, settings: Mapping[str, Any]) -> str:
    """The scores that become weights, where the file gives them."""
    for surplus in ("queries", "keys", "score", "W_Q", "W_K", "b_Q", "b_K"):
        if surplus in settings:
            plan.refuse(surplus, f"'{surplus}' makes scores, but 'scores' gives them; keep one of the two")
    placing = settings.get("position")
    if placing is not None and placing.op.family is Family.ROTATION:
        said = f"{placing.op.name} turns queries and keys, but 'scores' gives what they make"
        plan.refuse("position", f"{said}; leave it out, or give queries and keys")
    scores = settings["scores"]
    sizes = {"n": plan.frames[scores].columns.size}
    # Nothing tells the width of a key here, so scores are scaled only when the file says by what.
    unscaled = {"divide_by": "none", **settings}
    return prepare(plan, scores, unscaled, sizes)


def _from_scores(plan: Plan, settings: Mapping[str, Any]) -> None:
    weights = heads.normalise(plan, given_scores(plan, settings), settings)
    if "values" in settings:
        _mixed(plan, weights, settings)
    elif "W_V" in settings or "b_V" in settings:
        plan.refuse(present(settings, "W_V", "b_V"), "there are no values to project; say values: V")


def _from_weights(plan: Plan, settings: Mapping[str, Any]) -> None:
    for surplus in settings:
        if surplus not in ("given_weights", "values", "W_V", "b_V"):
            plan.refuse(
                surplus, f"'{surplus}' makes weights, but 'given_weights' gives them; keep one of the two"
            )
    if "values" not in settings:
        raise FieldError((), "the key 'values' is missing; say which values are averaged, such as values: V")
    _mixed(plan, settings["given_weights"], settings)


def _mixed(plan: Plan, weights: str, settings: Mapping[str, Any]) -> None:
    V = projections.project(plan, "V", settings["values"], settings)
    with plan.at("values"):
        plan.call("Z", OPS_BY_NAME["mix"], weights, V)


ATTEND = Recipe(
    name="attend",
    doc="attention from given queries, keys and values, or from given scores",
    fields=FIELDS,
    build=build,
    mistakes=head_mistakes.MISTAKES,
)
