"""Every value of a trace once more, by textbook definitions with mpmath and 60 digits, without our engine."""

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import sympy
from rendering.calculator import CONTEXT, DIGITS, Grid
from rendering.samples import trace_of

from attnsolve.exact import Matrix
from attnsolve.trace import Step, Trace
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
        stretched = [factor * s for s in row]  # a masked one stays -∞
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


def masked(S: Grid, hides: Callable[[int, int], bool]) -> Grid:
    return tuple(
        tuple(CONTEXT.ninf if hides(i, j) else s for j, s in enumerate(row)) for i, row in enumerate(S)
    )


def elementwise(function: Callable[[Any], Any]) -> Callable[[Grid], Grid]:
    return lambda X: tuple(tuple(function(x) for x in row) for row in X)


def additive(Q: Grid, K: Grid, W: Grid, U: Grid, v: Grid) -> Grid:
    """v · tanh(q W + k U)."""
    queries, keys = times(Q, W), times(K, U)
    return tuple(
        tuple(CONTEXT.fsum(c * CONTEXT.tanh(a + b) for a, b, c in zip(q, k, v[0], strict=True)) for k in keys)
        for q in queries
    )


def cosine(Q: Grid, K: Grid) -> Grid:
    def length(row: Sequence[Any]) -> Any:
        return CONTEXT.sqrt(CONTEXT.fsum(x * x for x in row))

    dots = times(Q, turned(K))
    return tuple(
        tuple(dots[i][j] / (length(q) * length(k)) for j, k in enumerate(K)) for i, q in enumerate(Q)
    )


def bilinear(Q: Grid, K: Grid, W: Grid, b: Grid | None = None) -> Grid:
    made = times(times(Q, W), turned(K))
    return made if b is None else tuple(tuple(s + b[0][0] for s in row) for row in made)


def moments(row: Sequence[Any]) -> tuple[Any, Any]:
    """The mean and the variance of a row."""
    mean = CONTEXT.fsum(row) / len(row)
    return mean, CONTEXT.fsum((x - mean) ** 2 for x in row) / len(row)


def layer_norm(
    X: Grid, gamma: Grid | None = None, beta: Grid | None = None, *, epsilon: Any = None, **at: str
) -> Grid:
    small = CONTEXT.mpf(10) ** -5 if epsilon is None else number(evaluate(epsilon).sympy())
    made = []
    for row in X:
        mean, variance = moments(row)
        outside = at.get("epsilon_at") == "deviation"
        below = CONTEXT.sqrt(variance) + small if outside else CONTEXT.sqrt(variance + small)
        gains, shifts = (gamma or ((1,) * len(row),))[0], (beta or ((0,) * len(row),))[0]
        made.append(tuple(g * (x - mean) / below + b for x, g, b in zip(row, gains, shifts, strict=True)))
    return tuple(made)


def sinusoid(X: Grid, width: int | None = None, base: Any = None, **first: str) -> Grid:
    start = int(first.pop("positions_from", "0"))
    places = tuple((CONTEXT.mpf(start + i),) for i in range(len(X)))
    return waves(places, width or len(X[0]), base, **first)


def waves(t: Grid, width: int, base: Any = None, **first: str) -> Grid:
    bottom = CONTEXT.mpf(10_000) if base is None else number(evaluate(base).sympy())

    def wave(t: Any, place: int) -> Any:
        k = place // 2 + int(first.get("frequencies_from", "0"))
        angle = t * CONTEXT.exp(-CONTEXT.log(bottom) * 2 * k / width)
        return CONTEXT.cos(angle) if place % 2 else CONTEXT.sin(angle)

    return tuple(tuple(wave(moment, place) for place in range(width)) for (moment,) in t)


def pairwise(function: Callable[[Any, Any], Any]) -> Callable[[Grid, Grid], Grid]:
    return lambda X, Y: tuple(tuple(map(function, r, s)) for r, s in zip(X, Y, strict=True))


def gelu(x: Any) -> Any:
    """x · Φ(x), by the other tail, so that nothing cancels."""
    return x * CONTEXT.erfc(-x / CONTEXT.sqrt(2)) / 2


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
    "one_hot": lambda X, length=None: tuple(
        tuple(CONTEXT.mpf(place == t) for place in range(length or len(X))) for t in range(len(X))
    ),
    "sinusoid": sinusoid,
    "waves": waves,
    "add": pairwise(operator.add),
    "subtract": pairwise(operator.sub),
    "times": pairwise(operator.mul),
    "product": times,
    "transpose": turned,
    "stack": lambda *rows: tuple(row for X in rows for row in X),
    "join": lambda X, Y: tuple((*r, *s) for r, s in zip(X, Y, strict=True)),
    "bilinear": bilinear,
    "additive": additive,
    "concat": lambda Q, K, W, v: additive(Q, K, W[: len(Q[0])], W[len(Q[0]) :], v),
    "cosine": cosine,
    "lengths": lambda S, lengths: masked(S, lambda i, j: j >= (lengths * len(S))[i]),
    "drop_keys": lambda S, keys: masked(S, lambda i, j: j in keys),
    "drop_queries": lambda A, queries: tuple(
        tuple(CONTEXT.zero if i in queries else a for a in row) for i, row in enumerate(A)
    ),
    "keep": lambda S, M: masked(S, lambda i, j: M[i][j] == 0),
    "drop": lambda S, M: masked(S, lambda i, j: M[i][j] == 1),
    "add_mask": pairwise(operator.add),
    "layer_norm": layer_norm,
    "recur": lambda X, W, H, U, b=None: pairwise(operator.add)(project(X, W, b), times(H, U)),
    "sigmoid": elementwise(lambda x: 1 / (1 + CONTEXT.exp(-x))),
    "blend": lambda Z, X, Y: tuple(
        tuple((1 - z) * x + z * y for z, x, y in zip(*rows, strict=True))
        for rows in zip(Z, X, Y, strict=True)
    ),
    "gate": lambda F, C, I, N: tuple(
        tuple(f * c + i * n for f, c, i, n in zip(*rows, strict=True))
        for rows in zip(F, C, I, N, strict=True)
    ),
    "tanh": elementwise(CONTEXT.tanh),
    "rectify": elementwise(lambda x: max(CONTEXT.zero, x)),
    "gelu": elementwise(gelu),
    "probabilities": softmax,
    "cross_entropy": lambda P, target: tuple((-CONTEXT.log(P[i][word]),) for i, word in enumerate(target)),
    "concatenate": lambda *heads: tuple(
        tuple(x for head in heads for x in head[i]) for i in range(len(heads[0]))
    ),
}


@cache
def values(name: str) -> dict[str, Grid]:
    """Every given and every result of a sample by name."""
    return values_of(trace_of(name))


def values_of(trace: Trace) -> dict[str, Grid]:
    """Every given and every result of a solved problem by name."""
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
