"""The recomputed numbers, against numbers that are known from elsewhere."""

import json
from itertools import chain
from pathlib import Path

import pytest
from rendering.calculator import CONTEXT
from rendering.recomputed import BY_NAME, values

from attnsolve.ops import OPS

GOLDEN = json.loads((Path(__file__).parents[1] / "golden.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("case", "step", "name"),
    [
        ("s000_q1_1", "weights", "a.A"),
        ("s000_q1_1", "output", "a.Z"),
        ("s000_q1_2", "weights", "b.A"),
        ("s000_q1_2", "output", "b.Z"),
    ],
)
def test_golden_numbers_are_met(case: str, step: str, name: str) -> None:
    expected = GOLDEN[case]["steps"][step]
    found = values("ist-practical-10")[name]
    assert (len(expected), len(expected[0])) == (len(found), len(found[0]))
    for wanted, met in zip(chain(*expected), chain(*found), strict=True):
        assert abs(CONTEXT.mpf(wanted) - met) <= CONTEXT.mpf(10) ** -29 * abs(met)


def test_ties_are_seen() -> None:
    assert ((0.5, 0.5, 0),) == values("ties")["a.A"]
    assert ((1, 0, 0),) == values("ties")["b.A"]


def test_rounded_sheets_go_on_from_rounded_numbers() -> None:
    """By hand: the first weight is 0.74 and the second 0.24, so the sum does not use their other digits."""
    A, Z = values("rounded")["a.A"], values("rounded")["a.Z"]
    assert [0.74, 0.24, 0.02] == [round(float(x), 2) for x in A[0]]
    # X = (-2 ½ -3/2; -½ 1 -2; -½ 0 ½): 0.74·(-2) + 0.24·(-½) + 0.02·(-½)
    assert abs(CONTEXT.mpf("-1.61") - Z[0][0]) < CONTEXT.mpf(10) ** -50


def test_only_what_there_is_is_recomputed() -> None:
    assert set(BY_NAME) <= {op.name for op in OPS}
