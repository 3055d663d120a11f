"""Jinja: sheets have the order and the wording, dialects the markup; the dialect escapes text, once."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from functools import lru_cache
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from attnsolve.bundled import data
from attnsolve.rendering.maps import colour, spoken

TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", '"': "''", "|": r"\textbar{}", "’": "'", "“": "``", "”": "''", "–": "--",
    "—": "---", "…": r"\ldots{}", "\u00a0": "~", "×": r"$\times$", "≈": r"$\approx$", "−": "$-$",
    "·": r"$\cdot$", "√": r"$\surd$", "ᵀ": r"$^{\top}$", "∞": r"$\infty$", "α": r"$\alpha$", "β": r"$\beta$",
    "γ": r"$\gamma$", "ε": r"$\varepsilon$", "σ": r"$\sigma$", "τ": r"$\tau$", "ω": r"$\omega$",
    # The signs of most fractions are not in the small TeX set.
    "½": r"$\tfrac{1}{2}$", "⅓": r"$\tfrac{1}{3}$", "⅔": r"$\tfrac{2}{3}$", "¼": r"$\tfrac{1}{4}$",
    "¾": r"$\tfrac{3}{4}$", "⅕": r"$\tfrac{1}{5}$", "⅖": r"$\tfrac{2}{5}$", "⅗": r"$\tfrac{3}{5}$",
    "⅘": r"$\tfrac{4}{5}$", "⅙": r"$\tfrac{1}{6}$", "⅚": r"$\tfrac{5}{6}$", "⅛": r"$\tfrac{1}{8}$",
    "⅜": r"$\tfrac{3}{8}$", "⅝": r"$\tfrac{5}{8}$", "⅞": r"$\tfrac{7}{8}$",
    # In braces they neither open an argument nor run together into other signs.
    "[": "{[}", "]": "{]}", "`": "{`}", "'": "{'}",
}  # fmt: skip
# How many lines of a display are kept together on a page.
TALLEST = 16
MARKDOWN_PATTERN = re.compile(r"([\\`*_\[\]<>$|#~^@{}]|(?<=-)-|(?<=\.)\.)")
# What Markdown, Pandoc's and MyST's included, takes for a list, a rule or a comment at a line's start.
LIST_MARK = re.compile(r"^(?:(?=[-+=:%])|(\(?(?:\d+|[A-Za-z]|[ivxlcdm]+|[IVXLCDM]+))(?=[.)]))")
CONTROL = re.compile("[\u061c\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
# What pdflatex prints through inputenc with the fonts of the small TeX set; anything else would stop it.
BEYOND_LATIN = r"[^\x20-\x7e\u00a1-\u017f]|[«»ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ\u00ad]"


@lru_cache(maxsize=1)
def tex_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is escaped, and what cannot be printed; long patterns that only LaTeX needs."""
    return re.compile("|".join(map(re.escape, TEX))), re.compile(BEYOND_LATIN)


@lru_cache(maxsize=1024)  # the words of a sheet come again in the next variant
def tex(text: str) -> str:
    """Plain text for LaTeX: every special character escaped, nothing left that pdflatex cannot print."""
    special, beyond = tex_patterns()
    plain = re.sub(r"\s", " ", CONTROL.sub("", text))
    pieces, marks = special.split(plain), special.findall(plain)
    made = [beyond.sub(nearest, pieces[0])]
    for mark, piece in zip(marks, pieces[1:], strict=True):
        made += [TEX[mark], beyond.sub(nearest, piece)]
    # Two hyphens would run together into a dash.
    return re.sub("-(?=-)", "-{}", "".join(made)) if "--" in plain else "".join(made)


def nearest(match: re.Match[str]) -> str:
    """The letter without its accent if there is one, else the character's number: never silently nothing."""
    base = unicodedata.normalize("NFKD", match[0])[0]
    return base if base.isascii() and base.isalnum() else f"{{[}}U+{ord(match[0]):04X}{{]}}"


@lru_cache(maxsize=1024)
def markdown(text: str) -> str:
    """Plain text for Markdown: nothing in it is markup."""
    return MARKDOWN_PATTERN.sub(r"\\\1", CONTROL.sub("", text)).replace("&", "&amp;")


def line_start(text: str) -> str:
    """A paragraph for Markdown whose first characters cannot be taken for a list, a rule or a table."""
    return LIST_MARK.sub(lambda match: f"{match[1] or ''}\\", text)


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


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of this installation."""
    made = Environment(
        loader=FileSystemLoader(data("templates")),
        bytecode_cache=compiled_templates(),
        auto_reload=False,  # nobody edits templates while sheets are made
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    made.filters |= {
        "tex": tex,
        "markdown": markdown,
        "line_start": line_start,
        "spoken": spoken,
        "colour": colour,
        "blocks": blocks,
    }
    return made


def fill(sheet: str, dialect: str, **values: Any) -> str:
    """A sheet in a dialect; blank lines that templates leave behind are drawn together."""
    text = environment().get_template(f"sheets/{sheet}.j2").render(dialect=f"dialects/{dialect}.j2", **values)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    text = text.strip() + "\n"
    # In LaTeX a blank line before a display would end the paragraph and let the page break between them.
    return text.replace("\n\n\\[\n", "\n\\[\n") if dialect == "latex" else text
