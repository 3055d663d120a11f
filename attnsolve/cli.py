"""The command line: each command loads, calls and echoes; the only place that prints or exits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from attnsolve import __version__
from attnsolve.errors import AttnsolveError, BugFound, ProblemError, UsageError

if TYPE_CHECKING:
    from attnsolve.grading.assignment import Assignment
    from attnsolve.limits import Limits

# Written out here so that --help loads neither the engine nor the templates; a test compares them.
TARGETS = ("markdown", "latex", "json")
SHEETS = ("solution", "exercise", "markscheme")
DETAILS = ("result", "matrices", "cells", "products")
NUMBERS = ("fractions", "decimals", "source")
FLAVOURS = ("github", "pandoc", "myst", "jupyter")
WORKING = ("fade", "all")
SLIPS = ("text", "markdown", "latex")
DTYPES = ("float64", "float32", "bfloat16")

LIMIT = click.option(
    "--limit", "raises", multiple=True, metavar="NAME=N", help="Raise a limit, such as tokens=128."
)
FORCE = click.option("--force", is_flag=True, help="Overwrite files that are there already.")
TO = click.option(
    "--to", type=click.Choice(TARGETS), help="Format (default: by the ending of -o, else markdown)."
)
DETAIL = click.option(
    "--detail", type=click.Choice(DETAILS), default="products", show_default=True, help="How much working."
)
FADE = click.option(
    "--working",
    type=click.Choice(WORKING),
    default="fade",
    show_default=True,
    help="First row and head in full, or all.",
)
FLAVOUR = click.option(
    "--flavour", type=click.Choice(FLAVOURS), default="pandoc", show_default=True, help="Kind of Markdown."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="attnsolve")
def cli() -> None:
    """Worked solutions, step by step and exact, for exercises about the attention mechanism.

    A PROBLEM is a file, a folder of files, or the name of a bundled problem.
    """


@cli.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@TO
@click.option(
    "--sheet", type=click.Choice(SHEETS), default="solution", show_default=True, help="What to make."
)
@DETAIL
@FADE
@click.option(
    "--numbers", type=click.Choice(NUMBERS), help="How exact numbers print (default: as the file says)."
)
@click.option("--places", type=click.IntRange(0, 30), help="Decimal places (default: as the file says).")
@FLAVOUR
@click.option("-o", "--output", type=click.Path(), help="File or folder to write to (default: print).")
@FORCE
@LIMIT
def render(
    problems: tuple[str, ...],
    to: str | None,
    output: str | None,
    force: bool,
    raises: tuple[str, ...],
    **choices: Any,
) -> None:
    """Write the worked solution, or the exercise sheet, of problems."""
    from attnsolve import batch
    from attnsolve.limits import raised
    from attnsolve.rendering import Settings

    paths = batch.gather(problems)
    settings = Settings(to=to or target_of(output), maps=output is not None, **choices)
    places = batch.destinations(paths, output, settings) if output is not None else {}
    work = batch.render_all(paths, settings, limits=raised(raises))
    worst = 0
    with progress(work, len(paths), printing=output is None) as (outcomes, say):
        for outcome in outcomes:
            try:
                if outcome.document is None:
                    raise outcome.error or AttnsolveError("no document was made")
                if output is None:
                    click.echo(outcome.document.text, nl=False)
                else:
                    batch.write(outcome.document, places[outcome.path], force=force, say=say)
            except AttnsolveError as error:
                worst = max(worst, complain(error, outcome.path, say=say))
    if worst:
        sys.exit(worst)


def tell(words: str) -> None:
    """Say something beside the output proper."""
    click.echo(words, err=True)


def target_of(output: str | None) -> str:
    """The format that the name of the output asks for."""
    endings = {".tex": "latex", ".json": "json", ".md": "markdown", ".markdown": "markdown", "": "markdown"}
    ending = Path(output).suffix if output and not output.endswith("/") else ""
    if ending not in endings and not Path(output or "").is_dir():
        cure = (
            "write a .tex file and run pdflatex on it"
            if ending == ".pdf"
            else "say --to markdown, latex or json"
        )
        raise UsageError(f"'{output}': {ending} is not a format of ours; {cure}")
    return endings.get(ending, "markdown")


@contextmanager
def progress(
    work: Iterator[Any], count: int, *, printing: bool, label: str = "Rendering"
) -> Iterator[tuple[Iterator[Any], Callable[[str], None]]]:
    """A progress bar where somebody watches a longer run; what there is to say then waits until it ends."""
    if count < 3 or printing or not sys.stderr.isatty():
        yield work, tell
        return
    waiting: list[str] = []
    with click.progressbar(work, length=count, label=label, file=sys.stderr) as bar:
        yield iter(bar), waiting.append
    for words in waiting:
        tell(words)


@cli.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
@LIMIT
def lint(problems: tuple[str, ...], as_json: bool, raises: tuple[str, ...]) -> None:
    """Check problem files without solving them (published answers aside)."""
    from attnsolve import batch
    from attnsolve.limits import raised
    from attnsolve.lint import check

    findings = [finding for path in batch.gather(problems) for finding in check(path, limits=raised(raises))]
    if as_json:
        import json

        errors = [finding.record() for finding in findings]
        click.echo(
            json.dumps(
                {"schema": 1, "ok": not any(f.exit_code for f in findings), "errors": errors}, indent=2
            )
        )
    else:
        for finding in findings:
            click.echo(str(finding.fault), err=True)
        if not findings:
            click.echo("no faults found")
    worst = max((finding.exit_code for finding in findings), default=0)
    if worst:
        sys.exit(worst)


@cli.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@click.option(
    "--dtype", type=click.Choice(DTYPES), default="float64", show_default=True, help="torch's precision."
)
@click.option("--json", "as_json", is_flag=True, help="The comparisons as JSON.")
@click.option("--script", "as_script", is_flag=True, help="Write a torch file that needs no attnsolve.")
@click.option("-o", "--output", type=click.Path(), help="Where --script writes to (default: print).")
@FORCE
@LIMIT
def check(
    problems: tuple[str, ...],
    dtype: str,
    as_json: bool,
    as_script: bool,
    output: str | None,
    force: bool,
    raises: tuple[str, ...],
) -> None:
    """Run problems through PyTorch itself, step by step and as whole layers, and compare."""
    from attnsolve import batch
    from attnsolve.limits import raised

    if output is not None and not as_script:
        raise UsageError("-o belongs to --script; say both, or redirect what check prints")
    if as_script and as_json:
        raise UsageError("--script writes a Python file and --json a report; choose one")
    paths, limits, worst = batch.gather(problems), raised(raises), 0
    if as_script:
        sys.exit(write_scripts(paths, output, limits=limits, force=force))
    compare, say = companion(as_json)
    for number, path in enumerate(paths):
        try:
            found = compare(batch.solved(path, limits=limits), dtype=dtype)
        except AttnsolveError as error:
            worst = max(worst, complain(error, path))
            continue
        if number and not as_json:
            click.echo()
        for line in say(found):
            click.echo(line)
        worst = max(worst, 0 if found.fine else 1)
    if worst:
        sys.exit(worst)


def write_scripts(paths: list[Path], output: str | None, *, limits: Limits, force: bool) -> int:
    """A torch file for each problem, printed or written; the worst exit code."""
    from attnsolve import batch
    from attnsolve.rendering import Document

    with needing_torch():
        from attnsolve.companion.script import script
    places = {} if output is None else batch.placed(paths, output, ".py", files=(".py",))
    worst = 0
    for path in paths:
        try:
            text = script(batch.solved(path, limits=limits))
            if output is None:
                click.echo(text, nl=False)
            else:
                batch.write(Document(text), places[path], force=force, say=tell)
        except AttnsolveError as error:
            worst = max(worst, complain(error, path))
    return worst


def companion(as_json: bool) -> tuple[Callable[..., Any], Callable[[Any], Iterator[str]]]:
    """The comparison with torch and how its outcome is told."""
    import json

    with needing_torch():
        from attnsolve.companion import check as compare
        from attnsolve.companion.text import lines, record
    return compare, (lambda found: iter([json.dumps(record(found), indent=2)])) if as_json else lines


@contextmanager
def needing_torch() -> Iterator[None]:
    """Say how to get torch where it is missing: it is no part of a plain installation."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise AttnsolveError(
            "PyTorch is not installed; get its small CPU build with: pip install 'attnsolve[torch]' "
            "-c constraints.txt (or: pip install torch==2.13.0)"
        ) from None


