"""Roots brought out of denominators, as on paper: 1/(1 + √2) = √2 - 1."""

from __future__ import annotations

from attnsolve.exact.closed import ONE_TERMS, Closed, Quotient, total
from attnsolve.exact.combinations import Combination
from attnsolve.exact.roots import prime_powers

# With more primes under its roots a denominator has conjugates that nobody multiplies out.
MOST_PRIMES = 2


def rationalised(number: Closed) -> Closed:
    """The same number, its roots out of the denominators wherever that makes it no longer."""
    if all(below is ONE_TERMS or has_powers(below) for _, below in number.quotients):
        return number
    made = total(without_roots_below(*quotient) for quotient in number.quotients)
    plain = made.plain()
    if plain is None or length(made) > length(number):
        return number
    # √2 - 1 rather than -1 + √2.
    ordered = sorted(plain.terms.items(), key=lambda term: term[1] < 0)
    return Closed(((Combination(dict(ordered)), ONE_TERMS),))


def has_powers(below: Combination) -> bool:
    """Whether anything but square roots stands in a denominator: an exponential, a logarithm."""
    return any(exponent or logarithms for exponent, (_, logarithms) in below.terms)


def length(number: Closed) -> int:
    """How many terms there are to write; a 1 below is not written."""
    return sum(len(n.terms) + (0 if d == ONE_TERMS else len(d.terms)) for n, d in number.quotients)


def without_roots_below(above: Combination, below: Combination) -> Quotient:
    """N/D multiplied, above and below, by conjugates of D until a rational number is left below."""
    primes = {prime for _, (radicand, _) in below.terms for prime, _ in prime_powers(radicand)}
    if has_powers(below) or len(primes) > MOST_PRIMES:
        return above, below
    for prime in sorted(primes):
        other = conjugate(below, prime)
        above, below = above * other, below * other
    return above, below


def conjugate(number: Combination, prime: int) -> Combination:
    """The number with -√p for √p: their product has no √p any more."""
    return Combination(
        {(x, root): -c if root[0] % prime == 0 else c for (x, root), c in number.terms.items()}
    )
