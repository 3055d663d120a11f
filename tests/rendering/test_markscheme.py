"""The mark scheme sheet: every step with its marks, which add up to what the questions promise."""

import re
from fractions import Fraction
from itertools import cycle
from pathlib import Path

import pytest
from rendering.programs import Needs, pdflatex
from rendering.samples import NAMES, trace_of

from attnsolve.rendering import Settings, render
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.markscheme import scheme_view
from attnsolve.scheme import Scheme, tick_worth, worth
from attnsolve.trace import Trace


# What a scheme holds has nothing to do with the format: each problem in one; test_dialects.py has them all.
@pytest.mark.parametrize(("name", "to"), list(zip(NAMES, cycle(PRINTED), strict=False)))
def test_every_problem_has_a_mark_scheme(name: str, to: str) -> None:
    trace = trace_of(name)
    text = render(trace, sheet="markscheme", to=to).text
    assert "Mark scheme:" in text


@pytest.mark.parametrize("name", NAMES)
def test_marks_of_the_steps_are_those_of_the_part(name: str) -> None:
    problem = trace_of(name).problem
    for part in problem.parts:
        if part.marks and part.calls:
            steps = sum((worth(problem, part, call).total for call in part.calls), start=Fraction(0))
            assert part.total == steps + tick_worth(problem, part) + Fraction(part.in_words)


def test_the_table_adds_up_to_the_marks_of_the_part() -> None:
    text = render(trace_of("causal-self-attention"), sheet="markscheme").text
    table = text[text.index("## Part (d)") : text.index("## Part (e)")]
    assert "## Part (d): Each its own mask [3]" in table
    assert (
        re.findall(r"\| .*\.([MA])\).* \| (\S+) \| (\S+) \|", table)
        == [
            ("M", "0", "⅓"),
            ("A", "⅓", "⅓"),
        ]
        * 3
    )
    assert "| together | 1 | 2 |" in table
    assert "| 0 | 0 |" not in text


@pytest.mark.parametrize("to", PRINTED)
def test_the_solution_has_the_marks_of_every_case(to: str) -> None:
    third = r"$\tfrac{1}{3}$~mark" if to == "latex" else "⅓\u00a0mark"
    text = render(trace_of("causal-self-attention"), to=to).text
    assert 3 == text.count(f"[{third}]")
    assert 6 == render(trace_of("sparse-attention")).text.count(" [1\u00a0mark]") - 1  # and one in part (e)


def test_a_mistake_is_explained_once() -> None:
    view = scheme_view(trace_of("ist-practical-10"), Settings(sheet="markscheme"))
    told = [words for part in view.parts for words in part.mistakes]
    assert len(told) == len(set(told)) > 10


def test_it_says_what_the_file_allows() -> None:
    text = render(trace_of("ist-practical-10"), sheet="markscheme").text
    assert "Cut-off decimals count as rounded" in text
    assert re.search(r"\| \$s\$ \(a\.S\) Scores: compare each query with each key \| 1 \| 1 \|", text)


def test_it_says_what_few_digits_cost() -> None:
    problem = trace_of("ist-practical-10").problem
    strict = problem._replace(scheme=Scheme(all_digits=True))
    said = ["Fewer digits than asked for lose the accuracy marks only where", "lose the accuracy marks."]
    for one, words in zip((problem, strict), said, strict=True):
        text = render(Trace(one, trace_of("ist-practical-10").steps), sheet="markscheme").text
        assert words in text


@pytest.mark.parametrize("name", ["ist-practical-10", "encoder-block", "causal-self-attention"])
def test_pdflatex_takes_it(name: str, tmp_path: Path, needs: Needs) -> None:
    made = pdflatex(render(trace_of(name), sheet="markscheme", to="latex").text, tmp_path, needs)
    assert (0, []) == (made.code, made.complaints())
