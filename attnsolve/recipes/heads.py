"""One attention head: scores, scaling, weights, mixed values; every recipe is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attnsolve.exact import Rational
from attnsolve.languages import message
from attnsolve.ops import NORMALISERS_BY_NAME, OPS_BY_NAME, PLACINGS_BY_NAME, SCORES_BY_NAME, Family, Op, Role
from attnsolve.ops.misfits import Misfit, Unfit
from attnsolve.recipes import masks
from attnsolve.recipes.base import Chosen, Plan
from attnsolve.recipes.fields import Field
from attnsolve.working import Apply, Expression, Symbol

SELECT, PROJECT, MIX = OPS_BY_NAME["select"], OPS_BY_NAME["project"], OPS_BY_NAME["mix"]
DOT, SOFTMAX = OPS_BY_NAME["dot"], OPS_BY_NAME["softmax"]
DIVIDE, MULTIPLY = OPS_BY_NAME["divide"], OPS_BY_NAME["multiply"]

# The words a file uses for the values of a head, and the letters they are kept under.
LETTERS = {
    "queries": "Q",
    "keys": "K",
    "values": "V",
    "scores": "S",
    "scaled": "T",
    "turned_queries": "Qr",
    "turned_keys": "Kr",
    "biased": "Sb",
    "capped": "Sc",
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
    # tiles
    "maximum": "m",
    "rescaling": "r",
    "exponentials": "P",
    "running_sum": "l",
    "running_output": "O",
    "ledger": "Lg",
    # a recurrent network
    "states": "Hs",
    "update_gate": "z",
    "reset_gate": "r",
    "candidate": "n",
    "input_gate": "i",
    "forget_gate": "f",
    "output_gate": "o",
    "memory": "c",
    # a language model
    "embedded": "X_0",
    "final": "N_f",
    "cooled": "O_t",
    "perplexity": "PP",
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

PROJECTIONS = (
    Field("W_Q", "matrix", "projection of the queries", role=Role.WEIGHTS),
    Field("W_K", "matrix", "projection of the keys", role=Role.WEIGHTS),
    Field("W_V", "matrix", "projection of the values", role=Role.WEIGHTS),
    Field(
        "W_DKV",
        "matrix",
        "keys and values are made of the tokens times this matrix, which makes them narrower",
        role=Role.WEIGHTS,
    ),
    Field("b_Q", "matrix", "bias of the queries", role=Role.ROW),
    Field("b_K", "matrix", "bias of the keys", role=Role.ROW),
    Field("b_V", "matrix", "bias of the values", role=Role.ROW),
)

TITLES = {
    "Q": message("Queries: project the tokens"),
    "K": message("Keys: project the tokens"),
    "V": message("Values: project the tokens"),
}

TURNED = {
    "Q": message("Queries turned by their places"),
    "K": message("Keys turned by their places"),
}

# Beside the context of a recipe, where keys and values do not come from the same tokens.
VALUE_CONTEXT = Field(
    "value_context",
    "matrix",
    "the tokens that values come from, if not those of the keys; a row for each key",
    role=Role.TOKENS,
)

# What one head of several may say for itself.
HEAD = (*PROJECTIONS, *SETTINGS)


def project(plan: Plan, letter: str, source: str, settings: Mapping[str, Any], *, out: str = "") -> str:
    """`Q = X W_Q + b_Q` when the file gives W_Q, else the source itself; `out` is another letter for it."""
    weights, bias = settings.get(f"W_{letter}"), settings.get(f"b_{letter}")
    if weights is None:
        if bias is not None:
            plan.refuse(f"b_{letter}", f"a bias is added to a projection; give W_{letter} too")
        return source
    title = TITLES[letter]
    return projected(plan, out or letter, PROJECT, source, weights, bias, key=letter, title=title)


def latent(plan: Plan, source: str, settings: Mapping[str, Any]) -> str:
    """What keys and values are made of: the tokens, or a narrow latent of them, all that a cache keeps."""
    down = settings.get("W_DKV")
    if down is None:
        return source
    for needed in ("W_K", "W_V"):
        if needed not in settings:
            plan.refuse("W_DKV", f"the latent is projected to keys and values; give {needed} too")
    with plan.at("W_DKV"):
        title = message("Latent: tokens made narrow, for keys and values")
        return plan.call("L", PROJECT, source, down, title=title)


def keys_and_values(plan: Plan, context: str, settings: Mapping[str, Any]) -> tuple[str, str]:
    """K and V of the context; the values are of tokens of their own where the file has some."""
    seen = latent(plan, context, settings)
    valued = settings.get(VALUE_CONTEXT.name, seen)
    if valued is not seen and "W_DKV" in settings:
        plan.refuse(VALUE_CONTEXT.name, "a latent is made of one context; leave W_DKV or this out")
    rows, wanted = plan.frames[valued].rows.size, plan.frames[seen].rows.size
    if rows != wanted:
        plan.refuse(VALUE_CONTEXT.name, f"each key has a value: {wanted} tokens are expected, not {rows}")
    return project(plan, "K", seen, settings), project(plan, "V", valued, settings)


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
    weights = normalise(plan, compared(plan, Q, K, settings, d_model=d_model), settings)
    if V is None:
        return weights
    with plan.at("values"):
        return plan.call(output, MIX, weights, V)


def compared(plan: Plan, Q: str, K: str, settings: Mapping[str, Any], *, d_model: int) -> str:
    """From queries and keys to the scores that become weights: S, T and M."""
    Q, K = turn(plan, "Q", Q, settings), turn(plan, "K", K, settings)
    scores = compare(plan, Q, K, settings)
    d_k = plan.frames[K].columns.size
    sizes = {"d": d_k, "d_k": d_k, "d_model": d_model, "n": plan.frames[K].rows.size}
    return prepare(plan, scores, settings, sizes)


def turn(plan: Plan, letter: str, source: str, settings: Mapping[str, Any]) -> str:
    """The queries or keys turned by their places, where the file says so."""
    chosen: Chosen | None = settings.get("position")
    if chosen is None or chosen.op.family is not Family.ROTATION:
        return source
    with plan.at("position"):
        options = {**places(plan, source), **chosen_options(plan, chosen, {})}
        return plan.call(f"{letter}r", chosen.op, source, title=TURNED[letter], **options)


def bias(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The scores with what the places of queries and keys add to them, where the file says so."""
    chosen: Chosen | None = settings.get("position")
    if chosen is None or chosen.op.family is not Family.BIAS:
        return scores
    with plan.at("position"):
        options = {**places(plan, scores), **chosen_options(plan, chosen, {})}
    with plan.at("position", chosen.op.name):
        return plan.call("Sb", chosen.op, scores, *chosen.matrices.values(), **options)


