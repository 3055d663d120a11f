"""Formulas in words, for those who hear a page: signs as they are, and what is where around them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

from attnsolve.languages import decimal, message, spoken, translated
from attnsolve.rendering.formula_trees import NOTHING, UNSEEN, in_brackets, sign, tree, without_groups

ACCENTED = {
    "ˆ": message("{letter} hat"), "\u0302": message("{letter} hat"), "^": message("{letter} hat"),
    "˜": message("{letter} tilde"), "~": message("{letter} tilde"), "¯": message("{letter} bar"),
    "ˇ": message("{letter} check"), "\u0332": message("{letter} with a line"),
    "\u20d7": message("vector {letter}"), "→": message("vector {letter}"), "˙": message("{letter} dot"),
    "¨": message("{letter} two dots"), "⏞": message("{letter} with a brace"),
    "⏟": message("{letter} with a brace"),
}  # fmt: skip
PRIMES = {"′": 1, "″": 2, "‴": 3}
VARIATION = "\ufe00"


def in_words(source: str) -> str:
    """A formula in words of the spoken language, as a page that is read aloud says it."""
    return heard(source, spoken().code)


@lru_cache(maxsize=4096)  # symbols come again and again
def heard(source: str, language: str) -> str:
    """The same; the language is the spoken one, by which it is kept."""
    return " ".join(row(list(tree(source, display=True))).split()) or "–"


def row(nodes: Sequence[Element]) -> str:
    """Parts side by side; blanks between signs, none inside of brackets and before commas."""
    made = ""
    for node in nodes:
        piece = said(node)
        if not piece:
            continue
        closes = node.tag == "mo" and piece in ",;)]}⟩⌋⌉!:"
        opens = made.endswith(("(", "[", "{", "⟨", "⌊", "⌈"))
        is_dot = made.endswith(".") and piece == "."
        made += piece if not made or closes or opens or is_dot else f" {piece}"
    return made


def said(node: Element) -> str:
    """One part in words."""
    if node.tag in ("mi", "mo"):
        text = "".join(node.itertext()).replace(VARIATION, "")
        return "" if text in UNSEEN else text
    if node.tag == "mn":
        return decimal(node.text or "")
    if node.tag == "mtext":
        return "".join(node.itertext()).strip()
    if node.tag in ("mspace", "mphantom"):
        return ""
    return SAYING.get(node.tag, grouped)(node)


def grouped(node: Element) -> str:
    """A group, a matrix among them with its brackets."""
    if in_brackets(node) and len(node) == 3:
        inside, brackets = node[1], (sign(node[0]), sign(node[2]))
        if inside.tag == "mtable" and brackets == ("{", NOTHING):
            return translated("cases ({lines})", lines="; ".join(map(line, inside)))
        if inside.tag == "mtable":
            return table(inside)
        if inside.get("linethickness") == "0":
            return translated("{above} choose {below}", above=said(inside[0]), below=said(inside[1]))
    return row(list(node))


def line(node: Element) -> str:
    """A line of cases, or of what is aligned."""
    return " ".join(filter(None, (row(list(cell)) for cell in node)))


def is_short(node: Element) -> bool:
    """Whether nobody needs to be told where something ends."""
    return without_groups(node).tag in ("mi", "mn", "mo", "mtext")


def fraction(node: Element) -> str:
    """1 over 2; where it is not clear what is above and below, its end is said."""
    above, below = (said(child) for child in node)
    if all(map(is_short, node)):
        return translated("{above} over {below}", above=above, below=below)
    return translated("fraction {above} over {below} end of fraction", above=above, below=below)


def root(node: Element) -> str:
    """The square root of something, or another root."""
    inside = said(node[0]) if len(node) else ""
    if node.tag == "mroot":
        return translated("root {degree} of {number}", degree=said(node[1]), number=inside)
    if len(node) == 1 and is_short(node[0]):
        return translated("root of {number}", number=inside)
    return translated("root of {number} end of root", number=row(list(node)))


def lowered(base: str, below: Element | None) -> str:
    """Something with its index."""
    if below is None:
        return base
    return translated("{base} sub {index}", base=base, index=said(below))


def raised(base: str, above: Element | None) -> str:
    """Something with what stands above it."""
    if above is None:
        return base
    bare = without_groups(above)
    text = said(above)
    if sign(bare) == "⊤":
        return translated("{base} transposed", base=base)
    if text in PRIMES:
        return " ".join([base, *[translated("prime")] * PRIMES[text]])
    if text.startswith(("(", "[")):
        return translated("{base} superscript {index}", base=base, index=text)
    if is_short(above):
        return translated("{base} to the power {exponent}", base=base, exponent=text)
    return translated("{base} to the power {exponent} end of power", base=base, exponent=text)


def scripted(node: Element) -> str:
    """Something with indices and exponents."""
    below = node[1] if node.tag in ("msub", "msubsup") else None
    above = node[-1] if node.tag in ("msup", "msubsup") else None
    return raised(lowered(said(node[0]), below), above)


def limited(node: Element) -> str:
    """Accents, and what stands below and above an operator."""
    mark = sign(node[1]) if len(node) == 2 else ""
    base = said(node[0])
    if "true" in (node.get("accent"), node.get("accentunder")) and mark in ACCENTED:
        return translated(ACCENTED[mark], letter=base)
    if node.tag == "munderover":
        start, end = said(node[1]), said(node[2])
        return translated("{operator} from {start} to {end} of", operator=base, start=start, end=end)
    if node.tag == "mover":
        on_arrow = len(node[1]) == 2 and node[1][1].tag == "mspace"
        return translated(
            "{base} with {words} above it", base=base, words=said(node[1][0] if on_arrow else node[1])
        )
    if without_groups(node[0]).tag in ("mi", "mo"):
        return translated("{operator} over {index} of", operator=base, index=said(node[1]))
    return translated("{base} with {words} below it", base=base, words=said(node[1]))


def table(node: Element) -> str:
    """A matrix row by row, a vector number by number; aligned lines one after the other."""
    if node.get("displaystyle") == "true":
        return "; ".join(map(line, node))
    rows = [[row(list(cell)) for cell in cells] for cells in node]
    separator = f"{spoken().separator} "
    height, width = len(rows), max(map(len, rows), default=0)
    if height == 1:
        return translated("row ({numbers})", numbers=separator.join(rows[0]))
    if width == 1:
        return translated("column ({numbers})", numbers=separator.join(cells[0] for cells in rows))
    lines = "; ".join(
        translated("row {number}: {numbers}", number=place, numbers=separator.join(cells))
        for place, cells in enumerate(rows, start=1)
    )
    return translated("matrix {rows} by {columns} ({lines})", rows=height, columns=width, lines=lines)


SAYING = {
    "mfrac": fraction, "msqrt": root, "mroot": root, "msub": scripted, "msup": scripted, "msubsup": scripted,
    "munder": limited, "mover": limited, "munderover": limited, "mtable": table,
}  # fmt: skip
