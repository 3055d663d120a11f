"""Maths inside a lecturer's text: `$…$` is let through only as far as a list of harmless commands goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attnsolve.maths.commands import COMMANDS, ENVIRONMENTS, GREEK, INSTEAD, STYLES
from attnsolve.maths.grammar import Grammar, Refused
from attnsolve.maths.tokens import ENVIRONMENT, Token, tokens_of
from attnsolve.records import NamedTuple

LENGTH = 2_000
# What may stand in maths as it is; letters of other languages only in \text{…}.
ALLOWED = re.compile(r"[A-Za-z0-9+\-*/=<>()\[\]|,.:;'!?^_{}&À-ÖØ-öø-ÿ]")


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
    tokens = tokens_of(source)
    for token in tokens:
        said = _forbidden(token.text)
        if said:
            return Complaint(said, token.offset)
    try:
        Grammar(tokens, len(source)).check()
    except Refused as refused:
        return Complaint(refused.message, refused.offset)
    return None


def _forbidden(token: str) -> str:
    """Why a single token may not stand in maths, or nothing."""
    environment = ENVIRONMENT.fullmatch(token)
    if token == "^^":
        return "'^^' is not allowed in maths; write ^ once"
    if environment:
        name = environment[2]
        known = f"; the environments are {', '.join(ENVIRONMENTS)}"
        instead = f"; write {INSTEAD[name]}" if name in INSTEAD else known
        return "" if name in ENVIRONMENTS else f"\\begin{{{name}}} is not allowed{instead}"
    if token in ("\\begin", "\\end"):
        return f"{token} needs an environment, such as {token}{{bmatrix}}"
    if token == "\\":
        return "a '\\' at the end of the maths"
    if token.startswith("\\"):
        is_known = token[1:] in COMMANDS or token[1:].isspace()
        return "" if is_known else f"the command {token} is not allowed; {_instead(token[1:])}"
    if not ALLOWED.fullmatch(token):
        return f"'{token}' is not allowed in maths; write it in words or as a LaTeX command"
    return ""


def _instead(command: str) -> str:
    """What to write for a command that is not allowed: nothing, a near one, or which ones there are."""
    from difflib import get_close_matches  # only the refused need it

    if command in STYLES:
        return "leave it out: how large maths is set, and its numbers, are up to the sheet"
    if command in INSTEAD:
        return f"write {INSTEAD[command]}"
    near = get_close_matches(command, COMMANDS, n=1, cutoff=0.75)
    return (f"did you mean \\{near[0]}? " if near else "") + (
        "allowed are Greek letters, \\sqrt, \\frac, \\hat, \\mathbb, \\text and the like: "
        "'attnsolve maths' lists them all, and macros: in the file adds others"
    )


__all__ = [
    "GREEK",
    "LENGTH",
    "Complaint",
    "Token",
    "complaint_about_maths",
    "complaint_about_text",
    "segments",
    "tokens_of",
]
