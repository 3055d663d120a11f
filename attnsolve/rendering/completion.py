"""The last touch to a document, a few pages at a time where its format allows that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import islice
from typing import NamedTuple

from attnsolve.rendering import prose
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, Pieces
from attnsolve.rendering.matrix_columns import USUAL, most_columns, room_for
from attnsolve.rendering.styling import current

# Stands in a preamble for what the letters of the document need, which is known when all of it is written.
LETTERS = "% <letters>"
# And for its widest matrix.
MATRICES = "% <matrices>\n"
PLAIN_LETTERS = "\\usepackage[utf8]{inputenc}"
FOR_LUALATEX = "% !TeX program = lualatex\n"
# Two of them; and there may be more.
BLANK_LINES = "\n\n\n"
# What a line without anything in it ends or begins with.
EMPTY = f"\n{prose.EMPTY_LINE}"


class Needs(NamedTuple):
    """What the preamble of a LaTeX document has to know of it."""

    is_plain: bool = True  # nothing but ASCII
    scripts: frozenset[str] = frozenset()
    columns: int = 0  # of the widest matrix, if they are more than usual

    def and_of(self, text: str) -> Needs:
        """With what one more piece of the document needs."""
        is_plain = text.replace("\u00a0", "~").isascii()
        return Needs(
            self.is_plain and is_plain,
            self.scripts if is_plain else self.scripts | script_names(text),
            max(self.columns, most_columns(text, beyond=USUAL)),
        )


def completed(text: str, dialect: str) -> str:
    """A whole document with its last touch; blank lines that templates leave behind are drawn together."""
    return "".join(completed_pieces(lambda: (text,), dialect))


def completed_pieces(pieces: Pieces, dialect: str) -> Iterator[str]:
    """The same of a document that is read in pieces, more than once; a piece at a time, if that can be.

    No formula, and no words in other letters, may reach from one piece into the next.
    """
    finish = DIALECTS_BY_NAME[dialect].finish
    return opened(pieces) if finish is None else finish(lambda: opened(pieces))


def opened(pieces: Pieces) -> Iterator[str]:
    """A document with its preamble, if it has one."""
    is_prefaced = any(LETTERS in piece for piece in islice(pieces(), 1))
    needs = reduce(Needs.and_of, pieces(), Needs()) if is_prefaced else Needs()
    if unprintable(needs.scripts):
        yield FOR_LUALATEX
    for text in tidied(pieces()):
        yield prefaced(text, needs) if is_prefaced else text


def tidied(pieces: Iterable[str]) -> Iterator[str]:
    """Pieces, cut between lines, without the blank lines that templates leave behind."""
    rest, is_first = "", True
    for piece in pieces:
        rest += piece
        cut = last_cut(rest)
        if cut:
            begun, rest = rest[:cut], rest[cut:]
            yield drawn_together(begun.lstrip() if is_first else begun)
            is_first = False
    yield drawn_together(rest.strip() if is_first else rest.rstrip()) + "\n"


def last_cut(text: str) -> int:
    """The last place between two lines that have something in them: nothing changed reaches over it."""
    end = text.rfind("\n", 0, -1)
    while end > 0 and (text[end - 1] in EMPTY or text[end + 1] in EMPTY or text[end + 1].isspace()):
        end = text.rfind("\n", 0, end)
    return end + 1 if end > 0 else 0


def drawn_together(text: str) -> str:
    """A text with no more than one blank line in a row, but for those of code."""
    first, *others = text.split(BLANK_LINES)
    if others:
        lines = [other.lstrip("\n") for other in others]
        end = "" if lines[-1] else "\n\n"
        text = "\n\n".join([first, *filter(None, lines)]) + end
    return text.replace(prose.EMPTY_LINE, "") if prose.EMPTY_LINE in text else text


def script_names(text: str) -> frozenset[str]:
    """The scripts that some LaTeX is written in."""
    from attnsolve.rendering.scripts import scripts_in  # few documents have other letters

    return frozenset(script.name for script in scripts_in(text))


def prefaced(text: str, needs: Needs) -> str:
    """Some LaTeX, with what the document needs where its preamble is."""
    text = text.replace("\u00a0", "~")
    if LETTERS not in text:
        return text
    return text.replace(MATRICES, room_for(needs.columns), 1).replace(LETTERS, letters(needs), 1)


def letters(needs: Needs) -> str:
    """What a preamble says for the letters of a document."""
    if needs.is_plain:
        return in_place(PLAIN_LETTERS)
    from attnsolve.rendering.scripts import SCRIPTS
    from attnsolve.rendering.templates import filled

    scripts = tuple(script for script in SCRIPTS if script.name in needs.scripts)
    without = tuple(script for script in scripts if script.needs_lualatex)
    return in_place(filled("letters/latex.j2", {"scripts": scripts, "unprintable": without}).strip())


def unprintable(scripts: frozenset[str]) -> bool:
    """Whether pdflatex cannot print some of these."""
    if not scripts:
        return False
    from attnsolve.rendering.scripts import BY_NAME

    return any(BY_NAME[name].needs_lualatex for name in scripts)


def in_place(needed: str) -> str:
    """What a preamble needs, or in a body without one a comment that says so."""
    return re.sub("^", "% ", needed, flags=re.MULTILINE) if current().fragment else needed
