"""Exam papers: boxes in the shape of the answers, the code on every page, and rosters are only text."""

import os
import re
import subprocess
import unicodedata
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rendering.programs import (
    CAREFUL,
    FLAGS,
    Compiled,
    Needs,
    compiled_together,
    faults_of,
    nodes,
    pandoc,
    pdflatex,
    pdftotext,
    tree,
)
from rendering.samples import BUNDLED, NAMES, problem, trace_of
from rendering.test_exercise import EASY, HARD, SECRET
from rendering.test_views import oddities

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Cover, Paper
from attnsolve.rendering import Settings, render
from attnsolve.rendering.booklets import PaperExercise, cover_view, paper_view, words
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.exams import render_exams, render_solutions

EXERCISE = Settings(to="latex", sheet="exercise")
MILLIMETRE = 72 / 25.4
COVER = Cover("", "Deep Learning", "12 January", 90, "Show your working.\n\nNo phones & no calculators.")


def paper(
    problem_name: str = "ist-practical-10", code: str = "K7Q2", student: str = "", name: str = ""
) -> Paper:
    return Paper(code, trace_of(problem_name), student, name)


def view(name: str) -> PaperExercise:
    (exercise,) = paper_view(paper(name), EXERCISE).exercises
    return exercise


def twice(source: str, folder: Path, needs: Needs) -> Compiled:
    """Compile a document as often as its page numbers need."""
    first = pdflatex(source, folder, needs)
    assert (0, []) == (first.code, first.complaints())
    command = [needs("pdflatex"), *FLAGS, "sheet.tex"]
    subprocess.run(command, cwd=folder, env=os.environ | CAREFUL, capture_output=True, check=True)
    return first._replace(log=(folder / "sheet.log").read_text(errors="replace"))


def pages(pdf: Path, needs: Needs) -> list[str]:
    return pdftotext(pdf, needs).split("\f")[:-1]


def pdfinfo(pdf: Path, needs: Needs) -> str:
    program = Path(needs("pdftotext")).with_name("pdfinfo")
    return subprocess.run([program, pdf], capture_output=True, check=True).stdout.decode()


# -- answer boxes ---------------------------------------------------------------------------------------

SHAPES = [
    # What is asked for, as the course writes it: rows × columns.
    ("ist-practical-10", [[(1, 4), (1, 3)], [(4, 2), (4, 2), (4, 2), (4, 4), (4, 2)], [(4, 3)]]),
    ("tokens-as-columns", [[(2, 3), (2, 3), (2, 3), (3, 3), (2, 3)], [(3, 1), (2, 1)]]),
    ("plan", [[(1, 1), (1, 3)]]),
    ("long", [[(20, 7), (20, 7), (20, 6), (20, 3)]]),
]


@pytest.mark.parametrize(("name", "shapes"), SHAPES, ids=[name for name, _ in SHAPES])
def test_boxes_have_the_shape_of_the_values(name: str, shapes: list[list[tuple[int, int]]]) -> None:
    drawn = [[(len(box.rows), len(box.columns)) for box in answer.boxes] for answer in view(name).answers]
    assert shapes == drawn
    found = re.findall(r"\\answerbox\{.*\}\{(\d+)\}\{(\d+)\}\{.*\}", render_exams([paper(name)]).text)
    assert [shape for part in shapes for shape in part] == [
        (int(rows), int(columns)) for columns, rows in found
    ]


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_cell_for_every_number_and_a_line_for_every_word(name: str) -> None:
    trace = trace_of(name)
    for part, answer in zip(trace.problem.parts, view(name).answers, strict=True):
        if part.choice is not None:  # its options are ticked
            assert ((), 0) == (answer.boxes, answer.lines)
            continue
        asked = 0
        for target in part.find:
            rows, columns = trace.value(target.name).shape
            asked += (1 if target.row is not None else rows) * (1 if target.column is not None else columns)
        assert asked == sum(len(box.rows) * len(box.columns) for box in answer.boxes)
        assert bool(part.discuss or not part.find) == bool(answer.lines)


def test_a_row_and_a_cell_are_called_by_their_names() -> None:
    (answer,) = view("plan").answers
    assert [("A_{1,2}", ("1",), ("2",)), ("z_{2}", ("2",), ("1", "2", "3"))] == [
        (box.symbol, box.rows, box.columns) for box in answer.boxes
    ]
    assert ["a.A[1, 2]", "a.Z[2]"] == [box.name for box in answer.boxes]


