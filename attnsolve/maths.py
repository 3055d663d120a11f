"""Maths inside a lecturer's text: `$…$` is let through only as far as a list of harmless commands goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
)
COMMANDS = frozenset(
    (
        GREEK + " frac tfrac dfrac sqrt hat widehat tilde widetilde bar vec dot overline underline prime "
        "mathbf mathrm mathbb mathcal mathsf mathit boldsymbol operatorname text left right big Big "
        "top intercal cdot cdots ldots dots vdots ddots times div pm mp odot oplus otimes circ ast star "
        "sum prod max min exp log ln sin cos tanh arg lim sup inf det dim "
        "in notin subset cup cap to rightarrow leftarrow mapsto infty partial nabla forall exists "
        "le leq ge geq ne neq approx equiv sim propto ll gg lvert rvert lVert rVert mid langle rangle "
        "lbrace rbrace quad qquad begin end , ; : ! \\"
    ).split()
) | {" "}
ENVIRONMENTS = frozenset("bmatrix pmatrix matrix".split())
ALLOWED = re.compile(r"[A-Za-z0-9 \n+\-*/=<>()\[\]|,.:;'!?^_{}&\\]*")


def segments(text: str) -> Iterator[tuple[bool, str]]:
    """The text in pieces: (False, plain text) and (True, maths without its dollars)."""
    for i, piece in enumerate(text.split("$")):
        if piece:
            yield i % 2 == 1, piece


def complaint_about_text(text: str) -> str:
    """What is wrong with the maths in a text, or nothing."""
    if text.count("$") % 2:
        return "a '$' without its partner; maths stands between two of them"
    for is_maths, piece in segments(text):
        if is_maths:
            complaint = complaint_about_maths(piece)
            if complaint:
                return complaint
    return ""


def complaint_about_maths(source: str) -> str:
    """What is wrong with a piece of LaTeX maths, or nothing."""
    if not ALLOWED.fullmatch(source) or "^^" in source:
        bad = "^^" if "^^" in source else next(c for c in source if not ALLOWED.fullmatch(c))
        return f"'{bad}' is not allowed in maths; write it in words or as a LaTeX command"
    for command in re.findall(r"\\([A-Za-z]+|.)", source, re.DOTALL):
        if command not in COMMANDS:
            return f"the command \\{command} is not allowed in maths"
    if source.endswith("\\") and not source.endswith("\\\\"):
        return "a '\\' at the end of the maths"
    for environment in re.findall(r"\\(?:begin|end)\s*\{?([^}]*)", source):
        if environment not in ENVIRONMENTS:
            return f"\\begin{{{environment}}} is not allowed; the environments are {', '.join(sorted(ENVIRONMENTS))}"
    if re.findall(r"\\begin\{(\w+)\}", source) != re.findall(r"\\end\{(\w+)\}", source):
        return "\\begin without its \\end"
    if not _balanced(source):
        return "a '{' without its '}', or the other way round"
    return "" if "&" not in source or "\\begin" in source else "'&' is allowed only inside a matrix"


def _balanced(source: str) -> bool:
    depth = 0
    for character in re.sub(r"\\.", "", source):
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
