"""The LaTeX that maths may use: signs, commands with arguments, brackets that grow, environments."""

from __future__ import annotations

from enum import Enum

from attnsolve.records import NamedTuple

# Commands that print something by themselves, in groups as `attnsolve maths` lists them.
SIGNS = {
    "Greek letters": (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi "
        "rho sigma tau upsilon phi varphi chi psi omega "
        "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
    ),
    "letters and signs": (
        "ell hbar Re Im aleph infty partial nabla prime top bot intercal emptyset varnothing forall exists "
        "nexists neg angle triangle backslash dagger ddagger bullet"
    ),
    "operations": (
        "cdot times div pm mp odot oplus ominus otimes circ ast star cup cap setminus wedge vee land lor "
        "sum prod coprod int iint oint bigcup bigcap bigoplus bigotimes bigodot"
    ),
    "relations": (
        "le leq ge geq ne neq approx equiv sim simeq cong propto ll gg lesssim gtrsim leqslant geqslant "
        "in notin ni subset subseteq supset supseteq mid parallel perp models prec succ triangleq"
    ),
    "arrows": (
        "to gets mapsto rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow "
        "longrightarrow longleftarrow Longrightarrow longmapsto uparrow downarrow hookrightarrow "
        "implies impliedby iff"
    ),
    "functions": (
        "max min exp log ln lg sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan "
        "arg lim limsup liminf sup inf det dim ker deg gcd Pr bmod"
    ),
    "dots": "cdots ldots dots vdots ddots",
    "brackets": (
        "lvert rvert lVert rVert langle rangle lfloor rfloor lceil rceil lbrace rbrace vert Vert { } |"
    ),
    "signs that mean something to LaTeX": "% & # _",
    "spaces": "quad qquad , ; : !",
}


class Argument(Enum):
    """What may stand in the braces after a command."""

    MATHS = "maths"
    WORDS = "words"
    CAPITALS = "capital letters"
    NAME = "a name"


M, W = Argument.MATHS, Argument.WORDS


class Taking(NamedTuple):
    """Commands that take the same arguments, and what they are for."""

    commands: str
    arguments: tuple[Argument, ...]
    about: str


ACCENTED = "hat widehat tilde widetilde bar check vec dot ddot"
ACCENTS = frozenset(ACCENTED.split())
TAKING = (
    Taking("sqrt", (M,), "roots; \\sqrt[3]{x} has its degree in brackets"),
    Taking("frac tfrac dfrac binom", (M, M), "fractions and binomials"),
    Taking(ACCENTED, (M,), "accents"),
    Taking("overline underline overrightarrow", (M,), "lines and arrows above and below"),
    Taking("underbrace overbrace", (M,), "braces; \\underbrace{a + b}_{c} has words below"),
    Taking("underset overset stackrel", (M, M), "\\underset{x}{\\max}: the first below or above the second"),
    Taking("boxed phantom pmod", (M,), "a frame, room for something, a modulus"),
    Taking("xrightarrow xleftarrow", (M,), "arrows with something above them"),
    Taking("mathbf mathrm mathsf mathit mathtt boldsymbol", (M,), "upright, bold and other letters"),
    Taking("mathbb mathcal", (Argument.CAPITALS,), "capital letters only: \\mathbb{R}"),
    Taking("operatorname operatorname*", (Argument.NAME,), "the name of a function: \\operatorname{softmax}"),
    Taking("text textbf textit textrm", (W,), "words inside maths"),
)
ARGUMENTS = {name: taking.arguments for taking in TAKING for name in taking.commands.split()}

# Before a bracket that grows; \left and \right pair up, and \middle stands between them.
SIZES = ("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr")
GROWING = ("left", "right", "middle", *SIZES)
BRACKETS = (
    r"( ) [ ] | . / < > \{ \} \| \langle \rangle \lvert \rvert \lVert \rVert \lbrace \rbrace "
    r"\lfloor \rfloor \lceil \rceil \vert \Vert \uparrow \downarrow \backslash"
)
DELIMITERS = frozenset(BRACKETS.split())

# How many columns each environment has at most.
ENVIRONMENTS = {
    "matrix": 30,
    "pmatrix": 30,
    "bmatrix": 30,
    "Bmatrix": 30,
    "vmatrix": 30,
    "Vmatrix": 30,
    "smallmatrix": 30,
    "cases": 2,
    "aligned": 10,
    "gathered": 1,
}
SYMBOLS = frozenset(name for group in SIGNS.values() for name in group.split())
GREEK = f"{SIGNS['Greek letters']} ell"
COMMANDS = frozenset((*SYMBOLS, *ARGUMENTS, *GROWING, "begin", "end", "\\", " "))
STYLES = (
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "large", "Large", "small", "tiny",
    "nonumber", "notag", "label", "tag",
)  # fmt: skip
# What people write for something that is there under another name.
INSTEAD = {
    "argmax": r"\operatorname*{argmax}",
    "argmin": r"\operatorname*{argmin}",
    "softmax": r"\operatorname{softmax}",
    "bm": r"\boldsymbol",
    "pmb": r"\boldsymbol",
    "bold": r"\mathbf",
    "mathscr": r"\mathcal",
    "mathfrak": r"\mathcal",
    "mbox": r"\text",
    "rm": r"\mathrm{ }",
    "bf": r"\mathbf{ }",
    "over": r"\frac{ }{ }",
    "lbrack": "[",
    "rbrack": "]",
    "(": "the maths between dollars only: $x$",
    "[": "display maths between double dollars: $$x$$",
    "align": r"$$\begin{aligned} … \end{aligned}$$",
    "align*": r"$$\begin{aligned} … \end{aligned}$$",
    "equation": "display maths between double dollars: $$x$$",
    "equation*": "display maths between double dollars: $$x$$",
    "array": "matrix",
    "split": "aligned",
    "eqnarray": "aligned",
}
# What may follow ^, _ or a command without braces: single signs, letters in a font, words.
BARE = "cdot times div pm mp odot oplus ominus otimes circ ast star wedge vee"
BARE_SIGNS = frozenset(f"{SIGNS['Greek letters']} {SIGNS['letters and signs']} {BARE}".split())
FONTS = "mathbf mathrm mathsf mathit mathtt mathbb mathcal text textbf textit textrm"
BARE_COMMANDS = frozenset(FONTS.split())
