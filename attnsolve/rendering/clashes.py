"""Names that would look alike in print, and what tells them apart: primes, part ids, rows by their matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from attnsolve.ops import Family, Frame
from attnsolve.problem import Given, Part, Problem
from attnsolve.rendering.letters import Symbols


class Spelling(Protocol):
    """Who knows how names are spelled."""

    problem: Problem

    def plain(self, name: str) -> Symbols:
        """The symbols of a name before it is told apart from others."""

    def single(self, name: str) -> bool:
        """Whether a value is one token's vector."""

    def frame(self, name: str) -> Frame:
        """What its rows and columns stand for."""

    def symbol(self, name: str) -> str:
        """Its symbol in print."""

    def superscript(self, name: str) -> str:
        """What tells it from another head's."""


def primes(problem: Problem, part: Part, spelling: Spelling) -> dict[str, str]:
    """The primes of what a part types in place and of its results: who comes first keeps the letter."""
    found: dict[str, str] = {}
    taken: set[tuple[str, str]] = set()
    for name in own_names(problem, part):
        symbols, group = spelling.plain(name), name.partition(".")[2].rpartition(".")[0]
        # What is typed into one head or case has its number above it, and what gradient descent changed a +.
        apart = bool(group) and (name in problem.givens or is_new(name))
        marks = "'" * (not apart and is_a_givens(name, symbols, part, spelling))
        small = spelling.single(name) and name not in problem.givens
        while (group, shown(symbols.primed(marks), small=small)) in taken:
            marks += "'"
        taken.add((group, shown(symbols.primed(marks), small=small)))
        found[name] = "" if is_chosen(name, problem) else marks
    return found


def own_names(problem: Problem, part: Part) -> Iterator[str]:
    """What is typed right into a part, then its results; picked tokens keep their name."""
    yield from (name for name in part.givens if name in problem.givens and not problem.givens[name].shown)
    yield from (call.out for call in part.calls if call.op.family is not Family.SELECTION)


def shown(symbols: Symbols, *, small: bool) -> str:
    """The symbol that stands for the whole value."""
    return symbols.vector if small else symbols.whole


def is_chosen(name: str, problem: Problem) -> bool:
    """Whether the file says itself how a name prints."""
    return name in problem.symbols or name.rpartition(".")[2] in problem.symbols


def is_a_givens(name: str, symbols: Symbols, part: Part, spelling: Spelling) -> bool:
    """Whether a given has the letter; a vector's is small, and s_1 looks like a number of the result s."""
    single = spelling.single(name) and name not in spelling.problem.givens
    for given in spelling.problem.givens.values():
        if not given.shown:
            continue
        own = spelling.plain(given.name).whole
        if own == symbols.whole or (single and given.vector and own == symbols.vector):
            return True
        if single and given.name in part.givens and is_numbered(own, symbols.vector):
            tokens = spelling.frame(name).rows.tokens
            # h_2 with its step below it is no number of h, and h_0 is what stands before h_1.
            if tokens is None or own == f"{symbols.vector}_{{{tokens[0] + spelling.problem.index_from}}}":
                return True
    return False


def is_new(name: str) -> bool:
    """Whether a value comes after a step of gradient descent, which is marked above it."""
    return ".new." in name


def is_numbered(symbol: str, letter: str) -> bool:
    """Whether a symbol is a letter with a number below it."""
    return re.fullmatch(re.escape(letter) + r"_\{\d+\}", symbol) is not None


def is_ambiguous(name: str, part: Part, spelling: Spelling) -> bool:
    """Whether another part's result needs that part's id, because something in this one is called like it."""
    owner, symbol = name.partition(".")[0], spelling.plain(name).whole
    used = {arg for call in part.calls for arg in call.args if "." in arg}
    others = {*used, *(call.out for call in part.calls if call.op.family is not Family.SELECTION)}
    strangers = (other for other in others if other.partition(".")[0] != owner and not is_new(other))
    return any(spelling.plain(other).whole == symbol for other in strangers)


def is_crowded(name: str, vector: str, superscript: str, part: Part, spelling: Spelling) -> bool:
    """Whether a vector of this part is called like the rows of a matrix: b beside the rows b_i of B."""
    if spelling.frame(name).rows.tokens is None:
        return False
    givens = spelling.problem.givens
    for other in (*part.givens, *(call.out for call in part.calls if call.op.family is not Family.SELECTION)):
        if other == name or not spelling.single(other) or spelling.superscript(other) != superscript:
            continue
        own = spelling.symbol(other)
        alike = own == vector or (other in givens and is_numbered(own, vector))
        if alike and not is_made_from(givens.get(other), givens.get(name)):
            return True
    return False


def is_made_from(one: Given | None, other: Given | None) -> bool:
    """Whether one given is made from the other, as a row of it is."""
    if one is None or other is None:
        return False
    pairs = ((one.name, other.made_from), (other.name, one.made_from))
    return any(re.search(rf"\b{re.escape(name)}\b", made) for name, made in pairs)
