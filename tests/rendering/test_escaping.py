"""A lecturer's text prints as it was typed, whatever it looks like to TeX, Markdown, HTML or Jinja."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rendering.programs import Needs, commonmark, literal, nodes, pandoc, pdflatex, pdftotext, tree, words

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.ops import OPS
from attnsolve.recipes import RECIPES
from attnsolve.rendering import render
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.escaping import line_start, markdown, tex
from attnsolve.trace import Trace

HOSTILE = (
    r"\input{/etc/hostname}",
    "^^5cinput{/etc/hostname}",
    r"\write18{touch x} \def\x{\x}\x \end{document}",
    "50% done & more #1 ~ {x} ^ _",
    "<img src=x onerror=alert(1)> <script> &amp; &lt; <!- x ->",
    "`code` *bold* _em_ **strong** ~~out~~ ~sub~ ^sup^ [link](http://x.y) ![i](j) [^1]",
    "|a|b|",
    "{{ 7*7 }} {% raw %} << 7*7 >> <% for x in y %> <# gone #>",
    "1. one",
    "- two",
    "# three",
    "> four",
    "x{.y} {#z}",
    "«Ærøskøbing», Łódź, Đorđe, ąęė, ß",
    "a?`b!`c -- d --- e",
)
BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def sheet(text: str, *, title: str = "A title") -> Trace:
    """A problem that says `text` wherever a lecturer may say something, without markup where that may be."""
    part = {
        "title": text,
        "ask": literal(text),
        "note": f"Note: {literal(text)}",
        "self_attention": {"input": "X"},
        "plot": "weights",
    }
    problem = {
        "format": "1",
        "title": text,
        "source": text,
        "intro": f"Intro: {literal(text)}",
        "labels": [text, "other"],
        "given": {"X": "1 2; 3 4"},
        "parts": [part, {"ask": "In words?", "discuss": f"Words: {literal(text)}"}],
    }
    return solve(loads(json.dumps(problem, ensure_ascii=False)))


# -- on paper ----------------------------------------------------------------------------------------

# How the fonts of plain TeX show some characters; the underscore is a rule, which is no character at all.
PAPER = {
    "‘": "`",
    "’": "'",
    "”": '"',
    "“": '"',
    "˜": "~",
    "ˆ": "^",
    "−": "-",
    "_": None,
    " ": None,
    "\n": None,
}


def on_paper(text: str) -> str:
    """Text as it can be compared with what pdftotext finds on a page."""
    return text.translate(str.maketrans(PAPER))


def pattern(text: str) -> re.Pattern[str]:
    """An accent may stand beside its letter in the text of a page, as a sign of its own."""
    return re.compile("".join(re.escape(c) if c.isascii() else ".{1,2}" for c in on_paper(text)))


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_prints_it_as_typed(text: str, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render(sheet(text), to="latex").text, tmp_path, needs)
    assert [] == done.complaints()
    assert 0 == done.code
    # title, source, intro, heading, question, note and answer; the axes of the map may break it into lines
    assert 7 <= len(pattern(text).findall(on_paper(pdftotext(done.pdf, needs))))


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_latex_runs_nothing_of_it(text: str, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render(sheet(text), to="latex").text, tmp_path, needs)
    assert 0 == done.code
    assert not re.search(r"\(/etc/hostname|runsystem\(", done.log)
    assert {"sheet.tex", "sheet.log", "sheet.aux", "sheet.pdf"} == {file.name for file in tmp_path.iterdir()}


def test_special_tokens_can_be_labels(tmp_path: Path, needs: Needs) -> None:
    """In LaTeX a [ after the end of a table's row would be read as a length."""
    problem = {"format": "1", "title": "Tokens", "labels": ["[CLS]", "[SEP]"], "given": {"X": "1 2; 3 4"}}
    part = {"ask": "[1] Why?", "self_attention": {"input": "X"}, "plot": "weights", "note": "[2] Because."}
    trace = solve(loads(json.dumps(problem | {"parts": [part]})))
    done = pdflatex(render(trace, to="latex").text, tmp_path, needs)
    assert [] == done.complaints()
    printed = pdftotext(done.pdf, needs)
    assert 4 <= printed.count("[CLS]")
    assert "[1] Why?" in printed
    assert "[2] Because." in printed


# -- in Markdown -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
def test_pandoc_prints_it_as_typed(text: str, needs: Needs) -> None:
    printed = pandoc(render(sheet(text)).text, "plain", needs, reader="markdown-smart")
    lines = [line.strip() for line in printed.splitlines()]
    for wanted in ("", "Source: ", "Intro: ", "Part (a): ", "Note: ", "Answer. Words: "):
        assert f"{wanted}{text}" in lines
    assert 2 <= lines.count(text)


@pytest.mark.parametrize("flavour", ["github", "myst", "jupyter"])
@pytest.mark.parametrize("text", HOSTILE)
def test_commonmark_prints_it_as_typed(text: str, flavour: str) -> None:
    tokens = commonmark(flavour).parse(render(sheet(text), flavour=flavour).text)
    pieces = [child for token in tokens for child in token.children or ()]
    plain = {"text", "text_special", "math_inline", "strong_open", "strong_close"}
    assert (plain | {"code_inline"} if flavour == "github" else plain) >= {piece.type for piece in pieces}
    said = [
        "".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"
    ]
    for wanted in ("Source: ", "Intro: ", "Part (a): ", "Note: ", "Answer. Words: "):
        assert f"{wanted}{text}" in said
    # the title, the question, the first key of the table and of the map, and the map's first query
    assert 5 == said.count(text)


@pytest.mark.parametrize("to", PRINTED)
def test_bidirectional_controls_are_dropped(to: str) -> None:
    """They could turn `x = 1` around on the page; none of them is part of a name."""
    text = render(sheet(f"a{BIDI}b"), to=to).text
    assert [] == [f"U+{ord(c):04X}" for c in BIDI if c in text or f"U+{ord(c):04X}" in text]
    assert "ab" in text


@pytest.mark.parametrize("to", PRINTED)
def test_jinja_sees_data_only(to: str) -> None:
    said = "<< 7777*7777 >> {{ 7777*7777 }} <% set x = 7777*7777 %>"
    assert "60481729" not in render(sheet(said), to=to, sheet="exercise").text


# -- any text at all ------------------------------------------------------------------------------

ASCII = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=25)
MARKUP = st.text(st.sampled_from("\\`*_[]<>$|#~^{}()&%!@:;-+=.,'\" a1\tn"), min_size=1, max_size=12)
LETTERS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=15)
# One call of pandoc reads a whole batch; shrinking a batch would call it a thousand times.
BATCHES = settings(max_examples=10, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def batches(*texts: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Texts as they come out of a problem file: one line, single spaces."""
    many = st.lists(st.one_of(*texts), min_size=40, max_size=80)
    return many.map(lambda some: [" ".join(text.split()) for text in some if text.split()])


@BATCHES
@given(batches(ASCII, MARKUP, LETTERS))
def test_any_text_is_a_plain_paragraph_in_markdown(needs: Needs, texts: list[str]) -> None:
    source = "\n\n".join(line_start(markdown(text)) for text in texts)
    blocks = tree(source, needs, reader="markdown-smart")["blocks"]
    for text, block in zip(texts, blocks, strict=False):
        assert {"Para", "Str", "Space"} >= {kind for kind, _ in nodes(block)}, text
        assert straight(text) == straight(words(block))
    assert len(texts) == len(blocks)


@BATCHES
@given(batches(ASCII, MARKUP, LETTERS))
def test_any_text_is_a_plain_paragraph_in_myst(texts: list[str]) -> None:
    for text in texts:
        opened, inline, closed = commonmark("myst").parse(line_start(markdown(text)))
        assert ("paragraph_open", "paragraph_close") == (opened.type, closed.type)
        assert {"text", "text_special"} >= {child.type for child in inline.children or ()}, text
        assert straight(text) == straight("".join(child.content for child in inline.children or ()))


@BATCHES
@given(batches(ASCII, MARKUP))
def test_any_text_is_a_heading_and_a_cell_in_markdown(needs: Needs, texts: list[str]) -> None:
    headings = "\n\n".join(f"## {markdown(text)}" for text in texts)
    table = "\n".join(["| a | b |", "|---|---|", *(f"| {markdown(text)} | end |" for text in texts)])
    blocks = tree(f"{headings}\n\n{table}\n", needs, reader="markdown-smart")["blocks"]
    *titles, content = [content for kind, content in nodes(blocks) if kind in ("Header", "Table")]
    rows = [row for body in content[4] for row in body[3]]
    for text, title, row in zip(texts, titles, rows, strict=True):
        assert {"Str", "Space"} >= {kind for kind, _ in nodes(title[2])}, text
        assert straight(text) == straight(words(title[2]))
        assert [straight(text), "end"] == [straight(words(cell[4])) for cell in row[1]]
        assert {"Plain", "Str", "Space"} >= {kind for cell in row[1] for kind, _ in nodes(cell[4])}, text


@BATCHES
@given(batches(ASCII, MARKUP))
def test_any_text_is_itself_in_latex(needs: Needs, texts: list[str]) -> None:
    """Between two marks, so that nothing is lost; quotes may be curled, and pandoc knows no textbar."""
    source = "\n\n".join(f"Q{tex(text)}J" for text in texts).replace(r"\textbar{}", "|")
    printed = pandoc(source, "plain", needs, reader="latex-smart").split("\n\n")
    for text, line in zip(texts, printed, strict=True):
        assert f"Q{straight(text)}J" == straight(line.strip())


def straight(text: str) -> str:
    """Text with its quotes uncurled; a double quote and two single ones look the same in LaTeX."""
    double = dict.fromkeys(('"', "\u201c", "\u201d"), "''")
    return text.translate(str.maketrans({**dict.fromkeys("\u2019\u2018`", "'"), **double}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("about 75\u00a0% of it", r"about 75~\% of it"),
        ("a key is -∞ now", r"a key is $-\infty$ now"),
        ('the "output" of ("it")', "the ``output'' of (``it'')"),
        ("a 'word' of the students' own", "a `word' of the students' own"),
    ],
)
def test_signs_are_those_of_a_printed_page(text: str, expected: str) -> None:
    assert expected == tex(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('the "output" of ("it")', "the “output” of (“it”)"),
        ("a 'word' of the students' own, isn't it?", "a ‘word’ of the students’ own, isn’t it?"),
        ("5' and 6'", "5' and 6'"),
    ],
)
def test_quotation_marks_are_real_in_markdown(text: str, expected: str) -> None:
    assert expected == markdown(text)


def test_our_own_words_need_no_character_that_latex_lacks() -> None:
    """`Mind where ε is added` prints with any engine, and with LaTeX's own fonts."""
    mistakes = [mistake for owner in (*OPS, *RECIPES) for mistake in owner.mistakes]
    words = [
        *(op.title for op in OPS),
        *(op.counted_as for op in OPS),
        *(mistake.advice for mistake in mistakes),
    ]
    assert [] == [text for text in words if r"\inscript" in tex(text)]
