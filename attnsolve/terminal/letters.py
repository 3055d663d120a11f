"""Letters and signs of maths as a terminal shows them."""

from __future__ import annotations

from attnsolve.maths.commands import SIGNS as NAMES

GREEK = dict(
    zip(
        NAMES["Greek letters"].split(),
        "αβγδϵεζηθϑικλμνξπρστυϕφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)
SIGNS = {
    **GREEK,
    "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "infty": "∞", "partial": "∂", "nabla": "∇",
    "prime": "′", "top": "⊤", "bot": "⊥", "intercal": "⊺", "emptyset": "∅", "varnothing": "∅", "forall": "∀",
    "exists": "∃", "nexists": "∄", "neg": "¬",
    "angle": "∠", "triangle": "△", "backslash": "\\", "dagger": "†",
    "ddagger": "‡", "bullet": "•",
    "sum": "∑", "prod": "∏", "coprod": "∐", "int": "∫",
    "iint": "∬", "oint": "∮", "bigcup": "⋃", "bigcap": "⋂",
    "bigoplus": "⨁", "bigotimes": "⨂", "bigodot": "⨀",
    "cdots": "⋯", "ldots": "…", "dots": "…", "vdots": "⋮", "ddots": "⋱",
    "lvert": "|", "rvert": "|", "vert": "|", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "langle": "⟨",
    "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lbrace": "{", "rbrace": "}",
    "{": "{", "}": "}", "%": "%", "&": "&", "#": "#", "_": "_", "$": "$",
    "quad": "  ", "qquad": "    ", ",": "", ";": " ", ":": " ", "!": "", " ": " ",
}  # fmt: skip
# Signs with a blank on either side: relations, at which a long formula is broken, and operations.
RELATIONS = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼",
    "simeq": "≃", "cong": "≅", "propto": "∝", "ll": "≪",
    "gg": "≫", "lesssim": "≲", "gtrsim": "≳", "leqslant": "⩽",
    "geqslant": "⩾", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "subseteq": "⊆", "supset": "⊃",
    "supseteq": "⊇", "mid": "∣", "parallel": "∥", "perp": "⊥", "models": "⊨", "prec": "≺", "succ": "≻",
    "triangleq": "≜", "to": "→", "gets": "←", "mapsto": "↦", "rightarrow": "→", "leftarrow": "←",
    "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "longrightarrow": "⟶",
    "longleftarrow": "⟵", "Longrightarrow": "⟹", "longmapsto": "⟼", "uparrow": "↑", "downarrow": "↓",
    "hookrightarrow": "↪", "implies": "⟹", "impliedby": "⟸", "iff": "⟺",
    "=": "=", "<": "<", ">": ">",
}  # fmt: skip
OPERATIONS = {
    "cdot": "·", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "odot": "⊙", "oplus": "⊕", "ominus": "⊖",
    "otimes": "⊗", "circ": "∘", "ast": "∗", "star": "⋆",
    "cup": "∪", "cap": "∩", "setminus": "∖", "wedge": "∧",
    "vee": "∨", "land": "∧", "lor": "∨",
    "+": "+", "-": "-",
}  # fmt: skip
FUNCTIONS = frozenset(NAMES["functions"].split())
# Put behind a letter they stand above it.
ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303",
    "widetilde": "\u0303", "bar": "\u0304", "check": "\u030c", "vec": "\u20d7",
    "dot": "\u0307", "ddot": "\u0308",
    "overline": "\u0305", "overrightarrow": "\u20d7", "underline": "\u0332",
}  # fmt: skip
RAISED = dict(zip("0123456789+-=()niT⊤", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀᵀ", strict=True))
LOWERED = dict(zip("0123456789+-=(),aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎,ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
DOUBLE = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))


def raised(text: str) -> str | None:
    """A text as an exponent, if there are signs for all of it."""
    return _written_in(text, RAISED)


def lowered(text: str) -> str | None:
    """A text as an index, if there are signs for all of it."""
    return _written_in(text, LOWERED)


def _written_in(text: str, signs: dict[str, str]) -> str | None:
    bare = text.replace(", ", ",")
    return "".join(signs[sign] for sign in bare) if bare and all(sign in signs for sign in bare) else None
