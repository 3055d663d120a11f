"""The JSON Schema agrees with the loader: the committed copy is current, good files pass, bad ones do not."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from attnsolve.loader.schema import json_schema
from attnsolve.loader.starter import starter

ROOT = Path(__file__).parents[2]
PROBLEMS = sorted((ROOT / "problems").glob("*.yaml"))


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_committed_copy_is_current() -> None:
    """If this fails: attnsolve schema > problem.schema.json."""
    committed = (ROOT / "problem.schema.json").read_text("utf-8")
    assert json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n" == committed


@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_bundled_problems_pass(path: Path, validator: Draft202012Validator) -> None:
    assert [] == [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text("utf-8")))]


def test_the_starter_passes(validator: Draft202012Validator) -> None:
    assert [] == [error.message for error in validator.iter_errors(yaml.safe_load(starter("x")))]


GOOD = """
format: 1
title: T
convention: {tokens: columns, project: W X, scores: K'Q}
index_from: 0
given:
  X: [[1, 0.5, 1/2], [sqrt(2), -3/2, 0]]
  q: 1 2 3
  n: 5
  D: {file: D.csv}
parts:
  - {id: 1, ask: w, discuss: d, marks: 2}
  - ask: w
    attend: {queries: q, keys: X, divide_by: 2, weights: {softmax: {temperature: 2}}}
    cases: [{queries: q}, {multiply_by: sqrt(d_k)}]
    find: [A, 'Z[0]']
    published: {Z: 0.5 1 2}
  - like: b
    attend: {weights: {argmax: {ties: split}}}
  - ask: w
    multi_head: {input: X, heads: [b, {W_Q: ones(3x2)}], queries: [1]}
  - ask: w
    multi_head: {input: X, heads: 2, head_sizes: [1, 2], queries: 1}
  - ask: w
    plan: [{S: 'dot(q, X)', title: Compare}, {A: 'softmax(S)'}]
  - {ask: w, costs: {of: [b, 1], beside: gru, sizes: [{l: 512, d: 64}]}}
  - {ask: w, costs: {of: b, sizes: {l: 3, d: 3}}, discuss: d}
symbols: {A: '\\alpha'}
labels: {X: [the, 2]}
round: {carry: 3, mode: truncate}
vary: {X: -2..2}
"""


def test_everything_the_format_can_say_passes(validator: Draft202012Validator) -> None:
    assert [] == [error.message for error in validator.iter_errors(yaml.safe_load(GOOD))]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("format: 1", "format: 2"),
        ("title: T", "titel: T"),
        ("title: T\n", ""),
        ("index_from: 0", "index_from: 2"),
        ("tokens: columns", "tokens: cols"),
        ("X: [[1", "X-1: [[1"),
        ("n: 5", "n: []"),
        ("n: 5", "n:"),
        ("file: D.csv", "path: D.csv"),
        ("id: 1", "id: A b"),
        ("marks: 2", "marks: -1"),
        ("{queries: q, keys: X", "{scale: 30, queries: q, keys: X"),
        ("temperature: 2", "temp: 2"),
        ("ties: split", "ties: last"),
        ("multi_head: {input: X, heads: [b, ", "multi_head: {input: X, head: [b, "),
        ("{W_Q: ones(3x2)}", "{W_Z: ones(3x2)}"),
        ("mode: truncate", "mode: up"),
        ("carry: 3", "carry: three"),
        ("ask: w, discuss: d", "ask: w"),
        ("ask: w, discuss: d", "discuss: d"),
        ("multi_head: {input: X, heads: 2, ", "multi_head: {input: X, "),
        ("title: Compare}", "T: 'softmax(S)'}"),
        ("of: [b, 1], ", ""),
        ("beside: gru", "beside: lstm"),
        ("l: 512", "l: 0"),
        ("l: 512", "l: many"),
    ],
)
def test_bad_files_do_not_pass(good: str, bad: str, validator: Draft202012Validator) -> None:
    assert good in GOOD
    assert not validator.is_valid(yaml.safe_load(GOOD.replace(good, bad, 1)))


def test_every_key_is_described() -> None:
    def walk(schema: Any) -> None:
        if isinstance(schema, dict):
            # The requirements of a part repeat its keys without their descriptions.
            for name, inner in schema.get("properties", {}).items():
                assert inner.get("description") or "required" in inner or "properties" in inner, name
        for inner in (
            schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
        ):
            walk(inner)

    walk(json_schema())
