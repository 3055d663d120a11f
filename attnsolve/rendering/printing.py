"""Hand working in print: display expressions as maths markup, with what a line has to know of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

from attnsolve.exact import Cell, Closed, Rational
from attnsolve.records import NamedTuple
from attnsolve.rendering.markup import powered
from attnsolve.rendering.notation import NoForm, Notation
from attnsolve.rendering.numerals import exponent_text, fraction, joint_before
from attnsolve.rendering.readable import is_readable, is_short
from attnsolve.rendering.widths import width
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
)

# Functions that LaTeX has no name for.
NAMED_FUNCTIONS = {"erf": r"\operatorname{erf}", "gelu": r"\operatorname{GELU}", "sigmoid": r"\sigma"}
SIZES = {"d_model": r"d_{\text{model}}", "pi": r"\pi", "mu": r"\mu", "sigma2": r"\sigma^2", "tau": r"\tau"}
# These are done last, in sight of the reader; of any other function the value is looked up.
IN_SIGHT = ("sqrt", "relu")
# Symbols of one form of exercise that are kept, each with its width.
MOST_ENTRIES = 2048

# What a line has to know of an expression: it holds a number that is longer than a person would write, a
# symbol for a number, the value of a function, such a value inside another function, a number that has no
# form in print, one that is rounded; it is itself a sum, or a number.
LONG, NAMED, FUNCTION, WITHIN, FORMLESS, ROUNDED, SUM, NUMBER = (1 << place for place in range(8))
HANDED_ON = LONG | NAMED | FUNCTION | WITHIN | FORMLESS | ROUNDED

# The widths of what is put between: see `widths`.
BRACKETS, PLUS, MINUS = 1.6, 2.2, 1.8
JOINTS = {"": 0.0, r"\,": 0.3, r" \cdot ": 1.4}


class Written(NamedTuple):
    """An expression in print, how wide it is but for what floats make of it, and what a line asks of it."""

    text: str
    width: float
    traits: int = 0
    ratio: tuple[int, int] | None = None  # of an exact rational number
    enclosed: str = ""  # in brackets, where that is known already


# Products of fractions that were written of late, by which records they are, their style and their order.
MOST_MULTIPLES = 8192
_multiples: dict[tuple[int, str, bool], tuple[Multiple, Written]] = {}


def show(expression: Expression, notation: Notation, *, flipped: bool = False) -> str:
    """An expression as maths; `flipped` writes the factors of each product the other way round."""
    written = Writer(notation, flipped=flipped).written(expression)
    if written.traits & FORMLESS:
        raise NoForm
    return written.text


class Writer:
    """Writes expressions as a part prints them; unless all is wanted `in_full`, long roots are left out."""

    def __init__(self, notation: Notation, *, flipped: bool = False, in_full: bool = True) -> None:
        self.notation = notation
        self.style = notation.style
        self.flipped = flipped
        self.in_full = in_full
        self.entries: dict[tuple[str, int, int], Written] = notation.known.setdefault("entries", {})

    def written(self, expression: Expression) -> Written:
        """An expression in print."""
        return self.ways[type(expression)](self, expression)

    def inside(self, *expressions: Expression) -> list[Written]:
        """What stands inside of something else: its factors are in their own order."""
        ways, flipped, self.flipped = self.ways, self.flipped, False
        made = [ways[type(expression)](self, expression) for expression in expressions]
        self.flipped = flipped
        return made

    def number(self, expression: Num) -> Written:
        """A number in full; those that come again were written before."""
        cell = expression.cell
        if isinstance(cell, Rational):
            return rational(*cell.value.as_integer_ratio(), self.style)
        traits = NUMBER if is_readable(cell, self.style) else NUMBER | LONG
        if traits & LONG and not self.in_full:
            return Written("", 0.0, traits)
        try:
            text = self.notation.number(cell)
        except NoForm:
            return Written("", 0.0, traits | FORMLESS)
        return Written(text, width(text), traits)

    def decimal(self, expression: Decimal) -> Written:
        """A number rounded to the places of the sheet."""
        return in_digits(self.notation.decimal(expression.cell))

    def entry(self, expression: Entry) -> Written:
        """The symbol of one number."""
        return self.named(expression.name, expression.i, expression.j)

    def named(self, name: str, i: int, j: int) -> Written:
        """The symbol of one number of a matrix: the same on every page of this form."""
        place = name, i, j
        known = self.entries.get(place)
        if known is None:
            if len(self.entries) >= MOST_ENTRIES:
                self.entries.clear()
            text = self.notation.entry(name, i, j)
            known = self.entries[place] = Written(text, width(text), NAMED)
        return known

    def symbol(self, expression: Symbol) -> Written:
        """A size by its name."""
        name = expression.name
        return measured(self.notation.problem.symbols.get(name) or SIZES.get(name, name), NAMED)

    def sum(self, expression: Sum) -> Written:
        """Terms with their own signs."""
        ways = self.ways
        return added([ways[type(term)](self, term) for term in expression.terms])

    def product(self, expression: Product) -> Written:
        """(-2)(0.5) for numbers, -3.5 α for a number before a symbol, α (-2) for a symbol before a number."""
        factors = expression.factors
        if len(factors) != 2:
            return multiplied(self.inside(*factors), flipped=self.flipped)
        first, second = factors
        ways, flipped, self.flipped = self.ways, self.flipped, False
        made = ways[type(first)](self, first), ways[type(second)](self, second)
        self.flipped = flipped
        return of_two(*made, flipped=flipped)

    def multiple(self, expression: Multiple) -> Written:
        """(-2)(0.5), which comes again in other variants."""
        key = id(expression), self.style, self.flipped
        known = _multiples.get(key)
        if known is None:
            if len(_multiples) >= MOST_MULTIPLES:
                _multiples.clear()
            known = _multiples[key] = expression, self.product(expression)
        return known[1]

    def quotient(self, expression: Quotient) -> Written:
        """One expression above another."""
        top, bottom = self.inside(*expression)
        text = f"\\frac{{{top.text}}}{{{bottom.text}}}"
        return Written(text, max(top.width, bottom.width) + 0.3, (top.traits | bottom.traits) & HANDED_ON)

    def power(self, expression: Power) -> Written:
        """A base in brackets unless it is a whole number not below 0, or a symbol."""
        (base,) = self.inside(expression.base)
        text = in_brackets(base.text) if base.traits & SUM else base.text
        if base.traits & NUMBER and not text.isdigit():
            text = in_brackets(text)
        return measured(powered(text, str(expression.exponent)), base.traits & HANDED_ON)

    def apply(self, expression: Apply) -> Written:
        """A function of its argument: e^{x}, √x, max(0, x), tanh(x)."""
        function = expression.function
        (argument,) = self.inside(expression.argument)
        if function in ("exp", "exp2"):
            raised = self.raised(expression.argument, argument)
            text = f"2^{{{raised}}}" if function == "exp2" else "e" if raised == "1" else f"e^{{{raised}}}"
        elif function == "sqrt":
            text = f"\\sqrt{{{argument.text}}}"
        elif function == "relu":
            text = rf"\max{in_brackets(f'0, {argument.text}')}"
        else:
            text = NAMED_FUNCTIONS.get(function, f"\\{function}") + in_brackets(argument.text)
        traits = argument.traits & HANDED_ON & ~FUNCTION
        return measured(text, traits if function in IN_SIGHT else traits | FUNCTION | WITHIN)

    def raised(self, argument: Expression, written: Written) -> str:
        """What stands above the e: surds with slashes, so that the line stays low."""
        if isinstance(argument, Num):
            if argument.cell.has_letters:
                from attnsolve.rendering.derivations.formulas import in_letters

                return in_letters(argument.cell, self.notation.sums, slanted=True)
            raised = surd_exponent(argument.cell, self.notation)
            if raised is not None:
                return raised
        return written.text

    # How each kind of expression is written.
    ways: ClassVar[dict[type, Callable[[Any, Any], Written]]] = {
        Num: number,
        Decimal: decimal,
        Entry: entry,
        Symbol: symbol,
        Sum: sum,
        Product: product,
        Multiple: multiple,
        Quotient: quotient,
        Power: power,
        Apply: apply,
    }


@lru_cache(maxsize=8192)
def rational(top: int, bottom: int, style: str) -> Written:
    """A fraction in lowest terms."""
    text = fraction(top, bottom, style)
    traits = NUMBER if is_short(top, bottom, style) else NUMBER | LONG
    return Written(text, width(text), traits, (top, bottom), in_brackets(text))


@lru_cache(maxsize=8192)
def in_digits(text: str) -> Written:
    """A number in decimals."""
    return Written(text, width(text), NUMBER, None, in_brackets(text))


def measured(text: str, traits: int) -> Written:
    """Maths that is measured as a whole."""
    return Written(text, width(text), traits)


def added(terms: list[Written]) -> Written:
    """Terms put into a sum with their own signs."""
    if not terms:
        return Written("0", 0.0, SUM)
    shown, total, traits = terms[0].text, terms[0].width, SUM | terms[0].traits & HANDED_ON
    for text, wide, of_term, _, _ in terms[1:]:
        if text.startswith("-"):
            shown += f" - {text[1:]}"
        else:
            shown += f" + {text}"
            total += PLUS
        total += wide
        traits |= of_term & HANDED_ON
    return Written(shown, total, traits)


def multiplied(factors: list[Written], *, flipped: bool) -> Written:
    """Factors side by side, numbers in brackets; a number before symbols stands as it is."""
    traits, numbers, total = 0, NUMBER, BRACKETS * len(factors)
    for factor in factors:
        traits |= factor.traits
        numbers &= factor.traits
        total += factor.width
    traits &= HANDED_ON
    if numbers:
        texts = [factor.enclosed or in_brackets(factor.text) for factor in factors]
        return Written("".join(texts[::-1] if flipped else texts), total, traits)
    if factors[0].ratio is not None:
        return Written(*times(factors[0], [atom(factor) for factor in factors[1:]]), traits)
    pieces = [bracketed(factor) if factor.traits & NUMBER else atom(factor) for factor in factors]
    return Written(" ".join([text for text, _ in pieces]), sum([wide for _, wide in pieces]), traits)


def of_two(first: Written, second: Written, *, flipped: bool) -> Written:
    """The same for two factors, which nearly all products have."""
    traits = (first.traits | second.traits) & HANDED_ON
    if first.traits & second.traits & NUMBER:
        one, other = first.enclosed or in_brackets(first.text), second.enclosed or in_brackets(second.text)
        wide = BRACKETS * 2 + first.width + second.width
        return Written(other + one if flipped else one + other, wide, traits)
    if first.ratio is not None:
        return Written(*times(first, [atom(second)]), traits)
    text, wide = bracketed(first) if first.traits & NUMBER else atom(first)
    other, further = bracketed(second) if second.traits & NUMBER else atom(second)
    return Written(f"{text} {other}", wide + further, traits)


def times(number: Written, factors: list[tuple[str, float]]) -> tuple[str, float]:
    """A number before what it multiplies, without a 1 that says nothing."""
    text, wide = "".join([text for text, _ in factors]), sum([wide for _, wide in factors])
    if number.ratio == (1, 1) or not text:
        return text, wide
    if number.ratio == (-1, 1):
        return f"-{text}", MINUS + wide
    joint = joint_before(text)
    return f"{number.text}{joint}{text}", number.width + JOINTS[joint] + wide


def bracketed(factor: Written) -> tuple[str, float]:
    """A factor in brackets, and its width."""
    return factor.enclosed or in_brackets(factor.text), factor.width + BRACKETS


def atom(factor: Written) -> tuple[str, float]:
    """An expression that can stand as a factor: sums in brackets."""
    return bracketed(factor) if factor.traits & SUM else (factor.text, factor.width)


def in_brackets(text: str) -> str:
    """Brackets as high as what stands between them."""
    return rf"\left({text}\right)" if "frac{" in text else f"({text})"


def surd_exponent(cell: Cell, notation: Notation) -> str | None:
    """A rational or surd as an exponent, or None for anything else."""
    plain = cell.plain() if isinstance(cell, Closed) else None
    if plain is None or any(x for x, _ in plain.terms):
        return None
    return exponent_text(tuple((root, c) for (_, root), c in plain.terms.items()), notation.style)
