"""An example as our matrices: its texts read, its op carried out."""

from collections.abc import Callable
from typing import Any

from ops.examples import EXAMPLES, Example

from attnsolve.exact import Matrix, Rationals, matrix_of_cells
from attnsolve.exact.masked import Masked
from attnsolve.expressions import expression, number
from attnsolve.ops import OPS, OPS_BY_NAME, Axis, Frame, Op

CASES = [(op, case) for op in OPS for case in EXAMPLES.get(op.name, ())]
IDS = [f"{op.name}({', '.join(case.inputs)}) {case.options or ''}".strip() for op, case in CASES]


def texts(source: str) -> list[list[str]]:
    return [row.split() for row in source.split(";")]


def ours(source: str) -> Matrix:
    if source.startswith("softmax "):
        return OPS_BY_NAME["softmax"].rule(ours(source.removeprefix("softmax ")))
    scores = matrix_of_cells([[number(behind(text)) for text in row] for row in texts(source)])
    return Masked.of(scores, Rationals([[int(not is_hidden(text)) for text in row] for row in texts(source)]))


def is_hidden(text: str) -> bool:
    return text == "-inf" or text.startswith("~")


def behind(text: str) -> str:
    """The score that a mask hides."""
    return "0" if text == "-inf" else text.removeprefix("~")


def our_options(op: Op, case: Example) -> dict[str, Any]:
    """Numbers as expressions, as a problem file gives them; words and places as they are."""
    return {name: expression(v) if is_number(op, name) else v for name, v in case.options.items()}


def is_number(op: Op, name: str) -> bool:
    return "number" == next(option.kind for option in op.options if option.name == name)


def carried_out(op: Op, case: Example, rule: Callable[..., Matrix] | None = None) -> Matrix:
    return (rule or op.rule)(*map(ours, case.inputs), **our_options(op, case))


def framed(shape: str) -> Frame:
    rows, columns = map(int, shape.split("×"))
    return Frame(Axis(rows, tuple(range(rows))), Axis(columns))
