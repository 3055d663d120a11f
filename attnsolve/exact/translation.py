"""Between SymPy's terms and ours: closed forms into expressions, expressions into balls and text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import prod
from operator import add, mul
from typing import TYPE_CHECKING, Any

import sympy
from sympy.printing.str import StrPrinter

from attnsolve.errors import AttnsolveError
from attnsolve.exact.combinations import Combination
from attnsolve.exact.flint_parts import arb, fmpq
from attnsolve.exact.functions import BALLS
from attnsolve.exact.roots import Root
from attnsolve.reasons import reason

if TYPE_CHECKING:
    from attnsolve.exact.closed import Closed
    from attnsolve.exact.forms import Form, Forms


def closed_to_sympy(cell: Closed) -> Any:
    """A closed form in SymPy's terms."""
    return sympy.Add(*(combination_to_sympy(n) / combination_to_sympy(d) for n, d in cell.quotients))


def combination_to_sympy(combination: Combination) -> Any:
    """Σ q·√r·e^x in SymPy's terms."""
    terms = []
    for (exponent, root), c in combination.terms.items():
        power = sympy.Add(*(fraction_to_sympy(q) * root_to_sympy(r) for r, q in exponent))
        terms.append(fraction_to_sympy(c) * root_to_sympy(root) * sympy.exp(power))
    return sympy.Add(*terms)


def fraction_to_sympy(value: Fraction) -> Any:
    """A fraction as a SymPy Rational."""
    return sympy.Rational(value.numerator, value.denominator)


def root_to_sympy(root: Root) -> Any:
    """√r·ln p… in SymPy's terms."""
    return sympy.Mul(sympy.sqrt(sympy.Integer(root[0])), *(sympy.log(sympy.Integer(p)) for p in root[1]))


NAMES = {"ln": "log"}
NAMES_OF: dict[Any, str] = {
    getattr(sympy, NAMES.get(name, name)): name for name in ("exp", "ln", "sin", "cos", "tanh", "erf")
}
FUNCTIONS: dict[Any, Callable[[arb], arb]] = {function: BALLS[name] for function, name in NAMES_OF.items()}
# Beyond this a power is not multiplied out in a proof.
LARGEST_POWER = 8


def expression_ball(expression: Any) -> arb:
    """The ball of a SymPy expression at the working precision, by its own structure."""
    if expression.is_Rational:
        return arb(fmpq(int(expression.p), int(expression.q)))
    if expression is sympy.pi:
        return arb.pi()
    if expression is sympy.E:
        return arb.const_e()
    if expression.is_Add:
        return sum(map(expression_ball, expression.args), arb(0))
    if expression.is_Mul:
        return prod(map(expression_ball, expression.args), start=arb(1))
    if expression.is_Pow:
        base, power = expression.args
        if power == sympy.Rational(1, 2):
            return expression_ball(base).sqrt()
        if power.is_Integer:
            return expression_ball(base) ** int(power)
        return expression_ball(base) ** expression_ball(power)
    if expression.func in FUNCTIONS:
        return FUNCTIONS[expression.func](expression_ball(expression.args[0]))
    raise AttnsolveError(reason("no certified value for {form}", form=str(expression)))


def expression_form(expression: Any, forms: Forms) -> Form:
    """The form of a SymPy expression, by its own structure."""
    if expression.is_Rational:
        return forms.fraction(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Add or expression.is_Mul:
        first, *others = [expression_form(argument, forms) for argument in expression.args]
        return reduce(add if expression.is_Add else mul, others, first)
    if expression.is_Pow:
        base, power = expression_form(expression.base, forms), expression.exp
        if power.is_Integer and abs(power) <= LARGEST_POWER:
            return base ** int(power)
        if power.is_Rational and power.q == 2 and abs(power.p) <= LARGEST_POWER:
            return forms.apply("sqrt", base) ** int(power.p)
        return forms.atom("power", base.closed, expression_form(power, forms).closed)
    if expression.func in NAMES_OF and expression.args:
        return forms.apply(NAMES_OF[expression.func], expression_form(expression.args[0], forms))
    if expression is sympy.E:
        return forms.apply("exp", forms.fraction(1))
    return forms.atom(expression)


class Printer(StrPrinter):  # type: ignore[misc]
    """SymPy's own text, but `exp(1)` where SymPy writes `E`."""

    def _print_Exp1(self, expression: Any) -> str:  # noqa: N802
        return "exp(1)"


def expression_text(expression: Any) -> str:
    """An expression as text that SymPy and our own grammar read."""
    return str(Printer().doprint(expression))
