"""A text with markup: markdown-it finds out what it means, and its tokens become our tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from attnsolve.maths import Complaint, complaint_about_maths
from attnsolve.prose import Reading
from attnsolve.prose.places import Places
from attnsolve.prose.rules import lone_dollar, tracked, whole_words_only
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
    Side,
    Strong,
    Words,
)

# Lists may be nested so deep, and so may emphasis and links: LaTeX has no more, and nobody reads more.
LIST_DEPTH, INLINE_DEPTH = 4, 6
MOST_COMPLAINTS = 20
MOST_BRACKETS = 500
CAPTION = re.compile(r"""\s(?P<mark>["'(])(?P<words>.*)["')]\s*\)""", re.DOTALL)
WIDTH = re.compile(r"\{\s*width\s*=\s*(\d{1,3})\s*%\s*\}")
ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f]+", re.IGNORECASE)
LANGUAGE = re.compile(r"[A-Za-z0-9_+\-]{1,20}")
# What is found and not printed, with what to write instead.
UNSUPPORTED = {
    "heading_open": "a '#' at the start of a line would be a heading; use title: for those, or write \\#",
    "blockquote_open": "a '>' at the start of a line would be a quotation, which there is not; write \\>",
    "hr": "a line of --- or *** would be a rule, which there is not; leave it out",
    "html_block": "HTML is not allowed; write Markdown (**bold**, *emphasis*, - lists), or \\< for the sign",
}
HTML = "HTML is not allowed; write Markdown (**bold**, *emphasis*, `code`), or \\< for the sign"


class Trusting(MarkdownIt):
    """Takes any address for a link: what may be linked is said below, with a reason."""

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """CommonMark with tables and $…$, but without indented code, underlined headings and entities."""
    made = Trusting("commonmark", {"maxNesting": 100}).enable("table")
    made.disable(["code", "lheading", "reference", "entity"])
    dollarmath_plugin(made, allow_labels=False, double_inline=True)
    made.inline.ruler.at("emphasis", whole_words_only)
    made.inline.ruler.after("math_inline", "lone_dollar", lone_dollar)
    for name, rule in zip(made.inline.ruler.get_active_rules(), made.inline.ruler.getRules(""), strict=True):
        made.inline.ruler.at(name, tracked(rule))
    return made


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


class Overwhelmed(Exception):
    """Enough is wrong already."""


class Reader:
    """Goes through the tokens of one text; whatever is not allowed is complained about."""

    def __init__(self, text: str) -> None:
        self.places = Places(text)
        self.complaints: list[Complaint] = []
        self.in_table = False

    def complain(self, message: str, offset: int) -> None:
        """Keep what is wrong; nobody mends hundreds of faults at once."""
        self.complaints.append(Complaint(message, offset))
        if len(self.complaints) >= MOST_COMPLAINTS:
            raise Overwhelmed

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

    def sentence(self, token: Token, begin: int) -> Inlines:
        """What stands in a cell of a table."""
        assert token.children is not None
        return trimmed(self.inlines(token.children, token, begin, depth=0))

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

    def inlines(self, tokens: Sequence[Token], whole: Token, begin: int, *, depth: int) -> Inlines:
        """What stands in a sentence."""
        made: list[Inline] = []
        place = 0
        while place < len(tokens):
            end = closing(tokens, place)
            inside = tokens[place + 1 : end]
            made += self.inline(tokens[place], inside, whole, begin, depth)
            place = end + 1
        return joined(made)

    def inline(
        self, token: Token, inside: Sequence[Token], whole: Token, begin: int, depth: int
    ) -> tuple[Inline, ...]:
        """One piece of a sentence; nothing where it is not allowed."""
        if depth > INLINE_DEPTH:
            said = f"emphasis nested deeper than {INLINE_DEPTH} levels"
            self.complain(said, self.at(token, whole, begin))
            return ()
        match token.type:
            case "text" | "text_special":
                return (Words(token.content),) if token.content else ()
            case "softbreak":
                return (Words(" "),)
            case "hardbreak":
                return (Break(),)
            case "code_inline":
                return (Code(token.content),)
            case "math_inline":
                return (Formula(self.maths(token.content, partial(self.at, token, whole, begin, 1))),)
            case "em_open":
                return (Emphasis(self.inlines(inside, whole, begin, depth=depth + 1)),)
            case "strong_open":
                return (Strong(self.inlines(inside, whole, begin, depth=depth + 1)),)
            case "link_open":
                return self.link(token, inside, whole, begin, depth)
            case _:
                self.complain(refusal(token, self.in_table), self.at(token, whole, begin))
        return ()

    def link(
        self, token: Token, inside: Sequence[Token], whole: Token, begin: int, depth: int
    ) -> tuple[Inline, ...]:
        """A link to a page or to somebody's mail, and to nothing else."""
        address = str(token.attrs["href"])
        if not ADDRESS.fullmatch(address):
            said = f"a link to '{unquote(address)[:40]}'; links begin with https://, http:// or mailto:"
            self.complain(said, self.at(token, whole, begin))
            return ()
        words = self.inlines(inside, whole, begin, depth=depth + 1)
        if not words:
            said = "a link needs words: [the paper](https://…), or the address alone: <https://…>"
            self.complain(said, self.at(token, whole, begin))
        return (Link(words, address, token.markup == "autolink"),)

    def maths(self, source: str, begin: Callable[[], int]) -> str:
        """Maths on one line, once it has been found right."""
        complaint = complaint_about_maths(source)
        if complaint is None and not source.strip():
            complaint = Complaint("nothing stands between these dollars", 0)
        if complaint is not None:
            self.complain(complaint.message, self.places.walk(begin(), source, complaint.offset))
        return " ".join(source.split())

    def at(self, token: Token, whole: Token, begin: int, further: int = 0) -> int:
        """Where an inline token stands in the text, or something a little further."""
        return self.places.walk(begin, whole.content, token.meta.get("at", 0)) + further


def refusal(token: Token, in_table: bool) -> str:
    """Why a piece of a sentence is not allowed, and what is."""
    match token.type:
        case "lone_dollar" if in_table:
            return "a '$' without its partner; in a table '|' ends a cell, so write \\vert in maths"
        case "lone_dollar":
            return "a '$' without its partner; maths stands between two of them, and \\$ is the sign itself"
        case "image":
            return "a figure stands in a paragraph of its own: ![what it shows](figure.png){width=60%}"
        case "math_inline_double":
            return "a display has no place inside of emphasis, links or tables; write $x$"
        case "html_inline":
            return f"'{token.content[:30]}': {HTML}"
    return f"'{token.content[:30]}' is not supported here"


def closing(tokens: Sequence[Token], place: int) -> int:
    """The place of the token that closes the one at `place`: itself, if it opens nothing."""
    if tokens[place].nesting != 1:
        return place
    depth = 0
    for later in range(place, len(tokens)):
        depth += tokens[later].nesting
        if depth == 0:
            return later
    return len(tokens)


def joined(pieces: Sequence[Inline]) -> Inlines:
    """Neighbouring words as one piece."""
    made: list[Inline] = []
    for piece in pieces:
        if isinstance(piece, Words) and made and isinstance(made[-1], Words):
            made[-1] = Words(made[-1].text + piece.text)
        else:
            made.append(piece)
    return tuple(Words(re.sub(r"[ \t\n]+", " ", one.text)) if isinstance(one, Words) else one for one in made)


def trimmed(pieces: Inlines) -> Inlines:
    """A sentence without blanks at its ends."""
    made = list(pieces)
    if made and isinstance(made[0], Words):
        made[0] = Words(made[0].text.lstrip())
    if made and isinstance(made[-1], Words):
        made[-1] = Words(made[-1].text.rstrip())
    return tuple(piece for piece in made if piece != Words(""))
