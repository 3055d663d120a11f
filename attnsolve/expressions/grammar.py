"""The grammar of numbers that people type, and what is said when a text is not in it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from attnsolve.errors import ExpressionError
from attnsolve.exact.functions import NAMES as FUNCTIONS
from attnsolve.limits import Limits
from attnsolve.reasons import Reason, reason

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

ALLOWED = reason("write numbers, + - * / ^, {functions}, pi", functions=", ".join(FUNCTIONS[:-1]))


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
            said = reason("a number, name or bracket is missing at the end")
            raise ExpressionError(said, column=len(text.rstrip()) + 1) from None
        raise ExpressionError(_unreadable(text, error.column), column=error.column) from None


def _check_before_parsing(text: str, limits: Limits) -> None:
    if text.count("(") > limits.brackets:
        said = reason("more than {limit} brackets", limit=limits.brackets)
        raise ExpressionError(said, column=text.index("(") + 1)
    if sum(map(text.count, "+-*/^√(")) > limits.operations:
        raise ExpressionError(reason("more than {limit} operations", limit=limits.operations))
    for pattern, complaint in (
        (r"(?:[-+√][ \t]*){17,}", reason("more than 16 signs in a row")),
        (r"(?:(?:\^|\*\*)[^+*/()^]*){9,}", reason("more than 8 powers in a row")),
        (r"/\s*[0-9.]+\s*√", reason("this can be read in two ways; write 1/(2√3) or (1/2)*√3")),
    ):
        found = re.search(pattern, text)
        if found:
            raise ExpressionError(complaint, column=found.start() + 1)


def _unreadable(text: str, column: int) -> Reason:
    comma = re.search(r"[0-9.]*[0-9],[0-9]+", text)
    if comma:
        point = comma[0].replace(",", ".")
        return reason("'{typed}' is not a number; decimals use a point: {point}", typed=comma[0], point=point)
    if re.search(r"[0-9)]\s*$", text[: column - 1]) and re.match(r"[A-Za-zπ(√]", text[column - 1]):
        return reason("write * between two factors, such as 2*pi")
    return reason("cannot read {sign} here; {allowed}", sign=repr(text[column - 1]), allowed=ALLOWED)
