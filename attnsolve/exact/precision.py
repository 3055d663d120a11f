"""Balls at a chosen precision: the ladder that every certified digit climbs."""

from __future__ import annotations

from attnsolve.exact.flint_parts import ctx

# 128 bits cost a few per cent more than 64, and tell a weight of 1 - 10^-30 from 1 at once.
LADDER = (128, 256, 1024, 4096)


class precision:  # noqa: N801 - a class only because it is entered so often that a generator is too slow
    """Work with balls of `bits` bits inside the block; the global setting is put back afterwards."""

    __slots__ = ("before", "bits")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        self.before = ctx.prec
        ctx.prec = self.bits

    def __exit__(self, *_: object) -> None:
        ctx.prec = self.before
