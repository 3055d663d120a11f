"""Scaling: every score divided, or multiplied, by one number such as √d_k."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from attnsolve.exact import Cell, Matrix
from attnsolve.exact.cells import multiply
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Entry, Expression, Line, Num, Product, Quotient, equals, evaluate


def frame(S: Frame, *, by: Expression) -> Frame:
    """As the scores."""
    return S


@lru_cache(maxsize=256)
def number(by: Expression) -> Cell:
    """The divisor, evaluated once: the same cell has the same reciprocal, which is found once too."""
    return evaluate(by)


def divided(S: Matrix, *, by: Expression) -> Matrix:
    """S / by."""
    return S / number(by)


def multiplied(S: Matrix, *, by: Expression) -> Matrix:
    """S · by."""
    return S.scaled(number(by))


def unscaled(S: Matrix, *, by: Expression) -> Matrix:
    """S."""
    return S


def divided_without_root(S: Matrix, *, by: Expression) -> Matrix:
    """S / d where S / √d was asked."""
    return S / root_free(by)


def root_free(by: Expression) -> Cell:
    """The number under the root, or the square of the number when there is none."""
    if isinstance(by, Apply) and by.function == "sqrt":
        return evaluate(by.argument)
    return multiply(evaluate(by), evaluate(by))


def divided_lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Each score over the divisor."""
    divisor = Num(evaluate(options["by"]))
    return _lines(S, value, names[0], lambda score: Quotient(score, divisor))


def multiplied_lines(
    S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Each score times the factor."""
    factor = Num(evaluate(options["by"]))
    return _lines(S, value, names[0], lambda score: Product((score, factor)))


def _lines(
    S: Matrix, value: Matrix, name: str, put_in: Callable[[Num | Entry], Expression]
) -> tuple[Line, ...]:
    scores = factors(name, S)
    return tuple(
        Line(i, j, (equals(put_in(scores[i][j])), *closing(result))) for i, j, result in value.cells()
    )


def divide_twin(S: Any, *, by: float) -> Any:
    """Division by a number, broadcast by torch."""
    import torch

    return torch.div(S, by)


def multiply_twin(S: Any, *, by: float) -> Any:
    """Multiplication by a number, broadcast by torch."""
    import torch

    return torch.mul(S, by)


BY = Option("by", "number", "the number, such as sqrt(d_k)", required=True)
UNSCALED = Mistake("unscaled", "Do not forget to scale the scores.", unscaled)

DIVIDE = Op(
    name="divide",
    title="Scale the scores",
    why="Sums over long vectors get large, and large scores would leave nearly all weight on one key.",
    parameters=("S",),
    options=(BY,),
    family=Family.SCALING,
    roles=(Role.SCORES,),
    formula=Formula(matrix=r"\frac{${S}}{${by}}"),
    frame=frame,
    rule=divided,
    lines=divided_lines,
    twin=divide_twin,
    mistakes=(
        UNSCALED,
        Mistake(
            "without-root", "Divide by the root of the size, not by the size itself.", divided_without_root
        ),
        Mistake("multiplied", "The scores are divided by this number, not multiplied.", multiplied),
    ),
    gradients=(back("S", "divide_gradient", GRADIENT, settings=same_settings),),
)

MULTIPLY = Op(
    name="multiply",
    title="Scale the scores",
    why="Sums over long vectors get large, and large scores would leave nearly all weight on one key.",
    parameters=("S",),
    options=(BY,),
    family=Family.SCALING,
    roles=(Role.SCORES,),
    formula=Formula(matrix=r"${by} \cdot ${S}"),
    frame=frame,
    rule=multiplied,
    lines=multiplied_lines,
    twin=multiply_twin,
    mistakes=(
        UNSCALED,
        Mistake("divided", "The scores are multiplied by this number, not divided.", divided),
    ),
    gradients=(back("S", "multiply_gradient", GRADIENT, settings=same_settings),),
)


SCALED = "The scores were scaled on the way, so their gradient is scaled by the same number."


def going_back(op: Op, name: str) -> Op:
    """The same scaling once more, on the way back."""

    def rule(G: Matrix, *, by: Expression) -> Matrix:
        """The gradient scaled as the scores were."""
        return op.rule(G, by=by)

    return op._replace(
        name=name,
        title="Back through the scaling: by the same number",
        family=None,
        parameters=("G",),
        formula=Formula(matrix=op.formula.matrix.replace("${S}", "${G}")),
        frame=lambda G, *, by: G,
        rule=rule,
        gradients=None,
        mistakes=(Mistake("scale-forgotten", SCALED, lambda G, *, by: G),),
    )


DIVIDE_GRADIENT = going_back(DIVIDE, "divide_gradient")
MULTIPLY_GRADIENT = going_back(MULTIPLY, "multiply_gradient")
