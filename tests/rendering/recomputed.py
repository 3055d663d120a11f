"""Every value of a trace once more, by textbook definitions with mpmath and 60 digits, without our engine."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import sympy
from rendering.calculator import CONTEXT, DIGITS, Grid
from rendering.samples import trace_of

from attnsolve.exact import Matrix
from attnsolve.trace import Step
from attnsolve.working import evaluate


def digits(value: Matrix) -> Grid:
    """A given matrix, by SymPy's digits."""
    rows, columns = value.shape
    return tuple(tuple(number(value.cell(i, j).sympy()) for j in range(columns)) for i in range(rows))


def number(exact: Any) -> Any:
    """A SymPy number with 60 digits, in the calculator's own context; a masked score is -∞."""
    if exact == -sympy.oo:
        return CONTEXT.ninf
    return CONTEXT.mpf(str(sympy.N(exact, DIGITS + 10)))


def turned(grid: Grid) -> Grid:
    return tuple(zip(*grid, strict=True))


def times(a: Grid, b: Grid) -> Grid:
    return tuple(
        tuple(CONTEXT.fsum(x * y for x, y in zip(row, column, strict=True)) for column in turned(b))
        for row in a
    )


def project(X: Grid, W: Grid, b: Grid | None = None) -> Grid:
    made = times(X, W)
    return made if b is None else tuple(tuple(x + y for x, y in zip(row, b[0], strict=True)) for row in made)


def softmax(S: Grid, temperature: Any = None) -> Grid:
    factor = 1 if temperature is None else 1 / number(evaluate(temperature).sympy())
    powers = [[CONTEXT.exp(factor * (s - max(row))) for s in row] for row in S]
    return tuple(tuple(p / CONTEXT.fsum(row) for p in row) for row in powers)


def argmax(S: Grid, ties: str = "refuse") -> Grid:
    near = CONTEXT.mpf(10) ** -50
    best = [[j for j, s in enumerate(row) if max(row) - s <= near * max(1, abs(max(row)))] for row in S]
    chosen = [columns[:1] if ties == "first" else columns for columns in best]
    return tuple(
        tuple(CONTEXT.mpf(j in columns) / len(columns) for j in range(len(S[0]))) for columns in chosen
    )


def relu(S: Grid) -> Grid:
    kept = [[max(CONTEXT.zero, s) for s in row] for row in S]
    return tuple(tuple(s / CONTEXT.fsum(row) for s in row) for row in kept)


def entmax(S: Grid, factor: Any) -> Grid:
    """max(0, factor·s - τ)^{1/factor}; the interval of τ is halved until 60 digits see no difference."""

    def weights(row: Sequence[Any]) -> tuple[Any, ...]:
        stretched = [factor * s for s in row]
        low, high = max(stretched) - 1, max(stretched)
        for _ in range(250):
            tau = (low + high) / 2
            made = [max(CONTEXT.zero, x - tau) ** (1 / factor) for x in stretched]
            low, high = (tau, high) if CONTEXT.fsum(made) > 1 else (low, tau)
        tiny = CONTEXT.mpf(10) ** -50  # what is left of a score at the threshold itself
        return tuple(p if p > tiny else CONTEXT.zero for p in made)

    return tuple(map(weights, S))


def shares(S: Grid) -> Grid:
    kept = [[CONTEXT.zero if s == CONTEXT.ninf else s for s in row] for row in S]
    return tuple(tuple(s / CONTEXT.fsum(row) for s in row) for row in kept)


def causal(S: Grid, rows: Sequence[int] | None = None) -> Grid:
    places = range(len(S)) if rows is None else rows
    return tuple(
        tuple(s if j <= place else CONTEXT.ninf for j, s in enumerate(row))
        for place, row in zip(places, S, strict=True)
    )


def scaled(S: Grid, factor: Any) -> Grid:
    return tuple(tuple(factor * s for s in row) for row in S)


BY_NAME: Mapping[str, Callable[..., Grid]] = {
    "select": lambda X, rows: tuple(X[row] for row in rows),
    "project": project,
    "output": project,
    "split": lambda X, start, stop: tuple(row[start:stop] for row in X),
    "dot": lambda Q, K: times(Q, turned(K)),
    "divide": lambda S, by: scaled(S, 1 / number(evaluate(by).sympy())),
    "multiply": lambda S, by: scaled(S, number(evaluate(by).sympy())),
    "softmax": softmax,
    "argmax": argmax,
    "relu": relu,
    "sparsemax": lambda S: entmax(S, CONTEXT.one),
    "entmax15": lambda S: entmax(S, CONTEXT.mpf("0.5")),
    "entmax": lambda S, alpha: entmax(S, number(evaluate(alpha).sympy()) - 1),
    "sum": shares,
    "softmax2": lambda S: softmax(scaled(S, CONTEXT.ln2)),
    "causal": causal,
    "mix": times,
    "concatenate": lambda *heads: tuple(
        tuple(x for head in heads for x in head[i]) for i in range(len(heads[0]))
    ),
}


@cache
def values(name: str) -> dict[str, Grid]:
    """Every given and every result of a problem by name."""
    trace = trace_of(name)
    found = {given: digits(record.value) for given, record in trace.problem.givens.items()}
    for step in trace.steps:
        found[step.call.out] = carried_out(step, found, rounding=trace.problem.rounding is not None)
    return found


def carried_out(step: Step, found: dict[str, Grid], *, rounding: bool) -> Grid:
    """One step; where the sheet rounds in between, from the rounded numbers themselves."""
    rule = BY_NAME.get(step.call.op.name)
    if rule is None:  # an op that this file does not know yet: at least SymPy's digits
        return digits(step.value)
    inputs = map(digits, step.inputs) if rounding else (found[arg] for arg in step.call.args)
    return rule(*inputs, **step.call.options)
