"""The JSON Schema of a problem file, from the fields that the loader checks by: editors complete with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attnsolve.loader.domains import RANGE
from attnsolve.loader.format import (
    CONVENTION,
    COSTS,
    DOMAIN,
    FORMAT,
    JUDGE_SETTINGS,
    PART,
    PROBLEM,
    ROUND,
    SCHEME,
    VARY,
    WORTH,
)
from attnsolve.loader.givens import NAME
from attnsolve.loader.parts import IDENTIFIER, PLANS, WITHOUT_PLAN
from attnsolve.loader.settings import own_fields
from attnsolve.loader.tables import FILE
from attnsolve.loader.variation import ALLOWED, SIZE, WANTED
from attnsolve.ops import Op, Option
from attnsolve.recipes import RECIPES, Field
from attnsolve.recipes.heads import HEAD, SETTINGS

Schema = dict[str, Any]

# The loader reads every value as text, and YAML makes numbers of some texts before a schema sees them.
TEXT: Schema = {"type": ["string", "number", "boolean"]}
CELL: Schema = {
    "type": ["number", "string"],
    "description": "an exact number: 2, -0.5, 1/3, sqrt(2), exp(1), ln(3)",
}
WHOLE: Schema = {"type": "integer"}
ID: Schema = {"type": ["string", "integer"], "pattern": f"^{IDENTIFIER.pattern}$"}


def json_schema() -> Schema:
    """The schema (draft 2020-12) of format 1."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"attnsolve problem file, format {FORMAT}",
        **_map(PROBLEM),
        "$defs": {
            "cell": CELL,
            "matrix": _matrix(),
            # What every recipe with attention may say is described once.
            **{field.name: SHARED[field.kind](field) for field in SETTINGS if field.kind in SHARED},
            "head": _map(HEAD),
            "part": _part(),
            **{recipe.name: _map(recipe.fields, required=False) for recipe in RECIPES},
        },
    }


def _map(fields: Iterable[Field], *, required: bool = True) -> Schema:
    """An object with exactly these keys."""
    fields = tuple(fields)
    needed = [field.name for field in fields if field.required and required]
    return {
        "type": "object",
        "properties": {field.name: {"description": field.doc, **_value(field)} for field in fields},
        "additionalProperties": False,
        **({"required": needed} if needed else {}),
    }


def _part() -> Schema:
    """A question; what it must have is left open when an earlier part or its cases have the rest."""
    needed = {recipe.name: [field.name for field in recipe.fields if field.required] for recipe in RECIPES}
    whole = {
        "required": ["ask"],
        "properties": {name: {"required": keys} for name, keys in needed.items() if keys},
        "anyOf": [{"required": [way]} for way in (*PLANS, *WITHOUT_PLAN)],
    }
    return {**_map(PART), "anyOf": [{"required": ["like"]}, {"required": ["cases"]}, whole]}


def _value(field: Field) -> Schema:
    if field.kind == "recipe":
        return _ref(field.name)
    return KINDS[field.kind](field)


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "minItems": 1}


def _one_or_more(item: Schema) -> Schema:
    return _either(item, _list(item))


def _named(values: Schema) -> Schema:
    """An object whose keys are names that the file chooses."""
    return {"type": "object", "additionalProperties": values}


def _choice(field: Field) -> Schema:
    """The words of a choice; digits may also be numbers."""
    return {"enum": [*(int(word) for word in field.choices if word.isdigit()), *field.choices]}


def _bounded(field: Field) -> Schema:
    return {**WHOLE, "minimum": field.low, "maximum": field.high}


def _matrix() -> Schema:
    """Text such as `1 2; 3 4`, the name of a given or of a result, a list, a list of rows, or a file."""
    rows = _list(_either(_ref("cell"), _list(_ref("cell"))))
    said = (
        "1 2; 3 4, [[1, 2], [3, 4]], ones(3x2), the name of a given, a result such as b.Z, or {file: X.csv}"
    )
    return {"description": said, **_either(_ref("cell"), rows, _map(FILE))}


def _op(field: Field) -> Schema:
    """The name of an op, or the op with its own matrices and settings."""
    alone = [op.name for op in field.ops if not any(own.required for own in own_fields(op))]
    return _either({"enum": alone}, *(_with_settings(op) for op in field.ops if own_fields(op)))


