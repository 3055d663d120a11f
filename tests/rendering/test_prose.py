"""A lecturer's text on paper and in Markdown: whatever it says, it is printed and never acts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pictures import png
from rendering.programs import Needs, lualatex, pandoc, pdflatex, pdftotext

from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.loader import loads
from attnsolve.rendering import render

NASTY = (
    r"\input{/etc/passwd} $\end{document} %&#_^~{}[]<>|\"'` --- ``x'' \\ \par \write18{ls} {=latex} {math}"
)
FILE = """format: 1
title: Prose
intro: |
{}
given: {{q: 1 2, K: 1 0; 0 1}}
parts:
  - ask: What?
    attend: {{queries: q, keys: K}}
    find: A
"""


def rendered(text: str, to: str, folder: Path, **choices: Any) -> str:
    """A document with this text."""
    indented = "\n".join(f"  {line}" for line in text.split("\n"))
    (folder / "box.png").write_bytes(png())
    return render(solve(loads(FILE.format(indented), folder=folder)), to=to, sheet="exercise", **choices).text


def escaped(text: str) -> str:
    """A text in which nothing is markup."""
    return "".join(f"\\{one}" if not one.isalnum() and not one.isspace() else one for one in text)


TEXTS = {
    "words": f"So {escaped(NASTY)} ends",
    "emphasis": f"So *{escaped(NASTY)}* **x {escaped(NASTY)} y** ends",
    "code": f"So ```{NASTY}``` ends",
    "lines of code": f"So\n\n````\n{NASTY}\n\\end{{verbatim}}\n\n\n  {NASTY}\n````\n\nends",
    "a list": f"So\n\n- {escaped(NASTY)}\n- {escaped('- 1. # > ')}\n  1. {escaped(NASTY)}\n  2. b\n\nends",
    "a table": f"So\n\n| a | {escaped(NASTY)} |\n|---|---|\n| ``x'`` | {escaped(NASTY)} |\n\nends",
    "a link": f"So [{escaped(NASTY)}](https://x.org/a%20b_c~d?e=1&f=%25#g(h)i$j'k\\\\l{{m}}^n) ends",
    "a bare address": "So <https://x.org/a%20b_c~d?e=1&f=%25#g> ends",
}


@pytest.mark.parametrize("name", TEXTS)
def test_latex_prints_it_and_does_nothing_else(name: str, tmp_path: Path, needs: Needs) -> None:
    folder = tmp_path / "tex"
    folder.mkdir()
    done = pdflatex(rendered(TEXTS[name], "latex", tmp_path), folder, needs)
    assert (0, []) == (done.code, done.complaints())
    words = pdftotext(done.pdf, needs)
    assert "ends" in words and "What?" in words
    if "https" not in TEXTS[name]:
        assert "write18" in words and "passwd" in words


def literal(document: Any) -> str:
    """Every word of a document that pandoc has read, code and maths included."""
    if isinstance(document, dict):
        kind, content = document.get("t"), document.get("c")
        if kind == "Str":
            return str(content)
        if kind in ("Space", "SoftBreak"):
            return " "
        if kind in ("Code", "CodeBlock"):
            return str(content[1])
        assert kind not in ("RawInline", "RawBlock", "Note", "Math"), content
        return literal(content)
    return "".join(map(literal, document)) if isinstance(document, list) else ""


@pytest.mark.parametrize("name", TEXTS)
def test_pandoc_reads_the_same_words_and_nothing_raw(name: str, tmp_path: Path, needs: Needs) -> None:
    text = rendered(TEXTS[name], "markdown", tmp_path).partition("\nGive every")[0]
    said = literal(json.loads(pandoc(text, "json", needs, reader="markdown-smart"))["blocks"])
    assert "ends" in said
    if "https" not in TEXTS[name]:
        plain = "".join(NASTY.split()).replace('"', "").replace("'", "").replace("`", "")
        found = "".join(said.split())
        for sign in "“”‘’\"'`":
            found = found.replace(sign, "")
        assert plain in found


@pytest.mark.parametrize("to", ["latex", "markdown"])
def test_alt_texts_and_captions_are_words(to: str, tmp_path: Path, needs: Needs) -> None:
    alt = caption = escaped(NASTY)
    text = rendered(f'![{alt}](box.png "{caption}"){{width=50%}}', to, tmp_path)
    if to == "markdown":
        pandoc(text, "json", needs)
        github = rendered(f"![{alt}](box.png){{width=50%}}", to, tmp_path, flavour="github")
        line = next(line for line in github.splitlines() if line.startswith("<img"))
        assert line.count('"') == 6 and line.count("<") == 1
        return
    folder = tmp_path / "tex"
    folder.mkdir()
    done = pdflatex(re.sub(r"\\includegraphics.*?\{box\.png\}", "", text), folder, needs)
    assert (0, []) == (done.code, done.complaints())
    assert "write18" in pdftotext(done.pdf, needs)


@pytest.mark.parametrize("to", ["latex", "markdown"])
def test_captions_are_sentences_with_markup(to: str, tmp_path: Path) -> None:
    text = rendered('![A box](box.png "The *first* **row** of $x$")', to, tmp_path)
    expected = {
        "latex": r"\small The \emph{first} \textbf{row} of $x$\par",
        "markdown": "_The *first* **row** of $x$_",
    }
    assert expected[to] in text
    assert "*A row*" in rendered('![A box](box.png "A row")', "markdown", tmp_path)


@pytest.mark.parametrize(
    ("caption", "said"),
    [
        ("<b>x</b>", r"4:21: intro: '<b>': HTML is not"),
        ("of \\\\foo $\\foo$", r"intro: .*foo"),
        ("a $ b", r"4:23: intro: a '\$' without its partner"),
    ],
)
def test_what_a_caption_may_not_have_is_told_with_its_place(caption: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=said):
        rendered(f'![A box](box.png "{caption}")', "latex", tmp_path)


@pytest.mark.parametrize("engine", [pdflatex, lualatex])
def test_links_lead_to_their_addresses(engine: Any, tmp_path: Path, needs: Needs) -> None:
    """The addresses that are in the PDF, uncompressed."""
    folder = tmp_path / "tex"
    folder.mkdir()
    text = rendered("See [the paper](https://x.org/a_b?c=1&d=%25#e) and <https://y.org/>.", "latex", tmp_path)
    plain = r"\ifdefined\pdfcompresslevel\pdfcompresslevel=0 \pdfobjcompresslevel=0 \else"
    plain += r"\pdfvariable compresslevel=0 \pdfvariable objcompresslevel=0 \fi" + "\n"
    done = engine(plain + text, folder, needs)
    assert (0, []) == (done.code, done.complaints())
    found = re.findall(rb"/S\s*/URI\s*/URI\s*\((.*?)\)", done.pdf.read_bytes())
    assert [b"https://x.org/a_b?c=1&d=%25#e", b"https://y.org/"] == found


def test_code_keeps_its_empty_lines_and_its_indentation(tmp_path: Path) -> None:
    text = rendered("```python\na\n\n\n    b\n```", "markdown", tmp_path)
    assert "```python\na\n\n\n    b\n```" in text
    assert r"\strut ~~~~b\par" in rendered("```\n    b\n```", "latex", tmp_path)
