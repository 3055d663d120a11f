"""α-entmax, the family from softmax (α = 1) over sparsemax (α = 2) to argmax (α = ∞)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell, Matrix, Rationals, matrix_of_cells
from attnsolve.exact.cells import UNITY, multiply, subtract
from attnsolve.exact.masked import visible
from attnsolve.exact.thresholds import shares, shares_above, threshold
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, RESULT, back, same_settings
from attnsolve.ops.base import (
    Check,
    Family,
    Formula,
    Frame,
    Ledger,
    Mistake,
    Onward,
    Op,
    Option,
    Options,
    Remark,
    Role,
    no_lines,
)
from attnsolve.ops.entmax15 import ENTMAX15
from attnsolve.ops.normaliser import down_columns, mask_afterwards, require_keys
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.sparsemax import SPARSEMAX, halved_interval, halved_threshold
from attnsolve.ops.support import SUPPORT, TAU, Sparse, inner_values, uncountable
from attnsolve.working import Expression, Line, Num, evaluate

# The two that are found by sorting, exactly.
SORTED = {Fraction(2): SPARSEMAX, Fraction(3, 2): ENTMAX15}


# The bits that tell a weight from 0.
BITS = 64


def frame(S: Frame, *, alpha: Expression | None = None) -> Frame:
    """As the scores."""
    factor_of(alpha)
    return S


def factor_of(alpha: Expression | None) -> Cell:
    """α - 1, which must be above 0."""
    if alpha is None:
        raise AttnsolveError("entmax needs a number for 'alpha' above 1, such as {entmax: {alpha: 1.25}}")
    factor = subtract(evaluate(alpha), UNITY)
    if factor.sign() <= 0:
        raise AttnsolveError(
            f"alpha is {evaluate(alpha).text()}; it must be above 1 (entmax with alpha = 1 is softmax)"
        )
    return factor


def sorted_op(alpha: Expression) -> Op | None:
    """Sparsemax or 1.5-entmax, if α makes it one of them."""
    value = evaluate(alpha).rational()
    return None if value is None else SORTED.get(value)


def rule(S: Matrix, *, alpha: Expression) -> Matrix:
    """max(0, (α-1)S - τ)^{1/(α-1)}, with the τ of each row for which it sums to 1."""
    factor, known = factor_of(alpha), sorted_op(alpha)
    if known is not None:
        return known.rule(S)
    require_keys(S)
    return shares(S, factor)


def tau(S: Matrix, *, alpha: Expression) -> Matrix:
    """The threshold of every query."""
    factor, known = factor_of(alpha), sorted_op(alpha)
    if known is not None:
        return inside(known, TAU).rule(S)
    require_keys(S)
    return matrix_of_cells([[threshold(S, factor, i)] for i in range(S.shape[0])])


def support(S: Matrix, *, alpha: Expression) -> Matrix:
    """1 for every key that gets weight."""
    known = sorted_op(alpha)
    if known is not None:
        return inside(known, SUPPORT).rule(S)
    weights = rule(S, alpha=alpha).balls(BITS)
    return Rationals([[int(ball > 0) for ball in row] for row in weights])


def inside(op: Op, name: str) -> Op:
    """What makes an inner value of another op."""
    return next(inner.op for inner in op.inner if inner.name == name)


def from_threshold(*, S: Matrix, tau: Matrix, alpha: Expression) -> Matrix:
    """The weights from a threshold that is there."""
    factor, known = factor_of(alpha), sorted_op(alpha)
    if known is not None and known.onward is not None:
        return known.onward.rule(S=S, tau=tau)
    return shares_above(S, factor, tau)


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Those of sparsemax or 1.5-entmax; no other α can be worked out by hand."""
    known = sorted_op(options["alpha"])
    working = no_lines if known is None else known.lines
    return working(S, value=value, options={}, names=names)


