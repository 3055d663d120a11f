"""Commands that need PyTorch: does it agree, and what does a trained layer do?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from attnsolve.cli.options import (
    DETAIL,
    DTYPES,
    FADE,
    FLAVOUR,
    FORCE,
    LANG,
    LIBRARIES,
    LIMIT,
    STYLE,
    TO,
    target_of,
)
from attnsolve.cli.speech import complain, print_line, tell
from attnsolve.cli.styles import in_style
from attnsolve.cli.waiting import naming_what_is_slow
from attnsolve.errors import AttnsolveError, UsageError

if TYPE_CHECKING:
    from attnsolve.limits import Limits


@click.command()
@click.argument("problems", nargs=-1, required=True, metavar="PROBLEM...")
@click.option(
    "--dtype", type=click.Choice(DTYPES), default="float64", show_default=True, help="torch's precision."
)
@click.option("--json", "as_json", is_flag=True, help="The comparisons as JSON.")
@click.option("--script", "as_script", is_flag=True, help="Write a Python file that needs no attnsolve.")
@click.option(
    "--library",
    type=click.Choice(LIBRARIES),
    default=LIBRARIES[0],
    show_default=True,
    help="What that file computes with.",
)
@click.option("-o", "--output", type=click.Path(), help="Where --script writes to (default: print).")
@FORCE
@LIMIT
def check(
    problems: tuple[str, ...],
    dtype: str,
    as_json: bool,
    as_script: bool,
    library: str,
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
        sys.exit(write_scripts(paths, output, library, limits=limits, force=force))
    compare, say = companion(as_json)
    for number, path in enumerate(paths):
        try:
            with naming_what_is_slow(str(path)):
                found = compare(batch.solved(path, limits=limits), dtype=dtype)
        except AttnsolveError as error:
            worst = max(worst, complain(error, path))
            continue
        if number and not as_json:
            click.echo()
        for line in say(found):
            print_line(line)
        worst = max(worst, 0 if found.fine else 1)
    if worst:
        sys.exit(worst)


def write_scripts(paths: list[Path], output: str | None, library: str, *, limits: Limits, force: bool) -> int:
    """A file for torch or NumPy for each problem, printed or written; the worst exit code."""
    from attnsolve import batch
    from attnsolve.companion.libraries import NUMPY, TORCH
    from attnsolve.companion.script import script
    from attnsolve.rendering import Document

    chosen = next(one for one in (TORCH, NUMPY) if one.package == library)
    places = {} if output is None else batch.placed(paths, output, ".py", files=(".py",))
    worst = 0
    for path in paths:
        try:
            with needing_torch():
                text = script(batch.solved(path, limits=limits), library=chosen)
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
        from attnsolve.companion.checking import check as compare
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
    except ImportError as error:  # such as where there is too little memory for it
        if (error.name or "").startswith("attnsolve"):
            raise
        raise AttnsolveError(f"torch cannot be loaded: {error}") from None


@click.command()
@click.argument("layer", type=click.Path(path_type=Path))
@click.option(
    "--input",
    "tokens",
    required=True,
    help="The tokens: a .pt or .safetensors file, or typed: '1 2; 3 4'; of a model the words: '3 1 2'.",
)
@click.option("--context", help="What keys and values come from, if not the input; given in the same way.")
@click.option("--value-context", help="What values come from, if not the context (vdim is not kdim).")
@click.option("--activation", type=click.Choice(("relu", "gelu")), help="Of a layer's feed-forward.")
@click.option(
    "--norm-first", is_flag=True, default=None, help="Its norms stand before attention and feed-forward."
)
@click.option("--heads", type=click.IntRange(1), help="How many heads the layer has.")
@click.option("--places", type=click.IntRange(0, 30), help="Round its numbers so (default: 2).")
@click.option("--exact", is_flag=True, help="Take its numbers exactly, as the fractions that floats are.")
@click.option("-o", "--output", type=click.Path(), help="File to write; a .yaml gets the problem itself.")
@TO
@DETAIL
@FADE
@FLAVOUR
@STYLE
@LANG
@FORCE
@LIMIT
def explain(
    layer: Path,
    tokens: str,
    context: str | None,
    value_context: str | None,
    activation: str | None,
    norm_first: bool | None,
    heads: int | None,
    places: int | None,
    exact: bool,
    output: str | None,
    to: str | None,
    style: Path | None,
    force: bool,
    raises: tuple[str, ...],
    **choices: Any,
) -> None:
    """Work out a trained layer or model by hand, from its state dict (.pt, .safetensors).

    LAYER is an nn.MultiheadAttention, nn.TransformerEncoderLayer or nn.TransformerDecoderLayer,
    or a small model with the parameter names of GPT-2 or Llama.

    Nothing in LAYER is run: torch.save(layer.state_dict(), 'layer.pt') writes what is read.
    """
    from attnsolve import batch
    from attnsolve.engine import solve
    from attnsolve.limits import raised
    from attnsolve.loader import loads
    from attnsolve.loader.files import PROBLEM_ENDINGS
    from attnsolve.rendering import Document, Settings

    if exact and places is not None:
        raise UsageError("--places rounds and --exact does not; choose one")
    rounded = None if exact else 2 if places is None else places
    as_problem = output is not None and Path(output).suffix in PROBLEM_ENDINGS
    settings = Settings(
        to=to or target_of(None if as_problem else output), maps=output is not None, **choices
    )
    with needing_torch():
        from attnsolve.companion.explained import Choices
        from attnsolve.companion.explanation import explain as written
    limits = raised(raises)
    told = Choices(heads, activation, norm_first or None)
    text = written(
        layer,
        tokens,
        choices=told,
        context=context,
        value_context=value_context,
        places=rounded,
        limits=limits,
    )
    problem = loads(text, name=Path(output or layer).name, limits=limits)
    with in_style(style, limits), naming_what_is_slow(problem.name):
        document = Document(text) if as_problem else batch.rendered(solve(problem), settings)
    if output is None:
        click.echo(document.text, nl=False)
    else:
        batch.write(document, Path(output), force=force, say=tell)
