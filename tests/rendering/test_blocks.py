"""What is given or asked is there with every number, however large: in blocks that make up the whole."""

import re
from pathlib import Path

import pytest
from rendering.calculator import BLOCK, equations, value
from rendering.programs import Needs, displays_and_inlines, pdflatex
from rendering.samples import NAMES, grid, problem, trace_of

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import Settings, blocks, render
from attnsolve.rendering.settings import WORKING
from attnsolve.rendering.views import document
from attnsolve.trace import Trace

# How many rows and columns, and by what the numbers grow.
SIZES = [(1, 1), (1, 7), (2, 25), (3, 40), (30, 2), (60, 60), (1, 64), (64, 1)]
TOKENS = """
given: {{X: {X}}}
parts:
  - ask: Find the output.
    self_attention: {{input: X, queries: [2], divide_by: none, weights: {{argmax: {{ties: first}}}}}}
    find: Z
"""


def numbers(rows: int, columns: int) -> list[list[str]]:
    return [[str(100 * i + j) for j in range(columns)] for i in range(rows)]


def put_together(shown: list[str], rows: int, columns: int, first: int) -> dict[tuple[int, int], int]:
    """(row, column) -> number, read from the equations of a matrix and from what their indices say."""
    found: dict[tuple[int, int], int] = {}
    for text in shown:
        ((left, ((_, printed),)),) = equations(text)
        grid = value(printed) if not printed.startswith("(") else ((),)
        index = re.fullmatch(r"X(?:_\{(.*)\})?", left)
        assert index, left
        pieces = index[1].split(",") if index[1] else []
        long = [side for side, size in enumerate((rows, columns)) if size > 1]
        starts = [0, 0]
        for side, piece in zip(long, pieces, strict=True) if pieces else ():
            starts[side] = 0 if piece == ":" else int(piece.split()[0]) - first
        for i, row in enumerate(grid):
            for j, number in enumerate(row):
                assert (i + starts[0], j + starts[1]) not in found, "a number is printed twice"
                found[i + starts[0], j + starts[1]] = int(number)
    return found


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_blocks_make_up_the_whole(rows: int, columns: int, first: int) -> None:
    shown = list(blocks.equations("X", "=", numbers(rows, columns), first=first))
    expected = {(i, j): 100 * i + j for i in range(rows) for j in range(columns)}
    assert expected == put_together(shown, rows, columns, first)


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (2, 3, ["X"]),
        (2, 64, [r"X_{:,1 \ldots 16}", r"X_{:,17 \ldots 32}", r"X_{:,33 \ldots 48}", r"X_{:,49 \ldots 64}"]),
        (1, 30, [r"X_{1 \ldots 15}", r"X_{16 \ldots 30}"]),
        (30, 1, [r"X_{1 \ldots 15}", r"X_{16 \ldots 30}"]),
        (25, 2, [r"X_{1 \ldots 13,:}", r"X_{14 \ldots 25,:}"]),
    ],
)
def test_blocks_are_even_and_say_what_they_hold(rows: int, columns: int, expected: list[str]) -> None:
    cells = [["0.25"] * columns for _ in range(rows)]
    found = [equations(text)[0].left for text in blocks.equations("X", "=", cells, first=1)]
    assert expected == found


@pytest.mark.parametrize("name", NAMES)
def test_nothing_given_or_asked_is_left_out(name: str) -> None:
    for sheet in ("exercise", "solution"):
        for part in document(trace_of(name), Settings(sheet=sheet)).parts:
            assert [] == [line for line in (*part.givens, *part.answers) if "dots" in line.replace(BLOCK, "")]


def wide(rows: int, columns: int) -> Trace:
    return solve(loads(problem(TOKENS.format(X=grid(rows, columns)))))


@pytest.mark.parametrize(("rows", "columns"), [(2, 25), (2, 12), (3, 64), (40, 3)])
def test_a_large_exercise_can_be_solved_from_its_sheet(rows: int, columns: int) -> None:
    displayed, _ = displays_and_inlines(render(wide(rows, columns), sheet="exercise").text, "pandoc")
    inside = re.findall(r"\\begin\{bmatrix\} (.*?) \\end\{bmatrix\}", "".join(displayed))
    assert rows * columns == sum(len(re.split(r" & | \\\\(?:\[4pt\])? ", numbers)) for numbers in inside)


def test_what_the_working_leaves_out_is_said() -> None:
    text = render(wide(3, 64)).text
    assert r"\cdots" in text
    assert r"Not every number of the $1 \times 64$ matrix $z_{2}$ is shown here." in text


@pytest.mark.parametrize("sheet", ["exercise", "solution", "markscheme"])
def test_large_sheets_fit_their_pages(sheet: str, tmp_path: Path, needs: Needs) -> None:
    done = pdflatex(render(wide(40, 64), to="latex", sheet=sheet).text, tmp_path, needs)
    assert 0 == done.code
    assert [] == [points for points in done.overfull() if points > 5]


FIVE = problem("given: {X: 1 0; 0 1; 1 1; 2 0; 0 2}\nparts: [{ask: Find it., self_attention: {input: X}}]")
NINE = FIVE.replace("0 2}", "0 2; 1 2; 2 1; 3 0; 0 3}")


@pytest.mark.parametrize(
    ("text", "working", "rows", "others"),
    [(FIVE, "fade", 5, False), (NINE, "fade", 3, True), (NINE, "all", 9, False)],
)
def test_no_row_of_the_exact_weights_is_dropped_in_silence(
    text: str, working: str, rows: int, others: bool
) -> None:
    assert working in WORKING
    (part,) = document(solve(loads(text)), Settings(working=working)).parts
    (step,) = [step for group in part.groups for step in group.steps if step.exact]
    assert rows == len([left for left, _ in step.exact if left])
    assert others == bool(step.exact_rest)


def test_all_means_all() -> None:
    """Every query has its table, every row its lines, and no part says that another one did it."""
    trace = trace_of("ist-practical-10")
    for part in document(trace, Settings(working="all")).parts:
        for step in (step for group in part.groups for step in group.steps):
            assert not step.seen
            assert not step.rest
            assert not step.exact_rest
            lines = {line.i for line in trace.step(step.name).lines()}
            assert len(step.working) + len(step.tables) >= len(lines)
