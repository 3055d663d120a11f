"""Formulas for web pages: LaTeX to MathML, which browsers lay out and screen readers read by themselves."""

from __future__ import annotations

import re
from functools import lru_cache

from math_core import LatexError, LatexToMathML

from attnsolve.languages import decimal
from attnsolve.rendering.escaping import html_code
from attnsolve.rendering.widths import width

NUMBER = re.compile(r"(?<=<mn>)[\d.]+(?=</mn>)")
# The name of an operator may have a hyphen, which is no minus: those have tags around them.
MINUS_IN_NAME = re.compile(r"(?<=[^\W\d_])−(?=[^\W\d_])")
# A web page that allows no style of its own in its markup has classes for what the converter writes as such.
STYLE = re.compile(r' style="([^"]*)"')
CLASSES = {
    "text-align: right;justify-items: end;padding-right: 0;": "right",
    "text-align: left;justify-items: start;padding-left: 0;": "left",
    "text-align: left;justify-items: start;padding-right: 0;": "case",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "condition",
    "margin-left:-0.16666667em;": "closer",
}
# What a line of 375 pixels holds, as `widths` measures.
WIDEST_IN_LINE = 30
# What the converter does not know, in words that it knows.
SPELLED = (
    (re.compile(r"(\\(?:left|middle|right|[bB]igg?[lr]?)) *<"), r"\1\\langle "),
    (re.compile(r"(\\(?:left|middle|right|[bB]igg?[lr]?)) *>"), r"\1\\rangle "),
    (re.compile(r"\\(?:middle|[bB]igg?[lr]?) *\."), ""),
    (re.compile(r"\{smallmatrix\}"), "{matrix}"),
)


@lru_cache(maxsize=1)
def converter() -> LatexToMathML:
    """The converter; accents as wide as what they stand on are wanted, whichever browser draws them."""
    return LatexToMathML(fancy_error=False, allow_unreliable_rendering=True)


@lru_cache(maxsize=4096)  # symbols come again and again, and so do the numbers of a matrix
def mathml(source: str, *, display: bool) -> str:
    """A formula as MathML; one that the converter does not know is shown as it was typed."""
    known = source
    for pattern, instead in SPELLED:
        known = pattern.sub(instead, known)
    try:
        made = converter().convert_with_local_state(known, displaystyle=display)
    except LatexError:
        return f"<code>{html_code(source)}</code>"
    made = MINUS_IN_NAME.sub("-", made)
    return STYLE.sub(lambda match: f' class="{CLASSES.get(match[1], "")}"', made)


def converted(source: str, *, display: bool) -> str:
    """The same with the decimal sign of the spoken language; what no phone can show scrolls in its line."""
    made = NUMBER.sub(lambda match: decimal(match[0]), mathml(source, display=display))
    is_wide = not display and width(source) > WIDEST_IN_LINE
    return f'<span class="wide">{made}</span>' if is_wide else made
