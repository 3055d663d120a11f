"""Letters that were ticked: whose they are, what they earn, and the mistake behind a wrong one."""

from fractions import Fraction

import pytest

from attnsolve.choice_options import options_of
from attnsolve.engine import solve, solve_set
from attnsolve.loader import loads
from attnsolve.loader.asked import loads_asked
from attnsolve.notes import NoteKind
from attnsolve.problem_set import ProblemSet
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import SetVerifier
from attnsolve.verifier.verification import Verifier

FILE = """
format: 1
title: Ticks
places: 3
given: {q: 1 2, K: 1 0; 0 1; 1 1, V: 1 2; 3 4; 0 1}
parts:
  - id: a
    ask: Which output?
    attend: {queries: q, keys: K, values: V}
    choice: {of: Z, mistakes: [unscaled, scaled-by-n]}
    marks: {choice: 2, scores: 1}
  - id: b
    ask: Which hold?
    choice: {right: [one, two], wrong: [{text: three, why: 'It is $3$, {not} 4.'}, four], shuffle: false}
    marks: 3
  - id: c
    ask: Why?
    choice: {right: one, wrong: [two, three], shuffle: false}
    explain: And why not?
    marks: {choice: 1, words: 2}
"""
TRACE = solve(loads(FILE))
VERIFIER = Verifier(TRACE)
LETTER = {option.mistake: option.letter for option in options_of(TRACE, TRACE.problem.parts[0])}
RIGHT, UNSCALED = LETTER[""], LETTER["unscaled"]


def verified(text: str) -> Report:
    return VERIFIER.verify(read_submission(text))


def tick(text: str, name: str = "a.choice") -> StepReport:
    return next(step for step in verified(text).steps if step.name == name)


