"""Lines of working with numbers put in for symbols, long forms and functions: `≈ (2)(0.6698) + 0.25`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from attnsolve.exact import Cell, Rational
from attnsolve.exact.infinity import HIDDEN
from attnsolve.rendering import numerals
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.printing import (
    FUNCTION,
    IN_SIGHT,
    LONG,
    NAMED,
    NUMBER,
    ROUNDED,
    WITHIN,
    Writer,
    Written,
    in_digits,
    rational,
    surd_exponent,
)
from attnsolve.working import (
    Apply,
    Decimal,
    Entry,
    Expression,
    Multiple,
    Num,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    evaluate,
)


def wants_numbers(expression: Expression, traits: int) -> bool:
    """Whether a reader still has to look something up: a symbol, or what goes on with a function's value."""
    return bool(traits & NAMED) or (bool(traits & FUNCTION) and not isinstance(expression, Apply))


def in_numbers(expression: Expression, traits: int, notation: Notation, *, flipped: bool) -> Written:
    """The expression with a number for everything that is not one.

    Beside rounded numbers, fractions are decimals too where so many places are exact: 0.25 beside 0.6698.
    """
    alone = lone_function(expression, notation) if traits & WITHIN else None
    written = Numbers(notation, alone, flipped=flipped, decimals=True).written(expression)
    if written.traits & ROUNDED:
        return written
    return Numbers(notation, alone, flipped=flipped, decimals=False).written(expression)


class Numbers(Writer):
    """Writes a number for every symbol, and for every function whose value is looked up but one."""

    def __init__(self, notation: Notation, alone: Apply | None, *, flipped: bool, decimals: bool) -> None:
        super().__init__(notation, flipped=flipped)
        self.alone = alone
        self.places = notation.places if decimals else None
        self.figures: dict[int, tuple[Cell, Written]] = notation.figures[decimals]

    def leaf(self, expression: Num | Entry | Symbol | Decimal) -> Written:
        """The number that stands there, or that a symbol stands for; a factor comes again in its row."""
        cell = expression.cell
        known = self.figures.get(id(cell))
        if known is None:
            known = self.figures[id(cell)] = cell, self.figure(cell)
        return known[1]

    def figure(self, cell: Cell, *, negative: bool = False) -> Written:
        """A number, or the opposite one, as it is where that is short, else its decimals."""
        if cell is HIDDEN:
            return in_digits(numerals.MINUS_INFINITY)
        value = cell.rational()
        if value is not None:
            value = -value if negative else value
            top, bottom = value.as_integer_ratio()
            written = rational(top, bottom, self.style)
            if not written.traits & LONG:
                return written if self.places is None else in_places(top, bottom, self.style, self.places)
        text = self.notation.decimal(cell)
        return in_rounded_digits(opposite(text) if negative else text)

    def product(self, expression: Product) -> Written:
        """Numbers in brackets; ± a single one is that number."""
        factors = expression.factors
        if len(factors) == 2 and isinstance(factors[0], Num) and isinstance(factors[1], (Entry, Symbol)):
            sign = factors[0].cell
            if isinstance(sign, Rational) and abs(sign.value.numerator) == sign.value.denominator == 1:
                return self.figure(factors[1].cell, negative=sign.value < 0)
        return super().product(expression)

    def apply(self, expression: Apply) -> Written:
        """The value of a function that is looked up."""
        if is_looked_up(expression) and expression is not self.alone:
            return self.figure(evaluate(expression))
        return super().apply(expression)

    def raised(self, argument: Expression, written: Written) -> str:
        """What stands above the e."""
        if written.ratio is None:
            return written.text
        return surd_exponent(Rational(Fraction(*written.ratio)), self.notation) or written.text

    ways: ClassVar[dict[type, Callable[[Any, Any], Written]]] = {
        **Writer.ways,
        **dict.fromkeys((Num, Entry, Symbol, Decimal), leaf),
        Product: product,
        Multiple: product,
        Apply: apply,
    }


@lru_cache(maxsize=8192)
def in_rounded_digits(text: str) -> Written:
    """A number in decimals that are not the number itself."""
    return in_digits(text)._replace(traits=NUMBER | ROUNDED)


@lru_cache(maxsize=8192)
def in_places(top: int, bottom: int, style: str, places: int) -> Written:
    """A fraction in decimals, where so many places are exact."""
    if bottom != 1:
        rounded = Rational(Fraction(top, bottom)).decimals(places)
        if rounded.exact and rounded.power is None:
            return in_digits(numerals.rounded(rounded))
    return rational(top, bottom, style)


def opposite(text: str) -> str:
    """Decimals of a number with the other sign; 0.0000 has none."""
    if text.startswith("-"):
        return text[1:]
    return f"-{text}" if text.strip("0.") else text


def is_looked_up(expression: Expression) -> bool:
    """Whether somebody needs a calculator or a table for it."""
    return isinstance(expression, Apply) and expression.function not in IN_SIGHT


def lone_function(expression: Expression, notation: Notation) -> Apply | None:
    """The only function that is looked up, of a symbol: ln(A_{1,2}) becomes ln(0.25)."""
    found = list(functions(expression))
    if len(found) == 1 and Writer(notation, in_full=False).written(found[0]).traits & NAMED:
        return found[0]
    return None


def functions(expression: Expression) -> Iterator[Apply]:
    """Every function in an expression whose value is looked up."""
    match expression:
        case Sum(terms=parts) | Product(factors=parts):
            pass
        case Quotient(top=top, bottom=bottom):
            parts = top, bottom
        case Power(base=inside) | Apply(argument=inside):
            parts = (inside,)
        case _:
            parts = ()
    if isinstance(expression, Apply) and is_looked_up(expression):
        yield expression
    for part in parts:
        yield from functions(part)
