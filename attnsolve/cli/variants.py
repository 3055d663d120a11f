"""Commands that draw exams: `attnsolve variants PROBLEM …`, keys, and whether a problem stands the strain."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from attnsolve import __version__
from attnsolve.cli.commands import Commands, Elsewhere
from attnsolve.cli.options import (
    DETAIL,
    ENCODING,
    ENGINE,
    FLAVOUR,
    INK,
    LANG,
    LIMIT,
    STYLE,
    WRAP,
    engine_for,
)
from attnsolve.cli.speech import print_line, tell
from attnsolve.cli.styles import in_style
from attnsolve.cli.waiting import learning, resumable, watched
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.pdf_engines import Engine
from attnsolve.rendering.dialects import NOTEBOOK, OF_PAPERS, PDF

if TYPE_CHECKING:
    from attnsolve.papers import Layout

# Written out here so that --help loads nothing; a test compares them.
SOLUTIONS, SIDES = ("each", "one", "none"), ("1", "2")
# Typst holds a table whole, and the key is one: some 300 kB for every paper of a small problem.
MANY_PAPERS = 2_000
HUNGRY = "one table, for which Typst may take gigabytes of memory; --engine pdflatex takes little"
SEED = click.option(
    "--seed", type=int, help="Decides the numbers; anybody may know it (default: 1). For practice."
)
KEY = click.option(
    "--key", "secret", type=click.Path(path_type=Path), help="A secret file that decides them. For exams."
)
JOBS = click.option(
    "-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes."
)


class DrawsByDefault(Commands):
    """A group in which the name of a problem, where a command would stand, means `draw`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words after `variants`, with `draw` put before what is no command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["draw", *args]
        return super().parse_args(ctx, args)


@click.group(cls=DrawsByDefault, subcommand_metavar="PROBLEM [OPTIONS] | COMMAND …")
def variants() -> None:
    """Draw an exam: for each student other numbers, the same work, and mistakes told apart.

    `attnsolve variants PROBLEM -n 200 --seed 2026 -o exam/` is short for `variants draw PROBLEM …`;
    'attnsolve variants draw --help' has its options. A file that is called like a command: ./list
    """


@variants.command()
@click.argument("problem")
@click.option("-n", "--number", type=click.IntRange(1, 10_000), help="So many variants, without names.")
@click.option("--roster", type=click.Path(path_type=Path), help="Students (CSV or Excel): one variant each.")
@ENCODING
@SEED
@KEY
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder (default: PROBLEM-exam).")
@click.option("--spares", type=click.IntRange(0, 1_000), help="So many more, for whoever needs one.")
@JOBS
@click.option("--title", help="Title of the exam (default: the problem's).")
@click.option("--course", help="Course, on the title page.")
@click.option("--date", help="Date, on the title page.")
@click.option("--minutes", type=click.IntRange(1, 1_000), help="Time allowed.")
@click.option("--instructions", help="What the title page asks of students.")
@click.option("--page", type=click.Choice(("a4", "letter")), help="Size of the paper (default: a4).")
@LANG
@click.option("--each", is_flag=True, help="A file for each variant instead of one document for all.")
@click.option("--names", is_flag=True, help="With --each: file names say whose they are.")
@click.option(
    "--answer-sheets", "answers_apart", is_flag=True, help="Papers with questions only, and answers apart."
)
@click.option(
    "--solutions", type=click.Choice(SOLUTIONS), help="A document for each paper, one for all, or none."
)
@click.option("--sides", type=click.Choice(SIDES), help="Print on one side of the paper, or on both.")
@DETAIL
@click.option(
    "--to",
    type=click.Choice(OF_PAPERS),
    help="Format: LaTeX to be run (default), PDFs to print, web pages, a notebook each, ….",
)
@FLAVOUR
@WRAP
@STYLE
@INK
@ENGINE
@click.option(
    "--fresh", is_flag=True, help="Draw anew what is locked, under new codes, but for what is pinned."
)
@click.option(
    "--force", is_flag=True, help="Overwrite files that were changed; withdraw many variants at once."
)
@LIMIT
def draw(
    problem: str,
    number: int | None,
    roster: Path | None,
    encoding: str,
    seed: int | None,
    secret: Path | None,
    output: Path | None,
    spares: int | None,
    jobs: int,
    each: bool,
    names: bool,
    answers_apart: bool,
    solutions: str | None,
    sides: str | None,
    detail: str,
    to: str | None,
    flavour: str,
    wrap: str | None,
    style: Path | None,
    saves_ink: bool,
    engine: str | None,
    fresh: bool,
    force: bool,
    raises: tuple[str, ...],
    **cover: Any,
) -> None:
    """Draw variants of a problem into a folder: exams, solutions, key, manifest, fairness report.

    What a folder has locked is never drawn again: run it again with a longer roster, and only those
    who are new get numbers. A run that was stopped goes on.
    """
    from attnsolve import batch
    from attnsolve.exams.claim import claimed
    from attnsolve.exams.folder import Folder
    from attnsolve.exams.kept_style import keep_style, kept_place
    from attnsolve.exams.opening import opened
    from attnsolve.exams.roster import read_roster
    from attnsolve.exams.seating import numbered
    from attnsolve.exams.seating import spares as spare_seats
    from attnsolve.limits import raised
    from attnsolve.papers import Layout, Sides, Solutions

    if number is not None and roster is not None:
        raise UsageError("-n and --roster both say who gets a variant; choose one (and --spares for more)")
    if names and not each and to != NOTEBOOK:
        raise UsageError("--names is about the files of --each; say both, or neither")
    to = to or "latex"
    chosen = Solutions(solutions or Solutions.USUAL), Sides(sides or Sides.USUAL)
    layout = Layout(each, names, detail, *chosen, answers_apart=answers_apart, saves_ink=saves_ink)
    layout = in_format(layout, to, flavour, wrap)
    printer = engine_for(to, engine)
    limits = raised(raises)
    path = batch.find(problem)
    target = output or Path(f"{path.stem}-exam")
    people = None if roster is None else read_roster(roster, encoding=encoding, limits=limits)
    for words in () if people is None else people.notes:
        tell(words)
    seats = people.seats if people is not None else None if number is None else numbered(number)
    folder = Folder(target)
    dressed = in_style(kept_place(folder, style), limits, saves_ink=saves_ink)
    with resumable(), claimed(folder, new=True), dressed as manner:
        with learning():
            exam = opened(
                path, target, seed, secret, release=__version__, fresh=fresh, limits=limits, say=tell
            )
            page = exam.cover(cover)
            plan = exam.plan(seats, None if spares is None else spare_seats(spares), force=force)
            said = exam.unprintable(plan, page, printer) if to in ("latex", PDF) else None
            if said and to == PDF:
                raise AttnsolveError(f"{said}; nothing was drawn")
            if said:
                tell(said)
            exam.making.learn(plan)
        making, count = exam.making, len(plan.entries)
        if printer is Engine.TYPST and to == PDF and count >= MANY_PAPERS:
            tell(f"the key of {count} papers: {HUNGRY}")
        checks = to == NOTEBOOK and secret is None and exam.is_public
        layout = replace(layout, engine=printer if to == PDF else None, checks=checks)
        with closing(making.draft(page, layout)) as draft:
            watched(making.run(plan, draft, jobs=jobs), count, "Drawing")
            if style is not None:
                keep_style(folder, manner.style)
            watched(making.write(draft, force=force, jobs=jobs), making.printed, "Writing")
    tell(f"{target}: {exam.summary(plan)}")


