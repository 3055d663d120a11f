"""Half precision: every number as float16 keeps it, with 11 significant bits; and what it cannot hold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.cells import subtract
from attnsolve.exact.half_precision import BITS_BEHIND, magnitude, nearest, overflows
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.languages import message
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role, UndefinedRow
from attnsolve.ops.writing import closing
from attnsolve.working import Line, Num, Power, Product, equals

TOO_LARGE = "query {row}: a number of 65520 or more is ∞ in half precision; take the maximum off first"
TWO = Num(Rational(2))


def as_it_is(X: Frame) -> Frame:
    """The same size."""
    return X


def for_free(X: Matrix) -> Matrix:
    """Rounding is not counted."""
    return X


def kept(X: Matrix, mode: str) -> Matrix:
    """Every number as float16 keeps it; -∞ is one of its numbers."""
    base, seen, rows = shown(X), visible(X), []
    for i in range(X.shape[0]):
        row = [base.cell(i, j) for j in range(X.shape[1])]
        if any(overflows(cell) for cell, yes in zip(row, seen.rows[i], strict=True) if yes):
            raise UndefinedRow(TOO_LARGE, i)
        found = [
            nearest(cell, mode=mode) if yes else (0, 1) for cell, yes in zip(row, seen.rows[i], strict=True)
        ]
        rows.append([Fraction(digits * step) for digits, step in found])
    return Masked.of(Rationals.of(rows), seen)


def rule(X: Matrix) -> Matrix:
    """The nearest number of half precision, of two equally near ones the even one."""
    return kept(X, "half_even")


def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """A whole number of at most 11 bits times a power of 2."""
    made = []
    for i, j, result in value.cells():
        if not isinstance(result, Rational) or not result.value:
            made.append(Line(i, j, closing(result)))
            continue
        digits, step = nearest(shown(X).cell(i, j))
        exponent = step.numerator.bit_length() - step.denominator.bit_length()
        scaled = Product((Num(Rational(digits)), Power(TWO, exponent)))
        made.append(Line(i, j, (equals(scaled), *closing(result))))
    return tuple(made)


def twin(X: Any) -> Any:
    """torch's own float16."""
    import torch

    return X.to(torch.float16).to(X.dtype)


def cut_off(X: Matrix) -> Matrix:
    """The next number towards 0."""
    return kept(X, "truncate")


def fixed_point(X: Matrix) -> Matrix:
    """Ten bits behind the point, however large the number is."""
    steps = 2**BITS_BEHIND
    rounded = shown(X).scaled(Rational(steps)).rounded(0)
    return Masked.of(rounded.scaled(Rational(Fraction(1, steps))), visible(X))


HALF = Op(
    name="half",
    title="Rounded to half precision (float16)",
    why=message(
        "A float16 has 11 significant bits: every number is replaced by the nearest one that it can hold."
    ),
    parameters=("X",),
    roles=(Role.ANY,),
    formula=Formula(matrix=r"\operatorname{fl}(${X:laid})"),
    frame=as_it_is,
    rule=rule,
    counting=for_free,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("cut-off", "Take the nearest number, not the next one towards 0.", cut_off),
        Mistake(
            "fixed-point", "It is 11 significant bits that are kept, wherever the point stands.", fixed_point
        ),
    ),
    no_gradient="a rounded number stays as it is while what it is made from changes a little, and jumps",
)


def flagged(X: Matrix) -> Matrix:
    """1 where a number is too large for half precision, 0 elsewhere."""
    rows, columns = map(range, X.shape)
    base, seen = shown(X), visible(X)
    return Rationals(
        [[int(bool(seen.rows[i][j]) and overflows(base.cell(i, j))) for j in columns] for i in rows]
    )


def flagged_twin(X: Any) -> Any:
    """Where torch's float16 is infinite."""
    import torch

    return torch.isposinf(X.to(torch.float16).abs()).to(X.dtype) * X.isfinite()


def as_whole_numbers(X: Matrix) -> Matrix:
    """1 from 2^15 on, as for whole numbers of 16 bits."""
    limit = Rational(2**15)
    rows, columns = map(range, X.shape)
    return Rationals(
        [[int(subtract(magnitude(X.cell(i, j)), limit).sign() >= 0) for j in columns] for i in rows]
    )


OVERFLOW = Op(
    name="overflow",
    title="What overflows in half precision (1: it becomes ∞)",
    parameters=("X",),
    roles=(Role.ANY,),
    formula=Formula(
        matrix=r"[\,|${X:laid}| \ge 65520\,]",
        each=r"${out:ij} = 1 \text{ if } |${X:ij}| \ge 65520, \text{ else } 0",
    ),
    frame=as_it_is,
    rule=flagged,
    counting=for_free,
    twin=flagged_twin,
    mistakes=(
        Mistake(
            "as-whole-numbers",
            "The largest number of half precision is 65504; 32767 is the largest whole number of 16 bits.",
            as_whole_numbers,
        ),
    ),
    no_gradient="it only says whether a number is too large, and nothing of how it changes",
)
