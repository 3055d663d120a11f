"""Kinds of settings: each is one record, with its reading and its schema."""

from pathlib import Path

import pytest

from attnsolve.documents import parse
from attnsolve.loader.givens import Givens
from attnsolve.loader.kinds import SETTING_KINDS, Kind, map_schema
from attnsolve.loader.reader import Reader
from attnsolve.loader.schema import KINDS
from attnsolve.loader.settings import SettingsReader
from attnsolve.ops import OPS
from attnsolve.recipes import RECIPES, Field
from attnsolve.recipes.heads import HEAD
from attnsolve.recipes.options import OPTION_KINDS


def all_fields(fields: tuple[Field, ...]) -> list[Field]:
    return [inner for field in fields for inner in (field, *all_fields(field.fields))]


def test_every_setting_of_a_recipe_has_a_kind() -> None:
    fields = [field for recipe in RECIPES for field in all_fields((*recipe.fields, *HEAD))]
    assert set(SETTING_KINDS) == {field.kind for field in fields}
    assert set() == set(SETTING_KINDS) & set(KINDS)


def test_every_option_of_an_op_has_a_kind() -> None:
    assert set(OPTION_KINDS) == {option.kind for op in OPS for option in op.options}


def test_a_new_kind_is_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that nobody knew before is read and described by its record alone."""
    shout = Kind(lambda settings, it: it.node.text.upper(), lambda field: {"type": "string"})
    monkeypatch.setitem(SETTING_KINDS, "shout", shout)
    field = Field("word", "shout", "a word")
    reader = Reader("", Path())
    settings = SettingsReader(reader, Givens(reader), [], SETTING_KINDS)
    node = parse(b"{word: hello}", "x.yaml")
    assert {"word": "HELLO"} == settings.read(node, "parts.a", (field,), "a")
    assert {"word": {"description": "a word", "type": "string"}} == map_schema((field,))["properties"]