# How a letter may be handed in, with {} for it.
WAYS = (
    "a {}",
    "a: {}",
    "a = {}",
    "a ({})",
    "a {})",
    "a **{}**",
    "a option {}",
    "(a) {}",
    "(a)\n{}",
    "a) {}",
    "a) {})",
    "a. {}",
    "Part a: {}",
    "Question a: {}",
    "# (a)\n{}",
    "a.choice {}",
    "(a) choice: {}",
    "A {}",
    "a {} // surely",
    "s 1 2 3 ; a {}",
    "c A ; a {}",
    "(a) S = 1 2 3\n(a) {}",
    '{{"a": "{}"}}',
    '{{"answers": {{"a": {{"choice": "{}"}}}}}}',
    "a: {}\nc: A\n",
    "student: x\nanswers: {{a: {}}}\n",
    "name,value\na,{}\n",
    "student,a,c\n17,{},A\n",
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("small", [False, True], ids=["capital", "small"])
def test_a_letter_is_read_in_many_ways(way: str, small: bool) -> None:
    for letter, verdict in ((RIGHT, Verdict.RIGHT), (UNSCALED, Verdict.MISTAKE)):
        report = tick(way.format(letter.lower() if small else letter))
        assert (verdict, letter, RIGHT) == (report.verdict, report.typed, report.expected), way


def test_the_right_letter_has_all_marks_and_a_wrong_one_names_its_mistake() -> None:
    right, wrong = tick(f"a {RIGHT}"), tick(f"a {UNSCALED}")
    assert (Fraction(2), Fraction(2), ()) == (right.earned, right.possible, right.mistakes)
    assert (Fraction(0), Fraction(2)) == (wrong.earned, wrong.possible)
    (named,) = wrong.mistakes
    assert ("unscaled", "a.choice", 2, 3) == (named.name, named.at, named.numbers, named.places)


@pytest.mark.parametrize(
    ("text", "verdict", "earned", "mistakes"),
    [
        ("b A, B", Verdict.RIGHT, 3, []),
        ("b BA", Verdict.RIGHT, 3, []),
        ("(b) A and B", Verdict.RIGHT, 3, []),
        ('{"b": ["A", "B"]}', Verdict.RIGHT, 3, []),
        ("b a b", Verdict.RIGHT, 3, []),
        ("b A", Verdict.WRONG, 0, []),
        ("b A, B, C", Verdict.WRONG, 0, []),
        ("b C", Verdict.WRONG, 0, ["three"]),
        ("b D", Verdict.WRONG, 0, ["four"]),
        ("b -", Verdict.NOT_WRITTEN, 0, []),
        ("b", Verdict.NOT_WRITTEN, 0, []),
        ("", Verdict.NOT_WRITTEN, 0, []),
    ],
)
def test_several_letters_are_right_together_only(
    text: str, verdict: Verdict, earned: int, mistakes: list[str]
) -> None:
    report = tick(text, "b.choice")
    assert (verdict, earned) == (report.verdict, report.earned)
    assert mistakes == [named.name for named in report.mistakes]


@pytest.mark.parametrize(
    "text", ["c D", "c ?", "c because", "(c) the first", "c 1", "c A b C", "c a b", "c A or B"]
)
def test_what_is_no_letter_of_the_question_is_for_a_person(text: str) -> None:
    report = tick(text, "c.choice")
    assert (Verdict.NOT_READ, 0) == (report.verdict, report.earned)
    (note,) = report.notes
    assert (NoteKind.NO_OPTION, "A, B, C") == (note.kind, note.meant)
    assert 4 == verified(text).exit_code


def test_two_ticks_in_a_question_with_one_right_answer_are_wrong() -> None:
    assert Verdict.WRONG is tick("c A, B", "c.choice").verdict


def test_the_last_of_two_letters_counts_and_that_is_told() -> None:
    report = tick("c B\nc A", "c.choice")
    assert (Verdict.RIGHT, [NoteKind.TWICE]) == (report.verdict, [note.kind for note in report.notes])
    assert () == tick("c A\nc a", "c.choice").notes


def test_numbers_of_the_working_are_judged_as_ever() -> None:
    report = verified(f"a.S 1 2 3\na.Z .992 1.992\na {UNSCALED}")
    verdicts = {step.name: (step.verdict, step.earned) for step in report.steps}
    assert (Verdict.RIGHT, 1) == verdicts["a.S"]
    assert (Verdict.RIGHT, 0) == verdicts["a.Z"], "the file gives marks to the scores and the tick only"
    assert (Verdict.MISTAKE, 0) == verdicts["a.choice"]


def test_a_mistake_in_the_working_does_not_pay_for_the_tick() -> None:
    report = verified(f"a.Z .824 1.824\na {UNSCALED}")
    assert 0 == next(step.earned for step in report.steps if step.name == "a.choice")


def test_a_part_may_ask_in_words_besides() -> None:
    report = verified('c A\nc.words Because.\nmark c.words 1 "half"')
    assert ["c.choice", "c.words"] == [step.name for step in report.steps if step.part == "c"]
    assert Fraction(2) == report.earned_in("c")
    assert "Because." == next(step.typed for step in report.steps if step.name == "c.words")


@pytest.mark.parametrize("mark", ["mark c.choice 1", "(c)\nmark choice 1", "c ok"])
def test_a_person_may_mark_a_tick(mark: str) -> None:
    report = tick(f"c B\n{mark}", "c.choice")
    assert (Fraction(1), True) == (report.earned, report.overridden)


def test_reports_stand_in_the_order_of_the_sheet() -> None:
    names = [step.name for step in verified("").steps if step.possible]
    assert ["a.S", "a.choice", "b.choice", "c.choice", "c.words"] == names
    assert Fraction(9) == verified("").possible


def test_a_file_without_marks_gives_one_for_a_tick() -> None:
    trace = solve(
        loads(
            FILE.replace("    marks: {choice: 2, scores: 1}\n", "")
            .replace("    marks: 3\n", "")
            .replace("    marks: {choice: 1, words: 2}\n", "")
        )
    )
    report = Verifier(trace).verify(read_submission("c A"))
    assert (Fraction(1), Fraction(3)) == (report.earned, report.possible)


SHEET = """
format: 1
title: A sheet
exercises:
  - problem:
      {format: 1, title: One, parts: [{ask: w, choice: {right: r, wrong: [s, t], shuffle: false}, marks: 1}]}
  - problem:
      format: 1
      title: Two
      parts:
        - {ask: w, choice: {right: r, wrong: [s, t], shuffle: false}, marks: 1}
        - {ask: w, choice: {right: r, wrong: [s, t], shuffle: false}, marks: 1}
"""


@pytest.mark.parametrize(
    "way", ["2b {}", "2b: {}", "2b) {}", "2 (b) {}", "Exercise 2\n(b) {}", "2b.choice {}", "(2b) {}"]
)
def test_an_exercise_of_a_sheet_is_named_with_its_number(way: str) -> None:
    asked = loads_asked(SHEET, name="sheet")
    assert isinstance(asked, ProblemSet)
    verifier = SetVerifier(solve_set(asked))
    for letter, verdict in (("A", Verdict.RIGHT), ("c", Verdict.WRONG)):
        report = verifier.verify(read_submission(way.format(letter)))
        found = {step.name: step.verdict for step in report.steps}
        assert {
            "1.choice": Verdict.NOT_WRITTEN,
            "2a.choice": Verdict.NOT_WRITTEN,
            "2b.choice": verdict,
        } == found
        assert () == report.unread
