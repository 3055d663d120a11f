"""Maths inside a lecturer's text: `$…$` is let through only as far as a list of harmless commands goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi "
    "rho sigma tau upsilon phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
)
SYMBOLS = (
    "prime top intercal cdot cdots ldots dots vdots ddots times div pm mp odot oplus otimes circ ast star "
    "sum prod max min exp log ln sin cos tanh arg lim sup inf det dim "
    "in notin subset cup cap to rightarrow leftarrow mapsto infty partial nabla forall exists "
    "le leq ge geq ne neq approx equiv sim propto ll gg lvert rvert lVert rVert mid langle rangle "
    "lbrace rbrace quad qquad big Big left right begin end , ; : ! { } |"
)
# How many arguments a command takes: without them LaTeX stops in the middle of the sheet.
ONE_ARGUMENT = (
    "sqrt hat widehat tilde widetilde bar vec dot overline underline "
    "mathbf mathrm mathbb mathcal mathsf mathit boldsymbol operatorname text"
)
ARGUMENTS = dict.fromkeys(ONE_ARGUMENT.split(), 1) | {"frac": 2, "tfrac": 2, "dfrac": 2}
COMMANDS = frozenset((*GREEK.split(), *SYMBOLS.split(), *ARGUMENTS, "\\", " "))
STYLES = ("displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "large", "Large", "small", "tiny")
ENVIRONMENTS = ("bmatrix", "matrix", "pmatrix")
DEPTH = 20
LENGTH = 2_000
BRACKETS = r"( ) [ ] | . / < > \{ \} \| \langle \rangle \lvert \rvert \lVert \rVert \lbrace \rbrace"
DELIMITERS = frozenset(BRACKETS.split())
ALLOWED = re.compile(r"[A-Za-z0-9 \n+\-*/=<>()\[\]|,.:;'!?^_{}&\\]")
TOKEN = re.compile(r"\\(?:begin|end)\s*\{\w*\}|\\[A-Za-z]+|\\.|\^\^|[^\s\\]", re.DOTALL)


class Complaint(NamedTuple):
    """What is wrong with a text, and at which character of it."""

    message: str
    offset: int


def segments(text: str) -> Iterator[tuple[bool, str]]:
    """The text in pieces: (False, plain text) and (True, maths without its dollars)."""
    for i, piece in enumerate(text.split("$")):
        if piece:
            yield i % 2 == 1, piece


def complaint_about_text(text: str) -> Complaint | None:
    """What is wrong with the maths in a text, or nothing."""
    if text.count("$") % 2:
        return Complaint("a '$' without its partner; maths stands between two of them", text.rfind("$"))
    start = 0
    for i, piece in enumerate(text.split("$")):
        if i % 2 and not piece.strip():
            said = "nothing stands between these two '$'; maths has one on each side, $x$ and not $$x$$"
            return Complaint(said, start - 1)
        complaint = complaint_about_maths(piece) if i % 2 else None
        if complaint:
            return Complaint(complaint.message, start + complaint.offset)
        start += len(piece) + 1
    return None


def complaint_about_maths(source: str) -> Complaint | None:
    """What is wrong with a piece of LaTeX maths, or nothing."""
    if len(source) > LENGTH:
        return Complaint(f"maths of {len(source)} characters; the limit is {LENGTH}", 0)
    for offset, character in enumerate(source):
        if not ALLOWED.match(character):
            return Complaint(
                f"'{character}' is not allowed in maths; write it in words or as a LaTeX command", offset
            )
    tokens = [(match[0], match.start()) for match in TOKEN.finditer(source)]
    for token, offset in tokens:
        said = _forbidden(token)
        if said:
            return Complaint(said, offset)
    if source.endswith("\\") and (not tokens or tokens[-1][0] != "\\\\"):
        return Complaint("a '\\' at the end of the maths", len(source) - 1)
    return _Grammar(tokens, len(source)).complaint()


def _forbidden(token: str) -> str:
    """Why a single token may not stand in maths, or nothing."""
    if token == "^^":
        return "'^^' is not allowed in maths; write ^ once"
    environment = re.match(r"\\(?:begin|end)\s*\{(\w*)\}", token)
    if environment:
        wrong = environment[1] not in ENVIRONMENTS
        return (
            f"\\begin{{{environment[1]}}} is not allowed; the environments are {', '.join(ENVIRONMENTS)}"
            * wrong
        )
    if token in ("\\begin", "\\end"):
        return f"{token} needs an environment, such as {token}{{bmatrix}}"
    if token.startswith("\\") and token[1:] not in COMMANDS:
        return f"the command {token} is not allowed; {_instead(token[1:])}"
    return ""


def _instead(command: str) -> str:
    """What to write for a command that is not allowed: nothing, a near one, or which ones there are."""
    from difflib import get_close_matches  # only the refused need it

    if command in STYLES:
        return "leave it out: how large maths is set is up to the sheet"
    near = get_close_matches(command, COMMANDS, n=1, cutoff=0.75)
    with_arguments = " ".join(f"\\{name}" for name in ARGUMENTS)
    return (f"did you mean \\{near[0]}? " if near else "") + (
        f"allowed are Greek letters, {with_arguments}, and signs such as \\cdot \\sum \\max \\le \\to \\infty"
    )


class _Grammar:
    """Whether LaTeX can typeset some tokens: brackets closed, arguments there, one exponent at a time."""

    def __init__(self, tokens: list[tuple[str, int]], end: int) -> None:
        self.tokens = tokens
        self.end = end
        self.open: list[tuple[str, int]] = []

    def complaint(self) -> Complaint | None:
        """The first thing that LaTeX would stumble over, or nothing."""
        carried: list[set[str]] = [
            set()
        ]  # for each open group, whether its last letter has a ^ and a _ already
        for place, (token, offset) in enumerate(self.tokens):
            said = self._nesting(place) or self._arguments(place)
            after_script = place > 0 and self.tokens[place - 1][0] in ("^", "_")
            if token in ("^", "_", "'"):
                if {"'": "^"}.get(token, token) in carried[-1]:
                    said = said or f"a second {token} on the same letter; group it with {{ }}"
                carried[-1] |= {token} - {"'"}
            elif token == "}":
                carried = carried[:-1] or [set()]
            elif not after_script:
                carried[-1] = set()
            if token == "{":
                carried.append(set())
            if said:
                return Complaint(said, offset)
        if self.open:
            kind, offset = self.open[-1]
            return Complaint(f"'{kind}' is never closed", offset)
        return None

    def _nesting(self, place: int) -> str:
        """Whether brackets, matrices and \\left pair up, and nothing stands where it may not."""
        token, offset = self.tokens[place]
        kind = re.sub(r"\s", "", token)
        opened = [name for name, _ in self.open]
        if kind in ("^", "_", "&") and "\\text{" in opened:
            return f"'{kind}' inside \\text{{ }}; close it first, or leave \\text out"
        if kind == "&" and not any(name.startswith("\\begin") for name in opened):
            return "'&' is allowed only inside a matrix"
        if kind == "{" or kind.startswith("\\begin") or kind == "\\left":
            before = self.tokens[place - 1][0] if place and kind == "{" else ""
            self.open.append(("\\text{" if before in ("\\text", "\\operatorname") else kind, offset))
            return f"nested deeper than {DEPTH} levels" if len(self.open) > DEPTH else ""
        if kind == "}" or kind.startswith("\\end") or kind == "\\right":
            wanted = {"}": "{", "\\right": "\\left"}.get(kind, kind.replace("\\end", "\\begin"))
            if not opened or not self.open.pop()[0].endswith(wanted):
                return f"'{kind}' without its '{wanted}'"
        return ""

    def _arguments(self, place: int) -> str:
        """Whether what a command or a script needs follows it."""
        token = self.tokens[place][0]
        wanted = ARGUMENTS.get(token[1:], 0) if token.startswith("\\") else int(token in ("^", "_"))
        after = place + 1
        if token in ("\\left", "\\right", "\\big", "\\Big"):
            fits = after < len(self.tokens) and self.tokens[after][0] in DELIMITERS
            return "" if fits else f"'{token}' needs a bracket after it, such as {token}("
        if token == "\\sqrt" and after < len(self.tokens) and self.tokens[after][0] == "[":
            while after < len(self.tokens) and self.tokens[after][0] != "]":
                after += 1
            after += 1
        for _ in range(wanted):
            if after >= len(self.tokens) or self.tokens[after][0] in (
                "}",
                "^",
                "_",
                "&",
                "\\\\",
                "\\right",
                "'",
            ):
                missing = "its argument" if wanted == 1 else "one of its two arguments"
                return f"'{token}' lacks {missing} in {{ }}"
            after = self._past(after)
        return ""

    def _past(self, place: int) -> int:
        """The place after one argument: a token, or a group in braces."""
        depth = 0
        while place < len(self.tokens):
            depth += (self.tokens[place][0] == "{") - (self.tokens[place][0] == "}")
            place += 1
            if depth <= 0:
                return place
        return place
