"""The kinds of settings that ops have besides matrices: how the text of a file becomes a value of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Rational
from attnsolve.expressions import expression
from attnsolve.ops import Option
from attnsolve.recipes.schemas import CELL, WHOLE, Schema, one_or_more
from attnsolve.records import NamedTuple
from attnsolve.working import Expression, Num, evaluate

if TYPE_CHECKING:  # few problems have letters
    from attnsolve.exact.formulas.letters import Letters

MOST_NUMBERS = 64
SIZES = re.compile(r"\b(?:d|d_k|d_model|n)\b")


class Context(NamedTuple):
    """What a setting may depend on: the sizes that it may mention, and from what the file counts."""

    sizes: Mapping[str, int]
    index_from: int
    letters: Letters | None = None


class OptionKind(NamedTuple):
    """A kind of setting: its value from the text of a file, and the JSON Schema of such texts."""

    read: Callable[[Option, str, Context], Any]
    schema: Callable[[Option], Schema]


def read_number(
    text: str | Expression, sizes: Mapping[str, int], *, zero: bool = False, letters: Letters | None = None
) -> Expression:
    """An expression that may mention sizes such as d_k, or letters; not 0 unless that is allowed."""
    if letters is not None and isinstance(text, str) and letters.occur_in(text):
        from attnsolve.exact.formulas.cells import read_formula

        return Num(read_formula(text, letters, sizes))
    names = {name: Rational(size) for name, size in sizes.items()}
    unknown = SIZES.search(text) if isinstance(text, str) else None
    if unknown and unknown[0] not in sizes:
        raise ExpressionError(
            f"{unknown[0]} is not known here; write its value, such as sqrt(2)", column=unknown.start() + 1
        )
    tree = expression(text, names=names) if isinstance(text, str) else text
    if not zero and evaluate(tree).is_zero():
        raise AttnsolveError("this is 0; a number other than 0 is needed")
    return tree


def _number(option: Option, text: str, context: Context) -> Expression:
    number = read_number(text, context.sizes, zero=option.zero, letters=context.letters)
    if option.positive and evaluate(number).sign() < 0:
        least = "at least 0" if option.zero else "above 0"
        raise AttnsolveError(f"the {option.name} is {text}; it must be {least}")
    return number


def _choice(option: Option, text: str, context: Context) -> str:
    if text not in option.choices:
        raise AttnsolveError(f"'{text}' is not one of {', '.join(option.choices)}")
    return text


def _wholes(text: str, *, several: bool = False) -> list[int]:
    """`2`, `[1, 3]` or `1 3`."""
    numbers = text.strip("[]").replace(",", " ").split()
    digits = all(n.isascii() and n.isdigit() and len(n) < 6 for n in numbers)
    if not digits or not 0 < len(numbers) < 2 + MOST_NUMBERS * several:
        raise AttnsolveError(f"'{text}' is not a whole number{' or a list of them' * several}")
    return [int(n) for n in numbers]


def _rows(option: Option, text: str, context: Context) -> tuple[int, ...]:
    return tuple(n - context.index_from for n in _wholes(text, several=True))


def _side(option: Option, text: str, context: Context) -> int:
    """The first of some columns, counted from 0; or the last, and so the place after it."""
    first = context.index_from
    return _wholes(text)[0] - (first if option.name == "start" else first - 1)


def _whole_numbers(option: Option) -> Schema:
    return one_or_more(WHOLE)


OPTION_KINDS = {
    "number": OptionKind(_number, lambda option: CELL),
    "choice": OptionKind(_choice, lambda option: {"enum": list(option.choices)}),
    "rows": OptionKind(_rows, _whole_numbers),  # counted as the file counts
    "integer": OptionKind(_side, _whole_numbers),
    "count": OptionKind(lambda option, text, context: _wholes(text)[0], _whole_numbers),
    "sizes": OptionKind(lambda option, text, context: tuple(_wholes(text, several=True)), _whole_numbers),
}
