"""The running output: the old one, rescaled to the new maximum, and the values of this tile."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops import Role, mixing
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.ops.misfits import unfit
from attnsolve.ops.running_maximum import FROM_ALL_TILES, require_column
from attnsolve.ops.running_sum import require_both
from attnsolve.ops.writing import closing, factors, flipped, summed
from attnsolve.working import Line, Product, Sum, equals


def frame(P: Frame, V: Frame, r: Frame | None = None, Z: Frame | None = None) -> Frame:
    """A row for each query, as wide as the values."""
    made = mixing.frame(P, V)
    require_both("Z", r, Z)
    if r is not None:
        require_column("r", r, "P", P)
    if Z is not None and Z.shape != made.shape:
        why = "what is added to it is {P} times {V}"
        raise unfit("Z", why, needs=made.shape, Z=Z, P=P, V=V)
    return made


def rule(P: Matrix, V: Matrix, r: Matrix | None = None, Z: Matrix | None = None) -> Matrix:
    """r ∘ Z + P V."""
    return P @ V if r is None or Z is None else Z.rows_times(r) + P @ V


def counting(P: Matrix, V: Matrix, r: Matrix | None = None, Z: Matrix | None = None) -> Matrix:
    """As the rule; a tile has as many values as keys, whichever part of them it is."""
    return rule(P, V.repeated(P.shape[1]), r, Z)


def lines(
    P: Matrix, V: Matrix, *before: Matrix, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The factor times the old output, and each exponential times its value."""
    rows, values = factors(names[0], P), flipped(factors(names[1], V))
    old = [factors(name, x) for name, x in zip(names[2:], before, strict=True)]
    if not old:
        return tuple(Line(i, j, summed(rows[i], values[j], result)) for i, j, result in value.cells())
    made = []
    for i, j, result in value.cells():
        kept = Product((old[0][i][0], old[1][i][j]))
        new = map(Product, zip(rows[i], values[j], strict=True))
        made.append(Line(i, j, (equals(Sum((kept, *new))), *closing(result))))
    return tuple(made)


def twin(P: Any, V: Any, r: Any = None, Z: Any = None) -> Any:
    """torch's own batched product, added to the old output."""
    import torch

    new = torch.bmm(P[None], V[None])[0]
    return new if r is None else torch.addcmul(new, r, Z)


def terms(P: Any, V: Any, r: Any = None, Z: Any = None) -> Any:
    """|r| |Z| + |P| |V|: what may cancel."""
    new = P.abs() @ V.abs()
    return new if r is None else new + r.abs() * Z.abs()


def not_rescaled(P: Matrix, V: Matrix, r: Matrix | None = None, Z: Matrix | None = None) -> Matrix:
    """Z + P V."""
    if Z is None:
        raise UndefinedStep("before the first tile there is no output")
    return Z + P @ V


def forgotten(P: Matrix, V: Matrix, r: Matrix | None = None, Z: Matrix | None = None) -> Matrix:
    """P V."""
    if Z is None:
        raise UndefinedStep("before the first tile there is no output")
    return P @ V


def divided_already(P: Matrix, V: Matrix, r: Matrix | None = None, Z: Matrix | None = None) -> Matrix:
    """The new part over its own sum."""
    new = P.normalised() @ V
    return new if r is None or Z is None else Z.rows_times(r) + new


RUNNING_OUTPUT = Op(
    name="running_output",
    title="Running output, not yet divided by the sum",
    why=message(
        "What was mixed before is rescaled like the sum; the division comes once, after the last tile."
    ),
    parameters=("P", "V", "r", "Z"),
    optional=("r", "Z"),
    roles=(Role.SCORES, Role.TOKENS, Role.ANY, Role.TOKENS),
    formula=Formula(
        matrix=r"$[Z:\operatorname{diag}(${r})\, ${Z:laid} + ]${P}\, ${V:laid}",
        each=r"${out:i} = $[Z:${r:i}\, ${Z:i} + ]\sum_{k} ${P:ik}\, ${V:k}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="the values of this tile, and a product and a sum for each number of the old output",
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake(
            "old-output-not-rescaled",
            "The old output belongs to the old maximum: rescale it before you add to it.",
            not_rescaled,
        ),
        Mistake(
            "old-output-forgotten", "The output runs on: add to what the tiles before it gave.", forgotten
        ),
        Mistake("divided-in-the-tile", "Divide by the sum once, after the last tile.", divided_already),
    ),
    no_gradient=FROM_ALL_TILES,
)
