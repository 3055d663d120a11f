"""What a problem gives, as equations: each where it is needed first."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from attnsolve.problem import Problem
from attnsolve.rendering.answers import packed
from attnsolve.rendering.blocks import equations
from attnsolve.rendering.formulas import defaults
from attnsolve.rendering.letters import spelled
from attnsolve.rendering.markup import ALL_SHOWN
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page
from attnsolve.rendering.text import Segments, formula, prose, say
from attnsolve.rendering.widths import WIDEST_MATRIX, width

if TYPE_CHECKING:
    pass


def named_tokens(problem: Problem) -> tuple[Segments, ...]:
    """What the tokens are called, in their order: a question may speak of one by its name."""
    said = []
    for given, names in problem.labels.items():
        symbol = problem.symbols.get(given) or spelled(given).whole
        tokens = prose(", ".join(names))
        if given:
            told = say(
                "The tokens of {given} are, in this order: {tokens}.", given=formula(symbol), tokens=tokens
            )
        else:
            told = say("The tokens are, in this order: {tokens}.", tokens=tokens)
        said.append(told)
    return tuple(said)


def given_rows(page: Page, shown: set[str]) -> tuple[str, ...]:
    """The givens that this part is the first to need; an exercise tells our own constants, such as ε, too."""
    part, notation = page.part, page.notation
    new = [name for name in part.givens if name in notation.problem.givens and name not in shown]
    shown.update(new)
    constants = defaults(part.calls, notation) if page.settings.sheet == "exercise" else ()
    return packed(chain(*(given_equations(name, notation) for name in new), constants))


def given_equations(name: str, notation: Notation) -> tuple[str, ...]:
    """A given with all its numbers in brackets, or bare when it is a single one."""
    value, symbol = notation.problem.givens[name].value, notation.symbol(name)
    if 1 < max(value.shape) <= ALL_SHOWN:
        text = notation.written(name, value)  # as it stands in products
        if width(symbol) + width(text) <= WIDEST_MATRIX:
            return (f"{symbol} = {text}",)
    rows = notation.given_rows(name)
    if len(rows) == len(rows[0]) == 1:
        return (f"{symbol} = {rows[0][0]}",)
    return equations(symbol, "=", notation.laid(name, rows), first=notation.problem.index_from)
