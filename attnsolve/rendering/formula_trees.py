"""Formulas as trees: LaTeX is read once, by the converter of web pages; what prints them walks its MathML."""

from __future__ import annotations

from functools import lru_cache
from xml.etree.ElementTree import Element, ParseError, fromstring

from attnsolve.errors import AttnsolveError
from attnsolve.rendering.mathml import mathml

# What stands between a function and its argument, and where a bracket has no partner: neither is seen.
APPLIES, NOTHING = "\u2061", "\u2063"
UNSEEN = (APPLIES, NOTHING, "\u2062")


class NotPrinted(AttnsolveError):
    """A formula that has something in it which a format cannot print."""


@lru_cache(maxsize=512)
def tree(source: str, *, display: bool) -> Element:
    """The MathML of a formula; nobody changes it."""
    text = mathml(source, display=display).replace("&ApplyFunction;", APPLIES)
    try:
        found = fromstring(text)
    except ParseError:
        raise unprintable(source) from None
    if found.tag != "math":
        raise unprintable(source)
    return found


def unprintable(source: str, what: str = "") -> NotPrinted:
    """What is said about a formula, or about the piece of it that nobody knows."""
    about = f": its <{what}>" if what else ""
    return NotPrinted(f"the formula ${source}$ cannot be printed as PDF{about}; write it another way")


def without_groups(node: Element) -> Element:
    """What stands inside of groups around a single thing; spaces of no width are nothing."""
    inside = [child for child in node if not (child.tag == "mspace" and not child.attrib)]
    while node.tag == "mrow" and len(inside) == 1:
        node = inside[0]
        inside = [child for child in node if not (child.tag == "mspace" and not child.attrib)]
    return node


def sign(node: Element) -> str:
    """The sign of an operator, a letter or a number; nothing for what has parts."""
    return (node.text or "") if node.tag in ("mo", "mi", "mn") else ""


def applies_function(node: Element) -> bool:
    """Whether this is the unseen sign between a function and its argument."""
    return node.tag == "mo" and node.text == APPLIES


def is_bracket(node: Element) -> bool:
    """Whether this is a bracket that grows with what is inside."""
    if node.tag != "mo" or node.get("minsize") or node.get("stretchy") == "false":
        return False
    return node.text == NOTHING or node.text in GROWING or node.get("stretchy") == "true"


GROWING = tuple("()[]{}|‖⟨⟩⌊⌋⌈⌉↑↓")


def in_brackets(node: Element) -> bool:
    """Whether a group is what stands between \\left and \\right, with both of these."""
    return node.tag == "mrow" and len(node) >= 2 and is_bracket(node[0]) and is_bracket(node[-1])
