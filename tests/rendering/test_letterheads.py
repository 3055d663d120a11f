"""The head of papers and sheets: what is filled in, what is signed, and the logo."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from pictures import SVG, png
from rendering.programs import Compiled, Needs, compiled, pdftotext
from rendering.samples import trace_of

from attnsolve.cli import cli
from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.letterhead import CoverField, Letterhead
from attnsolve.loader.asked import load_asked
from attnsolve.loader.styles import read_style
from attnsolve.papers import Cover, Paper
from attnsolve.problem_set import Solved
from attnsolve.rendering import render
from attnsolve.rendering.exams import render_exams, render_solutions
from attnsolve.rendering.styling import styled

PROBLEM = """format: 1
title: One query
given: {K: 1 0; 0 1; 1 1, q: 1 2}
parts:
  - {ask: Find the weights., attend: {queries: q, keys: K}, marks: 4}
vary: {K: -3..3, q: -3..3}
"""
ALL = "cover: [name, id, seat, declaration, signature]\n"


def sheet(folder: Path, more: str) -> Path:
    (folder / "one.yaml").write_text(PROBLEM, encoding="utf-8")
    (folder / "logo.png").write_bytes(png())
    file = folder / "sheet.yaml"
    file.write_text(f"format: 1\ntitle: Sheet\n{more}exercises: [one.yaml]\n", encoding="utf-8")
    return file


def solved(folder: Path, more: str) -> Solved:
    return solve_asked(load_asked(sheet(folder, more)))


@pytest.mark.parametrize(
    ("typed", "fields", "declaration"),
    [
        ("", "name id", ""),
        ("cover: none\n", "", ""),
        ("cover: id\n", "id", ""),
        ("cover: [seat, name]\n", "seat name", ""),
        ("declaration: Mine.\n", "name id declaration", "Mine."),
        ("cover: [name, signature]\ndeclaration: Mine.\n", "name declaration signature", "Mine."),
        ("cover: [name, signature, declaration]\n", "name signature declaration", ""),
    ],
)
def test_what_is_filled_in_is_read(typed: str, fields: str, declaration: str, tmp_path: Path) -> None:
    head = solved(tmp_path, typed).problem.letterhead  # type: ignore[union-attr]
    assert (fields.split(), declaration) == ([field.value for field in head.asked], head.declaration)


def test_what_a_sheet_says_comes_before_what_a_style_says() -> None:
    own = Letterhead((CoverField.ID,), "")
    house = Letterhead((CoverField.NAME,), "Mine.")
    assert Letterhead((CoverField.ID,), "Mine.") == own.over(house)
    assert house == Letterhead().over(house)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Name: Ada", "Number: 17", "Seat: ", "This is my own work", "Signature: "]),
        (
            "de",
            ["Name: Ada", "Matrikelnummer: 17", "Platz: ", "Dies ist meine", "Unterschrift: "],
        ),
    ],
)
def test_a_title_page_has_its_lines_in_the_language_of_the_paper(
    lang: str, words: list[str], tmp_path: Path
) -> None:
    paper = Paper("K7Q2", solved(tmp_path, ALL), "17", "Ada")
    text = render_exams([paper], Cover(lang=lang), to="markdown").text
    places = [text.index(each) for each in words]
    assert places == sorted(places)
    assert "Signature" not in render_solutions([paper], Cover()).text


def test_an_exercise_sheet_has_lines_only_where_it_asks_for_them(tmp_path: Path) -> None:
    asked = solved(tmp_path, ALL)
    assert "Signature: " in render(asked, to="markdown", sheet="exercise").text
    assert "Signature: " not in render(asked, to="markdown").text
    assert "Name" not in render(solved(tmp_path, "logo: logo.png\n"), to="markdown", sheet="exercise").text


def test_a_style_has_fields_for_exams_and_a_logo_for_every_sheet(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(png())
    (tmp_path / "style.yaml").write_text(
        "format: 1\ncover: [signature]\nlogo: {file: logo.png, alt: 'A & B', height: 2cm}\n"
        "words: {signature: Sign here}\n",
        encoding="utf-8",
    )
    with styled(read_style(tmp_path)):
        made = render(trace_of("plan"), to="latex", sheet="exercise", maps=True)
        paper = render_exams([Paper("K7Q2", trace_of("plan"))], Cover()).text
        page = render(trace_of("plan"), to="markdown").text
    assert r"\includegraphics[height=20mm,width=\linewidth,keepaspectratio]{logo.png}" in made.text
    assert (("logo.png", png()),) == made.pictures
    assert "![A &amp; B](logo.png){height=20mm}" in page
    assert "Sign here" in paper and "Name" not in paper and "{logo.png}" in paper
    assert "Sign here" not in made.text
    with styled(read_style(tmp_path), fragment=True):
        body = render(trace_of("plan"), to="latex", maps=True)
    assert "logo" not in body.text and not body.pictures


def test_each_format_shows_the_version_that_it_can(tmp_path: Path) -> None:
    (tmp_path / "crest.svg").write_bytes(SVG)
    asked = solved(tmp_path, "logo: crest.svg\n")
    assert "](crest.svg)" in render(asked, to="markdown").text
    with pytest.raises(ProblemError, match=r"3:7: latex cannot show crest.svg; put the same figure as crest"):
        render(asked, to="latex")
    (tmp_path / "crest.png").write_bytes(png())
    assert "{crest.png}" in render(solved(tmp_path, "logo: crest.svg\n"), to="latex").text


def test_a_logo_that_has_the_name_of_another_figure_is_told(tmp_path: Path) -> None:
    file = sheet(tmp_path, "")
    figure = PROBLEM.replace("Find the weights.", "'![A box](logo.png)'")
    (tmp_path / "one.yaml").write_text(figure, encoding="utf-8")
    house = tmp_path / "house"
    house.mkdir()
    (house / "logo.png").write_bytes(png(30, 30))
    (house / "style.yaml").write_text("format: 1\nlogo: logo.png\n", encoding="utf-8")
    asked = solve_asked(load_asked(file))
    with styled(read_style(house)), pytest.raises(AttnsolveError, match="the name of another figure"):
        render(asked, to="latex", sheet="exercise", maps=True)


@pytest.mark.parametrize("each", [[], ["--each"]])
def test_an_exam_keeps_its_logo_and_puts_it_beside_its_papers(each: list[str], tmp_path: Path) -> None:
    exam = tmp_path / "exam"
    file = sheet(tmp_path, f"{ALL}logo: {{file: logo.png, alt: Crest}}\n")
    done = CliRunner().invoke(cli, ["variants", str(file), "-n", "2", "-o", str(exam), *each])
    assert 0 == done.exit_code, done.output
    found = {path.relative_to(exam).as_posix() for path in exam.rglob("*.png")}
    assert {"problems/logo.png", "exams/logo.png" if each else "logo.png"} == found
    code = next(path.stem for path in (exam / "problems").glob("*.yaml") if path.stem != "original")
    for path in ("one.yaml", "logo.png", "sheet.yaml"):
        (tmp_path / path).unlink()  # what is printed again comes from the exam's own folder
    again = CliRunner().invoke(cli, ["variants", "reprint", str(exam), code])
    assert 0 == again.exit_code, again.output
    assert (exam / "reprints" / "logo.png").read_bytes() == png()
    assert "Signature" in (exam / "reprints" / f"{code}-exam.tex").read_text("utf-8")


def test_an_exam_keeps_the_logo_of_its_style(tmp_path: Path) -> None:
    exam, house = tmp_path / "exam", tmp_path / "house"
    file = sheet(tmp_path, "")
    house.mkdir()
    (house / "crest.png").write_bytes(png())
    (house / "style.yaml").write_text("format: 1\nlogo: crest.png\n", encoding="utf-8")
    arguments = ["variants", str(file), "-n", "1", "-o", str(exam), "--style", str(house)]
    assert 0 == CliRunner().invoke(cli, arguments).exit_code
    found = {path.relative_to(exam).as_posix() for path in exam.rglob("*.png")}
    assert {"crest.png", "style/crest.png"} == found


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_title_pages_and_heads_fit_the_page(engine: str, tmp_path: Path, needs: Needs) -> None:
    long = "declaration: " + "I have worked on my own and used only what is allowed. " * 4 + "\n"
    asked = solved(tmp_path, f"{ALL}{long}logo: {{file: logo.png, alt: Crest, height: 3cm}}\n")
    for kind, text in (
        ("paper", render_exams([Paper("K7Q2", asked, "17", "Ada")], Cover(course="C", minutes=60)).text),
        ("sheet", render(asked, to="latex", sheet="exercise").text),
    ):
        folder = tmp_path / kind
        folder.mkdir()
        flags = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
        made: Compiled = compiled(engine, text, folder, needs, flags=flags, beside=[("logo.png", png())])
        assert (0, []) == (made.code, made.complaints())
        assert max(made.overfull(), default=0) < 5
        printed = pdftotext(made.pdf, needs)
        assert "Signature:" in printed and "Seat:" in printed


def test_instructions_have_no_figures(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"3:15: instructions: figures have no place here"):
        solved(tmp_path, "instructions: '![A box](logo.png)'\n")
