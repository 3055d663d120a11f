"""The key: every value that is asked for, for each paper, and what it says once."""

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from rendering.programs import Needs, compiled_together, faults_of, pdflatex, pdftotext
from rendering.samples import BUNDLED, problem, trace_of
from rendering.test_views import oddities

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Cover, Paper
from attnsolve.rendering.boxes import asked
from attnsolve.rendering.exams import render_key, render_solutions
from attnsolve.rendering.keys import Key
from attnsolve.rendering.names import is_selection
from attnsolve.rendering.pages import notation_for
from attnsolve.rendering.settings import Settings

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))
VARIANT = """
numbers: decimals
given:
  q: {q}
  K: 1 0; 0 2; 1 1
  V: 1 0; 0 1; 1 1
parts:
  - ask: Find the output.
    attend: {{queries: q, keys: K, values: V, divide_by: none}}
"""
NASTY = r"Ana & <b> | _x_ $%#{}~^\ " + "y" * 300


def rows_of(text: str) -> list[list[str]]:
    """The cells of the table in a Markdown key, below its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def golden(case: str, *names: str) -> list[list[list[Decimal]]]:
    """The golden values of a question, rounded to four places as on paper."""
    steps = GOLDEN[case]["steps"]
    return [[[to_four_places(x) for x in row] for row in steps[name]] for name in names]


def to_four_places(text: str) -> Decimal:
    """A number as one writes it on paper."""
    above, _, below = text.partition("/")
    return (Decimal(above) / Decimal(below or 1)).quantize(Decimal("0.0001"), ROUND_HALF_UP)


def test_the_key_has_the_golden_numbers_of_all_that_is_asked() -> None:
    (row,) = rows_of(render_key([Paper("K7Q2", trace_of("ist-practical-10"))], to="markdown").text)
    plain = [
        re.sub(r"\$([\d.]+) \\cdot 10\^\{(-\d+)\}\$", r"\1e\2", cell.replace("−", "-")) for cell in row[1:]
    ]
    read = [[[to_four_places(x) for x in line.split()] for line in cell.split(";")] for cell in plain]
    assert [
        *golden("s000_q1_1", "weights", "output"),
        *golden("s000_q1_2", "Q", "K", "V", "weights", "output"),
        *golden("s000_q1_3", "output"),
    ] == read


@pytest.mark.parametrize("name", BUNDLED)
def test_the_printed_key_has_an_equation_for_each_asked_value(name: str) -> None:
    trace = trace_of(name)
    (row,) = Key([Paper("A", trace)]).view().rows
    parts = [part for part in trace.problem.parts if part.find]
    for part, shown in zip(parts, row.parts, strict=True):
        lefts = [re.split(r" (?:=|\\approx) ", value.equations[0])[0] for value in shown.values]
        notation = notation_for(trace.problem, part, Settings())
        assert [asked(target, notation)[0] for target in part.find] == lefts
    printed = render_key([Paper("A", trace)]).text
    assert sum(len(part.find) for part in parts) == printed.count(r"\keyvalue{")


@pytest.mark.parametrize("name", BUNDLED)
def test_the_key_says_what_each_step_is_called_where_it_is_typed(name: str) -> None:
    trace = trace_of(name)
    said = "".join(piece for _, piece in Key([Paper("A", trace)]).view().names)
    steps = [step.call.out for step in trace.steps if not is_selection(step.call)]
    assert steps == re.findall(r" is ([\w.]+)(?=[,;]|$)", said)


def test_scaled_scores_are_typed_as_t() -> None:
    text = render_key([Paper("A", trace_of("ist-practical-10"))], to="markdown").text
    assert r"$\tilde{s}$ is a.T, $\alpha$ is a.A, $z$ is a.Z; $Q$ is b.Q" in text
    assert r"| $\alpha$ a.A | $z$ a.Z | $Q$ b.Q |" in text


def test_values_lie_as_the_course_writes_them() -> None:
    """Tokens as columns: the output of three tokens with two numbers has two rows."""
    (row,) = rows_of(render_key([Paper("A", trace_of("tokens-as-columns"))], to="markdown").text)
    shapes = [(len(cell.split(";")), len(cell.split(";")[0].split())) for cell in row[1:]]
    assert [(2, 3), (2, 3), (2, 3), (3, 3), (2, 3), (3, 1), (2, 1)] == shapes
    (shown,) = Key([Paper("A", trace_of("tokens-as-columns"))]).view().rows
    output = shown.parts[0].values[-1].equations[0]
    assert [2, 3] == [output.count(r" \\ ") + 1, output.partition(r" \\ ")[0].count("&") + 1]


WORDED = """
given: {q: 1 2, K: 1 0; 0 1}
parts:
  - ask: Find the weights.
    attend: {queries: q, keys: K}
    explain: Which key is chosen, and why?
    discuss: |
      The *second* one, as $2 > 1$.

      - It lies nearer.
    marks: {weights: 2, words: 1}
  - {ask: Why?, discuss: %s, marks: 1}
