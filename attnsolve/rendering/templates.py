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
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from attnsolve.bundled import data
from attnsolve.identity import Same
from attnsolve.records import NamedTuple
from attnsolve.rendering.template_tools import FILTERS, JINJA, JINJAS, TOOLS, item

if TYPE_CHECKING:
    from attnsolve.rendering.template_code import Compiled

# What decides how a template is compiled.
COMPILER = [
    Path(__file__).with_name(f"{name}.py")
    for name in ("template_code", "template_values", "python_pieces", "template_tools")
]
# So many macros are kept for the next document: those of a few templates, for some ways of making documents.
MOST_SHARED = 64
# What tells ways of making documents apart, besides their style.
SETTINGS = (str, int, type(None))
ABSENT = "<absent>"
# The bytes before what is kept that tell whether it is as it was written.
CHECKED = 4


class Template(NamedTuple):
    """A template that is ready to be filled."""

    fill: Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]  # what it prints, and its macros by name
    asked: tuple[str, ...] | None  # what it looks at of all it is given; None where it hands everything on


def filled(name: str, given: Mapping[str, Any]) -> str:
    """What a template prints."""
    return template(name).fill(given)[0]


def module(name: str, given: Mapping[str, Any]) -> SimpleNamespace:
    """The macros of a template; the next document has the same where they look only at how it is made."""
    asked, style = template(name).asked, given.get("style")
    if asked is None:
        return macros(name, given)
    seen = [given.get(each, ABSENT) for each in asked]
    if not all([each is style or isinstance(each, SETTINGS) for each in seen]):
        return macros(name, given)
    return shared(name, asked, tuple([Same(each) if each is style else each for each in seen]))


@lru_cache(maxsize=MOST_SHARED)
def shared(name: str, asked: tuple[str, ...], way: tuple[Any, ...]) -> SimpleNamespace:
    """Macros that see nothing but a way of making documents, so that they keep none of them."""
    seen = [each.thing if isinstance(each, Same) else each for each in way]
    return macros(name, {key: value for key, value in zip(asked, seen, strict=True) if value != ABSENT})


def macros(name: str, given: Mapping[str, Any]) -> SimpleNamespace:
    """The macros of a template, which see all that is given."""
    return SimpleNamespace(**template(name).fill(given)[1])


@cache  # there are a few dozen, and nobody edits them while sheets are made
def template(name: str) -> Template:
    """A template of this installation, as a function."""
    file = data("templates") / name
    return template_of(compiled(file, file.read_text("utf-8")))


def template_of(compiled: Compiled) -> Template:
    """A compiled template with all that it can call."""
    known: dict[str, Any] = {f"_tool_{name}": tool for name, tool in TOOLS.items()}
    known |= {f"_filter_{name}": tool for name, tool in {**JINJAS, **FILTERS}.items()}
    known |= {"_tool_range": range, "_tool_item": item, "_tool_module": module, "_tool_filled": filled}
    code, asked = compiled
    return Template(FunctionType(code, known), asked)


def compiled(file: Path, source: str) -> Compiled:
    """A template as code: from an earlier run, if neither it nor the compiler has changed since."""
    compiler = tuple([(about.st_mtime_ns, about.st_size) for about in map(os.stat, COMPILER)])
    made_of = sys.version, compiler, str(file), source
    folder = own_cache()
    called = f"{crc32(os.fsencode(file)):08x}-{file.stem}.{sys.implementation.cache_tag}"
    kept = None if folder is None else folder / called
    with suppress(OSError, ValueError, EOFError, TypeError, LookupError):
        if kept is not None:
            found: tuple[object, Compiled] = marshal.loads(whole(kept.read_bytes()))
            if found[0] == made_of:
                return found[1]
    from attnsolve.rendering.template_code import compiled_template
    from attnsolve.whole_files import replace_file

    made = compiled_template(source, str(file), JINJA, (*TOOLS, "range"))
    with suppress(OSError):
        if kept is not None:
            written = marshal.dumps((made_of, tuple(made)))
            replace_file(kept, crc32(written).to_bytes(CHECKED) + written, mode=0o600)
    return made


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
