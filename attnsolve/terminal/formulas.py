"""Formulas in LaTeX as boxes of characters, readable on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from attnsolve.maths.commands import ARGUMENTS, GROWING
from attnsolve.maths.tokens import ENVIRONMENT, tokens_of
from attnsolve.terminal.atoms import Atom, Place, line
from attnsolve.terminal.boxes import EMPTY, Box, bracketed, fraction, row, stack, table, word
from attnsolve.terminal.letters import (
    ACCENTS,
    DOUBLE,
    FUNCTIONS,
    OPERATIONS,
    RELATIONS,
    SIGNS,
    lowered,
    raised,
)

# The brackets of each environment with cells, and where these stand in their columns.
MATRICES = {
    "matrix": ("", ""), "smallmatrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"), "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"),
}  # fmt: skip
ROW_END = r"\\"


class FormulaReader:
    """Reads one formula; `stacked` lets fractions take several lines, as displays do."""

    def __init__(self, source: str, *, stacked: bool) -> None:
        tokens = tokens_of(source)
        self.tokens = [token.text for token in tokens]
        self.apart = [token.apart for token in tokens]
        self.offsets = [token.offset for token in tokens]
        self.source = source
        self.at = 0
        self.stacked = stacked

    @property
    def next(self) -> str:
        """The next token, or nothing at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, which is read."""
        self.at += 1
        return self.tokens[self.at - 1]

    def atoms(self, *ends: str) -> list[Atom]:
        """Everything up to one of some tokens, which is not read."""
        found: list[Atom] = []
        while self.next and self.next not in ends and not self.next.startswith("\\end"):
            if self.next in ("^", "_", "'"):
                base = found.pop() if found else Atom(EMPTY)
                found.append(self.scripted(base))
            else:
                found.append(self.atom())
        return found

    def atom(self) -> Atom:
        """The next atom without its indices."""
        token = self.take()
        if token == "{":
            inner = self.atoms("}")
            self.at += 1
            return Atom(line(inner))
        if token.startswith("\\begin"):
            return Atom(self.environment(token))
        name = token.removeprefix("\\") if len(token) > 1 else token
        if name in RELATIONS:
            return Atom(word(RELATIONS[name]), Place.RELATION)
        if name in OPERATIONS:
            return Atom(word(OPERATIONS[name]), Place.OPERATION)
        if token in (",", ";"):
            return Atom(word(token), Place.COMMA)
        if len(token) == 1:
            return Atom(word("′" if token == "'" else self.number(token)))
        return self.command(name)

    def number(self, first: str) -> str:
        """A character, or all the digits of a number."""
        made = first
        while made[-1].isdigit() and (self.next.isdigit() or self.next == ".") and not self.apart[self.at]:
            made += self.take()
        return made

    def command(self, name: str) -> Atom:
        """What a command with a backslash makes."""
        if name in GROWING:
            return Atom(self.grown(name))
        if name in FUNCTIONS:
            return Atom(word(name), Place.FUNCTION)
        if name in SIGNS:
            sign = " " if name == "," and self.is_within_number() else SIGNS[name]
            return Atom(word(sign), Place.ORDINARY if sign.strip() else Place.SPACE)
        if name in ARGUMENTS:
            return self.with_arguments(name)
        return Atom(EMPTY)  # how large something is printed means nothing here

    def is_within_number(self) -> bool:
        """Whether the command just read stands between digits, as in 10\\,000."""
        return self.at > 1 and self.tokens[self.at - 2].isdigit() and self.next.isdigit()

    def with_arguments(self, name: str) -> Atom:
        """A command with what stands in its braces."""
        if name.startswith("text"):
            return Atom(word(self.words()))
        if name.startswith("operatorname"):
            return Atom(word(self.words().strip()), Place.FUNCTION)
        degree = self.degree() if name == "sqrt" else ""
        parts = [self.argument() for _ in ARGUMENTS[name]]
        if name in ACCENTS:
            return Atom(accented(parts[0], ACCENTS[name]))
        if name == "sqrt":
            return Atom(row([word(f"{raised(degree) or degree}√"), enclosed(parts[0])]))
        if name in ("frac", "dfrac", "tfrac"):
            made = self.quotient(*parts, stacks=self.stacked and name != "tfrac")
            return Atom(made, Place.ORDINARY if made.height > 1 else Place.QUOTIENT)
        return Atom(OTHERS[name](*parts) if name in OTHERS else parts[-1])

    def quotient(self, above: Box, below: Box, *, stacks: bool) -> Box:
        """A fraction, on lines of its own or with a slash."""
        if stacks or above.height > 1 or below.height > 1:
            return fraction(above, below)
        return row([enclosed(above, is_first=True), word("/"), enclosed(below)])

    def degree(self) -> str:
        """What stands in brackets after a root."""
        if self.next != "[":
            return ""
        self.at += 1
        made = line(self.atoms("]"))
        self.at += 1
        return on_one_line(made)

    def argument(self) -> Box:
        """What stands in braces, or the next sign."""
        return self.atom().box if self.next else EMPTY

    def words(self) -> str:
        """What stands in braces, as it is written."""
        if self.next != "{":
            return self.take() if self.next else ""
        start, depth = self.offsets[self.at] + 1, 0
        while self.at < len(self.tokens):
            token = self.take()
            depth += (token == "{") - (token == "}")
            if not depth:
                break
        return self.source[start : self.offsets[self.at - 1]].replace("\\", "")

    def scripted(self, base: Atom) -> Atom:
        """An atom with the indices and exponents behind it."""
        marks = {"^": "", "_": ""}
        while self.next in ("^", "_", "'"):
            mark = self.take()
            if mark == "'":
                marks["^"] += "′"
                continue
            marks[mark] += on_one_line(self.argument())
        below = script(marks["_"], lowered, "_")
        above = marks["^"] if set(marks["^"]) == {"′"} else script(marks["^"], raised, "^")
        return Atom(row([base.box, word(below + above)]), base.place)

    def grown(self, name: str) -> Box:
        """A bracket that grows: with all up to its partner, or by itself."""
        sign = self.bracket_sign()
        if name != "left":
            return EMPTY if name == "right" else word("" if sign == "." else sign)
        inside = line(self.atoms("\\right"))
        self.at += 1
        return bracketed(inside, sign, self.bracket_sign() if self.next else "")

    def bracket_sign(self) -> str:
        """The bracket after \\left, \\right or \\big."""
        token = self.take() if self.next else ""
        return SIGNS.get(token[1:], token[1:]) if len(token) > 1 else token

    def environment(self, opening: str) -> Box:
        """A matrix, cases or aligned lines."""
        match = ENVIRONMENT.match(opening)
        kind = match[2] if match else ""
        stacked, self.stacked = self.stacked, kind in ("aligned", "gathered") and self.stacked
        rows: list[list[Box]] = [[]]
        while self.next and not self.next.startswith("\\end"):
            rows[-1].append(line(self.atoms("&", ROW_END), aligned=kind == "aligned" and bool(rows[-1])))
            if self.next == "&":
                self.at += 1
            elif self.end_row():
                rows.append([])
        self.at += 1
        self.stacked = stacked
        return environment_box(kind, [cells for cells in rows if cells])

    def end_row(self) -> bool:
        """Read the end of a row, if it is here, with how far below the next one is: \\\\[4pt]."""
        if self.next != ROW_END:
            return False
        self.at += 1
        if self.next == "[" and not self.apart[self.at]:
            while self.next and self.take() != "]":
                pass
        return True


def on_one_line(box: Box) -> str:
    """The line of writing of a box that goes into an index or exponent, where only one line has room."""
    return box.lines[box.baseline]


def script(text: str, written: Callable[[str], str | None], mark: str) -> str:
    """An index or exponent: small signs where there are some for all of it, else after its mark."""
    if not text:
        return ""
    small = written(text)
    if small is not None:
        return small
    return mark + (text if len(text) == 1 or text[0] + text[-1] in ("()", "[]") else f"({text})")


def environment_box(kind: str, rows: Sequence[Sequence[Box]]) -> Box:
    """The cells of an environment, laid out."""
    if not rows:
        return EMPTY
    if kind in MATRICES:
        return bracketed(table(rows, sides=">" if numbers_only(rows) else "^"), *MATRICES[kind])
    if kind == "cases":
        return bracketed(table(rows, sides="<"), "{", "")
    return table(rows, sides="><", gap="")


def numbers_only(rows: Sequence[Sequence[Box]]) -> bool:
    """Whether every cell is a plain number, so that all can stand at the right."""
    return all(
        cell.height == 1 and cell.lines[0].lstrip("-").replace(".", "", 1).isdigit()
        for cells in rows
        for cell in cells
    )


def accented(box: Box, accent: str) -> Box:
    """A letter with an accent; what has several letters gets it above each."""
    if box.height > 1:
        return box
    return word("".join(sign + accent if sign.strip() else sign for sign in box.lines[0]))


def enclosed(box: Box, *, is_first: bool = False) -> Box:
    """A box in parentheses unless it is one thing; what comes first may have a sign and factors."""
    text = box.lines[box.baseline]
    inner = text.removeprefix("+").removeprefix("-") if is_first else text
    is_whole = not any(sign.isspace() or sign in "/()=,+-" for sign in inner)
    if box.height == 1 and is_whole and (is_first or not has_factors(text)):
        return box
    return bracketed(box, "(", ")")


def has_factors(text: str) -> bool:
    """Whether there are several factors, as in 2m or a√d: behind a slash that could be read in two ways."""
    return any(
        (first.isdecimal() and second.isalpha()) or (first.isalnum() and second == "√")
        for first, second in pairwise(text)
    )


OTHERS: dict[str, Callable[..., Box]] = {
    "binom": lambda above, below: bracketed(stack([above, below], baseline=0), "(", ")"),
    "boxed": lambda box: bracketed(box, "[", "]"),
    "phantom": lambda box: Box(tuple(" " * box.width for _ in box.lines), box.baseline),
    "pmod": lambda box: row([word(" (mod "), box, word(")")]),
    "xrightarrow": lambda box: row([word(" ─"), box, word("→ ")]),
    "xleftarrow": lambda box: row([word(" ←"), box, word("─ ")]),
    "mathbb": lambda box: word("".join(DOUBLE.get(sign, sign) for sign in box.lines[0])),
    "underset": lambda below, box: row([box, word(script(on_one_line(below), lowered, "_"))]),
    "overset": lambda above, box: row([box, word(script(on_one_line(above), raised, "^"))]),
    "stackrel": lambda above, box: row([box, word(script(on_one_line(above), raised, "^"))]),
}
