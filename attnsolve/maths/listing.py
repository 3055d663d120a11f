"""What `attnsolve maths` prints: what a text may hold, and every command that its maths may use."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from attnsolve.maths.commands import ENVIRONMENTS, GROWING, SIGNS, TAKING, Taking

WIDTH = 100
PROSE = r"""Texts (intro, ask, explain, discuss, note, instructions) are written in a small Markdown:

    paragraphs, with an empty line between them; a line that ends in \ ends there
    *emphasis*   **bold**   `code`   [words](https://…)   <https://…>   \$ \* for the signs themselves
    - a list, or 1. 2. 3.; what belongs to an item is indented, up to four levels
    ![what it shows](figure.png "caption"){width=60%}    a PNG, JPEG, PDF or SVG beside the problem
    | a | b |    a table: its second line is |---|---|, :-: and --: say where columns stand
    ```python    lines of code, up to the next ```
    $x$ and $$x$$    maths; macros: in the file adds commands

HTML, headings, quotations and rules are refused. Titles and labels are plain lines with $x$.
"""
INDENT = "    "


def listing() -> str:
    """Everything that maths takes, in groups."""
    return "\n".join((PROSE, *signs(), *with_arguments(), *the_rest())) + "\n"


def signs() -> Iterator[str]:
    """What prints something by itself."""
    yield "Maths stands between dollars: $x$ in a sentence, $$x$$ on lines of its own. It takes"
    yield "A-Z a-z 0-9 + - * / = < > ( ) [ ] | , . : ; ' ! ? ^ _ { } and these commands."
    for title, names in SIGNS.items():
        yield from group(title, names.split())


def with_arguments() -> Iterator[str]:
    """What takes something in braces."""
    for taking in TAKING:
        yield f"\n{taking.about}"
        yield from wrapped(f"\\{name}{braces(taking)}" for name in taking.commands.split())


def braces(taking: Taking) -> str:
    """{maths}{maths}: what a command takes."""
    return "".join(f"{{{kind.value}}}" for kind in taking.arguments)


def the_rest() -> Iterator[str]:
    """Brackets that grow, and environments."""
    yield from group("before a bracket, to make it larger: \\left( \\middle| \\right)", GROWING)
    yield "\nenvironments, with & between columns and \\\\ between rows"
    yield from wrapped(f"\\begin{{{name}}} … \\end{{{name}}}" for name in ENVIRONMENTS)


def group(title: str, names: Iterator[str] | list[str] | tuple[str, ...]) -> Iterator[str]:
    """Commands under a heading."""
    yield f"\n{title}"
    yield from wrapped(f"\\{name}" for name in names)


def wrapped(words: Iterator[str]) -> list[str]:
    """Words in lines, none of them torn."""
    lines = wrap(
        "  ".join(word.replace(" ", "\0") for word in words),
        WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [INDENT + line.replace("\0", " ") for line in lines]
