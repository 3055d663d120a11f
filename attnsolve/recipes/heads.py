"""One attention head: scores, scaling, weights, mixed values; every recipe is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.exact import Rational
from attnsolve.languages import message
from attnsolve.ops import NORMALISERS, OPS_BY_NAME, SCORES, Op
from attnsolve.ops.misfits import Misfit, Unfit
from attnsolve.recipes import masks
from attnsolve.recipes.base import Chosen, Plan
from attnsolve.recipes.fields import Field
from attnsolve.working import Apply, Expression, Symbol

SELECT, PROJECT, MIX = OPS_BY_NAME["select"], OPS_BY_NAME["project"], OPS_BY_NAME["mix"]
DIVIDE, MULTIPLY = OPS_BY_NAME["divide"], OPS_BY_NAME["multiply"]

# The words a file uses for the values of a head, and the letters they are kept under.
LETTERS = {
    "queries": "Q",
    "keys": "K",
    "values": "V",
    "scores": "S",
    "scaled": "T",
    "masked": "M",
    "weights": "A",
    "output": "Z",
    "concatenation": "C",
    # positions
    "positions": "P",
    "encoded": "E",
    # a decoder step
    "context": "C",
    "joined": "G",
    "state": "H",
    "logits": "O",
    "probabilities": "Y",
    "loss": "L",
    # an encoder block
    "residual": "R1",
    "norm": "N1",
    "hidden": "F",
    "activated": "G",
    "feed_forward": "E",
}

NO_SCALING = ("none", "1")

SETTINGS = (
    Field(
        "score", "op", "how a query is compared with a key: dot (default), or with its matrices", ops=SCORES
    ),
    Field(
        "divide_by",
        "scale",
        "what the scores are divided by: sqrt(d_k) (default of dot scores), a number, or none",
    ),
    Field("multiply_by", "scale", "what the scores are multiplied by, for sheets that write it so"),
    Field("mask", "map", "which keys a query may not look at", fields=masks.FIELDS),
    Field("weights", "op", "how scores become weights", ops=NORMALISERS),
)

PROJECTIONS = (
    Field("W_Q", "matrix", "projection of the queries", role="weights"),
    Field("W_K", "matrix", "projection of the keys", role="weights"),
    Field("W_V", "matrix", "projection of the values", role="weights"),
    Field("b_Q", "matrix", "bias of the queries", role="row"),
    Field("b_K", "matrix", "bias of the keys", role="row"),
    Field("b_V", "matrix", "bias of the values", role="row"),
)

TITLES = {
    "Q": message("Queries: project the tokens"),
    "K": message("Keys: project the tokens"),
    "V": message("Values: project the tokens"),
}

# What one head of several may say for itself.
HEAD = (*PROJECTIONS, *SETTINGS)


def project(plan: Plan, letter: str, source: str, settings: Mapping[str, Any]) -> str:
    """`Q = X W_Q + b_Q` when the file gives W_Q, else the source itself."""
    weights, bias = settings.get(f"W_{letter}"), settings.get(f"b_{letter}")
    if weights is None:
        if bias is not None:
            plan.refuse(f"b_{letter}", f"a bias is added to a projection; give W_{letter} too")
        return source
    return projected(plan, letter, PROJECT, source, weights, bias, key=letter, title=TITLES[letter])


def projected(
    plan: Plan, letter: str, op: Op, source: str, weights: str, bias: str | None, *, key: str, title: str = ""
) -> str:
    """A projection; its matrix and its bias are each complained about at their own key."""
    with plan.at(f"W_{key}"):
        plan.frame(op, (source, weights))
    with plan.at(f"b_{key}"):
        return plan.call(letter, op, source, weights, *((bias,) if bias else ()), title=title)


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
    scores = compare(plan, Q, K, settings)
    d_k = plan.frames[K].columns.size
    sizes = {"d": d_k, "d_k": d_k, "d_model": d_model, "n": plan.frames[K].rows.size}
    weights = weigh(plan, scores, settings, sizes)
    if V is None:
        return weights
    with plan.at("values"):
        return plan.call(output, MIX, weights, V)


def compare(plan: Plan, Q: str, K: str, settings: Mapping[str, Any]) -> str:
    """The scores of every query with every key."""
    score = scoring(settings)
    given = [score.matrices[name] for name in score.op.parameters[2:] if name in score.matrices]
    with plan.at("score"):
        options = chosen_options(plan, score, {})
    try:
        return plan.call("S", score.op, Q, K, *given, **options)
    except Unfit as error:
        with plan.at(*_blamed(score, error.misfit, settings)):
            raise


def _blamed(score: Chosen, misfit: Misfit, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the file has what does not fit: a matrix or a setting of the score, or else the keys."""
    if misfit.parameter in (*score.matrices, *score.settings):
        return "score", score.op.name, misfit.parameter
    return (present(settings, "keys", "W_K", "W_Q", "context", "states", "input"),)


def scoring(settings: Mapping[str, Any]) -> Chosen:
    """The way in which queries and keys are compared: by dot product when the file says nothing."""
    return settings.get("score") or Chosen(SCORES[0])


def weigh(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """From scores to weights: scaled, masked (before the scaling where the file says so), normalised."""
    if masks.comes_first(settings):
        return normalise(plan, scale(plan, masks.hide(plan, scores, settings), settings, sizes), settings)
    return normalise(plan, masks.hide(plan, scale(plan, scores, settings, sizes), settings), settings)


def present(settings: Mapping[str, Any], *keys: str) -> str:
    """The first of these keys that the file has: the best place for a complaint that concerns them all."""
    return next((key for key in keys if key in settings), keys[0])


def scale(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """The scores divided or multiplied as the file says; dot products by √d_k when it says nothing."""
    if "multiply_by" in settings:
        with plan.at("multiply_by"):
            return plan.call("T", MULTIPLY, scores, by=plan.number(settings["multiply_by"], sizes))
    text = settings.get("divide_by")
    if text is None and scoring(settings).op is not SCORES[0]:
        return scores
    if text is not None and text.strip() in NO_SCALING:
        return scores
    with plan.at("divide_by"):
        by = root_of("d_k", sizes) if text is None else plan.number(text, sizes)
        return plan.call("T", DIVIDE, scores, by=by)


def root_of(name: str, sizes: Mapping[str, int]) -> Expression:
    """√name as an expression that knows its value."""
    return Apply("sqrt", Symbol(name, Rational(sizes[name])))


def normalise(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The weights, with whatever is set for their op."""
    chosen: Chosen = settings.get("weights") or Chosen(NORMALISERS[0])
    with plan.at("weights"):
        weights = plan.call("A", chosen.op, scores, **chosen_options(plan, chosen, {}))
    return masks.silence(plan, weights, settings)


def chosen_options(plan: Plan, chosen: Chosen, sizes: Mapping[str, int]) -> dict[str, Any]:
    """The settings of an op that the file chose, each complained about where it stands."""
    options = {}
    for option in chosen.op.options:
        if option.name in chosen.settings:
            with plan.at(chosen.op.name, option.name):
                options[option.name] = plan.option(option, chosen.settings[option.name], sizes)
    return options


def only(plan: Plan, source: str, rows: tuple[int, ...] | None) -> str:
    """The tokens that ask: all of them, or the chosen ones."""
    if rows is None:
        return source
    with plan.at("queries"):
        return plan.call("X", SELECT, source, rows=rows)
