"""Every op in NumPy gives what torch's own function gives, and scripts with it print certified decimals."""

import contextlib
import decimal
import inspect
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ops.examples import EXAMPLES
from ops.matrices import carried_out, is_number, our_options, ours

torch = pytest.importorskip("torch")

from attnsolve.bundled import problems_with_numbers  # noqa: E402
from attnsolve.companion import arrays  # noqa: E402
from attnsolve.companion.arrays import ARRAYS  # noqa: E402
from attnsolve.companion.floats import number as floated  # noqa: E402
from attnsolve.companion.libraries import NUMPY, array_function  # noqa: E402
from attnsolve.companion.script import lacking, script  # noqa: E402
from attnsolve.engine import solve  # noqa: E402
from attnsolve.errors import AttnsolveError  # noqa: E402
from attnsolve.exact import Matrix  # noqa: E402
from attnsolve.loader import load, loads  # noqa: E402
from attnsolve.ops import OPS  # noqa: E402
from attnsolve.working import evaluate  # noqa: E402

# A script with an op that NumPy has no function for is written for torch.
HAVE = [op for op in OPS if op.name in ARRAYS]


def test_functions_are_those_of_ops() -> None:
    """Or help them; the rest of the test runs over whatever there is."""
    assert {"softmax", "sparsemax", "rotary", "softmax_gradient", "nucleus", "window"} <= set(ARRAYS)
    helpers = {"distances", "thresholded", "largest", "normalised", "concat_slopes"}
    written = {function for function in arrays.NAMED.values() if inspect.isfunction(function)}
    assert helpers == {function.__name__ for function in written - set(ARRAYS.values())}
    assert all(array_function(inner.op) is None for op in OPS for inner in op.inner)


@pytest.mark.parametrize("op", HAVE, ids=lambda op: op.name)
def test_arrays_are_the_exact_numbers(op: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On all examples of the op's contract, where the exact value is held against the definition on paper."""
    for room in arrays.ROOMS:  # a script imports both at its top
        monkeypatch.setattr(room, "np", np, raising=False)
        monkeypatch.setattr(room, "math", math, raising=False)
    function = ARRAYS[op.name]
    for case in EXAMPLES[op.name]:
        inputs = [floats(ours(source)) for source in case.inputs]
        settings = {
            name: floated(evaluate(value)) if is_number(op, name) else value
            for name, value in our_options(op, case).items()
        }
        expected = floats(carried_out(op, case))
        largest = max(1.0, *(np.abs(one[np.isfinite(one)]).max(initial=0) for one in (*inputs, expected)))
        actual = function(*inputs, **settings)
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12 * largest)


def floats(matrix: Matrix) -> Any:
    rows, columns = map(range, matrix.shape)
    return np.array([[floated(matrix.cell(i, j)) for j in columns] for i in rows])


def ran(text: str) -> str:
    output = io.StringIO()
    with decimal.localcontext(), contextlib.redirect_stdout(output):
        exec(compile(text, "exercise", "exec"), {})  # noqa: S102 - that is what this test is about
    return output.getvalue()


@pytest.mark.parametrize("path", problems_with_numbers(), ids=lambda path: path.stem)
def test_both_libraries_print_the_same(path: Path) -> None:
    """What the script for torch prints is held against certified decimals elsewhere."""
    trace = solve(load(path))
    if lacking(trace, NUMPY):
        return
    text = script(trace, library=NUMPY)
    assert "torch" not in text
    assert ran(script(trace, asks_layers=False)) == ran(text)


ROUNDED = """
format: 1
title: Rounded on the way
round: {carry: 2, mode: truncate}
given: {S: 1 2 3; 0 0 1, V: 1 0; 0 1; 1 1}
parts: [{ask: x, attend: {scores: S, values: V}}]
"""


def test_rounding_on_the_way_is_the_same_in_both() -> None:
    trace = solve(loads(ROUNDED))
    printed = ran(script(trace, library=NUMPY))
    assert ran(script(trace)) == printed
    assert ["0.09", "0.24", "0.66"] == printed.split()[1:4]  # e^-2, e^-1, 1 over 1.5032, cut off


def test_a_value_inside_a_step_is_left_to_torch() -> None:
    trace = solve(
        loads(
            ROUNDED.replace("attend: {scores: S, values: V}", "attend: {scores: S, values: V}, find: [exp]")
        )
    )
    assert lacking(trace, NUMPY)
    with pytest.raises(AttnsolveError, match="NumPy has no function for"):
        script(trace, library=NUMPY)
