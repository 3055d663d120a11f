"""What stands inside of a sentence: the inline tokens of markdown-it become pieces of our tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import unquote

from markdown_it.token import Token

from attnsolve.maths import Complaint, complaint_about_maths
from attnsolve.prose.places import Places
from attnsolve.prose.tree import Break, Code, Emphasis, Formula, Inline, Inlines, Link, Strong, Words

# Emphasis and links may be nested so deep: nobody reads more.
INLINE_DEPTH = 6
MOST_COMPLAINTS = 20
ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f]+", re.IGNORECASE)
HTML = "HTML is not allowed; write Markdown (**bold**, *emphasis*, `code`), or \\< for the sign"


class Overwhelmed(Exception):
    """Enough is wrong already."""


class SentenceReader:
    """Goes through the inline tokens of one text; whatever is not allowed is complained about."""

    def __init__(self, text: str) -> None:
        self.places = Places(text)
        self.complaints: list[Complaint] = []
        self.in_table = False

    def complain(self, message: str, offset: int) -> None:
        """Keep what is wrong; nobody mends hundreds of faults at once."""
        self.complaints.append(Complaint(message, offset))
        if len(self.complaints) >= MOST_COMPLAINTS:
            raise Overwhelmed

    def sentence(self, token: Token, begin: int) -> Inlines:
        """What stands in a cell of a table."""
        assert token.children is not None
        return trimmed(self.inlines(token.children, token, begin, depth=0))

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
