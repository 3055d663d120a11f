"""MathML as a bare tree: what stands in, over and below what, without what engines spell differently."""

import re
import unicodedata
from collections.abc import Iterable
from html import unescape
from typing import Any
from xml.etree import ElementTree

# An item is a piece of text, or a box: its tag, then what is in each of its places.
Items = tuple[Any, ...]

BOXES = {"mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "mover", "mtable", "mtr", "mtd"}
# Limits of a sum stand below it or beside it, as the browser finds room.
LIMITS = {"munder": "msub", "munderover": "msubsup"}
SCRIPTS = {"msub", "msup", "msubsup"}
ONE_PLACE = {"msqrt", "mtd"}
LEAVES = {"mi", "mn", "mo", "mtext", "ms"}
UNSEEN = {"annotation", "mspace"}
CLOSING = (")", "]", "|")
# Signs for which they have other characters: accents, bars; and what is not seen.
ALIKE = str.maketrans("\u0303\u0304\u0305\u0302ˆ∣‖", "~ˉˉ^^|∥", "\u2061\u2062\u2063\u2064\u200b\u200c\u200d")


def tree(mathml: str) -> Items:
    """The tree of a formula."""
    named = re.sub(r"&(?!amp;|lt;|gt;|quot;|#)(\w+;)", lambda match: unescape(f"&{match[1]}"), mathml)
    return items(ElementTree.fromstring(re.sub(r'\sxmlns="[^"]*"', "", named)))


def items(element: ElementTree.Element) -> Items:
    """What an element shows; rows that only group are taken apart."""
    if element.tag in UNSEEN:
        return ()
    if element.tag in LEAVES:
        shown = unicodedata.normalize("NFKC", "".join(element.itertext())).translate(ALIKE)
        return joined(["".join(shown.split())])
    tag = LIMITS.get(element.tag, element.tag)
    places = [items(child) for child in element]
    inside = joined(item for place in places for item in place)
    if tag not in BOXES:
        return inside
    if tag in ONE_PLACE:
        return ((tag, inside),)
    if tag == "mtr":  # cells that are left out at the end of a row are empty
        while places and places[-1] == (("mtd", ()),):
            places.pop()
    if (
        tag in SCRIPTS
        and places[0]
        and str(places[0][-1])[-1:] in CLOSING
        and places[0] not in map(tuple, CLOSING)
    ):
        *before, last = places[0]
        if isinstance(last, str):  # LaTeX puts a script to the bracket, others to all that it closes
            return joined([*before, last[:-1], (tag, (last[-1],), *places[1:])])
    return ((tag, *places),)


def joined(found: Iterable[Any]) -> Items:
    """Neighbouring pieces of text as one."""
    made: list[Any] = []
    for item in found:
        if isinstance(item, str) and made and isinstance(made[-1], str):
            made[-1] += item
        elif item != "":
            made.append(item)
    return tuple(made)
