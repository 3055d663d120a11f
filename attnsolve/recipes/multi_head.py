"""Multi-head attention: heads one by one or one wide matrix to be split, then W_O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME
from attnsolve.ops.concatenation import summed
from attnsolve.ops.misfits import numbers
from attnsolve.problem import Call
from attnsolve.recipes import head_mistakes, heads
from attnsolve.recipes.base import FieldError, Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.self_attention import QUERIES, attend

CONCATENATE, OUTPUT, SPLIT = OPS_BY_NAME["concatenate"], OPS_BY_NAME["output"], OPS_BY_NAME["split"]

SLICES = {
    "Q": message("Queries of this head"),
    "K": message("Keys of this head"),
    "V": message("Values of this head"),
}

FIELDS = (
    Field(
        "input", "matrix", "the tokens, a row each; not needed when every head is another part", role="tokens"
    ),
    Field("context", "matrix", "the tokens that keys and values come from, if not the input", role="tokens"),
    QUERIES,
    Field(
        "heads",
        "heads",
        "a list of heads, each its matrices or the id of an earlier part; or how many",
        required=True,
    ),
    Field(
        "head_sizes", "sizes", "the widths of the heads in wide matrices, when they differ, such as [2, 3]"
    ),
    *heads.PROJECTIONS,
    Field("W_O", "matrix", "the output matrix", role="weights"),
    Field("b_O", "matrix", "the output bias", role="row"),
    *heads.SETTINGS,
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Z_h for every head h, C = [Z_1 | Z_2 | …], Z = C W_O + b_O."""
    listed = settings["heads"]
    outputs = (
        _split_heads(plan, settings, listed)
        if isinstance(listed, int)
        else _listed_heads(plan, settings, listed)
    )
    with plan.at("heads"):
        together = plan.call("C", CONCATENATE, *outputs)
    if "W_O" in settings:
        heads.projected(plan, "Z", OUTPUT, together, settings["W_O"], settings.get("b_O"), key="O")
    elif "b_O" in settings:
        plan.refuse("b_O", "a bias is added to a projection; give W_O too")


def _listed_heads(plan: Plan, settings: Mapping[str, Any], listed: list[Any]) -> list[str]:
    for key in ("head_sizes", *(field.name for field in heads.PROJECTIONS)):
        if key in settings:
            plan.refuse(
                key,
                f"{key} stands beside a list of heads; write it into them, or say heads: {len(listed)}",
            )
    outputs = []
    for number, head in enumerate(listed):
        inner = plan.inside(f"head{number + plan.layout.index_from}")
        if isinstance(head, str):
            plan.aliases[inner.prefix] = head
            outputs.append(f"{head}.Z")
            continue
        with plan.at("heads", number):
            tokens = _tokens(settings)
            inner.path = plan.path
            attend(inner, tokens, settings.get("context", tokens), {**_shared(settings), **head})
        outputs.append(f"{inner.prefix}.Z")
    return outputs


def _split_heads(plan: Plan, settings: Mapping[str, Any], count: int) -> list[str]:
    """Wide Q, K and V, a slice of columns for each head."""
    tokens = _tokens(settings)
    context = settings.get("context", tokens)
    asking = heads.only(plan, tokens, settings.get("queries"))
    wide = {
        "Q": heads.project(plan, "Q", asking, settings),
        "K": heads.project(plan, "K", context, settings),
        "V": heads.project(plan, "V", context, settings),
    }
    outputs = []
    for number in range(count):
        inner = plan.inside(f"head{number + plan.layout.index_from}")
        own = {}
        for letter, name in wide.items():
            start, stop = _slice(plan, name, letter, count, number, settings.get("head_sizes"))
            own[letter] = inner.call(letter, SPLIT, name, title=SLICES[letter], start=start, stop=stop)
        heads.attention(
            inner, own["Q"], own["K"], own["V"], settings, d_model=plan.frames[context].columns.size
        )
        outputs.append(f"{inner.prefix}.Z")
    return outputs


def _slice(
    plan: Plan, name: str, letter: str, count: int, number: int, sizes: tuple[int, ...] | None
) -> tuple[int, int]:
    """The columns of head `number`, counted from 0, in the wide Q, K or V."""
    width = plan.frames[name].columns.size
    what = f"{letter} has {numbers(width)} per token"
    if sizes is None:
        if width % count:
            plan.refuse("heads", f"{what}, which {count} heads cannot share equally; say head_sizes: [...]")
        sizes = (width // count,) * count
    if len(sizes) != count:
        plan.refuse("head_sizes", f"{len(sizes)} sizes for {count} heads; write a size for each head")
    if sum(sizes) != width:
        plan.refuse(
            "head_sizes", f"{what}, but these sizes add up to {sum(sizes)}; they must add up to {width}"
        )
    start = sum(sizes[:number])
    return start, start + sizes[number]


def _tokens(settings: Mapping[str, Any]) -> str:
    if "input" not in settings:
        raise FieldError((), "'input' is missing: say which tokens the heads read, such as input: X")
    return str(settings["input"])


def _shared(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is set for all heads and may be set again in one."""
    names = {field.name for field in heads.SETTINGS} | {"queries"}
    return {name: value for name, value in settings.items() if name in names}


def _without_output(call: Call, setting: Setting) -> Call | None:
    return None if call.op is OUTPUT else call


def _heads_summed(call: Call, setting: Setting) -> Call | None:
    """The sum of the heads in place of their concatenation and its output matrix."""
    if call.op is OUTPUT:
        return None
    return call._replace(op=call.op._replace(rule=summed, moves=False)) if call.op is CONCATENATE else call


MULTI_HEAD = Recipe(
    name="multi_head",
    doc="several heads, put together, then the output matrix",
    fields=FIELDS,
    build=build,
    mistakes=(
        *head_mistakes.MISTAKES,
        edited(
            "output-forgotten", "The concatenated heads still have to be multiplied by W_O.", _without_output
        ),
        edited(
            "heads-summed",
            "Put the heads side by side and multiply by W_O; do not add them up.",
            _heads_summed,
            since=2,
        ),
    ),
)
