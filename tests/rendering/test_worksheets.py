"""Worksheets: blanks in the shape of every step, with the numbers in them that are given."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from badfiles import check, part
from rendering.programs import Compiled, Needs, lualatex, nodes, pdflatex, tree
from rendering.samples import problem

from attnsolve.engine import solve, solve_asked
from attnsolve.loader import loads
from attnsolve.loader.asked import loads_asked
from attnsolve.papers import Cover, Paper
from attnsolve.problem import Space, Target, Worksheet
from attnsolve.rendering import Settings, render
from attnsolve.rendering.exams import render_exams
from attnsolve.rendering.views import document
from attnsolve.rendering.worksheets import Blank

BODY = "    attend: {queries: q, keys: X}\n    marks: 4\n"
MANY = """
given: {X: 1 0; 0 1; 1 1, W_Q: 1 2; 0 1, W_K: 1 0; 1 1, W_V: 2 0; 0 1}
parts:
  - ask: Fill in what is missing.
    self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}
"""
# The weights and outputs of MANY, by numpy.
X, W_Q, W_K, W_V = (
    np.array(m) for m in ([[1, 0], [0, 1], [1, 1]], [[1, 2], [0, 1]], [[1, 0], [1, 1]], [[2, 0], [0, 1]])
)
S = (X @ W_Q) @ (X @ W_K).T
POWERS = np.exp(S / np.sqrt(2))
A = POWERS / POWERS.sum(axis=1, keepdims=True)
Z = A @ X @ W_V


def rounded(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    """Decimals as a sheet prints them."""
    return [[f"{x:.4f}" for x in row] for row in rows]


def blanks(source: str, *, part: int = 0) -> dict[str, Blank]:
    view = document(solve(loads(source)), Settings(to="latex", sheet="exercise"))
    return {blank.name: blank for group in view.parts[part].worksheet for blank in group.blanks}


@pytest.mark.parametrize(
    ("typed", "worksheet"),
    [
        ("worksheet", Worksheet()),
        ("{worksheet: {filled: 1}}", Worksheet(rows=1)),
        ("{worksheet: {filled: A}}", Worksheet(filled=(Target("a.A"),))),
        (
            "{worksheet: {filled: [scores, 'A[1, 2]']}}",
            Worksheet(filled=(Target("a.S"), Target("a.A", 0, 1))),
        ),
        ("{worksheet: {steps: [S, weights]}}", Worksheet(steps=("a.S", "a.A"))),
    ],
)
def test_a_worksheet_is_read(typed: str, worksheet: Worksheet) -> None:
    assert Space(worksheet=worksheet) == loads(part(f"{BODY}    space: {typed}\n")).parts[0].space


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "{worksheet: 1}",
            "11:24: parts.a.space.worksheet: a map of keys and values is expected here, such as",
        ),
        (
            "{blanks: {}}",
            "11:12: parts.a.space: a map has room for a worksheet only; write {worksheet: {filled",
        ),
        (
            "{worksheet: {filled: 0}}",
            "11:33: parts.a.space.worksheet.filled: '0' is not a whole number from 1",
        ),
        (
            "{worksheet: {filled: B}}",
            "11:33: parts.a.space.worksheet.filled: there is no 'B' here; this part",
        ),
        (
            "{worksheet: {filled: q}}",
            "11:33: parts.a.space.worksheet.filled: q is given; name what is worked out, such as",
        ),
        (
            "{worksheet: {filled: 'A[4]'}}",
            "11:33: parts.a.space.worksheet.filled: a.A has no row 4; it has only",
        ),
        (
            "{worksheet: {steps: 'A[1]'}}",
            "11:32: parts.a.space.worksheet.steps: a step has blanks as a whole",
        ),
        ("{worksheet: {given: A}}", "11:25: parts.a.space.worksheet: unknown key 'given'; the keys here are"),
    ],
)
def test_other_worksheets_are_refused(typed: str, said: str, tmp_path: Path) -> None:
    check(part(f"{BODY}    space: {typed}\n"), (said,), tmp_path)


def test_a_question_in_words_has_no_steps_to_fill_in(tmp_path: Path) -> None:
    said = (
        "10:12: parts.a.space: a worksheet has blanks for the steps of a part, and this one has none; write"
    )
    check(part("    discuss: Because.\n    space: worksheet\n"), (said,), tmp_path)


def test_every_step_has_an_empty_matrix_of_its_shape() -> None:
    found = blanks(problem(f"{MANY}    space: worksheet\n"))
    shapes = {name: (len(blank.rows), len(blank.columns)) for name, blank in found.items()}
    expected = {"Q": (3, 2), "K": (3, 2), "V": (3, 2), "S": (3, 3), "T": (3, 3), "A": (3, 3), "Z": (3, 2)}
    assert {f"a.{letter}": shape for letter, shape in expected.items()} == shapes
    assert {""} == {cell for blank in found.values() for row in blank.cells for cell in row}
    assert {"="} == {blank.relation for blank in found.values()}


def test_the_first_row_is_given_where_that_is_asked_for() -> None:
    found = blanks(problem(f"{MANY}    space: {{worksheet: {{filled: 1}}}}\n"))
    for name, value in (("a.A", A), ("a.Z", Z)):
        empty = [[""] * value.shape[1]] * 2
        assert [*rounded(value[:1].tolist()), *empty] == [list(row) for row in found[name].cells]
        assert r"\approx" == found[name].relation
    assert (("1", "3", "4"), ("",) * 3, ("",) * 3) == found["a.S"].cells  # (1 2) times the keys, by hand
    assert "=" == found["a.S"].relation


def test_in_the_column_convention_it_is_the_first_column() -> None:
    columns = MANY.replace("given:", "convention: columns\ngiven:")  # tokens are typed as rows in any case
    for weights, turned in (("1 2; 0 1", "1 0; 2 1"), ("1 0; 1 1", "1 1; 0 1")):  # W X instead of X W
        columns = columns.replace(weights, turned)
    found = blanks(problem(f"{columns}    space: {{worksheet: {{filled: 1}}}}\n"))
    assert [[text, "", ""] for text in rounded(A[:1].tolist())[0]] == [
        list(row) for row in found["a.A"].cells
    ]
    assert [[text, "", ""] for text in rounded(Z[:1].tolist())[0]] == [
        list(row) for row in found["a.Z"].cells
    ]


@pytest.mark.parametrize(
    ("filled", "cells"),
    [
        ("1", [["1", "", ""]]),  # of a single row its first number
        ("2", [["1", "2", ""]]),
        ("3", [["", "", ""]]),  # all of it would be no question
        ("S", [["1", "2", "3"]]),
        ("'S[1, 2]'", [["", "2", ""]]),
    ],
)
def test_of_a_single_row_some_numbers_are_given(filled: str, cells: list[list[str]]) -> None:
    source = problem(
        "given: {q: 1 2, K: 1 0; 0 1; 1 1}\nparts:\n  - ask: What?\n    attend: {queries: q, keys: K}\n"
        f"    space: {{worksheet: {{filled: {filled}}}}}\n"
    )
    assert cells == [list(row) for row in blanks(source)["a.S"].cells]


def test_rounded_numbers_that_are_carried_have_all_their_places() -> None:
    source = problem(f"round: {{carry: 2}}{MANY}    space: {{worksheet: {{filled: [T]}}}}\n")
    scaled = [[f"{x:.2f}" for x in row] for row in (S / np.sqrt(2)).tolist()]
    assert scaled == [list(row) for row in blanks(source)["a.T"].cells]


HEADS = """
given: {X: 1 0; 0 1; 1 1}
parts:
  - ask: Two heads.
    multi_head:
      input: X
      heads: [{W_Q: 1; 0, W_K: 1; 1, W_V: 2; 0}, {W_Q: 0; 1, W_K: 1; 0, W_V: 1; 1}]
    space: {worksheet: {filled: [head1.A]}}
