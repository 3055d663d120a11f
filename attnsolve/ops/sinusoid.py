"""Sinusoidal positions: waves that tell a token where it stands, a row for each token."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from attnsolve.errors import Uncountable
from attnsolve.exact import Cell, Matrix, Rational, matrix_of_cells
from attnsolve.exact.cells import divide, multiply
from attnsolve.exact.functions import apply, pi, power
from attnsolve.languages import message
from attnsolve.ops.base import Axis, Formula, Frame, Ledger, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.writing import closing
from attnsolve.working import Apply, Expression, Line, Num, Power, Quotient, equals, evaluate

TEN_THOUSAND: Expression = Num(Rational(10_000))
FIRST = ("0", "1")


def width_of(X: Matrix, width: int | None) -> int:
    """How many numbers a code has: as many as a token when the file does not say."""
    return X.shape[1] if width is None else width


def frame(X: Frame, *, width: int | None = None, **settings: Any) -> Frame:
    """The tokens of X; sines and cosines come in pairs, so the width is even."""
    columns = X.columns.size if width is None else width
    if columns % 2:
        said = f"{columns} numbers a token; sines and cosines come in pairs, so the width must be even"
        raise unfit("X" if width is None else "width", said, X=X)
    return Frame(X.rows, Axis(columns))


def exponents(width: int, first: str) -> list[Fraction]:
    """2k/d for every pair, k counted from 0 (Vaswani et al.) or from 1."""
    return [Fraction(2 * (k + int(first)), width) for k in range(width // 2)]


def frequencies(width: int, base: Expression, first: str) -> list[Cell]:
    """1/base^{2k/d} for every pair."""
    return [power(evaluate(base), -exponent) for exponent in exponents(width, first)]


def encoded(angles: list[list[Cell]]) -> Matrix:
    """sin, cos, sin, cos, … of each row of angles."""
    names = ("sin", "cos")
    return matrix_of_cells([[apply(name, angle) for angle in row for name in names] for row in angles])


def angles_of(
    X: Matrix,
    *,
    width: int | None = None,
    base: Expression = TEN_THOUSAND,
    frequencies_from: str = "0",
    positions_from: str = "0",
) -> list[list[Cell]]:
    """t·ω_k for each token t and each pair k."""
    speeds = frequencies(width_of(X, width), base, frequencies_from)
    places = range(int(positions_from), int(positions_from) + X.shape[0])
    return [[multiply(Rational(t), speed) for speed in speeds] for t in places]


def rule(X: Matrix, **settings: Any) -> Matrix:
    """sin(t·ω_k), cos(t·ω_k) with ω_k = base^{-2k/d}."""
    return encoded(angles_of(X, **settings))


def counting(X: Matrix, **settings: Any) -> NoReturn:
    """The codes are the same whatever the tokens are."""
    raise Uncountable(message("its codes do not depend on the tokens and are worked out once, beforehand"))


def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The place over the power of the base, then the angle, then its sine or cosine."""
    settings = {"base": TEN_THOUSAND, "frequencies_from": "0", "positions_from": "0", **options}
    angles = angles_of(X, **options)
    raised = exponents(value.shape[1], settings["frequencies_from"])
    made = []
    for i, j, result in value.cells():
        function, pair = ("sin", "cos")[j % 2], j // 2
        place = Num(Rational(i + int(settings["positions_from"])))
        angle = Quotient(place, Power(settings["base"], raised[pair]))
        stages = [equals(Apply(function, angle)), equals(Apply(function, Num(angles[i][pair])))]
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def ledger(X: Matrix, *, value: Matrix, options: Options, row: int) -> Ledger:
    """The frequency of each pair."""
    first, width = options.get("frequencies_from", "0"), value.shape[1]
    speeds = frequencies(width, options.get("base", TEN_THOUSAND), first)
    raised = exponents(width, first)
    rows = zip(range(int(first), len(speeds) + int(first)), raised, speeds, strict=True)
    return Ledger(
        ("k", r"\tfrac{2k}{d}", r"\omega_k"),
        tuple((Num(Rational(k)), Num(Rational(exponent)), Num(speed)) for k, exponent, speed in rows),
        caption=message("The frequencies:"),
    )


