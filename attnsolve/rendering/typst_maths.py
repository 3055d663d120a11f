"""Formulas for Typst: MathML, which is read from our LaTeX, written in Typst's own notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

from attnsolve.languages import spoken
from attnsolve.rendering.escaping import typst_string
from attnsolve.rendering.formula_trees import (
    NOTHING,
    UNSEEN,
    applies_function,
    in_brackets,
    is_bracket,
    sign,
    tree,
    unprintable,
    without_groups,
)

NUMBER = re.compile(r"\d+(?:\.\d+)?")
# What Typst sets by rules of its own unless it is marked, and the class that it has on our pages.
CLASSES = {"/": "normal", "|": "normal", "‖": "normal", "∣": "relation"}
# What may be the sign of a number, or stand between two with space around it.
SIGNS = ("−", "+", "±", "∓")
ACCENTS = {
    "ˆ": "hat", "\u0302": "hat", "^": "hat", "˜": "tilde", "~": "tilde", "¯": "macron", "ˇ": "caron",
    "\u0332": "overline", "\u20d7": "arrow", "→": "arrow", "˙": "dot", "¨": "dot.double", "⏞": "overbrace",
}  # fmt: skip
ACCENTS_BELOW = {"\u0332": "underline", "⏟": "underbrace"}
# Signs whose limits stand above and below where there is room, as Typst knows by itself.
LARGE = tuple("∑∏∐⋃⋂⨁⨂⨀∫∬∮")
VARIATION = "\ufe00"
DOTS = ("mo", ".")
FONTS = {"b": "bold", "i": "italic"}
BRACKETS = "⟨⟩⌊⌋⌈⌉"
THIN = "#h(0.1667em)"
SOLID = ("mi", "mn", "msub", "msup", "msubsup", "mfrac", "msqrt")


def converted(source: str, *, display: bool) -> str:
    """A formula in Typst's notation, with the decimal sign of the spoken language."""
    return written(source, display, spoken().decimal_comma)


@lru_cache(maxsize=4096)  # symbols come again and again
def written(source: str, display: bool, comma: bool) -> str:
    """The same for a decimal sign."""
    found = tree(source, display=display)
    return Writer(source, comma).row(list(found), lines=display) or '""'


