"""The JSON Schema of a problem file, from the fields that the loader checks by: editors complete with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attnsolve.loader.abstract_heads import ATTEND, MULTI_HEAD
from attnsolve.loader.domains import RANGE
from attnsolve.loader.format import (
    ABSTRACT_KEYS,
    CHOICE,
    CONVENTION,
    COSTS,
    FORMAT,
    PART,
    PROBLEM,
    ROUND,
    SCHEME,
    WORKSHEET,
    WORTH,
    WRONG_TEXT,
)
from attnsolve.loader.givens import NAME
from attnsolve.loader.kinds import SETTING_KINDS, kind_of
from attnsolve.loader.letterheads import cover_schema, logo_schema
from attnsolve.loader.parts import IDENTIFIER, PLANS, WITHOUT_PLAN
from attnsolve.loader.sheet_format import EXERCISE, POOL, PROBLEM_SET
from attnsolve.loader.tables import FILE
from attnsolve.loader.variation import ALLOWED, SIZE, WANTED
from attnsolve.loader.variation_format import CLAIM_COUNTS, DOMAIN, JUDGE_SETTINGS, VARY
from attnsolve.maths.macros import NAME as MACRO
from attnsolve.recipes import RECIPES, RECIPES_BY_NAME, Field
from attnsolve.recipes.heads import HEAD, SETTINGS
from attnsolve.recipes.schemas import (
    CELL,
    TEXT,
    WHOLE,
    Schema,
    bounded,
    described,
    either,
    listed,
    mapped,
    named,
    one_or_more,
    ref,
)

SPACE = r"none|lines|\d+ lines?|page|\d+ pages?|\d+(\.5)? ?(cm|mm)|worksheet"
POINTS: Schema = {"type": ["number", "string"], "minimum": 0}
ABSTRACT_RECIPES = ("attend", "multi_head")
ID: Schema = {"type": ["string", "integer"], "pattern": f"^{IDENTIFIER.pattern}$"}


def json_schema() -> Schema:
    """The schema (draft 2020-12) of format 1."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"attnsolve problem file, format {FORMAT}",
        **_map_of(PROBLEM),
        "$defs": {
            "cell": CELL,
            "matrix": _matrix(),
            # What every recipe with attention may say is described once.
            **{field.name: define(field) for field in SETTINGS if (define := kind_of(field).definition)},
            "head": _map_of(HEAD),
            "abstract_attend": _abstract(ATTEND),
            "abstract_multi_head": _abstract(MULTI_HEAD),
            "part": _part(),
            **{recipe.name: _map_of(recipe.fields, required=False) for recipe in RECIPES},
        },
    }


# With symbols, what each key of an attention holds.
ABSTRACT_HEADS: dict[str, Schema] = {
    "queries": described(one_or_more(TEXT), "with symbols: a query that is defined under given:"),
    "keys": described(TEXT, "with symbols: a family of vectors"),
    "values": described(TEXT, "with symbols: another one; without it only weights are found"),
    "divide_by": described(TEXT, "with symbols: what scores are divided by, such as sqrt(d)"),
    "combine": described(TEXT, "with symbols: how the outputs of the heads are joined: (a_1 + a_2)/2"),
    "heads": described(
        {**listed(either(TEXT, ref("abstract_attend"))), "minItems": 2},
        "with symbols: what each head has of its own, or earlier parts",
    ),
    "mask": described(
        either({"const": "none"}, {**named(one_or_more(TEXT)), "propertyNames": {"const": "drop_keys"}}),
        "with symbols: keys that are hidden, by their names: {drop_keys: [a]}",
    ),
}


def _abstract(keys: Iterable[str]) -> Schema:
    """An attention with symbols, whose keys and values are families of vectors."""
    properties = {key: ABSTRACT_HEADS[key] for key in keys}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _recipe(field: Field) -> Schema:
    """What a recipe takes; two of them take families of vectors too."""
    numbers = ref(field.name)
    both = either(numbers, ref(f"abstract_{field.name}")) if field.name in ABSTRACT_RECIPES else numbers
    return described(both, RECIPES_BY_NAME[field.name].doc)


def set_schema() -> Schema:
    """The schema (draft 2020-12) of sheet files, which may have whole problems in them."""
    problem = json_schema()
    return {
        "$schema": problem["$schema"],
        "title": f"attnsolve sheet file, format {FORMAT}",
        **_map_of(PROBLEM_SET),
        "$defs": {**problem["$defs"], "problem": _map_of(PROBLEM)},
    }


def _part() -> Schema:
    """A question; what it must have is left open when an earlier part or its cases have the rest."""
    needed = {recipe.name: [field.name for field in recipe.fields if field.required] for recipe in RECIPES}
    whole = {
        "required": ["ask"],
        "properties": {name: {"required": keys} for name, keys in needed.items() if keys},
        "anyOf": [{"required": [way]} for way in (*PLANS, *WITHOUT_PLAN, *ABSTRACT_KEYS)],
    }
    return {**_map_of(PART), "anyOf": [{"required": ["like"]}, {"required": ["cases"]}, whole]}


def _value(field: Field) -> Schema:
    if field.kind in SETTING_KINDS:
        return kind_of(field).schema(field)
    return KINDS[field.kind](field)


def _map_of(fields: Iterable[Field], *, required: bool = True) -> Schema:
    return mapped(fields, _value, required=required)


def _bounded(field: Field) -> Schema:
    return bounded(field.low, field.high)


def _matrix() -> Schema:
    """Text such as `1 2; 3 4`, the name of a given or of a result, a list, a list of rows, or a file."""
    rows = listed(either(ref("cell"), listed(ref("cell"))))
    said = (
        "1 2; 3 4, [[1, 2], [3, 4]], ones(3x2), the name of a given, a result such as b.Z, or {file: X.csv}"
    )
    return {"description": said, **either(ref("cell"), rows, _map_of(FILE))}


