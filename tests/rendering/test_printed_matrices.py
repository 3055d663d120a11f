"""What is printed once is shared by paper, solution and key; other manners never meet, and it is let go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from attnsolve import load, solve
from attnsolve.exact import Matrix, Rationals
from attnsolve.identity import Same
from attnsolve.loader import loads
from attnsolve.papers import Cover, Layout, Paper, Sides
from attnsolve.problem import Problem
from attnsolve.rendering import Settings, pages, printed_matrices, printing, render, templates
from attnsolve.rendering.exams import render_contacts, render_exams, render_key, render_solutions
from attnsolve.rendering.forms import _known, _known_of
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import plain_notation
from attnsolve.rendering.printed_matrices import PrintedMatrices, PrintedMatrix
from attnsolve.rendering.printing import Writer
from attnsolve.working import Multiple, Sum, dot_stages, fraction

MANY_TOKENS = """format: 1
title: Many tokens
given: {Q: ones(20x2), K: ones(20x2), V: ones(20x2)}
parts:
  - ask: Find the output.
    attend: {queries: Q, keys: K, values: V}
"""
PROBLEMS = ("ist-practical-10", "tokens-as-columns", "recurrent-cells")


def forget() -> None:
    """Let all that is shared between documents go."""
    for known in (printing._multiples, pages._plain):
        known.clear()
    for kept in (_known, _known_of, templates.shared, printed_matrices.printed_matrices):
        kept.cache_clear()


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    """Each test begins and ends without anything that was printed before."""
    forget()
    yield
    forget()


def documents(papers: list[Paper]) -> list[Callable[[], str]]:
    """Documents of the same papers that differ in all that must not be mixed."""
    made: list[Callable[[], str]] = []
    for lang in ("en", "de", "fr"):
        cover = Cover(lang=lang)
        made += [
            lambda cover=cover: render_exams(papers, cover).text,
            lambda cover=cover: render_exams(papers, cover, layout=Layout(sides=Sides.TWO)).text,
            lambda cover=cover: render_exams(papers, cover, to="markdown").text,
            lambda cover=cover: render_key(papers, cover).text,
            lambda cover=cover: render_contacts(papers, cover).text,
        ]
        for numbers, places, detail in (
            (None, None, "products"),
            ("fractions", None, "matrices"),
            ("decimals", 2, "cells"),
            ("source", 6, "products"),
        ):
            settings = Settings(to="latex", numbers=numbers, places=places, detail=detail)
            made.append(
                lambda cover=cover, settings=settings: render_solutions(papers, cover, settings=settings).text
            )
    return made


@pytest.mark.parametrize("name", PROBLEMS)
def test_documents_of_one_trace_are_what_each_is_alone(name: str) -> None:
    papers = [Paper("K7Q2", solve(load(name)))]
    alone = []
    for document in documents(papers):
        forget()
        alone.append(document())
    forget()
    assert [document() for document in documents(papers)] == alone
    assert [document() for document in reversed(documents(papers))] == alone[::-1]


def test_two_traces_of_one_problem_are_told_apart() -> None:
    first, second = (solve(load("ist-practical-10")) for _ in range(2))
    given = second.problem.givens["X"]
    other = given.value.take([1, 0, 2, 3])
    givens = {**second.problem.givens, "X": given._replace(value=other)}
    changed = solve(second.problem._replace(givens=givens))
    expected = [render(trace, to="latex").text for trace in (first, changed)]
    assert expected[0] != expected[1]
    assert [render(trace, to="latex").text for trace in (changed, first)] == expected[::-1]


def test_a_matrix_is_printed_once_in_each_manner() -> None:
    value = Rationals.of([[Fraction(1, 2), Fraction(-3)], [Fraction(1, 3), Fraction(0)]])
    problem = Same(load("ist-practical-10"))
    four, two = (printed_matrices.printed_matrices(problem, "decimals", places) for places in (4, 2))
    assert four.of(value) is four.of(value) is not two.of(value)
    assert [["0.5", "-3"], ["0.33", "0"]] == two.of(value).decimal_rows
    assert [["0.5", "-3"], [r"\tfrac{1}{3}", "0"]] == four.of(value).exact_rows
    assert r"\begin{bmatrix} 0.5 & -3 \\ \tfrac{1}{3} & 0 \end{bmatrix}" == four.of(value).exact
    assert r"\begin{bmatrix} 0.5 & \tfrac{1}{3} \\ -3 & 0 \end{bmatrix}" == four.of(value).exact_turned
    assert r"\begin{bmatrix} 0.5 & 0.33 \\ -3 & 0 \end{bmatrix}" == two.of(value).in_decimals_turned
    fractions = printed_matrices.printed_matrices(problem, "fractions", 4)
    assert r"\tfrac{1}{2}" == fractions.of(value).exact_rows[0][0]


def test_matrices_of_large_networks_are_let_go_with_their_document() -> None:
    small, large = load("ist-practical-10"), loads(MANY_TOKENS)

    def known(problem: Problem) -> PrintedMatrices:
        return Notation(problem, problem.parts[0], style="decimals", places=4)._printed

    assert known(small) is known(small)
    assert known(large) is not known(large)


def test_somebody_who_practises_for_hours_fills_no_memory() -> None:
    known = printed_matrices.PrintedMatrices("decimals", 4)
    for number in range(printed_matrices.MOST_MATRICES + 10):
        assert [[str(number)]] == known.of(Rationals([[number]])).exact_rows
    assert len(known._made) <= printed_matrices.MOST_MATRICES


def test_a_key_finds_what_the_solution_before_it_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [Paper("K7Q2", solve(load("ist-practical-10")))]
    render_solutions(papers)
    proven: list[Matrix] = []
    prove = PrintedMatrix.proven.find_out
    monkeypatch.setattr(PrintedMatrix.proven, "find_out", lambda one: proven.append(one.value) or prove(one))
    render_key(papers)
    assert proven  # fractions, which the solution has exactly
    assert {"rational"} == {value.kind for value in proven}


def test_a_product_is_written_once_in_each_style_and_order() -> None:
    problem = load("ist-practical-10")
    part = problem.parts[0]
    pairs = [(fraction(1, 2), fraction(-3, 1)), (fraction(2, 1), fraction(1, 3))]
    stages = dot_stages(pairs, fraction(1, 1).cell)
    again = dot_stages(pairs, fraction(1, 1).cell)
    assert stages == again
    assert isinstance(stages[0].expression, Sum) and isinstance(again[0].expression, Sum)
    one, other = stages[0].expression.terms[0], again[0].expression.terms[0]
    assert isinstance(one, Multiple) and one is other
    shown = {
        (style, flipped): Writer(Notation(problem, part, style=style, places=4), flipped=flipped)
        .written(stages[0].expression)
        .text
        for style in ("decimals", "fractions")
        for flipped in (False, True)
    }
    third = r"\left(\tfrac{1}{3}\right)"
    half = r"\left(\tfrac{1}{2}\right)"
    assert shown == {
        ("decimals", False): f"(0.5)(-3) + (2){third}",
        ("decimals", True): f"(-3)(0.5) + {third}(2)",
        ("fractions", False): f"{half}(-3) + (2){third}",
        ("fractions", True): f"(-3){half} + {third}(2)",
    }


def test_lists_share_a_notation_and_letters_have_their_own() -> None:
    numbers, letters = load("ist-practical-10"), load("noisy-keys")
    assert plain_notation(numbers, numbers.parts[0]) is plain_notation(numbers, numbers.parts[0])
    assert plain_notation(numbers, numbers.parts[0]) is not plain_notation(numbers, numbers.parts[1])
    assert plain_notation(letters, letters.parts[0]) is not plain_notation(letters, letters.parts[0])
