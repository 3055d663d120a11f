"""Linear attention: a feature map in place of the exponential, and two orders of multiplication."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Role
from attnsolve.ops.feature import MAPS
from attnsolve.problem import Call
from attnsolve.recipes import projections
from attnsolve.recipes.base import Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.self_attention import INPUT, QUERIES

FEATURE, TOTAL, RATIO = OPS_BY_NAME["feature"], OPS_BY_NAME["total"], OPS_BY_NAME["ratio"]
TRANSPOSE, PRODUCT, DOT = OPS_BY_NAME["transpose"], OPS_BY_NAME["product"], OPS_BY_NAME["dot"]
SUM, MIX = OPS_BY_NAME["sum"], OPS_BY_NAME["mix"]
ORDERS = ("keys_first", "scores_first")

FIELDS = (
    INPUT,
    Field(
        "context", "matrix", "the tokens that keys and values come from, if not the input", role=Role.TOKENS
    ),
    QUERIES,
    *projections.PROJECTIONS,
    Field("feature_map", "choice", "elu (default: elu(x) + 1), relu, exp or square", choices=MAPS),
    Field(
        "order",
        "choice",
        "keys_first (default): keys with values, then queries; scores_first: as softmax attention has it",
        choices=ORDERS,
    ),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """φ(Q) (φ(K)ᵀ V) over φ(Q) Σφ(k), or the shares of φ(Q) φ(K)ᵀ times V."""
    tokens = settings["input"]
    context = settings.get("context", tokens)
    asking = projections.only(plan, tokens, settings.get("queries"))
    Q, K, V = (
        projections.project(plan, letter, source, settings)
        for letter, source in zip("QKV", (asking, context, context), strict=True)
    )
    map = settings.get("feature_map", "elu")
    FQ = plan.call("FQ", FEATURE, Q, title=message("Features of the queries"), map=map)
    FK = plan.call("FK", FEATURE, K, title=message("Features of the keys"), map=map)
    if settings.get("order") == "scores_first":
        with plan.at("W_K"):
            scores = plan.call("S", DOT, FQ, FK)
        plan.call("Z", MIX, plan.call("A", SUM, scores), V)
        return
    turned = plan.call("FT", TRANSPOSE, FK, title=message("Turn the features of the keys"))
    together = plan.call("M", PRODUCT, turned, V, title=message("Keys with values, added up over all tokens"))
    sums = plan.call("u", TOTAL, FK, title=message("The sum of the features of all keys"))
    with plan.at("W_K"):
        plan.call("Z", RATIO, FQ, together, sums)


def _keys_without_features(call: Call, setting: Setting) -> Call | None:
    return None if call.op is FEATURE and call.letter == "FK" else call


LINEAR_ATTENTION = Recipe(
    name="linear_attention",
    doc="attention with a feature map instead of a softmax, in either order of multiplication",
    fields=FIELDS,
    build=build,
    mistakes=(
        edited("keys-without-features", "The keys go through the feature map too.", _keys_without_features),
    ),
)
