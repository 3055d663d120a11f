"""The one safe grammar for numbers that people type: fractions, decimals, roots, powers, a few functions.

Nothing here evaluates text as code: a lark grammar builds display expressions bottom-up, every cap
is checked before the arithmetic it guards, and a plain number never loads the grammar at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attnsolve.errors import ExpressionError, UndefinedStep
from attnsolve.exact.cells import Cell, Closed, Rational, add, divide, multiply
from attnsolve.exact.functions import NAMES as FUNCTIONS
from attnsolve.exact.functions import apply, pi, power
from attnsolve.limits import LIMITS, Limits
from attnsolve.working import Apply, Expression, Num, Power, Product, Quotient, Sum, Symbol, evaluate

GRAMMAR = r"""
?start: sum
?sum: product | sum "+" product -> plus | sum "-" product -> minus
?product: sign | product "*" sign -> times | product "/" sign -> over
?sign: "-" sign -> negative | "+" sign | power
?power: atom | atom "^" sign -> raised
?atom: NUMBER -> number
     | NAME -> name
     | NAME "(" sum ")" -> call
     | NAME "[" NUMBER ("," NUMBER)? "]" -> item
     | "(" sum ")"
     | "√" atom -> root
     | NUMBER "√" atom -> multiple_root
NUMBER: /(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/
NAME: /[A-Za-z_][A-Za-z_0-9]*/
%ignore /[ \t]+/
"""

PLAIN = re.compile(r"([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?(?:/(\d+))?", re.ASCII)
SPELLINGS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "∙": "*", "÷": "/", "π": " pi ", "，": ",", "\u00a0": " "})
ALIASES = {"log": "ln", "e": "exp"}
EXPONENT_MAGNITUDE = 1_000_000


def number(text: str, *, limits: Limits = LIMITS) -> Cell:
    """The exact number a text stands for: `0.1` is 1/10, `sqrt(12)` is 2·√3."""
    return evaluate(expression(text, limits=limits))


def expression(text: str, *, names: Mapping[str, Cell] | None = None, limits: Limits = LIMITS) -> Expression:
    """The display expression of a text; `names` are the sizes and indices it may mention."""
    if len(text) > limits.characters:
        raise ExpressionError(f"this is {len(text)} characters long; the limit is {limits.characters}")
    normal = normalise(text)
    plain = PLAIN.fullmatch(normal.strip())
    if plain:
        return Num(Rational(_plain_value(plain, limits)), normal.strip())
    return _Builder(dict(names or {}), limits).build(parse_tree(normal, limits))


def normalise(text: str) -> str:
    """Other spellings of the same signs: `−`, `×`, `·`, `**`, fullwidth digits."""
    plain = text.translate(SPELLINGS).replace("**", "^")
    return "".join(chr(ord(c) - 0xFEE0) if "０" <= c <= "９" else c for c in plain)


def _plain_value(match: re.Match[str], limits: Limits) -> Fraction:
    sign, whole, after, only_after, exponent, below = match.groups()
    digits = (whole or "") + (after or only_after or "")
    value = Fraction(int(digits), 10 ** len(after or only_after or ""))
    if exponent:
        value *= Fraction(10) ** int(exponent)
    if below:
        if not int(below):
            raise ExpressionError("division by zero", column=match.start(6) + 1)
        value /= int(below)
    return check_size(-value if sign == "-" else value, limits)


def check_size(value: Fraction, limits: Limits) -> Fraction:
    """The value, unless it has more digits than anybody wants to read."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > limits.bits:
        raise ExpressionError(f"this number is too large; the limit is {limits.bits} bits")
    return value


@lru_cache(maxsize=1)
def _parser() -> Any:
    from lark import Lark

    return Lark(GRAMMAR, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def parse_tree(text: str, limits: Limits) -> Any:
    """lark's tree of a text, which is all that the grammar says about it."""
    from lark import UnexpectedInput
    from lark.exceptions import UnexpectedEOF, UnexpectedToken

    _check_before_parsing(text, limits)
    try:
        return _parser().parse(text)
    except UnexpectedInput as error:
        column = getattr(error, "column", None)
        at_end = isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END")
        if at_end or not column or column < 1:
            raise ExpressionError("a number, name or bracket is missing at the end", column=len(text) + 1) from None
        raise ExpressionError(_unreadable(text, column), column=column) from None


def _check_before_parsing(text: str, limits: Limits) -> None:
    if text.count("(") > limits.brackets:
        raise ExpressionError(f"more than {limits.brackets} brackets")
    long_signs = re.search(r"(?:[-+√][ \t]*){17,}", text)
    if long_signs:
        raise ExpressionError("more than 16 signs in a row", column=long_signs.start() + 1)
    powers = re.search(r"(?:\^[^+*/()^]*){9,}", text)
    if powers:
        raise ExpressionError("more than 8 powers in a row", column=powers.start() + 1)
    if sum(map(text.count, "+-*/^√(")) > limits.operations:
        raise ExpressionError(f"more than {limits.operations} operations")


def _unreadable(text: str, column: int) -> str:
    if re.search(r"\d,\d", text):
        return f"'{text.strip()}' is not a number; decimals use a point: {re.sub(r'(?<=[0-9]),(?=[0-9])', '.', text.strip())}"
    return f"cannot read '{text[column - 1]}' here; write numbers, + - * / ^, {', '.join(FUNCTIONS[:-1])}, pi"


class _Builder:
    """From lark's tree to display expressions, with each value checked as soon as it is known."""

    def __init__(self, names: dict[str, Cell], limits: Limits) -> None:
        self.names = names
        self.limits = limits

    def build(self, tree: Any) -> Expression:
        return self._visit(tree)[0]

    def _visit(self, node: Any) -> tuple[Expression, Cell]:
        column = getattr(getattr(node, "meta", None), "column", 1)
        if node.data == "item":
            raise ExpressionError("a number is expected here, not a part of a matrix", column=column)
        if node.data in ("number", "name", "call", "multiple_root"):
            return getattr(self, f"_{node.data}")(node, column)  # type: ignore[no-any-return]
        parts = [self._visit(child) for child in node.children]
        return self._combined(node.data, parts, column)

    def _combined(self, kind: str, parts: list[tuple[Expression, Cell]], column: int) -> tuple[Expression, Cell]:
        (a, x), (b, y) = parts[0], parts[-1]
        minus = Num(Rational(-1))
        if kind == "plus":
            return Sum((a, b)), self._checked(add(x, y), column)
        if kind == "minus":
            return Sum((a, negated(b))), self._checked(add(x, multiply(minus.cell, y)), column)
        if kind == "times":
            return Product((a, b)), self._checked(multiply(x, y), column)
        if kind == "over":
            return Quotient(a, b), self._checked(self._defined(lambda: divide(x, y), column), column)
        if kind == "negative":
            return negated(a), multiply(minus.cell, x)
        if kind == "root":
            return Apply("sqrt", a), self._function("sqrt", x, column)
        return self._raised(parts, column)

    def _number(self, node: Any, column: int) -> tuple[Expression, Cell]:
        token = str(node.children[0])
        match = PLAIN.fullmatch(token)
        if match is None:
            raise ExpressionError(f"the exponent of '{token}' is too large; write at most 3 digits after e", column=column)
        cell = Rational(_plain_value(match, self.limits))
        return Num(cell, token), cell

    def _name(self, node: Any, column: int) -> tuple[Expression, Cell]:
        name = str(node.children[0])
        if name in self.names:
            return Symbol(name, self.names[name]), self.names[name]
        if name == "pi":
            return Symbol("pi", pi()), pi()
        if name == "e":
            return Apply("exp", Num(Rational(1))), apply("exp", Rational(1))
        raise ExpressionError(self._unknown(name), column=column)

    def _unknown(self, name: str) -> str:
        joined = re.fullmatch(rf"({'|'.join(FUNCTIONS)})(\w+)", name)
        if joined:
            return f"'{name}' reads as one name; did you mean {joined[1]}({joined[2]})?"
        known = [*self.names, *FUNCTIONS, "pi"]
        close = get_close_matches(name, known, n=1)
        if close:
            return f"'{name}' is not something I can read; did you mean '{close[0]}'?"
        may = f" and {', '.join(self.names)}" if self.names else ""
        return f"'{name}' is not something I can read; write numbers, + - * / ^, {', '.join(FUNCTIONS[:-1])}, pi{may}"

    def _call(self, node: Any, column: int) -> tuple[Expression, Cell]:
        name = ALIASES.get(str(node.children[0]), str(node.children[0]))
        argument, cell = self._visit(node.children[1])
        if name not in FUNCTIONS:
            close = get_close_matches(name, FUNCTIONS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"the functions are {', '.join(FUNCTIONS)}"
            raise ExpressionError(f"there is no function '{name}'; {hint}", column=column)
        return Apply(name, argument), self._function(name, cell, column)

    def _multiple_root(self, node: Any, column: int) -> tuple[Expression, Cell]:
        factor = Num(Rational(Fraction(str(node.children[0]))), str(node.children[0]))
        argument, cell = self._visit(node.children[1])
        value = multiply(factor.cell, self._function("sqrt", cell, column))
        return Product((factor, Apply("sqrt", argument))), self._checked(value, column)

    def _raised(self, parts: list[tuple[Expression, Cell]], column: int) -> tuple[Expression, Cell]:
        (base, x), (shown, y) = parts
        if _is_e(base):
            return Apply("exp", shown), self._function("exp", y, column)
        exponent = y.rational()
        if exponent == Fraction(1, 2):
            return Apply("sqrt", base), self._function("sqrt", x, column)
        most = self.limits.exponent
        if exponent is None or exponent.denominator != 1 or abs(exponent) > most:
            told = exponent if exponent is not None and exponent.numerator.bit_length() < 64 else "that"
            raise ExpressionError(f"the power ^{told} is not allowed; exponents are whole numbers from -{most} to {most}, or 1/2", column=column)
        value = x.rational()
        bits = max(value.numerator.bit_length(), value.denominator.bit_length()) if value is not None else 8 * _terms(x)
        if bits * abs(exponent.numerator) > self.limits.bits:
            raise ExpressionError(f"the power ^{exponent} is too large; the limit is {self.limits.bits} bits", column=column)
        result = self._defined(lambda: power(x, exponent.numerator), column)
        return Power(base, exponent.numerator), self._checked(result, column)

    def _function(self, name: str, cell: Cell, column: int) -> Cell:
        value = cell.rational()
        if name in ("sqrt", "ln") and value is not None:
            if max(value.numerator.bit_length(), value.denominator.bit_length()) > self.limits.root_bits:
                raise ExpressionError(f"the number under {name} is too large; the limit is {self.limits.root_bits} bits", column=column)
        elif name not in ("sqrt", "ln") and not abs(cell.ball(64)) < EXPONENT_MAGNITUDE:
            raise ExpressionError(f"the number in {name}(…) is too large; the limit is {EXPONENT_MAGNITUDE}", column=column)
        return self._checked(self._defined(lambda: apply(name, cell), column), column)

    def _defined(self, compute: Any, column: int) -> Cell:
        try:
            return compute()  # type: ignore[no-any-return]
        except UndefinedStep as error:
            raise ExpressionError(str(error), column=column) from None

    def _checked(self, cell: Cell, column: int) -> Cell:
        if isinstance(cell, Rational):
            try:
                check_size(cell.value, self.limits)
            except ExpressionError as error:
                raise ExpressionError(str(error), column=column) from None
        elif _terms(cell) > self.limits.operations:
            raise ExpressionError(f"more than {self.limits.operations} terms", column=column)
        return cell


def negated(tree: Expression) -> Expression:
    """-tree, with the sign taken into a plain number."""
    if isinstance(tree, Num) and isinstance(tree.cell, Rational):
        return Num(Rational(-tree.cell.value), f"-{tree.typed}" if tree.typed else None)
    return Product((Num(Rational(-1)), tree))


def _is_e(tree: Expression) -> bool:
    return isinstance(tree, Apply) and tree.function == "exp" and isinstance(tree.argument, Num) and tree.argument.typed is None


def _terms(cell: Cell) -> int:
    if isinstance(cell, Closed):
        return sum(len(n.terms) + len(d.terms) for n, d in cell.quotients)
    return int(cell.sympy().count_ops())
