"""Maths as people type or paste it, turned into the one grammar: LaTeX, superscripts, a left-out ×."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize

from attnsolve.errors import ExpressionError
from attnsolve.exact.functions import NAMES
from attnsolve.reasons import reason

TOKEN = re.compile(
    r"""(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | \\(?P<command>[A-Za-z]+|.)
      | (?P<called>(?:ln|log|sqrt)(?=[0-9]+(?:\.[0-9]+)?(?![0-9A-Za-z_.])))
      | (?P<name>[A-Za-z_][A-Za-z_0-9]*|π)
      | (?P<raised>[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)
      | (?P<fraction>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
      | (?P<blank>\s+)
      | (?P<power>\*\*|\^)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
PHANTOM = re.compile(r"\\[hv]?phantom\{[^{}]*\}")
FUNCTIONS = {*NAMES, "log"}
CONSTANTS = ("e", "pi", "π")
OPERATORS = {"cdot": "*", "times": "*", "ast": "*", "div": "/"}
FRACTIONS = ("frac", "tfrac", "dfrac", "cfrac")
# Commands that change how their argument looks, or how a bracket or a blank does, and nothing else.
DRESS = ("text", "textrm", "textbf", "mathrm", "mathbf", "mathit", "mathsf", "operatorname", "boxed")
SPACING = (*",;:! ", "quad", "qquad", "displaystyle", "textstyle", "left", "right", "bigl", "bigr", "big")
TWO_WAYS = reason("this can be read in two ways; write brackets and a * between the factors")
WHICH_ARGUMENT = reason("this can be read in two ways; write brackets, such as ln(4/3) or ln(4)/3")


class Translated(NamedTuple):
    """A text of the grammar, and for each of its characters the place where it was typed."""

    text: str
    origins: tuple[int, ...]

    def column(self, column: int) -> int:
        """The column, counted from 1, where something of the translation was typed."""
        return self.origins[min(column, len(self.origins)) - 1] + 1 if self.origins else 1


class _Level:
    """What has been met inside one pair of brackets: factors may be left out only where that is clear."""

    def __init__(self, closer: str = "", *, raised: bool = False) -> None:
        self.closer = closer
        self.raised = raised  # the bracket is itself an exponent
        self.slash = self.power = False


class _Writer:
    """The translation so far."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.origins: list[int] = []
        self.levels = [_Level()]
        # number | value | function | power | root, or a bare number behind one of these: under | argument;
        # nothing after an operator.
        self.ended = ""
        self.shared = (
            False  # after `ln 4 /`, where a number may belong to either side of the bracket left out
        )
        self.wanted = ""  # what closes the argument that must come next

    def put(self, text: str, at: int, *, ended: str = "", typed: bool = False) -> None:
        """Write a piece that comes from one place, or that is copied from there on."""
        self.pieces.append(text)
        self.origins += range(at, at + len(text)) if typed else [at] * len(text)
        self.ended = ended

    def start(self, at: int, *, number: bool = False) -> None:
        """Before a value: write the × that was left out, unless it is unclear what it belongs to."""
        if self.shared and number:
            raise ExpressionError(WHICH_ARGUMENT, column=at + 1)
        self.shared = False
        if self.ended not in ("number", "value", "under", "argument"):
            return
        if number:
            self.put(" ", at)  # two numbers in a row, which the grammar refuses
        elif self.levels[-1].slash or self.levels[-1].power or self.ended in ("under", "argument"):
            raise ExpressionError(TWO_WAYS, column=at + 1)
        else:
            self.put("*", at)

    def mix(self, fraction: str, at: int) -> bool:
        """Write the fraction of a mixed number, 4½, if a whole number stands just before it."""
        if self.ended != "number" or not self.pieces[-1].isdigit():
            return False
        if self.levels[-1].slash or self.levels[-1].power:
            raise ExpressionError(TWO_WAYS, column=at + 1)
        whole = self.pieces.pop()
        del self.origins[-len(whole) :]
        self.put(f"({whole}+{fraction})", at, ended="value")
        return True

    def open(self, closer: str, at: int) -> None:
        """Write a bracket, with the × that was left out before it."""
        raised = self.ended == "power"
        if self.ended != "function":
            self.start(at)
        self.levels.append(_Level(closer, raised=raised))
        self.put("(" if closer == ")" else "", at, ended=self.ended if closer == "dress" else "")

    def close(self, at: int) -> None:
        """Write what ends the innermost bracket; one that was never opened is left to the grammar."""
        if len(self.levels) == 1:
            self.put(")", at, ended="value")
            return
        level = self.levels.pop()
        if level.raised:
            self.levels[-1].power = False
        self.end_argument(level.closer, at)

    def end_argument(self, closer: str, at: int) -> None:
        """Write what follows an argument."""
        if closer == "top":
            self.put(")/(", at)
            self.wanted = "bottom"
        elif closer != "dress":
            self.put("))" if closer == "bottom" else ")", at, ended="value")

    def argument(self, number: str, at: int) -> None:
        """Write a bare number behind √ or the name of a function: √3, sqrt 3, ln2."""
        if self.ended == "root":
            self.put(number, at, ended="under", typed=True)
        else:
            rooted = "".join(self.pieces[-2:]).strip() == "sqrt"
            self.put(f"({number})", at, ended="under" if rooted else "argument")

    def raise_to(self, power: str, at: int, *, ended: str) -> None:
        """Write ^, unless it may belong to a number or to the function of that number: ln 2^3."""
        if self.ended == "argument":
            raise ExpressionError(WHICH_ARGUMENT, column=at + 1)
        self.put(power, at, ended=ended)

    def operator(self, sign: str, at: int) -> None:
        """Write an operator, or the sign of the number that follows."""
        self.shared = sign == "/" and self.ended == "argument"
        if self.ended:  # otherwise it is the sign of a number
            self.levels[-1].slash = sign == "/"
            self.levels[-1].power = False
        self.put(sign, at)


def translate(text: str) -> Translated:
    """The text in the one grammar; what it cannot say is an ExpressionError with its column."""
    text = PHANTOM.sub(lambda match: " " * len(match[0]), text)
    writer, place = _Writer(), 0
    while place < len(text):
        match = TOKEN.match(text, place)
        assert match is not None  # the last alternative takes anything
        place = _take_argument(writer, match) if writer.wanted else _take(writer, match)
    if writer.wanted:
        said = reason("an argument in {braces} is missing at the end", braces="{ }")
        raise ExpressionError(said, column=len(text) + 1)
    return Translated("".join(writer.pieces), tuple(writer.origins))


def _take_argument(writer: _Writer, match: re.Match[str]) -> int:
    r"""The { that opens an argument, or the one digit that is one: \frac12."""
    at, closer = match.start(), writer.wanted
    if match["blank"]:
        return match.end()
    writer.wanted = ""
    if match[0] == "{":
        writer.levels.append(_Level(closer))
    elif match["number"] and match[0][0].isdigit():
        writer.put(match[0][0], at, ended="number")
        writer.end_argument(closer, at)
        return at + 1
    elif match["command"] == "pi":
        writer.put("pi", at, ended="value")
        writer.end_argument(closer, at)
    else:
        raise ExpressionError(reason("a '{brace}' is missing here", brace="{"), column=at + 1)
    return match.end()


def _take(writer: _Writer, match: re.Match[str]) -> int:
    """Translate one token, and tell where the next one starts."""
    at, token = match.start(), match[0]
    if match["blank"]:
        writer.put(" ", at, ended=writer.ended)
    elif match["number"]:
        if writer.ended in ("function", "root"):
            writer.argument(token, at)
        else:
            writer.start(at, number=True)
            writer.put(token, at, ended="number", typed=True)
    elif match["command"]:
        _take_command(writer, match["command"], at)
    elif match["called"] or match["name"]:
        writer.start(at)
        writer.put(token, at, ended="value" if token in CONSTANTS else "function", typed=True)
    elif match["raised"]:
        writer.raise_to(f"^({normalize('NFKC', token).replace('−', '-')})", at, ended="value")
    elif match["fraction"]:
        fraction = normalize("NFKC", token).replace("⁄", "/")
        if not writer.mix(fraction, at):
            writer.start(at, number=True)
            writer.put(f"({fraction})", at, ended="value")
    elif match["power"]:
        writer.raise_to("^", at, ended="power")
        writer.levels[-1].power = True
    elif token in "({":
        writer.open(")", at)
    elif token in ")}":
        writer.close(at)
    elif token in "+-*/":
        writer.operator(token, at)
    elif token == "√":
        if writer.ended == "under":
            writer.ended = "value"  # √2√3: the first root ends where the second starts
        writer.start(at)
        writer.put(token, at, ended="root")
    else:
        writer.put(token, at)
    return match.end()


def _take_command(writer: _Writer, command: str, at: int) -> None:
    """Translate a command of LaTeX; an ExpressionError where it is none that numbers have."""
    if command in OPERATORS:
        writer.operator(OPERATORS[command], at)
    elif command in FRACTIONS:
        writer.start(at)
        writer.put("((", at)
        writer.wanted = "top"
    elif command == "sqrt":
        writer.start(at)
        writer.put("√(", at)
        writer.wanted = ")"
    elif command in FUNCTIONS or command == "pi":
        writer.start(at)
        writer.put(command, at, ended="value" if command == "pi" else "function")
    elif command in DRESS:
        writer.wanted = "dress"
    elif command in SPACING:
        writer.put(" ", at, ended=writer.ended)
    else:
        said = reason("'{name}' is not something I can read", name=f"\\{command}")
        raise ExpressionError(said, column=at + 1)
