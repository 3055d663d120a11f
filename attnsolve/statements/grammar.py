"""The grammar of formulas: from tokens to trees, with caps on length and depth; nothing is ever run."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NoReturn, TypeGuard

from attnsolve.errors import ExpressionError
from attnsolve.limits import LIMITS, Limits
from attnsolve.statements.tokens import Kind, Token, tokens
from attnsolve.statements.tree import (
    ONE,
    PARTIAL,
    TWO,
    Call,
    Function,
    Limit,
    Name,
    Number,
    Order,
    Power,
    Product,
    Quotient,
    Sum,
    Summation,
    Tree,
    derivative,
    differential,
    negative,
    square_root,
)

FUNCTIONS = {"exp": Function.EXP, "ln": Function.LN, "sqrt": Function.SQRT}
SIGMOIDS = ("sigma", "sigmoid")
FRACTIONS = ("frac", "tfrac", "dfrac")
DIGITS = 40  # of one number
MOST_SUMS = 4  # inside one another: each is taken apart by which indices are equal


def formula(text: str, known: Collection[str], *, limits: Limits = LIMITS) -> Tree:
    """The tree of a formula in which these names are known."""
    parser = Parser(text, known, limits)
    tree = parser.sum()
    parser.expect_end()
    return tree


def is_length(tree: Tree) -> TypeGuard[Call]:
    """Whether a formula is |x|, the root of x·x."""
    match tree:
        case Call(Function.SQRT, Product((one, other))):
            return one is other
    return False


def multiplied(factors: list[Tree]) -> Tree:
    """The product of some factors; ∂/∂t before others is their derivative."""
    match factors:
        case [one]:
            return one
        case [Quotient(above, Product((partial, variable))), *rest] if above == partial == PARTIAL:
            return derivative(multiplied(rest), variable)
    return Product(tuple(factors))


def check_length(text: str, limits: Limits) -> None:
    """Complain about a text that is longer than anybody writes, before anything is looked for in it."""
    if len(text) > limits.characters:
        raise ExpressionError(f"this is {len(text)} characters long; the limit is {limits.characters}")


class Parser:
    """Reads one text from left to right; every complaint has its column."""

    def __init__(self, text: str, known: Collection[str], limits: Limits) -> None:
        check_length(text, limits)
        self.tokens = tokens(text, known)
        self.known, self.limits = known, limits
        self.place = self.depth = self.nested = self.sums = 0

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """The next token, which is read now."""
        token = self.next
        self.place += token.kind is not Kind.END
        return token

    def taken(self, *texts: str) -> bool:
        """Whether the next token was one of these signs, or words, and is read now."""
        found = self.next.kind in (Kind.SIGN, Kind.WORD) and self.next.text in texts
        self.place += found
        return found

    def expect(self, text: str) -> None:
        """Read a sign, or complain."""
        if not self.taken(text):
            self.fail(f"'{text}' is expected here")

    def expect_end(self) -> None:
        """Complain about anything that is left."""
        if self.next.kind is not Kind.END:
            self.fail(f"'{self.next.text}' was not expected here")

    def fail(self, said: str) -> NoReturn:
        """A complaint about the next token."""
        raise ExpressionError(said, column=self.next.column)

    def deeper(self) -> None:
        """Go one formula further in: what is too deep for whoever reads it is refused."""
        self.nested += 1
        if self.nested > 2 * self.limits.brackets:
            self.fail(f"more than {2 * self.limits.brackets} formulas inside one another")

    def sum(self) -> Tree:
        """a + b - c."""
        self.depth += 1
        if self.depth > self.limits.brackets:
            self.fail(f"more than {self.limits.brackets} brackets inside one another")
        terms = [self.product()]
        while self.next.kind is Kind.SIGN and self.next.text in "+-":
            sign = self.take().text
            term = self.product()
            terms.append(negative(term) if sign == "-" else term)
        self.depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def product(self) -> Tree:
        """a * b / c, where the sign of a product may be left out."""
        before = self.nested
        if self.taken("-"):
            self.deeper()
            turned = self.product()
            self.nested = before
            return negative(turned)
        self.taken("+")
        factors = [self.power()]
        while True:
            if self.taken("*"):
                factors.append(self.power())
            elif self.taken("/"):
                self.deeper()
                below = self.power()
                factors = [Quotient(factors[0] if len(factors) == 1 else Product(tuple(factors)), below)]
            elif self.starts_atom():
                factors.append(self.power())
            else:
                self.nested = before
                return multiplied(factors)

    def starts_atom(self) -> bool:
        """Whether another factor follows without a sign."""
        token = self.next
        if token.kind is Kind.WORD:
            return token.text in ("sum", "lim")
        if token.kind is Kind.SIGN and token.text in "({":
            return not self.has_relation()
        return token.kind in (Kind.NUMBER, Kind.NAME) or (token.kind is Kind.SIGN and token.text == "⟨")

    def has_relation(self) -> bool:
        """Whether a relation stands in the bracket that opens here: then it is a condition, as (i ≠ a, b)."""
        depth = 0
        for token in self.tokens[self.place :]:
            if token.kind is Kind.SIGN:
                depth += (token.text in "({") - (token.text in ")}")
            if not depth:
                return False
            if token.kind is Kind.RELATION:
                return True
        return False

    def power(self) -> Tree:
        """a^b; a raised T is a transpose, which a dot product does without."""
        before, base = self.nested, self.atom()
        while self.taken("^", "'"):
            self.deeper()
            if self.tokens[self.place - 1].text == "'" or self.is_transpose():
                continue
            exponent = self.script()
            if is_length(base) and exponent == TWO:
                base = base.argument
                continue
            is_base_e = base == Name("e") and "e" not in self.known
            base = Call(Function.EXP, exponent) if is_base_e else Power(base, exponent)
        self.nested = before
        return base

    def is_transpose(self) -> bool:
        """Whether `T` or `{T}` comes next; it is read then."""
        ahead = [token.text for token in self.tokens[self.place : self.place + 3]]
        length = 1 if ahead[:1] == ["T"] else 3 if ahead == ["{", "T", "}"] else 0
        self.place += length
        return bool(length)

    def script(self) -> Tree:
        """What is raised: a brace, or one atom with its sign."""
        if self.taken("{"):
            inside = self.sum()
            self.expect("}")
            return inside
        return negative(self.atom()) if self.taken("-") else self.atom()

    def atom(self) -> Tree:
        """A number, a name with its index, a bracket, a function, a fraction, a sum over an index."""
        self.deeper()
        found = self.begun()
        self.nested -= 1
        return found

    def begun(self) -> Tree:
        """What begins with the next token."""
        token = self.take()
        if token.kind is Kind.NUMBER:
            if len(token.text) > DIGITS:
                raise ExpressionError(f"a number of more than {DIGITS} digits", column=token.column)
            return Number(Fraction(token.text))
        if token.kind is Kind.WORD and token.text == "sum":
            return self.summation()
        if token.kind is Kind.WORD and token.text == "lim":
            return self.limit()
        if token.kind is Kind.SIGN and token.text in "({":
            inside = self.sum()
            self.expect(")" if token.text == "(" else "}")
            return inside
        if token.kind is Kind.SIGN and token.text == "|":
            inside = self.sum()
            self.expect("|")
            return square_root(Product((inside, inside)))
        if token.kind is Kind.SIGN and token.text == "⟨":
            left = self.sum()
            self.expect(",")
            right = self.sum()
            self.expect("⟩")
            return Product((left, right))
        if token.kind is Kind.NAME:
            return self.named(token)
        self.place -= token.kind is not Kind.END
        self.fail(f"a number, a name or a bracket is expected here, not '{token.text or 'the end'}'")

    def named(self, token: Token) -> Tree:
        """What begins with a name."""
        name = token.text
        if name in FRACTIONS:
            return Quotient(self.argument(), self.argument())
        if name in FUNCTIONS and name not in self.known:
            return Call(FUNCTIONS[name], self.argument())
        if name == "E" and name not in self.known:
            return Call(Function.EXPECTATION, self.argument())
        if name == "O" and name not in self.known:
            return Order(self.argument())
        if name in SIGMOIDS and name not in self.known:
            return Quotient(ONE, Sum((ONE, Call(Function.EXP, negative(self.argument())))))
        if name == PARTIAL.name and name not in self.known:
            return differential(self.power()) if self.starts_atom() else PARTIAL
        index: tuple[str, ...] = ()
        head: tuple[str, ...] = ()
        while True:
            if self.taken("_"):
                index = self.index()
            elif self.is_head():
                self.place += 1
                head = self.index()
            else:
                break
        if name not in self.known and name not in ("e", "oo"):
            hint = ", ".join(sorted(self.known))
            raise ExpressionError(f"nothing here is called '{name}'; there are {hint}", column=token.column)
        return Name(name, (*head, *index))

    def is_head(self) -> bool:
        """Whether `^{(1)}` or `^(1)` comes next: the number of a head, not a power."""
        ahead = "".join(token.text for token in self.tokens[self.place : self.place + 6])
        return ahead.startswith(("^{(", "^(")) and ahead.lstrip("^{(")[:1].isdigit() and ")" in ahead[:5]

    def index(self) -> tuple[str, ...]:
        """`a`, `{1,a}`, `{1a}` or `{(1)}`."""
        if not (self.next.kind is Kind.SIGN and self.next.text in "{("):
            token = self.take()
            if token.kind not in (Kind.NAME, Kind.NUMBER, Kind.WORD):
                self.fail("an index is expected here, such as _a or _1")
            return (token.text,)
        opened, found = 0, []
        while True:
            token = self.take()
            if token.text in "{(" and token.kind is Kind.SIGN:
                opened += 1
            elif token.text in "})" and token.kind is Kind.SIGN:
                opened -= 1
            elif token.kind in (Kind.NAME, Kind.NUMBER):
                found.append(token.text)
            elif token.text != ",":
                self.fail("an index ends with }")
            if not opened:
                return tuple(found)

    def argument(self) -> Tree:
        """What a function is called with: a bracket, a brace, or one atom."""
        if self.next.kind is Kind.NUMBER and len(self.next.text) > 1 and self.next.text.isdigit():
            token = self.next  # \frac12
            self.tokens[self.place : self.place + 1] = [
                Token(Kind.NUMBER, digit, token.column) for digit in token.text
            ]
        return self.atom()

    def summation(self) -> Tree:
        """sum_i …, sum_{i != a, b} …, sum_{j=1}^m …: over the whole family, but for some."""
        self.expect("_")
        index, excluded = self.bound_index()
        if self.taken("^"):
            self.script()
        self.sums += 1
        if self.sums > MOST_SUMS:
            self.fail(f"more than {MOST_SUMS} sums inside one another")
        body = self.product()
        self.sums -= 1
        return Summation(index, body, excluded)

    def bound_index(self) -> tuple[str, tuple[str, ...]]:
        """The index that a sum runs over, and what it leaves out."""
        braced = self.taken("{", "(")
        index = self.take().text
        excluded: list[str] = []
        while braced and not self.taken("}", ")"):
            token = self.take()
            if token.kind is Kind.END:
                self.fail("the index of a sum ends with }")
            if token.text == "≠":
                while self.next.kind in (Kind.NAME, Kind.NUMBER) or self.next.text == ",":
                    excluded += [name] if (name := self.take().text) != "," else []
        return index, tuple(excluded)

    def limit(self) -> Tree:
        """lim_{c → ∞} …, or lim c->oo …."""
        braced = self.taken("_") and self.taken("{", "(")
        variable = self.atom()
        if not isinstance(variable, Name) or self.take().text != "→":
            self.fail("a limit begins with lim_{c -> oo}")
        goal = self.atom()
        if braced:
            self.taken("}", ")")
        if goal not in (Name("oo"), Number(Fraction(0))):
            self.fail("limits are taken at 0 or at infinity")
        return Limit(variable, goal == Name("oo"), self.sum())
