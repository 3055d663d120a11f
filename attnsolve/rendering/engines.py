"""The engines that print our LaTeX, and what each of them has no letters for.

The documents are the same for both. This is loaded by the command line for its choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category

from attnsolve.rendering.escaping import tex

ENGINES = ("pdflatex", "lualatex")
# Characters that nobody has given a letter: no font prints them.
NOBODYS = ("Co", "Cn", "Cs")
SHOWN = 5


def unprintable(source: str, engine: str) -> dict[str, str]:
    """The words in some LaTeX that an engine cannot print, each with why."""
    if source.isascii():
        return {}
    from attnsolve.rendering.scripts import MARKED, beyond_pdflatex

    found = {
        match[2]: "no font has it"
        for match in MARKED.finditer(source)
        if any(category(letter) in NOBODYS for letter in match[2])
    }
    if engine == "pdflatex":
        found = {words: script.title for words, script in beyond_pdflatex(source).items()} | found
    return found


def warning(sources: Iterable[str], engine: str) -> str | None:
    """What to say before some LaTeX is printed: what the engine cannot print and what to do, or nothing."""
    found: dict[str, str] = {}
    for source in sources:
        found |= unprintable(source, engine)
    if not found:
        return None
    told = ", ".join(f"{words} ({why})" for words, why in list(found.items())[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    cure = (
        "mend the text"
        if all(why == "no font has it" for why in found.values())
        else "run lualatex on the .tex files (with --engine lualatex this is not said)"
    )
    return f"{engine} cannot print {told}{more}; {cure}"


def warning_about(texts: Iterable[str], engine: str) -> str | None:
    """The same for plain texts, such as names, that are to be printed."""
    return warning(map(tex, texts), engine)
