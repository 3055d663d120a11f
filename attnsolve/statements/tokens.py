"""From a typed or pasted formula to tokens: plain text, Unicode and LaTeX spell the same things."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from enum import Enum
from typing import NamedTuple

from attnsolve.errors import ExpressionError


class Kind(Enum):
    """What a token is."""

    NUMBER = "a number"
    NAME = "a name"
    SIGN = "a sign"
    RELATION = "a relation"
    WORD = "a word such as for or as"
    BREAK = "the end of a claim"
    END = "the end"


class Token(NamedTuple):
    """A piece of a text, with the place where it stood, counted from 1."""

    kind: Kind
    text: str
    column: int


# What LaTeX and Unicode call things, and what they are called here.
COMMANDS = {
    "cdot": "*", "times": "*", "approx": "≈", "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥",
    "geqslant": "≥", "ne": "≠", "neq": "≠", "to": "→", "rightarrow": "→", "longrightarrow": "→",
    "infty": "oo", "varepsilon": "eps", "epsilon": "eps", "top": "T", "intercal": "T", "sim": "≈",
    "simeq": "≈", "lbrace": "(", "rbrace": ")", "dots": "…", "forall": "for", "langle": "⟨", "rangle": "⟩",
    "gg": "≫", "ll": "≪", "perp": "⊥", "Rightarrow": "⇒", "Longrightarrow": "⇒", "implies": "⇒", "iff": "⇔",
    "Leftrightarrow": "⇔", "Longleftrightarrow": "⇔", "lVert": "|",
    "rVert": "|", "Vert": "|", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|",
}  # fmt: skip
LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "eps", "ϵ": "eps", "θ": "theta", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "µ": "mu", "ρ": "rho", "σ": "sigma", "τ": "tau", "∑": "sum", "Σ": "sum",
    "∂": "partial ",
    "∞": "oo", "√": "sqrt", "·": "*", "×": "*", "⋅": "*", "−": "-", "–": "-", "∙": "*", "⊤": "T", "ᵀ": "^T",
    "‖": "|", "∥": "|", "⟹": "⇒", "⟺": "⇔",
}  # fmt: skip
NAMES = {"epsilon": "eps", "varepsilon": "eps", "infinity": "oo", "inf": "oo", "infty": "oo", "log": "ln"}
RELATIONS = {
    "=": "=", "==": "=", "≈": "≈", "~=": "≈", "~": "≈", "≃": "≈", "<=": "≤", "≤": "≤", ">=": "≥",
    "≥": "≥", "<": "<",    ">": ">", "!=": "≠", "≠": "≠", "->": "→", "→": "→", "⟶": "→", "≫": "≫", "≪": "≪",
    "⊥": "⊥",
}  # fmt: skip
# How people say that something grows or shrinks: English, German, Portuguese, French.
RISING = (
    "increases", "increase", "increasing", "grows", "grow", "rises", "rise", "steigt", "steigen", "wächst",
    "wachsen", "cresce", "crescem", "crescente", "aumenta", "aumentam", "croît", "croissent", "croissant",
    "croissante", "augmente", "augmentent",
)  # fmt: skip
FALLING = (
    "decreases", "decrease", "decreasing", "shrinks", "shrink", "falls", "fall", "fällt", "fallen", "sinkt",
    "sinken", "decresce", "decrescem", "decrescente", "diminui", "diminuem", "décroît", "décroissent",
    "décroissant", "décroissante", "diminue", "diminuent",
)  # fmt: skip
WORDS = ("for", "all", "as", "when", "if", "and", "with", "is", "in", "every", "each", "where", "lim", "sum",
         "any", "other", "mit", "com", "avec", *RISING, *FALLING)  # fmt: skip
# Typesetting that means nothing.
SILENT = re.compile(
    r"\\(?:left|right|bigl?|bigr|Bigl?|Bigr|displaystyle|textstyle|mathbf|boldsymbol|bm|vec|mathrm|operatorname"
    r"|limits|;|,|!|:| |quad|qquad)(?![a-zA-Z])|[&$]|~(?!=)|\\\\"
)
TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<relation><=|>=|!=|==|~=|->|[=≈≃<>≤≥≠→⟶≫≪⊥])"
    r"|\\(?P<command>[a-zA-Z]+)|(?P<name>[A-Za-zäöüßéèêîôçãõáí]+)|(?P<sign>[-+*/^_(){}\[\],;|':⟨⟩⇒⇔])|(?P<blank>\s+)"
)
# \frac{d\alpha_2}{dt}, d alpha_2/dt and d/dt alpha_2: the d of a derivative, which is no number d.
DERIVATIVES = (
    re.compile(
        r"\\[td]?frac\s*\{\s*d\s*(?P<body>(?:[^{}]|\{[^{}]*\})*)\}\s*\{\s*d\s*(?P<by>\\?[^\W\d_]+)\s*\}"
    ),
    re.compile(
        r"(?<![\w\\])d\s*(?P<body>(?:\\?[^\W\d_]+(?:_(?:\w|\{[^{}]*\})+)?|\([^()]*\))?)"
        r"\s*/\s*d\s*(?P<by>\\?[^\W\d_]+)(?!\w)"
    ),
)
# A letter in another font: \mathbf{k}_a, {\bf k}_a.
FONT = re.compile(
    r"\\(?:mathbf|mathbb|mathrm|mathit|boldsymbol|bm|vec|textbf|underline|hat|bar|tilde)\s*\{\s*([A-Za-z\\]+)\s*\}"
    r"|\{\s*\\(?:bf|rm|it|bm)\s+([A-Za-z\\]+)\s*\}"
)
TEXT = re.compile(r"\\(?:text|mbox|mathrm|mathbb)\s*\{([^{}]*)\}")
PARTS = {"\u00bd": "(1/2)", "\u00bc": "(1/4)", "\u00be": "(3/4)"}


def cleaned(text: str) -> str:
    """A text with the letters of Unicode and the typesetting of LaTeX as plain ones."""
    for before, after in PARTS.items():
        text = text.replace(before, after)
    text = FONT.sub(lambda found: f" {found[1] or found[2]} ", text)
    text = TEXT.sub(r" \1 ", text).replace(r"\|", "|")
    text = re.sub(r"\\(?:quad|qquad)(?![a-zA-Z])", " ; ", text)
    text = SILENT.sub(" ", text)
    text = re.sub(r"(?<=[\s\w}])\.(?=\s)", "*", text)  # q . k
    made: list[str] = []
    for letter in text:
        if letter in LETTERS:
            made.append(f" {LETTERS[letter]}" if made and made[-1][-1:].isalpha() else LETTERS[letter])
        elif "SUBSCRIPT" in unicodedata.name(letter, ""):
            made.append(f"_{unicodedata.normalize('NFKC', letter)}")
        elif "SUPERSCRIPT" in unicodedata.name(letter, ""):
            made.append(f"^{unicodedata.normalize('NFKC', letter)}")
        else:
            made.append(letter)
    return "".join(made)


def with_partials(text: str, known: Collection[str]) -> str:
    """A text with ∂ for the d of derivatives by something that is known."""

    def spelled(found: re.Match[str]) -> str:
        by = LETTERS.get(found["by"], found["by"].removeprefix("\\"))
        return f"(∂ {found['body']})/(∂ {found['by']}) " if by in known else found[0]

    text = re.sub(r"\\mathrm\s*\{\s*d\s*\}", " d ", text)
    for derivative in DERIVATIVES:
        text = derivative.sub(spelled, text)
    return text


def tokens(text: str, known: Collection[str]) -> list[Token]:
    """The tokens of a formula; names that are written together are taken apart if all are known."""
    names = sorted(known, key=len, reverse=True)
    clean, place = cleaned(with_partials(text, known)), 0
    made: list[Token] = []
    while place < len(clean):
        match = TOKEN.match(clean, place)
        if match is None:
            raise ExpressionError(f"'{clean[place]}' is not something I can read", column=place + 1)
        made += _tokens_of(match, names, after_subscript=bool(made) and made[-1].text == "_")
        place = match.end()
    return [*made, Token(Kind.END, "", len(clean) + 1)]


def _tokens_of(match: re.Match[str], names: list[str], *, after_subscript: bool) -> list[Token]:
    kind, text, column = match.lastgroup or "", match[match.lastgroup or 0], match.start() + 1
    if kind == "blank":
        return []
    if kind == "number":
        return [Token(Kind.NUMBER, text, column)]
    if kind == "relation":
        return [Token(Kind.RELATION, RELATIONS[text], column)]
    if kind == "sign":
        plain = {"[": "(", "]": ")"}.get(text, text)
        return [Token(Kind.BREAK if text == ";" else Kind.SIGN, plain, column)]
    if kind == "command":
        meant = COMMANDS.get(text, text)
        if meant in RELATIONS:
            return [Token(Kind.RELATION, meant, column)]
        if meant in "*()⟨⟩|⇒⇔":
            return [Token(Kind.SIGN, meant, column)]
        text = meant
    text = NAMES.get(text, text)
    if after_subscript:
        return [Token(Kind.NAME, text, column)]
    if text.lower() in WORDS and text not in names:
        return [Token(Kind.WORD, text.lower(), column)]
    pieces = [text] if kind == "command" else _apart(text, names)
    return [Token(Kind.NAME, piece, column) for piece in pieces]


FUNCTIONS = ("exp", "ln", "sqrt", "frac", "tfrac", "dfrac", "oo", "e", "T", "O")


def _apart(text: str, names: list[str]) -> list[str]:
    """`ck` as c and k where both are known and `ck` is not."""
    known = {*names, *FUNCTIONS}
    # What the end of the text from each letter on is made of, where it is made of names: the last ends first.
    ends: dict[int, list[str]] = {}
    for start in reversed(range(len(text))):
        if text[start:] in known:
            ends[start] = [text[start:]]
            continue
        first = (name for name in (*names, "e") if text.startswith(name, start))
        found = next(([name, *ends[at]] for name in first if (at := start + len(name)) in ends), None)
        if found is not None:
            ends[start] = found
    return ends.get(0, [text])
