"""What has to be stated about results with letters: which numbers move, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from attnsolve.assumptions import Approach
from attnsolve.derivations.derivation import Circumstance
from attnsolve.derivations.entry_results import Results
from attnsolve.derivations.limits import Tending
from attnsolve.errors import AttnsolveError
from attnsolve.statements.tree import Name, Tree, names


@dataclass(frozen=True, eq=False)
class Moving:
    """A number of a result that depends on a letter, under all names of numbers that are equal to it."""

    names: tuple[Name, ...]
    value: Tree


def moving(results: Results, result: str, variable: Name) -> list[Moving]:
    """The numbers of a result that depend on a letter, equal ones together."""
    made: list[Moving] = []
    for name, tree in results.cells(result):
        if variable not in names(tree) or Name("oo") in names(tree):
            continue
        for place, one in enumerate(made):
            if results.letters.same(one.value, tree):
                made[place] = Moving((*one.names, name), one.value)
                break
        else:
            made.append(Moving((name,), tree))
    return made


def with_limits(results: Results, approach: Approach) -> Iterator[list[Moving]]:
    """The numbers that have a limit, which may be another one in every case, result by result."""
    for result in results.subjects:
        found = [
            one
            for one in moving(results, result, approach.variable)
            if any(limit is not None for _, limit in limits(results, one.value, approach))
        ]
        if found:
            yield found


def changing(results: Results, variable: Name) -> Iterator[Moving]:
    """The numbers whose trend is asked for: weights, or what else the part finds."""
    for result in results.names.weights or results.subjects:
        yield from moving(results, result, variable)


def limits(results: Results, tree: Tree, approach: Approach) -> tuple[tuple[Circumstance, Tree | None], ...]:
    """What a formula tends to, by cases; nothing where that was not found."""
    try:
        return Tending(results, approach, tree).cases(tree)
    except AttnsolveError:
        return ()