@cli.command()
@click.argument("layer", type=click.Path(path_type=Path))
@click.option(
    "--input", "tokens", required=True, help="The tokens: a .pt or .safetensors file, or typed: '1 2; 3 4'."
)
@click.option("--heads", type=click.IntRange(1), help="How many heads the layer has.")
@click.option("--places", type=click.IntRange(0, 30), help="Round its numbers so (default: 2).")
@click.option("--exact", is_flag=True, help="Take its numbers exactly, as the fractions that floats are.")
@click.option("-o", "--output", type=click.Path(), help="File to write; a .yaml gets the problem itself.")
@TO
@DETAIL
@FADE
@FLAVOUR
@FORCE
@LIMIT
def explain(
    layer: Path,
    tokens: str,
    heads: int | None,
    places: int | None,
    exact: bool,
    output: str | None,
    to: str | None,
    force: bool,
    raises: tuple[str, ...],
    **choices: Any,
) -> None:
    """Work out a trained nn.MultiheadAttention by hand, from its state dict (.pt, .safetensors).

    Nothing in LAYER is run: torch.save(layer.state_dict(), 'layer.pt') writes what is read.
    """
    from attnsolve import batch
    from attnsolve.engine import solve
    from attnsolve.limits import raised
    from attnsolve.loader import loads
    from attnsolve.rendering import Document, Settings
    from attnsolve.rendering import render as rendered

    if exact and places is not None:
        raise UsageError("--places rounds and --exact does not; choose one")
    rounded = None if exact else 2 if places is None else places
    as_problem = output is not None and Path(output).suffix in batch.PROBLEM_SUFFIXES
    settings = Settings(
        to=to or target_of(None if as_problem else output), maps=output is not None, **choices
    )
    with needing_torch():
        from attnsolve.companion.explanation import explain as written
    limits = raised(raises)
    text = written(layer, tokens, heads=heads, places=rounded, limits=limits)
    problem = loads(text, name=Path(output or layer).name, limits=limits)
    document = Document(text) if as_problem else rendered(solve(problem), settings=settings)
    if output is None:
        click.echo(document.text, nl=False)
    else:
        batch.write(document, Path(output), force=force, say=tell)


