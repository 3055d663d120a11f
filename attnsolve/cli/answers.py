"""Commands on hand calculations: one of them, or those of a whole class."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from attnsolve import __version__
from attnsolve.cli.options import (
    FORCE,
    LIMIT,
    SLIPS,
)
from attnsolve.cli.speech import progress, tell
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
@CORRECTED
@LIMIT
def verify(
    problem: str,
    answers: str,
    to: str,
    as_json: bool,
    hints: int | None,
    no_truncation: bool,
    corrected: str | None,
    raises: tuple[str, ...],
) -> None:
    """Judge a hand calculation: ANSWERS is a file, - for the screen's input, or the answers themselves."""
    import json
    from dataclasses import replace

    from attnsolve.limits import raised
    from attnsolve.rendering.feedback import feedback, hints_record, report_record
    from attnsolve.rendering.submissions import understood
    from attnsolve.verifier.reading import read_submission
    from attnsolve.verifier.verification import Verifier

    limits = raised(raises)
    assignment = assigned(problem, corrected, limits)
    typed = sys.stdin.read() if answers == "-" else file_or_text(answers)
    submission = read_submission(typed, limits=limits)
    match = assignment.match(submission.variant, submission.student)
    remarks = (*submission.remarks, *filter(None, [match.remark]))
    submission = replace(submission, variant=match.code, student=match.student, remarks=remarks)
    trace = assignment.trace(match.code)
    scheme = trace.problem.scheme
    verifier = Verifier(trace, replace(scheme, truncation=False) if no_truncation else scheme)
    report = verifier.verify(submission)
    if as_json:
        record = report_record(trace, report) if hints is None else hints_record(trace, report, hints)
        click.echo(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        tell(understood(verifier.as_understood(submission)).rstrip())
        click.echo(feedback(trace, report, to=to, hints=hints).text, nl=False)
    sys.exit(report.exit_code)


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


@click.command()
@click.argument("problem")
@click.argument("submissions", nargs=-1, type=click.Path())
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The marks, as CSV (default: print).")
@click.option("--type", "typed", is_flag=True, help="Judge compact lines as they are typed.")
@click.option("-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")
@click.option("--slips", "folder", type=click.Path(path_type=Path), help="Folder for a feedback slip each.")
@click.option(
    "--to", type=click.Choice(SLIPS), default="text", show_default=True, help="Format of the slips."
)
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
@click.option("--fresh", is_flag=True, help="Grade everything again, whatever the journal has.")
@click.option("--raw-csv", "raw", is_flag=True, help="Leave cells that look like formulas as they are.")
@click.option("--bom", is_flag=True, help="Start the CSV with a byte order mark, for Excel.")
@CORRECTED
@FORCE
@LIMIT
def grade(
    problem: str,
    submissions: tuple[str, ...],
    output: Path | None,
    typed: bool,
    jobs: int,
    folder: Path | None,
    to: str,
    as_json: bool,
    fresh: bool,
    raw: bool,
    bom: bool,
    corrected: str | None,
    force: bool,
    raises: tuple[str, ...],
) -> None:
    """Grade a class: a folder of answers, a CSV, a pile in one text (`@ student`), or a zip.

    A journal beside the marks keeps what is done: a run that was stopped goes on, and what has not
    changed is not graded again.
    """
    from attnsolve.limits import raised

    assignment = assigned(problem, corrected, raised(raises))
    if typed:
        if submissions or output is not None:
            raise UsageError("--type takes its lines from the keyboard; name no files")
        type_in(assignment)
        return
    if not submissions:
        raise UsageError("name what was handed in: a folder, a file or a zip; or say --type")
    from attnsolve.grading import reporting, slips
    from attnsolve.grading.session import Session
    from attnsolve.grading.sources import gather

    if folder is not None:
        slips.check_folder(folder)
    pieces = gather(submissions, limits=assignment.limits)
    session = Session(assignment, pieces, output, fresh=fresh, force=force, jobs=jobs)
    with progress(session.run(), len(pieces), printing=False, label="Grading") as (work, _):
        for _ in work:
            pass
    made = [] if folder is None else slips.slips(assignment, session.marks, folder, to=to)
    slips.check_places(made, session.journal.slips, force=force)  # before anything is written
    text = session.write(raw=raw, bom=bom, slips=[slip.hash for slip in made])
    if output is None:
        click.echo(text, nl=False)
    slips.write_slips(made)
    for line in reporting.lines(session, as_json=as_json):
        click.echo(line, err=output is None)
    for words in reporting.complaints(session):
        tell(words)
    if session.absent:
        tell(f"{len(session.absent)} of the roster handed in nothing; their lines in the marks are empty")
    worst = reporting.exit_code(session)
    if worst:
        sys.exit(worst)


def type_in(assignment: Assignment) -> None:
    """Answer each line that is typed with its verdict, at once."""
    from attnsolve.grading.corrections import told
    from attnsolve.grading.desk import Desk

    for words in told(assignment):
        tell(words)
    with Desk(assignment) as desk:
        for words in desk.judge(iter(sys.stdin.readline, "")):
            click.echo(words)
