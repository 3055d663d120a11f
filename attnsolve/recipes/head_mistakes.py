"""Wrong plans that people make of an attention head: scaled otherwise, or with its matrices swapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.rationals import ones
from attnsolve.ops import NORMALISERS, OPS_BY_NAME, SCORES, Frame, PlanMistake
from attnsolve.ops.cosine import squares
from attnsolve.problem import Call
from attnsolve.recipes.base import Setting, edited
from attnsolve.recipes.heads import DIVIDE, MIX, MULTIPLY, PROJECT, root_of

DOT = OPS_BY_NAME["dot"]
# Weights in which a positive factor of all scores cancels: nobody can see that it was there.
CANCELLING = (OPS_BY_NAME["relu"], OPS_BY_NAME["sum"], OPS_BY_NAME["argmax"])
# Behind the name of scores, for those that should not have been scaled.
SCALED = "_scaled"


def _without_scaling(call: Call, setting: Setting) -> Call | None:
    return None if call.op in (DIVIDE, MULTIPLY) else call


def _by_model_size(call: Call, setting: Setting) -> Call:
    return _rescaled(call, setting, "d_model", lambda tokens: tokens.columns.size)


def _by_number_of_keys(call: Call, setting: Setting) -> Call:
    return _rescaled(call, setting, "n", lambda tokens: tokens.rows.size)


def _rescaled(call: Call, setting: Setting, name: str, size: Callable[[Frame], int]) -> Call:
    """The division by √d_k turned into one by the root of another size of the tokens that make the keys."""
    scores = setting.made.get(call.args[0])
    if call.op is not DIVIDE or scores is None or scores.op not in SCORES:
        return call
    tokens = setting.frames[tokens_behind(scores.args[1], setting)]
    return replace(call, options={"by": root_of(name, {name: size(tokens)})})


def tokens_behind(keys: str, setting: Setting) -> str:
    """The tokens that keys are projected from; a head's slice of wide keys is followed back too."""
    while keys in setting.made:
        call = setting.made[keys]
        keys = call.args[0]
        if call.op is PROJECT:
            break
    return keys


def _by_norm(call: Call, setting: Setting) -> Call:
    """√|k| with |k| read as the length of the vector k instead of the number of its entries."""
    scores = setting.made.get(call.args[0])
    if call.op is not DIVIDE or scores is None or scores.op not in SCORES:
        return call
    return replace(call, op=BY_NORM, args=(call.args[0], scores.args[1]), options={})


def _divided_by_norm(S: Matrix, K: Matrix) -> Matrix:
    """S_ij / √|k_j|, in balls: nobody reads the exact form of a mistake."""
    squared = squares(K)
    if any(squared.cell(j, 0).is_zero() for j in range(K.shape[0])):
        raise UndefinedStep("a key of length 0, so nothing can be divided by that")
    return S / (ones(S.shape[0], 1) @ Balls.of(squared).each("sqrt").each("sqrt").T)


# What nobody should do, so it is no op of the list: no file can ask for it.
BY_NORM = replace(
    DIVIDE,
    name="divide_by_norm",
    parameters=("S", "K"),
    options=(),
    roles=("scores", "tokens"),
    frame=lambda S, K: S,
    rule=_divided_by_norm,
    mistakes=(),
)


def _keys_and_values_swapped(call: Call, setting: Setting) -> Call:
    """K where V belongs and V where K belongs, in one head."""
    if call.op is MIX:
        scores = scores_behind(call.args[0], setting)
        return call if scores is None else replace(call, args=(call.args[0], scores.args[1]))
    if call.op in SCORES:
        mixes = (made for made in setting.made.values() if made.op is MIX)
        values = [mix.args[1] for mix in mixes if scores_behind(mix.args[0], setting) is call]
        return replace(call, args=(call.args[0], values[0], *call.args[2:])) if values else call
    return call


def scores_behind(weights: str, setting: Setting) -> Call | None:
    """The call that compared the queries with the keys, some steps before these weights."""
    made = setting.made.get(weights)
    while made is not None and made.op not in SCORES:
        made = setting.made.get(made.args[0])
    return made


def _queries_and_keys_swapped(call: Call, setting: Setting) -> Call:
    return replace(call, args=(call.args[1], call.args[0], *call.args[2:])) if call.op in SCORES else call


def _scaled_unasked(calls: tuple[Call, ...], frames: Mapping[str, Frame]) -> tuple[Call, ...]:
    """The dot products of every head that does not scale them divided by √d_k all the same."""
    setting = Setting(frames, {call.out: call for call in calls})
    scores = {found.out for call in calls if (found := _unscaled_scores(call, setting)) is not None}
    made: list[Call] = []
    for call in calls:
        made.append(replace(call, args=tuple(f"{a}{SCALED}" if a in scores else a for a in call.args)))
        if call.out in scores:
            by = root_of("d_k", {"d_k": frames[call.args[1]].columns.size})
            made.append(Call(f"{call.out}{SCALED}", DIVIDE, (call.out,), {"by": by}))
    return tuple(made)


def _unscaled_scores(weights: Call, setting: Setting) -> Call | None:
    """The dot products behind weights that nothing scales, where that would show."""
    if weights.op not in NORMALISERS or weights.op in CANCELLING:
        return None
    call: Call | None = weights
    while call is not None and call.op not in SCORES:
        if call.op in (DIVIDE, MULTIPLY):
            return None
        call = setting.made.get(call.args[0])
    # √d_k belongs to dot products alone, and with d_k = 1 nobody can tell.
    return (
        call
        if call is not None and call.op is DOT and setting.frames[call.args[1]].columns.size > 1
        else None
    )


MISTAKES = (
    edited("unscaled", "Do not forget to scale the scores.", _without_scaling),
    edited(
        "scaled-by-d-model", "The size under the root is the width of a key, not of a token.", _by_model_size
    ),
    edited(
        "scaled-by-n",
        "The size under the root is the width of a key, not the number of keys.",
        _by_number_of_keys,
    ),
    edited(
        "scaled-by-norm",
        "The size under the root is the number of entries of a key, not its length as a vector.",
        _by_norm,
    ),
    edited(
        "keys-and-values-swapped",
        "Compare the queries with the keys and average the values, not the other way round.",
        _keys_and_values_swapped,
    ),
    edited(
        "queries-and-keys-swapped", "The rows of the scores belong to the queries.", _queries_and_keys_swapped
    ),
    PlanMistake("scaled-unasked", "Nothing divides the scores here: take them as they are.", _scaled_unasked),
)