def _with_settings(op: Op) -> Schema:
    options = {option.name: _option(option) for option in op.options}
    fields = own_fields(op)
    own = {
        "type": "object",
        "properties": {
            field.name: {"description": field.doc, **options.get(field.name, _ref("matrix"))}
            for field in fields
        },
        "additionalProperties": False,
    }
    needed = [field.name for field in fields if field.required]
    return {
        "type": "object",
        "properties": {op.name: {**own, "required": needed} if needed else own},
        "additionalProperties": False,
        "minProperties": 1,
    }


def _domain() -> Schema:
    """What a given may become: a range, a list of numbers, or either with settings."""
    said = "-2..2, [0, 1, 1/2], {entries: -2..2, denominators: [1, 2]} or {set: [0, ln(2)]}"
    ranged = {"type": "string", "pattern": RANGE.pattern}
    return {"description": said, **_either(ranged, _list(_ref("cell")), _map(DOMAIN))}


def _option(option: Option) -> Schema:
    if option.kind == "choice":
        return {"enum": list(option.choices)}
    return CELL if option.kind == "number" else _one_or_more(WHOLE)


def _plan(field: Field) -> Schema:
    step = {**_named({"type": "string"}), "minProperties": 1}
    titled = {**step, "required": ["title"], "minProperties": 2, "maxProperties": 2}
    return _either(_list(_either({**step, "maxProperties": 1}, titled)), step)


def _givens(field: Field) -> Schema:
    return {**_named(_ref("matrix")), "propertyNames": {"pattern": f"^{NAME.pattern}$"}}


# Kinds that stand among the definitions.
SHARED: dict[str, Callable[[Field], Schema]] = {"op": _op, "map": lambda field: _map(field.fields)}

# What each kind of field holds.
KINDS: dict[str, Callable[[Field], Schema]] = {
    "format": lambda field: {"enum": [int(FORMAT), FORMAT]},
    "text": lambda field: TEXT,
    "id": lambda field: ID,
    "ids": lambda field: _one_or_more(ID),
    "costs": lambda field: _map(COSTS),
    "letters": lambda field: _one_or_more(_named({**WHOLE, "minimum": 1})),
    "integer": _bounded,
    "choice": _choice,
    "product": lambda field: {"type": "string", "examples": list(field.choices)},
    "convention": lambda field: _either({"enum": list(field.choices)}, _map(CONVENTION)),
    "givens": _givens,
    "parts": lambda field: _list(_ref("part")),
    "symbols": lambda field: _named(TEXT),
    "labels": lambda field: _either(_list(TEXT), _named(_list(TEXT))),
    "round": lambda field: _map(ROUND),
    "vary": lambda field: {**_map(VARY), "additionalProperties": _domain()},
    "names": lambda field: _one_or_more({"type": "string"}),
    "keys": lambda field: _one_or_more({"type": "string"}),
    "shapes": lambda field: _list(_named({"type": "string", "pattern": SIZE.pattern})),
    "choose": lambda field: _either(
        _named({"type": "array", "minItems": 2}),
        {"type": "array", "items": {"type": "object", "minProperties": 1}, "minItems": 2},
    ),
    "design": lambda field: _named(_list({"type": ["string", "number"]})),
    "judges": lambda field: _one_or_more({"enum": list(ALLOWED)}),
    "wants": lambda field: _one_or_more({"enum": list(WANTED)}),
    "judge-settings": lambda field: _map(JUDGE_SETTINGS),
    "share": lambda field: {"type": ["number", "string"]},
    "range": lambda field: {"type": "string", "pattern": RANGE.pattern},
    "cells": lambda field: _list(_ref("cell")),
    "cases": lambda field: _list({"type": "object", "minProperties": 1}),
    "targets": lambda field: _one_or_more({"type": "string"}),
    "marks": lambda field: _either(_bounded(field), _named(_either(_bounded(field), _map(WORTH)))),
    "scheme": lambda field: _map(SCHEME),
    "published": lambda field: _named(_ref("matrix")),
    "plan": _plan,
    "swaps": lambda field: _named(_ref("matrix")),
    "matrix": lambda field: _ref("matrix"),
    "scale": lambda field: CELL,
    "number": lambda field: CELL,
    "count": _bounded,
    "flag": lambda field: {"type": "boolean"},
    "op": lambda field: _ref(field.name),
    "map": lambda field: _ref(field.name),
    "layers": lambda field: _either(WHOLE, _list(_map(field.fields))),
    "rows": lambda field: _one_or_more(WHOLE),
    "sizes": lambda field: _one_or_more(WHOLE),
    "heads": lambda field: _either(WHOLE, _list(_either(_ref("head"), {"type": ["string", "integer"]}))),
}
