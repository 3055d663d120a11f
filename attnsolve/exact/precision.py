"""Balls at a chosen precision: the ladder that every certified digit climbs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flint import ctx

LADDER = (64, 256, 1024, 4096)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with balls of `bits` bits inside the block; the global setting is put back afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before
