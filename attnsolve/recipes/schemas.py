"""Pieces that JSON Schemas are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attnsolve.recipes.fields import Field

Schema = dict[str, Any]

# The loader reads every value as text, and YAML makes numbers of some texts before a schema sees them.
TEXT: Schema = {"type": ["string", "number", "boolean"]}
CELL: Schema = {
    "type": ["number", "string"],
    "description": "an exact number: 2, -0.5, 1/3, sqrt(2), exp(1), ln(3)",
}
WHOLE: Schema = {"type": "integer"}


def ref(name: str) -> Schema:
    """What is described among the definitions."""
    return {"$ref": f"#/$defs/{name}"}


def either(*schemas: Schema) -> Schema:
    """Any of these."""
    return {"anyOf": list(schemas)}


def listed(items: Schema) -> Schema:
    """A list that is not empty."""
    return {"type": "array", "items": items, "minItems": 1}


def one_or_more(item: Schema) -> Schema:
    """A value, or a list of such."""
    return either(item, listed(item))


def named(values: Schema) -> Schema:
    """An object whose keys are names that the file chooses."""
    return {"type": "object", "additionalProperties": values}


def choice(words: tuple[str, ...]) -> Schema:
    """The words of a choice; digits may also be numbers."""
    return {"enum": [*(int(word) for word in words if word.isdigit()), *words]}


def bounded(low: int, high: int) -> Schema:
    """A whole number from one to another."""
    return {**WHOLE, "minimum": low, "maximum": high}


def described(schema: Schema, doc: str) -> Schema:
    """A schema with what the value is for, which comes first and says more than what it looks like."""
    if not doc:
        return schema
    return {"description": doc, **{key: value for key, value in schema.items() if key != "description"}}


def mapped(fields: Iterable[Field], value: Callable[[Field], Schema], *, required: bool = True) -> Schema:
    """An object with exactly these keys."""
    fields = tuple(fields)
    needed = [field.name for field in fields if field.required and required]
    return {
        "type": "object",
        "properties": {field.name: described(value(field), field.doc) for field in fields},
        "additionalProperties": False,
        **({"required": needed} if needed else {}),
    }