"""


@pytest.mark.parametrize("to", ["latex", "markdown"])
def test_answers_in_words_stand_in_the_key_and_in_the_solution(to: str) -> None:
    papers = [Paper(code, solve(loads(problem(WORDED % "Because.")))) for code in ("K7Q2", "M3XA")]
    text = render_key(papers, to=to).text
    assert 1 == text.count("Answers in words") == text.count("It lies nearer") == text.count("Because.")
    assert (r"\textbf{(b)} Because." if to == "latex" else "**(b)** Because.") in text
    solution = render_solutions(papers[:1], settings=Settings(to=to)).text
    assert "It lies nearer" in solution and "Because." in solution


def test_answers_in_words_that_differ_say_whose_they_are() -> None:
    papers = [
        Paper(code, solve(loads(problem(WORDED % why))))
        for code, why in (("K7Q2", "Because."), ("M3XA", "Therefore."), ("A2C4", "Because."))
    ]
    text = render_key(papers, to="markdown").text
    assert "**(b) (A2C4, K7Q2)** Because." in text
    assert "**(b) (M3XA)** Therefore." in text
    assert "**(a)** The *second* one" in text


def test_a_key_without_answers_in_words_says_nothing_of_them() -> None:
    assert "Answers in words" not in render_key([Paper("K7Q2", trace_of("plan"))]).text


def test_codes_are_sorted_and_students_beside_them() -> None:
    trace = trace_of("plan")
    papers = [Paper(code, trace, student=f"s{code}", name="Ana | B") for code in ("C", "A", "B")]
    rows = rows_of(render_key(papers, to="markdown").text.replace(r"\|", "/"))
    assert [["A", "sA Ana / B"], ["B", "sB Ana / B"], ["C", "sC Ana / B"]] == [row[:2] for row in rows]
    assert ["A", "B"] == [row[0] for row in rows_of(render_key(papers[1:], to="markdown").text)]


def test_the_key_says_once_how_numbers_are_rounded() -> None:
    told = {
        name: render_key([Paper("A", trace_of(name))], to="markdown").text for name in ("plan", "rounded")
    }
    assert "rounded to 4 places; those with fewer are exact" in told["plan"]
    assert "carried with 2 places" in told["rounded"]
    assert not re.search("[≈=]", told["plan"])
    tiny = solve(loads(problem(VARIANT.format(q="1 40") + "    find: A")))  # e^-79 is no 0.0000
    text = render_key([Paper("T", tiny)], to="markdown").text
    assert "to three digits" in text
    assert r"\cdot 10^{-35}" in text


def test_no_number_of_a_huge_value_is_left_out() -> None:
    (row,) = rows_of(render_key([Paper("A", trace_of("long"))], to="markdown").text)
    rows, columns = trace_of("long").step(trace_of("long").problem.parts[0].find[0].name).value.shape
    assert [columns] * rows == [len(numbers.split()) for numbers in row[1].split(";")]
    assert "…" not in row[1]


def test_every_bundled_problem_has_a_key_that_compiles(tmp_path: Path, needs: Needs) -> None:
    sheets = {}
    for name in BUNDLED:
        papers = [Paper(f"K{i}", trace_of(name), str(i), NASTY) for i in range(3)]
        view = Key(papers).view()
        assert [] == list(oddities(view._replace(rows=tuple(view.rows)), name))
        sheets[name] = render_key(papers, Cover(page="letter")).text
    assert {} == faults_of(compiled_together(sheets, tmp_path, needs))


def test_every_page_of_the_key_says_whose_answers_it_has(tmp_path: Path, needs: Needs) -> None:
    """Two hundred students with 67 numbers each: seven on a page, and none is torn apart."""
    papers = [Paper(f"K{i:03}", trace_of("ist-practical-10"), f"ist{i}") for i in range(200)]
    done = pdflatex(render_key(papers).text, tmp_path, needs)
    made = pdftotext(done.pdf, needs).split("\f")[:-1]
    assert len(made) <= 30
    assert all("code" in page for page in made), "the header is on each page"
    codes = [code for page in made for code in dict.fromkeys(re.findall(r"K\d{3}", page))]
    assert [f"K{i:03}" for i in range(200)] == codes


def test_a_long_answer_goes_on_over_the_page_under_its_code(tmp_path: Path, needs: Needs) -> None:
    papers = [Paper(f"K{i:03}", trace_of("ways-to-compare")) for i in range(4)]
    done = pdflatex(render_key(papers).text, tmp_path, needs)
    lines = pdftotext(done.pdf, needs)
    assert [f"K{i:03} ({part})" for i in range(4) for part in "abcdefgh"] == re.findall(
        r"K\d{3} \(.\)", lines
    )
