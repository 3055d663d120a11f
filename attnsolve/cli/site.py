"""The command that makes a practice site."""

from __future__ import annotations

from pathlib import Path

import click

from attnsolve.cli.options import FORCE, LANG, LIMIT
from attnsolve.cli.speech import tell
from attnsolve.errors import AttnsolveError, UsageError


@click.command()
@click.argument("problems", nargs=-1)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Folder."
)
@click.option("--title", default="", help="What stands above the list of exercises.")
@click.option("--serve", is_flag=True, help="Then show it on this machine (127.0.0.1), until Ctrl-C.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="For --serve; 0: any."
)
@LANG
@FORCE
@LIMIT
def site(
    problems: tuple[str, ...],
    output: Path,
    title: str,
    serve: bool,
    port: int,
    lang: str | None,
    force: bool,
    raises: tuple[str, ...],
) -> None:
    """Make a practice site: a static folder with exercises that browsers judge by themselves.

    Without PROBLEMS, `--serve` shows a folder that is there already. All numbers are public: the
    answers can be found in the pages. Exams are drawn by 'attnsolve variants'.
    """
    if problems:
        build(problems, output, title, lang, raises, force=force)
    elif not serve:
        raise UsageError("name the problems that go on the site, such as: attnsolve site problems/ -o site/")
    if serve:
        show(output, port)


def build(
    problems: tuple[str, ...],
    output: Path,
    title: str,
    lang: str | None,
    raises: tuple[str, ...],
    *,
    force: bool,
) -> None:
    """Make the folder, and say what is in it."""
    from attnsolve import batch
    from attnsolve.cli.waiting import watched
    from attnsolve.limits import raised
    from attnsolve.site.building import MOST_GZIPPED, Site, first_visit

    limits = raised(raises)
    paths = batch.gather(problems)
    made = Site(title=title, lang=lang, say=tell)
    made.add_engine()
    made.add_looks()
    watched(made.add_exercises(paths, limits=limits), len(paths), "Exercises")
    for path, why in made.skipped.items():
        tell(f"left out: {path}: {why}")
    made.finish()
    made.write(output, force=force)
    size = first_visit(made.sizes())
    tell(f"{output}: {len(made.listed)} exercises; the first visit loads {size / 1e6:.1f} MB compressed")
    if size > MOST_GZIPPED:
        tell(f"that is more than {MOST_GZIPPED / 1e6:.0f} MB, which is much for a phone")


def show(folder: Path, port: int) -> None:
    """Serve a folder until somebody presses Ctrl-C."""
    from attnsolve.site.serving import HERE, server

    if not (folder / "index.html").is_file():
        raise UsageError(f"'{folder}' has no site; make one: attnsolve site problems/ -o {folder}")
    try:
        serving = server(folder, port)
    except OSError as error:
        raise AttnsolveError(
            f"port {port} cannot be used: {error.strerror or error}; name another: --port 0"
        ) from None
    with serving:
        tell(f"http://{HERE}:{serving.server_address[1]}/ (Ctrl-C ends it)")
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            tell("ended")
