"""The working precision is set for a block and put back."""

import pytest
from flint import ctx

from attnsolve.exact.precision import precision


def test_precision_is_put_back() -> None:
    before = ctx.prec
    with precision(200):
        assert 200 == ctx.prec
        with precision(64):
            assert 64 == ctx.prec
        assert 200 == ctx.prec
    assert before == ctx.prec


def test_precision_is_put_back_after_an_error() -> None:
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), precision(200):
        1 / 0  # noqa: B018
    assert before == ctx.prec