@cli.command()
@click.argument("problem")
@click.argument("answers")
@click.option("--to", type=click.Choice(SLIPS), default="text", show_default=True, help="Kind of slip.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.option(
    "--hints", type=click.IntRange(1, 4), help="For students: the step, the number, the slip, the value."
)
@click.option("--no-truncation", is_flag=True, help="Cut-off decimals are wrong, not rounded differently.")
@LIMIT
def verify(
    problem: str,
    answers: str,
    to: str,
    as_json: bool,
    hints: int | None,
    no_truncation: bool,
    raises: tuple[str, ...],
) -> None:
    """Judge a hand calculation: ANSWERS is a file, - for the screen's input, or the answers themselves."""
    import json
    from dataclasses import replace

    from attnsolve import batch
    from attnsolve.limits import raised
    from attnsolve.rendering.feedback import feedback
    from attnsolve.verifier.judgement import verify as judge
    from attnsolve.verifier.reading import read_submission, understood

    limits = raised(raises)
    trace = batch.solved(batch.find(problem), limits=limits)
    typed = sys.stdin.read() if answers == "-" else file_or_text(answers)
    submission = read_submission(typed, limits=limits)
    scheme = trace.problem.scheme
    report = judge(trace, submission, scheme=replace(scheme, truncation=False) if no_truncation else scheme)
    if as_json:
        click.echo(json.dumps(report.record(), indent=2, ensure_ascii=False))
    else:
        tell(understood(submission).rstrip())
        click.echo(feedback(trace, report, to=to, hints=hints).text, nl=False)
    sys.exit(report.exit_code)


