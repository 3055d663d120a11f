"""JSON that is none, and where a value stands in a text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.stored.json_text import NotJson, Place, place_at, place_of, read

TEXT = """{
  "format": 1, "rows": [
    {"code": "A\\"]}", "n": [1, 2]},
    {"code": "B",
     "n": [3,  4]}
  ]
}"""


@pytest.mark.parametrize(
    ("way", "line", "column"),
    [
        ((), 1, 1),
        (("format",), 2, 13),
        (("rows",), 2, 24),
        (("rows", 0, "code"), 3, 14),
        (("rows", 0, "n", 1), 3, 32),
        (("rows", 1), 4, 5),
        (("rows", 1, "n", 1), 5, 16),
        (("rows", 7), 2, 24),  # what is missing is told where it should be
        (("rows", 1, "missing"), 4, 5),
    ],
)
def test_a_value_is_found_where_it_stands(way: tuple[str | int, ...], line: int, column: int) -> None:
    assert Place(line, column) == place_of(TEXT, way)


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        ("", "not valid JSON: expecting value", (1, 1)),
        ('{"a": 1', "not valid JSON: expecting ',' delimiter", (1, 8)),
        ('{"a": 1,\n<<<<<<< HEAD\n"b": 2', "what version control leaves where two changes met", (2, 1)),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice in one map", (1, 1)),
        ('{"a": NaN}', "NaN is no number of JSON", (1, 1)),
        ("[" * 100_000, "nested too deep", (1, 1)),
        ('{"a":' * 100_000, "nested too deep", (1, 1)),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, said: str, place: tuple[int, int]) -> None:
    with pytest.raises(NotJson) as raised:
        read(text)
    assert raised.value.said.startswith(said)
    assert place == place_at(text, raised.value.offset)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 0, 2]), st.data())
def test_every_value_is_found_again(value: object, indent: int | None, data: st.DataObject) -> None:
    text = json.dumps(value, indent=indent)
    inside, way = value, []
    while isinstance(inside, dict | list) and inside and data.draw(st.booleans()):
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        way.append(data.draw(st.sampled_from(keys)))
        inside = inside[way[-1]]
    line, column = place_of(text, tuple(way))
    offset = sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1
    assert inside == json.JSONDecoder().raw_decode(text, offset)[0]
