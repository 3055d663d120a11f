"""Sinusoidal codes of given places: sin(t·ω_k), cos(t·ω_k), a row for each place."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import divide, multiply
from attnsolve.exact.functions import pi
from attnsolve.exact.rationals import Rationals
from attnsolve.ops import Role, sinusoid
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Option, Options
from attnsolve.ops.misfits import unfit
from attnsolve.ops.sinusoid import FIRST, TEN_THOUSAND
from attnsolve.ops.writing import closing
from attnsolve.working import Apply, Expression, Line, Num, Power, Quotient, equals


def frame(t: Frame, *, width: int, **settings: Any) -> Frame:
    """A row for each place."""
    if t.columns.size != 1:
        raise unfit("t", "{t} is {t:shape}, but places stand below each other, one number each: 0; 1; 2", t=t)
    if width % 2:
        raise unfit("width", f"{width} numbers a place; sines and cosines come in pairs, so it must be even")
    return Frame(t.rows, Axis(width))


def angles_of(
    t: Matrix, *, width: int, base: Expression = TEN_THOUSAND, frequencies_from: str = "0"
) -> list[list[Cell]]:
    """t·ω_k for each place t and each pair k."""
    speeds = sinusoid.frequencies(width, base, frequencies_from)
    return [[multiply(t.cell(i, 0), speed) for speed in speeds] for i in range(t.shape[0])]


def rule(t: Matrix, **settings: Any) -> Matrix:
    """sin(t·ω_k), cos(t·ω_k) with ω_k = base^{-2k/d}."""
    return sinusoid.encoded(angles_of(t, **settings))


def lines(t: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The place over the power of the base, then the angle, then its sine or cosine."""
    angles = angles_of(t, **options)
    raised = sinusoid.exponents(value.shape[1], options.get("frequencies_from", "0"))
    made = []
    for i, j, result in value.cells():
        function, pair = ("sin", "cos")[j % 2], j // 2
        angle = Quotient(Num(t.cell(i, 0)), Power(options.get("base", TEN_THOUSAND), raised[pair]))
        stages = [equals(Apply(function, angle)), equals(Apply(function, Num(angles[i][pair])))]
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def twin(t: Any, *, width: int, base: float = 10_000.0, frequencies_from: str = "0") -> Any:
    """As the well-known torch code has it: e to a multiple of ln base, then every other column."""
    import math

    import torch

    steps = torch.arange(0, width, 2, dtype=t.dtype) + 2 * int(frequencies_from)
    angles = t * torch.exp(steps * (-math.log(base) / width))
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(len(t), width)


def other_frequencies(t: Matrix, *, frequencies_from: str = "0", **settings: Any) -> Matrix:
    """The frequencies one index off."""
    return rule(t, frequencies_from="1" if frequencies_from == "0" else "0", **settings)


def next_places(t: Matrix, **settings: Any) -> Matrix:
    """The places counted from 1 where they count from 0."""
    return rule(t + Rationals([[1]] * t.shape[0]), **settings)


def cosine_first(t: Matrix, **settings: Any) -> Matrix:
    """cos, sin, cos, sin, …"""
    right = rule(t, **settings)
    return right.T.take([place ^ 1 for place in range(right.shape[1])]).T


def in_degrees(t: Matrix, **settings: Any) -> Matrix:
    """The same angles with a calculator set to degrees."""
    degree = divide(pi(), Rational(180))
    angles = angles_of(t, **settings)
    return sinusoid.encoded([[multiply(degree, angle) for angle in row] for row in angles])


def formula(base: str) -> Formula:
    """The code of place t_i."""
    each = r"${out:i} = (\sin(${t:i}\,\omega_k), \cos(${t:i}\,\omega_k))_k"
    return Formula(matrix=r"\operatorname{PE}(${t})", each=rf"{each}, \quad \omega_k = {base}^{{-2k/d}}")


WAVES = Op(
    name="waves",
    title="Sinusoidal positions: a sine and a cosine for each frequency",
    why="Attention itself does not see in which order tokens stand; a code of its place tells it.",
    parameters=("t",),
    options=(
        Option("width", "count", "how many numbers a code has", required=True),
        Option("base", "number", "the base of the wavelengths (default 10000)", positive=True),
        Option(
            "frequencies_from", "choice", "the first k of the frequencies base^(-2k/d) (default 0)", FIRST
        ),
    ),
    roles=(Role.TOKENS,),
    formula=formula("10000"),
    variants=(("base", formula("{${base}}")),),
    frame=frame,
    rule=rule,
    counting=sinusoid.counting,
    lines=lines,
    ledger=sinusoid.ledger,
    twin=twin,
    mistakes=(
        Mistake(
            "frequencies-one-off",
            "Mind where the frequencies start: at k = 0 or at k = 1.",
            other_frequencies,
        ),
        Mistake("places-one-off", "Take the places as they are given: do not add 1.", next_places),
        Mistake("cosine-first", "The sine comes first in each pair, then the cosine.", cosine_first),
        Mistake("degrees", "The angles are in radians: set the calculator to rad.", in_degrees),
    ),
    gradients=(),  # where a token stands does not change with its numbers
)