@cli.command()
@click.argument("problem")
@click.argument("submissions", nargs=-1, type=click.Path())
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The marks, as CSV (default: print).")
@click.option("--type", "typed", is_flag=True, help="Judge compact lines as they are typed.")
@click.option("-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")
@click.option("--slips", type=click.Path(path_type=Path), help="Folder for a feedback slip each.")
@click.option(
    "--to", type=click.Choice(SLIPS), default="text", show_default=True, help="Format of the slips."
)
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
@click.option("--fresh", is_flag=True, help="Grade everything again, whatever the journal has.")
@click.option("--raw-csv", "raw", is_flag=True, help="Leave cells that look like formulas as they are.")
@click.option("--bom", is_flag=True, help="Start the CSV with a byte order mark, for Excel.")
@FORCE
@LIMIT
def grade(
    problem: str,
    submissions: tuple[str, ...],
    output: Path | None,
    typed: bool,
    jobs: int,
    slips: Path | None,
    to: str,
    as_json: bool,
    fresh: bool,
    raw: bool,
    bom: bool,
    force: bool,
    raises: tuple[str, ...],
) -> None:
    """Grade a class: a folder of answers, a CSV, a pile in one text (`@ student`), or a zip.

    A journal beside the marks keeps what is done: a run that was stopped goes on, and what has not
    changed is not graded again.
    """
    from attnsolve import batch
    from attnsolve.grading.assignment import Assignment
    from attnsolve.limits import raised

    assignment = Assignment(batch.find(problem), raised(raises), __version__)
    if typed:
        if submissions or output is not None:
            raise UsageError("--type takes its lines from the keyboard; name no files")
        type_in(assignment)
        return
    if not submissions:
        raise UsageError("name what was handed in: a folder, a file or a zip; or say --type")
    from attnsolve.grading import reporting
    from attnsolve.grading.session import Session
    from attnsolve.grading.sources import gather

    pieces = gather(submissions, limits=assignment.limits)
    session = Session(assignment, pieces, output, fresh=fresh, force=force, jobs=jobs)
    with progress(session.run(), len(pieces), printing=False, label="Grading") as (work, _):
        for _ in work:
            pass
    text = session.write(raw=raw, bom=bom)
    if output is None:
        click.echo(text, nl=False)
    if slips is not None:
        from attnsolve.grading.slips import write_slips

        write_slips(assignment, session.marks, slips, to=to, force=force)
    for line in reporting.lines(session, as_json=as_json):
        click.echo(line, err=output is None)
    for words in reporting.complaints(session):
        tell(words)
    worst = reporting.exit_code(session)
    if worst:
        sys.exit(worst)


def type_in(assignment: Assignment) -> None:
    """Answer each line that is typed with its verdict, at once."""
    from attnsolve.grading.desk import Desk

    with Desk(assignment) as desk:
        for words in desk.judge(iter(sys.stdin.readline, "")):
            click.echo(words)


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


@cli.command()
@click.argument("name")
@click.option("--force", is_flag=True, help="Overwrite the file if it is there already.")
def new(name: str, force: bool) -> None:
    """Write a commented starter file NAME.yaml that renders at once."""
    from attnsolve.loader.starter import starter

    target = Path(f"{name.removesuffix('.yaml')}.yaml")
    text = starter(target.stem) if target.name == str(target) else starter(str(target))
    if target.exists() and not force:
        raise AttnsolveError(f"'{target}' is there already; --force overwrites it")
    target.write_text(text, encoding="utf-8")
    click.echo(f"{target} is written; try: attnsolve render {target}", err=True)


@cli.command()
def problems() -> None:
    """List the bundled problems."""
    from attnsolve import batch
    from attnsolve.loader import load

    for path in batch.bundled():
        problem = load(path)
        click.echo(f"{path.stem:<28} {problem.title}")
        if problem.source:
            click.echo(f"{'':<28} {problem.source}")


@cli.command()
def schema() -> None:
    """Print the JSON Schema of the problem format, for editors."""
    import json

    from attnsolve.loader.schema import json_schema

    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


@cli.command()
@LIMIT
def limits(raises: tuple[str, ...]) -> None:
    """Print every limit and its value."""
    from dataclasses import asdict

    from attnsolve.limits import raised

    for name, value in asdict(raised(raises)).items():
        click.echo(f"{name:<12} {value}")


def complain(error: AttnsolveError, path: Path | None = None, *, say: Callable[[str], None] = tell) -> int:
    """Say what is wrong on stderr and give the exit code for it."""
    where = f"{path}: " if path is not None and not isinstance(error, ProblemError) else ""
    kept = (
        f"; details in {report(error.__cause__)}" if isinstance(error, BugFound) and error.__cause__ else ""
    )
    say(f"{where}{error}{kept}")
    return error.exit_code


def main() -> NoReturn:
    """Run a command; whatever goes wrong ends in a sentence and an exit code, never in a traceback."""
    try:
        cli.main(standalone_mode=False)
    except AttnsolveError as error:
        sys.exit(complain(error))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        tell(f"attnsolve hit a bug ({type(error).__name__}); details in {report(error)}")
        sys.exit(BugFound.exit_code)
    sys.exit(0)


def report(error: BaseException) -> str:
    """Keep the details of a bug in a file, and say where."""
    import tempfile
    import traceback

    details = "".join(traceback.format_exception(error))
    with tempfile.NamedTemporaryFile(
        "w", prefix="attnsolve-error-", suffix=".txt", delete=False, encoding="utf-8"
    ) as stream:
        stream.write(f"attnsolve {__version__}\n{' '.join(sys.argv)}\n\n{details}")
    return stream.name
