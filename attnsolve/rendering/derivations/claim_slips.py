"""Judged claims as a slip: one line for each claim, in every format of feedback."""

from __future__ import annotations

from typing import Any

from attnsolve.claims.verdict import Judgement
from attnsolve.languages import speaking
from attnsolve.pdf_engines import Engine
from attnsolve.problem import Problem
from attnsolve.rendering import Document, printed
from attnsolve.rendering.derivations.verdicts import claim_view, record
from attnsolve.rendering.dialects import PDF
from attnsolve.rendering.feedback import FeedbackView
from attnsolve.rendering.feedback_lines import LineView
from attnsolve.rendering.filling import fill
from attnsolve.rendering.text import prose, sentence


def claim_slip(
    problem: Problem, found: tuple[Judgement, ...], *, to: str, lang: str | None, flavour: str = "pandoc"
) -> Document:
    """The slip; for a terminal it is Markdown first."""
    if to == PDF:
        return printed(claim_slip(problem, found, to=Engine.TYPST.source, lang=lang))
    with speaking(lang or problem.lang):
        lines = []
        for number, one in enumerate(found, start=1):
            view = claim_view(one, problem.places)
            heading = sentence(f"{number}. ", view.statement)
            lines.append(LineView(str(number), "", heading, view.verdict, (), view.said))
        doc = FeedbackView(problem.name, prose(problem.title), (), (), tuple(lines), (), (), (), ())
        return Document(fill("feedback", to, doc=doc, maps_beside=False, flavour=flavour, head_logo=None))


def claims_record(problem: Problem, found: tuple[Judgement, ...]) -> dict[str, Any]:
    """The judgements for programs."""
    return {"schema": 1, "problem": problem.name, "claims": [record(one) for one in found]}