def ledger(S: Matrix, *, value: Matrix, options: Options, row: int) -> Ledger:
    """As for sparsemax or 1.5-entmax; for other α what is left above the threshold."""
    known = sorted_op(options["alpha"])
    if known is not None and known.ledger is not None:
        found: Ledger = known.ledger(S, value=value, options={}, row=row)
        return found
    factor = factor_of(options["alpha"])
    tau = threshold(S, factor, row)
    keys = tuple(j for j, kept in enumerate(visible(S).rows[row]) if kept)
    rows = []
    for j in keys:
        stretched = multiply(factor, S.cell(row, j))
        numbers = (S.cell(row, j), stretched, subtract(stretched, tau), value.cell(row, j))
        rows.append(tuple(map(Num, numbers)))
    times = r"(${alpha} - 1)\,${S:ij}"
    return Ledger(("${S:ij}", times, rf"{times} - \tau", "${out:ij}"), tuple(rows), keys)


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """As for sparsemax or 1.5-entmax; for any other α the threshold that makes the sum 1."""
    known = sorted_op(options["alpha"])
    if known is not None:
        return known.remarks(S, value=value, options={})
    factor, said = factor_of(options["alpha"]), []
    for i in range(S.shape[0]):
        keys = tuple(j for j in range(S.shape[1]) if value.cell(i, j).ball(BITS) > 0)
        sentence = message(
            "{row} gives weight to {columns}; their weights sum to 1 with the threshold {tau}."
        )
        said.append(Remark(sentence, i, keys, threshold(S, factor, i)))
    return tuple(said)


def twin(S: Any, *, alpha: float) -> Any:
    """τ by halving the interval in which it must lie, for every α."""
    return halved_interval((alpha - 1) * S, 1 / (alpha - 1))


def tau_twin(S: Any, *, alpha: float) -> Any:
    """τ by halving the interval in which it must lie."""
    return halved_threshold((alpha - 1) * S, 1 / (alpha - 1))


def support_twin(S: Any, *, alpha: float) -> Any:
    """Where torch finds any weight."""
    return (twin(S, alpha=alpha) > 1e-12).to(S.dtype)


def with_softmax(S: Matrix, *, alpha: Expression) -> Matrix:
    """The softmax."""
    return SOFTMAX.rule(S)


def without_factor(S: Matrix, *, alpha: Expression) -> Matrix:
    """max(0, S - τ)^{1/(α-1)}."""
    return rule(S / factor_of(alpha), alpha=alpha)


OPTIONS = (
    Option(
        "alpha",
        "number",
        "how sparse, above 1: 2 is sparsemax",
        symbol=r"\alpha",
        positive=True,
        required=True,
    ),
)

ENTMAX = Op(
    name="entmax",
    title="Entmax: less a threshold, never below 0, then a power",
    why="Weights must not be negative and have to sum to 1 for each query, and small ones become exactly 0.",
    parameters=("S",),
    options=OPTIONS,
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"${alpha}\text{-entmax}(${S})",
        each=r"${out:ij} = \max(0, (${alpha} - 1)\,${S:ij} - \tau)^{1/(${alpha} - 1)}",
    ),
    frame=frame,
    rule=rule,
    counting=uncountable,
    lines=lines,
    ledger=ledger,
    twin=twin,
    remarks=remarks,
    inner=inner_values(
        Sparse(
            "entmax",
            support,
            tau,
            support_twin,
            tau_twin,
            r"\textstyle\sum_{j} \max(0, (${alpha} - 1)\,${S:ij} - ${out:i})^{1/(${alpha} - 1)} = 1",
            options=OPTIONS,
        )
    ),
    onward=Onward((TAU,), from_threshold),
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("with-softmax", "Entmax is softmax only for alpha = 1.", with_softmax),
        Mistake(
            "without-factor",
            "Multiply the scores by alpha - 1 before you look for the threshold.",
            without_factor,
        ),
    ),
    gradients=(back("S", "entmax_gradient", RESULT, GRADIENT, settings=same_settings),),
)
