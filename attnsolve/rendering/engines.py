"""The engines that print documents on paper, and what each of them has no letters for.

This is loaded by the command line for its choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category

from attnsolve.pdf_engines import Engine
from attnsolve.rendering.escaping import tex

# Characters that nobody has given a letter: no font prints them.
NOBODYS = ("Co", "Cn", "Cs")
SHOWN = 5
NO_FONT = "no font has it"


def unprintable(source: str, engine: Engine) -> dict[str, str]:
    """The words in some LaTeX that an engine cannot print, each with why."""
    if source.isascii():
        return {}
    from attnsolve.rendering.scripts import MARKED, beyond_pdflatex

    found = {
        match[2]: NO_FONT
        for match in MARKED.finditer(source)
        if any(category(letter) in NOBODYS for letter in match[2])
    }
    if engine is Engine.PDFLATEX:
        found = {words: script.title for words, script in beyond_pdflatex(source).items()} | found
    return found


def warning(sources: Iterable[str], engine: Engine) -> str | None:
    """What to say before some LaTeX is printed: what the engine cannot print and what to do, or nothing."""
    found: dict[str, str] = {}
    for source in sources:
        found |= unprintable(source, engine)
    cure = (
        "mend the text"
        if all(why == NO_FONT for why in found.values())
        else "run lualatex on the .tex files (with --engine lualatex this is not said)"
    )
    return complaint(found, engine, cure)


def complaint(found: dict[str, str], engine: Engine, cure: str) -> str | None:
    """`pdflatex cannot print 王 (Chinese) and 3 more; …`, or nothing."""
    if not found:
        return None
    told = ", ".join(f"{words} ({why})" for words, why in list(found.items())[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return f"{engine} cannot print {told}{more}; {cure}"


def warning_about(texts: Iterable[str], engine: Engine) -> str | None:
    """The same for plain texts, such as names, that are to be printed."""
    if engine is not Engine.TYPST:
        return warning(map(tex, texts), engine)
    from attnsolve.rendering.typst_engine import FONTS_WANTED, letters_without_font

    return complaint(dict.fromkeys(letters_without_font(texts), NO_FONT), engine, FONTS_WANTED)
