"""Web pages: whole and valid on every sheet, nothing from outside, nothing of a text taken for markup."""

import itertools
import json
import re
import subprocess
import unicodedata
from base64 import b64decode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import SVG, png
from rendering.mathml_trees import tree
from rendering.programs import KATEX_MATHML, TEMML, Needs
from rendering.samples import BUNDLED, MADE, NAMES, WITH_SYMBOLS, trace_of
from rendering.test_escaping import BIDI, HOSTILE, sheet
from rendering.web import Page

from attnsolve.engine import solve
from attnsolve.languages import CODES, speaking
from attnsolve.loader import load, loads
from attnsolve.maths.commands import ACCENTS, ARGUMENTS, BRACKETS, ENVIRONMENTS, SIZES, SYMBOLS
from attnsolve.papers import Cover, Paper
from attnsolve.reasons import as_typed
from attnsolve.rendering import Settings, render
from attnsolve.rendering import mathml as converter
from attnsolve.rendering.dialects import mathml
from attnsolve.rendering.exams import render_contacts, render_exams, render_key, render_solutions
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.settings import SHEETS
from attnsolve.rendering.styling import styled
from attnsolve.rendering.web_pages import Places
from attnsolve.report import Report
from attnsolve.style import Colours, Source, Style


def page(text: str) -> Page:
    """A page without faults."""
    read = Page(text)
    assert [] == read.faults
    return read


# Every bundled problem on every sheet; of those made for a page, the solution and one of the others.
PAGES = [
    *itertools.product(BUNDLED, SHEETS),
    *((name, "solution") for name in MADE),
    *zip(MADE, itertools.cycle([sheet for sheet in SHEETS if sheet != "solution"]), strict=False),
]


@pytest.mark.parametrize(("name", "sheet_name"), PAGES)
def test_every_page_is_valid_and_needs_nothing_else(name: str, sheet_name: str) -> None:
    made = render(trace_of(name), to="html", sheet=sheet_name, maps=True)
    read = page(made.text)
    assert ((), ()) == (made.figures, made.pictures)
    assert 1 == len(read.all("h1")) == len(read.all("main"))
    assert not re.search(r"<code>[^<]*\\", made.text), "a formula that was not converted"


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("sheet_name", SHEETS)
def test_it_prints_as_typed(text: str, sheet_name: str) -> None:
    read = page(render(sheet(text), to="html", sheet=sheet_name).text)
    assert read.text.count(text) >= 2
    assert 1 == len(read.all("script")) and [] == read.all("img")


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip)


@given(TEXTS, TEXTS, TEXTS)
def test_no_name_on_a_paper_is_markup(code: str, student: str, name: str) -> None:
    one = Paper(code, trace_of("plan"), student, name)
    for made in (render_exams, render_key, render_contacts):
        page(made([one], Cover(title=name, course=student, date=code), to="html").text)


def test_bidirectional_controls_are_dropped_and_names_keep_their_direction() -> None:
    text = render(sheet(f"a{BIDI}b, Ana علي حسن 12"), to="html").text
    assert not set(BIDI) & set(text)
    assert "ab, Ana <bdi>علي حسن</bdi> 12" in text


@pytest.mark.parametrize("to_many", [render_exams, render_solutions, render_key, render_contacts])
def test_papers_of_a_class_are_one_page(to_many: object) -> None:
    papers = [Paper(code, trace_of("ist-practical-10"), "1", "Ana <b>") for code in ("K7Q2", "M3X9")]
    choice = {"settings": Settings(to="html")} if to_many is render_solutions else {"to": "html"}
    read = page(to_many(papers, Cover(title="Midterm <i>"), **choice).text)  # type: ignore[operator]
    assert "K7Q2" in read.text and "Midterm <i>" in read.text
    assert to_many is render_contacts or "M3X9" in read.text


def test_a_solution_among_many_reads_as_it_does_alone() -> None:
    """Only the names of places are others: those of the second paper are counted."""
    papers = [Paper(code, trace_of("ist-practical-10"), "1", "Ana") for code in ("K7Q2", "M3X9")]
    made = (
        render(trace_of("ist-practical-10"), to="html"),
        render_solutions(papers, settings=Settings(to="html")),
    )
    alone, among = ("".join(page(document.text).text.split()) for document in made)
    assert 2 == among.count(alone[alone.index("Part(a)", alone.index("Source:")) :])


