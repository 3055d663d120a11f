"""The problem file of a layer or a model that was read off its state dict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attnsolve.companion.explained import Explained, Setting
from attnsolve.companion.listing import Rows, spelled_number
from attnsolve.companion.tokens import read_tokens
from attnsolve.errors import LayerError
from attnsolve.limits import Limits


def written(found: Explained, tokens: str, context: str | None, *, places: int | None, limits: Limits) -> str:
    """The problem file, in torch's own layout."""
    if found.has_context and context is None:
        raise LayerError("a decoder's layer looks at an encoder's output; give it with --context '1 2; 3 4'")
    if not found.has_context and context is not None:
        raise LayerError("there is no attention to a context in it; leave --context out")
    given, settings = {}, dict(found.settings)
    read = read_tokens(tokens, places, limits)
    if found.reads_words:
        settings = {"words": words_of(read, len(found.given["E"])), **settings}
    else:
        given["X"], settings = read, {"input": "X", **settings}
    if context is not None:
        given["Y"], settings = read_tokens(context, places, limits), {**settings, "context": "Y"}
    for name, value in found.given.items():
        given[name] = [[spelled_number(x, name, places) for x in row] for row in value.tolist()]
    if not found.reads_words:
        check_widths(given)
    stored = "exactly as they are stored" if places is None else f"rounded to {places} places"
    lines = [
        "format: 1",
        f"title: {found.title}",
        f"intro: >-\n  {found.intro}",
        "convention: torch",
        *(["index_from: 0"] if found.reads_words else []),
        f"numbers: {'fractions' if places is None else 'decimals'}",
        "given:",
        *(line for name, rows in given.items() for line in matrix_lines(name, rows)),
        "parts:",
        f"  - ask: Find what comes out; the numbers are {stored}.",
        f"    {found.recipe}:",
        *setting_lines(settings, "      "),
        f"    find: [{', '.join(found.find)}]",
    ]
    return "\n".join(lines) + "\n"


def check_widths(given: Mapping[str, Rows]) -> None:
    """Refuse tokens that the layer cannot take."""
    width = len(given["W_1"][0])
    for name, what in (("X", "input"), ("Y", "context")):
        if name in given and len(given[name][0]) != width:
            has = len(given[name][0])
            raise LayerError(f"a token of the {what} has {has} numbers, the layer expects {width}")


def words_of(rows: Rows, known: int) -> str:
    """The numbers of words, counted from 0, as `3 1 2` types them."""
    words = [cell for row in rows for cell in row]
    for word in words:
        if not word.isdigit() or int(word) >= known:
            said = f"'{word}' is no word; the input of a model is numbers from 0 to {known - 1}"
            raise LayerError(f"{said}, such as --input '1 0 2'")
    return f"[{', '.join(words)}]"


def matrix_lines(name: str, rows: Rows) -> Iterator[str]:
    """A matrix as a block."""
    yield f"  {name}: |"
    yield from (f"    {' '.join(row)}" for row in rows)


def setting_lines(settings: Mapping[str, Setting], before: str) -> Iterator[str]:
    """The keys of a recipe, a line each; maps in maps and lists beneath them."""
    for name, value in settings.items():
        if isinstance(value, str):
            yield f"{before}{name}: {value}"
        elif isinstance(value, list):
            yield f"{before}{name}:"
            for one in value:
                yield f"{before}  - {flow(one)}"
        else:
            yield f"{before}{name}: {flow(value)}"


def flow(settings: Mapping[str, Setting]) -> str:
    """A map on one line."""
    return f"{{{', '.join(f'{name}: {value}' for name, value in settings.items())}}}"
