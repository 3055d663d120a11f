"""When two formulas that differ are equal after all: the factors of their difference, solved for a symbol."""

from __future__ import annotations

from attnsolve.claims.verdict import Bound
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.circumstances import solved_for, zeros
from attnsolve.exact.formulas.algebra import Algebra, Element, rational
from attnsolve.exact.formulas.signs import Sign, Signs
from attnsolve.exact.formulas.writing import written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Call, Function, Name, Tree, minus, product


def conditions_of(
    solved: Solved, difference: Element, algebra: Algebra, signs: Signs
) -> tuple[tuple[Tree, ...], tuple[Bound, ...]]:
    """Formulas that vanish where a difference does, and symbols with the one value that makes it vanish."""
    found: list[Tree] = []
    bounds: list[Bound] = []
    unsolved: list[Tree] = []
    places = [place for place, name in enumerate(algebra.symbols) if name not in algebra.rooted]
    for factor in factors_of(difference, algebra, signs):
        linear = solved_for(factor, algebra, places)
        power = single_power(factor, algebra, signs)
        if linear is not None and not has_exponentials(linear[1], algebra):
            name, value = algebra.symbols[linear[0]], linear[1]
            constant = rational(value)
            if constant is None:
                found.append(minus(name, written(value, algebra)))
            elif is_possible(solved, name, constant):
                found.append(written(factor, algebra))
        elif power is not None:
            bounds.append(power)
        else:
            unsolved.append(written(factor, algebra))
    # Beside a condition that is found, another that cannot be solved still has to be told.
    return tuple(found + (unsolved if found or bounds else [])), tuple(bounds)


def factors_of(difference: Element, algebra: Algebra, signs: Signs) -> list[Element]:
    """The factors that may vanish; of e^x - e^y those of x - y."""
    made: list[Element] = []
    for factor in zeros(difference, algebra, signs) or ():
        exponents = same_exponents(factor, algebra)
        made += [factor] if exponents is None else zeros(exponents, algebra, signs) or [exponents]
    return made


def same_exponents(factor: Element, algebra: Algebra) -> Element | None:
    """x - y for e^x - e^y, which vanish together."""
    polynomial, first = factor.numer, algebra.first_exponential
    if len(polynomial) != 2:
        return None
    (one, share), (other, less) = polynomial.terms()
    if share + less or one[:first] != other[:first]:
        return None
    difference = algebra.field.zero
    for offset, exponent in enumerate(algebra.exponents):
        difference += (one[first + offset] - other[first + offset]) * exponent
    return difference


def has_exponentials(element: Element, algebra: Algebra) -> bool:
    """Whether a value would be an expression that nobody can read as a condition."""
    return any(algebra.depends(element, generator) for generator in algebra.exponentials)


def is_possible(solved: Solved, name: Name, value: object) -> bool:
    """Whether a symbol may have a value."""
    from fractions import Fraction

    from attnsolve.derivations.numbers import is_allowed

    return isinstance(value, Fraction) and is_allowed({name: value}, solved.setting)


def single_power(factor: Element, algebra: Algebra, signs: Signs) -> Bound | None:
    """A e^(r x) + B = 0 solved for x."""
    polynomial = factor.numer
    for offset, exponent in enumerate(algebra.exponents):
        place = algebra.first_exponential + offset
        if polynomial.degree(place) != 1:
            continue
        generator = polynomial.ring.gens[place]
        above = polynomial.diff(generator)
        rest = polynomial - above * generator
        ratio = -algebra.field(rest) / algebra.field(above)
        side = signs.of(ratio - 1)
        if has_exponentials(ratio, algebra) or side in (Sign.ZERO, Sign.UNKNOWN):
            continue
        for where, name in enumerate(algebra.symbols):
            variable = algebra.field.gens[where]
            rate = exponent / variable
            if name in algebra.rooted or algebra.depends(rate, variable) or not signs.of(rate).is_nonzero:
                continue
            domain = signs.domains.get(name)
            grows = (signs.of(rate) is Sign.POSITIVE) == (side in (Sign.POSITIVE, Sign.AT_LEAST_ZERO))
            if domain is not None and domain.least == 0 and not grows:
                continue  # it would have to be negative
            if signs.of(ratio) is not Sign.POSITIVE:
                continue
            logarithm = Call(Function.LN, written(ratio, algebra))
            return Bound(name, Relation.EQUAL, product((written(1 / rate, algebra), logarithm)))
    return None
