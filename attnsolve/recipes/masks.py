"""Masks as a file writes them: `mask: {causal: true}`, `{keep: …}`, `{lengths: [2, 3]}`, `{add: …}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops import OPS_BY_NAME, Family, Role
from attnsolve.recipes.base import Plan
from attnsolve.recipes.fields import Field

SELECT = OPS_BY_NAME["select"]
ORDER = ("after_scaling", "before_scaling")

# Each says what it does, since libraries disagree on what a 1 or True in a mask means.
FIELDS = (
    Field("causal", "flag", "true: no query looks at a later token"),
    Field(
        "lengths", "sizes", "padding: only the first so many keys are real; one number, or one for each query"
    ),
    Field(
        "drop_keys",
        "rows",
        "hide these keys from every query, such as [4]",
        once="a key is named twice; it can be hidden only once",
    ),
    Field("window", "count", "a query sees keys less than so many places away", low=1, high=512),
    Field("sinks", "count", "with a window: the first so many keys are seen by every query", low=1, high=512),
    Field("everywhere", "rows", "with a window: tokens that see all and are seen by all, such as [1]"),
    Field("blocks", "count", "a query sees its own block of so many tokens", low=1, high=512),
    Field(
        "keep",
        "zeros-and-ones",
        "1 where a query may look at a key, 0 where not: True of torch's scaled_dot_product_attention; "
        "laid as the scores are, a row for each query, or a column where scores are K' Q",
        role=Role.SCORES,
    ),
    Field(
        "drop",
        "zeros-and-ones",
        "1 where a query must not look at a key: True of torch's nn.MultiheadAttention; "
        "laid as the scores are",
        role=Role.SCORES,
    ),
    Field(
        "add", "matrix", "numbers to be added to the scores, laid as they are; -inf to hide", role=Role.SCORES
    ),
    Field(
        "drop_queries",
        "rows",
        "padding among the queries, such as [4]: their weights are 0, after all other masks",
        once="a query is named twice; it can be hidden only once",
    ),
    Field(
        "apply", "choice", "whether scores are masked after the scaling (default) or before", choices=ORDER
    ),
)


# What hides scores, in the order in which it is done; and what comes after the weights.
BESIDE_WINDOW = ("sinks", "everywhere")
OF_SCORES = tuple(field.name for field in FIELDS[:-2] if field.name not in BESIDE_WINDOW)
QUERIES = FIELDS[-2].name


def comes_first(settings: Mapping[str, Any]) -> bool:
    """Whether the mask is applied before the scaling."""
    return bool(settings.get("mask", {}).get("apply") == "before_scaling")


def hide(plan: Plan, scores: str, settings: Mapping[str, Any]) -> str:
    """The scores with every mask of the file applied, one after the other."""
    if "mask" not in settings:
        return scores
    wanted: Mapping[str, Any] = settings["mask"]
    with plan.at("mask"):
        for name in BESIDE_WINDOW:
            if name in wanted and "window" not in wanted:
                plan.refuse(name, f"'{name}' widens a window; say window: 2 too")
        chosen = [name for name in OF_SCORES if wanted.get(name) not in (None, False)]
        if not chosen and wanted.get("causal") is not False and QUERIES not in wanted:
            plan.refuse("apply", "nothing is masked; say causal: true, lengths, drop_keys, keep, drop or add")
        for number, name in enumerate(chosen):
            letter = "M" if number == len(chosen) - 1 else f"M{number + 1}"
            with plan.at(name):
                scores = _hidden(plan, letter, name, scores, wanted, _tokens(plan, settings))
    return scores


def silence(plan: Plan, weights: str, settings: Mapping[str, Any]) -> str:
    """The weights with 0 for the queries that are padding."""
    padding: tuple[int, ...] = settings.get("mask", {}).get(QUERIES, ())
    if not padding:
        return weights
    asking = plan.frames[weights].rows
    places = asking.tokens if asking.tokens is not None else tuple(range(asking.size))
    with plan.at("mask"):
        for token in padding:
            if token not in places:
                known = ", ".join(str(place + plan.layout.index_from) for place in places)
                said = f"there is no query {token + plan.layout.index_from}; the queries are {known}"
                plan.refuse(QUERIES, said)
        rows = tuple(places.index(token) for token in padding)
        return plan.call("B", OPS_BY_NAME["drop_queries"], weights, queries=rows)


def _tokens(plan: Plan, settings: Mapping[str, Any]) -> int:
    """How many tokens there are when only some of them ask; else 0."""
    rows = settings.get("queries")
    chosen = (
        call
        for call in plan.calls
        if call.letter == "X" and call.op.family is Family.SELECTION and call.options["rows"] == rows
    )
    return next((plan.frames[call.args[0]].rows.size for call in chosen), 0)


def _hidden(plan: Plan, letter: str, name: str, scores: str, wanted: Mapping[str, Any], tokens: int) -> str:
    """One mask; what a file gives for all `tokens` is cut down to those that ask."""
    value = wanted[name]
    asking = plan.frames[scores].rows
    places = asking.tokens if asking.tokens is not None else tuple(range(asking.size))
    op = OPS_BY_NAME["add_mask" if name == "add" else name]
    rows: dict[str, Any] = {} if places == tuple(range(asking.size)) else {"rows": places}
    if name == "causal":
        return plan.call(letter, op, scores, **rows)
    if name in ("window", "blocks"):
        beside = {key: wanted[key] for key in BESIDE_WINDOW if name == "window" and key in wanted}
        return plan.call(letter, op, scores, size=value, **beside, **rows)
    if name == "lengths":
        several = tokens > 1 and len(value) == tokens
        return plan.call(letter, op, scores, lengths=tuple(value[p] for p in places) if several else value)
    if name == "drop_keys":
        return plan.call(letter, op, scores, keys=value)
    whole = tokens and plan.frames[value].rows.size == tokens
    mask = plan.call(name, SELECT, value, rows=places) if whole else value
    return plan.call(letter, op, scores, mask)