def places(plan: Plan, name: str) -> dict[str, Any]:
    """Where the rows of a value stand, when they are not the first tokens one after the other."""
    axis = plan.frames[name].rows
    usual = axis.tokens is None or axis.tokens == tuple(range(axis.size))
    return {} if usual else {"rows": axis.tokens}


def with_slope(settings: Mapping[str, Any], number: int, count: int) -> Mapping[str, Any]:
    """ALiBi's own slope of a head, 2^(-8h/H), where the file names none."""
    chosen: Chosen | None = settings.get("position")
    if chosen is None or chosen.op is not OPS_BY_NAME["alibi"] or "slope" in chosen.settings:
        return settings
    slope = f"2^(-{Fraction(8 * (number + 1), count)})"
    return {**settings, "position": chosen._replace(settings={**chosen.settings, "slope": slope})}


def compare(plan: Plan, Q: str, K: str, settings: Mapping[str, Any]) -> str:
    """The scores of every query with every key."""
    score = scoring(settings)
    given = [score.matrices[name] for name in score.op.parameters[2:] if name in score.matrices]
    with plan.at("score"):
        options = chosen_options(plan, score, {})
    if any(option.name == "rows" for option in score.op.options):
        options = {**places(plan, Q), **options}
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
    return settings.get("score") or Chosen(DOT)


def weigh(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """From scores to weights."""
    return normalise(plan, prepare(plan, scores, settings, sizes), settings)


def prepare(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """Scores scaled, biased and masked (first where the file says so)."""
    first = masks.comes_first(settings)
    if first:
        scores = masks.hide(plan, scores, settings)
    scores = bias(plan, cap(plan, scale(plan, scores, settings, sizes), settings), settings)
    return scores if first else masks.hide(plan, scores, settings)


def present(settings: Mapping[str, Any], *keys: str) -> str:
    """The first of these keys that the file has: the best place for a complaint that concerns them all."""
    return next((key for key in keys if key in settings), keys[0])


def scale(plan: Plan, scores: str, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    """The scores divided or multiplied as the file says; dot products by √d_k when it says nothing."""
    if "multiply_by" in settings:
        with plan.at("multiply_by"):
            return plan.call("T", MULTIPLY, scores, by=plan.number(settings["multiply_by"], sizes))
    text = settings.get("divide_by")
    if text is None and scoring(settings).op is not DOT:
        return scores
    if text is not None and text.strip() in NO_SCALING:
        return scores
    with plan.at("divide_by"):
        by = root_of("d_k", sizes) if text is None else plan.number(text, sizes)
        return plan.call("T", DIVIDE, scores, by=by)


def cap(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The scores pressed under a bound, where the file has one."""
    if "soft_cap" not in settings:
        return scores
    with plan.at("soft_cap"):
        soft_cap = OPS_BY_NAME["soft_cap"]
        bound = plan.option(soft_cap.options[0], settings["soft_cap"], {})
        return plan.call("Sc", soft_cap, scores, cap=bound)


def root_of(name: str, sizes: Mapping[str, int]) -> Expression:
    """√name as an expression that knows its value."""
    return root_of_size(name, sizes[name])


@lru_cache(maxsize=256)
def root_of_size(name: str, size: int) -> Expression:
    """The same for one size; asked for twice it is one expression, so what follows is worked out once."""
    return Apply("sqrt", Symbol(name, Rational(size)))


def normalise(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The weights, with whatever is set for their op."""
    chosen: Chosen = settings.get("weights") or Chosen(SOFTMAX)
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