def _domain() -> Schema:
    """What a given may become: a range, a list of numbers, or either with settings."""
    said = "-2..2, [0, 1, 1/2], {entries: -2..2, denominators: [1, 2]} or {set: [0, ln(2)]}"
    ranged = {"type": "string", "pattern": RANGE.pattern}
    return {"description": said, **either(ranged, listed(ref("cell")), _map_of(DOMAIN))}


def _exercise() -> Schema:
    """A problem by its file or as it is, with what the sheet makes of it."""
    return {**_map_of(EXERCISE), "oneOf": [{"required": ["file"]}, {"required": ["problem"]}]}


def _choice() -> Schema:
    """A value of the part among those that mistakes give, or texts."""
    return {**_map_of(CHOICE), "oneOf": [{"required": ["of"]}, {"required": ["right", "wrong"]}]}


def _plan(field: Field) -> Schema:
    step = {**named({"type": "string"}), "minProperties": 1}
    titled = {**step, "required": ["title"], "minProperties": 2, "maxProperties": 2}
    return either(listed(either({**step, "maxProperties": 1}, titled)), step)


def _givens(field: Field) -> Schema:
    return {**named(ref("matrix")), "propertyNames": {"pattern": f"^{NAME.pattern}$"}}


def _space(field: Field) -> Schema:
    worksheet = {**_map_of([Field("worksheet", "worksheet", "blanks for the steps of the part")])}
    return either({"type": "string", "pattern": f"^(?:{SPACE})$"}, {**worksheet, "required": ["worksheet"]})


# What each kind of field holds besides the settings of recipes.
KINDS: dict[str, Callable[[Field], Schema]] = {
    "format": lambda field: {"enum": [int(FORMAT), FORMAT]},
    "text": lambda field: TEXT,
    "id": lambda field: ID,
    "ids": lambda field: one_or_more(ID),
    "costs": lambda field: _map_of(COSTS),
    "question-of-choice": lambda field: either({"type": "string"}, _choice()),
    "target": lambda field: {"type": "string"},
    "texts": lambda field: one_or_more(TEXT),
    "wrong-texts": lambda field: one_or_more(either(TEXT, _map_of(WRONG_TEXT))),
    "letters": lambda field: one_or_more(named({**WHOLE, "minimum": 1})),
    "integer": _bounded,
    "product": lambda field: {"type": "string", "examples": list(field.choices)},
    "convention": lambda field: either({"enum": list(field.choices)}, _map_of(CONVENTION)),
    "givens": _givens,
    "parts": lambda field: listed(ref("part")),
    "symbols": lambda field: named(TEXT),
    "macros": lambda field: {**named({"type": "string"}), "propertyNames": {"pattern": f"^{MACRO.pattern}$"}},
    "labels": lambda field: either(listed(TEXT), named(listed(TEXT))),
    "round": lambda field: _map_of(ROUND),
    "vary": lambda field: {**_map_of(VARY), "additionalProperties": _domain()},
    "names": lambda field: one_or_more({"type": "string"}),
    "keys": lambda field: one_or_more({"type": "string"}),
    "shapes": lambda field: listed(named({"type": "string", "pattern": SIZE.pattern})),
    "choose": lambda field: either(
        named({"type": "array", "minItems": 2}),
        {"type": "array", "items": {"type": "object", "minProperties": 1}, "minItems": 2},
    ),
    "design": lambda field: named(listed({"type": ["string", "number"]})),
    "space": _space,
    "worksheet": lambda field: _map_of(WORKSHEET),
    "filled": lambda field: either(_bounded(field), one_or_more({"type": "string"})),
    "named-numbers": lambda field: named(ref("cell")),
    "claim-counts": lambda field: named(_map_of(CLAIM_COUNTS)),
    "judges": lambda field: one_or_more({"enum": list(ALLOWED)}),
    "wants": lambda field: one_or_more({"enum": list(WANTED)}),
    "judge-settings": lambda field: _map_of(JUDGE_SETTINGS),
    "share": lambda field: {"type": ["number", "string"]},
    "range": lambda field: {"type": "string", "pattern": RANGE.pattern},
    "cells": lambda field: listed(ref("cell")),
    "cases": lambda field: listed({"type": "object", "minProperties": 1}),
    "targets": lambda field: one_or_more({"type": "string"}),
    "marks": lambda field: either(_bounded(field), named(either(_bounded(field), _map_of(WORTH)))),
    "scheme": lambda field: _map_of(SCHEME),
    "published": lambda field: named(ref("matrix")),
    "plan": _plan,
    "swaps": lambda field: named(ref("matrix")),
    "recipe": _recipe,
    "file": lambda field: {"type": "string"},
    "cover": lambda field: cover_schema(),
    "declaration": lambda field: TEXT,
    "logo": lambda field: logo_schema(),
    "problem": lambda field: ref("problem"),
    "points": lambda field: either(POINTS, named(POINTS)),
    "exercises": lambda field: listed(either({"type": "string"}, _exercise(), _map_of(POOL))),
    "pooled": lambda field: {**listed(either({"type": "string"}, _exercise())), "minItems": 2},
    "drawn": lambda field: {**WHOLE, "minimum": 1},
    "worth": lambda field: POINTS,
    "assumptions": lambda field: named(TEXT),
    "inequalities": lambda field: one_or_more(
        {**named(TEXT), "required": ["for", "so that"], "maxProperties": 2}
    ),
    "chosen": lambda field: named(one_or_more(ref("cell"))),
}
