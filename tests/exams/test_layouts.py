"""How an exam is cut and printed: answers apart, one solution or many, one side or two, less ink."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from rendering.programs import CAREFUL, FLAGS, Needs, pdftotext
from rendering.samples import trace_of

from attnsolve.cli import cli
from attnsolve.cli.variants import SIDES, SOLUTIONS
from attnsolve.exams.folder import hash_of
from attnsolve.exams.lock import Entry, Seat
from attnsolve.exams.lockfile import read_lock
from attnsolve.exams.papers import sharing
from attnsolve.papers import Layout, Paper, Sides, Solutions
from attnsolve.rendering import Settings
from attnsolve.rendering.exams import render_solutions
from attnsolve.stored import Damaged

VARIED = """format: 1
title: One query
given: {K: 1 0; 0 1; 1 1, q: 1 2}
parts:
  - {ask: Find the weights., attend: {queries: q, keys: K}, marks: 4, plot: weights}
  - {ask: Why?, discuss: Because., marks: 2}
vary: {K: -3..3, q: -3..3}
"""
# There are only two papers, whoever gets them.
TWO_PAPERS = """format: 1
title: Two papers
given: {K: 1 0; 0 1; 1 1, q: 1 2, p: 3 -1}
parts:
  - {ask: Find the weights., attend: {queries: q, keys: K}, marks: 4}
