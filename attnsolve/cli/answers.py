"""The command that judges one hand calculation, and what was asked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from attnsolve import __version__
from attnsolve.cli.options import LANG, LIMIT, SLIPS, STYLE
from attnsolve.cli.speech import print_text, tell
from attnsolve.cli.styles import in_style
from attnsolve.cli.typed import everything_typed
from attnsolve.errors import UsageError

if TYPE_CHECKING:
    from attnsolve.grading.assignment import Assignment
    from attnsolve.limits import Limits

CORRECTED = click.option(
    "--corrected", metavar="PROBLEM", help="Of an exam: everybody's own numbers in this problem instead."
)


@click.command()
@click.argument("problem")
@click.argument("answers")
@click.option("--to", type=click.Choice(SLIPS), default="text", show_default=True, help="Kind of slip.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.option(
    "--hints", type=click.IntRange(1, 4), help="For students: the step, the number, the slip, the value."
)
@click.option("--no-truncation", is_flag=True, help="Cut-off decimals are wrong, not rounded differently.")
@STYLE
@LANG
@CORRECTED
@LIMIT
def verify(
    problem: str,
    answers: str,
    to: str,
    as_json: bool,
    hints: int | None,
    no_truncation: bool,
    style: Path | None,
    lang: str | None,
    corrected: str | None,
    raises: tuple[str, ...],
) -> None:
    """Judge a hand calculation: ANSWERS is a file, - for the screen's input, or the answers themselves."""
    import json
    from dataclasses import replace

    from attnsolve.grading.slips import slip
    from attnsolve.limits import raised
    from attnsolve.rendering.feedback_records import hints_record, report_record
    from attnsolve.rendering.submissions import understood
    from attnsolve.verifier.reading import read_submission
    from attnsolve.verifier.set_verification import verifier_of

    limits = raised(raises)
    assignment = assigned(problem, corrected, limits)
    if assignment.is_about_symbols and not has_marks(assignment):
        from attnsolve.cli.claims import verify_claims

        verify_claims(assignment, answers, to=to, as_json=as_json, style=style, lang=lang, limits=limits)
    typed = everything_typed(limits) if answers == "-" else file_or_text(answers)
    form = "claims" if assignment.is_about_symbols else ""
    submission = read_submission(typed, form=form, limits=limits, claimed=assignment.claimed)
    match = assignment.match(submission.variant, submission.student)
    remarks = (*submission.remarks, *match.remarks)
    submission = replace(submission, variant=match.code, student=match.student, remarks=remarks)
    trace = assignment.trace(match.code)
    verifier = verifier_of(trace, truncation=not no_truncation)
    report = verifier.verify(submission)
    if as_json:
        record = (
            report_record(trace, report) if hints is None else hints_record(trace, report, hints, lang=lang)
        )
        click.echo(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        tell(understood(verifier.as_understood(submission), lang=lang or trace.problem.lang).rstrip())
        with in_style(style_of(assignment, style), limits):
            print_text(slip(trace, report, to=to, hints=hints, lang=lang))
    sys.exit(report.exit_code)


def has_marks(assignment: Assignment) -> bool:
    """Whether the file says what things are worth, or has steps, which are worth something anyway."""
    return any(part.marks or part.calls for part in assignment.trace().problem.parts)


def style_of(assignment: Assignment, chosen: Path | None) -> Path | None:
    """The style that was chosen, else the one that an exam keeps in its folder, if it has one."""
    if not assignment.is_personal:
        return chosen
    from attnsolve.exams.kept_style import kept_below

    return chosen or kept_below(assignment.path.parent)


def asked(problem: str) -> Path:
    """The problem file that is meant, or the manifest of an exam; its folder will do."""
    from attnsolve import batch

    path = batch.find(problem)
    return path / "manifest.json" if (path / "lock.json").is_file() else path


def assigned(problem: str, corrected: str | None, limits: Limits) -> Assignment:
    """What was asked; for an exam perhaps what should have been asked."""
    from attnsolve import batch
    from attnsolve.grading.assignment import Assignment

    right = None if corrected is None else batch.find(corrected)
    made = Assignment(asked(problem), limits, __version__, right)
    if right is not None and not made.is_personal:
        raise UsageError(f"--corrected is for exams (a folder, or its manifest.json); name {right} instead")
    return made


def file_or_text(answers: str) -> Path | str:
    """A file of answers, or the answers themselves; the name of a file that is not there is neither."""
    path = Path(answers)
    try:
        if path.is_file():
            return path
    except OSError:  # far too long for a name
        return answers
    if path.suffix in (".txt", ".yaml", ".yml", ".json", ".csv", ".tsv") and not any(
        c.isspace() for c in answers
    ):
        raise UsageError(f"there is no file '{answers}'")
    return answers
