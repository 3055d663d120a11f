"""Answer sheets: the room of every part, apart from the questions, in every format."""

from pathlib import Path

import pytest
from rendering.programs import Needs, lualatex
from rendering.samples import problem, trace_of

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Cover, Layout, Paper
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, PRINTED
from attnsolve.rendering.exams import render_answer_sheets, render_exams

APART = Layout(answers_apart=True)
SOURCE = problem(
    """
given: {q: 1 2, K: 1 0; 0 1; 1 1}
parts:
  - {ask: Fill this in., attend: {queries: q, keys: K}, marks: 4, space: worksheet}
  - {ask: Find this., attend: {queries: q, keys: K}, find: Z, marks: 4}
  - {ask: And why?, discuss: Because., marks: 2}
"""
)


@pytest.mark.parametrize("to", PRINTED)
def test_questions_and_answers_are_apart_in_every_format(to: str) -> None:
    papers = [Paper("K7Q2", solve(loads(SOURCE)), "17", "Ada")]
    asked = render_exams(papers, Cover(), to=to, layout=APART).text
    answered = render_answer_sheets(papers, Cover(), to=to, layout=APART).text
    for words in ("Fill this in.", "Find this.", "And why?", "Write your answers on the answer sheet"):
        shown = DIALECTS_BY_NAME[to].escape(words)  # Typst escapes full stops too
        assert shown in asked and shown not in answered
    for words in ("Answer sheet: ", "a.A", "b.Z"):  # what is typed where: the worksheet, the grid
        assert words in answered and words not in asked
    for words in ("K7Q2", "Ada", "17"):
        assert words in asked and words in answered


def test_a_title_page_that_is_not_apart_says_nothing_of_it() -> None:
    assert "answer sheet" not in render_exams([Paper("K7Q2", trace_of("plan"))], Cover()).text


def test_answer_sheets_fit_the_page(tmp_path: Path, needs: Needs) -> None:
    papers = [Paper("K7Q2", solve(loads(SOURCE)), "17", "Ada"), Paper("M3XA", solve(loads(SOURCE)))]
    made = lualatex(render_answer_sheets(papers, Cover(lang="fr"), layout=APART).text, tmp_path, needs)
    assert (0, []) == (made.code, made.complaints())
    assert max(made.overfull(), default=0) < 5
