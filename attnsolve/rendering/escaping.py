"""Plain text for LaTeX, Markdown and HTML: every sign that means something there is escaped, once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from attnsolve.languages import decimal_maths, spoken
from attnsolve.languages.joiners import without_stray_joiners

# Patterns of what most texts do not have are compiled where one has it.
# Straight quotation marks that open: before a letter, and after nothing, a space or a bracket.
OPENING_QUOTE = r'(?<![^\s(\[{–—])"(?=[^\s.,;:!?)\]}])'
# A word or several in single ones, and an apostrophe: after a letter.
SINGLE_QUOTES = r"(?<![^\s(\[{–—“])'(?=\w)([^']*\w[.,;:!?]?)'(?!\w)"
APOSTROPHE = r"(?<=[^\W\d_])'"
TEX = {
    "-∞": r"$-\infty$",
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", '"': "''", "|": r"\textbar{}", "’": "'", "“": "``", "”": "''", "‘": "`",
    "–": "--", "—": "---", "‐": "-", "‑": r"\mbox{-}", "…": r"\ldots{}", "\u00a0": "~", "\u00ad": r"\-",
    "×": r"$\times$", "≈": r"$\approx$", "−": "$-$", "·": r"$\cdot$", "⋅": r"$\cdot$", "√": r"$\surd$",
    "ᵀ": r"$^{\top}$", "⊤": r"$\top$", "∞": r"$\infty$", "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$",
    "≡": r"$\equiv$", "∼": r"$\sim$", "∝": r"$\propto$", "→": r"$\to$", "←": r"$\leftarrow$",
    "↔": r"$\leftrightarrow$", "↦": r"$\mapsto$", "⇒": r"$\Rightarrow$", "⇔": r"$\Leftrightarrow$",
    "∈": r"$\in$", "∉": r"$\notin$", "⊂": r"$\subset$", "∪": r"$\cup$", "∩": r"$\cap$", "∑": r"$\sum$",
    "∏": r"$\prod$", "∂": r"$\partial$", "∇": r"$\nabla$", "∀": r"$\forall$", "∃": r"$\exists$",
    "∘": r"$\circ$", "⊙": r"$\odot$", "⊗": r"$\otimes$", "⊕": r"$\oplus$", "‖": r"$\|$", "′": r"$'$",
    "⟨": r"$\langle$", "⟩": r"$\rangle$", "ℝ": r"$\mathbb{R}$", "ℕ": r"$\mathbb{N}$", "ℤ": r"$\mathbb{Z}$",
    "ℓ": r"$\ell$",
    **{sign: f"$^{{{i}}}$" for i, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}, "ⁿ": "$^n$", "⁻": "$^{-}$", "⁺": "$^{+}$",
    **{sign: f"$_{{{i}}}$" for i, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")}, "ᵢ": "$_i$", "ⱼ": "$_j$",
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
CONTROL = re.compile("[\u061c\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# A Greek letter by itself is a sign of maths; a word is Greek.
GREEK_NAMES = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
    "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ", GREEK_NAMES.split(), strict=True))
SIGNS_TOGETHER = 2
# Signs that fonts would run together into others: two hyphens into a dash, ?` into an upside-down mark.
RUN_TOGETHER = r"([-,'`])\1|[?!]`"
KEPT_APART = r"(-|,)(?=\1)", r"(\{['`]\})(?=\1)|[?!](?=\{`\})"


@lru_cache(maxsize=1)
def tex_pattern() -> re.Pattern[str]:
    """What is escaped; a long pattern that only LaTeX needs."""
    return re.compile("|".join(map(re.escape, TEX)))


@lru_cache(maxsize=1024)  # the words of a sheet come again in the next variant
def tex(text: str) -> str:
    """Plain text for LaTeX: every special character escaped, other scripts marked, no letter lost."""
    special = tex_pattern()
    plain = curled(re.sub(r"[^\S\u00a0]", " ", visible(text)))
    lettered = str if plain.isascii() else in_scripts
    plain = unicodedata.normalize("NFC", plain)
    pieces, marks = [lettered(piece) for piece in special.split(plain)], special.findall(plain)
    apart = re.search(RUN_TOGETHER, plain) is not None
    if apart:
        pieces = [re.sub(KEPT_APART[0], r"\1\\/", piece) for piece in pieces]
    made = [pieces[0]]
    for mark, piece in zip(marks, pieces[1:], strict=True):
        made += [TEX[mark], piece]
    return re.sub(KEPT_APART[1], r"\g<0>\\/", "".join(made)) if apart else "".join(made)


def tex_sentence(segments: Sequence[tuple[bool, str]]) -> str:
    """Words and maths for LaTeX, numbers with the decimal sign of the spoken language."""
    if len(segments) == 1:  # most cells of tables are
        ((is_maths, piece),) = segments
        return f"${decimal_maths(piece)}$" if is_maths else tex(piece)
    return tex_pieces(tuple(segments), spoken().decimal_comma)


@lru_cache(maxsize=2048)  # what is said of a step is said in every variant
def tex_pieces(segments: tuple[tuple[bool, str], ...], comma: bool) -> str:
    """The same of several pieces; whether a comma is the decimal sign is all that the language changes."""
    return "".join([f"${decimal_maths(piece)}$" if is_maths else tex(piece) for is_maths, piece in segments])


def visible(text: str) -> str:
    """Text without what turns the direction of lines or does nothing; what keeps letters apart stays."""
    return text if text.isascii() and text.isprintable() else without_stray_joiners(CONTROL.sub("", text))


def in_scripts(text: str) -> str:
    """Text in which every run of letters that LaTeX's own fonts lack says which script it is."""
    from attnsolve.rendering.scripts import patterns  # few texts have other letters

    return patterns()[0].sub(sign_or_run, text)


