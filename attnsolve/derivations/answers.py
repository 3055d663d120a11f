"""Everything that a part asks about its attention, answered: derive(problem, part)."""

from __future__ import annotations

from attnsolve.assumptions import AbstractPart, Assumptions
from attnsolve.derivations import limits, monotony, steps, thresholds
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Derivation, Passage
from attnsolve.derivations.tables import table


def derive(assumptions: Assumptions, asked: AbstractPart) -> Derivation:
    """The passages that answer a part, in the order in which they are read."""
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
