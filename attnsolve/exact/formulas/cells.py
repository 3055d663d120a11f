"""One number with a letter in it, as a cell: it has a formula, and no decimals."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from attnsolve.errors import ExpressionError, Undecided
from attnsolve.exact.base import Cell
from attnsolve.exact.closed import Rational
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.formulas.algebra import Unreadable
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Sign
from attnsolve.exact.formulas.texts import as_text
from attnsolve.exact.infinity import HIDDEN
from attnsolve.limits import LIMITS, Limits
from attnsolve.reasons import reason
from attnsolve.statements.grammar import formula
from attnsolve.statements.tree import (
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    Call,
    Function,
    Number,
    Tree,
    exponential,
    logarithm,
    minus,
    number,
    over,
    product,
    square_root,
    total,
)


class Formula(Cell):
    """A formula in the letters of a problem."""

    has_letters = True
    __slots__ = ("letters", "tree")

    def __init__(self, tree: Tree, letters: Letters) -> None:
        self.tree, self.letters = tree, letters

    def enclosure(self) -> arb:
        self._refuse()

    def is_zero(self) -> bool | None:
        sign = self.letters.sign(self.tree)
        return True if sign is Sign.ZERO else False if sign.is_nonzero else None

    def sign(self) -> int:
        sign = self.letters.sign(self.tree)
        if sign is Sign.ZERO:
            return 0
        if not sign.is_nonzero:
            raise Undecided(reason("the sign of {number} depends on its letters", number=self.text()))
        return 1 if sign is Sign.POSITIVE else -1

    def same(self, other: Cell) -> bool | None:
        if other is HIDDEN:
            return False
        return True if self.letters.same(self.tree, tree_of(other)) else None

    def rational(self) -> Fraction | None:
        return self.tree.value if isinstance(self.tree, Number) else None

    def sympy(self) -> Any:
        self._refuse()

    def text(self) -> str:
        return as_text(self.tree)

    def _refuse(self) -> NoReturn:
        raise Undecided(reason("{number} has letters in it, and so no decimals", number=self.text()))


def tree_of(cell: Cell) -> Tree:
    """Any number that has an exact form, as a formula."""
    if isinstance(cell, Formula):
        return cell.tree
    value = cell.rational()
    if value is not None:
        return number(value)
    try:
        return formula(cell.text(), ())
    except ExpressionError:
        raise Unreadable(reason("{number} cannot stand beside letters", number=cell.text())) from None


def cell_of(tree: Tree, letters: Letters) -> Cell:
    """A formula as a number; without letters it is one of the ordinary kind if it is rational."""
    return Rational(tree.value) if isinstance(tree, Number) else Formula(tree, letters)


def letters_of(*cells: Cell) -> Letters:
    """The letters of the first of some cells that has any."""
    return next(cell.letters for cell in cells if isinstance(cell, Formula))


class Term(NamedTuple):
    """A formula that is calculated with by signs."""

    tree: Tree

    def __add__(self, other: Term) -> Term:  # type: ignore[override]
        return Term(total((self.tree, other.tree)))

    def __mul__(self, other: Term) -> Term:  # type: ignore[override]
        return Term(product((self.tree, other.tree)))

    def __truediv__(self, other: Term) -> Term:
        return Term(over(self.tree, other.tree))


def combined(a: Cell, b: Cell, operation: Callable[[Any, Any], Any]) -> Cell:
    """a + b, a · b or a / b, where that has a value."""
    if a is HIDDEN or b is HIDDEN:
        raise Unreadable(reason("this has no value: a masked score is -∞"))
    letters = letters_of(a, b)
    made = operation(Term(tree_of(a)), Term(tree_of(b)))
    return cell_of(letters.multiplied_out(made.tree), letters)


def applied(function: str, cell: Cell) -> Cell:
    """A function of a formula, where the result is one again."""
    letters, tree = letters_of(cell), tree_of(cell)
    if function == "relu":
        return cell if cell.sign() > 0 else Rational(0)
    if function == "exp":
        made = exponential(tree)
    elif function == "exp2":
        made = exponential(product((tree, Call(Function.LN, TWO))))
    elif function == "sigmoid":
        made = over(ONE, total((ONE, exponential(product((MINUS_ONE, tree))))))
    elif function == "tanh":
        power = exponential(product((TWO, tree)))
        made = over(minus(power, ONE), total((power, ONE)))
    elif function == "sqrt" and cell.sign() >= 0:
        made = square_root(tree)
    elif function == "ln" and cell.sign() > 0:
        made = logarithm(tree)
    else:
        raise Unreadable(reason("{function} of a formula with letters is beyond this", function=function))
    return cell_of(letters.multiplied_out(made) if made != ZERO else made, letters)


def read_formula(
    text: str, letters: Letters, sizes: Mapping[str, int] | None = None, *, limits: Limits = LIMITS
) -> Cell:
    """A typed formula as a number: `2t`, `t/2`, `sqrt(2)*t`, and `sqrt(d_k)/t` where d_k is known."""
    for size, value in (sizes or {}).items():
        text = re.sub(rf"\b{size}\b", f"({value})", text)
    return cell_of(letters.multiplied_out(formula(text, letters.domains, limits=limits)), letters)
