"""Exact numbers as maths markup: `-\\tfrac{9}{4}`, `\\frac{1}{2 + 2e^{-3\\sqrt{3}/2}}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from attnsolve.exact import Cell, Closed, Rational, Rounded
from attnsolve.exact.combinations import Combination, Exponent
from attnsolve.exact.conjugates import rationalised
from attnsolve.exact.decimals import Shown, decimal_text
from attnsolve.exact.roots import ONE, Root
from attnsolve.exact.surds import Surds
from attnsolve.exact.totals import Key, Scale, combine

# What stands for a masked score.
MINUS_INFINITY = r"-\infty"
# One over such a power of ten, or a larger one, is written as that power.
TINY = 4
# A decimal with more places than this is no longer written out.
LONGEST_DECIMAL = 40

# Canonical denominator -> (its name in print, how many times the canonical one it is).
DenominatorNames = Mapping[Combination, tuple[str, Fraction]]


@lru_cache(maxsize=8192)
def fraction(numerator: int, denominator: int, style: str) -> str:
    """A rational number as a decimal where that is exact and short and wanted, else as a fraction."""
    if denominator == 1:
        return str(numerator)
    if style == "decimals":
        places = terminating_places(denominator)
        if places is not None and places <= LONGEST_DECIMAL:
            return decimal_text(numerator * 10**places // denominator, places)
    sign = "-" if numerator < 0 else ""
    zeros = len(str(denominator)) - 1
    if abs(numerator) == 1 and zeros >= TINY and denominator == 10**zeros:
        return f"{sign}10^{{-{zeros}}}"
    return f"{sign}\\tfrac{{{abs(numerator)}}}{{{denominator}}}"


@lru_cache(maxsize=8192)
def ratio(top: int, bottom: int, style: str) -> str:
    """A quotient of whole numbers, reduced."""
    common = gcd(top, bottom)
    return fraction(top // common, bottom // common, style)


def terminating_places(denominator: int) -> int | None:
    """How many decimals 1/denominator needs, or None when they never end."""
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def number(cell: Cell, style: str, names: DenominatorNames | None = None) -> str:
    """An exact number in full."""
    if isinstance(cell, Rational):
        return fraction(cell.value.numerator, cell.value.denominator, style)
    if isinstance(cell, Closed):
        return joined([quotient(n, d, style, names or {}) for n, d in rationalised(cell).quotients])
    if cell.rational() is not None:
        value = cell.rational()
        assert value is not None
        return fraction(value.numerator, value.denominator, style)
    return other(cell)


def other(cell: Cell) -> str:
    """A number without a form of ours: its decimals."""
    return rounded(cell.decimals(6))


def quotient(numerator: Combination, denominator: Combination, style: str, names: DenominatorNames) -> str:
    """N/D; a denominator that has a name is shown by it."""
    if denominator.plain() == 1:
        return combination(numerator, style)
    if denominator in names:
        name, scale = names[denominator]
        top = numerator.scaled(scale)
        common = lcm(*(c.denominator for c in top.terms.values()))
        below = name if common == 1 else f"{common} {name}"
        return f"\\frac{{{combination(top.scaled(Fraction(common)), style)}}}{{{below}}}"
    common = lcm(*(c.denominator for c in (*numerator.terms.values(), *denominator.terms.values())))
    top, bottom = numerator.scaled(Fraction(common)), denominator.scaled(Fraction(common))
    return f"\\frac{{{combination(top, style)}}}{{{combination(bottom, style)}}}"


def combination(terms: Combination, style: str) -> str:
    """Σ q·√r·e^x, largest exponential first."""
    ordered = sorted(terms.terms.items(), key=lambda item: (len(item[0][0]), [-c for _, c in item[0][0]]))
    return joined([term(c, root, exponent, style) for (exponent, root), c in ordered]) or "0"


def term(coefficient: Fraction, root: Root, exponent: Exponent, style: str) -> str:
    """One q·√r·e^x."""
    power = exponential(exponent, style)
    if root == ONE:
        return times(coefficient, power, style)
    joint = r" \cdot " if power[:1].isdigit() else ""
    return root_term(coefficient.numerator, coefficient.denominator, root, joint, power)


def root_term(top: int, bottom: int, root: Root, joint: str = "", power: str = "") -> str:
    """One q·√r, with q in lowest terms; `power` is what stands behind it."""
    factors = root_factors(root)
    if bottom == 1:
        return whole_times(top, factors + joint + power)
    sign = "-" if top < 0 else ""
    return f"{sign}\\tfrac{{{whole_times(abs(top), factors)}}}{{{bottom}}}{joint}{power}"


def surd_rows(value: Surds, style: str) -> list[list[str]]:
    """Every number of a matrix with roots, written without making the numbers one by one."""
    parts = [
        [[root_share(x, part.denominator, root, style) for x in row] for row in part.rows]
        for root, part in value.parts.items()
    ]
    if len(parts) == 1:  # a scaled score, which has nothing beside its root
        return [[text or "0" for text in row] for row in parts[0]]
    cells = [zip(*rows, strict=True) for rows in zip(*parts, strict=True)]
    return [[joined([text for text in texts if text]) for texts in row] for row in cells]


@lru_cache(maxsize=8192)
def root_share(number: int, bottom: int, root: Root, style: str) -> str:
    """One x/d·√r as a term of a sum; nothing for 0."""
    if not number:
        return ""
    common = gcd(number, bottom)
    top, below = number // common, bottom // common
    return fraction(top, below, style) if root == ONE else root_term(top, below, root)


def power_sum(scale: Scale, counts: Mapping[Key, int], style: str) -> str:
    """Σ count·e^key, largest exponential first."""
    if len(scale.units) > 1 or scale.units[0][1]:  # an order or a folding that only the numbers know
        return combination(combine(scale, counts.items(), ONE, 1), style)
    ordered = sorted(sorted(counts, reverse=True), key=bool)
    return joined([whole_times(counts[key], power(scale, key, style)) for key in ordered])


def power_rows(scale: Scale, keys: Sequence[Sequence[Key | None]], style: str) -> list[list[str]]:
    """e^key for every number of a matrix, 0 for a hidden one."""
    single = len(scale.units) == 1 and not scale.units[0][1]

    def text(key: Key) -> str:
        return power(scale, key, style) or "1" if single else power_sum(scale, {key: 1}, style)

    return [["0" if key is None else text(key) for key in row] for row in keys]


@lru_cache(maxsize=8192)
def power(scale: Scale, key: int, style: str) -> str:
    """e^key for multiples of one root; nothing for 1."""
    (unit,), bottom = scale
    common = gcd(key, bottom)
    return e_to_the(exponent_term(unit, key // common, bottom // common, style) if key else "")


def exponential(exponent: Exponent, style: str) -> str:
    """e^x in print; where logarithms stand in x, as powers of their numbers: e^{√2 ln 2} is 2^{√2}."""
    powers: dict[int, list[tuple[Root, Fraction]]] = {}
    for (radicand, primes), c in exponent:
        base, unit = (primes[0], (radicand, ())) if len(primes) == 1 else (0, (radicand, primes))
        powers.setdefault(base, []).append((unit, c))
    texts = {base: exponent_text(tuple(terms), style) for base, terms in sorted(powers.items())}
    shown = [f"{base}^{{{text}}}" for base, text in texts.items() if base]
    if 0 in texts:
        shown.append(e_to_the(texts[0]))
    return r" \cdot ".join(shown)


def e_to_the(exponent: str) -> str:
    """e^x of an exponent in print; nothing for the 1 that e^0 is."""
    return "e" if exponent == "1" else f"e^{{{exponent}}}" if exponent else ""


def times(coefficient: Fraction, factor: str, style: str) -> str:
    """coefficient·factor, without a 1 that says nothing."""
    top, bottom = coefficient.numerator, coefficient.denominator
    if bottom == 1 or not factor:
        return whole_times(top, factor) if bottom == 1 else fraction(top, bottom, style)
    return fraction(top, bottom, style) + joint_before(factor) + factor


def whole_times(number: int, factor: str) -> str:
    """The same for a whole number."""
    if not factor:
        return str(number)
    if number == 1 or number == -1:
        return factor if number == 1 else f"-{factor}"
    return f"{number}{joint_before(factor)}{factor}"


def joint_before(factor: str) -> str:
    """What stands between a number and the factor behind it."""
    return "" if factor.startswith(("\\sqrt", "\\ln")) else r" \cdot " if factor[0].isdigit() else "\\,"


@lru_cache(maxsize=256)
def root_factors(root: Root) -> str:
    """√r·ln p… in print."""
    radicand = f"\\sqrt{{{root[0]}}}" if root[0] != 1 else ""
    return radicand + "".join(f"\\ln {prime}" for prime in root[1])


def exponent_text(exponent: Exponent, style: str) -> str:
    """The x of e^x, with slashes so that it stays on its small line: -3\\sqrt{3}/2."""
    return joined([exponent_term(root, c.numerator, c.denominator, style) for root, c in exponent])


def exponent_term(root: Root, top: int, bottom: int, style: str) -> str:
    """One q·√r of an exponent, with q in lowest terms."""
    if root == ONE and style == "decimals" and terminating_places(bottom) is not None:
        return fraction(top, bottom, style)
    shown = whole_times(top, root_factors(root))
    return shown if bottom == 1 else f"{shown}/{bottom}"


def joined(terms: list[str]) -> str:
    """Terms put into a sum with their own signs."""
    if not terms:
        return "0"
    return terms[0] + "".join(f" - {t[1:]}" if t.startswith("-") else f" + {t}" for t in terms[1:])


def relation(exact: bool) -> str:
    """= between equal things, ≈ before rounded ones."""
    return "=" if exact else r"\approx"


def told(value: Rounded) -> str:
    """A rounded number behind the sign that says whether it is the value itself: `= 2`, `≈ 2.0345`."""
    return f"{relation(value.exact)} {rounded(value)}"


def alone(value: Rounded) -> str:
    """A rounded number where nothing stands before it: only what is not exact needs its sign."""
    return rounded(value) if value.exact else told(value)


def rounded(value: Rounded) -> str:
    """A rounded number; an exact one without the zeros that say nothing, a tiny one by its power of ten."""
    if value.infinite:
        return MINUS_INFINITY
    if value.power is not None:
        return f"{decimal_text(value.digits, value.places)} \\cdot 10^{{{value.power}}}"
    text = decimal_text(value.digits, value.places)
    if value.exact and "." in text:
        return text.rstrip("0").rstrip(".") if value.digits else "0"
    return text


def rounded_rows(rows: Sequence[Sequence[Shown]], places: int) -> list[list[str]]:
    """Rounded numbers of a matrix; most are inexact and only need their point."""
    if not places:
        return [[str(x) if isinstance(x, int) else rounded(x) for x in row] for row in rows]
    least = places + 1  # digits: 0.0123
    return [
        [
            f"{(text := str(x).zfill(least + (x < 0)))[:-places]}.{text[-places:]}"
            if isinstance(x, int)
            else rounded(x)
            for x in row
        ]
        for row in rows
    ]
