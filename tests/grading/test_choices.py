"""Questions of choice of a whole class: gradebook, statistics, quizzes, the desk."""

from pathlib import Path

from grading.classes import problem, rows

from attnsolve.choice_options import options_of
from attnsolve.class_statistics import class_statistics, count_mistakes
from attnsolve.engine import solve
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.desk import Desk
from attnsolve.grading.people import People
from attnsolve.grading.piles import Described
from attnsolve.grading.response_tables import read_mappings
from attnsolve.grading.session import Session
from attnsolve.grading.sources import gather
from attnsolve.loader import loads
from attnsolve.rendering.class_report import render_class_report

FILE = """\
format: 1
title: Two keys
places: 3
given: {q: 1 2, K: 1 0; 0 1, V: 2 0; 0 4}
parts:
  - id: a
    ask: Which output?
    attend: {queries: q, keys: K, values: V, divide_by: none}
    choice: {of: Z, mistakes: [scaled-unasked, without-exp], order: 1}
    marks: 2
  - id: b
    ask: Which holds?
    choice: {right: weights sum to 1, wrong: [scores sum to 1, keys sum to 1], shuffle: false}
    marks: 1
"""
# By hand: s = (1, 2), weights are (e, e²)/(e + e²) and Z = (0.538, 2.924); shares of s give (2/3, 8/3).
TRACE = solve(loads(FILE, name="two-keys"))
LETTERS = {option.mistake: option.letter for option in options_of(TRACE, TRACE.problem.parts[0])}
RIGHT, SCALED, SHARES = (LETTERS[name] for name in ("", "scaled-unasked", "without-exp"))
PILE = (
    f"@ ada\na {RIGHT}\nb A\n"
    f"@ bob\na {SHARES}\n(b) b\n"
    f"@ cyd\na) {SHARES})\nb: C\n"
    f"@ dan\na {SCALED}\n"
    "@ eve\na Z\nb B, C\n"
)


def session(folder: Path, text: str = PILE, *, name: str = "pile.txt", columns: str = "") -> Session:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    described = Described(People(), read_mappings(columns)) if columns else None
    made = Session(Assignment(problem(folder, FILE)), gather([file], described=described), None)
    list(made.run())
    return made


def test_the_wrong_options_are_what_the_mistakes_give() -> None:
    values = {
        o.mistake: [c.text for c in o.value.decimals(3)[0]]
        for o in options_of(TRACE, TRACE.problem.parts[0])
        if o.value
    }
    assert {
        "": ["0.538", "2.924"],
        "scaled-unasked": ["0.660", "2.679"],
        "without-exp": ["0.667", "2.667"],
    } == values


def test_the_gradebook_has_a_column_for_what_is_ticked(tmp_path: Path) -> None:
    found = rows(session(tmp_path).write())
    assert ["2", "0", "0", "0", "0"] == [row["a"] for row in found]
    assert ["1", "0", "0", "0", "0"] == [row["b"] for row in found]
    assert {"3"} == {row["possible"] for row in found}
    assert ["", "a.choice mistake: without-exp"] == [row["first wrong"] for row in found[:2]]
    assert "a.choice not read: 'Z' was not read: it is none of the letters A, B, C" == found[4]["look at"]


def test_statistics_count_who_ticked_what(tmp_path: Path) -> None:
    reports = [one.report for one in session(tmp_path).marks if one.report]
    counted = {one.name: (one.people, one.steps) for one in count_mistakes(reports)}
    assert (2, (("a.choice", 2),)) == counted["without-exp"]
    assert (1, (("a.choice", 1),)) == counted["scaled-unasked"]
    assert (1, (("b.choice", 1),)) == counted["scores sum to 1"] == counted["keys sum to 1"]
    text = render_class_report(class_statistics("Two keys", reports)).text
    assert "| without-exp | 2 | 40 % | a.choice 2 |" in text


def test_a_quiz_has_a_column_for_each_question(tmp_path: Path) -> None:
    quiz = f"Email address,Response 1,Response 2\nada@x.org,{RIGHT},A\nbob@x.org,{SHARES.lower()},\n"
    made = session(tmp_path, quiz, name="quiz.csv", columns="student=Email address,a=Response 1,b=Response 2")
    found = rows(made.write())
    assert [("2", "1"), ("0", "0")] == [(row["a"], row["b"]) for row in found]


def test_the_desk_says_what_is_right(tmp_path: Path) -> None:
    with Desk(Assignment(problem(tmp_path, FILE))) as desk:
        said = list(desk.judge(["@ ada", f"a {SHARES}", "b A"]))
    assert f"  a.choice mistake: without-exp ({SHARES}; {RIGHT} is right)" in said
    assert "  b.choice right" in [line.partition(" (")[0] for line in said]
    assert "  ada: 1 of 3" == said[-1]
