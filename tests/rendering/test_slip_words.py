"""Likely slips in words."""

import pytest

from attnsolve.causes import Slip, SlipKind
from attnsolve.rendering.notes import slip_words


@pytest.mark.parametrize(
    ("kinds", "words"),
    [((), ""), ((SlipKind.SIGN,), "the sign"), ((SlipKind.SIGN, SlipKind.DIGITS_SWAPPED), " or ")],
)
def test_none_one_and_two_slips_have_words(kinds: tuple[SlipKind, ...], words: str) -> None:
    said = slip_words([Slip(kind) for kind in kinds])
    assert words in said
    assert bool(said) == bool(kinds)
