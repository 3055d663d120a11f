"""What stands at the top of a script: what it is, how it prints a matrix, and how it rounds on the way."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from attnsolve.companion.libraries import Library
from attnsolve.companion.literals import WIDTH
from attnsolve.problem import Problem, Rounding

DECIMAL_MODES = {"half_up": "ROUND_HALF_UP", "half_even": "ROUND_HALF_EVEN", "truncate": "ROUND_DOWN"}
IMPORTS = ("import decimal", "import math", "from decimal import Decimal")

SHOW = '''\
decimal.getcontext().prec = 100
decimal.getcontext().rounding = decimal.ROUND_HALF_UP  # as on paper: 0.125 is 0.13


def shown(x, places, zero):
    """A number to so many places; a tiny one by its power of ten."""
    if x == -math.inf:
        return "-inf"
    number = Decimal(f"{0.0 if abs(x) <= zero else x:.13g}")  # the last digits of a float are noise
    text = f"{number:.{places}f}"
    return f"{number:.2e}" if number and not text.strip("-0.") else text


def show(name, X, places=PLACES, zero=0.0):
    """Print a matrix; what is not above `zero` is a 0 that floats have missed."""
    rows = [[shown(x, places, zero) for x in row] for row in X.tolist()]
    width = max(len(text) for row in rows for text in row)
    print(name)
    for row in rows:
        print(" ", " ".join(text.rjust(width) for text in row))'''

CARRIED = '''\
def carried(X):
    """Every number rounded to CARRY places, as a student writes it down and goes on with it."""

    def rounded(x):
        unit = Decimal(1).scaleb(-CARRY)
        return x if math.isinf(x) else float(Decimal(f"{x:.13g}").quantize(unit, decimal.MODE))

    return MATRIX([[rounded(x) for x in row] for row in X.tolist()]ENDING'''


def plain(text: str) -> str:
    """Text of a problem file for a comment: one line, and nothing in it that could end the comment."""
    words = "".join(character if character.isprintable() else " " for character in text).split()
    return " ".join(words)


def comment(text: str) -> Iterator[str]:
    """Comment lines of a text."""
    yield from (f"# {line}" for line in textwrap.wrap(plain(text), WIDTH - 2, break_on_hyphens=False))


def header(problem: Problem, library: Library) -> Iterator[str]:
    """What this file is. Its first two lines are ours: a title there could say how the file is encoded."""
    yield "# -*- coding: utf-8 -*-"
    needs = f"{library.title} (pip install {library.package})"
    yield f"# Written by attnsolve. It needs {needs} and nothing else: python FILE.py"
    yield "#"
    yield from comment(problem.title)
    if problem.source:
        yield from comment(f"Source: {problem.source}")
    yield "#"
    yield "# In every matrix a token is a row, and a projection is X @ W; all numbers are float64."
    rounding = problem.rounding
    if rounding is not None:
        words = {"half_up": "half up", "half_even": "half to even", "truncate": "cut off"}[rounding.mode]
        yield f"# As the sheet asks, every result is rounded to {rounding.carry} places ({words}) on the way."


def carried_function(rounding: Rounding, library: Library) -> str:
    """The function that rounds on the way."""
    made = CARRIED.replace("CARRY", str(rounding.carry)).replace("MODE", DECIMAL_MODES[rounding.mode])
    return made.replace("MATRIX(", library.start).replace("ENDING", library.ending)
