"""The one safe grammar for numbers that people type: fractions, decimals, roots, powers, a few functions.

Nothing here evaluates text as code: a lark grammar builds display expressions bottom-up, every cap
is checked before the arithmetic it guards, and a plain number never loads the grammar at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from attnsolve.errors import ExpressionError, Undecided, UndefinedStep
from attnsolve.exact.cells import UNITY, Cell, Closed, Rational, add, divide, multiply
from attnsolve.exact.functions import NAMES as FUNCTIONS
from attnsolve.exact.functions import apply, pi
from attnsolve.limits import LIMITS, Limits
from attnsolve.working import Apply, Expression, Num, Power, Product, Quotient, Sum, Symbol

GRAMMAR = r"""
?start: sum
?sum: product | sum "+" product -> plus | sum "-" product -> minus
?product: sign | product "*" sign -> times | product "/" sign -> over
?sign: "-" sign -> negative | "+" sign | power
?power: atom | atom _POWER sign -> raised | number rooted -> times
?rooted: root | root _POWER sign -> raised
?atom: number | root
     | NAME -> name
     | NAME "(" sum ")" -> call
     | NAME "[" NUMBER ("," NUMBER)? "]" -> item
     | "(" sum ")"
number: NUMBER
root: "√" atom
_POWER: "^" | "**"
NUMBER: /([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/
NAME: /[A-Za-z_][A-Za-z_0-9]*|π/
%ignore /[ \t]+/
"""

PLAIN = re.compile(r"([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?(?:/(\d+))?", re.ASCII)
# What nearly every exercise divides by; it need not wait for the grammar to be built.
ROOT_OF_SIZE = re.compile(r"sqrt\((\w+)\)", re.ASCII)
SPELLINGS = str.maketrans("−–‐‑×·∙⋅÷⁄∕\u00a0\u2009\u202f", "----****///   ")
ALLOWED = f"write numbers, + - * / ^, {', '.join(FUNCTIONS[:-1])}, pi"
# What may be in exp and sin: larger numbers take long to work out, and nobody wants to see the result.
MAGNITUDE = 1_000_000
# How many products of two terms one text may ask for; a tenth of a second's worth.
PRODUCTS = 10_000

Built = tuple[Expression, Cell]


def number(text: str, *, limits: Limits = LIMITS) -> Cell:
    """The exact number a text stands for: `0.1` is 1/10, `sqrt(12)` is 2·√3."""
    return _built(text, {}, limits)[1]


def expression(text: str, *, names: Mapping[str, Cell] | None = None, limits: Limits = LIMITS) -> Expression:
    """The display expression of a text; `names` are the sizes and indices it may mention."""
    return _built(text, names or {}, limits)[0]


def normalise(text: str) -> str:
    """Other spellings of the same signs, one character for one: `−`, `×`, `·`, fullwidth digits."""
    plain = text.translate(SPELLINGS)
    return "".join(chr(ord(c) - 0xFEE0) if "！" <= c <= "～" else c for c in plain)


def _built(text: str, names: Mapping[str, Cell], limits: Limits) -> Built:
    if len(text) > limits.characters:
        raise ExpressionError(f"this is {len(text)} characters long; the limit is {limits.characters}")
    normal = normalise(text)
    typed = normal.strip()
    plain = PLAIN.fullmatch(typed)
    if plain:
        cell = Rational(_plain_value(plain, limits, normal.index(typed) + 1))
        return Num(cell, typed), cell
    root = ROOT_OF_SIZE.fullmatch(typed)
    if root and root[1] in names:
        size = names[root[1]]
        return Apply("sqrt", Symbol(root[1], size)), apply("sqrt", size)
    return _Builder(names, limits).visit(parse_tree(normal, limits))


def _plain_value(match: re.Match[str], limits: Limits, column: int) -> Fraction:
    """The number that a match of PLAIN, starting at a column, stands for."""
    sign, whole, after, only_after, exponent, below = match.groups()
    places = after or only_after or ""
    value = Fraction(int((whole or "") + places), 10 ** len(places))
    if exponent:
        value *= Fraction(10) ** int(exponent)
    if below:
        if not int(below):
            raise ExpressionError("division by zero", column=column + match.start(6))
        value /= int(below)
    return _check_size(-value if sign == "-" else value, limits, column)


def _check_size(value: Fraction, limits: Limits, column: int) -> Fraction:
    """The value, unless it has more digits than anybody wants to read."""
    if _bits(value) > limits.bits:
        raise ExpressionError(f"this number is too large; the limit is {limits.bits} bits", column=column)
    return value


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


@lru_cache(maxsize=1)
def _parser() -> Any:
    from lark import Lark, Token

    def spelled(token: Token) -> Token:
        return token.update(value="pi") if token == "π" else token

    return Lark(GRAMMAR, parser="lalr", propagate_positions=True, lexer_callbacks={"NAME": spelled})


def parse_tree(text: str, limits: Limits) -> Any:
    """lark's tree of a text, which is all that the grammar says about it."""
    from lark import UnexpectedInput
    from lark.exceptions import UnexpectedEOF, UnexpectedToken

    _check_before_parsing(text, limits)
    try:
        return _parser().parse(text)
    except UnexpectedInput as error:
        ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        if ended or isinstance(error, UnexpectedEOF):
            said = "a number, name or bracket is missing at the end"
            raise ExpressionError(said, column=len(text.rstrip()) + 1) from None
        raise ExpressionError(_unreadable(text, error.column), column=error.column) from None


def _check_before_parsing(text: str, limits: Limits) -> None:
    if text.count("(") > limits.brackets:
        raise ExpressionError(f"more than {limits.brackets} brackets", column=text.index("(") + 1)
    if sum(map(text.count, "+-*/^√(")) > limits.operations:
        raise ExpressionError(f"more than {limits.operations} operations")
    for pattern, complaint in (
        (r"(?:[-+√][ \t]*){17,}", "more than 16 signs in a row"),
        (r"(?:(?:\^|\*\*)[^+*/()^]*){9,}", "more than 8 powers in a row"),
        (r"/\s*[0-9.]+\s*√", "this can be read in two ways; write 1/(2√3) or (1/2)*√3"),
    ):
        found = re.search(pattern, text)
        if found:
            raise ExpressionError(complaint, column=found.start() + 1)


def _unreadable(text: str, column: int) -> str:
    comma = re.search(r"[0-9.]*[0-9],[0-9]+", text)
    if comma:
        return f"'{comma[0]}' is not a number; decimals use a point: {comma[0].replace(',', '.')}"
    if re.search(r"[0-9)]\s*$", text[: column - 1]) and re.match(r"[A-Za-zπ(√]", text[column - 1]):
        return "write * between two factors, such as 2*pi"
    return f"cannot read {text[column - 1]!r} here; {ALLOWED}"


class _Builder:
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
                self._spend(link, _terms(value) * _multiplied_out(y))
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
            raise _fault(node, f"the exponent of '{token}' is too large; write at most 3 digits after e")
        cell = Rational(_plain_value(match, self.limits, node.meta.column))
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
            raise _fault(node, f"'{name}' reads as one name; did you mean {joined[1]}({joined[2]})?")
        may = f"{ALLOWED} and {', '.join(self.names)}" if self.names else ALLOWED
        hint = _meant(name, [*self.names, *FUNCTIONS, "pi"]) or may
        raise _fault(node, f"'{name}' is not something I can read; {hint}")

    def _item(self, node: Any) -> Built:
        raise _fault(node, "a number is expected here, not a part of a matrix")

    def _call(self, node: Any) -> Built:
        name = str(node.children[0])
        function = "ln" if name == "log" else name
        if function not in FUNCTIONS:
            hint = _meant(name, FUNCTIONS) or f"the functions are {', '.join(FUNCTIONS)}"
            raise _fault(node, f"there is no function '{name}'; {hint}")
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
            told = exponent if exponent is not None and _bits(exponent) < 64 else "that"
            allowed = f"exponents are whole numbers from -{most} to {most}, or 1/2"
            raise _fault(node, f"the power ^{told} is not allowed; {allowed}")
        value: Cell = UNITY
        for _ in range(abs(exponent.numerator)):
            value = self._multiplied(node, value, x)
        if exponent < 0:
            value = self._checked(node, divide, UNITY, value)
        return Power(base, exponent.numerator), value

    def _function(self, name: str, argument: Built, node: Any) -> Built:
        shown, cell = argument
        value, most = cell.rational(), self.limits.root_bits
        if name in ("sqrt", "ln") and value is not None and _bits(value) > most:
            raise _fault(node, f"the number under {name} is too large; the limit is {most} bits")
        if name in ("exp", "sin", "cos", "tanh") and not abs(cell.ball(64)) < MAGNITUDE:
            raise _fault(node, f"the number in {name}(…) is too large; the limit is {MAGNITUDE}")
        return Apply(name, shown), self._checked(node, apply, name, cell)

    def _multiplied(self, node: Any, x: Cell, y: Cell) -> Cell:
        self._spend(node, _terms(x) * _terms(y))
        return self._checked(node, multiply, x, y)

    def _spend(self, node: Any, products: int) -> None:
        """Refuse what is too long to multiply out, before it is tried."""
        self.products += products
        if self.products > PRODUCTS:
            raise _fault(node, "this is too long to be multiplied out")

    def _checked(self, node: Any, compute: Callable[..., Cell], *arguments: Any) -> Cell:
        """The result, unless it has no value, cannot be decided or is longer than anybody wants to read."""
        try:
            cell = compute(*arguments)
        except (UndefinedStep, Undecided) as error:
            raise _fault(node, str(error)) from None
        if _terms(cell) > self.limits.operations:
            raise _fault(node, f"more than {self.limits.operations} terms")
        for value in _fractions(cell):
            _check_size(value, self.limits, node.meta.column)
        return cell


# The letter e; e^x is shown as exp is.
E = Apply("exp", Num(UNITY))


def _fault(node: Any, said: str) -> ExpressionError:
    return ExpressionError(said, column=node.meta.column)


def _meant(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # only the misspelt need it

    close = get_close_matches(name, known, n=1)
    return f"did you mean '{close[0]}'?" if close else ""


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


def _terms(cell: Cell) -> int:
    """How long a number is to read: its terms, and each logarithm in them."""
    if isinstance(cell, Closed):
        parts = [part.terms for quotient in cell.quotients for part in quotient]
        return sum(1 + len(logarithms) for terms in parts for _, (_, logarithms) in terms)
    return int(cell.sympy().count_ops())


def _fractions(cell: Cell) -> Iterable[Fraction]:
    """Every fraction that is written in a number."""
    if isinstance(cell, Rational):
        return [cell.value]
    if isinstance(cell, Closed):
        return [c for quotient in cell.quotients for part in quotient for c in part.terms.values()]
    return [Fraction(int(atom.p), int(atom.q)) for atom in cell.sympy().atoms() if atom.is_Rational]


def _multiplied_out(cell: Cell) -> int:
    """How many terms a number has once its denominators are multiplied out."""
    if not isinstance(cell, Closed):
        return 1
    return _terms(cell) * prod(len(d.terms) for _, d in cell.quotients[1:])
