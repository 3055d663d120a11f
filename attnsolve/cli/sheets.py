"""Commands on problem files: solutions and sheets, faults, starters, what is bundled and what is allowed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from attnsolve.cli.options import (
    DETAIL,
    ENGINE,
    FADE,
    FLAVOUR,
    FORCE,
    FORM,
    INK,
    LANG,
    LIMIT,
    PLACES,
    SHEETS,
    STYLE,
    TO,
    WRAP,
    engine_for,
    target_of,
)
from attnsolve.cli.speech import complain, progress, tell
from attnsolve.cli.waiting import naming_what_is_slow
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.input_files import place_of

if TYPE_CHECKING:
    from attnsolve.batch import Outcome
    from attnsolve.lint.notices import Notice
    from attnsolve.rendering import Document, Settings


@click.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@TO
@click.option(
    "--sheet", type=click.Choice(SHEETS), default="solution", show_default=True, help="What to make."
)
@DETAIL
@FADE
@FORM
@PLACES
@FLAVOUR
@WRAP
@LANG
@click.option("-o", "--output", type=click.Path(), help="File or folder to write to (default: print).")
@STYLE
@INK
@click.option("--fragment", is_flag=True, help="The body alone, to go into another document.")
@ENGINE
@FORCE
@LIMIT
def render(
    problems: tuple[str, ...],
    to: str | None,
    output: str | None,
    style: Path | None,
    saves_ink: bool,
    fragment: bool,
    engine: str | None,
    force: bool,
    raises: tuple[str, ...],
    **choices: Any,
) -> None:
    """Write the worked solution, or the exercise sheet, of problems."""
    from attnsolve import batch
    from attnsolve.cli.styles import in_style
    from attnsolve.limits import raised
    from attnsolve.rendering import Settings

    limits = raised(raises)
    paths = batch.gather(problems)
    target = to or target_of(output)
    printer = engine_for(target, engine)
    try:
        settings = Settings(to=target, maps=output is not None, engine=printer, **choices)
    except ValueError as error:  # choices that do not go together
        raise UsageError(str(error)) from None
    check_place(settings, output, fragment=fragment)
    with in_style(style, limits, fragment=fragment, saves_ink=saves_ink):
        if batch.is_one_document(paths, output, settings):
            name = "exercises" if output is None else Path(output).stem
            with naming_what_is_slow(name):
                document = batch.render_together(paths, name, settings, limits=limits)
            warn(document, settings, tell)
            put(document, output, paths, force=force)
            return
        places = batch.destinations(paths, output, settings) if output is not None else {}
        work = batch.render_all(paths, settings, limits=limits)
        worst, titles = 0, {}
        with progress(work, len(paths), printing=output is None) as (outcomes, say):
            for outcome in each_named(outcomes, paths, say):
                try:
                    if outcome.document is None:
                        raise outcome.error or AttnsolveError("no document was made")
                    warn(outcome.document, settings, say, about=f"{outcome.path}: ")
                    if output is None:
                        print_document(outcome.document.content, is_chosen=to is not None)
                    else:
                        batch.write(outcome.document, places[outcome.path], force=force, say=say)
                        titles[places[outcome.path]] = outcome.title
                except AttnsolveError as error:
                    worst = max(worst, complain(error, outcome.path, say=say))
        listed = None if fragment else batch.index(titles, settings)
        if listed is not None:
            batch.write(listed[1], listed[0], force=force, say=tell)
    if worst:
        sys.exit(worst)


def each_named(
    outcomes: Iterator[Outcome], paths: list[Path], say: Callable[[str], None]
) -> Iterator[Outcome]:
    """What becomes of each file; where one takes long, it is told for what."""
    for path in paths:
        with naming_what_is_slow(str(path), say):
            outcome = next(outcomes)
        yield outcome


def check_place(settings: Settings, output: str | None, *, fragment: bool) -> None:
    """Refuse what nobody can read, before anything is solved."""
    from attnsolve.rendering.dialects import PDF

    if settings.to == PDF and output is None and sys.stdout.isatty():
        raise UsageError("a PDF goes into a file: say -o page.pdf")
    if settings.to == PDF and fragment:
        raise UsageError("--fragment is for documents that go into others; a PDF is whole")


def print_document(text: str | bytes, *, is_chosen: bool) -> None:
    """Print a document: as it is into pipes and where its format was chosen, readable on a terminal."""
    if isinstance(text, bytes) or is_chosen or not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from attnsolve.cli.shows import put_page, usual_width

    put_page(text, usual_width())


def warn(document: Document, settings: Settings, say: Callable[[str], None], *, about: str = "") -> None:
    """Say which letters of a document an engine of LaTeX lacks."""
    from attnsolve.rendering.engines import warning

    said = warning([document.text], settings.engine) if settings.to == "latex" else None
    if said:
        say(f"{about}{said}")


def put(document: Document, output: str | None, paths: list[Path], *, force: bool) -> None:
    """Print the one document of several files, or write it."""
    from attnsolve import batch

    if output is None:
        click.echo(document.content, nl=False)
        return
    if place_of(Path(output)) in map(place_of, paths):
        raise UsageError(f"'{output}' is one of the files it is made of; name another place")
    batch.write(document, Path(output), force=force, say=tell)


@click.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
@LIMIT
def lint(problems: tuple[str, ...], as_json: bool, raises: tuple[str, ...]) -> None:
    """Check problem files: faults, steps without a value, published answers."""
    from attnsolve import batch
    from attnsolve.limits import raised
    from attnsolve.lint import check

    findings: list[Notice] = []
    for path in batch.gather(problems):
        with naming_what_is_slow(str(path)):
            findings += check(path, limits=raised(raises))
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
            tell(str(finding.fault))
        if not findings:
            click.echo("no faults found")
    worst = max((finding.exit_code for finding in findings), default=0)
    if worst:
        sys.exit(worst)


@click.command()
@click.argument("name")
@click.option("--force", is_flag=True, help="Overwrite the file if it is there already.")
def new(name: str, force: bool) -> None:
    """Write a commented starter file NAME.yaml that renders at once."""
    from attnsolve.loader.starter import starter
    from attnsolve.whole_files import replace_file

    target = Path(f"{name.removesuffix('.yaml')}.yaml")
    text = starter(target.stem) if target.name == str(target) else starter(str(target))
    if target.exists() and not force:
        raise AttnsolveError(f"'{target}' is there already; --force overwrites it")
    replace_file(target, text)
    tell(f"{target} is written; try: attnsolve render {target}")


@click.command()
def problems() -> None:
    """List the bundled problems."""
    from attnsolve.bundled import problem_files
    from attnsolve.loader import load

    for path in problem_files().values():
        problem = load(path)
        click.echo(f"{path.stem:<28} {problem.title}")
        if problem.source:
            click.echo(f"{'':<28} {problem.source}")


@click.command()
@click.option("--sheet", "of_sheet", is_flag=True, help="That of sheet files: several problems in one.")
@click.option("--style", "of_style", is_flag=True, help="That of house styles.")
@click.option("--trace", "of_trace", is_flag=True, help="That of what --to json writes.")
def schema(of_sheet: bool, of_style: bool, of_trace: bool) -> None:
    """Print the JSON Schema of the problem format, for editors."""
    import json

    from attnsolve.loader.schema import json_schema, set_schema
    from attnsolve.loader.styles import style_schema
    from attnsolve.rendering.trace_schema import trace_schema

    chosen = {trace_schema: of_trace, style_schema: of_style, set_schema: of_sheet, json_schema: True}
    made = next(make for make, is_wanted in chosen.items() if is_wanted)()
    click.echo(json.dumps(made, indent=2, ensure_ascii=False))


@click.command()
def ops() -> None:
    """List every op that a plan can call, with its matrices and settings."""
    from attnsolve.ops import OPS

    for op in OPS:
        click.echo(op.signature)
        click.echo(f"    {op.title}.")
        click.echo(f"    {op.rule.__doc__}")
        for option in op.options:
            words = f" ({', '.join(option.choices)})" if option.choices else ""
            click.echo(f"    {option.name}: {option.doc}{words}")
        for inner in op.inner:
            click.echo(f"    inside it, {inner.name}: {inner.op.title}")


@click.command()
def maths() -> None:
    """List what a text may hold: its markup, and the commands of maths in it."""
    from attnsolve.maths.listing import listing

    click.echo(listing(), nl=False)


@click.command()
@LIMIT
def limits(raises: tuple[str, ...]) -> None:
    """Print every limit and its value."""
    from attnsolve.limits import raised

    for name, value in raised(raises)._asdict().items():
        click.echo(f"{name:<12} {value}")
