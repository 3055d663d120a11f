"""Back through rotary positions: each pair of the gradient turned back by the angle of its place."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops import rotary
from attnsolve.ops.base import Formula, Frame, Mistake, Options
from attnsolve.ops.rotary import ROTARY, turned_lines
from attnsolve.working import Line


def frame(G: Frame, **settings: Any) -> Frame:
    """As the tokens."""
    return rotary.paired("G", G, **settings)


def rule(G: Matrix, **settings: Any) -> Matrix:
    """(x cos tθ + y sin tθ, -x sin tθ + y cos tθ) for each pair (x, y) of the gradient of token t."""
    return rotary.backwards(G, **settings)


def lines(G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """x cos φ + y sin φ, or -x sin φ + y cos φ; then with the sine and the cosine put in."""
    return turned_lines(G, value, options, names[0], backwards=True)


def twin(
    G: Any,
    *,
    base: float = 10_000.0,
    angle: float = 1.0,
    pairs: str = "interleaved",
    positions_from: str = "0",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """The transpose of every turn, as a matrix of two rows, pair by pair."""
    import math

    import torch

    half, made = G.shape[1] // 2, torch.zeros_like(G)
    for t, place in enumerate(range(len(G)) if rows is None else rows):
        for k in range(half):
            both = [2 * k, 2 * k + 1] if pairs == "interleaved" else [k, k + half]
            turn = (place + int(positions_from)) * angle * base ** (-k / half)
            cosine, sine = math.cos(turn), math.sin(turn)
            made[t, both] = torch.tensor([[cosine, sine], [-sine, cosine]], dtype=G.dtype) @ G[t, both]
    return made


def turned_on(G: Matrix, **settings: Any) -> Matrix:
    """Turned by tθ once more."""
    return rotary.rule(G, **settings)


def not_turned(G: Matrix, **settings: Any) -> Matrix:
    """G."""
    return G


def formula(speed: str) -> Formula:
    """How the pairs of token t are turned back."""
    here = r"(x \cos\varphi + y \sin\varphi,\; -x \sin\varphi + y \cos\varphi)"
    forward = rotary.formula(speed, letter="G")
    return Formula(
        matrix=r"\operatorname{RoPE}^{-1}(${G})", each=forward.each.replace(rotary.TURNED_PAIR, here)
    )


ROTARY_GRADIENT = ROTARY._replace(
    name="rotary_gradient",
    title="Back through the rotary positions: turn back by the same angle",
    parameters=("G",),
    family=None,
    formula=formula(""),
    variants=(("angle", formula(r"${angle} \cdot ")),),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    gradients=None,
    mistakes=(
        Mistake("turned-on", "On the way back every pair is turned back, by the negative angle.", turned_on),
        Mistake("not-turned-back", "The gradient of a turned token is turned too.", not_turned),
    ),
)