class Writer:
    """Writes the parts of one formula; a part that it does not know is refused, never left out."""

    def __init__(self, source: str, comma: bool) -> None:
        self.source = source
        self.comma = comma
        self.writers: dict[str, Callable[[Element], str]] = {
            "mi": self.letter, "mn": self.number, "mo": self.operator, "mtext": self.words,
            "mrow": self.group, "mspace": space, "mfrac": self.fraction, "msqrt": self.root,
            "mroot": self.root, "msub": self.scripted, "msup": self.scripted, "msubsup": self.scripted,
            "munder": self.limited, "mover": self.limited, "munderover": self.limited,
            "mtable": self.table, "menclose": self.framed, "mphantom": self.hidden,
        }  # fmt: skip

    def node(self, node: Element) -> str:
        """Any part."""
        if node.tag not in self.writers:
            raise unprintable(self.source, node.tag)
        return self.writers[node.tag](node)

    def row(self, nodes: Sequence[Element], *, lines: bool = False) -> str:
        """Parts side by side; aligned lines by themselves are lines of the page."""
        only = [node for node in nodes if node.tag != "mspace"]
        if lines and len(only) == 1 and is_aligned(only[0]):
            return " \\ ".join(self.line(row) for row in only[0])
        pieces: list[str] = []
        place = 0
        while place < len(nodes):
            if [(node.tag, node.text) for node in nodes[place : place + 3]] == [DOTS] * 3:
                pieces.append("…")
                place += 3
                continue
            if place and is_apart(nodes[place - 1], nodes[place]):
                pieces.append(THIN)
            is_function = place + 1 < len(nodes) and applies_function(nodes[place + 1])
            pieces.append(self.function(nodes[place]) if is_function else self.node(nodes[place]))
            place += 1
        return joined(pieces)

    def line(self, row: Element) -> str:
        """A line of an aligned display."""
        return " & ".join(self.row(list(cell)) for cell in row)

    def inside(self, node: Element) -> str:
        """What a command has in its braces: never nothing."""
        is_plain = node.tag == "mrow" and not in_brackets(node) and not node.get("displaystyle")
        return (self.row(list(node)) if is_plain else self.node(node)) or '""'

    def letter(self, node: Element) -> str:
        """A letter, slanted unless it says otherwise; several are a name."""
        text = (node.text or "").replace(VARIATION, "")
        if len(text) != 1:
            return typst_string(text)
        return f"upright({signed(text)})" if node.get("mathvariant") == "normal" else signed(text)

    def number(self, node: Element) -> str:
        """A number; a decimal comma has no space behind it."""
        text = node.text or ""
        if not NUMBER.fullmatch(text):
            return typst_string(text.replace(".", ",") if self.comma else text)
        return text.replace(".", '","') if self.comma else text

    def operator(self, node: Element) -> str:
        """A sign; unseen ones are for those who hear a page."""
        text = node.text or ""
        if text in UNSEEN:
            return ""
        if len(text) > 1:
            return f"op({typst_string(text)})"
        if node.get("minsize"):
            return f"lr(size: #{node.get('minsize')}, {signed(text)})"
        if text == "," and node.get("rspace") == "0":
            return '","'
        side = {"prefix": "opening", "postfix": "closing"}.get(node.get("form", "")) if text in "|‖" else None
        kind = side or CLASSES.get(text)
        return f'class("{kind}", {signed(text)})' if kind else signed(text)

    def words(self, node: Element) -> str:
        """Words among maths."""
        pieces = [("", node.text or "")]
        for child in node:
            if child.tag not in ("b", "i", "span") or len(child):
                raise unprintable(self.source, child.tag)
            pieces += [(FONTS.get(child.tag, ""), child.text or ""), ("", child.tail or "")]
        shown = [(font, typst_string(keeping_ends(text))) for font, text in pieces if text]
        return joined([f"{font}({text})" if font else text for font, text in shown])

    def function(self, node: Element) -> str:
        """The name of a function, perhaps with an index, before its argument."""
        bare = without_groups(node)
        if bare.tag in ("msub", "msup", "msubsup", "munder", "mover", "munderover"):
            name = self.function(bare[0])
            return self.attached(f"limits({name})" if bare.tag.startswith(("mu", "mo")) else name, bare)
        return f"op({typst_string(sign(bare))})" if bare.tag == "mi" else self.node(node)

    def group(self, node: Element) -> str:
        """A group, perhaps in brackets that grow with it."""
        if in_brackets(node):
            return self.bracketed(node)
        made = self.row(list(node))
        if len(node) and sign(node[0]) in SIGNS:  # after words Typst would see one between two numbers
            made = joined([f'class("normal", {sign(node[0])})', self.row(list(node)[1:])])
        if not node.get("displaystyle"):
            return made
        return f"{'display' if node.get('displaystyle') == 'true' else 'inline'}({made or chr(34) * 2})"

    def bracketed(self, node: Element) -> str:
        """What stands between \\left and \\right."""
        inner, (left, right) = list(node)[1:-1], (sign(node[0]), sign(node[-1]))
        if len(inner) == 1 and inner[0].tag == "mtable" and NOTHING not in (left, right):
            return self.table(inner[0], f"#({typst_string(left)}, {typst_string(right)})")
        if len(inner) == 1 and inner[0].get("linethickness") == "0":
            return f"binom({self.inside(inner[0][0])}, {self.inside(inner[0][1])})"
        pieces = [f"mid({signed(sign(one))})" if is_bracket(one) else "" for one in inner]
        rest: list[Element] = []
        made = []
        for one, middle in zip(inner, pieces, strict=True):
            if middle:
                made += [self.row(rest), middle]
                rest = []
            else:
                rest.append(one)
        sides = ["" if text == NOTHING else signed(text) for text in (left, right)]
        return f"lr({joined([sides[0], *made, self.row(rest), sides[1]])})"

    def fraction(self, node: Element) -> str:
        """A fraction, large or small where it says so."""
        above, below = (self.inside(child) for child in node)
        if node.get("linethickness") == "0":
            raise unprintable(self.source, "mfrac")
        made = f"frac({above}, {below})"
        size = {"true": "display", "false": "inline"}.get(node.get("displaystyle", ""))
        return f"{size}({made})" if size else made

    def root(self, node: Element) -> str:
        """A root, perhaps with its degree."""
        if node.tag == "mroot":
            return f"root({self.inside(node[1])}, {self.inside(node[0])})"
        return f"sqrt({self.inside(node[0]) if len(node) == 1 else self.row(list(node)) or chr(34) * 2})"

    def scripted(self, node: Element) -> str:
        """Indices and exponents."""
        return self.attached(self.inside(node[0]), node)

    def attached(self, base: str, node: Element) -> str:
        """A base with what stands below and above it."""
        kinds = {"msub": "b", "msup": "t", "msubsup": "bt", "munder": "b", "mover": "t", "munderover": "bt"}
        places = zip(kinds[node.tag], list(node)[1:], strict=True)
        return f"attach({base}, {', '.join(f'{place}: {self.inside(child)}' for place, child in places)})"

    def limited(self, node: Element) -> str:
        """Accents, braces and lines, words on arrows, and what stands below and above an operator."""
        mark = sign(node[1]) if len(node) == 2 else ""
        if node.get("accent") == "true" or node.get("accentunder") == "true":
            known = ACCENTS if node.tag == "mover" else ACCENTS_BELOW
            if mark not in known:
                raise unprintable(self.source, node.tag)
            return f"{known[mark]}({self.inside(node[0])})"
        if len(node) == 2 and node[1].tag == "mover" and node[1][-1].tag == "mspace":  # words on an arrow
            return f"attach(stretch({signed(sign(node[0]))}), t: {self.inside(node[1][0])})"
        base = self.inside(node[0])
        return self.attached(base if sign(node[0]) in LARGE else f"limits({base})", node)

    def table(self, node: Element, brackets: str = "#none") -> str:
        """A matrix, or lines that are aligned inside of something else."""
        rows = [", ".join(self.cell(cell) for cell in row) for row in node]
        tall = next(node.iter("mfrac"), None) is not None  # rows of fractions stand further apart
        gap = ", column-gap: #0em" if is_aligned(node) else ", row-gap: #0.7em" if tall else ""
        made = f"mat(delim: {brackets}{gap}, {'; '.join(rows)})"
        return f"display({made})"  # or its cells would be small in a line

    def cell(self, node: Element) -> str:
        """A cell of a table; one that stands on a side of its column says so."""
        made = self.row(list(node)) or '""'
        side = node.get("class", "")
        return f"{made} &" if side == "right" else f"& {made}" if side else made

    def framed(self, node: Element) -> str:
        """Something in a frame."""
        return f"#framed($ {self.row(list(node))} $.body)"

    def hidden(self, node: Element) -> str:
        """Room for something that is not there."""
        return f"#hide($ {self.row(list(node))} $.body)"


