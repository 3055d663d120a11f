"""What somebody may want, as records: to answer, to be helped, to go elsewhere."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from attnsolve.languages import message, quoted, translated
from attnsolve.practice.progress import Cells
from attnsolve.rendering.text import Segments


class Wish(StrEnum):
    """What somebody may want."""

    ANSWER = "answer"
    ROW = "row"  # one row of an answer that has more of them
    GO = "go"
    HINT = "hint"
    NEXT = "next"
    BACK = "back"
    SHOW = "show"
    NEW = "new"
    LIST = "list"
    HELP = "help"
    QUIT = "quit"


class Event(NamedTuple):
    """A wish, the value that it is about (or the one at hand), and what was typed for it."""

    wish: Wish
    name: str = ""
    cells: Cells = ()


class Tone(StrEnum):
    """How something is meant, which a screen may show by a sign or a colour."""

    GOOD = "good"
    BAD = "bad"
    HINT = "hint"
    NOTE = "note"


class Said(NamedTuple):
    """A sentence for whoever practises."""

    tone: Tone
    words: Segments
    at_prompt: bool = False  # whether it is for those who type commands; a page has buttons and places for it


class Showing(StrEnum):
    """A piece of a sheet that a screen shows in its own way."""

    QUESTION = "question"
    VALUE = "value"  # what is to be typed now
    WORKED = "worked"


class Shown(NamedTuple):
    """A piece of a sheet to be shown: the question of a part, a value, or how it is worked out."""

    what: Showing
    name: str
    opens: bool = False  # whether the opening of the sheet stands above it


# The words that are typed for a wish, and what each does.
COMMANDS = {
    Wish.HINT: (message("hint"), message("what to do; again: which number, which slip, the value")),
    Wish.NEXT: (message("next"), message("go on to the next value, also without an answer")),
    Wish.BACK: (message("back"), message("go back to the value before")),
    Wish.SHOW: (message("show"), message("show the worked step; it is counted")),
    Wish.NEW: (message("new"), message("the same exercise with other numbers")),
    Wish.LIST: (message("list"), message("all values, and how far you are")),
    Wish.HELP: (message("help"), message("this list")),
    Wish.QUIT: (message("quit"), message("leave; everything is kept")),
}


def word(wish: Wish) -> str:
    """What is typed for a wish, in quotation marks."""
    return quoted(translated(COMMANDS[wish][0]))
