"""The command that grades a class, and what it writes about it."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from attnsolve.cli.answers import CORRECTED, assigned, style_of
from attnsolve.cli.options import ENCODING, ENGINE, FORCE, LANG, LIMIT, SLIPS, STYLE, engine_for, target_of
from attnsolve.cli.speech import print_line, progress, tell
from attnsolve.cli.styles import in_style
from attnsolve.cli.typed import lines_typed
from attnsolve.cli.waiting import resumable
from attnsolve.errors import UsageError
from attnsolve.input_files import place_of
from attnsolve.rendering.dialects import PDF

if TYPE_CHECKING:
    from attnsolve.grading.assignment import Assignment
    from attnsolve.grading.outputs import Output
    from attnsolve.grading.session import Session
    from attnsolve.grading.uploads import Upload

FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody chose on the command line."""

    output: Path | None
    jobs: int
    folder: Path | None
    to: str
    report: Path | None
    roster: Path | None
    encoding: str
    columns: str
    overrides: Path | None
    moodle: Path | None
    canvas: Path | None
    feedback: Path | None
    item: str
    anonymous: bool
    release: bool
    as_json: bool
    fresh: bool
    raw: bool
    bom: bool
    lang: str | None
    engine: str | None
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
@click.option("--report", type=FILE, help="How the class did, with plots: a .md, .tex, .html, .pdf, … file.")
@click.option(
    "--roster", type=FILE, help="Who is in the class: CSV or Excel, Moodle's worksheet, Canvas's gradebook."
)
@ENCODING
@click.option("--columns", default="", metavar="WHAT=HEADING,…", help="Of a CSV: student=…,answers=…,a.S=….")
@click.option("--overrides", type=FILE, help='Marks by hand: @ student, mark a.A 1/2 "why", appeal DATE ….')
@click.option("--moodle", type=FILE, help="The marks as Moodle imports them.")
@click.option("--canvas", type=FILE, help="The marks as Canvas imports them.")
@click.option("--feedback", type=FILE, help="The slips as a zip of feedback files for Moodle.")
@click.option(
    "--item", default="", metavar="NAME", help="What the marks are for, there (default: the title)."
)
@click.option("--anonymous", is_flag=True, help="Codes instead of names in everything that is written.")
@click.option("--release", is_flag=True, help="The names again, when all is marked.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
@click.option("--fresh", is_flag=True, help="Grade everything again, whatever the journal has.")
@click.option("--raw-csv", "raw", is_flag=True, help="Leave cells that look like formulas as they are.")
@click.option("--bom", is_flag=True, help="Start the CSV with a byte order mark, for Excel.")
@CORRECTED
@STYLE
@LANG
@ENGINE
@FORCE
@LIMIT
def grade(
    problem: str,
    submissions: tuple[str, ...],
    typed: bool,
    corrected: str | None,
    style: Path | None,
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
    going_on = nullcontext() if choices.output is None else resumable()  # a journal stands beside a file
    with going_on, in_style(style_of(assignment, style), assignment.limits):
        grade_class(assignment, submissions, choices)


def grade_class(assignment: Assignment, submissions: tuple[str, ...], choices: Choices) -> None:
    """Grade what was handed in, write what was asked for, and say how it went."""
    from attnsolve.grading import outputs, reporting
    from attnsolve.rendering.engines import warning

    check(choices)
    session = prepared(assignment, submissions, choices)
    with progress(session.run(), len(session.pieces), printing=False, label="Grading") as (work, _):
        for _ in work:
            pass
    made = wanted(session, choices)
    in_latex = [file.data.decode() for file in made if file.path.suffix == ".tex"]
    said = warning(in_latex, engine_for("latex", choices.engine)) if in_latex else None
    if said:
        tell(said)
    outputs.check_places(made, session.journal.slips, force=choices.force)  # before anything is written
    text = session.write(raw=choices.raw, bom=choices.bom, slips=[output.hash for output in made])
    if choices.output is None:
        click.echo(text, nl=False)
    outputs.write_all(made)
    for line in reporting.lines(session, as_json=choices.as_json):
        print_line(line, err=choices.output is None)
    for words in reporting.complaints(session):
        tell(words)
    if choices.moodle or choices.canvas:
        for words in reporting.held_back(upload(session, choices)):
            tell(words)
    worst = reporting.exit_code(session)
    if worst:
        sys.exit(worst)


def check(choices: Choices) -> None:
    """Refuse what cannot be meant before anything is graded."""
    from attnsolve.grading import slips

    if choices.folder is not None:
        slips.check_folder(choices.folder)
    if choices.report is not None:
        report_format(choices.report)
    files = [choices.output, choices.report, choices.moodle, choices.canvas, choices.feedback]
    nameless = next((file for file in files if file is not None and not file.name), None)
    if nameless is not None:
        raise UsageError(f"'{nameless}' is no name of a file")
    named = [place_of(file) for file in files if file is not None]
    for file in named:
        if named.count(file) > 1:
            raise UsageError(
                f"'{file.name}' is named twice; each thing that is written needs a file of its own"
            )
    if choices.anonymous and (choices.moodle or choices.canvas or choices.feedback):
        raise UsageError("a platform wants names; upload the marks when you --release them")


def prepared(assignment: Assignment, submissions: tuple[str, ...], choices: Choices) -> Session:
    """The class as it was handed in, with all that is known about it."""
    from attnsolve.grading import background
    from attnsolve.grading.piles import Described
    from attnsolve.grading.response_tables import read_mappings
    from attnsolve.grading.session import Session
    from attnsolve.grading.sources import gather

    people = background.known_people(assignment, choices.roster, encoding=choices.encoding)
    described = Described(people, read_mappings(choices.columns))
    pieces = gather(submissions, limits=assignment.limits, described=described)
    if choices.feedback is not None and not any(person.participant for person in people.all):
        raise UsageError(
            "--feedback is for an assignment of Moodle: grade its zip, or name its worksheet as --roster"
        )
    codes = background.known_codes(
        choices.output, people, anonymous=choices.anonymous, release=choices.release
    )
    by_hand = background.known_hand_marks(assignment, choices.overrides, people, codes)
    known = background.Background(people, by_hand, codes if choices.anonymous else None)
    return Session(
        assignment,
        pieces,
        choices.output,
        known,
        fresh=choices.fresh,
        force=choices.force,
        jobs=choices.jobs,
    )


def upload(session: Session, choices: Choices) -> Upload:
    """The marks, ready for a platform."""
    from attnsolve.grading.uploads import Upload

    return Upload(session.assignment.trace().problem, session.marks, session.people, item=choices.item)


def wanted(session: Session, choices: Choices) -> list[Output]:
    """Every file that was asked for besides the marks."""
    from attnsolve.file_names import safe_stem
    from attnsolve.grading import outputs, reporting, slips

    made: list[Output] = []
    if choices.folder is not None:
        made += slips.slips(
            session.assignment,
            session.shown,
            choices.folder,
            to=choices.to,
            lang=choices.lang,
            engine=engine_for(PDF, choices.engine),
        )
    if choices.report is not None:
        path = choices.report
        engine, stem = engine_for(PDF, choices.engine), safe_stem(path.stem)
        about = reporting.report(session, report_format(path), stem, lang=choices.lang, engine=engine)
        made += outputs.of_document(about, path)
    ready = upload(session, choices)
    if choices.moodle is not None:
        made.append(outputs.Output.of(choices.moodle, ready.moodle()))
    if choices.canvas is not None:
        made.append(outputs.Output.of(choices.canvas, ready.canvas()))
    if choices.feedback is not None:
        engine = engine_for(PDF, choices.engine)
        each = slips.contents(
            session.assignment, session.marks, to=choices.to, lang=choices.lang, engine=engine
        )
        made.append(outputs.Output(choices.feedback, ready.feedback(each, slips.ENDINGS[choices.to])))
    return made


def report_format(path: Path) -> str:
    """The format that the name of a report asks for."""
    to = target_of(str(path))
    if to == "json" or path.is_dir() or not path.suffix:
        known = ".md, .tex, .html, .typ, .pdf or .ipynb"
        raise UsageError(f"'{path}' is no name for a report; name a {known} file")
    return to


def type_in(assignment: Assignment) -> None:
    """Answer each line that is typed with its verdict, at once."""
    from attnsolve.grading.corrections import told
    from attnsolve.grading.desk import Desk

    for words in told(assignment):
        tell(words)
    with Desk(assignment) as desk:
        for words in desk.judge(lines_typed(limits=assignment.limits)):
            print_line(words)
