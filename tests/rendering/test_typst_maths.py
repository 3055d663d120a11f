"""Formulas in Typst: what it makes of them is read back, and compared with what KaTeX makes of the LaTeX."""

import json
import re
import subprocess
import unicodedata
import warnings
from collections import Counter
from collections.abc import Sequence
from html import unescape

import pytest
from rendering.programs import KATEX_MATHML, Needs
from rendering.samples import FOLDER, trace_of
from rendering.test_html import EVERY_COMMAND

from attnsolve.languages import speaking
from attnsolve.rendering import render
from attnsolve.rendering.formula_trees import NotPrinted
from attnsolve.rendering.typst_maths import converted

typst = pytest.importorskip("typst")
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
START = """#set document(title: "t", date: none)
#let framed(body) = math.equation(alt: "–", body)
"""
# Signs for which the two have other characters, and what is not seen; accents are looked at for themselves.
ALIKE = str.maketrans("∣∙∥⟨⟩", "|•‖<>", "\u2061\u200b\u2063\ufe00")
ACCENT = re.compile(r"<mo[^>]*>[^<]{1,2}</mo>(?=</m(?:over|under)>)")
STRUCTURE = ("mfrac", "msqrt", "mroot")
SCRIPTS = {"msub": 1, "msup": 1, "msubsup": 2, "munder": 1, "mover": 1, "munderover": 2}


def read_back(formulas: Sequence[tuple[str, bool]]) -> list[str]:
    """What Typst makes of our formulas, as MathML."""
    sections = []
    for source, display in formulas:
        formula = f"${converted(source, display=display)}$.body"
        shown = f'math.equation(block: {"true" if display else "false"}, alt: "–", {formula})'
        sections.append(f'#html.elem("section", {shown})')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = typst.compile((START + "\n".join(sections)).encode(), format="html", ignore_system_fonts=True)
    return re.findall(r"<section>(.*?)</section>", made.decode(), re.DOTALL)


def katex(formulas: Sequence[tuple[str, bool]], needs: Needs) -> list[str]:
    """What KaTeX makes of the LaTeX."""
    command = [needs("node"), "-e", KATEX_MATHML, needs("katex")]
    done = subprocess.run(command, input=json.dumps(formulas), capture_output=True, text=True, check=True)
    annotation = re.compile(r"<annotation.*?</annotation>", re.DOTALL)
    return [annotation.sub("", made) for made in json.loads(done.stdout)]


def tokens(mathml: str) -> str:
    """What is read of a formula, without spaces and accents."""
    shown = unescape(re.sub(r"<[^>]*>", "", ACCENT.sub("", mathml)))
    return "".join(unicodedata.normalize("NFKC", shown).translate(ALIKE).split())


def structure(mathml: str) -> dict[str, int]:
    """How many fractions, roots, rows, and indices of all kinds a formula has."""
    tags = Counter(re.findall(r"<(m\w+)", mathml))
    scripts = sum(count * tags[tag] for tag, count in SCRIPTS.items())
    return {tag: tags[tag] for tag in STRUCTURE} | {"scripts": scripts, "rows": tags["mtr"]}


def spied_formulas(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Every formula of every bundled page."""
    from attnsolve.rendering import typst_maths

    found: dict[tuple[str, bool], None] = {}
    original = typst_maths.written

    def spied(source: str, display: bool, comma: bool) -> str:
        found[source, display] = None
        return original(source, display, comma)

    monkeypatch.setattr(typst_maths, "written", spied)
    for name in NAMES:
        render(trace_of(name), to="typst")
    return list(found)


def test_every_formula_of_every_page_is_what_another_engine_makes_of_it(
    monkeypatch: pytest.MonkeyPatch, needs: Needs
) -> None:
    formulas = spied_formulas(monkeypatch)
    assert 1000 < len(formulas)
    ours, others = read_back(formulas), katex(formulas, needs)
    assert len(formulas) == len(ours)
    assert [] == [
        (source, tokens(one), tokens(other))
        for (source, _), one, other in zip(formulas, ours, others, strict=True)
        if tokens(one) != tokens(other) or structure(one) != structure(other)
    ]


# Where the two differ for a reason: another character for the same sign, lines that the export of Typst
# leaves out, what is not seen, and a bracket that is none.
OTHERWISE = {
    r"a \perp b",
    r"\overline{A}",
    r"\underline{A}",
    r"\phantom{A}",
    r"\left. x \middle. y \right.",
}


def test_every_command_that_a_text_may_have_is_what_another_engine_makes_of_it(needs: Needs) -> None:
    formulas = [(source, True) for source in EVERY_COMMAND]
    ours, others = read_back(formulas), katex(formulas, needs)
    assert OTHERWISE == {
        source
        for (source, _), one, other in zip(formulas, ours, others, strict=True)
        if tokens(one) != tokens(other) or structure(one) != structure(other)
    }


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (r"\frac{1}{2}", "frac(1, 2)"),
        (r"W_Q^{(1)}", r"attach(W, b: Q, t: \( 1 \))"),
        (r"\overline{x}", "overline(x)"),
        (r"\underline{x}", "underline(x)"),
        (r"\hat{y}", "hat(y)"),
        (r"\tilde{s}", "tilde(s)"),
        (r"\check{S}", "caron(S)"),
        (r"\operatorname{softmax}(S)", r'op("softmax") \( S \)'),
        (r"\mathrm{Concat}", '"Concat"'),
        (r"x_{i,j}", 'attach(x, b: i","j)'),
        (r"\text{if } x", '"if\u00a0"x'),
        (r"\text{else } {-\infty}", '"else\u00a0"class("normal", −) ∞'),
        (r"a = -1, 2-1", r"a \= − 1 \, 2 − 1"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", r"a & \= b \  & \= c"),
        (r"\left(\frac{1}{2}\right)", r"lr(\( frac(1, 2) \))"),
    ],
)
def test_formulas_are_written_as_typst_writes_them(source: str, written: str) -> None:
    assert written == converted(source, display=True)


def test_decimals_have_the_sign_of_the_language_and_no_space_behind_it() -> None:
    for code, shown in (("en", "0.25"), ("de", '0","25'), ("pt", '0","25'), ("fr", '0","25')):
        with speaking(code):
            assert rf"x \= {shown}" == converted("x = 0.25", display=True)


@pytest.mark.parametrize("source", [r"\unknown{x}", r"\frac{1}", r"\begin{matrix} 1"])
def test_what_cannot_be_converted_is_an_error_that_names_the_formula(source: str) -> None:
    with pytest.raises(NotPrinted, match=re.escape(source)):
        converted(source, display=True)


def test_a_part_that_nobody_knows_is_never_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the converter learnt something new one day."""
    from attnsolve.rendering import formula_trees

    monkeypatch.setattr(formula_trees, "mathml", lambda *_, **__: "<math><mnew>x</mnew></math>")
    with pytest.raises(NotPrinted, match=r"\$a newcomer\$ .*<mnew>"):
        converted("a newcomer", display=True)
