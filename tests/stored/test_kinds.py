"""What each kind of value in a kept file takes, and what it says to all else."""

from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest

from attnsolve.stored import Field, Flag, Listed, Mapped, OneOf, Ratio, Record, Text, Unsuitable, Whole


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


POINT = Record(lambda x, y=0: (x, y), {"x": Whole(0, 9), "y": Field(Whole(0, 9), is_optional=True)})
SHARE = 'a fraction from 0 to 1 as a text, such as "1/10", is expected here'
NUMBER = "a whole number from 0 to 9 is expected here"


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        (Text(), "王小明", "王小明"),
        (Text("[A-Z]{4}", "a code"), "ABCD", "ABCD"),
        (Whole(0, 9), 7, 7),
        (Ratio(), "1/3", Fraction(1, 3)),
        (Flag(), False, False),
        (OneOf.of(Colour), "blue", Colour.BLUE),
        (Listed(Whole(0, 9)), [1, 2], (1, 2)),
        (Mapped(Whole(0, 9)), {"a": 1}, {"a": 1}),
        (POINT, {"x": 1}, (1, 0)),
        (POINT, {"x": 1, "y": 2}, (1, 2)),
    ],
)
def test_what_belongs_there_is_read(kind: Any, value: object, read: object) -> None:
    assert read == kind.read(value)


@pytest.mark.parametrize(
    ("kind", "value", "way", "said"),
    [
        (Text(), 3, (), "a text is expected here"),
        (Text(), "\ud800", (), "a text is expected here"),
        (Text(), "\x1b[31m", (), "a text is expected here"),
        (Text(), "x" * 100_000, (), "a text is expected here"),
        (Text("[A-Z]{4}", "a code"), "../..", (), "a code is expected here"),
        (Text("[A-Z]{4}", "a code"), "ABCD\n", (), "a code is expected here"),
        (Whole(0, 9), 10, (), NUMBER),
        (Whole(0, 9), True, (), NUMBER),
        (Whole(0, 9), 1.0, (), NUMBER),
        (Whole(0, 9), "1", (), NUMBER),
        (
            Ratio(high=Fraction(1)),
            "1/0",
            (),
            SHARE,
        ),
        (
            Ratio(high=Fraction(1)),
            "3/2",
            (),
            SHARE,
        ),
        (
            Ratio(high=Fraction(1)),
            0.5,
            (),
            SHARE,
        ),
        (Flag(), 1, (), "true or false is expected here"),
        (OneOf.of(Colour), "green", (), "one of red, blue is expected here"),
        (OneOf.of(Colour), ["red"], (), "one of red, blue is expected here"),
        (Listed(Whole(0, 9)), {"0": 1}, (), "a list is expected here"),
        (Listed(Whole(0, 9), count=3), [1, 2], (), "a list of 3 is expected here"),
        (Listed(Whole(0, 9)), [1, None], (1,), NUMBER),
        (Mapped(Whole(0, 9)), [1], (), "a map is expected here"),
        (Mapped(Whole(0, 9)), {"a": "x"}, ("a",), NUMBER),
        (Mapped(Whole(0, 9), keys=OneOf.of(Colour)), {"green": 1}, (), "one of red, blue is expected here"),
        (POINT, [], (), "a map with x, y is expected here"),
        (POINT, {"y": 1}, (), "the key x is missing"),
        (POINT, {"x": 1, "z": 1}, ("z",), "no such key; the keys are x, y"),
        (Listed(POINT), [{"x": 1}, {"x": -1}], (1, "x"), NUMBER),
    ],
)
def test_what_does_not_belong_there_is_told_with_the_way_to_it(
    kind: Any, value: object, way: tuple[str | int, ...], said: str
) -> None:
    with pytest.raises(Unsuitable) as raised:
        kind.read(value)
    assert (way, said) == (raised.value.way, raised.value.said)
