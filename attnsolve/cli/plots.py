"""The command that draws: attention maps, and weights against temperature."""

from __future__ import annotations

from pathlib import Path

import click

from attnsolve.cli.options import FORCE, LANG, LIMIT
from attnsolve.cli.speech import tell
from attnsolve.cli.waiting import naming_what_is_slow
from attnsolve.errors import UsageError

ENDINGS = (".svg", ".png")


@click.command()
@click.argument("problem")
@click.argument("values", nargs=-1)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="An .svg or .png file (default: print SVG)."
)
@click.option(
    "--against", type=click.Choice(["temperature"]), help="A curve over the cases of a part instead of maps."
)
@click.option(
    "--scale", type=click.IntRange(1, 8), default=2, show_default=True, help="Pixels of a PNG for each unit."
)
@LANG
@FORCE
@LIMIT
def plot(
    problem: str,
    values: tuple[str, ...],
    output: Path | None,
    against: str | None,
    scale: int,
    lang: str | None,
    force: bool,
    raises: tuple[str, ...],
) -> None:
    """Draw attention maps, heads side by side, or weights against temperature, as SVG or PNG.

    VALUES are weights such as c.head1.A c.head2.A; without any, those that the file plots, or all.
    """
    from attnsolve import batch
    from attnsolve.limits import raised
    from attnsolve.rendering.curves import plot_temperatures
    from attnsolve.rendering.plots import plot_maps
    from attnsolve.rendering.raster import png

    if output is not None and output.suffix.lower() not in ENDINGS:
        raise UsageError(f"'{output}': a picture ends in .svg or .png")
    if against and values:
        raise UsageError("--against draws all cases of a part; name no values")
    with naming_what_is_slow(problem):
        trace = batch.solved(batch.find(problem), limits=raised(raises))
        made = plot_temperatures(trace, lang=lang) if against else plot_maps(trace, values, lang=lang)
    if output is None:
        click.echo(made.svg, nl=False)
        return
    content = png(made.svg, scale=scale) if output.suffix.lower() == ".png" else made.svg
    batch.write_files({output: content}, force=force)
    tell(str(output))
