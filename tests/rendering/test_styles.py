"""Documents in a house style: what a key or a template changes, and what templates cannot do."""

import re
from pathlib import Path

import pytest
from pictures import png
from rendering.programs import Needs, lualatex, pandoc, pdflatex, pdftotext
from rendering.samples import trace_of

from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.languages import rewording, speaking, translated, translated_count
from attnsolve.letterhead import UNHEADED
from attnsolve.limits import Limits
from attnsolve.loader.styles import read_style
from attnsolve.papers import Cover, Paper
from attnsolve.rendering import render
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.exams import render_exams, render_solutions
from attnsolve.rendering.styling import styled
from attnsolve.rendering.text import say, say_count
from attnsolve.style import PLAIN, Colours, Fonts, Line, Source, Style, pieces

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "style.md").read_text("utf-8")
NAME = re.compile(r"(?:# |% |<# )([\w./-]+\.(?:yaml|tex|j2))(?: #>)?\n")


def examples() -> dict[str, str]:
    """The files that the documentation shows, by the name on their first line."""
    found = {}
    for block in re.findall(r"(?s)```(?:yaml|tex|jinja)\n(.*?)```", DOCS):
        first = NAME.match(block)
        assert first, block
        found[first[1]] = block[first.end() :] if first[1].endswith(".j2") else block
    return found


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The style of the documentation as a folder."""
    for name, text in examples().items():
        file = tmp_path / "house" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "house" / "logo.png").write_bytes(png())
    return tmp_path / "house"


def own(text: str, name: str = "sheets/solution.j2") -> Style:
    """A style with one template."""
    return Style(templates=(Source(f"templates/{name}", f"house/templates/{name}", text),))


def solution(style: Style, **settings: str) -> str:
    """A worked solution in a style."""
    with styled(style):
        return render(trace_of("ist-practical-10"), **({"to": "latex"} | settings)).text


def test_the_example_of_the_documentation_is_a_document(house: Path, tmp_path: Path, needs: Needs) -> None:
    style = read_style(house)
    assert {"style.yaml", "department.tex", "templates/macros/latex.j2", "templates/sheets/exercise.j2"} == {
        source.name for source in style.sources
    }
    text = solution(style)
    folder = tmp_path / "made"
    folder.mkdir()
    style_without_package = text.replace(r"\usepackage{mathpazo}", "")  # not in the small TeX set
    done = pdflatex(style_without_package, folder, needs, beside=[("logo.png", png())])
    assert (0, []) == (done.code, done.complaints())
    printed = pdftotext(done.pdf, needs)
    for words in (
        "Department of Informatics",
        "Deep Learning",
        "Exercise 2: ",
        "Data",
        "Result.",
        "University of Somewhere",
    ):
        assert words in printed
    for words in ("Easy to get wrong", "Take care", "Source:", "Part ("):
        assert words not in printed
    assert r"\documentclass[11pt,a4paper,twoside]{article}" in text
    assert r"\section*{\color[HTML]{1F4E79}" in text
    assert text.count(r"\par\medskip\hrule") == text.count(r"section*{") > 2


def test_a_sheet_of_the_style_takes_the_place_of_ours(house: Path) -> None:
    style = read_style(house)
    assert "Hand in on Friday." in solution(style, sheet="exercise")
    assert "Hand in on Friday." in solution(style, sheet="exercise", to="markdown")
    assert "Hand in on Friday." not in solution(style)


def test_lualatex_takes_fonts_of_the_system(tmp_path: Path, needs: Needs) -> None:
    style = Style(
        fonts=Fonts("nowhere", "Noto Serif", size=12), footer=Line(right=pieces("{page} of {pages}"))
    )
    text = solution(style, sheet="exercise")
    assert r"\documentclass[12pt,a4paper]{article}" in text
    done = lualatex(text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    assert "NotoSerif" in done.log
    assert re.search(r"1 of [?\d]", pdftotext(done.pdf, needs))


def test_words_and_feet_print_as_typed(tmp_path: Path, needs: Needs) -> None:
    typed = r"50% & \input x $y_1$ #1"
    style = Style(footer=Line(left=pieces(typed)), words=(("given", typed), ("answer", typed)))
    done = pdflatex(solution(style), tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    assert 3 <= pdftotext(done.pdf, needs).count(r"50% & \input x $y")
    assert typed in pandoc(solution(style, to="markdown"), "plain", needs, reader="markdown-smart")


def test_no_style_changes_nothing() -> None:
    assert solution(PLAIN) == render(trace_of("ist-practical-10"), to="latex").text


REMARKS = {
    "source": "Source:",
    "checks": "Check:",
    "pitfalls": "Easy to get wrong.",
    "shapes": r"(\(4 \times 3\)",
}


@pytest.mark.parametrize("remark", ["source", "checks", "pitfalls"])
@pytest.mark.parametrize("to", PRINTED)
def test_what_is_hidden_is_left_out(remark: str, to: str) -> None:
    shown, hidden = (solution(style, to=to).replace("\\", "") for style in (PLAIN, Style(hide=(remark,))))
    assert REMARKS[remark] in shown
    assert REMARKS[remark] not in hidden


def test_papers_and_their_solutions_have_the_style(house: Path, tmp_path: Path, needs: Needs) -> None:
    papers = [
        Paper("K7Q2", trace_of("ist-practical-10"), "1", "Ana"),
        Paper("M3X9", trace_of("ist-practical-10"), "2", "王"),
    ]
    style = read_style(house)._replace(fonts=Fonts(), letterhead=UNHEADED)  # its logo is not copied here
    with styled(style):
        exams = render_exams(papers, Cover(title="Midterm")).text
        solutions = render_solutions(papers, Cover(title="Midterm")).text
    assert "Take care." not in solutions
    assert "University of Somewhere" in exams
    (tmp_path / "made").mkdir()
    done = lualatex(exams, tmp_path / "made", needs)
    assert (0, []) == (done.code, done.complaints())
    printed = pdftotext(done.pdf, needs)
    assert "Exercise 2: " in printed
    assert "K7Q2" in printed
    assert "University of Somewhere" in printed


# -- what templates cannot do ---------------------------------------------------------------------------

HOSTILE = [
    ("\n\n<< doc.__class__ >>", ":3:1: access to '__class__' is not allowed in templates"),
    ("<< ''.__class__.__mro__ >>", ":1:1: access to '__class__' is not allowed in templates"),
    ("<< doc._replace(title=1) >>", ":1:1: access to '_replace' is not allowed in templates"),
    ("<< ('' | attr('__class__')).x >>", ":1:1: access to '__class__' is not allowed in templates"),
    ("<< '{0.__class__}'.format(doc) >>", ":1:1: access to '__class__' is not allowed in templates"),
    ("<< say.__globals__ >>", ":1:1: access to '__globals__' is not allowed in templates"),
    ("<< translated('{x.__class__}', x=doc) >>", ":1:1: KeyError: 'x.__class__'"),
    ("<< say('{x.__class__}', x=doc) >>", ":1:1: KeyError: 'x.__class__'"),
    ("<< style.shows.__globals__ >>", ":1:1: access to '__globals__' is not allowed in templates"),
    ("<< cycler.__init__ >>", ":1:1: access to '__init__' is not allowed in templates"),
    ('<% include "../../etc/passwd" %>', ":1:1: there is no template '../../etc/passwd'"),
    ('<% include "/etc/passwd" %>', ":1:1: there is no template '/etc/passwd'"),
    ('<% include "ours/../pyproject.toml" %>', ":1:1: there is no template 'ours/../pyproject.toml'"),
    ("<< 'x' * 10 ** 9 >>", ":1:1: a text of 1000000000 characters is too long"),
    ("<< 9 ** 9 ** 9 >>", ":1:1: the power 387420489 ** 9 is too large for a template"),
    ("<% for i in range(1000000) %><% endfor %>", ":1:1: OverflowError: Range too big"),
    ("a\n<% for %>", ":2:1: Expected an expression, got 'end of statement block'"),
    ("a\n\n<< nothing.here >>", ":3:1: 'nothing' is undefined"),
    ("<< doc.titel >>", ":1:1: 'DocumentView object' has no attribute 'titel'"),
    ("<< 1 / 0 >>", ":1:1: ZeroDivisionError: division by zero"),
    ("<% macro f() %><< f() >><% endmacro %><< f() >>", ":1:1: RecursionError"),
]


@pytest.mark.parametrize(("text", "said"), HOSTILE)
def test_tricks_are_told_with_file_and_line(text: str, said: str) -> None:
    with pytest.raises(ProblemError) as refused:
        solution(own(text))
    assert f"house/templates/sheets/solution.j2{said}" in str(refused.value).replace(
        "attnsolve.rendering.views.", ""
    )


ENDLESS = [
    ("<% for i in range(90000) %><% for j in range(90000) %><% endfor %><% endfor %>", "more than 1 s or"),
    ("<% for i in range(90000) %><% for j in range(90000) %>xxxxxxxxx<% endfor %><% endfor %>", "more than"),
    ("<% set a = namespace(x='xx') %><% for i in range(60) %><% set a.x = a.x ~ a.x %><% endfor %>", "MB"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), ENDLESS)
def test_what_never_ends_is_ended(text: str, said: str) -> None:
    limits = Limits(template_seconds=1, template_characters=1_000_000, megabytes=1_000)
    with pytest.raises(AttnsolveError, match=said), styled(own(text), limits=limits):
        render(trace_of("ist-practical-10"), to="latex")


def test_a_macro_that_is_wrong_is_told_with_its_own_file() -> None:
    style = own(
        "\n<% macro heading(level, words) %>\n<< words.__class__ >>\n<% endmacro %>", "macros/latex.j2"
    )
    with pytest.raises(ProblemError, match=r"house/templates/macros/latex\.j2:3:1: access to '__class__'"):
        solution(style)


def test_macros_of_one_format_leave_the_others_alone() -> None:
    style = own("<% macro heading(level, words) %>H<< level >><% endmacro %>", "macros/markdown.j2")
    assert solution(style) == solution(PLAIN)
    assert "H2" in solution(style, to="markdown")


def test_the_sandbox_fills_our_own_sheets_as_they_are() -> None:
    """Nothing that our templates do is forbidden."""
    style = own("<% macro unused() %><% endmacro %>", "macros/latex.j2")
    for sheet in ("solution", "exercise", "markscheme"):
        assert solution(style, sheet=sheet) == solution(PLAIN, sheet=sheet)
    papers = [Paper("K7Q2", trace_of("plan"), "1", "Ana")]
    with styled(style):
        made = render_exams(papers).text
    assert render_exams(papers).text == made


# -- the body alone -------------------------------------------------------------------------------------

HOST = r"""\documentclass{article}
\usepackage{amsmath,amssymb,booktabs,array,graphicx}
\usepackage[table]{xcolor}
\begin{document}
\section{Mine}
\input{body}
\input{body}
\end{document}
"""


def test_a_fragment_goes_into_another_document(tmp_path: Path, needs: Needs) -> None:
    with styled(fragment=True):
        body = render(trace_of("ist-practical-10"), to="latex").text
    assert not re.search(r"^\\(documentclass|usepackage|begin\{document|end\{document)", body, re.M)
    assert all(f"% \\usepackage{each}" in body for each in ("{amsmath,amssymb}", "[table]{xcolor}"))
    (tmp_path / "made").mkdir()
    host = HOST.replace(r"\input{body}", f"{body}\n")
    done = pdflatex(host, tmp_path / "made", needs)
    assert (0, []) == (done.code, done.complaints())
    assert 2 == pdftotext(done.pdf, needs).count("Part (b)")


def test_a_fragment_says_what_its_letters_need() -> None:
    papers = trace_of("ist-practical-10")
    named = papers._replace(problem=papers.problem._replace(source="王 Ιωάννης"))
    with styled(fragment=True):
        body = render(named, to="latex").text
    assert all(line.startswith("%") for line in body.splitlines() if "fontenc" in line or "fontspec" in line)
    assert "[LGR]{fontenc}" in body
    assert r"% \DeclareRobustCommand{\inscript}" in body


def test_a_fragment_of_markdown_has_no_title() -> None:
    with styled(fragment=True):
        body = render(trace_of("ist-practical-10")).text
    assert not re.search(r"^# ", body, re.M)
    assert render(trace_of("ist-practical-10")).text.endswith(body)


# -- own words ------------------------------------------------------------------------------------------


def test_own_words_reach_whatever_is_said() -> None:
    with styled(Style(words=(("name", "Full name"), ("answer", "Result:")))):
        assert "Full name" == translated("Name")
        assert ((False, "Result:"),) == say("Answer.")
        with rewording({"{count} keys": "{count} columns"}):
            assert "2 columns" == translated_count("{count} key", "{count} keys", 2)
            assert ((False, "1 key"),) == say_count("{count} key", "{count} keys", 1)
    assert "Name" == translated("Name")


def test_own_words_that_need_another_place_are_not_for_this_page() -> None:
    with styled(Style(words=(("part", "Exercise {number}"),))), speaking("de"):
        assert ((False, "Exercise 2"),) == say("Part ({part})", part="b", number=2)
        assert ((False, "Teil (b)"),) == say("Part ({part})", part="b")


@pytest.mark.parametrize("to", PRINTED)
def test_whoever_saves_ink_prints_no_colours_and_no_shades(to: str) -> None:
    colourful = Style(colours=Colours("8B0000", "1F4E79"))
    assert "8B0000" in solution(colourful, to="latex")
    text = solution(colourful._replace(saves_ink=True), to=to)
    assert not any(mark in text for mark in ("8B0000", "1F4E79", "cellcolor", "<svg", "Darker is more"))
    if to == "latex":
        assert r"\documentclass[10pt," in text and "margin=1.6cm" in text
        own = colourful._replace(saves_ink=True, fonts=Fonts(size=12), margin="3cm")
        assert r"\documentclass[12pt," in solution(own) and "margin=3cm" in solution(own)
