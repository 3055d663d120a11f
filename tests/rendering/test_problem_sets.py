"""Several problems as one document: numbered, with one beginning and one end, nothing called twice."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rendering.programs import Needs, pdflatex

from attnsolve.engine import solve_set
from attnsolve.loader import load
from attnsolve.problem_set import Pool, ProblemSet, SolvedSet, numbered
from attnsolve.rendering import Settings, render
from attnsolve.rendering.settings import SHEETS

ROOT = Path(__file__).parents[2]
NAMES = ("ist-practical-10", "causal-self-attention", "ist-practical-10", "eecs182-discussion-8")


@pytest.fixture(scope="module")
def solved() -> SolvedSet:
    problems = [load(ROOT / "problems" / f"{name}.yaml") for name in NAMES]
    exercises = numbered(problems, name="sheet")
    return solve_set(
        ProblemSet(
            "sheet", "Sheet 3", exercises, "Deep & Learning", "winter", "1 May", "Use $e^x$.\n\nHurry."
        )
    )


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ .*$", text, re.M)


def test_exercises_and_parts_are_numbered(solved: SolvedSet) -> None:
    text = render(solved, sheet="exercise").text
    assert [
        "# Sheet 3",
        "## Exercise 1: Self-attention by hand, with one head and with two [19\u00a0marks]",
        "### 1 (a): One query looks at four vectors [5\u00a0marks]",
        "### 1 (b): Every token asks [8\u00a0marks]",
        "### 1 (c): A second head [6\u00a0marks]",
        "## Exercise 2: Masks [21\u00a0marks]",
    ] == headings(text)[:6]
    assert "### 4 (d): Why several heads [2\u00a0marks]" == headings(text)[-1]


def test_what_all_exercises_share_is_said_once(solved: SolvedSet) -> None:
    assert 1 == render(solved, sheet="exercise").text.count("Give every number exactly, or rounded to 4")
    assert 1 == render(solved, sheet="markscheme").text.count("Numbers are asked for to 4 places")


def test_course_term_date_and_instructions_stand_above_all(solved: SolvedSet) -> None:
    text = render(solved, sheet="exercise", to="latex").text
    before = text.partition("Exercise 1")[0]
    assert "Deep \\& Learning, winter, 1 May" in before
    assert before.index("Use $e^x$.") < before.index("Hurry.")


def test_instructions_are_for_those_who_answer(solved: SolvedSet) -> None:
    assert "Hurry." not in render(solved).text
    assert "Hurry." not in render(solved, sheet="markscheme").text


def test_the_mark_scheme_has_one_table_of_points(solved: SolvedSet) -> None:
    """19 for the practical, twice, 21 for the masks and 14 for the discussion: 73."""
    text = render(solved, sheet="markscheme").text
    assert "| 1 | (a) | 5 |\n|  | (b) | 8 |\n|  | (c) | 6 |\n| 2 | (a) |" in text
    assert "| together |  | 73 |" in text
    assert "(1b.A)" in text and "(3b.A)" in text and "(b.A)" not in text


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_pool_is_announced_at_its_first_exercise(solved: SolvedSet, sheet: str) -> None:
    pooled = replace(solved, problem=replace(solved.problem, pools=(Pool(1, (2, 3)),)))
    for to in ("markdown", "latex"):
        text = render(pooled, sheet=sheet, to=to).text
        said = "Exercises 2 to 3 are a pool: every paper of the exam has 1 of these 2."
        assert 1 == text.count(said)
        assert text.index("Exercise 2:") < text.index(said) < text.index("Exercise 3:")


def test_points_count_what_somebody_can_get(solved: SolvedSet) -> None:
    """19 for the practical, 14 for the discussion and 2 of what exercises 2 and 3 are worth, here 19 each."""
    first, _, third, fourth = solved.problem.exercises
    asked = replace(
        solved.problem,
        exercises=(first, replace(first, number=2), third, fourth),
        pools=(Pool(1, (2, 3)),),
    )
    traces = (solved.traces[0], solved.traces[0], *solved.traces[2:])
    text = render(SolvedSet(asked, traces), sheet="markscheme").text
    assert "| 3 | (a) | 5 |\n|  | (b) | 8 |\n|  | (c) | 6 |\n| 1 of 2 to 3 |  | 19 |\n| 4 |" in text
    assert "| together |  | 52 |" in text


def test_programs_are_told_of_pools(solved: SolvedSet) -> None:
    pooled = replace(solved.problem, pools=(Pool(1, (2, 3)),), is_shuffled=True)
    record = json.loads(render(replace(solved, problem=pooled), to="json").text)
    assert ([{"choose": 1, "of": [2, 3]}], "shuffled") == (record["pools"], record["order"])


@pytest.mark.parametrize("sheet", SHEETS)
def test_there_is_one_document(solved: SolvedSet, sheet: str) -> None:
    text = render(solved, sheet=sheet, to="latex").text
    for once in (r"\documentclass", r"\begin{document}", r"\end{document}", r"\newcommand{\fit}"):
        assert 1 == text.count(once)
    assert 4 == len(re.findall(r"\\section\*\{Exercise \d", text))


def test_figures_are_called_apart(solved: SolvedSet) -> None:
    document = render(solved, settings=Settings(maps=True))
    names = [name for name, _ in document.figures]
    assert {"sheet-1-b-A.svg", "sheet-3-b-A.svg", "sheet-2-d-case1-A.svg"} <= set(names)
    assert len(names) == len(set(names))
    assert set(names) == set(re.findall(r"\]\((.*?\.svg)\)", document.text))


def test_programs_get_every_exercise(solved: SolvedSet) -> None:
    record = json.loads(render(solved, to="json").text)
    assert ["sheet", "Sheet 3", "winter"] == [record[key] for key in ("set", "title", "term")]
    assert [1, 2, 3, 4] == [one["number"] for one in record["exercises"]]
    first, third = (record["exercises"][place]["steps"] for place in (0, 2))
    names = [step["name"] for step in first]
    assert ([f"1{name}" for name in names], [f"3{name}" for name in names]) == (
        [step.pop("id") for step in first],
        [step.pop("id") for step in third],
    )
    assert first == third


@pytest.mark.parametrize("sheet", SHEETS)
def test_pdflatex_prints_all_of_it(solved: SolvedSet, sheet: str, tmp_path: Path, needs: Needs) -> None:
    made = pdflatex(render(solved, sheet=sheet, to="latex").text, tmp_path, needs)
    assert (0, [], []) == (made.code, made.complaints(), made.overfull())
