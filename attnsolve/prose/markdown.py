"""A text with markup: markdown-it finds out what it means, and its tokens become our tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from urllib.parse import unquote

from markdown_it.token import Token

from attnsolve.maths import Complaint
from attnsolve.prose import Reading
from attnsolve.prose.parser import parser
from attnsolve.prose.sentences import Overwhelmed, SentenceReader, closing, joined, trimmed
from attnsolve.prose.tree import (
    Block,
    Blocks,
    Bullets,
    Code,
    CodeBlock,
    Display,
    Figure,
    Grid,
    Inlines,
    Numbered,
    Paragraph,
    Side,
    Words,
)

# Lists may be nested so deep: LaTeX has no more, and nobody reads more.
LIST_DEPTH = 4
MOST_BRACKETS = 500
CAPTION = re.compile(r"""\s(?P<mark>["'(])(?P<words>.*)["')]\s*\)""", re.DOTALL)
WIDTH = re.compile(r"\{\s*width\s*=\s*(\d{1,3})\s*%\s*\}")
LANGUAGE = re.compile(r"[A-Za-z0-9_+\-]{1,20}")
# What is found and not printed, with what to write instead.
UNSUPPORTED = {
    "heading_open": "a '#' at the start of a line would be a heading; use title: for those, or write \\#",
    "blockquote_open": "a '>' at the start of a line would be a quotation, which there is not; write \\>",
    "hr": "a line of --- or *** would be a rule, which there is not; leave it out",
    "html_block": "HTML is not allowed; write Markdown (**bold**, *emphasis*, - lists), or \\< for the sign",
}


def read_markdown(text: str) -> Reading:
    """The tree of a text, or what is wrong with it."""
    reader = Reader(text)
    found: Blocks = ()
    if text.count("[") > MOST_BRACKETS:
        said = f"more than {MOST_BRACKETS} '[' in one text; nobody reads so many links"
        return Reading((), (Complaint(said, text.index("[")),))
    with suppress(Overwhelmed):
        found = reader.blocks(parser().parse(text))
    complaints = sorted(reader.complaints, key=lambda complaint: complaint.offset)
    return Reading(found, tuple(complaints))


class Reader(SentenceReader):
    """Goes through the blocks of one text."""

    def blocks(self, tokens: Sequence[Token], *, depth: int = 0) -> Blocks:
        """The blocks that some tokens make."""
        made: list[Block] = []
        place = 0
        while place < len(tokens):
            token = tokens[place]
            end = closing(tokens, place)
            made += self.block(token, tokens[place + 1 : end], depth)
            place = end + 1
        return tuple(made)

    def block(self, token: Token, inside: Sequence[Token], depth: int) -> Blocks:
        """One block; none where it is not allowed."""
        start = self.places.line(token.map[0]) if token.map else 0
        match token.type:
            case "paragraph_open":
                return self.paragraph(inside[0])
            case "math_block":
                return (Display(self.maths(token.content, lambda: self.places.after("$$", start))),)
            case "fence":
                language = token.info.strip()
                kept = language if LANGUAGE.fullmatch(language) and language != "math" else ""
                return (CodeBlock(tuple(token.content.rstrip("\n").split("\n")), kept),)
            case "bullet_list_open" | "ordered_list_open":
                return self.listing(token, inside, depth + 1)
            case "table_open":
                return self.table(inside)
        self.complain(UNSUPPORTED.get(token.type, f"'{token.markup}' is not supported here"), start)
        return ()

    def listing(self, token: Token, inside: Sequence[Token], depth: int) -> Blocks:
        """A list; a single number at the start of a text is no list of one item, but a number."""
        if depth > LIST_DEPTH:
            assert token.map is not None
            self.complain(f"lists nested deeper than {LIST_DEPTH} levels", self.places.line(token.map[0]))
            return ()
        items: list[Blocks] = []
        place = 0
        while place < len(inside):
            end = closing(inside, place)
            items.append(self.blocks(inside[place + 1 : end], depth=depth))
            place = end + 1
        if not any(items):  # a sign alone in its line
            return (Paragraph((Words(token.markup),)),)
        tight = all(
            one.hidden for one in inside if one.type == "paragraph_open" and one.level == token.level + 2
        )
        if token.type == "bullet_list_open":
            return (Bullets(tuple(items), tight),)
        first = int(token.attrs.get("start", 1))
        alone = len(items) == 1 and depth == 1
        if alone and items[0] and isinstance(items[0][0], Paragraph):
            number = Words(f"{first}{token.markup} ")
            return (Paragraph(joined((number, *items[0][0].inside))), *items[0][1:])
        return (Numbered(tuple(items), tight, first),)

    def table(self, inside: Sequence[Token]) -> Blocks:
        """A table with its header and its rows."""
        self.in_table = True
        rows: list[list[Inlines]] = []
        sides: list[Side] = []
        line = begin = 0
        for token in inside:
            if token.type == "tr_open":
                rows.append([])
                line = token.map[0] if token.map else line + 1
                begin = self.places.line(line)
            elif token.type == "th_open":
                style = str(token.attrs.get("style", ""))
                found = [
                    side for side in Side if style.endswith(f":{side.value.replace('centre', 'center')}")
                ]
                sides.append(found[0] if found else Side.LEFT)
            elif token.type == "inline":
                begin = self.places.within(line, token.content, begin)
                rows[-1].append(self.sentence(token, begin))
                self.no_bar_in_code(rows[-1][-1], begin)
                begin += len(token.content)
        self.in_table = False
        return (Grid(tuple(rows[0]), tuple(map(tuple, rows[1:])), tuple(sides)),)

    def no_bar_in_code(self, cell: Inlines, begin: int) -> None:
        """Readers of Markdown do not agree about | in code in a table."""
        if any(isinstance(piece, Code) and "|" in piece.text for piece in cell):
            self.complain("a '|' in code has no place in a table; write the code below it", begin)

    def paragraph(self, token: Token) -> Blocks:
        """Sentences, with displays between them; or a figure that stands alone."""
        assert token.map is not None and token.children is not None
        begin = self.places.first(token.map[0], token.content)
        children = [child for child in token.children if child.type != "softbreak"]
        if children and children[0].type == "image":
            rest = "".join(child.content for child in children[1:]).strip()
            width = WIDTH.fullmatch(rest) if rest else None
            if all(child.type == "text" for child in children[1:]) and (width or not rest):
                return self.figure(children[0], int(width[1]) if width else 0, begin, token.content)
        made: list[Block] = []
        run: list[Token] = []
        for child in token.children:
            if child.type == "math_inline_double" and child.level == 0:
                made += self.sentences(run, token, begin)
                run = []
                made.append(Display(self.maths(child.content, partial(self.at, child, token, begin, 2))))
            else:
                run.append(child)
        return (*made, *self.sentences(run, token, begin))

    def sentences(self, children: Sequence[Token], token: Token, begin: int) -> Blocks:
        """A paragraph, unless there is nothing in it."""
        inside = trimmed(self.inlines(children, token, begin, depth=0))
        return (Paragraph(inside),) if inside else ()

    def figure(self, image: Token, width: int, begin: int, content: str) -> Blocks:
        """A picture alone in its paragraph."""
        if width and not 5 <= width <= 100:
            self.complain(f"a width of {width}%; it must be from 5% to 100% of the text", begin)
        if not image.content.strip():
            said = "a figure needs words for those who do not see it: ![what it shows](figure.png)"
            self.complain(said, begin)
        alt = " ".join(image.content.split())
        file = unquote(str(image.attrs["src"]))
        return (Figure(file, alt, self.caption(image, begin, content), width),)

    def caption(self, image: Token, begin: int, content: str) -> Inlines:
        """What stands below a figure, between quotation marks behind its file: a sentence as any other."""
        if "title" not in image.attrs:
            return ()
        typed = CAPTION.search(content)
        words = str(image.attrs["title"]) if typed is None else typed["words"]
        place = begin if typed is None else self.places.walk(begin, content, typed.start("words"))
        (token,) = parser().parseInline(words)
        return self.sentence(token, place)
