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


@pytest.mark.parametrize(
    ("below", "said"),
    [
        ("The first one is larger.", "The first one is larger."),
        ("Because it points the same way.\nThat is all.", "Because it points the same way. That is all."),
        ("Scores grow with the length of a vector.", "Scores grow with the length of a vector."),
        ("Because 2 is more than 0", "Because 2 is more than 0"),
        ("words: so it is", "so it is"),
    ],
)
def test_words_below_the_heading_of_a_part_are_its_written_answer(below: str, said: str) -> None:
    for typed in (f"(a)\nS 2 0\n{below}", f"(a)\n{below}\nS 2 0", f"Part a: S 2 0\n{below}\n(b)\nso"):
        report = Verifier(solve(loads(GOOD))).verify(read_submission(typed, form="compact"))
        marked = {step.name: step for step in report.steps}
        assert (Verdict.RIGHT, said) == (marked["a.S"].verdict, marked["a.words"].typed)
        assert () == report.unread


def test_what_may_be_numbers_is_no_answer_in_words() -> None:
    verifier = Verifier(solve(loads(GOOD)))
    report = verifier.verify(read_submission("(a)\nT 2 0\nS 2 0)x", form="compact"))
    marked = {step.name: step for step in report.steps}
    assert "" == marked["a.words"].typed
    assert Verdict.RIGHT_AS_READ is marked["a.S"].verdict
    assert ["line 2: T: there is no step of this name"] == [
        str(said).partition(";")[0] for said in report.unread
    ]


def test_a_mark_for_the_words_below_their_heading() -> None:
    typed = "(a)\nS 2 0\nwords ok\n(b)\nmark b 1"
    report = Verifier(solve(loads(GOOD))).verify(read_submission(typed, form="compact"))
    assert Fraction(2 + 3 + 1) == report.earned
    report = Verifier(solve(loads(GOOD))).verify(read_submission("(a)\nmark words 2", form="compact"))
    assert (Fraction(2), ()) == (report.earned, report.unread)


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
