"""Templates by name: compiled once to Python, kept in the user's cache, filled from then on without Jinja."""

from __future__ import annotations

import marshal
import os
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any
from zlib import crc32

from attnsolve.bundled import data
from attnsolve.identity import Same
from attnsolve.rendering.template_tools import FILTERS, JINJA, JINJAS, TOOLS, item

# What a template prints, and its macros by name.
Template = Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]
# What decides how a template is compiled.
COMPILER = [
    Path(__file__).with_name(f"{name}.py")
    for name in ("template_code", "template_values", "python_pieces", "template_tools")
]
# Templates whose macros are told what they print: besides they see the style, and how documents are made.
SHARED = frozenset(
    (
        *(f"dialects/{name}.j2" for name in ("html", "latex", "markdown", "typst")),
        *(f"dialects/{name}-papers.j2" for name in ("latex", "markdown")),
        *(f"sheets/{name}.j2" for name in ("questions", "worked")),
    )
)
SEEN = (
    "fragment", "head_logo", "letters", "matrices", "sides", "cells", "flavour", "is_wrapped", "maps_beside",
    "maps_inside",
)  # fmt: skip
# So many ways of making documents are in use at once, with a few templates each.
MOST_SHARED = 32
# The bytes before what is kept that tell whether it is as it was written.
CHECKED = 4


def filled(name: str, given: Mapping[str, Any]) -> str:
    """What a template prints."""
    return template(name)(given)[0]


def module(name: str, given: Mapping[str, Any]) -> SimpleNamespace:
    """The macros of a template, which see all that is given; those that are shared see the way it is made."""
    if name not in SHARED or "style" not in given:
        return SimpleNamespace(**template(name)(given)[1])
    return shared(name, Same(given["style"]), *[given.get(each) for each in SEEN])


@lru_cache(maxsize=MOST_SHARED)
def shared(name: str, style: Same[Any], *seen: Any) -> SimpleNamespace:
    """The macros that the next document has too if it is made in the same way."""
    given = {"style": style.thing, **dict(zip(SEEN, seen, strict=True))}
    return SimpleNamespace(**template(name)(given)[1])


@cache  # there are a few dozen, and nobody edits them while sheets are made
def template(name: str) -> Template:
    """A template of this installation, as a function."""
    file = data("templates") / name
    return function_of(compiled(file, file.read_text("utf-8")))


def function_of(code: CodeType) -> Template:
    """A compiled template with all that it can call."""
    known: dict[str, Any] = {f"_tool_{name}": tool for name, tool in TOOLS.items()}
    known |= {f"_filter_{name}": tool for name, tool in {**JINJAS, **FILTERS}.items()}
    known |= {"_tool_range": range, "_tool_item": item, "_tool_module": module, "_tool_filled": filled}
    return FunctionType(code, known)


def compiled(file: Path, source: str) -> CodeType:
    """The code of a template: from an earlier run, if neither it nor the compiler has changed since."""
    compiler = tuple([(about.st_mtime_ns, about.st_size) for about in map(os.stat, COMPILER)])
    made_of = sys.version, compiler, str(file), source
    folder = own_cache()
    called = f"{crc32(os.fsencode(file)):08x}-{file.stem}.{sys.implementation.cache_tag}"
    kept = None if folder is None else folder / called
    with suppress(OSError, ValueError, EOFError, TypeError, LookupError):
        if kept is not None:
            found: tuple[object, CodeType] = marshal.loads(whole(kept.read_bytes()))
            if found[0] == made_of:
                return found[1]
    from attnsolve.rendering.template_code import code_of
    from attnsolve.whole_files import replace_file

    code = code_of(source, str(file), JINJA, (*TOOLS, "range"))
    with suppress(OSError):
        if kept is not None:
            made = marshal.dumps((made_of, code))
            replace_file(kept, crc32(made).to_bytes(CHECKED) + made, mode=0o600)
    return code


def whole(kept: bytes) -> bytes:
    """What is kept, if it is as it was written: what reads it would go down with the program otherwise."""
    checked, made = kept[:CHECKED], kept[CHECKED:]
    if checked != crc32(made).to_bytes(CHECKED):
        raise ValueError("damaged")
    return made


@lru_cache(maxsize=1)
def own_cache() -> Path | None:
    """Where compiled templates are kept: a quarter of the start of `render`.

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
    return Path(folder) if mine and stat.S_ISDIR(about.st_mode) else None
