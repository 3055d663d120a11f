"""Jinja: sheets have the order and the wording, dialects the markup."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context

from attnsolve.bundled import data
from attnsolve.languages import ENGLISH, decimal_maths, translated
from attnsolve.languages import spoken as language
from attnsolve.rendering import prose
from attnsolve.rendering.completion import LETTERS, MATRICES, completed
from attnsolve.rendering.dialects import DIALECTS, DIALECTS_BY_NAME, Pictures
from attnsolve.rendering.escaping import line_start
from attnsolve.rendering.maps import colour, spoken
from attnsolve.rendering.styling import current
from attnsolve.rendering.text import say, say_count
from attnsolve.rendering.widths import BEGIN, END

# What ends a row of a matrix, and a row of fractions, which would touch the next one.
ROW_END, APART = r" \\ ", r" \\[4pt] "
# How many lines of a display are kept together on a page.
TALLEST = 16


def blocks(rows: tuple[tuple[str, str], ...]) -> list[list[tuple[str, str]]]:
    """The rows of a long aligned display in pieces between which a page may end."""
    made: list[list[tuple[str, str]]] = [[]]
    used = 0
    for left, right in rows:
        height = 1 + right.count("\\\\")  # a matrix is as high as its rows
        if made[-1] and used + height > TALLEST and left:
            made.append([])
            used = 0
        made[-1].append((left, right))
        used += height
    return made


def hanging(text: str, width: int) -> str:
    """Text behind a bullet: its later lines are indented."""
    return re.sub(r"\n(?=[^\n])", "\n" + " " * width, text)


def behind(text: str, mark: str) -> str:
    """Text with a mark before every line."""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return "\n".join((mark + line).rstrip() for line in text.strip("\n").split("\n"))


def has_fractions(maths: str) -> bool:
    """Whether a matrix has fractions in it, so that its rows have to stand further apart."""
    return "frac{" in maths and any("frac{" in piece.partition(END)[0] for piece in maths.split(BEGIN)[1:])


def spread(maths: str) -> str:
    """Maths whose matrices of fractions have their rows further apart, for dialects without row stretch."""
    first, *rest = maths.split(BEGIN)
    for piece in rest:
        inside, end, behind = piece.partition(END)
        first += BEGIN + (inside.replace(ROW_END, APART) if "frac{" in inside else inside) + end + behind
    return first


def compiled_templates() -> BytecodeCache | None:
    """Templates compiled in an earlier run, from the user's own cache: a sixth of the start of `render`.

    Code is loaded from there, so the folder must be ours alone; without one, templates are compiled anew.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(home, "attnsolve", "templates")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        about = os.lstat(folder)
    except OSError:
        return None
    mine = not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o022)
    return FileSystemBytecodeCache(folder) if mine and stat.S_ISDIR(about.st_mode) else None


# How templates are written, whoever wrote them.
JINJA: dict[str, Any] = {
    "undefined": StrictUndefined,
    "autoescape": False,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
}


class PlainContext(Context):
    """Calls what templates call as it is: none of our tools wants the context as an argument."""

    def call(
        self,
        tool: Callable[..., Any],
        /,
        *given: Any,
        _loop_vars: Any = None,
        _block_vars: Any = None,
        **named: Any,
    ) -> Any:
        """The tool's own answer; what Jinja hands over beside its arguments is for tools of another kind."""
        return tool(*given, **named)


class PlainEnvironment(Environment):
    """Jinja for templates of ours, which call our tools and their own macros."""

    context_class = PlainContext


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of this installation."""
    made = PlainEnvironment(
        loader=FileSystemLoader(data("templates")),
        bytecode_cache=compiled_templates(),
        auto_reload=False,  # nobody edits templates while sheets are made
        **JINJA,
    )
    add_tools(made)
    return made


def hyphenation() -> str:
    """What LaTeX's babel calls the spoken language; nothing for English, which TeX hyphenates anyway."""
    return "" if language() is ENGLISH else language().hyphenation


def language_code() -> str:
    """The spoken language, as web pages name it."""
    return language().code


def web_page_parts() -> Any:
    """What is the same in all web pages: looks, script, and what they may load."""
    from attnsolve.rendering.web_pages import parts

    return parts(current().style)


def add_tools(made: Environment) -> None:
    """What templates can do with plain data."""
    made.globals |= {"say": say, "say_count": say_count, "translated": translated, "hyphenation": hyphenation}
    made.globals |= {"language_code": language_code, "web_page_parts": web_page_parts}
    for dialect in DIALECTS:
        made.filters |= {
            f"{dialect.name}{kind}": escape for kind, escape in dialect.escapes.items() if escape is not None
        }
    made.filters |= {
        "line_start": line_start,
        "spoken": spoken,
        "colour": colour,
        "blocks": blocks,
        "prose": prose.printed,
        "quoted": prose.quoted,
        "inside": prose.inside_item,
        "hanging": hanging,
        "behind": behind,
        "has_fractions": has_fractions,
        "spread": spread,
        "decimals": decimal_maths,
    }


def fill(sheet: str, dialect: str, *, is_piece: bool = False, **values: Any) -> str:
    """A sheet in a dialect; a piece of a document is to be joined to others and `completed` then."""
    manner = current()
    values |= {
        "dialect": f"dialects/{dialect}.j2",
        "maps_inside": DIALECTS_BY_NAME[dialect].pictures is Pictures.INSIDE,
        "letters": LETTERS,
        "matrices": MATRICES.rstrip(),
        "style": manner.style,
        "fragment": manner.fragment,
        "head_logo": values.get("head_logo"),
        "sides": values.get("sides", ""),
        "cells": values.get("cells", False),
        "is_wrapped": values.get("is_wrapped", False),
    }
    if manner.style.saves_ink:
        values |= {"maps_inside": False, "maps_beside": False}
    if manner.style.templates:
        from attnsolve.rendering.sandbox import filled_apart  # only templates that are not ours need it

        whole = {name: tuple(value) if name == "papers" else value for name, value in values.items()}
        text = filled_apart(manner, sheet, whole)
    else:
        text = environment().get_template(f"sheets/{sheet}.j2").render(**values)
    return text if is_piece else completed(text, dialect)
