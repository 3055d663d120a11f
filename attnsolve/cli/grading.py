"""The command that grades a class, and what it writes about it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from attnsolve.cli.answers import CORRECTED, assigned
from attnsolve.cli.options import FORCE, LIMIT, SLIPS, target_of
from attnsolve.cli.speech import progress, tell
from attnsolve.errors import UsageError

if TYPE_CHECKING:
    from attnsolve.grading.assignment import Assignment
    from attnsolve.grading.outputs import Output
    from attnsolve.grading.session import Session

FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody chose on the command line."""

    output: Path | None
    jobs: int
    folder: Path | None
    to: str
    report: Path | None
    as_json: bool
    fresh: bool
    raw: bool
    bom: bool
    force: bool


@click.command()
@click.argument("problem")
@click.argument("submissions", nargs=-1, type=click.Path())
@click.option("-o", "--output", type=FILE, help="The marks, as CSV (default: print).")
@click.option("--type", "typed", is_flag=True, help="Judge compact lines as they are typed.")
@click.option("-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")
@click.option("--slips", "folder", type=FILE, help="Folder for a feedback slip each.")
@click.option(
    "--to", type=click.Choice(SLIPS), default="text", show_default=True, help="Format of the slips."
)
@click.option("--report", type=FILE, help="How the class did, with plots: a .md or .tex file.")
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
    typed: bool,
    corrected: str | None,
    raises: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Grade a class: a folder of answers, a CSV, a pile in one text (`@ student`), or a zip.

    A journal beside the marks keeps what is done: a run that was stopped goes on, and what has not
    changed is not graded again.
    """
    from attnsolve.limits import raised

    choices = Choices(**chosen)
    assignment = assigned(problem, corrected, raised(raises))
    if typed:
        if submissions or choices.output is not None:
            raise UsageError("--type takes its lines from the keyboard; name no files")
        type_in(assignment)
        return
    if not submissions:
        raise UsageError("name what was handed in: a folder, a file or a zip; or say --type")
    grade_class(assignment, submissions, choices)


def grade_class(assignment: Assignment, submissions: tuple[str, ...], choices: Choices) -> None:
    """Grade what was handed in, write what was asked for, and say how it went."""
    from attnsolve.grading import outputs, reporting, slips
    from attnsolve.grading.session import Session
    from attnsolve.grading.sources import gather

    if choices.folder is not None:
        slips.check_folder(choices.folder)
    if choices.report is not None:
        report_format(choices.report)
    pieces = gather(submissions, limits=assignment.limits)
    session = Session(
        assignment, pieces, choices.output, fresh=choices.fresh, force=choices.force, jobs=choices.jobs
    )
    with progress(session.run(), len(pieces), printing=False, label="Grading") as (work, _):
        for _ in work:
            pass
    made = wanted(session, choices)
    outputs.check_places(made, session.journal.slips, force=choices.force)  # before anything is written
    text = session.write(raw=choices.raw, bom=choices.bom, slips=[output.hash for output in made])
    if choices.output is None:
        click.echo(text, nl=False)
    outputs.write_all(made)
    for line in reporting.lines(session, as_json=choices.as_json):
        click.echo(line, err=choices.output is None)
    for words in reporting.complaints(session):
        tell(words)
    if session.absent:
        tell(f"{len(session.absent)} of the roster handed in nothing; their lines in the marks are empty")
    worst = reporting.exit_code(session)
    if worst:
        sys.exit(worst)


def wanted(session: Session, choices: Choices) -> list[Output]:
    """Every file that was asked for besides the marks."""
    from attnsolve.grading import outputs, reporting, slips

    made: list[Output] = []
    if choices.folder is not None:
        made += slips.slips(session.assignment, session.marks, choices.folder, to=choices.to)
    if choices.report is not None:
        path = choices.report
        made += outputs.of_document(reporting.report(session, report_format(path), path.stem), path)
    return made


def report_format(path: Path) -> str:
    """The format that the name of a report asks for."""
    to = target_of(str(path))
    if to == "json" or path.is_dir() or not path.suffix:
        raise UsageError(f"'{path}' is no name for a report; name a .md or .tex file")
    return to


def type_in(assignment: Assignment) -> None:
    """Answer each line that is typed with its verdict, at once."""
    from attnsolve.grading.corrections import told
    from attnsolve.grading.desk import Desk

    for words in told(assignment):
        tell(words)
    with Desk(assignment) as desk:
        for words in desk.judge(iter(sys.stdin.readline, "")):
            click.echo(words)
