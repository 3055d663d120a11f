"""docs/format.md: every key of a problem file is on it, and every example is a file that works."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pictures import png

from attnsolve import draw
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.loader.choices import own_fields
from attnsolve.loader.format import (
    CHOICE,
    CONVENTION,
    COSTS,
    PART,
    PROBLEM,
    ROUND,
    SCHEME,
    WORKSHEET,
    WORTH,
    WRONG_TEXT,
)
from attnsolve.loader.schema import json_schema
from attnsolve.loader.variation_format import DOMAIN, JUDGE_SETTINGS, VARY
from attnsolve.ops import NORMALISERS, OPS, PLACINGS, SCORES
from attnsolve.recipes import RECIPES, RECIPES_BY_NAME, Field, masks
from attnsolve.rendering import Settings, render
from attnsolve.rendering.dialects import PRINTED

PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TITLES = [re.search(r"^title: (.*)$", block, re.MULTILINE)[1] for block in BLOCKS]  # type: ignore[index]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the page speaks of."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "box.png").write_bytes(png())
    (tmp_path / "data" / "X.csv").write_text("1,0\n0,1\n1,1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("block", BLOCKS, ids=TITLES)
def test_examples_are_whole_files_that_can_be_solved_and_printed(block: str, folder: Path) -> None:
    problem = loads(block, folder=folder)
    trace = solve(problem)
    for to in PRINTED:
        text = render(trace, settings=Settings(to=to)).text
        assert problem.title in text
        assert "the sheet prints" not in text  # which it says of answers that are not right
        assert render(trace, settings=Settings(to=to, sheet="exercise")).text


@pytest.mark.parametrize("block", [block for block in BLOCKS if "\nvary:" in block])
def test_variants_can_be_drawn_of_what_varies(block: str, tmp_path: Path) -> None:
    (tmp_path / "exam.yaml").write_text(block, encoding="utf-8")
    original, drawn = loads(block), draw(tmp_path / "exam.yaml", 1)
    assert any(drawn.givens[name].value.same(given.value) is False for name, given in original.givens.items())


def keys(schema: Any) -> Iterator[str]:
    """Every key that a problem file may have, wherever it stands."""
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name == "properties":
                yield from value
            yield from keys(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from keys(item)


def test_every_key_of_the_schema_is_on_the_page() -> None:
    assert set() == {key for key in keys(json_schema()) if f"`{key}`" not in PAGE}


FIELDS: dict[str, tuple[Field, ...]] = {
    "a problem": PROBLEM,
    "a convention": CONVENTION,
    "a part": PART,
    "a question of choice": CHOICE,
    "a wrong option": WRONG_TEXT,
    "costs": COSTS,
    "marks": WORTH,
    "a worksheet": WORKSHEET,
    "round": ROUND,
    "scheme": SCHEME,
    "vary": VARY,
    "judges": JUDGE_SETTINGS,
    "a domain": DOMAIN,
    "a mask": masks.FIELDS,
    **{recipe.name: recipe.fields for recipe in RECIPES},
}


def said_of(field: Field) -> str:
    """What a key is for; a recipe says that itself."""
    return RECIPES_BY_NAME[field.name].doc if field.kind == "recipe" else field.doc


@pytest.mark.parametrize("name", FIELDS)
def test_the_page_says_of_each_key_what_the_schema_says(name: str) -> None:
    rows = [f"| `{field.name}` | {said_of(field)} |" for field in FIELDS[name]]
    assert [] == [row for row in rows if row not in PAGE]


@pytest.mark.parametrize("op", (*SCORES, *PLACINGS, *NORMALISERS), ids=lambda op: op.name)
def test_the_page_has_every_op_that_a_recipe_may_choose(op: Any) -> None:
    own = "; ".join(f"`{field.name}`: {field.doc}" for field in own_fields(op))
    assert f"| `{op.name}` | {op.title} | {own} |" in PAGE


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_the_page_has_every_op_that_a_plan_may_call(op: Any) -> None:
    settings = "; ".join(f"`{option.name}`: {option.doc}" for option in op.options)
    assert f"| `{op.signature}` | {op.title} | {settings} |" in PAGE


def test_the_page_lists_the_ops_that_gradients_go_through() -> None:
    listed = re.search(r"These ops have a rule for gradients: (.*?)\. Through (.*?) none can go", PAGE)
    assert listed is not None
    through, never = (re.findall(r"`(\w+)`", piece) for piece in listed.groups())
    assert [op.name for op in OPS if op.gradients] == through
    tiles = {op.name for op in OPS if op.no_gradient.startswith("the maxima")}
    assert {op.name for op in OPS if op.no_gradient} - tiles == set(never)


@pytest.mark.parametrize(("op", "inner"), [(op, inner) for op in OPS for inner in op.inner])
def test_the_page_has_every_value_inside_a_step(op: Any, inner: Any) -> None:
    assert f"| `{op.name}` | `{inner.name}` | {inner.op.title} |" in PAGE


@pytest.mark.parametrize("name", FIELDS)
def test_every_key_of_a_recipe_or_map_is_used_in_an_example(name: str) -> None:
    examples = "\n".join(BLOCKS)
    assert set() == {field.name for field in FIELDS[name] if not re.search(rf"\b{field.name}:", examples)}
