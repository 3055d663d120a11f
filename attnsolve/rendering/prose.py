"""A lecturer's text in a dialect: every record of its tree is printed by a macro of that dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from attnsolve.prose.tree import (
    Block,
    Blocks,
    Break,
    Bullets,
    Code,
    CodeBlock,
    Display,
    Emphasis,
    Figure,
    Formula,
    Grid,
    Inline,
    Inlines,
    Link,
    Numbered,
    Paragraph,
    Strong,
    Words,
)
from attnsolve.rendering.text import Segments

# What a dialect must have to print any text; a test asks each of them.
MACROS = (
    "text", "cell_text", "emphasis", "strong", "code", "link", "lines", "paragraph", "math", "code_block",
    "bullet_list", "numbered_list", "grid", "picture", "quote", "quoted",
)  # fmt: skip
# A table with more letters in a row than this needs columns that break their lines.
WIDEST_ROW = 80
# Stands for an empty line of code while blank lines are drawn together.
EMPTY_LINE = "\0"


def printed(found: Blocks, d: Any, lead: str = "") -> str:
    """A text, behind words such as `Answer.` in its first paragraph."""
    if lead and not (found and isinstance(found[0], Paragraph)):
        return str(d.paragraph(lead)) + printed(found, d) if found else ""
    if lead:
        first = found[0]
        assert isinstance(first, Paragraph)
        return str(d.paragraph(f"{lead} {sentence(first.inside, d)}")) + printed(found[1:], d)
    return "".join(block(one, d) for one in found)


def quoted(found: Blocks, d: Any) -> str:
    """A text set apart, as questions are: paragraphs each for itself, anything else together."""
    if all(isinstance(one, Paragraph) for one in found):
        return "".join(d.quote(sentence(one.inside, d)) for one in found if isinstance(one, Paragraph))
    return str(d.quoted(printed(found, d)))


def block(one: Block, d: Any, *, counted: int = 0) -> str:
    """One block; `counted` numbered lists are around it."""
    match one:
        case Paragraph(inside):
            made = d.paragraph(sentence(inside, d))
        case Display(source):
            made = d.math(source)
        case CodeBlock(lines, language):
            made = d.code_block(tuple(line or EMPTY_LINE for line in lines), language, fence(lines))
        case Bullets(items, tight):
            made = d.bullet_list(tuple(item(each, d, tight, counted) for each in items), tight)
        case Numbered(items, tight, first):
            numbered = tuple(item(each, d, tight, counted + 1) for each in items)
            made = d.numbered_list(numbered, tight, first, counted)
        case Grid(header, rows, sides):
            shown = [[sentence(cell, d, in_table=True) for cell in row] for row in (header, *rows)]
            made = d.grid(shown[0], shown[1:], [side.value for side in sides], shares((header, *rows)))
        case Figure(file, alt, caption, width):
            made = d.picture(file, alt, sentence(caption, d), width)
    return str(made)


def item(found: Blocks, d: Any, tight: bool, counted: int) -> str:
    """What stands behind a bullet; its blocks are apart unless all of them are short."""
    short = tight and all(isinstance(one, Paragraph | Bullets | Numbered) for one in found)
    return ("\n" if short else "\n\n").join(block(one, d, counted=counted).strip("\n") for one in found)


def inside_item(found: Blocks, d: Any) -> str:
    """A text behind something to tick, as behind a bullet."""
    return item(found, d, True, 0)


def sentence(inside: Inlines, d: Any, *, in_table: bool = False) -> str:
    """Words, maths and what is stressed; a line that ends is ended."""
    plain = plain_line(inside)
    if plain:  # most are
        return str((d.cell_text if in_table else d.text)(plain))
    lines: list[list[Inline]] = [[]]
    for piece in inside:
        if isinstance(piece, Break):
            lines.append([])
        else:
            lines[-1].append(piece)
    shown = [
        "".join(pieces(line, d, in_table=in_table)).strip(" " if len(lines) > 1 else "") for line in lines
    ]
    return shown[0] if len(shown) == 1 else str(d.lines(shown))


@lru_cache(maxsize=1024)  # a question stands on its paper and in its solution, for each variant
def plain_line(inside: Inlines) -> Segments:
    """One line of words and maths as dialects take them; nothing where there is more to it."""
    if all(isinstance(piece, Words | Formula) for piece in inside):
        return tuple(map(segment, inside))
    return ()


def pieces(inside: Iterable[Inline], d: Any, *, in_table: bool) -> Iterable[str]:
    """The pieces of a line; words and maths next to each other go to the dialect together."""
    for is_plain, group in groupby(inside, key=lambda piece: isinstance(piece, Words | Formula | Break)):
        if is_plain:
            yield str((d.cell_text if in_table else d.text)(tuple(map(segment, group))))
        else:
            yield from (marked(piece, d, in_table=in_table) for piece in group)


def marked(piece: Inline, d: Any, *, in_table: bool) -> str:
    """What is stressed, code or a link."""
    match piece:
        case Emphasis(inside):
            return str(d.emphasis("".join(pieces(inside, d, in_table=in_table))))
        case Strong(inside):
            return str(d.strong("".join(pieces(inside, d, in_table=in_table))))
        case Code(text):
            return str(d.code(text, "`" * (longest_run(text) + 1)))
        case Link(inside, address, bare):
            return str(d.link("".join(pieces(inside, d, in_table=in_table)), address, bare))
    raise TypeError(f"no dialect prints {type(piece).__name__}")


def segment(piece: Inline) -> tuple[bool, str]:
    """Words or maths as dialects take them."""
    match piece:
        case Words(text):
            return False, text
        case Formula(source):
            return True, source
    return False, " "


def as_paragraph(segments: Segments) -> Paragraph:
    """A sentence of our own among a lecturer's."""
    return Paragraph(tuple(Formula(text) if is_maths else Words(text) for is_maths, text in segments))


def longest_run(text: str) -> int:
    """How many backticks stand side by side at most."""
    return max(map(len, re.findall("`+", text)), default=0)


def fence(lines: Sequence[str]) -> str:
    """Backticks around lines of code: more than stand in any of them."""
    return "`" * max(3, longest_run("\n".join(lines)) + 1)


def shares(rows: Sequence[Sequence[Inlines]]) -> tuple[int, ...]:
    """How wide the columns of a wide table are, in percent of the page; nothing for one that fits."""
    lengths = [max(length(row[place]) for row in rows) for place in range(len(rows[0]))]
    if sum(lengths) <= WIDEST_ROW:
        return ()
    # A column of short words keeps its width; long sentences share the rest.
    kept = [min(each + 3, WIDEST_ROW * 3 // 4) for each in lengths]
    room = 100 - 4 * len(kept)  # what is between columns is not for them
    return tuple(max(4, each * room // sum(kept)) for each in kept)


def length(inside: Inlines) -> int:
    """About how many letters a sentence has."""
    made = 0
    for piece in inside:
        match piece:
            case Words(text) | Code(text) | Formula(text):
                made += len(text)
            case Emphasis(inner) | Strong(inner) | Link(inner):
                made += length(inner)
    return made