def sign_or_run(match: re.Match[str]) -> str:
    """A letter or two of maths, or a word in its script."""
    run = match[0]
    if len(run) <= SIGNS_TOGETHER and all(letter in GREEK for letter in run):
        return f"${' '.join(chr(92) + GREEK[letter] for letter in run)}$"
    from attnsolve.rendering.scripts import marked

    return marked(match)


@lru_cache(maxsize=1024)
def markdown(text: str) -> str:
    """Plain text for Markdown: nothing in it is markup."""
    return MARKDOWN_PATTERN.sub(r"\\\1", curled(visible(text))).replace("&", "&amp;")


# Words in letters that are written from right to left, with what stands between them.
RIGHT_TO_LEFT = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?:[^<&\n]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])?"
)
HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
HTML_SIGNS = str.maketrans(HTML)


@lru_cache(maxsize=1024)
def html(text: str) -> str:
    """Plain text for a web page: nothing in it is markup, and names keep the direction of their letters."""
    escaped = curled(CONTROL.sub("", text)).translate(HTML_SIGNS)
    return escaped if text.isascii() else re.sub(RIGHT_TO_LEFT, r"<bdi>\g<0></bdi>", escaped)


def html_code(text: str) -> str:
    """Code for a web page, and anything for an attribute of it: every character as it is typed."""
    return CONTROL.sub("", text).translate(HTML_SIGNS)


def curled(text: str) -> str:
    """Text with real quotation marks for the straight ones."""
    if '"' in text:
        text = re.sub(OPENING_QUOTE, "“", text).replace('"', "”")
    return re.sub(APOSTROPHE, "’", re.sub(SINGLE_QUOTES, r"‘\1’", text)) if "'" in text else text


def line_start(text: str) -> str:
    """A paragraph for Markdown whose first characters cannot be taken for a list, a rule or a table."""
    return LIST_MARK.sub(lambda match: f"{match[1] or ''}\\", text)


# In code, quotation marks and hyphens are what they are; some signs only the font itself has.
CODE = {
    "\\": r"{\char92}", "{": r"{\char123}", "}": r"{\char125}", "$": r"{\char36}", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"{\char95}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "'": r"\textquotesingle{}", "`": r"\textasciigrave{}", " ": "~", '"': '{"}', "-": "{-}", "<": "{<}",
    ">": "{>}", "|": "{|}", "[": "{[}", "]": "{]}", "*": "{*}", "\0": "",
}  # fmt: skip
# What an address may have as it is, in Markdown and in a PDF; the rest is written as %28.
SAFE_IN_ADDRESSES = "-._~:/?#@!&+,;=%"


def tex_code(text: str) -> str:
    """Code for LaTeX in a fixed-width font: every character as it is typed."""
    pieces = re.split(f"([{re.escape(''.join(CODE))}])", text.expandtabs(4))
    return "".join(CODE[piece] if piece in CODE else tex(piece) for piece in pieces)


def tex_address(address: str) -> str:
    """An address to be read: its lines may end after a / or a dot."""
    return re.sub(r"(?<=[/.?=])(?=[^/.?=])|(?<=\\&)|(?<=char95\})", r"\\allowbreak{}", tex_code(address))


def markdown_target(address: str) -> str:
    """An address in which nothing means anything to Markdown."""
    from urllib.parse import quote  # few texts have links

    return quote(address, safe=SAFE_IN_ADDRESSES)


def tex_target(address: str) -> str:
    """An address inside of a PDF's link."""
    signs = {
        "%": r"\csname @percentchar\endcsname ",
        "#": r"\string#",
        "~": r"\string~",
        "&": r"\string&",
        "_": r"\string_",
    }
    return "".join(signs.get(character, character) for character in markdown_target(address))


# Every mark of ASCII may be escaped there, and then prints as it is, wherever it stands.
TYPST = re.compile(r"[!-/:-@\[-`{-~]")


@lru_cache(maxsize=1024)
def typst(text: str) -> str:
    """Plain text for Typst: nothing in it is markup or code."""
    return TYPST.sub(r"\\\g<0>", curled(re.sub(r"[^\S\u00a0]", " ", visible(text))))


def typst_string(text: str) -> str:
    """Text as a string of Typst's language, in its quotation marks."""
    plain = re.sub(r"[^\S\u00a0]", " ", visible(text)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
