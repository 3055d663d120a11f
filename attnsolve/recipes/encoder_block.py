"""The encoder block of a Transformer: attention, residual, layer norm, feed-forward; one layer or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from attnsolve.ops import OPS_BY_NAME
from attnsolve.ops.layer_norm import EPSILON, PLACES
from attnsolve.problem import Call
from attnsolve.recipes import heads, multi_head
from attnsolve.recipes.base import Field, Plan, Recipe, Setting, edited
from attnsolve.recipes.self_attention import INPUT

PROJECT, OUTPUT = OPS_BY_NAME["project"], OPS_BY_NAME["output"]
ADD, LAYER_NORM = OPS_BY_NAME["add"], OPS_BY_NAME["layer_norm"]
ACTIVATIONS = {"relu": OPS_BY_NAME["rectify"], "gelu": OPS_BY_NAME["gelu"]}

# What a layer may have of its own.
LAYER = (
    Field("heads", "heads", "a list of heads with their matrices, or how many share wide ones"),
    Field("head_sizes", "sizes", "the widths of the heads in wide matrices, when they differ"),
    *heads.PROJECTIONS,
    Field("W_O", "matrix", "the output matrix of the attention", role="weights"),
    Field("b_O", "matrix", "its bias", role="row"),
    *heads.SETTINGS,
    Field(
        "norm",
        "choice",
        "where the layer norms stand: post (default), pre or none",
        choices=("post", "pre", "none"),
    ),
    Field("gamma_1", "matrix", "the gain of the first layer norm", role="row"),
    Field("beta_1", "matrix", "its bias", role="row"),
    Field("gamma_2", "matrix", "the gain of the second layer norm", role="row"),
    Field("beta_2", "matrix", "its bias", role="row"),
    Field("epsilon", "number", "the ε of the layer norms (default 10^-5, as torch)"),
    Field("epsilon_at", "choice", "where ε is added: variance (default) or deviation", choices=PLACES),
    Field("W_1", "matrix", "the first matrix of the feed-forward layer; none without it", role="weights"),
    Field("b_1", "matrix", "its bias", role="row"),
    Field("W_2", "matrix", "the second matrix of the feed-forward layer", role="weights"),
    Field("b_2", "matrix", "its bias", role="row"),
    Field("activation", "choice", "relu (default) or gelu, the exact one", choices=tuple(ACTIVATIONS)),
)

FIELDS = (
    INPUT,
    *LAYER,
    Field("layers", "layers", "how many such layers, or what each has of its own", fields=LAYER),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """One layer, or several on top of each other."""
    layers, tokens = settings.get("layers"), settings["input"]
    if layers is None:
        _layer(plan, tokens, settings)
        return
    own = [{}] * layers if isinstance(layers, int) else layers
    for number, layer in enumerate(own, start=1):
        inner = plan.inside(f"layer{number}")
        with plan.at(*(("layers", number - 1) if layer else ())):
            inner.path = plan.path
            tokens = _layer(inner, tokens, {**settings, **layer})


def _layer(plan: Plan, tokens: str, settings: Mapping[str, Any]) -> str:
    """LN(X + attention), then LN(… + feed-forward); or with the norms before both."""
    norm = settings.get("norm", "post")
    if norm == "none":
        for surplus in ("gamma_1", "beta_1", "gamma_2", "beta_2", "epsilon", "epsilon_at"):
            if surplus in settings:
                plan.refuse(surplus, f"'{surplus}' belongs to a layer norm, but norm: none leaves them out")
    source = _norm(plan, "N1", tokens, settings, 1) if norm == "pre" else tokens
    attended = _attention(plan, source, settings)
    with plan.at(heads.present(settings, "W_O", "W_V", "heads", "input")):
        middle = plan.call("R1", ADD, tokens, attended, title="Residual: add the input again")
    if norm == "post":
        middle = _norm(plan, "N1", middle, settings, 1)
    if "W_1" not in settings:
        for surplus in ("W_2", "b_1", "b_2", "activation", "gamma_2", "beta_2"):
            if surplus in settings:
                plan.refuse(surplus, f"'{surplus}' belongs to the feed-forward layer; give W_1 too")
        return middle
    source = _norm(plan, "N2", middle, settings, 2) if norm == "pre" else middle
    worked = _feed_forward(plan, source, settings)
    with plan.at("W_2"):
        end = plan.call("R2", ADD, middle, worked, title="Residual: add what went in again")
    return _norm(plan, "N2", end, settings, 2) if norm == "post" else end


def _attention(plan: Plan, tokens: str, settings: Mapping[str, Any]) -> str:
    if "heads" in settings:
        multi_head.build(plan, {**settings, "input": tokens})
        return plan.calls[-1].out
    if "head_sizes" in settings:
        plan.refuse("head_sizes", "'head_sizes' belongs to several heads; say how many, such as heads: 2")
    Q, K, V = (heads.project(plan, letter, tokens, settings) for letter in "QKV")
    width = plan.frames[tokens].columns.size
    if "W_O" not in settings:
        if "b_O" in settings:
            plan.refuse("b_O", "a bias is added to a projection; give W_O too")
        return heads.attention(plan, Q, K, V, settings, d_model=width)
    mixed = heads.attention(plan, Q, K, V, settings, d_model=width, output="C")
    title = "Project to the output"
    return heads.projected(
        plan, "Z", OUTPUT, mixed, settings["W_O"], settings.get("b_O"), key="O", title=title
    )


def _norm(plan: Plan, letter: str, source: str, settings: Mapping[str, Any], number: int) -> str:
    gamma, beta = settings.get(f"gamma_{number}"), settings.get(f"beta_{number}")
    if beta is not None and gamma is None:
        ones = f"ones(1x{plan.frames[source].columns.size})"
        plan.refuse(f"beta_{number}", f"a β needs its γ; give gamma_{number} too, such as {ones}")
    options: dict[str, Any] = {"epsilon": EPSILON}
    if "epsilon" in settings:
        with plan.at("epsilon"):
            options["epsilon"] = plan.option(LAYER_NORM.options[0], settings["epsilon"], {})
    if "epsilon_at" in settings:
        options["epsilon_at"] = settings["epsilon_at"]
    given = tuple(filter(None, (gamma, beta)))
    with plan.at(f"gamma_{number}"):
        plan.frame(LAYER_NORM, (source, *given[:1]))
    with plan.at(f"beta_{number}"):
        return plan.call(letter, LAYER_NORM, source, *given, **options)


def _feed_forward(plan: Plan, source: str, settings: Mapping[str, Any]) -> str:
    if "W_2" not in settings:
        plan.refuse("W_1", "the feed-forward layer has two matrices; give W_2 too")
    title = "Feed-forward: the first layer"
    wide = heads.projected(
        plan, "F", PROJECT, source, settings["W_1"], settings.get("b_1"), key="1", title=title
    )
    op = ACTIVATIONS[settings.get("activation", "relu")]
    active = plan.call("G", op, wide, title=f"Feed-forward: {op.title}")
    title = "Feed-forward: the second layer"
    return heads.projected(
        plan, "E", PROJECT, active, settings["W_2"], settings.get("b_2"), key="2", title=title
    )


def _norm_before_residual(call: Call, setting: Setting) -> Call:
    """LN(x + f(x)) turned into x + LN(f(x))."""
    if call.op is ADD:
        norm = next((user for user in setting.graph.users(call.out) if _closes(user, call)), None)
        return call if norm is None else replace(norm, out=call.out, args=(call.args[1], *norm.args[1:]))
    added = setting.graph.maker(call.args[0])
    if added is not None and _closes(call, added):
        return replace(added, out=call.out, args=(added.args[0], added.out))
    return call


def _closes(norm: Call, added: Call) -> bool:
    """Whether a norm ends the residual connection; where norms stand first, it begins the next one."""
    return (
        (norm.op, added.op) == (LAYER_NORM, ADD)
        and norm.args[0] == added.out
        and (norm.group, norm.letter[1:]) == (added.group, added.letter[1:])
    )


def _without_norm(call: Call, setting: Setting) -> Call | None:
    return None if call.op is LAYER_NORM else call


ENCODER_BLOCK = Recipe(
    name="encoder_block",
    doc="a Transformer's encoder: attention, residual, layer norm and feed-forward, in one layer or several",
    fields=FIELDS,
    build=build,
    mistakes=(
        *multi_head.MULTI_HEAD.mistakes,
        edited(
            "norm-before-residual",
            "The layer norm comes after the residual is added, not before.",
            _norm_before_residual,
        ),
        edited("norm-forgotten", "Do not forget the layer norm.", _without_norm),
    ),
)