@pytest.mark.parametrize("code", CODES)
def test_a_page_says_its_language_and_writes_numbers_in_it(code: str) -> None:
    text = render(trace_of("ist-practical-10"), to="html", lang=code).text
    assert f'<html lang="{code}">' in text
    assert ("<mn>0,4654</mn>" if code != "en" else "<mn>0.4654</mn>") in text
    with speaking(code):
        assert ("0,5" if code != "en" else "0.5") in mathml("x_{1,2} = 0.5")


def test_steps_and_parts_are_places_to_link_to() -> None:
    read = page(render(trace_of("ist-practical-10"), to="html").text)
    names = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert {"a", "b", "c", "a.S", "b.A", "c.head2.A"} <= set(names)
    links = [attributes["href"] for attributes in read.all("a")]
    assert 3 <= links.count("#b.A") + 1 and all(f"#{name}" in links for name in ("a", "b.A", "c.head2.Z"))


def test_places_of_one_name_are_counted() -> None:
    twice = '<p id="a"></p><a href="#a">1</a><p id="a"></p><a href="#a">2</a><p title="id=&quot;a&quot;">'
    assert twice.replace('"a"></p><a href="#a">2', '"a-2"></p><a href="#a-2">2') == Places().named(twice)


def test_a_page_lets_in_what_it_brings_and_nothing_else() -> None:
    with styled(Style(colours=Colours(title="8A1538"))):
        text = render(trace_of("plan"), to="html").text
    policy = Page(text).all("meta")[2]["content"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        allowed = re.search(rf"{tag}-src 'sha256-(\S+)'", policy)
        assert allowed is not None and b64decode(allowed[1]) == sha256(inside.encode()).digest()
    assert "h1 { color: #8A1538; }" in text


def test_figures_are_inside_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "box.png").write_bytes(png())
    (tmp_path / "box2.svg").write_bytes(SVG)
    data = {
        "format": "1",
        "title": "t",
        "intro": '![a "b" <c>](box.png){width=50%}\n\n![d](box2.svg "e & f")',
        "given": {"X": "1 2"},
        "parts": [{"ask": "?", "self_attention": {"input": "X"}}],
    }
    file = tmp_path / "p.yaml"
    file.write_text(json.dumps(data), encoding="utf-8")
    made = render(solve(load(file)), to="html", maps=True)
    first, second = page(made.text).all("img")
    assert png() == b64decode(first["src"].removeprefix("data:image/png;base64,"))
    assert SVG == b64decode(second["src"].removeprefix("data:image/svg+xml;base64,"))
    assert ('a "b" <c>', "50%") == (first["alt"], first["width"])
    assert () == made.pictures


EVERY_COMMAND = [
    *(rf"a \{name} b" for name in sorted(SYMBOLS)),
    *(rf"\{name}{'{A}' * len(arguments)}" for name, arguments in sorted(ARGUMENTS.items())),
    *(rf"\{size}{bracket} x" for size in SIZES for bracket in BRACKETS.split()),
    *(rf"\left{bracket} x \middle{bracket} y \right{bracket}" for bracket in BRACKETS.split()),
    *(rf"\begin{{{name}}} a \\ b \end{{{name}}}" for name in ENVIRONMENTS),
    *(rf"\begin{{{name}}} a & b \\ c & d \end{{{name}}}" for name, most in ENVIRONMENTS.items() if most > 1),
    *(rf"\{accent}{{xyz}}" for accent in sorted(ACCENTS)),
    r"\sqrt[3]{x}",
    r"\underbrace{a + b}_{c}",
    r"\text{<script>alert(1)</script>}",
]


def test_every_command_that_a_text_may_have_becomes_mathml() -> None:
    for source in EVERY_COMMAND:
        made = mathml(source, display=True)
        assert made.startswith("<math") and 'class=""' not in made, source
        page(made)


# Signs for which the two have other characters: accents, bars; and what is not seen.
ALIKE = str.maketrans("\u0303\u0304\u0302ˆ∣", "~ˉ^^|", "\u2061\u200b")


