"""Feedback slips: notes stand under their step, places are the sheet's, marks are written alike."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from rendering.programs import Needs, pdflatex

from attnsolve import batch
from attnsolve.marks import in_figures, in_words
from attnsolve.notes import Note, NoteKind
from attnsolve.problem import Problem
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.feedback_records import report_record
from attnsolve.rendering.places import place
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.trace import Trace
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

IST = "ist-practical-10"


@cache
def trace(name: str = IST) -> Trace:
    return batch.solved(batch.find(name))


def slip(*steps: StepReport, to: str = "text") -> str:
    """The slip of somebody with these steps."""
    return feedback(trace(), Report(IST, "anna", steps=steps), to=to).text


def test_notes_stand_under_their_step() -> None:
    step = StepReport(
        "a.S", "Scores", Verdict.RIGHT, Fraction(2), Fraction(2), notes=(Note(NoteKind.CUT_OFF),)
    )
    said = "The numbers are cut off instead of rounded."
    assert f"  a.S (Scores): right  [2 of 2]\n      {said}\n" in slip(step)
    assert re.search(rf":\*\* right \\?\[2 of 2\\?\]\n\n- {said}\n", slip(step, to="markdown"))
    listed = slip(step, to="latex").partition("\\begin{itemize}")[2].partition("\\end{itemize}")[0]
    assert f"\n\\item {said}\n" in listed


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ("0", "0"),
        ("2", "2"),
        ("1/2", "½"),
        ("3/2", "1½"),
        ("1/4", "¼"),
        ("4/3", "1⅓"),
        ("5/8", "⅝"),
        ("2/7", "0.29"),
    ],
)
def test_marks_are_written_in_one_way(marks: str, shown: str) -> None:
    assert shown == in_figures(Fraction(marks))


def test_one_mark_and_less_are_a_mark() -> None:
    assert ["1 mark", "⅔ mark", "1½ marks"] == [in_words(Fraction(one)) for one in ("1", "2/3", "3/2")]


def test_fractions_of_marks_are_printed(tmp_path: Path, needs: Needs) -> None:
    step = StepReport("a.S", "Scores", Verdict.FOLLOWS, Fraction(4, 3), Fraction(15, 8))
    made = pdflatex(slip(step, to="latex"), tmp_path, needs)
    assert (0, []) == (made.code, made.complaints())
    assert r"[1$\tfrac{1}{3}$ of 1$\tfrac{7}{8}$]" in slip(step, to="latex")


# The problem, the value, the number as we count and as the sheet does.
PLACES = [
    (IST, "a.S", (0, 2), "[3]"),
    (IST, "a.exp", (0, 2), "[3]"),
    (IST, "a.sum", (0, 0), "[1]"),
    (IST, "b.S", (1, 2), "[2, 3]"),
    (IST, "b.sum", (2, 0), "[3]"),
    ("tokens-as-columns", "a.Q", (1, 0), "[1, 2]"),
    ("causal-self-attention", "e.A", (0, 0), "[1]"),
]


@pytest.mark.parametrize(("name", "value", "cell", "shown"), PLACES)
def test_numbers_are_counted_as_the_sheet_counts(
    name: str, value: str, cell: tuple[int, int], shown: str
) -> None:
    assert shown == place(trace(name).problem, value, cell)


def test_where_only_some_tokens_ask_they_keep_their_numbers() -> None:
    from attnsolve.loader import loads

    problem: Problem = loads(
        "format: 1\ntitle: x\ngiven: {X: 1 2; 3 4; 5 6}\nparts:\n"
        "  - {id: a, ask: x, self_attention: {input: X, queries: [2, 3]}}\n"
    )
    assert "[3, 1]" == place(problem, "a.A", (1, 0))


def test_a_mark_by_hand_is_nobody_s_conclusion() -> None:
    step = StepReport(
        "b.Z",
        "Output",
        Verdict.NOT_WRITTEN,
        Fraction(1),
        Fraction(1),
        overridden=True,
        reason="explained orally",
    )
    said = slip(step)
    assert "b.Z (Output): not written  [1 of 1]\n      Marked by hand: explained orally.\n" in said
    assert "shows that it was done" not in said


def test_why_we_would_have_given_marks_is_not_told_where_a_person_gave_them() -> None:
    implied = Note(NoteKind.METHOD_SHOWN)
    step = StepReport("b.Z", "Output", Verdict.NOT_WRITTEN, Fraction(1), Fraction(2), notes=(implied,))
    assert "What comes after it shows the method" in slip(step)
    assert "comes after it" not in slip(replace(step, overridden=True, reason="oral"))


def test_a_mark_by_hand_without_a_reason_has_none() -> None:
    step = StepReport("b.Z", "Output", Verdict.WRONG, Fraction(1), Fraction(1), overridden=True)
    assert "      Marked by hand.\n" in slip(step)


def test_programs_get_the_place_as_the_sheet_counts_it() -> None:
    # Tokens are columns there: the 9 stands in row 2, column 1 of the sheet, and in row 1, column 2 inside.
    solved = trace("tokens-as-columns")
    record = report_record(solved, Verifier(solved).verify(read_submission("a.K 2 0 2; 9 -1 0")))
    assert {"a.K": "a.K[2, 1]"} == {step["name"]: step["place"] for step in record["steps"] if step["place"]}
