"""What the blocks of a Transformer are made of: attention, residuals, layer norms, a feed-forward layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Op, Role
from attnsolve.ops.layer_norm import PLACES
from attnsolve.problem import Call
from attnsolve.recipes import heads, multi_head, projections
from attnsolve.recipes.base import Plan, Setting, edited
from attnsolve.recipes.fields import Field

PROJECT, OUTPUT = OPS_BY_NAME["project"], OPS_BY_NAME["output"]
ADD, LAYER_NORM, RMS_NORM = OPS_BY_NAME["add"], OPS_BY_NAME["layer_norm"], OPS_BY_NAME["rms_norm"]
TIMES = OPS_BY_NAME["times"]
NORMS = {"layer": LAYER_NORM, "rms": RMS_NORM}
ACTIVATIONS = {
    "relu": OPS_BY_NAME["rectify"],
    "gelu": OPS_BY_NAME["gelu"],
    "silu": OPS_BY_NAME["silu"],
}

ATTENTION = (
    Field("heads", "heads", "a list of heads with their matrices, or how many share wide ones"),
    Field("head_sizes", "sizes", "the widths of the heads in wide matrices, when they differ"),
    multi_head.KV_HEADS,
    *projections.PROJECTIONS,
    Field("W_O", "matrix", "the output matrix of the attention", role=Role.WEIGHTS),
    Field("b_O", "matrix", "its bias", role=Role.ROW),
    *heads.SETTINGS,
)
CROSS = "cross"
LOOKING = Field(
    CROSS,
    "section",
    "the attention to the context: its heads, matrices and settings",
    fields=ATTENTION,
)
NORM = Field(
    "norm",
    "choice",
    "where the layer norms stand: post (default), pre or none",
    choices=("post", "pre", "none"),
)
NORM_KIND = Field(
    "norm_kind", "choice", "layer (default), or rms, which takes no mean off", choices=tuple(NORMS)
)
EPSILONS = (
    Field("epsilon", "number", "the ε of the layer norms (default 10^-5, as torch)"),
    Field("epsilon_at", "choice", "where ε is added: variance (default) or deviation", choices=PLACES),
)
FEED_FORWARD = (
    Field("W_1", "matrix", "the first matrix of the feed-forward layer; none without it", role=Role.WEIGHTS),
    Field("b_1", "matrix", "its bias", role=Role.ROW),
    Field("W_2", "matrix", "the second matrix of the feed-forward layer", role=Role.WEIGHTS),
    Field("b_2", "matrix", "its bias", role=Role.ROW),
    Field("W_3", "matrix", "a gate: what it makes is multiplied by the activated numbers", role=Role.WEIGHTS),
    Field("activation", "choice", "relu (default), gelu, the exact one, or silu", choices=tuple(ACTIVATIONS)),
)


def norms(count: int) -> tuple[Field, ...]:
    """The keys for so many layer norms."""
    gains = [
        field
        for number, word in enumerate(("first", "second", "third")[:count], start=1)
        for field in (
            Field(f"gamma_{number}", "matrix", f"the gain of the {word} layer norm", role=Role.ROW),
            Field(f"beta_{number}", "matrix", "its bias", role=Role.ROW),
        )
    ]
    return (NORM, NORM_KIND, *gains, *EPSILONS)


def attention(plan: Plan, tokens: str, settings: Mapping[str, Any], *, context: str | None = None) -> str:
    """The output of one head or of several, with keys and values from the context if there is one."""
    if "heads" in settings:
        multi_head.build(plan, {**settings, "input": tokens, "context": context or tokens})
        return plan.calls[-1].out
    if "head_sizes" in settings:
        plan.refuse("head_sizes", "'head_sizes' belongs to several heads; say how many, such as heads: 2")
    if multi_head.KV_HEADS.name in settings:
        plan.refuse(multi_head.KV_HEADS.name, "'kv_heads' belongs to several heads; say how many: heads: 2")
    seen = projections.latent(plan, context or tokens, settings)
    Q, K, V = (
        projections.project(plan, letter, source, settings)
        for letter, source in zip("QKV", (tokens, seen, seen), strict=True)
    )
    width = plan.frames[context or tokens].columns.size
    if "W_O" not in settings:
        if "b_O" in settings:
            plan.refuse("b_O", "a bias is added to a projection; give W_O too")
        return heads.attention(plan, Q, K, V, settings, d_model=width)
    mixed = heads.attention(plan, Q, K, V, settings, d_model=width, output="C")
    title = message("Project to the output")
    return projections.projected(
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


def looking(plan: Plan, tokens: str, settings: Mapping[str, Any], context: str) -> str:
    """The second sublayer of a decoder: attention to a context."""

    def look(source: str) -> str:
        with plan.at(CROSS):
            return attention(plan.inside(CROSS), source, settings.get(CROSS, {}), context=context)

    return sublayer(plan, 2, tokens, settings, look, key=CROSS)


def side_by_side(
    plan: Plan, tokens: str, settings: Mapping[str, Any], attend: Callable[[str], str], *, key: str
) -> str:
    """x + f(n) + g(n), where attention f and feed-forward g read the same n, the normed tokens."""
    if settings.get("norm", "post") == "post":
        plan.refuse("parallel", "side by side both read what a first norm made; say norm: pre, or none")
    for surplus in ("gamma_2", "beta_2"):
        if surplus in settings:
            plan.refuse(surplus, f"'{surplus}' belongs to a second norm; side by side there is one")
    if "W_1" not in settings:
        plan.refuse("parallel", "there is no feed-forward layer to stand beside; give W_1 and W_2")
    source = _norm(plan, tokens, settings, 1) if settings.get("norm") == "pre" else tokens
    seen, worked = attend(source), _feed_forward(plan, source, settings)
    with plan.at(key):
        added = plan.call("R1", ADD, tokens, seen, title=message("Residual: add the input again"))
    with plan.at("W_2"):
        return plan.call("R2", ADD, added, worked, title=message("Add what the feed-forward layer made"))


def feed_forward(plan: Plan, number: int, tokens: str, settings: Mapping[str, Any]) -> str:
    """The feed-forward layer with its residual; the tokens themselves where the file has none."""
    if "W_1" not in settings:
        for surplus in ("W_2", "W_3", "b_1", "b_2", "activation", f"gamma_{number}", f"beta_{number}"):
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
    """The norm of this number."""
    return normed(plan, source, settings, f"_{number}")


def normed(plan: Plan, source: str, settings: Mapping[str, Any], key: str) -> str:
    """A norm with the gain and the bias that the file has for it, such as `gamma_1` and `beta_1`."""
    op = NORMS[settings.get("norm_kind", "layer")]
    gamma, beta = settings.get(f"gamma{key}"), settings.get(f"beta{key}")
    if beta is not None and op is RMS_NORM:
        plan.refuse(f"beta{key}", "an RMS norm has a gain but no bias; leave the β out")
    if beta is not None and gamma is None:
        ones = f"ones(1x{plan.frames[source].columns.size})"
        plan.refuse(f"beta{key}", f"a β needs its γ; give gamma{key} too, such as {ones}")
    options: dict[str, Any] = {}
    if "epsilon" in settings:
        with plan.at("epsilon"):
            options["epsilon"] = plan.option(op.options[0], settings["epsilon"], {})
    if "epsilon_at" in settings:
        if op is RMS_NORM:
            plan.refuse("epsilon_at", "an RMS norm has its ε under the root; leave epsilon_at out")
        options["epsilon_at"] = settings["epsilon_at"]
    given = tuple(filter(None, (gamma, beta)))
    letter = "N_f" if key == "_f" else f"N{key[1:]}"
    with plan.at(f"gamma{key}"):
        plan.frame(op, (source, *given[:1]))
    with plan.at(f"beta{key}"):
        return plan.call(letter, op, source, *given, **options)


def feed_forward_title(activation: Op) -> str:
    """What the step between the two layers is called."""
    return f"Feed-forward: {activation.title}"


def _feed_forward(plan: Plan, source: str, settings: Mapping[str, Any]) -> str:
    if "W_2" not in settings:
        plan.refuse("W_1", "the feed-forward layer has two matrices; give W_2 too")
    title = message("Feed-forward: the first layer")
    wide = projections.projected(
        plan, "F", PROJECT, source, settings["W_1"], settings.get("b_1"), key="1", title=title
    )
    op = ACTIVATIONS[settings.get("activation", "relu")]
    active = plan.call("G", op, wide, title=feed_forward_title(op))
    if "W_3" in settings:
        gate = projections.projected(
            plan,
            "Fg",
            PROJECT,
            source,
            settings["W_3"],
            None,
            key="3",
            title=message("Feed-forward: the gate"),
        )
        with plan.at("W_3"):
            title = message("Feed-forward: what is activated, times the gate")
            active = plan.call("Gg", TIMES, active, gate, title=title)
    title = message("Feed-forward: the second layer")
    return projections.projected(
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
        norm.op in NORMS.values()
        and added.op is ADD
        and norm.args[0] == added.out
        and (norm.group, norm.letter[1:]) == (added.group, added.letter[1:])
    )


def _without_norm(call: Call, setting: Setting) -> Call | None:
    return None if call.op in NORMS.values() else call


def _tokens(setting: Setting, name: str) -> str:
    """The tokens that queries or keys are made of."""
    return setting.graph.source(setting.graph.before_turning(name)).tokens


def _without_context(call: Call, setting: Setting) -> Call:
    """Keys and values from the decoder's own tokens."""
    if CROSS not in call.group.split("."):
        return call
    own = call.group[: call.group.index(CROSS) + len(CROSS)]
    heads = [head for head in setting.graph.heads if head.weights.group.startswith(own)]
    renamed = {
        _tokens(setting, head.keys): _tokens(setting, head.queries)
        for head in heads
        if head.keys is not None and head.queries is not None
    }
    return call._replace(args=tuple(renamed.get(name, name) for name in call.args))


CONTEXT_FORGOTTEN = edited(
    "context-forgotten",
    "The keys and values of the cross-attention come from the encoder.",
    _without_context,
)

MISTAKES = (
    edited(
        "norm-before-residual",
        "The layer norm comes after the residual is added, not before.",
        _norm_before_residual,
    ),
    edited("norm-forgotten", "Do not forget the layer norm.", _without_norm),
)
