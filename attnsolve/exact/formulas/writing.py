"""From an element of the field back to a formula that reads well: factored, exponentials in front."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.exact.formulas.algebra import Algebra, Element, rational
from attnsolve.exact.formulas.factors import factors_of
from attnsolve.statements.tree import (
    MINUS_ONE,
    ONE,
    Call,
    Function,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Tree,
    exponential,
    negative,
    number,
    over,
    product,
    square_root,
    total,
)


def written(element: Element, algebra: Algebra) -> Tree:
    """A formula that stands for an element."""
    element = algebra.settled(element)
    constant = rational(element)
    if constant is not None:
        return number(constant)
    root = root_below(element, algebra)
    if root is not None:
        return divided_by(written(algebra.settled(element * root), algebra), root, algebra)
    above, below = element.numer, element.denom
    if len(below) == 1 and len(above) > 1 and is_exponential(below, algebra):
        return total_over(element, algebra)
    sign, above_numbers, above_factors = factored(above, algebra)
    turned, below_numbers, below_factors = factored(below, algebra)
    share = above_numbers / below_numbers
    is_negative = sign * turned < 0
    under = product((number(share.denominator), *below_factors))
    upper = product((number(share.numerator), *above_factors))
    made = over(upper, under)
    return negative(made) if is_negative and above else made


def expanded(element: Element, algebra: Algebra) -> Tree:
    """A sum of terms over a sum of terms, as one writes them without looking for factors."""
    root = root_below(element, algebra)
    if root is not None:
        return divided_by(expanded(algebra.settled(element * root), algebra), root, algebra)
    if len(element.denom) == 1 and len(element.numer) > 1 and is_exponential(element.denom, algebra):
        return total_over(element, algebra)
    return over(sum_of(element.numer, algebra), sum_of(element.denom, algebra))


def root_below(element: Element, algebra: Algebra) -> Element | None:
    """The root of a prime that reads better below the line: √2·x/2 is x/√2."""
    for place, prime in algebra.squares.items():
        shared = bool(element.numer) and all(monomial[place] for monomial in element.numer.monoms())
        if shared and not any(int(share.numerator) % prime for share in element.denom.coeffs()):
            return algebra.field.gens[place]
    return None


def divided_by(tree: Tree, root: Element, algebra: Algebra) -> Tree:
    """A formula over a root, beside what stands below it already."""
    if isinstance(tree, Product) and tree.factors[0] == MINUS_ONE:
        return negative(divided_by(product(tree.factors[1:]), root, algebra))
    under = term_of(next(iter(root.numer.terms())), algebra)
    if not isinstance(tree, Quotient):
        return over(tree, under)
    below = tree.under.factors if isinstance(tree.under, Product) else (tree.under,)
    numbers = [factor for factor in below if isinstance(factor, Number)]
    return Quotient(tree.over, product((*numbers, under, *below[len(numbers) :])))


def is_exponential(polynomial: Element, algebra: Algebra) -> bool:
    """Whether a single term is a number times exponentials."""
    ((monomial, _),) = polynomial.terms()
    return any(monomial) and not any(monomial[: algebra.first_exponential])


def total_over(element: Element, algebra: Algebra) -> Tree:
    """A sum divided by an exponential, term by term: e^(x) + e^(-y) + m."""
    ((dominant, share),) = element.denom.terms()
    below = algebra.field(element.denom.ring({dominant: 1}))
    plain = number(Fraction(int(share.denominator), int(share.numerator)))
    made = relative(algebra.field(element.numer), below, algebra)
    return made if plain == ONE else product((plain, made))


def relative(element: Element, strongest: Element, algebra: Algebra) -> Tree:
    """A sum of exponentials divided by one of them, term by term."""
    first = algebra.first_exponential
    powers: dict[tuple[int, ...], Element] = {}
    for monomial, share in element.numer.terms():
        plain = (*monomial[:first], *[0] * (len(monomial) - first))
        before = powers.get(monomial[first:], element.numer.ring.zero)
        powers[monomial[first:]] = before + element.numer.ring({plain: share})
    ((dominant, _),) = strongest.numer.terms()
    terms: list[Tree] = []
    for power, coefficient in powers.items():
        exponent = algebra.field.zero
        for offset, one in enumerate(algebra.exponents):
            exponent += (power[offset] - dominant[first + offset]) * one
        inside = sum_of(coefficient, algebra)
        if not exponent and isinstance(inside, Sum):
            terms += inside.terms
        else:
            terms.append(product((inside, exponential(written(exponent, algebra)))))
    terms.sort(key=lambda term: not has_exponential(term))
    return over(total(terms), written(algebra.field(element.denom), algebra))


def factored(polynomial: Element, algebra: Algebra) -> tuple[int, Fraction, list[Tree]]:
    """The sign, the number and the other factors of a polynomial, simple ones first."""
    if not polynomial:
        return 1, Fraction(0), []
    found = factors_of(polynomial)
    if found is None:
        return 1, Fraction(1), [sum_of(polynomial, algebra)]
    share = Fraction(int(found.constant.numerator), int(found.constant.denominator))
    simple: list[Tree] = []
    sums: list[Tree] = []
    monomial = polynomial.ring.one
    for factor, power in found.powers:
        if len(factor) == 1:
            monomial *= factor**power
            continue
        if algebra.is_below_zero(factor) if algebra.is_below_zero else looks_negative(factor):
            factor, share = -factor, share * (-1) ** power
        one = sum_of(factor, algebra)
        sums.append(one if power == 1 else Power(one, number(power)))
    if monomial != 1:
        simple.append(term_of(next(iter(monomial.terms())), algebra))
    return (-1 if share < 0 else 1), abs(share), [*simple, *sums]


def looks_negative(polynomial: Element) -> bool:
    """Whether a sum reads better with all signs turned: most of its terms are negative."""
    shares = polynomial.coeffs()
    below = sum(share < 0 for share in shares)
    return bool(2 * below > len(shares) or (2 * below == len(shares) and shares[0] < 0 and shares[-1] < 0))


def sum_of(polynomial: Element, algebra: Algebra) -> Tree:
    """A sum, gathered by exponentials: those first, then what is left; positive terms lead."""
    groups: dict[tuple[int, ...], Element] = {}
    first = algebra.first_exponential
    for monomial, share in polynomial.terms():
        plain = (*monomial[:first], *[0] * (len(monomial) - first))
        group = groups.setdefault(monomial[first:], polynomial.ring.zero)
        groups[monomial[first:]] = group + polynomial.ring({plain: share})
    terms = []
    for powers, coefficient in groups.items():
        monomial = (*[0] * first, *powers)
        if any(powers) and len(coefficient) > 1:
            rest = algebra.field(polynomial.ring({monomial: 1}))
            sign, share, factors = factored(coefficient, algebra)
            made = product((number(share), *factors, powers_of(rest.numer, algebra)))
            terms.append(negative(made) if sign < 0 else made)
        else:
            whole = coefficient * polynomial.ring({monomial: 1})
            terms += [term_of(term, algebra) for term in whole.terms()]
    terms.sort(key=lambda term: (not has_exponential(term), is_negative(term)))
    return total(terms)


def powers_of(polynomial: Element, algebra: Algebra) -> Tree:
    """A single monomial as a formula."""
    return term_of(next(iter(polynomial.terms())), algebra)


def term_of(term: tuple[tuple[int, ...], object], algebra: Algebra) -> Tree:
    """A number times powers of symbols, times one exponential."""
    monomial, share = term
    value = Fraction(int(share.numerator), int(share.denominator))  # type: ignore[attr-defined]
    factors: list[Tree] = []
    for place, name in enumerate(algebra.symbols):
        factors += powers_of_symbol(name, monomial[place], rooted=name in algebra.rooted)
    for offset, argument in enumerate(algebra.logarithms):
        power = monomial[len(algebra.symbols) + offset]
        if power:
            logarithm = Call(Function.LN, argument)
            factors.append(logarithm if power == 1 else Power(logarithm, number(power)))
    exponent = algebra.field.zero
    for offset, one in enumerate(algebra.exponents):
        exponent += monomial[algebra.first_exponential + offset] * one
    if exponent:
        factors.append(exponential(written(exponent, algebra)))
    made = product((number(abs(value)), *factors))
    return negative(made) if value < 0 else made


def powers_of_symbol(name: Name, power: int, *, rooted: bool) -> list[Tree]:
    """x^power, where the generator may be the root of x."""
    if not rooted:
        return [] if not power else [name if power == 1 else Power(name, number(power))]
    if name.name.isdigit():  # the root of a prime
        return [square_root(number(int(name.name)))] if power else []
    whole, odd = divmod(power, 2)
    made: list[Tree] = [] if not whole else [name if whole == 1 else Power(name, number(whole))]
    return [*made, square_root(name)] if odd else made


def is_negative(tree: Tree) -> bool:
    """Whether a term is printed with a minus sign."""
    match tree:
        case Number(value):
            return value < 0
        case Product(factors):
            return factors[0] == MINUS_ONE or is_negative(factors[0])
    return False


def has_exponential(tree: Tree) -> bool:
    """Whether a term has an exponential among its factors."""
    pieces = tree.factors if isinstance(tree, Product) else (tree,)
    return any(isinstance(piece, Call) and piece.function is Function.EXP for piece in pieces)
