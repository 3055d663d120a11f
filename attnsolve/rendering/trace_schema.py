"""The JSON Schema of a trace, for programs that read `attnsolve render --to json`."""

from __future__ import annotations

from typing import Any

from attnsolve.languages import CODES
from attnsolve.rendering.settings import DETAILS, SHEETS
from attnsolve.rendering.trace_json import ABOUT_SETS, SCHEMA

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}


def listed(items: Schema, **more: Any) -> Schema:
    """A list of such items."""
    return {"type": "array", "items": items, **more}


def mapped(values: Schema) -> Schema:
    """A map from names to such values."""
    return {"type": "object", "additionalProperties": values}


def record(fields: dict[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """A map with these keys, all but some of which are always there, and no others."""
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def told(schema: Schema, description: str) -> Schema:
    """A schema with a sentence about it."""
    return {"description": description, **schema}


def ref(name: str) -> Schema:
    """A schema that is described once."""
    return {"$ref": f"#/$defs/{name}"}


def trace_schema() -> Schema:
    """The schema (draft 2020-12) of a trace, or of the traces of a problem set."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"attnsolve trace, schema {SCHEMA}",
        "if": {"type": "object", "required": ["set"]},
        "then": ref("set"),
        "else": ref("trace"),
        "$defs": {
            "matrix": told(listed(listed(TEXT)), "rows of numbers as text: a JSON number would be a float"),
            "set": set_schema(),
            "trace": record(trace_fields(), optional=("file",)),
            "exercise": record(
                {"number": COUNT, "origin": told(COUNT, "its number in the sheet a paper was drawn from")}
                | trace_fields(),
                optional=("file", "origin"),
            ),
            "part": part_schema(),
            "step": step_schema(),
            "file": file_schema(),
            "costs": costs_schema(),
        },
    }


def set_schema() -> Schema:
    """A problem set: what it says itself, and its exercises."""
    pool = record({"choose": COUNT, "of": listed(COUNT)})
    fields = {"schema": {"const": SCHEMA}, "set": TEXT, **dict.fromkeys(ABOUT_SETS, TEXT)}
    fields |= {"order": {"const": "shuffled"}, "pools": listed(pool), "exercises": listed(ref("exercise"))}
    return record(fields, optional=("order", "pools"))


def trace_fields() -> dict[str, Schema]:
    """What is told of a problem and its steps."""
    return {
        "schema": {"const": SCHEMA},
        "problem": told(TEXT, "its name"),
        "title": TEXT,
        "source": TEXT,
        "lang": {"enum": list(CODES)},
        "sheet": {"enum": list(SHEETS)},
        "detail": {"enum": list(DETAILS)},
        "places": told(COUNT, "decimal places of `decimals`"),
        "index_from": told({"enum": [0, 1]}, "what rows and columns are counted from in `cell` and `find`"),
        "given": told(mapped(ref("matrix")), "exact, tokens as rows, by name"),
        "parts": listed(ref("part")),
        "steps": told(listed(ref("step")), "in reading order; empty on an exercise sheet"),
        "file": ref("file"),
    }


def part_schema() -> Schema:
    """One question."""
    option = record(
        {
            "letter": TEXT,
            "text": TEXT,
            "decimals": ref("matrix"),
            "right": FLAG,
            "mistake": told(TEXT, "the name of the mistake that leads to it, or nothing"),
            "why": TEXT,
        },
        optional=("text", "decimals", "right", "mistake", "why"),
    )
    fields = {
        "id": TEXT,
        "ask": TEXT,
        "marks": told({"type": ["integer", "string"]}, "of the whole part; a fraction as text: 5/2"),
        "find": told(listed(TEXT), "what is asked for: b.A, b.A[2], b.A[2, 1]"),
        "explain": TEXT,
        "discuss": TEXT,
        "costs": ref("costs"),
        "choice": listed(option),
    }
    return record(fields, optional=("explain", "discuss", "costs", "choice"))


def step_schema() -> Schema:
    """One step, carried out."""
    stage = record({"relation": {"enum": ["=", "≈"]}, "text": TEXT})
    line = record({"cell": listed(WHOLE, minItems=2, maxItems=2), "stages": listed(stage)})
    setting: Schema = {"type": ["string", "boolean", "integer", "null", "array"]}
    fields = {
        "id": told(TEXT, "stays the same: the anchor in a web page, the name in answers; 2b.A in a set"),
        "part": TEXT,
        "name": told(TEXT, "in the problem: b.A, c.head2.A"),
        "op": TEXT,
        "inputs": told(listed(TEXT), "names of givens or of earlier steps"),
        "options": mapped(setting),
        "shape": listed(COUNT, minItems=2, maxItems=2),
        "kind": told(TEXT, "of numbers: rational, surd, …"),
        "exact": told(
            {"anyOf": [ref("matrix"), {"type": "null"}]}, "readable by SymPy; null without a closed form"
        ),
        "decimals": told(
            {"anyOf": [ref("matrix"), {"type": "null"}]}, "every digit proven; null for formulas with letters"
        ),
        "carried": told(ref("matrix"), "what the next step receives, where the sheet rounds on the way"),
        "lines": told(listed(line), "the working of each cell; with detail cells or products"),
    }
    return record(fields, optional=("carried", "lines"))


def file_schema() -> Schema:
    """The problem file, from which `attnsolve.loads_trace` reads the trace again."""
    fields = {
        "text": told(TEXT, "the problem file"),
        "data": told(mapped(TEXT), "the files with data beside it"),
        "pictures": told(mapped(TEXT), "its figures, base64"),
    }
    return record(fields, optional=("data", "pictures"))


def costs_schema() -> Schema:
    """What a plan costs: formulas in the sizes as text, counts as whole numbers."""
    counts = mapped(TEXT)
    plan = record(
        {
            "of": TEXT,
            "not_counted": counts,
            "steps": listed(counts),
            "times": TEXT,
            "total": counts,
            "numbers": listed({"type": "object", "required": ["sizes"]}),
        },
        optional=("not_counted", "steps", "times"),
    )
    fields = {
        "sizes": mapped(WHOLE),
        "plans": listed(plan),
        "beside": {"anyOf": [plan, {"type": "null"}]},
        "fewer_multiplications": counts,
    }
    return record(fields)