def test_boxes_say_what_their_numbers_are_called_where_they_are_typed(tmp_path: Path, needs: Needs) -> None:
    """The scaled scores, printed with a tilde, are b.T."""
    made = twice(render_exams([paper("lab-5-scores")]).text, tmp_path, needs)
    printed = pdftotext(made.pdf, needs).split()
    assert [f"{part}.{letter}" for part in "abcd" for letter in ("T" if part == "b" else "S", "A", "Z")] == [
        word for word in printed if re.fullmatch(r"[a-d]\.[A-Z]", word)
    ]


def test_lines_grow_with_the_marks() -> None:
    parts = trace_of("lab-5-costs").problem.parts
    answers = view("lab-5-costs").answers
    lines = {part.total: answer.lines for part, answer in zip(parts, answers, strict=True) if answer.lines}
    assert {6: 18, 2: 6} == lines


def test_room_for_working_grows_with_the_marks_of_what_is_computed() -> None:
    # Practical 10: 5, 8 and 6 marks, 8 mm each; the decoder's questions in words need lines, not room.
    assert [40, 64, 48] == [answer.room for answer in view("ist-practical-10").answers]
    assert [56, 0, 0] == [answer.room for answer in view("ist-practical-10-decoder").answers]
    assert [20, 20, 20] == [answer.room for answer in view("lab-5-costs").answers[:3]]  # without marks
    text = render_exams([paper("ist-practical-10")]).text
    assert 3 == text.count("Working:")
    assert all(f"\\vspace{{{room}mm}}" in text for room in (40, 64, 48))


def test_the_grid_on_paper_has_its_lines(tmp_path: Path, needs: Needs) -> None:
    """The rules that pdfTeX draws for one box of 2 × 3: three across, four down, at least 9 mm apart."""
    source = problem(
        """
given: {q: 1 1; 2 1, K: 1 0; 0 2; 1 1, V: 1 0; 0 1; 1 1}
parts:
  - ask: Find the weights.
    attend: {queries: q, keys: K, values: V}
    find: A
"""
    )
    text = render_exams([Paper("X", solve(loads(source)), "1", "Ana")]).text
    done = pdflatex("\\pdfcompresslevel=0\n" + text, tmp_path, needs)
    raw = done.pdf.read_bytes().decode("latin-1")
    strokes = [tuple(map(float, ends)) for ends in re.findall(r"(\S+) (\S+) m (\S+) (\S+) l S", raw)]
    tall, wide = 2 * 9 * MILLIMETRE, 3 * 15 * MILLIMETRE  # the frame of the code is smaller
    down = [x for x, below, right, above in strokes if x == right and above - below >= tall]
    across = [y for x, y, right, above in strokes if y == above and right - x >= wide]
    assert (4, 3) == (len(down), len(across))


# -- pages ----------------------------------------------------------------------------------------------


def test_every_page_has_its_code_and_every_paper_its_own_sheets(tmp_path: Path, needs: Needs) -> None:
    papers = [
        paper("ist-practical-10", "K7Q2"),
        paper("lab-5-scores", "B3XX"),
        paper("ist-practical-10", "Z999"),
    ]
    done = twice(render_exams(papers, COVER).text, tmp_path, needs)
    codes, starts = [], {}
    for number, text in enumerate(pages(done.pdf, needs), start=1):
        head = re.match(r"(\w+)\s+page (\d+) of (\d+)", text)
        assert head, text[:100]
        codes.append(head[1])
        if head[2] == "1":
            starts[head[1]] = (number, int(head[3]))
    assert ["K7Q2", "B3XX", "Z999"] == list(starts)
    assert {code: codes.count(code) for code in starts} == {code: last for code, (_, last) in starts.items()}
    assert all(first % 2 == 1 and last % 2 == 0 for first, last in starts.values())


def test_the_number_of_pages_is_left_out_until_it_is_known(tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render_exams([paper()]).text, tmp_path, needs)
    assert all(re.match(r"K7Q2\s+page \d\s", text) for text in pages(done.pdf, needs))


@pytest.mark.parametrize(("page", "size"), [("a4", "595.276 x 841.89"), ("letter", "612 x 792")])
def test_paper_is_a4_or_letter(page: str, size: str, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render_exams([paper()], Cover(page=page)).text, tmp_path, needs)
    assert size in pdfinfo(done.pdf, needs)


