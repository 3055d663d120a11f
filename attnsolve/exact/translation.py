"""Between SymPy's terms and ours: closed forms into expressions, expressions into balls and text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any

import sympy
from flint import arb, fmpq
from sympy.printing.str import StrPrinter

from attnsolve.errors import AttnsolveError
from attnsolve.exact.combinations import Combination
from attnsolve.exact.functions import BALLS
from attnsolve.exact.roots import Root

if TYPE_CHECKING:
    from attnsolve.exact.closed import Closed


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
FUNCTIONS: dict[Any, Callable[[arb], arb]] = {
    getattr(sympy, NAMES.get(name, name)): BALLS[name] for name in ("exp", "ln", "sin", "cos", "tanh", "erf")
}


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
    raise AttnsolveError(f"no certified value for {expression}")


def expanded_length(expression: Any) -> int:
    """How many terms an expression may have once its products and powers are multiplied out."""
    if expression.is_Add:
        return sum(map(expanded_length, expression.args))
    if expression.is_Mul:
        return prod(map(expanded_length, expression.args))
    if expression.is_Pow and expression.exp.is_Integer:
        terms, power = expanded_length(expression.base), abs(int(expression.exp))
        return comb(terms + power - 1, power) if terms > 1 else 1
    return max(map(expanded_length, expression.args), default=1)


class Printer(StrPrinter):  # type: ignore[misc]
    """SymPy's own text, but `exp(1)` where SymPy writes `E`."""

    def _print_Exp1(self, expression: Any) -> str:  # noqa: N802
        return "exp(1)"


def expression_text(expression: Any) -> str:
    """An expression as text that SymPy and our own grammar read."""
    return str(Printer().doprint(expression))