def tokens(mathml_text: str) -> str:
    """What is read of a formula, without spaces."""
    shown = re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", mathml_text, flags=re.DOTALL)
    return "".join(unicodedata.normalize("NFKC", unescape(shown)).translate(ALIKE).split())


def test_every_formula_says_what_two_other_engines_say(monkeypatch: pytest.MonkeyPatch, needs: Needs) -> None:
    made: dict[tuple[str, bool], str] = {}

    def spied(source: str, *, display: bool) -> str:
        return made.setdefault((source, display), original(source, display=display))

    original = converter.mathml
    monkeypatch.setattr(converter, "mathml", spied)
    for name in (*NAMES, *WITH_SYMBOLS):
        render(trace_of(name), to="html")
    assert 1000 < len(made)
    for program, module, seen in ((KATEX_MATHML, "katex", tokens), (TEMML, "temml", tree)):
        command = [needs("node"), "-e", program, needs(module)]
        done = subprocess.run(
            command, input=json.dumps(list(made)), capture_output=True, text=True, check=True
        )
        others = json.loads(done.stdout)
        assert [] == [
            (source, seen(ours), seen(other))
            for (source, ours), other in zip(made.items(), others, strict=True)
            if seen(ours) != seen(other)
        ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\frac{a}{b + c}", r"\frac{a}{b} + c"),
        (r"e^{x}_{1}", r"e^{x_{1}}"),
        (r"\sqrt{2x}", r"\sqrt{2}x"),
        (r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}", r"\begin{bmatrix} a & b & c & d \end{bmatrix}"),
        (r"\tilde{S}_{1}", r"\tilde{S_{1}}"),
        (r"(a + b)^{2}", r"(a + b^{2})"),
    ],
)
def test_formulas_of_another_structure_are_told_apart(one: str, other: str) -> None:
    """They have the same tokens, so that only their trees differ."""
    first, second = (mathml(source, display=True) for source in (one, other))
    assert sorted(tokens(first)) == sorted(tokens(second))
    assert tree(first) != tree(second)


def test_a_hyphen_in_a_name_is_no_minus() -> None:
    assert "<mi>ReLU-norm</mi>" in mathml(r"\operatorname{ReLU-norm}(S) - 1")
    assert "−" in mathml(r"\operatorname{ReLU-norm}(S) - 1")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_slip_says_what_was_written_as_it_was_written(text: str) -> None:
    report = Report(problem="p", steps=(), student=text, variant=text, unread=(as_typed(text),))
    read = page(feedback(trace_of("plan"), report, to="html").text)
    assert 3 <= read.text.count(text) + read.text.count(text.replace("'", "’"))


def test_a_style_may_have_macros_for_pages(tmp_path: Path) -> None:
    macros = '<% macro strong(words) -%><em class="loud"><< words >></em><%- endmacro %>'
    own = Source("templates/macros/html.j2", str(tmp_path / "html.j2"), macros)
    with styled(Style(templates=(own,), colours=Colours(headings="8A1538"))):
        text = render(trace_of("plan"), to="html").text
    page(text)
    assert '<em class="loud">Given</em>' in text and "h4 { color: #8A1538; }" in text


def test_a_fragment_is_the_body_alone() -> None:
    with styled(fragment=True):
        text = render(trace_of("plan"), to="html").text
    page(text)
    assert "<html" not in text and "<style" not in text and "<h2" in text


PROSE = r"""
format: 1
title: t
given: {X: 1 2}
intro: |
  A *b* **c** `<d>` [e](https://x.y/?a=1&b=2) <https://z.y>.

  - g

    $$x^2$$
  - h

  3. i
  4. j

  | k   | $l$ |
  |-----|----:|
  | m<n | $o$ |

  ```python
  q < r


    s
  ```
parts: [{ask: "?", self_attention: {input: X}}]
"""


def test_what_a_lecturer_writes_is_shown() -> None:
    text = render(solve(loads(PROSE)), to="html").text
    read = page(text)
    for piece in (
        "<em>b</em>",
        "<strong>c</strong>",
        "<code>&lt;d&gt;</code>",
        '<a href="https://x.y/?a=1&amp;b=2" rel="noreferrer">e</a>',
        '<ol class="tight" start="3">',
        "q &lt; r\n\n\n  s</code></pre>",
        "m&lt;n",
    ):
        assert piece in text
    assert "https://z.y" in read.text
