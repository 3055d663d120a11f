"""Names as sheets print them: `A^{(1)} =`, `S_{1,2} =`, `QK^T =`, `Attention weights`, `S = QK^T =`."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.maths.commands import ACCENTS
from attnsolve.verifier.memory import LONGEST_TEXT
from attnsolve.verifier.reading.translation import CONSTANTS, FUNCTIONS

# A part may be called 1 or 2b.
PART = r"[A-Za-z0-9]{1,20}(?:-[A-Za-z0-9]{1,20}){0,3}"
# Blanks are taken for good (*+): a line of nothing else would else be tried at each of them.
OPENING = r"\s*+(?:\$\$?|\\\[|\\\()?\s*+"
SIGN = r"(?=\s{0,9}(?::|=|≈|\\approx))"
TURN = r"\^\s*\{?\\?(?:T|top|intercal)\b\}?|ᵀ|⊤"
FACE = rf"\\(?:{'|'.join(sorted(ACCENTS))}|math\w\w|boldsymbol)(?![A-Za-z])"
SUBSCRIPT = r"_\{?[\w,]{1,12}\}?"
HEAD = r"\^\{?\(?[0-9]{1,3}\)?\}?"
INDEX = r"\s?\(\s*\w{1,3}\s*(?:,\s*[0-9:]{1,3}\s*)?\)"
# A letter or word with all that is printed around it; an = or : must follow, as it may also start a number.
DRESSED = re.compile(
    rf"{OPENING}((?:{PART}\.)?(?:{FACE}\s*\{{?\s*){{0,3}}\\?([A-Za-z]{{1,20}})[0-9]{{0,4}}\}}*"
    rf"((?:{SUBSCRIPT}|{HEAD}|{TURN}|{INDEX}){{0,3}})){SIGN}"
)
# One of these stands in or behind every name but a phrase.
SIGNS = re.compile(r"[:=≈\\^]")
# With its head in brackets above it, which no number has: A^{(1)} 0.5 0.5.
HEADED = re.compile(rf"\s*((?:{PART}\.)?[A-DF-Z]\^\{{?\([0-9]{{1,3}}\)\}}?)(?=\s|$)")
DRESS = re.compile(rf"{FACE}|[\\{{}}\s]")
TURNED = re.compile(r"(?:\^(?:T|top|intercal)|ᵀ|⊤)$")
# What may stand on the left of an = instead of a name, and the word for it.
TIMES = r"\s*+(?:[*·@]|\\cdot|\\,)?\s*+"
PRODUCT = rf"Q{TIMES}K\s{{0,9}}(?:{TURN}|'|\.T)"
CALLED = r"(?:\\(?:text|mathrm|operatorname)\{softmax\}|\\?softmax)(?:_\{?\w+\}?)?"
SOFTMAX = rf"{CALLED}\s*(?:\\left)?\s*\([^=\n]{{0,200}}\)"
FORMULAS = tuple(
    (re.compile(rf"{OPENING}(?:{formula}){SIGN}"), word)
    for formula, word in (
        (rf"(?:{SOFTMAX}|A){TIMES}V|[Aa]ttention\s*\(\s*Q\s*,\s*K\s*,\s*V\s*\)", "output"),
        (SOFTMAX, "weights"),
        (rf"{PRODUCT}\s*/[^=\n]{{1,40}}|\\[td]?frac\{{{PRODUCT}\}}\{{[^=\n]{{1,40}}\}}", "scaled"),
        (PRODUCT, "scores"),
    )
)
KINDS = "attention|scaled|masked|score|softmax|output"
THINGS = "scores?|weights?|matrix|outputs?|vectors?"
PHRASE = re.compile(rf"\s*((?:{KINDS})[ \t]+(?:{THINGS}))(?=\s|:|=|≈|$)", re.IGNORECASE)
ASSIGNED = re.compile(r"\s*(?::=|:|=)?\s*")
# What stands before one more =, if it has letters in it and no row of numbers.
STAGE = re.compile(r"([^=≈\[\];&|\n]{1,200})(?:=|≈|\\approx)\s*")
SYMBOLS = re.compile(r"(?<![0-9.A-Za-z])[A-Z](?![a-z])|softmax|[Aa]ttention")
NUMBERS = re.compile(r"[0-9.]\s*[\s,]\s*[-+.0-9]|[0-9)]\s+\w+\s*$")


class PrintedName(NamedTuple):
    """A name without its dress, where it ends, and whether it is that of the matrix turned: S^T."""

    name: str
    end: int
    turned: bool = False


def printed_name(text: str, at: int = 0) -> PrintedName | None:
    """The name that stands here in words or as a formula has it; None where there is no such name."""
    # A longer line is not gone through once for each name that may begin in it.
    has_signs = len(text) - at > LONGEST_TEXT or SIGNS.search(text, at) is not None
    for formula, word in FORMULAS if has_signs else ():
        if match := formula.match(text, at):
            return PrintedName(word, match.end())
    if match := PHRASE.match(text, at):
        return PrintedName(" ".join(match[1].lower().split()), match.end())
    if not has_signs:
        return None  # as in most lines, which are a name and its numbers
    match = DRESSED.match(text, at)
    if match and match[2] in (*FUNCTIONS, *CONSTANTS) and match[3][:1] not in ("", "_"):
        return None  # the numbers ln(2) and e^2
    match = match or HEADED.match(text, at)
    if match is None:
        return None
    name = DRESS.sub("", match[1])
    turned = TURNED.search(name)
    return PrintedName(name[: turned.start()] if turned else name, match.end(), turned is not None)


def behind_symbols(text: str, at: int) -> int:
    """Where the numbers of a named value start: behind its =, and behind letters that it equals: = QK^T =."""
    assigned = ASSIGNED.match(text, at)
    end = assigned.end() if assigned else at
    while text[at:end].strip() and (stage := STAGE.match(text, end)):
        if not SYMBOLS.search(stage[1]) or NUMBERS.search(stage[1]):
            break
        end = stage.end()
    return end
