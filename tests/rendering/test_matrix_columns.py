"""Matrices of any width are set, and narrow ones do not pay for the widest that there may be."""

from pathlib import Path

import pytest
from rendering.programs import Needs, compiled_together, faults_of
from rendering.samples import problem, trace_of

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import render
from attnsolve.rendering.matrix_columns import most_columns, room_for


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a & b & c", 0),
        (r"\begin{bmatrix} 1 \end{bmatrix}", 1),
        (r"\begin{bmatrix} 1 & 2 \\ 3 & 4 & 5 \\ 6 \end{bmatrix}", 3),
        (r"\begin{pmatrix} a \& b & c \end{pmatrix} & d & e & f", 2),
        (r"\begin{vmatrix} 1 & \begin{matrix} 1 & 2 & 3 \end{matrix} & 2 & 3 & 4 \end{vmatrix}", 5),
        (r"\end{bmatrix} & \begin{bmatrix} 1 & 2", 0),
    ],
)
def test_columns_are_counted(text: str, columns: int) -> None:
    assert columns == most_columns(text)


def test_only_a_wide_matrix_needs_room() -> None:
    ten = r"\begin{bmatrix} " + " & ".join("0" * 10) + r" \end{bmatrix}"
    assert "" == room_for(most_columns(ten))
    assert "\\setcounter{MaxMatrixCols}{11}\n" == room_for(most_columns(ten.replace("0", "0 & 0", 1)))


def test_wide_matrices_compile(tmp_path: Path, needs: Needs) -> None:
    wide = f"given: {{S: {' '.join('1' * 23)}}}\nparts: [{{ask: Find it., attend: {{scores: S}}}}]"
    page = render(solve(loads(problem(wide))), to="latex").text
    assert "MaxMatrixCols" in page
    assert "MaxMatrixCols" not in render(trace_of("plan"), to="latex").text
    assert {} == faults_of(compiled_together({"wide": page}, tmp_path, needs))