def is_apart(first: Element, second: Element) -> bool:
    """Whether a little space is between two parts: beside brackets that grow, as TeX has it."""
    return (in_brackets(first) and (in_brackets(second) or second.tag in SOLID)) or (
        first.tag in SOLID and in_brackets(second)
    )


def is_aligned(node: Element) -> bool:
    """Whether a table has lines that are aligned, and no cells."""
    return node.tag == "mtable" and node.get("displaystyle") == "true"


def space(node: Element) -> str:
    """A space of some width."""
    if node.get("class") == "closer":
        return "#h(-0.1667em)"
    width = node.get("width", "")
    return f"#h({width})" if width else ""


def signed(text: str) -> str:
    """A sign that means nothing to Typst but itself; brackets find no partners."""
    is_mark = len(text) == 1 and (text in BRACKETS or (text.isascii() and not text.isalnum()))
    return f"\\{text}" if is_mark else text


def keeping_ends(text: str) -> str:
    """Words whose blanks at both ends are printed."""
    inner = text.strip(" ")
    if not inner:
        return "\u00a0" * len(text)
    start = len(text) - len(text.lstrip(" "))
    return "\u00a0" * start + inner + "\u00a0" * (len(text) - start - len(inner))


def joined(pieces: Sequence[str]) -> str:
    """Parts side by side: a blank keeps letters apart, but beside words it would be printed."""
    made = ""
    for piece in filter(None, pieces):
        made += piece if not made or made.endswith('"') or piece.startswith('"') else f" {piece}"
    return made
