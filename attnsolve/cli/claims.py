"""Claims about a problem with symbols, judged on the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from attnsolve.cli.styles import in_style
from attnsolve.cli.typed import everything_typed
from attnsolve.problem import Problem
from attnsolve.rendering.dialects import NOTEBOOK

if TYPE_CHECKING:
    from attnsolve.claims.verdict import Judgement
    from attnsolve.grading.assignment import Assignment
    from attnsolve.limits import Limits
    from attnsolve.rendering import Document


def verify_claims(
    assignment: Assignment,
    answers: str,
    *,
    to: str,
    as_json: bool,
    style: Path | None,
    lang: str | None,
    limits: Limits,
) -> NoReturn:
    """Print the verdict on every claim and end with the exit code that they ask for."""
    import json

    from attnsolve.claims.sheets import exit_code, judge_script
    from attnsolve.cli.answers import file_or_text
    from attnsolve.cli.shows import usual_width
    from attnsolve.rendering.derivations.claim_slips import claims_record
    from attnsolve.terminal import page
    from attnsolve.verifier.reading import text_of

    problem = assignment.trace().problem
    assert isinstance(problem, Problem)
    source = everything_typed(limits) if answers == "-" else file_or_text(answers)
    name = str(source) if isinstance(source, Path) else "claims"
    text = text_of(source, name, limits=limits)
    found = judge_script(problem, text, file=name, limits=limits)
    if as_json:
        click.echo(json.dumps(claims_record(problem, found), indent=2, ensure_ascii=False))
    else:
        with in_style(style, limits):
            slip = slip_in(problem, found, to, lang).content
        click.echo(page(str(slip), width=usual_width()) if to == "text" else slip, nl=False)
    sys.exit(exit_code(found))


def slip_in(problem: Problem, found: tuple[Judgement, ...], to: str, lang: str | None) -> Document:
    """The slip in a format; a terminal and a notebook show its Markdown."""
    from attnsolve.rendering.derivations.claim_slips import claim_slip

    if to != NOTEBOOK:
        return claim_slip(problem, found, to="markdown" if to == "text" else to, lang=lang)
    from attnsolve.notebooks import FLAVOUR, page_notebook

    return page_notebook(claim_slip(problem, found, to="markdown", lang=lang, flavour=FLAVOUR), problem.title)
