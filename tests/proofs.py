"""Proofs that several test files ask for: a number is the expected one, a line of working does not lie."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy

from attnsolve.exact import Cell, Matrix
from attnsolve.exact.balls import Enclosed
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.precision import precision
from attnsolve.working import Decimal, Line, Num, evaluate

# Kinds of matrix on which equality is decided by a proof.
PROVABLE = ("rational", "surd", "attention")


def assert_is(expected: Any, cell: Cell) -> None:
    """A cell equals a SymPy number: as fractions if SymPy has one, else to 55 digits; or both are -∞."""
    if expected == -sympy.oo:
        assert cell is HIDDEN
        return
    if expected.is_Rational:
        assert isinstance(cell, Enclosed) or Fraction(int(expected.p), int(expected.q)) == cell.rational()
    digits = Fraction(str(sympy.N(expected, 60)))
    with precision(1024):
        ball = cell.enclosure()
        allowed = Fraction(1, 10**55) * max(abs(digits), Fraction(1, 10**55))
        low, high = digits - allowed, digits + allowed
        assert ball * low.denominator >= low.numerator, f"{cell} is less than {expected}"
        assert ball * high.denominator <= high.numerator, f"{cell} is more than {expected}"


def assert_equal(a: Cell, b: Cell, *, provable: bool) -> None:
    """Two numbers are equal: proven, or at least not told apart by 1024 bits."""
    if provable:
        assert a.same(b) is True, f"{a} is not {b}"
    assert a.ball(1024).overlaps(b.ball(1024)), f"{a} is not {b}"


def assert_lines_hold(lines: tuple[Line, ...], value: Matrix, *inputs: Matrix) -> None:
    """Every stage of every line is the cell it belongs to, and no cell is left out."""
    places = [(line.i, line.j) for line in lines]
    assert places in ([], [(i, j) for i, j, _ in value.cells()])
    provable = all(matrix.kind in PROVABLE for matrix in (value, *inputs))
    for line in lines:
        cell = value.cell(line.i, line.j)
        assert line.stages
        for relation, expression, _ in line.stages:
            assert relation in ("=", "≈")
            # Only decimals may be rounded, and decimals may only stand after ≈.
            assert ("≈" == relation) == isinstance(expression, Decimal)
            assert_equal(evaluate(expression), cell, provable=provable)
            # What has no closed form cannot be written out: it stands by its symbol, or as a decimal.
            assert not any(isinstance(number.cell, Enclosed) for number in written_out(expression))


def written_out(expression: Any) -> Iterator[Num]:
    """Every number that stands in an expression with all its digits."""
    if isinstance(expression, Num):
        yield expression
    elif isinstance(expression, tuple):
        for piece in expression:
            yield from written_out(piece)


def floats(thing: Any, path: str = "", *, seen: dict[int, Any] | None = None) -> Iterator[str]:
    """Where floats hide in a record, a map, a tuple or an object with slots; functions are not opened."""
    seen = {} if seen is None else seen  # with the things themselves, so that no id is used twice
    if isinstance(thing, float):
        yield path
    if isinstance(thing, float | str | int | type) or callable(thing) or id(thing) in seen:
        return
    seen[id(thing)] = thing
    for name, inner in contents(thing):
        yield from floats(inner, f"{path}{name}", seen=seen)


def contents(thing: Any) -> Iterator[tuple[str, Any]]:
    """What a thing is made of, each with the way to it."""
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            yield f"[key {key!r}]", key
            yield f"[{key!r}]", value
    elif hasattr(thing, "_fields"):
        yield from ((f".{name}", getattr(thing, name)) for name in thing._fields)
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from ((f"[{i}]", value) for i, value in enumerate(thing))
    else:
        slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        for name in sorted({*slots, *getattr(thing, "__dict__", ())}):
            if hasattr(thing, name):
                yield f".{name}", getattr(thing, name)
