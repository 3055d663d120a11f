"""Which steps a typed name may mean."""

import pytest

from attnsolve.errors import AttnsolveError
from attnsolve.problem import Part
from attnsolve.verifier.reading.lookup import Lookup, Meaning, meanings
from attnsolve.verifier.reading.names import Place, read_key

MEANINGS = [
    ("z_1", [Meaning("z", 1), Meaning("head1.z")]),
    ("b.A1", [Meaning("b.A", 1), Meaning("b.head1.A")]),
    ("S12", [Meaning("S", 12), Meaning("S", 1, 2), Meaning("head12.S")]),
    ("S_1,2", [Meaning("S", 1, 2)]),
    ("S(1,2)", [Meaning("S", 1, 2)]),
    ("S(2,:)", [Meaning("S", 2)]),
    ("A^(2)", [Meaning("head2.A")]),
    ("b.A^(2)_12", [Meaning("b.head2.A", 12), Meaning("b.head2.A", 1, 2)]),
    ("S_a", [Meaning("a.S")]),
    ("S", []),
    ("S_1_2", []),
    ("A^(1)^(2)", []),
    ("S_1,2,3", []),
    ("W_Q1", [Meaning("Q1.W")]),
]


@pytest.mark.parametrize(("typed", "expected"), MEANINGS)
def test_name_with_an_index_may_mean_a_row_a_cell_or_a_head(typed: str, expected: list[Meaning]) -> None:
    assert expected == list(meanings(typed))


STEPS = ("a.S", "a.exp", "a.A", "b.head1.A", "b.head2.A", "b.S")
PARTS = (Part("a", ask="", calls=()), Part("b", ask="", calls=()))


@pytest.mark.parametrize(
    ("typed", "part", "expected"),
    [
        ("S", "", ("a.S", "b.S")),
        ("S", "a", ("a.S",)),
        ("b.S", "a", ("b.S",)),  # the name says more than the heading
        ("s", "B", ("b.S",)),
        ("Scores", "a", ("a.S",)),
        ("Exp", "", ("a.exp",)),
        ("attention weights", "", ("a.A",)),
        ("head2.A", "b", ("b.head2.A",)),
        ("A", "b", ()),
    ],
)
def test_name_is_looked_up_below_its_heading(typed: str, part: str, expected: tuple[str, ...]) -> None:
    assert expected == Lookup(STEPS, PARTS).named(typed, part)


def test_part_that_is_not_there_is_told() -> None:
    with pytest.raises(AttnsolveError, match="there is no part c; the parts are a, b"):
        Lookup(STEPS, PARTS).named("S", "c")


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("A^{(1)}", Place("A^(1)")),
        ("S_{1,2}", Place("S_1,2")),
        (r"\mathbf{S}", Place("S")),
        ("S^T", Place("S", turned=True)),
        ("QK^T", Place("scores")),
        ("A[2, 1]", Place("A", 2, 1)),
        ("my own name", Place("my own name")),
    ],
)
def test_key_of_a_map_is_read_as_a_name_in_a_line(key: str, place: Place) -> None:
    assert place == read_key(key)
