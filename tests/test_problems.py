"""Every bundled problem loads and solves, its working holds, torch agrees, its sheet's answers are right."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from proofs import assert_lines_hold

from attnsolve.bundled import data
from attnsolve.engine import solve
from attnsolve.exact import Matrix
from attnsolve.loader import load
from attnsolve.problem import Problem
from attnsolve.published import judge
from attnsolve.rendering import render
from attnsolve.rendering.plain_lines import plain
from attnsolve.rendering.settings import NUMBERS
from attnsolve.trace import Trace
from attnsolve.working import Expression, Line, evaluate

FILES = sorted(data("problems").glob("*.yaml"))
SYMBOLIC = sorted(data("problems").glob("symbols/*.yaml"))
every_problem = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def loaded(file: Path) -> Problem:
    return load(file)


@cache
def solved(file: Path) -> Trace:
    return solve(loaded(file))


def test_the_seed_exercises_are_there() -> None:
    seeds = {"ist-practical-10", "eecs182-discussion-8", "lab-5-self-attention"}
    assert seeds <= {file.stem for file in FILES}


@every_problem
def test_says_what_it_is_and_where_it_comes_from(file: Path) -> None:
    problem = loaded(file)
    assert problem.title
    assert problem.source
    for part in problem.parts:
        assert part.ask
        assert part.calls or part.discuss or part.costs or part.choice


@every_problem
def test_every_answer_that_is_asked_for_is_found(file: Path) -> None:
    trace = solved(file)
    for part in trace.problem.parts:
        for name, row, column in part.find:
            height, width = trace.value(name).shape
            assert row is None or row < height
            assert column is None or column < width


@every_problem
def test_every_line_of_working_holds(file: Path) -> None:
    for step in solved(file).steps:
        assert_lines_hold(step.lines(), step.value, *step.inputs)


@pytest.mark.parametrize("style", NUMBERS)
@pytest.mark.parametrize("file", [*FILES, *SYMBOLIC], ids=lambda file: file.stem)
def test_every_style_of_numbers_can_be_had(file: Path, style: str) -> None:
    first, *_ = solved(file).problem.title.split()
    assert render(solved(file), to="markdown", numbers=style).text.startswith(f"# {first}")


@every_problem
def test_torch_agrees_from_the_givens_to_the_end(file: Path) -> None:
    torch = pytest.importorskip("torch")

    def tensor(matrix: Matrix) -> Any:
        middles = [[float(ball.mid()) for ball in row] for row in matrix.balls(64)]
        return torch.tensor(middles, dtype=torch.float64)

    def plain(option: Any) -> Any:
        if isinstance(option, Expression):
            return float(evaluate(option).ball(64).mid())
        return option

    trace = solved(file)
    values = {name: tensor(given.value) for name, given in trace.problem.givens.items()}
    for step in trace.steps:
        call = step.call
        options = {name: plain(option) for name, option in call.options.items()}
        values[call.out] = call.op.twin(*(values[name] for name in call.args), **options)
        torch.testing.assert_close(values[call.out], tensor(step.value), rtol=1e-9, atol=1e-9)


@every_problem
def test_the_printed_answers_of_the_sheet_are_right(file: Path) -> None:
    trace = solved(file)
    for part in trace.problem.parts:
        assert {"right"} >= {finding.fit for finding in judge(trace, part)}


def fractions(file: str, name: str) -> list[str]:
    matrix = solved(data("problems") / f"{file}.yaml").value(name)
    return [" ".join(row) for row in matrix.texts()]


def test_cross_attention_comes_out_in_fractions() -> None:
    # By hand: e^{ln 2} : e^0 : e^{2 ln 2} = 2 : 1 : 4, and 2 : 3 : 4/3 = 6 : 9 : 4.
    assert ["2/7 1/7 4/7", "6/19 9/19 4/19"] == fractions("cross-attention-in-fractions", "a.A")
    assert ["10/7 4/7", "14/19 24/19"] == fractions("cross-attention-in-fractions", "a.Z")


def test_columns_are_projected_from_the_left() -> None:
    # W_Q x_1 = (1, 0), W_Q x_2 = (1, 2), W_Q x_3 = (3 - 1, 2); the engine keeps them as rows.
    assert ["1 0", "1 2", "2 2"] == fractions("tokens-as-columns", "a.Q")
    assert ["2 1", "0 -1", "2 0"] == fractions("tokens-as-columns", "a.K")
    assert ["2 0 2", "4 -2 2", "6 -2 4"] == fractions("tokens-as-columns", "a.S")


def test_torch_layout_is_transposed_and_biases_are_added() -> None:
    # x_1 W_Q' + b_Q with rows of W_Q: (1, 0, 2, 1 - 1) + (0, 1, 0, 0).
    assert ["1 1 2 0", "0 2 1 1"] == fractions("two-heads-as-torch-has-them", "a.Q")
    # Head 1 of the first token is an even average, (1, 3/2); 2 · 3/2 + 1 = 4.
    assert "4" == solved(data("problems") / "two-heads-as-torch-has-them.yaml").value("a.Z").cell(0, 3).text()


def spelled(line: Line) -> list[tuple[str, str]]:
    return [(stage.relation, plain(stage.expression)) for stage in line.stages]


@every_problem
def test_working_of_the_first_row_alone_is_that_of_the_whole(file: Path) -> None:
    """Sheets show only the first row: it must not depend on the others being worked out too."""
    for step in solved(file).steps:
        whole = [spelled(line) for line in step.lines() if line.i == 0]
        assert whole == [spelled(line) for line in step.lines(first_row=True)]
