"""The claims of a part, or of a whole script, judged in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from attnsolve.assumptions import AbstractPart, Assumptions, Attention
from attnsolve.claims.judging import judge_line
from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.derivations.answers import KEPT
from attnsolve.derivations.attention import Solved
from attnsolve.errors import AttnsolveError, ExpressionError, Fault, ProblemError, UsageError
from attnsolve.identity import Same
from attnsolve.limits import LIMITS, Limits
from attnsolve.problem import Part, Problem
from attnsolve.statements.grammar import formula
from attnsolve.statements.tree import Name


def judge_part(problem: Problem, part: Part) -> tuple[Judgement, ...]:
    """The claims that a file has in a part."""
    assert problem.assumptions is not None and part.abstract is not None
    return _judged(Same(problem.assumptions), Same(part.abstract))


@lru_cache(maxsize=KEPT)
def _judged(known: Same[Assumptions], part: Same[AbstractPart]) -> tuple[Judgement, ...]:
    assumptions, asked = known.thing, part.thing
    return tuple(
        judgement
        for claim in asked.claims
        for judgement in judge_line(claim.text, assumptions, asked.attention)
    )


def judge_script(
    problem: Problem, text: str, *, file: str = "claims", limits: Limits = LIMITS
) -> tuple[Judgement, ...]:
    """Every claim of a script, line by line; `part b:` says which part the next ones are about.

    `let q = …` puts somebody's own query in the place of the one that the part has, up to the next part.
    """
    if problem.assumptions is None:
        raise UsageError("claims are judged of problems with symbols, which have assume:")
    assumptions = problem.assumptions
    abstract = asked_of(problem, next((part.id for part in problem.parts if part.abstract), ""))
    made: list[Judgement] = []
    faults: list[Fault] = []
    lines = list(claims_of(text))
    if len(lines) > limits.answers:
        raise UsageError(f"{len(lines)} claims; the limit is {limits.answers}")
    for number, line in lines:
        if line.lower().startswith("part ") and line.endswith(":"):
            abstract, assumptions = asked_of(problem, line[5:-1].strip()), problem.assumptions
            continue
        try:
            if line.lower().startswith("let "):
                assumptions = designed(line[4:], assumptions, abstract.attention, limits=limits)
            else:
                made += judge_line(line, assumptions, abstract.attention, limits=limits)
        except AttnsolveError as error:
            column = error.column if isinstance(error, ExpressionError) else 1
            faults.append(Fault(file, number, column, "", str(error)))
    if faults:
        raise ProblemError(faults)
    return tuple(made)


def designed(text: str, assumptions: Assumptions, attention: Attention, *, limits: Limits) -> Assumptions:
    """The assumptions with another query: `q = 2*c*(k_a + k_b)`."""
    name, sign, value = text.partition("=")
    query = next((one for one in attention.queries if spelled(one) == name.strip()), None)
    if query is None or not sign:
        there = ", ".join(spelled(one) for one in attention.queries)
        raise ExpressionError(f"say which query: let q = …; here is {there}")
    tree = formula(value, assumptions.names, limits=limits)
    made = replace(assumptions, definitions={**assumptions.definitions, query: tree})
    Solved(made, attention)  # which complains about what is no vector, or has no closed form
    return made


def spelled(query: Name) -> str:
    """q, or q_1."""
    return "_".join((query.name, *query.index))


def claims_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines that claim something, with their numbers; # begins a remark."""
    for number, line in enumerate(text.splitlines(), start=1):
        shown = line.strip().strip("$").strip()
        if shown and not shown.startswith("#"):
            yield number, shown


def asked_of(problem: Problem, name: str) -> AbstractPart:
    """What a part asks about symbols."""
    for part in problem.parts:
        if part.id == name and part.abstract is not None:
            return part.abstract
    known = ", ".join(part.id for part in problem.parts if part.abstract is not None)
    raise UsageError(f"there is no part '{name}' with symbols; there are {known or 'none'}")


def exit_code(found: tuple[Judgement, ...]) -> int:
    """0 when all is true, 1 when something is not, 4 when a person has to look."""
    verdicts = {one.verdict for one in found}
    if verdicts & {Verdict.FALSE, Verdict.CONDITIONAL}:
        return 1
    return 4 if Verdict.UNDECIDED in verdicts else 0
