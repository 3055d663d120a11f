"""From lark's tree to display expressions, each value computed as soon as its caps are checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from attnsolve.errors import ExpressionError, Undecided, UndefinedStep
from attnsolve.exact.cells import UNITY, Cell, Rational, add, divide, multiply
from attnsolve.exact.functions import NAMES as FUNCTIONS
from attnsolve.exact.functions import apply, pi
from attnsolve.expressions.grammar import ALLOWED
from attnsolve.expressions.lengths import fractions, multiplied_out, terms
from attnsolve.expressions.plain import PLAIN, bits, check_size, plain_value
from attnsolve.limits import Limits
from attnsolve.reasons import Reason, reason
from attnsolve.working import Apply, Expression, Num, Power, Product, Quotient, Sum, Symbol

# What may be in exp and sin: larger numbers take long to work out, and nobody wants to see the result.
MAGNITUDE = 1_000_000
# How many products of two terms one text may ask for; a tenth of a second's worth.
PRODUCTS = 10_000

Built = tuple[Expression, Cell]


class Builder:
    """From lark's tree to display expressions, with each value checked as soon as it is known."""

    def __init__(self, names: Mapping[str, Cell], limits: Limits) -> None:
        self.names = names
        self.limits = limits
        self.products = 0

    def visit(self, node: Any) -> Built:
        """The expression of a piece and its value."""
        return getattr(self, f"_{node.data}")(node)  # type: ignore[no-any-return]

    def _plus(self, node: Any) -> Built:
        """A chain a + b - c, walked from its far end: a long one must not be deep."""
        first, links = _chain(node, ("plus", "minus"))
        shown, value = self.visit(first)
        terms = [shown]
        for link in links:
            term, y = self.visit(link.children[1])
            if link.data == "minus":
                term, y = _negated(term), multiply(Rational(-1), y)
            terms.append(term)
            value = self._checked(link, add, value, y)
        return Sum(tuple(terms)), value

    def _times(self, node: Any) -> Built:
        """A chain a * b / c."""
        first, links = _chain(node, ("times", "over"))
        shown, value = self.visit(first)
        factors = [shown]
        for link in links:
            factor, y = self.visit(link.children[1])
            if link.data == "times":
                factors.append(factor)
                value = self._multiplied(link, value, y)
            else:
                factors = [Quotient(_product(factors), factor)]
                self._spend(link, terms(value) * multiplied_out(y))
                value = self._checked(link, divide, value, y)
        return _product(factors), value

    _minus, _over = _plus, _times

    def _negative(self, node: Any) -> Built:
        shown, value = self.visit(node.children[0])
        return _negated(shown), multiply(Rational(-1), value)

    def _number(self, node: Any) -> Built:
        token = str(node.children[0])
        match = PLAIN.fullmatch(token)
        if match is None:
            raise _fault(
                node,
                reason("the exponent of '{typed}' is too large; write at most 3 digits after e", typed=token),
            )
        cell = Rational(plain_value(match, self.limits, node.meta.column))
        return Num(cell, token), cell

    def _name(self, node: Any) -> Built:
        name = str(node.children[0])
        if name in self.names:
            return Symbol(name, self.names[name]), self.names[name]
        if name == "pi":
            return Symbol("pi", pi()), pi()
        if name == "e":
            return E, apply("exp", UNITY)
        joined = re.fullmatch(rf"({'|'.join(FUNCTIONS)})(\w+)", name)
        if joined:
            meant = f"{joined[1]}({joined[2]})"
            raise _fault(
                node, reason("'{name}' reads as one name; did you mean {meant}?", name=name, meant=meant)
            )
        names = ", ".join(self.names)
        may = reason("{allowed} and {names}", allowed=ALLOWED, names=names) if names else ALLOWED
        hint = _meant(name, [*self.names, *FUNCTIONS, "pi"]) or may
        raise _fault(node, reason("'{name}' is not something I can read; {hint}", name=name, hint=hint))

    def _item(self, node: Any) -> Built:
        raise _fault(node, reason("a number is expected here, not a part of a matrix"))

    def _call(self, node: Any) -> Built:
        name = str(node.children[0])
        function = "ln" if name == "log" else name
        if function not in FUNCTIONS:
            known = reason("the functions are {functions}", functions=", ".join(FUNCTIONS))
            hint = _meant(name, FUNCTIONS) or known
            raise _fault(node, reason("there is no function '{name}'; {hint}", name=name, hint=hint))
        return self._function(function, self.visit(node.children[1]), node)

    def _root(self, node: Any) -> Built:
        return self._function("sqrt", self.visit(node.children[0]), node)

    def _raised(self, node: Any) -> Built:
        base, x = self.visit(node.children[0])
        shown, y = self.visit(node.children[1])
        if base is E:
            return self._function("exp", (shown, y), node)
        exponent, most = y.rational(), self.limits.exponent
        if exponent == Fraction(1, 2):
            return self._function("sqrt", (base, x), node)
        if exponent is None or exponent.denominator != 1 or abs(exponent) > most:
            allowed = reason("exponents are whole numbers from -{most} to {most}, or 1/2", most=most)
            if exponent is None or bits(exponent) >= 64:
                raise _fault(node, reason("this power is not allowed; {allowed}", allowed=allowed))
            said = reason(
                "the power ^{power} is not allowed; {allowed}", power=str(exponent), allowed=allowed
            )
            raise _fault(node, said)
        value: Cell = UNITY
        for _ in range(abs(exponent.numerator)):
            value = self._multiplied(node, value, x)
        if exponent < 0:
            value = self._checked(node, divide, UNITY, value)
        return Power(base, exponent.numerator), value

    def _function(self, name: str, argument: Built, node: Any) -> Built:
        shown, cell = argument
        value, most = cell.rational(), self.limits.root_bits
        if name in ("sqrt", "ln") and value is not None and bits(value) > most:
            said = reason(
                "the number under {name} is too large; the limit is {limit} bits", name=name, limit=most
            )
            raise _fault(node, said)
        if name in ("exp", "sin", "cos", "tanh") and not abs(cell.ball(64)) < MAGNITUDE:
            said = reason(
                "the number in {name}(…) is too large; the limit is {limit}", name=name, limit=MAGNITUDE
            )
            raise _fault(node, said)
        return Apply(name, shown), self._checked(node, apply, name, cell)

    def _multiplied(self, node: Any, x: Cell, y: Cell) -> Cell:
        self._spend(node, terms(x) * terms(y))
        return self._checked(node, multiply, x, y)

    def _spend(self, node: Any, products: int) -> None:
        """Refuse what is too long to multiply out, before it is tried."""
        self.products += products
        if self.products > PRODUCTS:
            raise _fault(node, reason("this is too long to be multiplied out"))

    def _checked(self, node: Any, compute: Callable[..., Cell], *arguments: Any) -> Cell:
        """The result, unless it has no value, cannot be decided or is longer than anybody wants to read."""
        try:
            cell = compute(*arguments)
        except (UndefinedStep, Undecided) as error:
            raise _fault(node, error.reason) from None
        if terms(cell) > self.limits.operations:
            raise _fault(node, reason("more than {limit} terms", limit=self.limits.operations))
        for value in fractions(cell):
            check_size(value, self.limits, node.meta.column)
        return cell


# The letter e; e^x is shown as exp is.
E = Apply("exp", Num(UNITY))


def _fault(node: Any, said: Reason) -> ExpressionError:
    return ExpressionError(said, column=node.meta.column)


def _meant(name: str, known: Iterable[str]) -> Reason | None:
    from difflib import get_close_matches  # only the misspelt need it

    close = get_close_matches(name, known, n=1)
    return reason("did you mean '{name}'?", name=close[0]) if close else None


def _chain(node: Any, kinds: tuple[str, str]) -> tuple[Any, list[Any]]:
    """The first operand of a chain, and the nodes that add one operand each."""
    links = []
    while node.data in kinds:
        links.append(node)
        node = node.children[0]
    return node, links[::-1]


def _product(factors: list[Expression]) -> Expression:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def _negated(tree: Expression) -> Expression:
    """-tree, with the sign taken into a plain number."""
    if isinstance(tree, Num) and isinstance(tree.cell, Rational):
        return Num(Rational(-tree.cell.value), f"-{tree.typed}" if tree.typed else None)
    return Product((Num(Rational(-1)), tree))