def test_another_paper_size_is_refused() -> None:
    with pytest.raises(ValueError, match="page is 'a5'; it must be one of a4, letter"):
        render_exams([paper()], Cover(page="a5"))


def test_every_problem_makes_an_exam_that_stays_on_the_page(tmp_path: Path, needs: Needs) -> None:
    names = (*BUNDLED, "long", "wide", "heads", "labels")
    sheets = {name: render_exams([paper(name)], COVER).text for name in names}
    assert {} == faults_of(compiled_together(sheets, tmp_path, needs))


def test_the_same_bytes_every_time(tmp_path: Path, needs: Needs) -> None:
    made = []
    for run in ("first", "second"):
        (tmp_path / run).mkdir()
        source = render_exams([paper(), paper(code="B")], COVER).text
        made.append((source, twice(source, tmp_path / run, needs).pdf.read_bytes()))
    assert made[0] == made[1]


# -- the title page and the roster ----------------------------------------------------------------------


def test_the_title_page_says_what_the_exam_is(tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render_exams([paper(student="ist1", name="Ana Sousa")], COVER).text, tmp_path, needs)
    first = pages(done.pdf, needs)[0]
    expected = (
        "Self-attention by hand",
        "Deep Learning",
        "12 January",
        "90 minutes",
        "Marks: 19",
        "Ana Sousa",
        "ist1",
        "Show your working.",
        "No phones & no calculators.",
    )
    assert [] == [words for words in expected if words not in first]
    assert re.search(r"Marks 5 8 6 19", first)


def test_a_paper_says_once_how_many_places_are_asked_for_whatever_its_title_page_says() -> None:
    said = "Give every number exactly, or rounded to 4 decimal places."
    for cover in (COVER, Cover()):
        assert 1 == render_exams([paper()], cover).text.count(said)
    assert "Show your working." in render_exams([paper()], Cover()).text


def test_a_title_of_its_own_replaces_the_problem_s() -> None:
    text = render_exams([paper()], Cover(title="Midterm")).text
    assert "Midterm" in text
    assert "Self-attention by hand" not in text


NAMES_ON_ROSTERS = [
    ("Müller & Söhne_$%#{}~^\\", r"Müller & Söhne"),
    (r"\input{/etc/passwd}", r"\input{/etc/passwd}"),
    (r"}\end{document}", r"}\end{document}"),
    ("$x$", "$x$"),
    ("a\nb\tc\r\nd", "a b c d"),
    ("\u202egnp.exe", "gnp.exe"),
    ("Đặng Thị Ngọc", "Đặng Thị Ngọc"),
    ("x" * 300, "x" * 60),
    ("1. O'Neil--Smith", "1. O'Neil--Smith"),
]