"""


def test_heads_stand_below_their_titles() -> None:
    view = document(solve(loads(problem(HEADS))), Settings(to="latex", sheet="exercise"))
    groups = view.parts[0].worksheet
    assert ["Head 1", "Head 2", ""] == ["".join(text for _, text in group.title) for group in groups]
    given = [blank.name for group in groups for blank in group.blanks if any(map(any, blank.cells))]
    assert ["a.head1.A"] == given


def test_a_paper_has_no_second_place_for_what_is_on_the_worksheet() -> None:
    source = problem(f"{MANY}    find: [A, Z]\n    space: {{worksheet: {{steps: [S, A]}}}}\n")
    text = render_exams([Paper("K7Q2", solve(loads(source)))], Cover()).text
    assert ["a.Z"] == re.findall(r"\\answerbox\{.*\}\{\d\}\{\d\}\{(.*)\}", text)
    assert ["a.S", "a.A"] == re.findall(r"\\blankmatrix\{.*\}\{(a\.\w)\}", text)


def test_on_a_sheet_of_several_exercises_values_have_the_names_of_the_sheet() -> None:
    one = "\n".join(f"      {line}" for line in problem(f"{MANY}    space: worksheet\n").split("\n"))
    sheet = f"format: 1\ntitle: S\nexercises:\n  - problem:\n{one}\n  - problem:\n{one}\n"
    solved = solve_asked(loads_asked(sheet, name="sheet"))
    for text in (
        render(solved, to="markdown", sheet="exercise").text,
        render_exams([Paper("K7Q2", solved)], Cover(), to="markdown").text,
    ):
        assert [f"{n}.{x}" for n in (1, 2) for x in "QKVSTAZ"] == re.findall(r"\((\d\.[A-Z])\)", text)


def test_solutions_have_no_blanks_and_other_papers_no_commands_for_them() -> None:
    trace = solve(loads(problem(f"{MANY}    space: worksheet\n")))
    assert "blank" not in render(trace, to="latex").text
    assert "blank" not in render(solve(loads(problem(MANY))), to="latex", sheet="exercise").text


TALL, LONG = (
    "; ".join(" ".join(str((7 * i + j) % 5 - 2) for j in range(4)) for i in range(rows)) for rows in (23, 11)
)
WIDE = f"""
lang: de
given: {{Q: {TALL}, K: {LONG}}}
parts:
  - ask: All of it.
    attend: {{queries: Q, keys: K}}
    space: {{worksheet: {{filled: 2}}}}
"""


@pytest.mark.parametrize("source", [MANY + "    space: {worksheet: {filled: 1}}\n", HEADS, WIDE])
@pytest.mark.parametrize("engine", [pdflatex, lualatex])
def test_worksheets_fit_the_page(
    source: str, engine: Callable[..., Compiled], tmp_path: Path, needs: Needs
) -> None:
    trace = solve(loads(problem(source)))
    for kind, text in (
        ("sheet", render(trace, to="latex", sheet="exercise").text),
        ("paper", render_exams([Paper("K7Q2", trace)], Cover(lang=trace.problem.lang)).text),
    ):
        folder = tmp_path / kind
        folder.mkdir()
        made = engine(text, folder, needs)
        assert (0, []) == (made.code, made.complaints())
        assert max(made.overfull(), default=0) < 5


def test_markdown_has_tables_with_the_decimals_of_the_language(needs: Needs) -> None:
    trace = solve(loads(problem(f"lang: de{MANY}    space: {{worksheet: {{filled: 1}}}}\n")))
    text = render(trace, to="markdown", sheet="exercise").text
    assert 7 == [kind for kind, _ in nodes(tree(text, needs))].count("Table")
    assert rounded(A[:1].tolist())[0][0].replace(".", "{,}") in text
