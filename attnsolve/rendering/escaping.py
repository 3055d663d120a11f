"""Plain text for LaTeX and for Markdown: every sign that means something there is escaped, once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Straight quotation marks that open: before a letter, and after nothing, a space or a bracket.
OPENING_QUOTE = re.compile(r'(?<![^\s(\[{–—])"(?=[^\s.,;:!?)\]}])')
TEX = {
    "-∞": r"$-\infty$",
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", '"': "''", "|": r"\textbar{}", "’": "'", "“": "``", "”": "''", "–": "--",
    "—": "---", "…": r"\ldots{}", "\u00a0": "~", "×": r"$\times$", "≈": r"$\approx$", "−": "$-$",
    "·": r"$\cdot$", "√": r"$\surd$", "ᵀ": r"$^{\top}$", "∞": r"$\infty$", "α": r"$\alpha$", "β": r"$\beta$",
    "γ": r"$\gamma$", "ε": r"$\varepsilon$", "σ": r"$\sigma$", "τ": r"$\tau$", "ω": r"$\omega$",
    # The signs of most fractions are not in the small TeX set.
    "½": r"$\tfrac{1}{2}$", "⅓": r"$\tfrac{1}{3}$", "⅔": r"$\tfrac{2}{3}$", "¼": r"$\tfrac{1}{4}$",
    "¾": r"$\tfrac{3}{4}$", "⅕": r"$\tfrac{1}{5}$", "⅖": r"$\tfrac{2}{5}$", "⅗": r"$\tfrac{3}{5}$",
    "⅘": r"$\tfrac{4}{5}$", "⅙": r"$\tfrac{1}{6}$", "⅚": r"$\tfrac{5}{6}$", "⅛": r"$\tfrac{1}{8}$",
    "⅜": r"$\tfrac{3}{8}$", "⅝": r"$\tfrac{5}{8}$", "⅞": r"$\tfrac{7}{8}$",
    # In braces they neither open an argument nor run together into other signs.
    "[": "{[}", "]": "{]}", "`": "{`}", "'": "{'}",
}  # fmt: skip
MARKDOWN_PATTERN = re.compile(r"([\\`*_\[\]<>$|#~^@{}]|(?<=-)-|(?<=\.)\.)")
# What Markdown, Pandoc's and MyST's included, takes for a list, a rule or a comment at a line's start.
LIST_MARK = re.compile(r"^(?:(?=[-+=:%])|(\(?(?:\d+|[A-Za-z]|[ivxlcdm]+|[IVXLCDM]+))(?=[.)]))")
CONTROL = re.compile("[\u061c\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
# What pdflatex prints through inputenc with the fonts of the small TeX set; anything else would stop it.
BEYOND_LATIN = r"[^\x20-\x7e\u00a1-\u017f]|[«»ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ\u00ad]"


@lru_cache(maxsize=1)
def tex_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is escaped, and what cannot be printed; long patterns that only LaTeX needs."""
    return re.compile("|".join(map(re.escape, TEX))), re.compile(BEYOND_LATIN)


@lru_cache(maxsize=1024)  # the words of a sheet come again in the next variant
def tex(text: str) -> str:
    """Plain text for LaTeX: every special character escaped, nothing left that pdflatex cannot print."""
    special, beyond = tex_patterns()
    plain = curled(re.sub(r"[^\S\u00a0]", " ", CONTROL.sub("", text)))
    pieces, marks = special.split(plain), special.findall(plain)
    made = [beyond.sub(nearest, pieces[0])]
    for mark, piece in zip(marks, pieces[1:], strict=True):
        made += [TEX[mark], beyond.sub(nearest, piece)]
    # Two hyphens would run together into a dash.
    return re.sub("-(?=-)", "-{}", "".join(made)) if "--" in plain else "".join(made)


def nearest(match: re.Match[str]) -> str:
    """The letter without its accent if there is one, else the character's number: never silently nothing."""
    base = unicodedata.normalize("NFKD", match[0])[0]
    return base if base.isascii() and base.isalnum() else f"{{[}}U+{ord(match[0]):04X}{{]}}"


@lru_cache(maxsize=1024)
def markdown(text: str) -> str:
    """Plain text for Markdown: nothing in it is markup."""
    return MARKDOWN_PATTERN.sub(r"\\\1", CONTROL.sub("", text)).replace("&", "&amp;")


def curled(text: str) -> str:
    """Text with real quotation marks for the straight ones."""
    return OPENING_QUOTE.sub("“", text).replace('"', "”") if '"' in text else text


def line_start(text: str) -> str:
    """A paragraph for Markdown whose first characters cannot be taken for a list, a rule or a table."""
    return LIST_MARK.sub(lambda match: f"{match[1] or ''}\\", text)
