"""One number of a file: read exactly, paid for, and complained about in plain words."""

from __future__ import annotations

import re

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Cell, Rational
from attnsolve.exact.infinity import HIDDEN, MINUS_INFINITY
from attnsolve.expressions import PLAIN, normalise, number
from attnsolve.loader.reader import Reader
from attnsolve.reasons import Reason, reason

DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
INVISIBLE = "\u200b\u200c\u200d\ufeff\u00ad"

Typed = tuple[Cell, str]


def read_number(
    reader: Reader, node: Node, path: str, text: str, *, at: int | None, where: str = ""
) -> Typed:
    """One number of a matrix; a text that is none is a fault, and counts as 0 so that the reading goes on."""
    if not text:
        reader.fault(node, path, f"{where}a number is expected here", at=at)
        return Rational(0), "0"
    if reader.work > reader.limits.work and not PLAIN.fullmatch(text):
        return Rational(0), "0"  # the number that went over the limit has been told
    if MINUS_INFINITY.fullmatch(text):  # allowed in scores and masks only: `Givens` looks after that
        return HIDDEN, "-inf"
    try:
        spend(reader, text)
        if reader.letters is not None and reader.letters.occur_in(text):
            from attnsolve.exact.formulas.cells import read_formula

            return read_formula(text, reader.letters, limits=reader.limits), normalise(text)
        return number(text, limits=reader.limits), normalise(text)
    except ExpressionError as error:
        better = likely_cause(text)
        place = at if at is None or better else at + error.column - 1
        reader.fault(node, path, f"{where}{better or error}", at=place)
    except AttnsolveError as error:
        reader.fault(node, path, where + str(error), at=at)
    return Rational(0), "0"


def spend(reader: Reader, text: str, *, times: int = 1) -> None:
    """Charge the file for an expression before it is computed: many harmless ones together would hang."""
    if PLAIN.fullmatch(text) or len(text) > reader.limits.characters:
        return
    digits = max(map(len, re.findall(r"\d+", text)), default=0)
    # A root or a logarithm has to factor the number in it, which gets hard with its length.
    reader.work += times * (sum(map(text.count, "+-*/^√(")) + digits**2 // 2 + 1)
    if reader.work > reader.limits.work:
        raise AttnsolveError(
            reason(
                "more than {limit} operations in this file, the limit; write numbers out",
                limit=reader.limits.work,
            )
        )


def likely_cause(text: str) -> Reason | None:
    """What probably went wrong with a text that is no number, when that can be told; else None."""
    hidden = next(
        (character for character in text if not character.isprintable() or character in INVISIBLE), None
    )
    if hidden:
        rest = "".join(character for character in text if character != hidden)
        return reason(
            "an invisible character ({code}) stands in '{rest}'; type the number anew",
            code=f"U+{ord(hidden):04X}",
            rest=rest,
        )
    word = re.search(r"[A-Za-z_]\w*", text)
    if word and re.search(r"['\"`\\{}@$!]|__|\.[A-Za-z_]", text):
        return reason(
            "'{name}' is not something I can read; write numbers, + - * / ^, sqrt, exp, ln and the like",
            name=word[0],
        )
    if DECIMAL_COMMA.fullmatch(text):
        point, blank = text.replace(",", "."), text.replace(",", " ")
        return reason(
            "'{typed}' is not a number; decimals use a point: {point} (two numbers need a space: {blank})",
            typed=text,
            point=point,
            blank=blank,
        )
    if re.fullmatch(r"[+-]?(\.?inf|infinity|\.?nan|∞)", text, re.IGNORECASE):
        return reason(
            "'{typed}' is not a number that can be worked out by hand; write a plain number", typed=text
        )
    return None
