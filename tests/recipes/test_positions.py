"""Positions against torch code as everybody copies it, and by hand."""

import math
import re
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.errors import ProblemError

torch = pytest.importorskip("torch")

GIVEN: dict[str, Table] = {"X": drawn(5, 6, seed=31), "Y": drawn(5, 3, seed=32)}
X, Y = (tensor(table) for table in GIVEN.values())


def waves(length: int, width: int, *, base: float = 10_000.0, first: int = 0, start: int = 0) -> Any:
    """PE(pos, 2k) = sin(pos/base^{2k/d}), PE(pos, 2k+1) = cos(…), number by number."""
    rows = []
    for position in range(start, start + length):
        angles = [position / base ** (2 * (k + first) / width) for k in range(width // 2)]
        rows.append([f(angle) for angle in angles for f in (math.sin, math.cos)])
    return torch.tensor(rows, dtype=torch.float64)


CODES: dict[str, Any] = {
    "": waves(5, 6),
    ", encoding: sinusoidal": waves(5, 6),
    ", base: 100": waves(5, 6, base=100),
    ", base: sqrt(10)": waves(5, 6, base=math.sqrt(10)),
    ", frequencies_from: 1": waves(5, 6, first=1),
    ", positions_from: 1": waves(5, 6, start=1),
    ", base: 10, frequencies_from: 1, positions_from: 1": waves(5, 6, base=10, first=1, start=1),
}


@pytest.mark.parametrize("settings", CODES)
def test_waves_are_added(settings: str) -> None:
    trace = solved(GIVEN, f"positions: {{input: X{settings}}}")
    assert_close(CODES[settings], trace.value("a.P"))
    assert_close(X + CODES[settings], trace.value("a.E"))


@pytest.mark.parametrize("width", [2, 4, 8])
def test_waves_of_another_width_stand_beside_the_tokens(width: int) -> None:
    trace = solved(GIVEN, f"positions: {{input: Y, width: {width}, combine: concatenate}}")
    assert_close(torch.cat([Y, waves(5, width)], dim=1), trace.value("a.E"))


@pytest.mark.parametrize(("settings", "length"), [("", 5), (", length: 5", 5), (", length: 7", 7)])
def test_one_hot_codes_stand_beside_the_tokens(settings: str, length: int) -> None:
    trace = solved(GIVEN, f"positions: {{input: Y, encoding: one_hot{settings}}}")
    codes = torch.nn.functional.one_hot(torch.arange(5), length).double()
    assert_close(codes, trace.value("a.P"))
    assert_close(torch.cat([Y, codes], dim=1), trace.value("a.E"))


def test_one_hot_codes_can_be_added() -> None:
    trace = solved(GIVEN, "positions: {input: X, encoding: one_hot, length: 6, combine: add}")
    assert_close(X + torch.eye(6).double()[:5], trace.value("a.E"))


def test_codes_alone() -> None:
    trace = solved(GIVEN, "positions: {input: X, combine: none}")
    assert ["a.P"] == [step.call.out for step in trace.steps]
    assert_close(waves(5, 6), trace.value("a.P"))


def test_attention_takes_positions_up() -> None:
    trace = solved(GIVEN, "positions: {input: X}\n  - ask: And?\n    self_attention: {input: a.E}")
    encoded = X + waves(5, 6)
    expected = torch.nn.functional.scaled_dot_product_attention(encoded, encoded, encoded)
    assert_close(expected, trace.value("b.Z"))


@pytest.mark.parametrize(
    ("settings", "base", "first"), [("", 10_000.0, 0), (", base: 100, frequencies_from: 1", 100, 1)]
)
def test_places_are_encoded_without_tokens(settings: str, base: float, first: int) -> None:
    trace = solved(GIVEN, f"positions: {{places: 0; 3; 7, width: 4{settings}}}")
    expected = waves(8, 4, base=base, first=first)[[0, 3, 7]]
    assert_close(expected, trace.value("a.P"))
    assert ["a.P"] == [step.call.out for step in trace.steps]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("width: 4", "the key 'input' is missing; say input: X, or places: 0; 1; 2"),
        ("places: 0; 1", "the key 'width' is missing"),
        (
            "places: 0 1, width: 4",
            "places is 1×2, but places stand below each other, one number each: 0; 1; 2",
        ),
        ("places: 0; 1, width: 3", "sines and cosines come in pairs"),
        ("places: 0; 1, width: 4, input: X", "'input' is about tokens, but places are encoded without any"),
        ("places: 0; 1, width: 4, encoding: one_hot", "other codes need an input"),
        ("places: 0; 1, width: 4, positions_from: 1", "given places have no 'positions_from'"),
    ],
)
def test_places_that_cannot_be_encoded_are_refused(settings: str, said: str) -> None:
    with pytest.raises(ProblemError, match=re.escape(said)):
        solved(GIVEN, f"positions: {{{settings}}}")
