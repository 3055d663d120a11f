"""Documents on a terminal: Markdown with maths as lines of readable characters that fit its width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from attnsolve.terminal.displays import display, inline
from attnsolve.terminal.paragraphs import BOLD, DIM, Piece, shown_width, styled, wrapped
from attnsolve.terminal.tables import drawn

NARROWEST = 40
RULES = {"h1": "═", "h2": "─"}


def page(markdown: str, *, width: int) -> str:
    """A document for a terminal of some width, with styles that a plain one leaves out."""
    lines = blocks(parser().parse(markdown), max(width, NARROWEST))
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def spoken(segments: Sequence[tuple[bool, str]], *, width: int) -> list[str]:
    """A sentence of words and formulas (is it one?, text) as lines of some width."""
    pieces = [Piece(inline(text), is_whole=True) if is_maths else Piece(text) for is_maths, text in segments]
    return list(wrapped(pieces, max(width, NARROWEST - 2)))


def steps(markdown: str) -> list[str]:
    """A document in the pieces that are read one at a time: each begins with a heading or a step's title."""
    pieces: list[list[str]] = [[]]
    fenced = False
    for line in markdown.split("\n"):
        fenced ^= line.startswith(("```", "$$"))
        if not fenced and line.startswith(("## ", "**")) and any(text.strip() for text in pieces[-1]):
            pieces.append([])
        pieces[-1].append(line)
    return ["\n".join(lines) for lines in pieces]


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """CommonMark with tables and maths, as the documents are written."""
    made = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    dollarmath_plugin(made, allow_labels=False, double_inline=True)
    return made


def blocks(tokens: Sequence[Token], width: int) -> Iterator[str]:
    """The lines of some blocks, with an empty one after each."""
    at = 0
    while at < len(tokens):
        end = closing(tokens, at)
        yield from block(tokens[at], tokens[at + 1 : end], width)
        at = end + 1


def closing(tokens: Sequence[Token], at: int) -> int:
    """Where a block ends that begins here; a block in one token ends where it begins."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += tokens[place].nesting
        if not depth:
            return place
    return len(tokens) - 1


def block(opening: Token, inside: Sequence[Token], width: int) -> Iterator[str]:
    """The lines of one block."""
    kind = opening.type.removesuffix("_open")
    if kind == "heading":
        yield from heading(inside[0], opening.tag, width)
    elif kind == "paragraph":
        yield from wrapped(pieces_of(inside[0]), width)
    elif kind in ("math_block", "math_block_label"):
        yield from display(opening.content, width)
    elif kind == "blockquote":
        yield from (f"{styled('│', DIM)} {line}" for line in without_last(blocks(inside, width - 2)))
    elif kind in ("bullet_list", "ordered_list"):
        yield from listed(opening, inside, width)
    elif kind == "table":
        yield from drawn(*cells_of(inside), width)
    elif kind in ("fence", "code_block"):
        yield from (f"    {line}" for line in opening.content.rstrip("\n").split("\n"))
    elif kind == "hr":
        yield "─" * width
    else:
        return
    if not opening.hidden:  # the paragraphs of a list whose items stand close together are
        yield ""


def heading(content: Token, tag: str, width: int) -> Iterator[str]:
    """A heading, underlined where it opens a document or a part: that is seen without colours too."""
    lines = list(wrapped([piece._replace(style=BOLD) for piece in pieces_of(content)], width))
    yield from lines
    if tag in RULES:
        yield RULES[tag] * max(map(shown_width, lines), default=0)


def without_last(lines: Iterator[str]) -> list[str]:
    """Lines without the empty one after the last block."""
    found = list(lines)
    return found[:-1] if found and not found[-1] else found


def listed(opening: Token, inside: Sequence[Token], width: int) -> Iterator[str]:
    """The items of a list, each behind its mark."""
    number = int(opening.attrGet("start") or 1)
    at = 0
    while at < len(inside):
        end = closing(inside, at)
        mark = f"{number}. " if opening.type.startswith("ordered") else "• "
        lines = without_last(blocks(inside[at + 1 : end], width - len(mark)))
        yield from (f"{mark if not place else ' ' * len(mark)}{line}" for place, line in enumerate(lines))
        number, at = number + 1, end + 1


def cells_of(inside: Sequence[Token]) -> tuple[list[list[list[Piece]]], list[str]]:
    """The cells of a table, row by row, and on which side each column stands."""
    rows: list[list[list[Piece]]] = []
    sides: list[str] = []
    for number, token in enumerate(inside):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(pieces_of(inside[number + 1]))
            if len(rows) == 1:
                sides.append(">" if "right" in str(token.attrGet("style")) else "<")
    return rows, sides


def pieces_of(content: Token) -> list[Piece]:
    """The words of a paragraph with their styles; maths is written on one line."""
    found: list[Piece] = []
    bold = False
    for token in content.children or []:
        if token.type in ("strong_open", "strong_close"):
            bold = token.nesting > 0
        elif token.type.startswith("math"):
            found.append(Piece(inline(token.content), BOLD if bold else "", is_whole=True))
        elif token.type == "code_inline":
            found.append(Piece(token.content, "", is_whole=True))
        elif token.type == "image":
            found.append(Piece(f"[{token.content}]"))
        elif token.type in ("softbreak", "hardbreak"):
            found.append(Piece("\n" if token.type == "hardbreak" else " "))
        elif token.type == "html_inline" and token.content.lower().startswith("<br"):
            found.append(Piece("\n"))
        elif token.type == "text":
            found.append(Piece(token.content, BOLD if bold else ""))
    return found
