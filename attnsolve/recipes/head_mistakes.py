"""Wrong plans that people make of an attention head: scaled otherwise, or with its matrices swapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.precision import LADDER
from attnsolve.graph import Graph, Head
from attnsolve.ops import OPS_BY_NAME, Family, Frame, PlanMistake, Role
from attnsolve.ops.cosine import squares
from attnsolve.problem import Call
from attnsolve.recipes.base import Setting, edited
from attnsolve.recipes.scores import DIVIDE, root_of

DOT = OPS_BY_NAME["dot"]
# Behind the name of scores, for those that should not have been scaled.
SCALED = "_scaled"
# Behind the name of an output, for values that should not have been turned.
TURNED = "_turned"


def _without_scaling(call: Call, setting: Setting) -> Call | None:
    return None if call.op.family is Family.SCALING else call


def _by_model_size(call: Call, setting: Setting) -> Call:
    return _rescaled(call, setting, "d_model", lambda tokens: tokens.columns.size)


def _by_number_of_keys(call: Call, setting: Setting) -> Call:
    return _rescaled(call, setting, "n", lambda tokens: tokens.rows.size)


def _rescaled(call: Call, setting: Setting, name: str, size: Callable[[Frame], int]) -> Call:
    """The division by √d_k turned into one by the root of another size of the tokens that make the keys."""
    keys = _keys_of_divided(call, setting)
    if keys is None:
        return call
    tokens = setting.frames[setting.graph.source(setting.graph.before_turning(keys)).tokens]
    return call._replace(options={"by": root_of(name, {name: size(tokens)})})


def _keys_of_divided(call: Call, setting: Setting) -> str | None:
    """The keys of scores that are divided right after they were made."""
    scores = setting.graph.maker(call.args[0]) if call.op is DIVIDE else None
    return None if scores is None or scores.op.family is not Family.SCORE else scores.args[1]


def _by_norm(call: Call, setting: Setting) -> Call:
    """√|k| with |k| read as the length of the vector k instead of the number of its entries."""
    keys = _keys_of_divided(call, setting)
    return call if keys is None else call._replace(op=BY_NORM, args=(call.args[0], keys), options={})


def _divided_by_norm(S: Matrix, K: Matrix) -> Matrix:
    """S_ij / √|k_j|, in balls: nobody reads the exact form of a mistake."""
    squared = squares(K)
    # Only where a ball reaches 0 is there something to prove.
    near = [j for j, (ball,) in enumerate(squared.balls(LADDER[0])) if not ball > 0]
    if any(squared.cell(j, 0).is_zero() for j in near):
        raise UndefinedStep("a key of length 0, so nothing can be divided by that")
    return S / Balls.of(squared).each("sqrt").each("sqrt").T.repeated(S.shape[0])


# What nobody should do, so it is no op of the list: no file can ask for it.
BY_NORM = DIVIDE._replace(
    name="divide_by_norm",
    parameters=("S", "K"),
    options=(),
    roles=(Role.SCORES, Role.TOKENS),
    frame=lambda S, K: S,
    rule=_divided_by_norm,
    mistakes=(),
)


def _keys_and_values_swapped(call: Call, setting: Setting) -> Call:
    """K where V belongs and V where K belongs, in one head."""
    for head in setting.graph.heads:
        if head.keys is not None and head.values is not None:
            if call is head.output:
                return call._replace(args=(call.args[0], head.keys))
            if call is head.scores:
                return call._replace(args=(call.args[0], head.values, *call.args[2:]))
    return call


def _queries_and_keys_swapped(call: Call, setting: Setting) -> Call:
    if call.op.family is not Family.SCORE:
        return call
    return call._replace(args=(call.args[1], call.args[0], *call.args[2:]))


def _queries_as_keys(call: Call, setting: Setting) -> Call:
    """Q Qᵀ."""
    is_score = call.op.family is Family.SCORE
    return call._replace(args=(call.args[0], call.args[0], *call.args[2:])) if is_score else call


def _scaled_unasked(calls: tuple[Call, ...], frames: Mapping[str, Frame]) -> tuple[Call, ...]:
    """The dot products of every head that does not scale them divided by √d_k all the same."""
    scores = {head.scores.out for head in Graph(calls).heads if head.scores and _is_unscaled(head, frames)}
    made: list[Call] = []
    for call in calls:
        made.append(call._replace(args=tuple(f"{a}{SCALED}" if a in scores else a for a in call.args)))
        if call.out in scores:
            by = root_of("d_k", {"d_k": frames[call.args[1]].columns.size})
            made.append(Call(f"{call.out}{SCALED}", DIVIDE, (call.out,), {"by": by}))
    return tuple(made)


def _is_unscaled(head: Head, frames: Mapping[str, Frame]) -> bool:
    """Whether a head has dot products that nothing scales, where that would show."""
    if head.scores is None or head.scalings or head.weights.op.scale_free:
        return False
    # √d_k belongs to dot products alone, and with d_k = 1 nobody can tell.
    return head.scores.op is DOT and frames[head.scores.args[1]].columns.size > 1


def _values_turned(calls: tuple[Call, ...], frames: Mapping[str, Frame]) -> tuple[Call, ...]:
    """The values of every head turned as its keys are."""
    graph = Graph(calls)
    turning: dict[str, Call] = {}
    for head in graph.heads:
        keys = None if head.keys is None else graph.maker(head.keys)
        if keys is not None and keys.op.family is Family.ROTATION and head.output is not None:
            values = f"{head.output.out}{TURNED}"
            turning[head.output.out] = keys._replace(out=values, args=(head.output.args[1],))
    made: list[Call] = []
    for call in calls:
        turned = turning.get(call.out)
        if turned is not None:
            made.append(turned)
            call = call._replace(args=(call.args[0], turned.out))
        made.append(call)
    return tuple(made)


def _keys_not_turned(call: Call, setting: Setting) -> Call | None:
    keys = {head.keys for head in setting.graph.heads}
    return None if call.op.family is Family.ROTATION and call.out in keys else call


def _bias_before_scaling(call: Call, setting: Setting) -> Call:
    """Scaled and then biased turned into biased and then scaled."""
    if call.op.family is Family.BIAS:
        before = setting.graph.maker(call.args[0])
        if before is None or before.op.family is not Family.SCALING:
            return call
        return before._replace(out=call.out, args=(call.args[0], *before.args[1:]))
    if call.op.family is Family.SCALING:
        users = [user for user in setting.graph.users(call.out) if user.op.family is Family.BIAS]
        if users:
            return users[0]._replace(out=call.out, args=(call.args[0], *users[0].args[1:]))
    return call


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
    edited(
        "queries-as-keys",
        "Compare the queries with the keys, not with each other.",
        _queries_as_keys,
        since=2,
    ),
    PlanMistake(
        "values-turned",
        "Only queries and keys are turned by their places; the values stay as they are.",
        _values_turned,
        since=2,
    ),
    edited(
        "keys-not-turned",
        "Turn the keys by their places too, not only the queries.",
        _keys_not_turned,
        since=2,
    ),
    edited(
        "bias-before-scaling",
        "Scale the scores first; what the places say is added afterwards.",
        _bias_before_scaling,
        since=2,
    ),
    PlanMistake("scaled-unasked", "Nothing divides the scores here: take them as they are.", _scaled_unasked),
)
