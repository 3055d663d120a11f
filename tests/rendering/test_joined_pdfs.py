"""PDFs of many papers, printed part by part: to everybody the same as one that was printed whole."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pictures import SVG, png
from rendering.pdf_trees import Pdf
from rendering.programs import Needs
from rendering.samples import trace_of
from rendering.test_pdf import text_of

from attnsolve.engine import solve
from attnsolve.loader import load
from attnsolve.papers import Cover, Paper
from attnsolve.problem_set import Solved
from attnsolve.rendering import typst_apart, typst_engine, typst_papers
from attnsolve.rendering.exams import render_exams, render_solutions
from attnsolve.rendering.joined_pdfs import joined_pdf
from attnsolve.rendering.pdf_parts import NotJoined, Part
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.styling import styled
from attnsolve.rendering.typst_engine import NoGlyph, typst_pdf
from attnsolve.rendering.typst_papers import Sewn, cut, papers_pdf, sources
from attnsolve.style import Line, Style, pieces

pytest.importorskip("typst")
# Links, lists, code, figures of both kinds, and words that look like what joins a PDF.
RICH = """\
format: 1
title: Rich (12 0 R) (U1x0y0)
intro: |
  See [the page 7 0 R](https://example.org/a(7) "x") and <https://example.org>.

  ![a "b" <c>](box.png){width=50%}

  ![d](box.svg "e & f")

  - one
  - two $x^2$
given: {X: 1 0; 0 1}
parts:
  - ask: Find \\ it. [12 0 R](https://example.org/12)
    self_attention: {input: X}
    find: [A]
    plot: weights
"""


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> tuple[Solved, dict[str, bytes]]:
    """A problem with all that a page may have, and its figures."""
    folder = tmp_path_factory.mktemp("rich")
    figures = {"box.png": png(), "box.svg": SVG}
    for name, data in figures.items():
        (folder / name).write_bytes(data)
    (folder / "rich.yaml").write_text(RICH, "utf-8")
    return solve(load(folder / "rich.yaml")), figures


def papers_of(solved: Solved, count: int = 5) -> list[Paper]:
    """Papers that differ in their codes."""
    return [Paper(f"K{number}Q2", solved, str(number), "Ada (1 0 R") for number in range(count)]


def sewn(text: str) -> Sewn:
    """A document as pieces that end in the middle of papers, and a line at its end that all of them have."""
    head, *papers = cut([text])
    between = [head[-9:] + papers[0][:50], papers[0][50:], *papers[1:]]
    assert text.endswith("\n")
    return Sewn(head[:-9], lambda: [*between[:-1], between[-1][:-1]], "\n")


def in_parts(text: str, figures: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The PDF of a document of which a part has two papers."""
    papers = list(cut([text]))[1:]
    monkeypatch.setattr(typst_papers, "LONGEST", 2 * max(map(len, papers)))
    assert 1 < len(list(sources(sewn(text)))) < len(papers)
    return b"".join(papers_pdf(sewn(text), figures))


@pytest.mark.parametrize("kind", ["exams", "solutions"])
@pytest.mark.parametrize("footer", ["", "{page} of {pages}"], ids=["", "numbered"])
def test_what_is_joined_says_what_one_that_was_printed_whole_says(
    kind: str,
    footer: str,
    rich: tuple[Solved, dict[str, bytes]],
    tmp_path: Path,
    needs: Needs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solved, figures = rich
    with styled(Style(footer=Line(left=pieces(footer)))):
        if kind == "exams":
            text = render_exams(papers_of(solved), Cover(lang="de"), to="typst").text
        else:
            text = render_solutions(papers_of(solved), Cover(lang="de"), settings=Settings(to="typst")).text
    whole, joined = typst_pdf(text, figures), in_parts(text, figures, monkeypatch)
    assert Pdf(whole).accessible() == Pdf(joined).accessible()
    assert Pdf(whole).about() == Pdf(joined).about()
    assert whole.count(b"/Subtype/Image") == joined.count(b"/Subtype/Image")
    assert joined == in_parts(text, figures, monkeypatch)
    printed = text_of(joined, tmp_path, needs)
    assert text_of(whole, tmp_path, needs) == printed
    count = len(Part(whole).pages)
    assert (f"{count} of {count}" in printed) == bool(footer)


def test_tables_with_headings_keep_them_in_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    text = render_solutions(papers_of(trace_of("ist-practical-10"), 3), settings=Settings(to="typst")).text
    whole, joined = typst_pdf(text, {}), in_parts(text, {}, monkeypatch)
    assert b"/IDTree" in whole and Pdf(whole).accessible() == Pdf(joined).accessible()


def test_what_is_short_is_printed_at_once() -> None:
    text = render_exams(papers_of(trace_of("ties"), 2), to="typst").text
    assert typst_pdf(text, {}) == b"".join(papers_pdf(sewn(text), {}))


def test_papers_are_cut_alike_however_they_were_written() -> None:
    text = render_exams(papers_of(trace_of("ties"), 3), to="typst").text
    by_letter = list(cut(text))
    assert by_letter == list(cut([text])) and "".join(by_letter) == text
    assert [False, True, True, True] == [piece.startswith("#paper(") for piece in by_letter]


def test_a_page_that_its_template_numbers_otherwise_is_printed_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = render_exams(papers_of(trace_of("ties"), 3), to="typst").text
    numbered = text.replace("footer: none", 'numbering: "1"', 1)
    assert numbered != text and typst_pdf(numbered, {}) == in_parts(numbered, {}, monkeypatch)


def with_other_title(parts: Sequence[str]) -> Iterator[bytes]:
    return (typst_pdf(f'#set document(title: "{title}", date: none)\n= {title}', {}) for title in parts)


def test_only_parts_of_one_document_are_joined() -> None:
    assert 2 == len(Pdf(b"".join(joined_pdf(with_other_title("aa")))).pages)
    with pytest.raises(NotJoined, match="not alike"):
        list(joined_pdf(with_other_title("ab")))
    (good,) = with_other_title("a")
    for here, there in ((b"%%EOF", b""), (b"2 0 obj", b"3 0 obj"), (b"/Marked true", b"/Marked")):
        with pytest.raises(NotJoined):
            list(joined_pdf([good.replace(here, there, 1)]))


PLAIN = '#set document(title: "t", date: none)\n'


def test_a_long_document_is_printed_by_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    here = typst_pdf(f"{PLAIN}= A", {"a/b.png": png()})
    monkeypatch.setattr(typst_engine, "LONG", 0)
    monkeypatch.setattr(typst_engine, "printed", None)  # not here
    assert here == typst_pdf(f"{PLAIN}= A", {"a/b.png": png()})
    with pytest.raises(NoGlyph) as refused:
        typst_pdf(f"{PLAIN}= A\U0010fffe", {})
    assert ("\U0010fffe",) == refused.value.letters
    with pytest.raises(Exception, match=r"typst stopped at document\.typ:2:1: unknown variable"):
        typst_pdf(f"{PLAIN}#x", {})
    monkeypatch.setattr(typst_apart, "COMMAND", ("true",))
    with pytest.raises(Exception, match="process ended with 0; there may be too little memory"):
        typst_pdf(PLAIN, {})
