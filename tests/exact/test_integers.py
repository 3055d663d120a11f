"""Whole matrices as one long number: what is put together comes apart again, negative numbers too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.exact.integers import Lanes, columns_of, times

BOUNDS = {"four bytes": 2**31 - 1, "eight bytes": 2**40, "no struct has so many": 2**90}


@pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS)
@given(data=st.data())
def test_a_matrix_comes_apart_as_it_was_put_together(bound: int, data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    numbers = st.tuples(*[st.integers(-bound, bound)] * width)
    rows = data.draw(st.lists(numbers, min_size=height, max_size=height))
    lanes = Lanes((height, width), bound)
    packed = times(lanes.rows, columns_of(rows))
    whole = sum(weight * one for weight, one in zip(lanes.columns, packed, strict=True))
    assert rows == list(lanes.unpacked(whole))
