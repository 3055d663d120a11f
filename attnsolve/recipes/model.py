"""A whole small language model: embedding, positions, layers, final norm, logits; with an encoder or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Role
from attnsolve.problem import Call
from attnsolve.recipes import blocks, encoder_block, multi_head, projections
from attnsolve.recipes.base import FieldError, Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field

EMBED, LOGITS, ADD, SELECT = (OPS_BY_NAME[name] for name in ("embed", "logits", "add", "select"))
PROJECT, DIVIDE = OPS_BY_NAME["project"], OPS_BY_NAME["divide"]
PROBABILITIES, CROSS_ENTROPY = OPS_BY_NAME["probabilities"], OPS_BY_NAME["cross_entropy"]
TOP_WORDS, NUCLEUS, PERPLEXITY = (OPS_BY_NAME[name] for name in ("top_words", "nucleus", "perplexity"))
MOST_WORDS = 64

# What an encoder has in common with the decoder that looks at it, unless it says otherwise.
SHARED = ("embedding", "table", "norm", "norm_kind", "epsilon", "epsilon_at", "activation", "final_norm")
ENCODER = Field(
    "encoder",
    "section",
    "what reads the words that are looked at; embedding, places and norms as here unless it has its own",
    fields=(
        Field("words", "rows", "the numbers of the words that it reads", required=True),
        Field("embedding", "matrix", "an embedding of its own, a row for each word", role=Role.TOKENS),
        Field("table", "matrix", "learned positions of its own, a row for each place", role=Role.TOKENS),
        *encoder_block.LAYER,
        Field(
            "layers",
            "layers",
            "how many layers, or what each has of its own",
            required=True,
            fields=encoder_block.LAYER,
        ),
        Field("final_norm", "flag", "whether a last norm stands at its end"),
        Field("gamma_f", "matrix", "the gain of its last norm", role=Role.ROW),
        Field("beta_f", "matrix", "its bias", role=Role.ROW),
    ),
)
# What a layer may have of its own; a third norm, and a look at the encoder, where there is one.
LAYER = (*encoder_block.LAYER, blocks.LOOKING, *blocks.norms(3)[6:8])

FIELDS = (
    Field("words", "rows", "the numbers of the words that are read, such as [3, 1, 2]", required=True),
    ENCODER,
    Field("embedding", "matrix", "the embedding, a row for each word", required=True, role=Role.TOKENS),
    Field("table", "matrix", "learned positions, a row for each place; none without it", role=Role.TOKENS),
    *LAYER,
    Field(
        "layers",
        "layers",
        "how many layers, or what each has of its own; causal and with the norms first unless said otherwise",
        required=True,
        fields=LAYER,
    ),
    Field("final_norm", "flag", "whether a last norm stands before the logits (default true)"),
    Field("gamma_f", "matrix", "the gain of the last norm", role=Role.ROW),
    Field("beta_f", "matrix", "its bias", role=Role.ROW),
    Field(
        "W_y",
        "matrix",
        "the read-out over the words; the embedding again where it is left out",
        role=Role.WEIGHTS,
    ),
    Field("b_y", "matrix", "its bias", role=Role.ROW),
    Field("temperature", "number", "what the logits are divided by"),
    Field("top_k", "count", "only so many of the most probable words are kept", low=1, high=MOST_WORDS),
    Field("top_p", "number", "only the fewest words are kept that have so much probability together"),
    Field("target", "rows", "the right next word after each word, for the cross-entropy and the perplexity"),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """softmax(N(layers(E[words] + P)) Eᵀ), of the last token, or of all where there are targets."""
    memory = _encoded(plan, settings)
    usual = {"norm": "pre", "mask": {"causal": True}, **settings}
    tokens = encoder_block.stacked(plan, _embedded(plan, settings), usual, context=memory)
    if settings.get("final_norm") is not False:
        tokens = blocks.normed(plan, tokens, settings, "_f")
    if "target" not in settings:
        last = plan.frames[tokens].rows.size - 1
        tokens = plan.call("N_l", SELECT, tokens, rows=(last,)) if last else tokens
    words = plan.call("Y", PROBABILITIES, _logits(plan, tokens, settings))
    if "target" in settings:
        with plan.at("target"):
            losses = plan.call("L", CROSS_ENTROPY, words, target=settings["target"])
        plan.call("PP", PERPLEXITY, losses)
    _sampled(plan, words, settings)


def _encoded(plan: Plan, settings: Mapping[str, Any]) -> str | None:
    """What the encoder makes of its words; None for a model that has none."""
    if "encoder" not in settings:
        _refuse_without_encoder(plan, settings)
        return None
    shared = {key: settings[key] for key in SHARED if key in settings}
    own = {"norm": "pre", **shared, **settings["encoder"]}
    with plan.at("encoder"):
        inner = plan.inside("encoder")
        tokens = encoder_block.stacked(inner, _embedded(inner, own), own)
        return tokens if own.get("final_norm") is False else blocks.normed(inner, tokens, own, "_f")


def _refuse_without_encoder(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Refuse what only a decoder has that looks at an encoder."""
    layers = settings["layers"] if isinstance(settings["layers"], list) else []
    for path, layer in (((), settings), *((("layers", place), layer) for place, layer in enumerate(layers))):
        for key in (blocks.CROSS, "gamma_3", "beta_3"):
            if key in layer:
                with plan.at(*path):
                    plan.refuse(
                        key, f"'{key}' belongs to a layer that looks at an encoder; give encoder: too"
                    )