vary: {fixed: [K, q, p], choose: {a.queries: [q, p]}}
"""


def drawn(folder: Path, *options: str, number: int = 3, text: str = VARIED) -> Path:
    """An exam of a sheet with one exercise."""
    (folder / "one.yaml").write_text(text, encoding="utf-8")
    (folder / "sheet.yaml").write_text("format: 1\ntitle: Exam\nexercises: [one.yaml]\n", encoding="utf-8")
    exam = folder / "exam"
    arguments = ["variants", str(folder / "sheet.yaml"), "-n", str(number), "-o", str(exam), *options]
    done = CliRunner().invoke(cli, arguments)
    assert 0 == done.exit_code, done.output
    return exam


def documents(exam: Path) -> set[str]:
    """The LaTeX documents of students and of their solutions, with * for a code."""
    found = {path.relative_to(exam).as_posix() for path in exam.rglob("*.tex")}
    return {re.sub(r"/\w{4}\.", "/*.", name) for name in found} - {"key.tex", "contacts.tex", "fairness.tex"}


def codes(exam: Path) -> list[str]:
    return [entry["code"] for entry in json.loads((exam / "lock.json").read_text("utf-8"))["variants"]]


def test_the_choices_of_the_command_line_are_those_of_the_layout() -> None:
    assert {*SOLUTIONS, "usual"} == {each.value for each in Solutions}
    assert {*SIDES, "usual"} == {each.value for each in Sides}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {"exams.tex", "solutions.tex"}),
        (["--each"], {"exams/*.tex", "solutions/*.tex"}),
        (["--solutions", "each"], {"exams.tex", "solutions/*.tex"}),
        (["--solutions", "none"], {"exams.tex"}),
        (["--each", "--solutions", "one"], {"exams/*.tex", "solutions.tex"}),
        (["--answer-sheets"], {"exams.tex", "answers.tex", "solutions.tex"}),
        (["--answer-sheets", "--each"], {"exams/*.tex", "answers/*.tex", "solutions/*.tex"}),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_documents_are_cut_as_asked(
    options: list[str], expected: set[str], jobs: str, tmp_path: Path
) -> None:
    assert expected == documents(drawn(tmp_path, *options, "-j", jobs))


def test_one_solution_each_where_numbers_differ(tmp_path: Path) -> None:
    exam = drawn(tmp_path, "--solutions", "one")
    text = (exam / "solutions.tex").read_text("utf-8")
    assert [f"\\startpaper{{{code}}}" for code in codes(exam)] == re.findall(r"\\startpaper\{\w{4}\}", text)


def test_papers_that_are_alike_share_their_solution(tmp_path: Path) -> None:
    exam = drawn(tmp_path, "--solutions", "one", number=12, text=TWO_PAPERS)
    body = (exam / "solutions.tex").read_text("utf-8").partition(r"\begin{document}")[2]
    lists = re.findall(r"The solution of all these papers: (.*)", body)
    told = [re.findall(r"\b\w{4}\b", line.replace(r"\allowbreak", "")) for line in lists]
    assert sorted(codes(exam)) == sorted(code for some in told for code in some)
    problems = [{(exam / "problems" / f"{code}.yaml").read_text("utf-8") for code in some} for some in told]
    assert [1, 1] == [len(texts) for texts in problems]
    assert 2 == body.count("\\startpaper{")


def entry(code: str, problem: str) -> Entry:
    return Entry(code, Seat(code), hash_of(problem))


@pytest.mark.parametrize(
    ("chosen", "problems", "expected"),
    [
        (Solutions.ONE, "xyx", {"A": ("A", "C"), "B": ("B",), "C": ()}),
        (Solutions.ONE, "xxx", {"A": ("A", "B", "C"), "B": (), "C": ()}),
        (Solutions.EACH, "xxx", {}),
        (Solutions.USUAL, "xxx", {}),
    ],
)
def test_who_shares_a_solution(
    chosen: Solutions, problems: str, expected: dict[str, tuple[str, ...]]
) -> None:
    entries = [entry(code, problem) for code, problem in zip("ABC", problems, strict=True)]
    assert expected == sharing(entries, Layout(solutions=chosen))


def test_one_solution_for_all_names_nobody() -> None:
    papers = [Paper("K7Q2", trace_of("plan"), "17", "Ada", solves=("K7Q2", "M3XA"), is_for_all=True)]
    text = render_solutions(papers, settings=Settings(to="markdown")).text
    assert not any(word in text for word in ("K7Q2", "M3XA", "17", "Ada"))
    assert text.startswith("# Solution: ")


def test_answer_sheets_have_the_room_and_papers_the_questions(tmp_path: Path) -> None:
    exam = drawn(tmp_path, "--answer-sheets")
    papers, answers = ((exam / f"{name}.tex").read_text("utf-8") for name in ("exams", "answers"))
    bodies = {name: text.partition(r"\begin{document}")[2] for name, text in (("p", papers), ("a", answers))}
    for command in (r"\answerbox{", r"\ruledline", "Working:", "Earned"):
        assert command not in bodies["p"]
        assert 3 <= bodies["a"].count(command)
    assert "Find the weights" in bodies["p"] and "Find the weights" not in bodies["a"]
    assert "answer sheet that has the same code" in bodies["p"]
    for code in codes(exam):
        assert all(f"\\startpaper{{{code}}}" in body for body in bodies.values())


def test_what_is_reprinted_is_laid_out_as_it_was(tmp_path: Path) -> None:
    exam = drawn(tmp_path, "--answer-sheets", "--sides", "2", "--save-ink")
    code = codes(exam)[0]
    assert 0 == CliRunner().invoke(cli, ["variants", "reprint", str(exam), code]).exit_code
    for name in ("exam", "answers", "solution"):
        text = (exam / "reprints" / f"{code}-{name}.tex").read_text("utf-8")
        assert r"\documentclass[10pt,a4paper,twoside]{article}" in text
    lock = (exam / "lock.json").read_text("utf-8")
    kept = Layout(sides=Sides.TWO, answers_apart=True, saves_ink=True)
    assert kept == read_lock(lock, exam / "lock.json").layout


@pytest.mark.parametrize("wrong", ['"sides": "3"', '"solutions": "all"', '"saves_ink": 2', '"paper": 1'])
def test_a_lock_with_another_layout_is_damaged(wrong: str, tmp_path: Path) -> None:
    text = (drawn(tmp_path, number=1) / "lock.json").read_text("utf-8")
    assert '"layout": {"each": false, "names": false, "detail": "products"}' in text  # and no more than that
    with pytest.raises(Damaged):
        read_lock(text.replace('"detail"', f'{wrong}, "detail"'), tmp_path)


def compiled_pages(exam: Path, name: str, needs: Needs) -> list[str]:
    """The words of each page, after as many runs as page numbers need."""
    for _ in range(2):
        command = [needs("pdflatex"), *FLAGS, f"{name}.tex"]
        subprocess.run(
            command, cwd=exam, env=os.environ | CAREFUL, capture_output=True, check=True
        )
    log = (exam / f"{name}.log").read_text("utf-8", errors="replace")
    assert [] == [x for x in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt too", log) if float(x) > 5]
    return pdftotext(exam / f"{name}.pdf", needs).split("\f")[:-1]


@pytest.mark.parametrize("ink", [[], ["--save-ink"]])
def test_printed_on_both_sides_each_paper_begins_on_a_sheet_of_its_own(
    ink: list[str], tmp_path: Path, needs: Needs
) -> None:
    exam = drawn(tmp_path, "--answer-sheets", "--sides", "2", *ink)
    for name in ("exams", "answers", "solutions"):
        pages = compiled_pages(exam, name, needs)
        numbers = [re.search(r"page (\d+) of (\d+)", page) for page in pages]
        firsts = [i for i, found in enumerate(numbers) if found and found[1] == "1"]
        assert 3 == len(firsts)
        assert {0} == {i % 2 for i in firsts}
        assert all(found and int(found[1]) <= int(found[2]) for found in numbers)


def test_on_one_side_no_page_is_left_blank(tmp_path: Path, needs: Needs) -> None:
    exam = drawn(tmp_path, "--sides", "1")
    assert not any("left blank" in page for page in compiled_pages(exam, "exams", needs))


def test_whoever_saves_ink_prints_no_colours_and_no_shades(tmp_path: Path) -> None:
    exam = drawn(tmp_path, "--save-ink")
    for file in exam.glob("*.tex"):
        text = file.read_text("utf-8")
        assert not re.search(r"\\cellcolor|\\rowcolor|\\color\[HTML\]", text)
        assert "Darker is more" not in text
