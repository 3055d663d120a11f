"""A part that computes and asks in words: its steps are judged, its words are marked by a person."""

from fractions import Fraction

import pytest

from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.loader import loads
from attnsolve.papers import Paper
from attnsolve.rendering import render
from attnsolve.rendering.exams import render_exams
from attnsolve.report import Verdict
from attnsolve.scheme import total_of
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

FILE = """format: 1
title: Words beside numbers
given: {{q: 1 0, K: 2 0; 0 1}}
parts:
  - id: a
    ask: Find the scores of $q$.
    attend: {{queries: q, keys: K, divide_by: none}}
    find: S
    marks: {marks}
    explain: Which of them is larger, and *why*?
    {discuss}
    lines: 7
  - {{id: b, ask: Why?, discuss: Because., marks: 2}}
"""
DISCUSS = "discuss: The first one lies in the direction of $q$."
GOOD = FILE.format(marks="{scores: 2, words: 3}", discuss=DISCUSS)


def test_the_words_have_marks_of_their_own() -> None:
    problem = loads(GOOD)
    assert ["a.words", "b"] == [part.question for part in problem.parts]
    assert [5, 2] == [total_of(problem, part) for part in problem.parts]


@pytest.mark.parametrize(
    ("answers", "earned", "waiting"),
    [
        ("a.S: 2 0", 2, ["a.words", "b"]),
        ("a.S: 2 0\na.words: it points the same way", 2, ["a.words", "b"]),
        ("a.S: 2 0\na.words: so\nmark a.words 2 'good'\nb: so\nmark b 1 'well'", 5, []),
        ("a.S: 9 9\na.words ok", 3, ["b"]),
        ("mark a.words 9 'more than there is'", 3, ["b"]),
    ],
)
def test_a_person_marks_the_words(answers: str, earned: int, waiting: list[str]) -> None:
    report = Verifier(solve(loads(GOOD))).verify(read_submission(answers, form="compact"))
    marked = {step.name: step for step in report.steps}
    assert Verdict.NOT_JUDGED is marked["a.words"].verdict
    assert Fraction(3) == marked["a.words"].possible
    assert ["a.S", "a.words", "b"] == list(marked)[-3:]
    assert earned == sum(step.earned for step in report.steps)
    assert waiting == [step.name for step in report.steps if step.waits]


def test_every_sheet_has_them() -> None:
    trace = solve(loads(GOOD))
    exercise, solution, scheme = (
        render(trace, sheet=sheet).text for sheet in ("exercise", "solution", "markscheme")
    )
    assert "> Which of them is larger, and *why*?" in exercise
    assert "(about 7 lines)" in exercise
    assert "[5\u00a0marks]" in exercise
    assert "direction" not in exercise
    assert "The first one lies in the direction of $q$." in solution
    assert "| Question (a.words) | 0 | 3 |" in scheme
    assert "| together | 1 | 4 |" in scheme
    paper = render_exams([Paper("AB12", trace, "1", "Ann", 10)]).text
    assert r"\emph{why}" in paper
    assert 7 + 6 == paper.count("\n\\ruledline")


@pytest.mark.parametrize(
    ("marks", "discuss", "message"),
    [
        (
            "{scores: 2, words: 3}",
            "note: x",
            "9:24: parts.a.marks: marks for words, but nothing is asked in words here",
        ),
        ("{scores: 2, word: 3}", DISCUSS, "did you mean 'words'"),
    ],
)
def test_faults_have_their_place(marks: str, discuss: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        loads(FILE.format(marks=marks, discuss=discuss))
    assert message in str(caught.value)
