"""Multi-head attention: heads one by one or one wide matrix to be split, then W_O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Role
from attnsolve.ops.concatenation import summed
from attnsolve.ops.misfits import numbers
from attnsolve.problem import Call
from attnsolve.recipes import head_mistakes, heads, projections
from attnsolve.recipes.base import FieldError, Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.scores import with_slope
from attnsolve.recipes.self_attention import QUERIES, attend

CONCATENATE, OUTPUT, SPLIT = OPS_BY_NAME["concatenate"], OPS_BY_NAME["output"], OPS_BY_NAME["split"]

SLICES = {
    "Q": message("Queries of this head"),
    "K": message("Keys of this head"),
    "V": message("Values of this head"),
}

KV_HEADS = Field(
    "kv_heads",
    "count",
    "how many heads keys and values have, shared by the others: 1 is multi-query, more are groups",
    low=1,
    high=64,
)

FIELDS = (
    Field(
        "input",
        "matrix",
        "the tokens, a row each; not needed when every head is another part",
        role=Role.TOKENS,
    ),
    Field(
        "context", "matrix", "the tokens that keys and values come from, if not the input", role=Role.TOKENS
    ),
    projections.VALUE_CONTEXT,
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
    KV_HEADS,
    *projections.PROJECTIONS,
    Field("W_O", "matrix", "the output matrix", role=Role.WEIGHTS),
    Field("b_O", "matrix", "the output bias", role=Role.ROW),
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
        projections.projected(plan, "Z", OUTPUT, together, settings["W_O"], settings.get("b_O"), key="O")
    elif "b_O" in settings:
        plan.refuse("b_O", "a bias is added to a projection; give W_O too")


def _listed_heads(plan: Plan, settings: Mapping[str, Any], listed: list[Any]) -> list[str]:
    for key in ("head_sizes", KV_HEADS.name, *(field.name for field in projections.PROJECTIONS)):
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
            own = with_slope({**_shared(settings), **head}, number, len(listed))
            attend(inner, tokens, settings.get("context", tokens), own)
        outputs.append(f"{inner.prefix}.Z")
    return outputs


def _split_heads(plan: Plan, settings: Mapping[str, Any], count: int) -> list[str]:
    """Wide Q, K and V, a slice of columns for each head."""
    tokens = _tokens(settings)
    context = settings.get("context", tokens)
    asking = projections.only(plan, tokens, settings.get("queries"))
    Q = projections.project(plan, "Q", asking, settings)
    K, V = projections.keys_and_values(plan, context, settings)
    width = plan.frames[context].columns.size
    return heads_of(plan, {"Q": Q, "K": K, "V": V}, settings, count, d_model=width)


def heads_of(
    plan: Plan, wide: Mapping[str, str], settings: Mapping[str, Any], count: int, *, d_model: int
) -> list[str]:
    """Every head with its columns of wide Q, K and V; keys and values may have fewer heads, in groups."""
    shared = settings.get(KV_HEADS.name, count)
    if count % shared:
        plan.refuse(KV_HEADS.name, f"{count} heads cannot share {shared} heads of keys and values equally")
    if shared != count and "head_sizes" in settings:
        plan.refuse("head_sizes", "heads that share keys and values are equally wide; leave head_sizes out")
    outputs = []
    for number in range(count):
        inner = plan.inside(f"head{number + plan.layout.index_from}")
        own = {}
        for letter, name in wide.items():
            many, own_number = (count, number) if letter == "Q" else (shared, number * shared // count)
            start, stop = _slice(plan, name, letter, many, own_number, settings.get("head_sizes"))
            own[letter] = inner.call(letter, SPLIT, name, title=SLICES[letter], start=start, stop=stop)
        sloped = with_slope(settings, number, count)
        heads.attention(inner, own["Q"], own["K"], own["V"], sloped, d_model=d_model)
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
    names = {field.name for field in heads.SETTINGS} | {"queries", projections.VALUE_CONTEXT.name}
    return {name: value for name, value in settings.items() if name in names}


def _without_output(call: Call, setting: Setting) -> Call | None:
    return None if call.op is OUTPUT else call


def _groups_interleaved(call: Call, setting: Setting) -> Call:
    """Head h with the keys and values of group h mod groups in place of h over their size."""
    if call.op is not SPLIT or call.letter not in "KV":
        return call
    slices = [
        other
        for other in setting.graph.users(call.args[0])
        if other.op is SPLIT and other.letter == call.letter
    ]
    starts = sorted({other.options["start"] for other in slices})
    if len(starts) == len(slices):
        return call
    start = starts[slices.index(call) % len(starts)]
    width = call.options["stop"] - call.options["start"]
    return call._replace(options={"start": start, "stop": start + width})


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
            "groups-interleaved",
            "Neighbouring heads share keys and values: the first group belongs to the first heads.",
            _groups_interleaved,
            since=2,
        ),
        edited(
            "heads-summed",
            "Put the heads side by side and multiply by W_O; do not add them up.",
            _heads_summed,
            since=2,
        ),
    ),
)