def twin(
    X: Any,
    *,
    width: int | None = None,
    base: float = 10_000.0,
    frequencies_from: str = "0",
    positions_from: str = "0",
) -> Any:
    """As the well-known torch code has it: e to a multiple of ln base, then every other column."""
    import math

    import torch

    columns = X.shape[1] if width is None else width
    places = torch.arange(len(X), dtype=X.dtype)[:, None] + int(positions_from)
    steps = torch.arange(0, columns, 2, dtype=X.dtype) + 2 * int(frequencies_from)
    angles = places * torch.exp(steps * (-math.log(base) / columns))
    codes = torch.zeros(len(X), columns, dtype=X.dtype)
    codes[:, 0::2], codes[:, 1::2] = torch.sin(angles), torch.cos(angles)
    return codes


def other_frequencies(X: Matrix, *, frequencies_from: str = "0", **settings: Any) -> Matrix:
    """The frequencies one index off."""
    return rule(X, frequencies_from="1" if frequencies_from == "0" else "0", **settings)


def other_positions(X: Matrix, *, positions_from: str = "0", **settings: Any) -> Matrix:
    """The places one off."""
    return rule(X, positions_from="1" if positions_from == "0" else "0", **settings)


def cosine_first(X: Matrix, **settings: Any) -> Matrix:
    """cos, sin, cos, sin, …"""
    right = rule(X, **settings)
    order = [place ^ 1 for place in range(right.shape[1])]
    return right.T.take(order).T


def sines_together(X: Matrix, **settings: Any) -> Matrix:
    """All sines, then all cosines."""
    right = rule(X, **settings)
    width = right.shape[1]
    return right.T.take([*range(0, width, 2), *range(1, width, 2)]).T


def in_degrees(X: Matrix, **settings: Any) -> Matrix:
    """The same angles with a calculator set to degrees."""
    degree = divide(pi(), Rational(180))
    return encoded([[multiply(degree, angle) for angle in row] for row in angles_of(X, **settings)])


def waves(base: str) -> Formula:
    """The code of token t; its place is counted from where the option says, not as tokens are."""
    angle = r"(${counted:positions_from}\,\omega_k)"
    each = rf"${{out:t}} = (\sin{angle}, \cos{angle})_k, \quad \omega_k = {base}^{{-2k/d}}"
    return Formula(matrix=r"\operatorname{PE}(${X})", each=each)


SINUSOID = Op(
    name="sinusoid",
    title="Sinusoidal positions: a sine and a cosine for each frequency",
    why="Attention itself does not see in which order tokens stand; a code of its place tells it.",
    parameters=("X",),
    options=(
        Option("width", "count", "how many numbers a code has; as many as a token when left out"),
        Option("base", "number", "the base of the wavelengths (default 10000)", positive=True),
        Option(
            "frequencies_from", "choice", "the first k of the frequencies base^(-2k/d) (default 0)", FIRST
        ),
        Option("positions_from", "choice", "the place of the first token (default 0)", FIRST),
    ),
    roles=(Role.TOKENS,),
    formula=waves("10000"),
    variants=(("base", waves("{${base}}")),),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    ledger=ledger,
    twin=twin,
    mistakes=(
        Mistake(
            "frequencies-one-off",
            "Mind where the frequencies start: at k = 0 or at k = 1.",
            other_frequencies,
        ),
        Mistake("positions-one-off", "Mind which number the first token has: 0 or 1.", other_positions),
        Mistake("cosine-first", "The sine comes first in each pair, then the cosine.", cosine_first),
        Mistake(
            "sines-together", "Sine and cosine of one frequency stand next to each other.", sines_together
        ),
        Mistake("degrees", "The angles are in radians: set the calculator to rad.", in_degrees),
    ),
    gradients=(),  # where a token stands does not change with its numbers
)
