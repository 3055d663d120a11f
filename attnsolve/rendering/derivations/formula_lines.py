"""What a slip says of a formula that somebody handed in for a result with letters in it."""

from __future__ import annotations

from attnsolve.languages import quoted
from attnsolve.problem import Problem
from attnsolve.rendering.derivations.claim_lines import TELLING
from attnsolve.rendering.derivations.formulas import markup
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.text import Segments, formula, say
from attnsolve.report import StepReport
from attnsolve.statements import grammar


def remarks_on_formula(
    problem: Problem, step: StepReport, own: str, notation: Notation, *, hints: int | None
) -> tuple[Segments, ...]:
    """What was written, and where it is wrong what is right."""
    assert problem.assumptions is not None
    said = [say("Read as: {typed}", typed=quoted(step.typed))] if step.typed else []
    if step.expected and step.cell is not None and (hints is None or hints >= TELLING):
        right = markup(grammar.formula(step.expected, problem.assumptions.names))
        entry = notation.entry(own, *step.cell)
        said.append(say("Right would be {equation}.", equation=formula(f"{entry} = {right}")))
    return tuple(said)
