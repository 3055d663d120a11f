"""A question of choice as pure data: options to tick, made of a part's numbers or written by a lecturer."""

from __future__ import annotations

from attnsolve.records import NamedTuple

# How many options there are where a file does not say it, and how many a file may ask for.
USUAL, FEWEST, MOST = 4, 2, 8
LETTERS = "ABCDEFGH"


class WrongText(NamedTuple):
    """An option in words that is wrong, and why it is."""

    text: str
    why: str = ""


class ChoiceQuestion(NamedTuple):
    """What may be ticked: texts, or what the part asks for among the values that known mistakes give."""

    right: tuple[str, ...] = ()  # none where the part computes
    wrong: tuple[WrongText, ...] = ()
    options: int | None = None  # how many there should be, where a file says it
    mistakes: tuple[str, ...] = ()  # the names of those to be taken; none: the first that show
    seed: str = ""  # what the order hangs on; nothing where it is that of the file

    @property
    def is_computed(self) -> bool:
        """Whether its options are values of the part."""
        return not self.right

    @property
    def has_several(self) -> bool:
        """Whether more than one option is right."""
        return len(self.right) > 1
