"""What the blocks of a Transformer are made of: attention, residuals, layer norms, a feed-forward layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Op
from attnsolve.ops.layer_norm import PLACES
from attnsolve.problem import Call
from attnsolve.recipes import heads, multi_head
from attnsolve.recipes.base import Plan, Setting, edited
from attnsolve.recipes.fields import Field

PROJECT, OUTPUT = OPS_BY_NAME["project"], OPS_BY_NAME["output"]
ADD, LAYER_NORM = OPS_BY_NAME["add"], OPS_BY_NAME["layer_norm"]
ACTIVATIONS = {"relu": OPS_BY_NAME["rectify"], "gelu": OPS_BY_NAME["gelu"]}

ATTENTION = (
    Field("heads", "heads", "a list of heads with their matrices, or how many share wide ones"),
    Field("head_sizes", "sizes", "the widths of the heads in wide matrices, when they differ"),
    *heads.PROJECTIONS,
    Field("W_O", "matrix", "the output matrix of the attention", role="weights"),
    Field("b_O", "matrix", "its bias", role="row"),
    *heads.SETTINGS,
)
NORM = Field(
    "norm",
    "choice",
    "where the layer norms stand: post (default), pre or none",
    choices=("post", "pre", "none"),
)
EPSILONS = (
    Field("epsilon", "number", "the ε of the layer norms (default 10^-5, as torch)"),
    Field("epsilon_at", "choice", "where ε is added: variance (default) or deviation", choices=PLACES),
)
FEED_FORWARD = (
    Field("W_1", "matrix", "the first matrix of the feed-forward layer; none without it", role="weights"),
    Field("b_1", "matrix", "its bias", role="row"),
    Field("W_2", "matrix", "the second matrix of the feed-forward layer", role="weights"),
    Field("b_2", "matrix", "its bias", role="row"),
    Field("activation", "choice", "relu (default) or gelu, the exact one", choices=tuple(ACTIVATIONS)),
)


def norms(count: int) -> tuple[Field, ...]:
    """The keys for so many layer norms."""
    gains = [
        field
        for number, word in enumerate(("first", "second", "third")[:count], start=1)
        for field in (
            Field(f"gamma_{number}", "matrix", f"the gain of the {word} layer norm", role="row"),
            Field(f"beta_{number}", "matrix", "its bias", role="row"),
        )
    ]
    return (NORM, *gains, *EPSILONS)


def attention(plan: Plan, tokens: str, settings: Mapping[str, Any], *, context: str | None = None) -> str:
    """The output of one head or of several, with keys and values from the context if there is one."""
    if "heads" in settings:
        multi_head.build(plan, {**settings, "input": tokens, "context": context or tokens})
        return plan.calls[-1].out
    if "head_sizes" in settings:
        plan.refuse("head_sizes", "'head_sizes' belongs to several heads; say how many, such as heads: 2")
    seen = context or tokens
    Q, K, V = (
        heads.project(plan, letter, source, settings)
        for letter, source in zip("QKV", (tokens, seen, seen), strict=True)
    )
    width = plan.frames[seen].columns.size
    if "W_O" not in settings:
        if "b_O" in settings:
            plan.refuse("b_O", "a bias is added to a projection; give W_O too")
        return heads.attention(plan, Q, K, V, settings, d_model=width)
    mixed = heads.attention(plan, Q, K, V, settings, d_model=width, output="C")
    title = message("Project to the output")
    return heads.projected(
        plan, "Z", OUTPUT, mixed, settings["W_O"], settings.get("b_O"), key="O", title=title
    )


def sublayer(
    plan: Plan, number: int, tokens: str, settings: Mapping[str, Any], work: Callable[[str], str], *, key: str
) -> str:
    """x + f(x), with the layer norm of this number before f, after the sum, or nowhere."""
    norm = settings.get("norm", "post")
    worked = work(_norm(plan, tokens, settings, number) if norm == "pre" else tokens)
    first, later = message("Residual: add the input again"), message("Residual: add what went in again")
    with plan.at(key):
        end = plan.call(f"R{number}", ADD, tokens, worked, title=first if number == 1 else later)
    return _norm(plan, end, settings, number) if norm == "post" else end


def feed_forward(plan: Plan, number: int, tokens: str, settings: Mapping[str, Any]) -> str:
    """The feed-forward layer with its residual; the tokens themselves where the file has none."""
    if "W_1" not in settings:
        for surplus in ("W_2", "b_1", "b_2", "activation", f"gamma_{number}", f"beta_{number}"):
            if surplus in settings:
                plan.refuse(surplus, f"'{surplus}' belongs to the feed-forward layer; give W_1 too")
        return tokens
    return sublayer(
        plan, number, tokens, settings, lambda source: _feed_forward(plan, source, settings), key="W_2"
    )


def check_norms(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Refuse what belongs to layer norms where there are none."""
    if settings.get("norm") != "none":
        return
    for key in settings:
        if key.startswith(("gamma_", "beta_", "epsilon")):
            plan.refuse(key, f"'{key}' belongs to a layer norm, but norm: none leaves them out")


def _norm(plan: Plan, source: str, settings: Mapping[str, Any], number: int) -> str:
    gamma, beta = settings.get(f"gamma_{number}"), settings.get(f"beta_{number}")
    if beta is not None and gamma is None:
        ones = f"ones(1x{plan.frames[source].columns.size})"
        plan.refuse(f"beta_{number}", f"a β needs its γ; give gamma_{number} too, such as {ones}")
    options: dict[str, Any] = {}
    if "epsilon" in settings:
        with plan.at("epsilon"):
            options["epsilon"] = plan.option(LAYER_NORM.options[0], settings["epsilon"], {})
    if "epsilon_at" in settings:
        options["epsilon_at"] = settings["epsilon_at"]
    given = tuple(filter(None, (gamma, beta)))
    with plan.at(f"gamma_{number}"):
        plan.frame(LAYER_NORM, (source, *given[:1]))
    with plan.at(f"beta_{number}"):
        return plan.call(f"N{number}", LAYER_NORM, source, *given, **options)


def feed_forward_title(activation: Op) -> str:
    """What the step between the two layers is called."""
    return f"Feed-forward: {activation.title}"


def _feed_forward(plan: Plan, source: str, settings: Mapping[str, Any]) -> str:
    if "W_2" not in settings:
        plan.refuse("W_1", "the feed-forward layer has two matrices; give W_2 too")
    title = message("Feed-forward: the first layer")
    wide = heads.projected(
        plan, "F", PROJECT, source, settings["W_1"], settings.get("b_1"), key="1", title=title
    )
    op = ACTIVATIONS[settings.get("activation", "relu")]
    active = plan.call("G", op, wide, title=feed_forward_title(op))
    title = message("Feed-forward: the second layer")
    return heads.projected(
        plan, "E", PROJECT, active, settings["W_2"], settings.get("b_2"), key="2", title=title
    )


def _norm_before_residual(call: Call, setting: Setting) -> Call:
    """LN(x + f(x)) turned into x + LN(f(x))."""
    if call.op is ADD:
        norm = next((user for user in setting.graph.users(call.out) if _closes(user, call)), None)
        return call if norm is None else norm._replace(out=call.out, args=(call.args[1], *norm.args[1:]))
    added = setting.graph.maker(call.args[0])
    if added is not None and _closes(call, added):
        return added._replace(out=call.out, args=(added.args[0], added.out))
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


MISTAKES = (
    edited(
        "norm-before-residual",
        "The layer norm comes after the residual is added, not before.",
        _norm_before_residual,
    ),
    edited("norm-forgotten", "Do not forget the layer norm.", _without_norm),
)
