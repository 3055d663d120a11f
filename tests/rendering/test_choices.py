"""Questions of choice on paper: boxes to tick on sheets, and what is behind each option in solutions."""

import re
from pathlib import Path

import pytest
from rendering.programs import Needs, pdflatex, pdftotext

from attnsolve.choice_options import options_of
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import render
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.feedback_records import hints_record, report_record
from attnsolve.verifier.reading import read_submission
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
    marks: 2
  - id: b
    ask: Why?
    choice:
      right: The variance grows with $d_k$.
      wrong: [{text: It is *faster*., why: 'Nothing is saved by $\\sqrt{d_k}$.'}, The keys are shorter.]
    discuss: See the lecture.
    marks: 1
"""
TRACE = solve(loads(FILE, name="ticks"))
# By numpy: softmax((1, 2, 3)/√2) V, then with the root of 1 and of 3.
VALUES = {"": r"(0.992,\ 1.992)", "unscaled": r"(0.824,\ 1.824)", "scaled-by-n": r"(1.065,\ 2.065)"}
ADVICE = {
    "unscaled": "unscaled: Do not forget to scale the scores.",
    "scaled-by-n": "scaled-by-n: The size under the root is the width of a key, not the number of keys.",
    "": "Right.",
}


def shown(**choices: object) -> str:
    return render(TRACE, **choices).text  # type: ignore[arg-type]


def test_a_sheet_has_boxes_to_tick_and_gives_nothing_away() -> None:
    text = shown(sheet="exercise", flavour="pandoc")
    assert "Tick the right value of $z$; numbers are rounded to 3 places." in text
    for option in options_of(TRACE, TRACE.problem.parts[0]):
        assert f"- $\\square$ **{option.letter}** ${VALUES[option.mistake]}$\n" in text
    assert "Tick the right answer." in text
    for option in options_of(TRACE, TRACE.problem.parts[1]):
        assert f"- $\\square$ **{option.letter}** {option.text}\n" in text
    assert not any(word in text for word in ("boxtimes", "unscaled", "Nothing is saved", "Right.", "See the"))
    assert "Give every number" not in text, "no number has to be written"


@pytest.mark.parametrize("sheet", ["solution", "markscheme"])
def test_a_solution_ticks_what_is_right_and_says_what_is_behind_the_others(sheet: str) -> None:
    text = shown(sheet=sheet)
    for option in options_of(TRACE, TRACE.problem.parts[0]):
        box = "boxtimes" if option.is_right else "square"
        said = f"- $\\{box}$ **{option.letter}** ${VALUES[option.mistake]}$ — {ADVICE[option.mistake]}\n"
        assert said in text
    assert "It is *faster*. — Nothing is saved by $\\sqrt{d_k}$." in text
    assert re.search(r"\$\\boxtimes\$ \*\*[ABC]\*\* The variance grows with \$d_k\$\. — Right\.", text)
    assert "The keys are shorter.\n" in text, "nothing is said where nobody has said why"
    assert "See the lecture." in text


def test_the_working_follows_the_options() -> None:
    text = shown(sheet="solution")
    assert text.index("boxtimes") < text.index("Step 1.") < text.index("Part (b)")
    assert "Easy to get wrong" not in text, "the options have said it"


def test_other_places_of_a_reader_do_not_change_what_is_ticked() -> None:
    assert VALUES["unscaled"] in shown(sheet="exercise", places=1)


def test_a_mark_scheme_gives_all_marks_to_the_tick() -> None:
    text = shown(sheet="markscheme")
    assert "| Choice (a.choice) | 0 | 2 |" in text
    assert "| Choice (b.choice) | 0 | 1 |" in text
    assert "together" not in text


def test_a_value_too_wide_for_a_line_has_its_pieces_named() -> None:
    rows = "; ".join(" ".join(str((7 * i + 3 * j) % 5) for j in range(30)) for i in range(2))
    part = "{ask: w, self_attention: {input: X}, choice: Z}"
    file = f"format: 1\ntitle: T\ngiven: {{X: {rows}}}\nparts: [{part}]\n"
    text = render(solve(loads(file)), sheet="exercise").text
    assert r"\approx" in text
    assert text.count(r"\square") > 1


@pytest.mark.parametrize("lang", ["de", "pt", "fr"])
def test_other_languages_have_words_of_their_own(lang: str) -> None:
    assert "Tick the" not in shown(sheet="exercise", lang=lang)
    assert "Right." not in shown(sheet="solution", lang=lang)


@pytest.mark.parametrize("sheet", ["exercise", "solution", "markscheme"])
def test_latex_prints_every_option(sheet: str, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(shown(sheet=sheet, to="latex"), tmp_path, needs)
    assert (0, []) == (done.code, done.complaints())
    text = pdftotext(done.pdf, needs)
    assert all(text.count(number) for number in ("0.824", "1.065", "0.992"))
    assert text.count("shorter") == 1


def slip(answers: str, **choices: object) -> str:
    report = Verifier(TRACE).verify(read_submission(answers))
    return feedback(TRACE, report, **choices).text  # type: ignore[arg-type]


RIGHT, UNSCALED = (
    next(option.letter for option in options_of(TRACE, TRACE.problem.parts[0]) if option.mistake == mistake)
    for mistake in ("", "unscaled")
)
FASTER = next(o.letter for o in options_of(TRACE, TRACE.problem.parts[1]) if "faster" in o.text)


def test_a_slip_names_the_mistake_behind_a_wrong_letter() -> None:
    text = slip(f"a {UNSCALED}\nb {FASTER}")
    assert f"  a.choice: a known mistake  [0 of 2]\n      Ticked: {UNSCALED}; right: {RIGHT}.\n" in text
    assert "      This is the mistake “unscaled”: Do not forget to scale the scores.\n" in text
    assert "  b.choice: wrong  [0 of 1]\n" in text
    assert "      Nothing is saved by \\sqrt{d_k}.\n" in text
    assert "marks: 0 of 3" in text


def test_a_slip_says_what_is_missing_and_what_was_not_read() -> None:
    text = slip("b Z")
    assert "  a.choice: not written  [0 of 2]\n" in text
    assert "  b.choice: not read  [0 of 1]\n" in text
    assert "      'Z' was not read: it is none of the letters A, B, C.\n" in text


@pytest.mark.parametrize("to", ["markdown", "latex"])
def test_a_slip_on_paper_calls_the_part_by_its_name(to: str) -> None:
    text = slip(f"a {UNSCALED}", to=to)
    assert "Part (a), choice:" in text
    assert "a.choice" not in text


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_no_hint_gives_the_letter_away(level: int) -> None:
    text = slip(f"a {UNSCALED}\nb {FASTER}", hints=level)
    assert "a.choice: look at this again" in text
    assert "b.choice" not in text, "one thing at a time"
    assert ("Do not forget to scale the scores." in text) is (level > 2)
    assert not re.search(rf"\b{RIGHT}\b", text.replace("a.choice", ""))
    record = str(hints_record(TRACE, Verifier(TRACE).verify(read_submission(f"a {UNSCALED}")), level))
    assert not re.search(rf"'{RIGHT}'|\b{RIGHT};", record)


def test_a_program_is_told_letter_and_mistake() -> None:
    report = Verifier(TRACE).verify(read_submission(f"a {UNSCALED}"))
    step = next(one for one in report_record(TRACE, report)["steps"] if one["name"] == "a.choice")
    assert (UNSCALED, RIGHT, "mistake") == (step["typed"], step["expected"], step["verdict"])
    assert ["unscaled"] == [one["name"] for one in step["mistakes"]]