def test_whatever_a_roster_says_is_only_text(tmp_path: Path, needs: Needs) -> None:
    needs("T5")
    papers = [paper("plan", f"C{i}", student=name, name=name) for i, (name, _) in enumerate(NAMES_ON_ROSTERS)]
    done = pdflatex(render_exams(papers).text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    assert [] == [points for points in done.overfull() if points > 1]
    made = pages(done.pdf, needs)
    assert 2 * len(papers) == len(made)
    for (_, shown), first in zip(NAMES_ON_ROSTERS, made[::2], strict=True):
        printed = unicodedata.normalize("NFC", re.sub(r"\s", "", first)).replace("’", "'")
        assert shown.replace(" ", "") in printed


@pytest.mark.parametrize("code", ["A_1 & B%", "x" * 200, "{\\bf"])
def test_a_code_is_only_text_too(code: str, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render_exams([paper("plan", code)]).text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    assert [] == [points for points in done.overfull() if points > 1]


def test_a_paper_without_a_name_has_lines_to_fill_in() -> None:
    named = render_exams([paper(student="1", name="Ana")]).text
    assert 2 == render_exams([paper()]).text.count(r"\rule[-1mm]") - named.count(r"\rule[-1mm]")


def test_metadata_name_nobody(tmp_path: Path, needs: Needs) -> None:
    cover = Cover("Midterm", "Deep Learning")
    done = twice(render_exams([paper(student="ist1100", name="Ana Sousa")], cover).text, tmp_path, needs)
    about = pdfinfo(done.pdf, needs)
    assert not re.search(r"Ana|ist1100|K7Q2|Midterm|Date|Author|Title", about)


# -- what an exam does not say --------------------------------------------------------------------------


@pytest.mark.parametrize("to", PRINTED)
def test_another_answer_makes_the_same_exam(to: str) -> None:
    """Two problems with the same questions and other answers: the papers are the same to the last byte."""
    same = [dict(data, find="Z") for data in (EASY, HARD)]
    made = {render_exams([Paper("A", solve(loads(problem(SECRET.format(**s)))))], to=to).text for s in same}
    assert 1 == len(made)


@pytest.mark.parametrize("name", NAMES)
def test_views_hold_plain_data_only(name: str) -> None:
    person = replace(paper(name), student="1", name="Ana Sousa")
    assert [] == list(oddities(paper_view(person, EXERCISE), "paper"))
    assert [] == list(oddities(cover_view(COVER, person.trace.problem), "cover"))


def test_long_words_are_cut_and_broken() -> None:
    assert ("Ana Sousa",) == words(" Ana \n Sousa ")
    assert 121 == sum(map(len, words("x" * 300)))
    assert 6 == max(map(len, words("😀" * 300)))
    assert ("Ana x" + "x" * 5, *["x" * 6] * 3, "xx Sousa") == words(f"Ana {'x' * 26} Sousa")
    assert () == words("")
    assert {"e\u0323\u0301" * 2} == {*words("e\u0323\u0301" * 12)}, "accents stay on their letters"


# -- Markdown, and solutions ----------------------------------------------------------------------------


@cache
def markdown_tree(name: str, needs: Needs) -> Any:
    return tree(render_exams([paper(name, name="*Ana* | <b>")], COVER, to="markdown").text, needs)


@pytest.mark.parametrize("name", ["ist-practical-10", "tokens-as-columns", "plan"])
def test_markdown_has_a_table_for_each_box(name: str, needs: Needs) -> None:
    tables = [content for kind, content in nodes(markdown_tree(name, needs)) if kind == "Table"]
    shapes = [(len(table[4][0][3]), len(table[2]) - 1) for table in tables]
    assert [shape for known, parts in SHAPES if known == name for part in parts for shape in part] == shapes


def test_markdown_has_the_code_in_its_heading(needs: Needs) -> None:
    text = render_exams([paper(name="*Ana* | <b>"), paper(code="B3")], COVER, to="markdown").text
    plain = pandoc(text, "plain", needs)
    assert "Self-attention by hand, with one head and with two (K7Q2)" in plain
    assert "Self-attention by hand, with one head and with two (B3)" in plain
    assert "Name: *Ana* | <b>" in plain
    assert "Name: ____________" in plain


def test_solutions_stand_under_their_codes(tmp_path: Path, needs: Needs) -> None:
    papers = [paper("plan", "K7Q2", name="Ana & Co"), paper("ist-practical-10", "B3")]
    done = twice(render_solutions(papers, COVER).text, tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    made = pages(done.pdf, needs)
    assert re.match(r"K7Q2\s+page 1 of \d", made[0])
    assert "Solution: " in made[0]
    assert "Ana & Co" in made[0]
    heads = [re.match(r"(\w+)\s+page (\d+) of (\d+)", text) for text in made]
    assert {"K7Q2", "B3"} == {head[1] for head in heads if head}
    assert "0.4654" in "".join(text for text in made if text.startswith("B3"))


@pytest.mark.parametrize("to", ["latex", "markdown"])
@pytest.mark.parametrize("name", ["ist-practical-10", "tokens-as-columns", "lab-5-costs"])
def test_a_solution_among_many_reads_as_it_does_alone(name: str, to: str) -> None:
    alone = render(trace_of(name), to=to).text
    among = render_solutions([paper("plan"), paper(name), paper("plan")], settings=Settings(to=to)).text
    first, last = alone.index("Part (a)"), alone.rindex("\\end{document}") if to == "latex" else len(alone)
    assert alone[first:last].strip() in among


def test_solutions_follow_the_settings() -> None:
    papers = [paper("plan", "K7Q2")]
    full = render_solutions(papers, settings=Settings(to="latex")).text
    short = render_solutions(papers, settings=Settings(to="latex", detail="result")).text
    assert "Step 1." in full
    assert "Step 1." not in short
    assert "# Solution: " in render_solutions(papers, settings=Settings(to="markdown")).text
