"""How a name is spelled in print: the symbol of a matrix, and of one of its vectors."""

from __future__ import annotations

import re

from attnsolve.maths import GREEK as GREEK_LETTERS
from attnsolve.recipes.letters import LETTERS
from attnsolve.records import NamedTuple


class Symbols(NamedTuple):
    """The symbol of a matrix, and the small letter of its vectors."""

    whole: str
    vector: str

    def primed(self, primes: str) -> Symbols:
        """The same with primes."""
        return Symbols(self.whole + primes, self.vector + primes)


# Results of recipes by letter; a plan that a file writes out has names of its own.
RESULTS = {
    "S": Symbols("S", "s"),
    "T": Symbols(r"\tilde{S}", r"\tilde{s}"),
    "Qr": Symbols(r"\tilde{Q}", r"\tilde{q}"),
    "Kr": Symbols(r"\tilde{K}", r"\tilde{k}"),
    "Sc": Symbols(r"\ddot{S}", r"\ddot{s}"),
    "kn": Symbols("k", "k"),
    "vn": Symbols("v", "v"),
    "FQ": Symbols(r"\Phi_Q", r"\phi_Q"),
    "FK": Symbols(r"\Phi_K", r"\phi_K"),
    "FT": Symbols(r"\Phi_K^{\top}", r"\phi_K^{\top}"),
    "Fg": Symbols(r"\hat{F}", r"\hat{f}"),
    "Gg": Symbols(r"\hat{G}", r"\hat{g}"),
    "Sb": Symbols(r"\dot{S}", r"\dot{s}"),
    "M": Symbols(r"\bar{S}", r"\bar{s}"),
    "M1": Symbols(r"\hat{S}", r"\hat{s}"),
    "M2": Symbols(r"\check{S}", r"\check{s}"),
    "A": Symbols("A", r"\alpha"),
    "dA": Symbols(r"\mathrm{d}A", r"\mathrm{d}\alpha"),  # of weights that were made again on the way back
    "Z": Symbols("Z", "z"),
    "H": Symbols(r"\tilde{H}", r"\tilde{h}"),
    "Y": Symbols(r"\hat{Y}", r"\hat{y}"),
    # the sum that runs along the tiles, and what is noted after each
    "l": Symbols(r"\ell", r"\ell"),
    "Lg": Symbols(r"\Lambda", r"\lambda"),
    # the states of a recurrent network, and what goes into its gates
    "Hs": Symbols("H", "h"),
    **{f"p{letter}": Symbols(rf"\bar{{{letter}}}", rf"\bar{{{letter}}}") for letter in "hzrnifo"},
}
# Letters that a plan writes as recipes do.
USUAL = ("S", "A", "Z")
GREEK = frozenset(GREEK_LETTERS.split())  # `gamma_1` prints as γ₁, `Omega_q` as Ω_q
# Matrices typed right into a part have no name of their own; they are called by what they are for.
TYPED_IN_PLACE = LETTERS | {
    "input": "X",
    "context": "Y",
    "value_context": "U",
    "state": "S",
    "states": "F",
    "keep": "M",
    "drop": "M",
    "add": "M",
    "given_weights": "A",
    "places": "t",
    "start": "H_0",
    "memory": "C_0",
}


def spelled(name: str) -> Symbols:
    """A name as the file writes it: `W_Q` is W_{Q}, `q1` is q_{1}, `Gamma` is Γ, `mask` is a word."""
    numbered = re.fullmatch(r"([A-Za-z])(\d+)", name)
    base, _, below = f"{numbered[1]}_{numbered[2]}".partition("_") if numbered else name.partition("_")
    subscript = f"_{{{below}}}" if below else ""
    whole, vector = _letter(base)
    return Symbols(whole + subscript, vector + subscript)


def _letter(base: str) -> Symbols:
    if len(base) == 1:
        return Symbols(base, base.lower())
    if base in GREEK:
        return Symbols(f"\\{base}", f"\\{base.lower()}")
    return Symbols(f"\\mathit{{{base}}}", f"\\mathit{{{base}}}")


def of_result(letter: str, *, named: bool, symbol: str = "") -> Symbols:
    """The symbols of a result; `named` ones have their name from the file, and some ops have a symbol."""
    if symbol:
        return Symbols(symbol, symbol.lower() if len(symbol) == 1 else symbol)
    usual = RESULTS.get(letter)
    return spelled(letter) if usual is None or (named and letter not in USUAL) else usual


def of_typed_in_place(key: str, *, vector: bool) -> Symbols:
    """The symbols of a matrix that is typed into a part, after the key it stands at."""
    letter = TYPED_IN_PLACE.get(key)
    if letter is None:
        return spelled(key)
    return spelled(letter.lower() if vector else letter)
