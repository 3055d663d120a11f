"""Numbers that a file names once, under `let:`, and has wherever `<r>` or `<s/(r+s)>` stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.expressions import number
from attnsolve.loader.assumptions import NAME, TAKEN
from attnsolve.loader.domains import read_fraction
from attnsolve.loader.numbers import spend
from attnsolve.loader.reader import Reader, did_you_mean, listing, shortened
from attnsolve.maths.macros import PIECES

PLACE = re.compile(r"<([A-Za-z0-9(][^<>\s$]*)>")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
LETTER = re.compile(r"[A-Za-z]{1,8}")
# What may have such places, and which of it is written for people.
FILLED = ("title", "intro", "assume", "given", "parts")
PROSE = ("title", "intro", "ask", "explain", "note", "discuss")
OPERATORS = "*/^+-·"
FACTOR = "*"  # <r*> is a factor: 1 is not written, and of -1 only its sign
ONES = {"1": "", "-1": "-", "(-1)": "-"}
SUCH_AS = "{r: 2, s: 3}"
MOST = 40

# By name, a number, or a letter that stands for a key.
Values = Mapping[str, Fraction | str]


def read_values(reader: Reader, node: Node) -> dict[str, Fraction | str]:
    """`{r: 2, s: 1/3, i: a}`: what each name stands for."""
    made: dict[str, Fraction | str] = {}
    if not node.is_map or len(node.entries) > MOST:
        said = f"a map of at most {MOST} numbers is expected here, such as {SUCH_AS}"
        reader.fault(node, "let", said)
        return made
    for key, value in node.entries:
        path, text = f"let.{key.text}", value.text.strip() if value.is_text else ""
        value_of = read_fraction(reader, text) if text else None
        if not NAME.fullmatch(key.text) or key.text in TAKEN:
            reader.fault(key, "let", f"'{shortened(key.text)}' cannot be the name of a number here")
        elif value_of is None and not LETTER.fullmatch(text):
            said = f"'{shortened(text)}' is no number such as 2 or 1/3, and no letter of an index such as a"
            reader.fault(value, path, said)
        else:
            made[key.text] = text if value_of is None else value_of
    return made


def filled_in(reader: Reader, entries: Mapping[str, Node]) -> dict[str, Node]:
    """The entries of a file with its numbers in their places."""
    if "assume" not in entries:
        said = "'let' is for problems with symbols, which have assume:"
        reader.fault(entries["let"], "let", said)
        return dict(entries)
    values = read_values(reader, entries["let"])
    reader.finish()  # whatever stands in their places would be refused as well
    filler = Filler(reader, values)
    return {key: filler.node(node, key, key) if key in FILLED else node for key, node in entries.items()}


class Filler:
    """Puts values in their places, all through a document."""

    def __init__(self, reader: Reader, values: Values) -> None:
        self.reader = reader
        self.values = values

    def node(self, node: Node, path: str, key: str) -> Node:
        """A node with all that is in it; `key` says whether it is written for people."""
        if node.is_list:
            return node._replace(items=tuple(self.node(item, path, key) for item in node.items))
        if node.is_map:
            entries = tuple(
                (inner, self.node(value, f"{path}.{inner.text}", inner.text)) for inner, value in node.entries
            )
            return node._replace(entries=entries)
        return self._text(node, path, is_prose=key in PROSE) if PLACE.search(node.text) else node

    def _text(self, node: Node, path: str, *, is_prose: bool) -> Node:
        text = node.text
        maths = [found.span() for found in PIECES.finditer(text) if found[2]] if is_prose else []
        pieces, origins, last = [], list[int](), 0
        for place in PLACE.finditer(text):
            value = self._value(node, path, place)
            if value is None:
                continue
            in_maths = any(start < place.start() < stop for start, stop in maths)
            shown = written(value, text[: place.start()], text[place.end() :], in_maths=in_maths)
            if place[1].endswith(FACTOR):
                shown = ONES.get(shown, shown)
            pieces += [text[last : place.start()], shown]
            origins += [*range(last, place.start()), *[place.start()] * len(shown)]
            last = place.end()
        pieces.append(text[last:])
        origins += range(last, len(text) + 1)
        return node._replace(text="".join(pieces), typed=text, origins=tuple(origins))

    def _value(self, node: Node, path: str, place: re.Match[str]) -> Fraction | str | None:
        """What stands for a place: a letter by its name, or any number that is made from the named ones."""
        typed = place[1].removesuffix(FACTOR)
        if typed in self.values:
            return self.values[typed]
        numbers = {name: value for name, value in self.values.items() if isinstance(value, Fraction)}
        unknown = next((word for word in WORD.findall(typed) if word not in numbers), None)
        if unknown is not None:
            known = did_you_mean(unknown, numbers) or listing("there are", list(numbers), "there are none")
            said = f"there is no number '{shortened(unknown)}' under let{known}"
            blanks = "put blanks around < and > where they are signs"
            self.reader.fault(node, path, f"{said}; {blanks}", at=place.start())
            return None
        try:
            text = WORD.sub(lambda word: f"({numbers[word[0]]})", typed)
            spend(self.reader, text)
            made = number(text, limits=self.reader.limits).rational()
            why = "it is not rational"
        except AttnsolveError as error:
            made, why = None, str(error)
        if made is None:
            said = f"'<{shortened(typed)}>' is no number that could stand here: {why}"
            self.reader.fault(node, path, said, at=place.start())
        return made


def written(value: Fraction | str, before: str, after: str, *, in_maths: bool) -> str:
    """A value as it is written between what stands before and after it, in brackets where it has to be."""
    if isinstance(value, str):
        return value
    whole = value.denominator == 1
    if in_maths and not whole:
        sign = "-" if value < 0 else ""
        shown = rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    else:
        shown = str(value)
    if whole and value >= 0:
        return shown
    follows = before.rstrip()[-1:] in tuple(OPERATORS) and (value < 0 or before.rstrip()[-1:] in "/^")
    joined = after[:1] == "^" or (not in_maths and (after[:1].isalnum() or after[:1] in ("(", "\\")))
    return f"({shown})" if follows or joined else shown