def in_format(layout: Layout, to: str, flavour: str, wrap: str | None) -> Layout:
    """How documents are cut in a format; what does not go together is refused before anything is drawn."""
    from attnsolve.papers import Solutions
    from attnsolve.rendering.settings import Settings

    try:
        is_wrapped = Settings(to=to, flavour=flavour, wrap=wrap).is_wrapped
    except ValueError as error:
        raise UsageError(str(error)) from None
    apart = {"--answer-sheets": layout.answers_apart, "--solutions one": layout.solutions is Solutions.ONE}
    for words in (name for name, is_said in apart.items() if is_said):
        if to == NOTEBOOK:
            raise UsageError(f"{words} is for papers that are printed; every variant has its own notebook")
        if is_wrapped:
            raise UsageError(f"{words} is for papers; in blocks of a book each has its solution below it")
    return replace(layout, to=to, each=layout.each or to == NOTEBOOK, flavour=flavour, is_wrapped=is_wrapped)


@variants.command()
@click.argument("file", type=click.Path(path_type=Path))
def key(file: Path) -> None:
    """Write a fresh secret that only you can read, for --key."""
    from attnsolve.exams.keys import write_key

    write_key(file)
    tell(f"{file} is written; keep it secret, and keep it: the exam's numbers come from it")


@variants.command()
@click.argument("problem")
@click.option(
    "-n", "--number", type=click.IntRange(1, 100_000), default=1_000, show_default=True, help="How many."
)
@SEED
@KEY
@JOBS
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@LIMIT
def stress(
    problem: str,
    number: int,
    seed: int | None,
    secret: Path | None,
    jobs: int,
    as_json: bool,
    raises: tuple[str, ...],
) -> None:
    """Draw many variants, write each solution, and report how often, how alike, and what fails."""
    import json

    from attnsolve import batch
    from attnsolve.exams.keys import chosen_key
    from attnsolve.exams.stress import Stress
    from attnsolve.limits import raised

    run = Stress(batch.find(problem), chosen_key(seed, secret), limits=raised(raises))
    with learning():
        run.learn()
    watched(run.run(number, jobs=jobs), number, "Drawing")
    print_line(json.dumps(run.record(), indent=2) if as_json else "\n".join(run.lines()))
    if run.failures:
        sys.exit(1)


# The first sentence of each is that of the real command; a test compares them.
ON_EXAMS = (
    Elsewhere("list", "exams", "List the codes of an exam and whose they are."),
    Elsewhere("affected", "exams", "Say whose key changes with a corrected problem, or with this release."),
    Elsewhere("reissue", "exams", "Give one student new numbers; nobody else is touched."),
    Elsewhere("reprint", "exams", "Write the exam and the solution of one code again."),
    Elsewhere("pin", "exams", "Keep a variant, whatever is drawn anew."),
    Elsewhere("diff", "exams", "Compare two variants, or two problem files: givens and answers that differ."),
)
for command in ON_EXAMS:
    variants.add_command(command)
