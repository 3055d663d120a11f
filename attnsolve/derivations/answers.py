"""Everything that a part asks about its attention, answered: derive(problem, part)."""

from __future__ import annotations

from functools import lru_cache

from attnsolve.assumptions import AbstractPart, Assumptions
from attnsolve.derivations import limits, monotony, steps, thresholds
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Derivation, Passage
from attnsolve.derivations.tables import table
from attnsolve.identity import Same

# The key, the solution and the lock of an exam want the same ones, a few papers at a time.
KEPT = 256


def derive(assumptions: Assumptions, asked: AbstractPart) -> Derivation:
    """The passages that answer a part, in the order in which they are read."""
    return _derived(Same(assumptions), Same(asked))


@lru_cache(maxsize=KEPT)
def _derived(known: Same[Assumptions], part: Same[AbstractPart]) -> Derivation:
    assumptions, asked = known.thing, part.thing
    solved = Solved(assumptions, asked.attention)
    made: list[Passage] = []
    if asked.is_derived:
        made += steps.passages(solved)
    for approach in () if asked.expect else asked.limits:  # beside means, those of the means are meant
        made += limits.passages(solved, approach)
    made += [thresholds.passage(solved, wanted) for wanted in asked.solve]
    made += [monotony.passage(solved, variable) for variable in asked.monotony]
    values = table(solved, asked.table) if asked.table else None
    if not asked.expect:
        return Derivation(tuple(made), values)
    from attnsolve.derivations import noise, noise_tables

    made += noise.passages(solved, asked)
    return Derivation(
        tuple(made),
        values,
        expectations=noise_tables.table(solved, asked),
        draws=noise_tables.draws(solved, asked),
    )