def _embedded(plan: Plan, settings: Mapping[str, Any]) -> str:
    """The rows of the words, with those of their places added."""
    with plan.at("words"):
        tokens = plan.call("X_0", EMBED, settings["embedding"], words=settings["words"])
    if "table" not in settings:
        return tokens
    count, places = plan.frames[tokens].rows.size, plan.frames[settings["table"]].rows.size
    if places < count:
        plan.refuse("table", f"{places} places for {count} words; each word needs a row")
    codes = settings["table"]
    with plan.at("table"):
        if places > count:
            codes = plan.call("P", SELECT, codes, rows=tuple(range(count)))
        return plan.call("X_1", ADD, tokens, codes, title=message("Add the positions to the tokens"))


def _logits(plan: Plan, tokens: str, settings: Mapping[str, Any]) -> str:
    """A number for each word, over the temperature if there is one."""
    if "W_y" in settings:
        title = message("Read-out: a number for each word")
        weights, bias = settings["W_y"], settings.get("b_y")
        logits = projections.projected(plan, "O", PROJECT, tokens, weights, bias, key="y", title=title)
    elif "b_y" in settings:
        raise FieldError(("b_y",), "a bias is added to a projection; give W_y too")
    else:
        with plan.at("embedding"):
            logits = plan.call("O", LOGITS, tokens, settings["embedding"])
    if "temperature" not in settings:
        return logits
    with plan.at("temperature"):
        by = plan.number(settings["temperature"], {})
        return plan.call("O_t", DIVIDE, logits, title=message("Logits over the temperature"), by=by)


def _sampled(plan: Plan, words: str, settings: Mapping[str, Any]) -> None:
    """The probabilities that are sampled from; a loss is that of all words."""
    if "top_k" in settings:
        with plan.at("top_k"):
            words = plan.call("Y_k", TOP_WORDS, words, k=settings["top_k"])
    if "top_p" in settings:
        with plan.at("top_p"):
            share = plan.option(NUCLEUS.options[0], settings["top_p"], {})
            plan.call("Y_p", NUCLEUS, words, p=share)


def _without_positions(call: Call, setting: Setting) -> Call | None:
    return None if call.op is ADD and call.letter == "X_1" else call


def _without_final_norm(call: Call, setting: Setting) -> Call | None:
    return None if call.letter == "N_f" else call


def _without_temperature(call: Call, setting: Setting) -> Call | None:
    return None if call.letter == "O_t" else call


MODEL = Recipe(
    name="model",
    doc="a whole language model: embedding, layers, logits and the next word, perhaps after an encoder",
    fields=FIELDS,
    build=build,
    mistakes=(
        *multi_head.MULTI_HEAD.mistakes,
        *blocks.MISTAKES,
        blocks.CONTEXT_FORGOTTEN,
        edited(
            "positions-forgotten", "Add the rows of the places to those of the words.", _without_positions
        ),
        edited("final-norm-forgotten", "A last norm stands before the logits.", _without_final_norm),
        edited("temperature-forgotten", "Divide the logits by the temperature first.", _without_temperature),
    ),
)
