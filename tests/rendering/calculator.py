"""A reader with a calculator: printed maths evaluated from its markup alone, with mpmath and 60 digits."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import mpmath

DIGITS = 60
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = DIGITS
FURTHER_APART = re.compile(r"\\\\\[\d+pt\]")  # rows of fractions, with room between them
TOKEN = re.compile(r"\\begin\{bmatrix\}|\\end\{bmatrix\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S")
SPACES = {r"\left", r"\right", r"\,", r"\;", r"\ ", r"\quad", r"\qquad"}
# Every number as it stands, or every decimal as all numbers that round to it.
INTERVALS = mpmath.iv
INTERVALS.dps = DIGITS


class Numbers(NamedTuple):
    """What a calculator computes with."""

    context: Any
    rounded: bool  # whether a decimal stands for all numbers that round to it

    def read(self, token: str) -> Any:
        """A number as typed."""
        if not self.rounded or "." not in token:
            return self.context.mpf(token)
        unit = CONTEXT.mpf(10) ** -len(token.partition(".")[2])
        near = CONTEXT.mpf(token)
        return self.context.mpf([near - unit / 2, near + unit / 2])

    def function(self, name: str, x: Any) -> Any:
        """A function by its name in LaTeX."""
        if name == "tanh":
            twice = self.context.exp(2 * x)
            return 1 - 2 / (twice + 1)
        if name == "gelu":
            return x * (1 + self.function("erf", x / self.context.sqrt(2))) / 2
        if name == "erf" and self.rounded:
            return self.context.mpf([CONTEXT.erf(x.a), CONTEXT.erf(x.b)])  # it grows
        return getattr(self.context, NAMES.get(name, name))(x)

    def larger(self, a: Any, b: Any) -> Any:
        """max(a, b)."""
        if not self.rounded:
            return max(a, b)
        a, b = self.context.mpf(a), self.context.mpf(b)
        return self.context.mpf([max(a.a, b.a), max(a.b, b.b)])


EXACTLY, ROUNDED = Numbers(CONTEXT, False), Numbers(INTERVALS, True)
NAMES = {"ln": "log"}
FUNCTIONS = {rf"\{name}": name for name in ("ln", "tanh", "sin", "cos", "exp")}
OPERATORS = {"GELU": "gelu", "erf": "erf"}

# Stands in the index of a symbol that names a block of a large matrix.
BLOCK = r" \ldots "

Grid = tuple[tuple[mpmath.mpf, ...], ...]


class NotNumeric(Exception):
    """The maths has symbols in it, or dots for what was left out."""


class Equation(NamedTuple):
    """left rel₁ stage₁ rel₂ stage₂ …"""

    left: str
    stages: tuple[tuple[str, str], ...]


def value(source: str, numbers: Numbers = EXACTLY) -> Grid:
    """What a piece of maths is worth: a number is a 1 × 1 grid."""
    reader = _Reader(TOKEN.findall(source), numbers)
    found = reader.sum()
    if reader.place < len(reader.tokens):
        raise NotNumeric(source)
    return found


def is_numeric(source: str) -> bool:
    """Whether maths can be worked out with a calculator."""
    try:
        value(source)
    except NotNumeric:
        return False
    return True


class _Reader:
    """Recursive descent over the tokens of maths markup."""

    def __init__(self, tokens: Sequence[str], numbers: Numbers) -> None:
        self.tokens = [token for token in tokens if token not in SPACES]
        self.place = 0
        self.numbers = numbers

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise NotNumeric(f"{token!r} where {wanted!r} was expected")
        self.place += 1
        return token

    def sum(self) -> Grid:
        total = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            total = _add(total, _scale(self.product(), sign))
        return total

    def product(self) -> Grid:
        if self.peek() == "-":
            self.take()
            return _scale(self.product(), -1)
        total = self.power()
        while self.peek() not in ("", "+", "-", "}", ")", ",", "&", r"\\", r"\end{bmatrix}"):
            if self.peek() == "/":
                self.take()
                total = _scale(total, 1 / _number(self.power()))
            else:
                if self.peek() in (r"\cdot", r"\times"):
                    self.take()
                total = _times(total, self.power())
        return total

    def power(self) -> Grid:
        base = self.atom()
        if self.peek() == "^":
            self.take()
            return _grid(_number(base) ** _number(self.group()))
        return base

    def group(self) -> Grid:
        self.take("{")
        inside = self.sum()
        self.take("}")
        return inside

    def atom(self) -> Grid:
        token = self.take()
        if re.fullmatch(r"\d+(?:\.\d+)?", token):
            return _grid(self.numbers.read(token))
        if token == "e" and self.peek() not in ("_", "'"):  # e_1 would be somebody's vector
            return _grid(+self.numbers.context.e)
        if token == r"\infty":
            return _grid(CONTEXT.inf)
        if token == r"\pi":
            return _grid(+self.numbers.context.pi)
        if token in (r"\frac", r"\tfrac", r"\dfrac"):
            top, bottom = self.group(), self.group()
            return _scale(top, 1 / _number(bottom))
        if token == r"\sqrt":
            return _grid(self.numbers.context.sqrt(_number(self.group())))
        if token in FUNCTIONS:
            return _grid(self.numbers.function(FUNCTIONS[token], _number(self.atom())))
        if token == r"\operatorname":
            return _grid(self.numbers.function(self.operator(), _number(self.atom())))
        if token == r"\max":
            self.take("(")
            first = _number(self.sum())
            self.take(",")
            second = _number(self.sum())
            self.take(")")
            return _grid(self.numbers.larger(first, second))
        if token in ("(", "{"):
            inside = self.sum()
            self.take(")" if token == "(" else "}")
            return inside
        if token == r"\begin{bmatrix}":
            return self.matrix()
        raise NotNumeric(token)

    def operator(self) -> str:
        self.take("{")
        name = ""
        while self.peek() != "}":
            name += self.take()
        self.take("}")
        if name not in OPERATORS:
            raise NotNumeric(name)
        return OPERATORS[name]

    def matrix(self) -> Grid:
        rows = [[_number(self.sum())]]
        while self.peek() in ("&", r"\\"):
            if self.take() == "&":
                rows[-1].append(_number(self.sum()))
            else:
                rows.append([_number(self.sum())])
        self.take(r"\end{bmatrix}")
        assert 1 == len({len(row) for row in rows}), "a matrix with a ragged edge"
        return tuple(map(tuple, rows))


def _grid(number: mpmath.mpf) -> Grid:
    return ((number,),)


def _number(grid: Grid) -> mpmath.mpf:
    if (1, 1) != (len(grid), len(grid[0])):
        raise NotNumeric("a matrix where a number was expected")
    return grid[0][0]


def _scale(grid: Grid, factor: mpmath.mpf) -> Grid:
    return tuple(tuple(factor * x for x in row) for row in grid)


def _add(a: Grid, b: Grid) -> Grid:
    if len(b) == 1 < len(a):  # a bias is added to every row
        b = b * len(a)
    elif len(b[0]) == 1 < len(a[0]) and len(b) == len(a):  # or to every column
        b = tuple(row * len(a[0]) for row in b)
    return tuple(tuple(x + y for x, y in zip(p, q, strict=True)) for p, q in zip(a, b, strict=True))


def _times(a: Grid, b: Grid) -> Grid:
    if (1, 1) == (len(a), len(a[0])):
        return _scale(b, a[0][0])
    columns = list(zip(*b, strict=True))
    return tuple(
        tuple(CONTEXT.fsum(x * y for x, y in zip(row, column, strict=True)) for column in columns)
        for row in a
    )


# -- what stands between the relations ------------------------------------------------------------


def top_level(source: str) -> Iterator[tuple[int, str]]:
    """(place, token) of everything outside braces, brackets and environments."""
    depth = 0
    for match in re.finditer(r"\\(?:begin|end)\{\w+\}|\\[A-Za-z]+|\\.|.", source, re.DOTALL):
        token = match[0]
        depth -= token in ("}", ")") or token.startswith(r"\end{")
        if depth == 0:
            yield match.start(), token
        depth += token in ("{", "(") or token.startswith(r"\begin{")


def split_at(source: str, separators: Sequence[str]) -> list[tuple[str, str]]:
    """(separator before it, piece) for a text split at tokens outside all brackets; the first has none."""
    pieces, start, before = [], 0, ""
    for place, token in top_level(source):
        if token in separators:
            pieces.append((before, source[start:place].strip()))
            start, before = place + len(token), token
    return [*pieces, (before, source[start:].strip())]


def equations(display: str) -> list[Equation]:
    r"""The equations of a displayed formula: lines of `aligned`, several in a line after `, \quad`."""
    found = []
    for chain in _chains(FURTHER_APART.sub(r"\\\\", display)):
        for _, text in split_at(chain, (r"\quad", r"\qquad")):
            (_, left), *stages = split_at(text.rstrip(","), ("=", r"\approx"))
            found.append(Equation(left, tuple(stages)))
    return found


def _chains(display: str) -> Iterator[str]:
    """One text for each left-hand side of an aligned block."""
    block = re.fullmatch(r"\s*\\begin\{aligned\}(.*)\\end\{aligned\}\s*", display, re.DOTALL)
    if not block:
        yield display
        return
    chain = ""
    for _, row in split_at(block[1], (r"\\",)):
        (_, left), *right = split_at(row, ("&",))
        rest = re.sub(r"^\s*\\quad(?=\s*[-+])", "", " ".join(text for _, text in right))  # a sum that goes on
        if left and chain:
            yield chain
            chain = ""
        chain = f"{chain} {left} {rest}"
    yield chain


# -- what is true -----------------------------------------------------------------------------------


def assert_equal(expected: Grid, actual: Grid, where: str) -> None:
    """Two grids agree to 40 digits."""
    assert (len(expected), len(expected[0])) == (len(actual), len(actual[0])), f"{where}: sizes differ"
    for i, j in product(range(len(expected)), range(len(expected[0]))):
        a, b = expected[i][j], actual[i][j]
        assert a == b or abs(a - b) <= CONTEXT.mpf(10) ** -40 * max(1, abs(a)), (
            f"{where}: = {b} is printed for {a}"
        )


def assert_rounded(expected: Grid, source: str, where: str, *, units: str = "0.5") -> None:
    """Every printed decimal is the nearest one: at most half a unit of its own last place away."""
    printed = decimals(source)
    assert (len(expected), len(expected[0])) == (len(printed), len(printed[0])), f"{where}: sizes differ"
    for i, j in product(range(len(expected)), range(len(expected[0]))):
        number, unit = printed[i][j]
        allowed = unit * (CONTEXT.mpf(units) + CONTEXT.mpf(10) ** -30)
        near = expected[i][j] == number or abs(expected[i][j] - number) <= allowed
        assert near, f"{where}: ≈ {number} is printed for {expected[i][j]}"


def is_worked(source: str) -> bool:
    """Whether rounded numbers are put in where something is still to be worked out."""
    try:
        decimals(source)
    except NotNumeric:
        return True
    return False


def assert_inside(expected: Grid, found: Grid, where: str) -> None:
    """A number lies where it must lie if every decimal that is put in is rightly rounded."""
    known, range_of = _number(expected), _number(found)
    low, high = CONTEXT.mpf(range_of.a.a), CONTEXT.mpf(range_of.b.b)
    assert low <= known <= high, f"{where}: {known} is not from {low} to {high}"


def decimals(source: str) -> list[list[tuple[mpmath.mpf, mpmath.mpf]]]:
    """Printed decimals, each with the worth of a unit in its last place."""
    inside = re.fullmatch(r"\\begin\{bmatrix\}(.*)\\end\{bmatrix\}", source.strip())
    vector = re.fullmatch(r"\((.*)\)", source.strip())
    if inside:
        rows = [[cell for _, cell in split_at(row, ("&",))] for _, row in split_at(inside[1], (r"\\",))]
    else:
        rows = [re.split(r",\\ ", vector[1])] if vector else [[source]]
    return [[_decimal(cell) for cell in row] for row in rows]


def _decimal(cell: str) -> tuple[mpmath.mpf, mpmath.mpf]:
    if cell.strip() == r"-\infty":
        return CONTEXT.ninf, CONTEXT.one
    match = re.fullmatch(r"(-?\d+(?:\.(\d+))?)(?: \\cdot 10\^\{(-?\d+)\})?", cell.strip())
    if match is None:
        raise NotNumeric(cell)
    scale = CONTEXT.mpf(10) ** int(match[3] or 0)
    return CONTEXT.mpf(match[1]) * scale, CONTEXT.mpf(10) ** -len(match[2] or "") * scale


def assert_true(equation: Equation, *, known: Grid | None = None, units: str = "0.5") -> int:
    """Every stage that can be worked out agrees with those before it; how many did."""
    where = f"{equation.left} {' '.join(map(' '.join, equation.stages))}"
    checked, rounded = 0, False
    for relation, text in equation.stages:
        try:
            found = value(text) if relation == "=" else None
            if relation == "=":
                assert not rounded, f"{where}: = after ≈"
            rounded |= relation != "="
            if known is None:
                known = found
                continue
            if found is not None:
                assert_equal(known, found, where)
            elif is_worked(text):
                assert_inside(known, value(text, ROUNDED), where)
            else:
                assert_rounded(known, text, where, units=units)
            checked += 1
        except NotNumeric:
            continue
    return checked
