"""The numbers that stand beside rationals: √r with r squarefree, times logarithms of primes."""

from __future__ import annotations

from functools import lru_cache
from math import gcd, isqrt

from attnsolve.exact.flint_parts import arb, fmpz

# (squarefree radicand, primes whose logarithms are multiplied); (2, (3,)) is √2·ln 3.
Root = tuple[int, tuple[int, ...]]
ONE: Root = (1, ())


def multiply_roots(a: Root, b: Root) -> tuple[int, Root]:
    """√a·√b as a whole factor and a root: √2·√6 = 2·√3."""
    common = gcd(a[0], b[0])
    logarithms = a[1] + b[1] if not (a[1] and b[1]) else tuple(sorted(a[1] + b[1]))
    return common, (a[0] // common * (b[0] // common), logarithms)


@lru_cache(maxsize=1024)
def square_part(number: int) -> tuple[int, int]:
    """(s, r) with number = s²·r and r squarefree: 12 -> (2, 3)."""
    if isqrt(number) ** 2 == number:
        return isqrt(number), 1
    outside, inside = 1, 1
    for prime, power in prime_powers(number):
        outside *= prime ** (power // 2)
        inside *= prime ** (power % 2)
    return outside, inside


@lru_cache(maxsize=1024)
def prime_powers(number: int) -> tuple[tuple[int, int], ...]:
    """The prime factors of a positive whole number with their powers."""
    return tuple((int(prime), int(power)) for prime, power in fmpz(number).factor())


def lone_prime(root: Root) -> int:
    """p when the root is ln p and nothing else, 0 otherwise."""
    return root[1][0] if root[0] == 1 and len(root[1]) == 1 else 0


def root_ball(root: Root) -> arb:
    """The ball of √r·ln p… at the working precision."""
    ball = arb(root[0]).sqrt() if root[0] != 1 else arb(1)
    for prime in root[1]:
        ball *= arb(prime).log()
    return ball
