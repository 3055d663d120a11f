"""PDFs as people open them: made without TeX, read back, accessible, and the same every time."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pictures import SVG, png
from rendering.programs import Needs
from rendering.samples import BUNDLED, WITH_SYMBOLS, trace_of
from rendering.test_escaping import sheet

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.loader import load
from attnsolve.papers import Cover, Paper
from attnsolve.pdf_engines import Engine
from attnsolve.rendering import printed, render
from attnsolve.rendering.engines import warning_about
from attnsolve.rendering.exams import render_exams
from attnsolve.rendering.settings import SHEETS
from attnsolve.rendering.styling import styled
from attnsolve.rendering.typst_engine import typst_pdf
from attnsolve.style import Colours, Fonts, Line, Style, pieces

pytest.importorskip("typst")
ROOT = Path(__file__).parents[2]
NAMES = (*BUNDLED, *WITH_SYMBOLS)
START = '#set document(title: "t", date: none)\n'


def text_of(pdf: bytes, folder: Path, needs: Needs) -> str:
    """What is printed, without the breaks of lines and the marks of direction."""
    file = folder / "page.pdf"
    file.write_bytes(pdf)
    command = [needs("pdftotext"), "-enc", "UTF-8", str(file), "-"]
    shown = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return re.sub("[\u202a-\u202e\u2066-\u2069\u200b]", "", shown)


@pytest.mark.parametrize("name", NAMES)
def test_every_bundled_page_becomes_a_pdf(name: str, tmp_path: Path, needs: Needs) -> None:
    trace = trace_of(name)
    made = render(trace, to="pdf")
    assert made.pdf.startswith(b"%PDF-") and () == made.pictures
    assert b"pdfuaid:part" in made.pdf or b"pdfuaid" in made.pdf
    shown = " ".join(text_of(made.pdf, tmp_path, needs).split())
    assert trace.problem.title.split("$")[0].split()[0] in shown
    for part in trace.problem.parts if len(trace.problem.parts) > 1 else ():
        assert f"({part.id})" in shown


@pytest.mark.parametrize("sheet_name", SHEETS)
@pytest.mark.parametrize("lang", ["de", "pt", "fr"])
def test_every_sheet_is_printed_in_every_language(sheet_name: str, lang: str) -> None:
    made = render(trace_of("ist-practical-10"), to="pdf", sheet=sheet_name, lang=lang)
    assert f"/Lang({lang})".encode() in made.pdf.replace(b" ", b"")


@pytest.mark.parametrize("name", ["wide", "long", "labels", "heads", "roots-below"])
def test_pages_that_strain_become_pdfs(name: str) -> None:
    assert render(trace_of(name), to="pdf").pdf


def test_bytes_are_the_same_every_time(tmp_path: Path) -> None:
    command = (
        "import sys; from attnsolve.batch import find, solved_asked; from attnsolve.rendering import render; "
        "sys.stdout.buffer.write(render(solved_asked(find('calculator-free')), to='pdf').pdf)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    other = subprocess.run([sys.executable, "-c", command], capture_output=True, env=environment, check=True)
    assert render(trace_of("calculator-free"), to="pdf").pdf == other.stdout


HOSTILE = (
    '#read("/etc/passwd")',
    "] #let x = 1; [",
    "$x$ @cite <label> // not a comment /* nor this */",
    r"\ \u{41} \#x \\",
    "= no heading",
    "- no list + 1. /term: x",
    "_no_ *stress* `no code` ~ -- --- ...",
    "https://example.org http://x",
    "{1} (2) 'a' \"b\" a'b 50% & more",
    "#import \"@preview/x:1.0.0\": *",
)


@pytest.mark.parametrize("words", HOSTILE)
def test_text_is_printed_as_it_was_typed(words: str, tmp_path: Path, needs: Needs) -> None:
    """In a title, a label and a name; straight quotation marks become real ones, as everywhere."""
    paper = Paper("K7Q2", trace_of("ties"), words[:30], words)
    made = printed(render_exams([paper], Cover(title="t", course=words), to="typst"))
    shown = "".join(text_of(made.pdf, tmp_path, needs).split())
    typed = "".join(words.split())
    curled = re.sub(r"[“”]", '"', re.sub(r"[‘’]", "'", shown))
    assert 2 <= curled.count(typed)


def test_titles_of_files_are_escaped_like_everything(tmp_path: Path, needs: Needs) -> None:
    text = r"50% of #x ] & \input <y> @z"
    made = printed(render(sheet(text), to="typst"))
    assert 5 <= " ".join(text_of(made.pdf, tmp_path, needs).split()).count(text)


def test_nothing_outside_of_its_folder_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    for path in (str(secret), "../secret.txt", "/etc/hostname", "../../../../etc/hostname"):
        with pytest.raises(AttnsolveError, match=r"typst stopped at document\.typ:2:") as refused:
            typst_pdf(f'{START}= #read("{path}")', {})
        assert "secret" not in str(refused.value).replace("secret.txt", "")
    with pytest.raises(AttnsolveError, match=r"package not found|failed to"):
        typst_pdf(f'{START}#import "@local/thing:1.0.0": x', {})


NAMES_IN_SCRIPTS = (
    "Ada Lovelace", "Nguyễn Thị Hồng", "王小明", "محمد علي", "Ελένη Παπαδοπούλου", "Иван Петров",
    "שרה כהן", "नरेन्द्र मोदी", "สมชาย ใจดี", "김철수",
)  # fmt: skip


def test_names_in_all_scripts_are_printed(tmp_path: Path, needs: Needs) -> None:
    needs("Noto")
    needs("Han")
    assert None is warning_about(NAMES_IN_SCRIPTS, Engine.TYPST)
    papers = [
        Paper(f"K{number}Q2", trace_of("ties"), str(number), name)
        for number, name in enumerate(NAMES_IN_SCRIPTS)
    ]
    shown = text_of(printed(render_exams(papers, to="typst")).pdf, tmp_path, needs)
    assert [] == [name for name in NAMES_IN_SCRIPTS if name not in shown]


@pytest.mark.parametrize("letter", ["\ue000", "\U0010fffe", "\u0378"])
def test_what_no_font_prints_is_said_before(letter: str) -> None:
    said = warning_about(["Ada", f"A{letter}"], Engine.TYPST)
    assert said is not None
    assert said.startswith(f"typst cannot print {letter} (no font has it); install a font")


@pytest.mark.parametrize("name", ["ties", "calculator-free"])
def test_papers_have_even_pages_that_are_counted_by_themselves(
    name: str, tmp_path: Path, needs: Needs
) -> None:
    papers = [Paper(f"K{number}Q2", trace_of(name), str(number)) for number in range(3)]
    pages = text_of(printed(render_exams(papers, to="typst")).pdf, tmp_path, needs).split("\f")[:-1]
    assert 0 == len(pages) % 6
    each = len(pages) // 3
    for number, page in enumerate(pages):
        assert f"page {number % each + 1} of {each}" in page and f"K{number // each}Q2" in page
    blank = ["This page is left blank for rough work." in page for page in pages[:each]]
    assert not any(blank[:-1]) and blank[-1] == (len(pages[each - 1].split()) < 15)


def test_figures_are_inside_with_their_words(tmp_path: Path) -> None:
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
    made = render(solve(load(file)), to="pdf")
    assert b"/Image" in made.pdf and () == made.pictures


def test_a_style_gives_head_foot_colours_and_size(tmp_path: Path, needs: Needs) -> None:
    style = Style(
        page="letter",
        margin="30mm",
        header=Line(left=pieces("Deep # Learning")),
        footer=Line(centre=pieces("{title}"), right=pieces("{page} of {pages}")),
        colours=Colours(title="8A1538", headings="1F4E79"),
        fonts=Fonts(size=12),
    )
    with styled(style):
        made = render(trace_of("ties"), to="pdf")
        source = render(trace_of("ties"), to="typst").text
    shown = text_of(made.pdf, tmp_path, needs)
    assert "Deep # Learning" in shown and re.search(r"1 of \d", shown)
    assert 'rgb("#8A1538")' in source and "size: 12pt" in source and '"us-letter"' in source


def test_a_font_of_the_style_that_is_not_there_is_said() -> None:
    with (
        styled(Style(fonts=Fonts(main="Nobody Has This"))),
        pytest.raises(AttnsolveError, match="the font 'nobody has this' of the style is not installed"),
    ):
        render(trace_of("ties"), to="pdf")


def test_without_typst_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(AttnsolveError, match=re.escape("pip install 'attnsolve[pdf]'")):
        render(trace_of("ties"), to="pdf")


def test_no_heading_skips_a_level_and_paragraphs_stay_with_their_formulas() -> None:
    from attnsolve.rendering.typst_pages import arranged

    text = "#heading(level: 1)[a];\n\n#heading(level: 3)[b];\n\nHere:\n\n#shown(1);\n\nThere.\n\nEnd."
    assert (
        "#heading(level: 1)[a];\n\n#heading(level: 2)[b];\n\n#keep[Here:];\n\n#shown(1);\n\nThere.\n\nEnd."
        == arranged(text)
    )
    assert r"\#heading(level: 9)" == arranged(r"\#heading(level: 9)")
