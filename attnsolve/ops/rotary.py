"""Rotary positions: each pair of a token's numbers turned by an angle that grows with its place."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Cell, Matrix, Rational, matrix_of_cells
from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import divide, multiply
from attnsolve.exact.functions import apply, pi
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.sinusoid import FIRST, TEN_THOUSAND, frequencies
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Product, Sum, equals, evaluate

PAIRS = ("interleaved", "half")
MINUS, ONE = Rational(-1), Num(Rational(1))


def frame(X: Frame, **settings: Any) -> Frame:
    """As the tokens."""
    return paired("X", X, **settings)


def paired(name: str, X: Frame, *, rows: tuple[int, ...] | None = None, **settings: Any) -> Frame:
    """Tokens, or their gradients, whose numbers come in pairs."""
    if X.columns.size % 2:
        said = f"{X.columns.size} numbers a token; they are turned in pairs, so their number must be even"
        raise unfit(name, said)
    if rows is not None and len(rows) != X.rows.size:
        raise unfit("rows", f"{len(rows)} places for {X.rows.size} tokens; each token has one")
    return X


def partners(width: int, pairs: str) -> list[int]:
    """For each number of a token the place of the other one of its pair."""
    half = width // 2
    return [j ^ 1 if pairs == "interleaved" else (j + half) % width for j in range(width)]


def is_second(j: int, width: int, pairs: str) -> bool:
    """Whether a number is the second one of its pair."""
    return bool(j % 2) if pairs == "interleaved" else j >= width // 2


def pair_of(j: int, width: int, pairs: str) -> int:
    """Which pair a number belongs to, counted from 0."""
    return j // 2 if pairs == "interleaved" else j % (width // 2)


def speeds(width: int, base: Expression, angle: Expression) -> list[Cell]:
    """θ_k = angle · base^{-2k/d}: how far each pair turns from one place to the next."""
    first = evaluate(angle)
    return [multiply(first, frequency) for frequency in frequencies(width, base, "0")]


def angles_of(
    shape: tuple[int, int],
    *,
    base: Expression = TEN_THOUSAND,
    angle: Expression = ONE,
    pairs: str = "interleaved",
    positions_from: str = "0",
    rows: tuple[int, ...] | None = None,
) -> list[list[Cell]]:
    """The angle t·θ_k by which each number of each token is turned with its partner."""
    height, width = shape
    turning = speeds(width, base, angle)
    places = [place + int(positions_from) for place in (range(height) if rows is None else rows)]
    own = [turning[pair_of(j, width, pairs)] for j in range(width)]
    return [[multiply(Rational(place), speed) for speed in own] for place in places]


def turned(X: Matrix, angles: list[list[Cell]], pairs: str) -> Matrix:
    """X ∘ cos + X' ∘ ±sin, where X' has the two numbers of each pair exchanged."""
    width = X.shape[1]
    cosines = [[apply("cos", angle) for angle in row] for row in angles]
    sines = [
        [apply("sin", a if is_second(j, width, pairs) else multiply(MINUS, a)) for j, a in enumerate(row)]
        for row in angles
    ]
    exchanged = X.T.take(partners(width, pairs)).T
    return X * readable(cosines) + exchanged * readable(sines)


def readable(cells: list[list[Cell]]) -> Matrix:
    """Sines or cosines, certified where they are neither fractions nor roots: nobody reads their products."""
    matrix = matrix_of_cells(cells)
    return matrix if matrix.kind in WRITTEN_OUT else Balls.of(matrix)


def rule(X: Matrix, *, pairs: str = "interleaved", **settings: Any) -> Matrix:
    """(x cos tθ - y sin tθ, x sin tθ + y cos tθ) for each pair (x, y) of token t."""
    return turned(X, angles_of(X.shape, pairs=pairs, **settings), pairs)


def counting(X: Matrix, **settings: Any) -> Matrix:
    """Two products and a sum for each number; sines and cosines are worked out once, beforehand."""
    return X * X + X * X


def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """x cos φ - y sin φ, or x sin φ + y cos φ; then with the sine and the cosine put in."""
    return turned_lines(X, value, options, names[0], backwards=False)


def turned_lines(
    X: Matrix, value: Matrix, options: Options, name: str, *, backwards: bool
) -> tuple[Line, ...]:
    """The two products of each number, which is turned on or back with its partner."""
    tokens, pairs, width = factors(name, X), options.get("pairs", "interleaved"), X.shape[1]
    angles, other = angles_of(X.shape, **options), partners(width, pairs)
    made = []
    for i, j, result in value.cells():
        second = is_second(j, width, pairs)
        both = tokens[i][min(j, other[j])], tokens[i][max(j, other[j])]
        functions = ("sin", "cos") if second else ("cos", "sin")
        terms, numbers = [], []
        for x, function in zip(both, functions, strict=True):
            minus = function == "sin" and second == backwards
            terms.append(Product((*((Num(MINUS),) if minus else ()), x, Apply(function, Num(angles[i][j])))))
            factor = apply(function, angles[i][j])
            numbers.append(multiply(MINUS, factor) if minus else factor)
        known = matrix_of_cells([numbers]).kind in WRITTEN_OUT
        put_in = Sum(tuple(Product((x, Num(number))) for x, number in zip(both, numbers, strict=True)))
        stages = (equals(Sum(tuple(terms))), *((equals(put_in),) if known else ()))
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def twin(
    X: Any,
    *,
    base: float = 10_000.0,
    angle: float = 1.0,
    pairs: str = "interleaved",
    positions_from: str = "0",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """Complex numbers of torch, x + iy, times e^{itθ}."""
    import torch

    half = X.shape[1] // 2
    grouped = X.reshape(-1, half, 2) if pairs == "interleaved" else X.reshape(-1, 2, half).transpose(1, 2)
    places = torch.arange(len(X)) if rows is None else torch.tensor(rows)
    steps = angle * torch.pow(torch.tensor(base, dtype=X.dtype), -torch.arange(half, dtype=X.dtype) / half)
    angles = (places.to(X.dtype) + int(positions_from))[:, None] * steps
    spun = torch.view_as_complex(grouped.contiguous()) * torch.polar(torch.ones_like(angles), angles)
    back = torch.view_as_real(spun)
    return (back if pairs == "interleaved" else back.transpose(1, 2)).reshape(X.shape)


def terms(X: Any, *, pairs: str = "interleaved", **settings: Any) -> Any:
    """|x| + |y| of each pair: cos π/2 is not quite 0 for torch, and the turned numbers may cancel."""
    half = X.shape[1] // 2
    sizes = X.abs()
    if pairs == "interleaved":
        return sizes.reshape(-1, half, 2).sum(dim=2, keepdim=True).expand(-1, -1, 2).reshape(X.shape)
    return (sizes[:, :half] + sizes[:, half:]).repeat(1, 2)


def backwards(X: Matrix, *, pairs: str = "interleaved", **settings: Any) -> Matrix:
    """Turned by -tθ."""
    angles = angles_of(X.shape, pairs=pairs, **settings)
    return turned(X, [[multiply(MINUS, angle) for angle in row] for row in angles], pairs)


def other_pairs(X: Matrix, *, pairs: str = "interleaved", **settings: Any) -> Matrix:
    """Neighbours turned where halves belong together, or the other way round."""
    return rule(X, pairs="half" if pairs == "interleaved" else "interleaved", **settings)


def other_positions(X: Matrix, *, positions_from: str = "0", **settings: Any) -> Matrix:
    """The places one off."""
    return rule(X, positions_from="1" if positions_from == "0" else "0", **settings)


def one_frequency(X: Matrix, *, base: Expression = TEN_THOUSAND, **settings: Any) -> Matrix:
    """All pairs turned by the angle of the first."""
    return rule(X, base=ONE, **settings)


def in_degrees(X: Matrix, *, pairs: str = "interleaved", **settings: Any) -> Matrix:
    """The same angles with a calculator set to degrees."""
    degree = divide(pi(), Rational(180))
    angles = angles_of(X.shape, pairs=pairs, **settings)
    return turned(X, [[multiply(degree, angle) for angle in row] for row in angles], pairs)


TURNED_PAIR = r"(x \cos\varphi - y \sin\varphi,\; x \sin\varphi + y \cos\varphi)"


def formula(speed: str, *, letter: str = "X") -> Formula:
    """How the pairs of token t are turned; its place is counted from where the option says."""
    angle = rf"\varphi = ${{counted:positions_from}}\,\theta_k, \; \theta_k = {speed}{{${{base}}}}^{{-2k/d}}"
    return Formula(
        matrix=rf"\operatorname{{RoPE}}(${{{letter}}})",
        each=rf"${{out:t}} = {TURNED_PAIR} "
        rf"\text{{ for each pair }} (x, y) \text{{ of }} ${{{letter}:t}}, \; {angle}",
    )


ROTARY = Op(
    name="rotary",
    title="Rotary positions: turn each pair of numbers",
    parameters=("X",),
    options=(
        Option(
            "base",
            "number",
            "the base b of the angles θ_k = angle·b^(-2k/d) (default 10000)",
            positive=True,
            default=TEN_THOUSAND,
        ),
        Option(
            "angle",
            "number",
            "how far the first pair turns from one place to the next (default 1); 1/2 scales places by half",
            positive=True,
        ),
        Option(
            "pairs", "choice", "which numbers are turned together: neighbours (default) or k and k+d/2", PAIRS
        ),
        Option("positions_from", "choice", "the place of the first token (default 0)", FIRST),
        Option("rows", "rows", "the places of the tokens, when they are not the first ones"),
    ),
    family=Family.ROTATION,
    roles=(Role.TOKENS,),
    formula=formula(""),
    variants=(("angle", formula(r"${angle} \cdot ")),),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="two products and a sum for each number; the sines and cosines are worked out beforehand",
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake(
            "turned-backwards",
            "Turn by the positive angle: x cos φ - y sin φ first, then x sin φ + y cos φ.",
            backwards,
        ),
        Mistake(
            "other-pairs",
            "Mind which numbers are turned together: neighbours, or one of each half.",
            other_pairs,
        ),
        Mistake("positions-one-off", "Mind which number the first token has: 0 or 1.", other_positions),
        Mistake(
            "one-frequency",
            "Each pair turns by an angle of its own; only the first by the full one.",
            one_frequency,
        ),
        Mistake("degrees", "The angles are in radians: set the calculator to rad.", in_degrees),
    ),
    gradients=(back("X", "rotary_gradient", GRADIENT, settings=same_settings),),
)
