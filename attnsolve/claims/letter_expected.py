"""What would be right, in the words that answers about letters are typed in."""

from __future__ import annotations

from attnsolve.assumptions import Approach
from attnsolve.claims.letter_claims import Change
from attnsolve.claims.letter_solutions import Question, right_ones
from attnsolve.claims.letter_wanted import limits
from attnsolve.derivations.derivation import Outcome
from attnsolve.derivations.entry_results import Results
from attnsolve.derivations.monotony import trend
from attnsolve.derivations.results import Place
from attnsolve.exact.formulas.texts import as_text
from attnsolve.statements.answers import Extent
from attnsolve.statements.tree import Name

EXTENTS = {Extent.NOTHING: "no {letter}", Extent.EVERYTHING: "every {letter}"}
TRENDS = {
    Outcome.INCREASES: "increases with",
    Outcome.NEVER_DECREASES: "increases with",
    Outcome.DECREASES: "decreases with",
    Outcome.NEVER_INCREASES: "decreases with",
}


def called(results: Results, name: Name) -> str:
    """A number of a result as somebody types it: alpha_{2}."""
    typed = results.names.typed(Place(name.name, *map(int, name.index)))
    return f"{typed.name}_{{{','.join(typed.index)}}}"


def expected_limit(results: Results, name: Name, approach: Approach) -> str:
    """`lim t -> oo alpha_2 = 1`, where it is one limit in all cases."""
    found = limits(results, results.scalar(name), approach)
    if len(found) != 1 or found[0][1] is None:
        return ""
    goal = "oo" if approach.at_infinity else "0"
    return f"lim_{{{approach.variable.name} -> {goal}}} {called(results, name)} = {as_text(found[0][1])}"


def expected_change(results: Results, name: Name, change: Change) -> str:
    """`alpha_2 increases with t`, or its derivative where that was given."""
    outcome, _, risen = trend(results.letters, results.scalar(name), change.variable)
    number, letter = called(results, name), change.variable.name
    if change.derivative is not None:
        return f"∂{number}/∂{letter} = {as_text(risen)}"
    return f"{number} {TRENDS[outcome]} {letter}" if outcome in TRENDS else ""


def expected_solution(asked: Question) -> str:
    """`t = 1; t = 2`, `no t`."""
    letter = asked.variable.name
    if asked.extent is not None:
        return EXTENTS[asked.extent].format(letter=letter)
    return "; ".join(f"{letter} {relation.value} {as_text(value)}" for relation, value in right_ones(asked))
