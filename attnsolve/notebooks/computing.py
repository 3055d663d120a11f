"""Cells that recompute: each part with NumPy, held against the page's decimals; the whole with PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from attnsolve.companion.libraries import NUMPY, TORCH
from attnsolve.companion.script import Pieces, lacking, pieces
from attnsolve.errors import Undecided
from attnsolve.notebooks.cells import Cell
from attnsolve.problem import Part, Target
from attnsolve.trace import Trace

# No float of a page has more places than this right.
MOST_PLACES = 12


class Recomputed(NamedTuple):
    """The code of one exercise: before its parts, below each of them, and at the end."""

    opening: list[Cell]
    parts: Mapping[str, list[Cell]]
    closing: list[Cell]


def recomputed(trace: Trace, label: str) -> Recomputed:
    """All code of one exercise; `label` is `2.` in a problem set."""
    if not trace.steps:
        return Recomputed([], {}, [])
    torch = pieces(trace, library=TORCH, asks_layers=find_spec("torch") is not None)
    closing = torch_cells(torch, label)
    if lacking(trace, NUMPY):
        return Recomputed([], {}, closing)
    numpy = pieces(trace, library=NUMPY)
    opening = [
        Cell(f"numpy-{label}functions", "code", numpy.preamble, is_folded=True),
        Cell(f"numpy-{label}given", "code", numpy.givens),
    ]
    parts = {
        part.id: [Cell(f"numpy-{label}{part.id}", "code", part_code(trace, part, numpy))]
        for part in trace.problem.parts
        if part.id in numpy.parts
    }
    return Recomputed(opening, parts, closing)


def torch_cells(code: Pieces, label: str) -> list[Cell]:
    """The script for PyTorch, a cell for each of its pieces."""
    opening = Cell(f"torch-{label}functions", "code", code.preamble, is_folded=True)
    texts = {"given": code.givens, **code.parts, "layers": code.layers}
    return [opening, *(Cell(f"torch-{label}{name}", "code", text) for name, text in texts.items() if text)]


def part_code(trace: Trace, part: Part, code: Pieces) -> str:
    """What recomputes a part, and compares what is asked for with the page."""
    compared = list(comparisons(trace, part, code.variables))
    lines = [code.parts[part.id], *(["", "# The page says the same:", *compared] if compared else [])]
    return "\n".join(lines)


def comparisons(trace: Trace, part: Part, variables: Mapping[str, str]) -> Iterator[str]:
    """A line for each value that is asked for: NumPy's within half a unit of the last printed place."""
    rounding = trace.problem.rounding
    places = trace.problem.places if rounding is None else rounding.carry
    for target in part.find or tuple(Target(call.out) for call in part.calls):
        step = trace.step(target.name)
        value = target.of(step.value if rounding is None else step.carried)
        try:
            rows = value.decimals(min(places, MOST_PLACES))
        except Undecided:
            continue
        listed = [[cell.text.replace("inf", "np.inf") for cell in row] for row in rows]
        expected = ", ".join(f"[{', '.join(row)}]" for row in listed)
        name = variables[step.call.out] + place(target)
        unit = f"0.51e-{min(places, MOST_PLACES)}"
        yield f"np.testing.assert_allclose({name}, [{expected}], rtol=1e-9, atol={unit})"


def place(target: Target) -> str:
    """The row or the cell that is asked for, as Python counts."""
    if target.row is None:
        return ""
    row = f"{target.row}:{target.row + 1}"
    return f"[{row}]" if target.column is None else f"[{row}, {target.column}:{target.column + 1}]"


def given_cell(trace: Trace, label: str) -> list[Cell]:
    """What is given as arrays, for those who compute with NumPy."""
    if not trace.steps or lacking(trace, NUMPY):
        return []
    code = pieces(trace, library=NUMPY).givens
    return [Cell(f"numpy-{label}given", "code", f"import math\n\nimport numpy as np\n\n{code}")]
