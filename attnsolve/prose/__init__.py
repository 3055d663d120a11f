"""A lecturer's text, read: a plain one at once, one with markup through a Markdown parser."""

from __future__ import annotations

import re
from functools import lru_cache

from attnsolve.maths import Complaint, complaint_about_text, segments
from attnsolve.prose.tree import Block, Blocks, Figure, Formula, Inlines, Paragraph, Words
from attnsolve.records import NamedTuple

# What may be markup outside of $…$: a text without any of it is read without a parser. It may say yes too
# often: the parser finds the same in a plain text.
MARKUP = re.compile(
    r"""
      \\ | ` | \$\$                           # escapes, code, displays
    | \*(?=\S) | (?<=\S)\*                    # emphasis
    | (?<!\w)_(?=\S) | (?<=\S)_(?!\w)
    | \]\( | !\[                              # links and figures
    | <[A-Za-z/!?]                            # HTML and addresses
    | ^[ ]*(?:[-+*]|\d{1,9}[.)])(?:[ ]|$)     # lists
    | ^[ ]*(?:\#{1,6}(?:[ ]|$)|>|~~~)         # headings, quotations, code
    | ^[ |:]*-[-:| ]*$                        # rules and tables
    | [ ]{2}\n                                # a line that ends here
    """,
    re.VERBOSE | re.MULTILINE,
)


class Reading(NamedTuple):
    """A text as a tree, and what is wrong with it; the tree of a wrong text is not to be printed."""

    blocks: Blocks
    complaints: tuple[Complaint, ...] = ()


def has_markup(text: str) -> bool:
    """Whether a text has anything in it besides words and $…$."""
    if "`" in text or "\\$" in text or "$$" in text:
        return True
    return MARKUP.search("$".join(text.split("$")[::2])) is not None


@lru_cache(maxsize=512)  # the texts of a problem come again in its variants
def read(text: str) -> Reading:
    """A text as a tree."""
    if has_markup(text):
        from attnsolve.prose.markdown import read_markdown  # few texts need a parser

        return read_markdown(text)
    complaint = complaint_about_text(text)
    return Reading(plain(text), (complaint,) if complaint else ())


def blocks(text: str) -> Blocks:
    """The tree of a text that has been found right."""
    return read(text).blocks


def plain(text: str) -> Blocks:
    """Text without markup: a paragraph for each blank line."""
    return tuple(Paragraph(sentence(block)) for block in re.split(r"\n[ \t]*\n", text) if block.strip())


def sentence(text: str) -> Inlines:
    """A text in which $…$ is maths and nothing else means anything."""
    return tuple(
        Formula(piece.strip()) if is_maths else Words(piece)
        for is_maths, piece in segments(" ".join(text.split()))
    )


def figures(found: Blocks) -> tuple[Figure, ...]:
    """Every figure of a text."""
    return tuple(block for top in found for block in below(top) if isinstance(block, Figure))


def below(block: Block) -> tuple[Block, ...]:
    """A block and, of a list, the blocks in it."""
    items = getattr(block, "items", ())
    return (block, *(inner for item in items for part in item for inner in below(part)))
