"""The one safe grammar for numbers that people type: fractions, decimals, roots, powers, a few functions.

Nothing here evaluates text as code: a lark grammar builds display expressions bottom-up, every cap
is checked before the arithmetic it guards, and a plain number never loads the grammar at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attnsolve.errors import ExpressionError
from attnsolve.exact.cells import Cell, Rational
from attnsolve.exact.functions import apply
from attnsolve.expressions.plain import PLAIN, normalise, plain_value
from attnsolve.limits import LIMITS, Limits
from attnsolve.reasons import reason
from attnsolve.working import Apply, Expression, Num, Symbol

# What nearly every exercise divides by; it need not wait for the grammar to be built.
ROOT_OF_SIZE = re.compile(r"sqrt\((\w+)\)", re.ASCII)


def number(text: str, *, limits: Limits = LIMITS) -> Cell:
    """The exact number a text stands for: `0.1` is 1/10, `sqrt(12)` is 2·√3."""
    return _built(text, {}, limits)[1]


def expression(text: str, *, names: Mapping[str, Cell] | None = None, limits: Limits = LIMITS) -> Expression:
    """The display expression of a text; `names` are the sizes and indices it may mention."""
    return _built(text, names or {}, limits)[0]


def _built(text: str, names: Mapping[str, Cell], limits: Limits) -> tuple[Expression, Cell]:
    if len(text) > limits.characters:
        said = reason(
            "this is {length} characters long; the limit is {limit}",
            length=len(text),
            limit=limits.characters,
        )
        raise ExpressionError(said)
    normal = normalise(text)
    typed = normal.strip()
    plain = PLAIN.fullmatch(typed)
    if plain:
        cell = Rational(plain_value(plain, limits, normal.index(typed) + 1))
        return Num(cell, typed), cell
    root = ROOT_OF_SIZE.fullmatch(typed)
    if root and root[1] in names:
        size = names[root[1]]
        return Apply("sqrt", Symbol(root[1], size)), apply("sqrt", size)
    # Most exercises never come here, and should not wait for it.
    from attnsolve.expressions.building import Builder
    from attnsolve.expressions.grammar import parse_tree

    return Builder(names, limits).visit(parse_tree(normal, limits))


__all__ = ["PLAIN", "expression", "normalise", "number"]
