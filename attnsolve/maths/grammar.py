"""A small grammar of LaTeX maths: what it takes, both LaTeX and KaTeX can typeset."""

from __future__ import annotations

import re

from attnsolve.maths.commands import (
    ACCENTS,
    ARGUMENTS,
    BARE_COMMANDS,
    BARE_SIGNS,
    DELIMITERS,
    ENVIRONMENTS,
    SIZES,
    SYMBOLS,
    Argument,
)
from attnsolve.maths.tokens import Token
from attnsolve.records import NamedTuple

DEPTH = 20
SCRIPTS = ("^", "_", "'")
# What stands in the braces of \text: letters, some of other languages too, and signs that print as they are.
WORD = re.compile(r"[A-Za-z0-9À-ÏÑ-ÖØ-Ýß-ïñ-öø-ýÿ+\-*/=()\[\],.:;'!?]")
NAME = re.compile(r"[A-Za-z0-9\-]|\\,")
BEYOND = re.compile("[À-ÖØ-öø-ÿ]")


class Refused(Exception):
    """What LaTeX would stumble over, and at which character."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class Inside(NamedTuple):
    """What TeX sees of a group: it looks through the braces around a lone accent."""

    accent: bool = False  # nothing but an accent
    crowded: bool = False  # an accent that has scripts already


class Grammar:
    """Reads tokens from left to right; whatever does not fit is Refused."""

    def __init__(self, tokens: list[Token], end: int) -> None:
        self.tokens = tokens
        self.end = end
        self.place = 0
        self.depth = 0
        self.marks = 0  # how many scripts there were so far

    def check(self) -> None:
        """The whole of it."""
        self.sequence()
        if self.text:
            raise Refused(stray(self.text), self.token.offset)

    @property
    def text(self) -> str:
        """The token at hand, or nothing at the end."""
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    @property
    def token(self) -> Token:
        """The token at hand."""
        return self.tokens[self.place] if self.place < len(self.tokens) else Token("", self.end, False)

    def take(self) -> Token:
        """The token at hand; the next one is at hand then."""
        taken = self.token
        self.place += 1
        return taken

    def sequence(self, *, until: str = "") -> Inside:
        """Signs and groups, one after another, up to what only the caller can close."""
        count, last = 0, Inside()
        while self.text and self.text != until and not closes(self.text):
            last = self.nucleus() if self.text not in SCRIPTS else Inside()
            marked = self.scripts(crowded=last.crowded)
            last = Inside(last.accent, last.crowded or (last.accent and marked))
            count += 1
        return last if count == 1 else Inside()

    def nucleus(self) -> Inside:
        """What scripts hang on: a sign, a group, a command with its arguments, an environment."""
        token, marks = self.take(), self.marks
        name = token.text[1:] if token.text.startswith("\\") else ""
        if BEYOND.fullmatch(token.text):
            raise Refused(f"'{token.text}' is not allowed in maths; put words into \\text{{ }}", token.offset)
        if token.text == "\\middle":
            raise Refused("'\\middle' stands between \\left and \\right only", token.offset)
        if token.text == "{":
            return self.group(token)
        if name in ARGUMENTS:
            inner = self.arguments(token, ARGUMENTS[name])
            # LaTeX puts the scripts inside of two accents behind both.
            return Inside(name in ACCENTS, name in ACCENTS and inner.accent and self.marks > marks)
        if token.text == "\\left":
            self.growing(token)
        elif token.text.startswith("\\begin{"):
            self.environment(token)
        elif name in SIZES:
            self.delimiter(token)
        return Inside()

    def scripts(self, *, crowded: bool) -> bool:
        """Primes, one ^ and one _; a ^ may follow primes, but only at once. Whether there are any."""
        raised = lowered = crowded
        primed = False
        while self.text in SCRIPTS:
            token = self.take()
            self.marks += 1
            again = raised and (not primed or token.apart)
            if lowered if token.text == "_" else again:
                raise Refused(f"a second {token.text} on the same letter; group it with {{ }}", token.offset)
            lowered = lowered or token.text == "_"
            raised = raised or token.text != "_"
            primed = token.text == "'"
            if not primed:
                self.script(token)
        return raised or lowered

    def script(self, token: Token) -> None:
        """What stands above or below: one sign, or a group."""
        name = self.text[1:] if self.text.startswith("\\") else ""
        if self.text == "{" or name in BARE_COMMANDS:
            self.nucleus()
        elif name in BARE_SIGNS or (not name and self.is_sign()):
            self.take()
        elif not self.text or closes(self.text) or self.text in (*SCRIPTS, "\\\\"):
            raise Refused(f"'{token.text}' lacks its argument in {{ }}", token.offset)
        else:
            raise Refused(f"after {token.text} put '{self.text}' into {{ }}", self.token.offset)

    def is_sign(self) -> bool:
        """Whether the token at hand is a character that prints by itself."""
        return bool(self.text) and self.text not in (*SCRIPTS, "{", "}", "&") and not BEYOND.match(self.text)

    def arguments(self, command: Token, wanted: tuple[Argument, ...]) -> Inside:
        """What a command needs after it; what is inside its last argument."""
        inside = Inside()
        if command.text == "\\sqrt" and self.text == "[":
            opened = self.take()
            self.deeper(opened)
            self.sequence(until="]")
            self.close(opened, "]")
        for kind in wanted:
            if self.text == "{":
                opened = self.take()
                is_maths = kind is Argument.MATHS
                inside = self.group(opened) if is_maths else self.words(command, opened, kind)
            elif kind is Argument.MATHS and self.text[1:] in BARE_SIGNS and self.text[0] == "\\":
                self.take()
            elif kind in (Argument.MATHS, Argument.CAPITALS) and self.is_sign() and self.text[0] != "\\":
                self.plain(command, kind)
            elif kind is Argument.MATHS and self.text[1:] in (*ARGUMENTS, *SYMBOLS) and self.text[0] == "\\":
                raise Refused(f"after {command.text} put '{self.text}' into {{ }}", self.token.offset)
            else:
                missing = "its argument" if len(wanted) == 1 else "one of its two arguments"
                raise Refused(f"'{command.text}' lacks {missing} in {{ }}", command.offset)
        return inside

    def plain(self, command: Token, kind: Argument) -> None:
        """An argument of one character without braces."""
        token = self.take()
        if kind is Argument.CAPITALS and not ("A" <= token.text <= "Z"):
            raise Refused(
                f"{command.text} has capital letters only, such as {command.text}{{R}}", token.offset
            )

    def words(self, command: Token, opened: Token, kind: Argument) -> Inside:
        """The letters in the braces of \\text, \\operatorname or \\mathbb."""
        fits = {Argument.WORDS: WORD, Argument.NAME: NAME}.get(kind)
        while self.text != "}":
            if not self.text:
                raise Refused("'{' is never closed", opened.offset)
            token = self.take()
            if fits is None:
                if not ("A" <= token.text <= "Z"):
                    said = f"{command.text} has capital letters only, such as {command.text}{{R}}"
                    raise Refused(said, token.offset)
            elif not fits.fullmatch(token.text):
                said = (
                    f"'{token.text}' inside {command.text}{{ }}; close it first, or leave {command.text} out"
                )
                raise Refused(said, token.offset)
        self.take()
        return Inside()

    def group(self, opened: Token) -> Inside:
        """What stands between braces."""
        self.deeper(opened)
        inside = self.sequence()
        self.close(opened, "}")
        return inside

    def growing(self, opened: Token) -> None:
        """\\left( … \\right), with any \\middle between them."""
        self.deeper(opened)
        self.delimiter(opened)
        self.sequence(until="\\middle")
        while self.text == "\\middle":
            self.delimiter(self.take())
            self.sequence(until="\\middle")
        self.close(opened, "\\right")
        self.delimiter(self.tokens[self.place - 1])

    def delimiter(self, command: Token) -> None:
        """The bracket that grows."""
        if self.text not in DELIMITERS:
            said = f"'{command.text}' needs a bracket after it, such as {command.text}("
            raise Refused(said, command.offset)
        self.take()

    def environment(self, opened: Token) -> None:
        """Rows of cells."""
        self.deeper(opened)
        name = opened.text[len("\\begin{") : -1]
        column = 1
        self.first_in_row(opened)
        while True:
            self.sequence()
            if self.text == "&":
                column += 1
                if column > ENVIRONMENTS[name]:
                    most = "1 column" if ENVIRONMENTS[name] == 1 else f"{ENVIRONMENTS[name]} columns"
                    raise Refused(f"{name} has {most} at most; this '&' is one too many", self.token.offset)
                self.take()
            elif self.text == "\\\\":
                column = 1
                self.first_in_row(self.take())
            else:
                break
        self.close(opened, f"\\end{{{name}}}")

    def first_in_row(self, before: Token) -> None:
        """A row must not begin with what LaTeX takes for a distance: \\\\[2] and \\\\*."""
        if self.text in ("[", "*"):
            said = (
                f"LaTeX takes '{self.text}' after '{before.text}' for something else; write {{{self.text}}}"
            )
            raise Refused(said, self.token.offset)

    def deeper(self, opened: Token) -> None:
        """One level further in."""
        self.depth += 1
        if self.depth > DEPTH:
            raise Refused(f"nested deeper than {DEPTH} levels", opened.offset)

    def close(self, opened: Token, closing: str) -> None:
        """The end of what was opened."""
        if not self.text:
            raise Refused(f"'{opened.text}' is never closed", opened.offset)
        if self.text != closing:
            raise Refused(stray(self.text), self.token.offset)
        self.take()
        self.depth -= 1


def closes(text: str) -> bool:
    """Whether a token ends a group, a bracket, a cell or a row."""
    return text in ("}", "\\right", "&", "\\\\") or text.startswith("\\end{")


def stray(text: str) -> str:
    """Why a token that closes something may not stand where it does."""
    if text in ("&", "\\\\"):
        return f"'{text}' is allowed only inside a matrix, cases or aligned, and not in brackets within it"
    opening = {"}": "{", "\\right": "\\left"}.get(text) or text.replace("\\end", "\\begin")
    return f"'{text}' without its '{opening}'"
