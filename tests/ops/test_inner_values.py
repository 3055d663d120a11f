"""The contract of inner values: they are what paper has inside an op, and lead on to its result."""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Any

import pytest
import sympy
from ops.examples import EXAMPLES, Example
from ops.expected import expected, on_paper, paper_options
from ops.matrices import framed, our_options, ours
from ops.paper import seen
from proofs import assert_is, assert_lines_hold

from attnsolve.ops import OPS, Family, Inner, Op

# -- the definitions on paper, by SymPy and by another way than the rules -------------------------------


def paper_exponentials(op: Op, case: Example, S: Any, temperature: Any = 1) -> Any:
    return S.applyfunc(lambda s: sympy.Integer(0) if s == -sympy.oo else sympy.exp(s / temperature))


def paper_sums(op: Op, case: Example, S: Any, **options: Any) -> Any:
    raised = paper_exponentials(op, case, S, **options)
    return sympy.Matrix([sum(raised[i, :]) for i in range(S.rows)])


def paper_powers(op: Op, case: Example, S: Any) -> Any:
    return S.applyfunc(lambda s: sympy.Integer(0) if s == -sympy.oo else sympy.Integer(2) ** s)


def paper_sums_of_powers(op: Op, case: Example, S: Any) -> Any:
    raised = paper_powers(op, case, S)
    return sympy.Matrix([sum(raised[i, :]) for i in range(S.rows)])


def paper_dot(op: Op, case: Example, Q: Any, K: Any) -> Any:
    return sympy.Matrix(Q.rows, K.rows, lambda i, j: Q[i, :].dot(K[j, :]))


def paper_lengths(X: Any) -> Any:
    return sympy.Matrix([sympy.sqrt(sympy.expand(X[i, :].dot(X[i, :]))) for i in range(X.rows)])


def paper_mean(op: Op, case: Example, X: Any, *others: Any, **options: Any) -> Any:
    return sympy.Matrix([sum(X[i, :]) / X.cols for i in range(X.rows)])


def paper_variance(op: Op, case: Example, X: Any, *others: Any, **options: Any) -> Any:
    """The mean of the squares less the square of the mean."""
    means = paper_mean(op, case, X)
    squares = [sum(x**2 for x in X[i, :]) / X.cols for i in range(X.rows)]
    return sympy.Matrix([sympy.expand(squares[i] - means[i] ** 2) for i in range(X.rows)])


def paper_deviation(op: Op, case: Example, X: Any, *others: Any, **options: Any) -> Any:
    return paper_variance(op, case, X).applyfunc(sympy.sqrt)


def paper_support(op: Op, case: Example, S: Any, **options: Any) -> Any:
    """Where the weights of the definition on paper are above 0."""
    return expected(op, case).applyfunc(lambda p: sympy.Integer(bool(sympy.N(p, 50) > sympy.Float("1e-40"))))


def paper_tau(op: Op, case: Example, S: Any, alpha: Any = None) -> Any:
    """From one weight p of each row: τ = (α - 1)s - p^{α - 1}."""
    factor = {"sparsemax": sympy.Integer(1), "entmax15": sympy.Rational(1, 2)}.get(op.name)
    factor = alpha - 1 if factor is None else factor
    weights, found = expected(op, case), []
    for i in range(S.rows):
        j = max(seen(S, i), key=lambda j: sympy.N(weights[i, j], 50))
        found.append(factor * S[i, j] - weights[i, j] ** factor)
    return sympy.Matrix(found)


def paper_products(op: Op, case: Example, Q: Any, K: Any) -> Any:
    rows = [[Q[i, k] * K[j, k] for k in range(Q.cols)] for i in range(Q.rows) for j in range(K.rows)]
    return sympy.Matrix(rows)


def paper_inside(op: Op, case: Example, Q: Any, K: Any, W: Any, *others: Any) -> Any:
    """The long vector [q, k] times the two matrices one above the other."""
    whole = W.col_join(others[0]) if op.name == "additive" else W
    rows = [Q[i, :].row_join(K[j, :]) * whole for i in range(Q.rows) for j in range(K.rows)]
    return sympy.Matrix.vstack(*rows)


def paper_tanh(op: Op, case: Example, *inputs: Any) -> Any:
    return paper_inside(op, case, *inputs).applyfunc(sympy.tanh)


ON_PAPER: dict[str, Callable[..., Any]] = {
    "exp": paper_exponentials,
    "powers": paper_powers,
    "sum": lambda op, *given, **options: (paper_sums_of_powers if op.name == "softmax2" else paper_sums)(
        op, *given, **options
    ),
    "dot": paper_dot,
    "query_length": lambda op, case, Q, K: paper_lengths(Q),
    "key_length": lambda op, case, Q, K: paper_lengths(K),
    "mean": paper_mean,
    "variance": paper_variance,
    "deviation": paper_deviation,
    "support": paper_support,
    "tau": paper_tau,
    "products": paper_products,
    "inside": paper_inside,
    "tanh": paper_tanh,
}

INSIDE = [(op, inner) for op in OPS for inner in op.inner]
every_inner = pytest.mark.parametrize(
    ("op", "inner"), INSIDE, ids=[f"{op.name}: {inner.name}" for op, inner in INSIDE]
)
CASES = [(op, inner, case) for op, inner in INSIDE for case in EXAMPLES[op.name]]
IDS = [f"{op.name}: {inner.name} of {case.inputs} {case.options or ''}".strip() for op, inner, case in CASES]
every_case = pytest.mark.parametrize(("op", "inner", "case"), CASES, ids=IDS)


def carried_out(op: Op, inner: Inner, case: Example) -> Any:
    return inner.op.rule(*map(ours, case.inputs), **our_options(op, case))


@every_case
def test_an_inner_value_is_what_paper_has(op: Op, inner: Inner, case: Example) -> None:
    inputs, options = map(on_paper, case.inputs), paper_options(op, case)
    wanted, value = ON_PAPER[inner.name](op, case, *inputs, **options), carried_out(op, inner, case)
    assert wanted.shape == value.shape
    for i, j, cell in value.cells():
        assert_is(wanted[i, j], cell)


@every_case
def test_every_stage_of_its_lines_is_the_cell(op: Op, inner: Inner, case: Example) -> None:
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = inner.op.rule(*inputs, **options)
    lines = inner.op.lines(*inputs, value=value, options=options, names=tuple("PQRST"[: len(inputs)]))
    assert_lines_hold(lines, value, *inputs)


@every_case
def test_its_frame_is_its_shape(op: Op, inner: Inner, case: Example) -> None:
    frames = [framed("{}×{}".format(*ours(source).shape)) for source in case.inputs]
    assert inner.op.frame(*frames, **our_options(op, case)).shape == carried_out(op, inner, case).shape


@every_case
def test_torch_agrees(op: Op, inner: Inner, case: Example) -> None:
    torch = pytest.importorskip("torch")

    def tensor(rows: list[list[Any]]) -> Any:
        return torch.tensor(rows, dtype=torch.float64)

    inputs = [
        tensor([[float(sympy.N(x, 30)) for x in row] for row in on_paper(source).tolist()])
        for source in case.inputs
    ]
    options = {
        name: float(value) if isinstance(value, sympy.Expr) else value
        for name, value in paper_options(op, case).items()
    }
    value = carried_out(op, inner, case)
    mine = tensor([[float(ball.mid()) for ball in row] for row in value.balls(64)])
    largest = float(mine.abs().max()) or 1.0
    # A deviation is the root of a variance, and so has half its digits where that is nearly 0.
    near = 1e-7 if inner.name == "deviation" else 1e-12
    torch.testing.assert_close(inner.op.twin(*inputs, **options), mine, rtol=1e-12, atol=near * largest)


@every_case
def test_the_result_follows_from_whatever_is_there_of_it(op: Op, inner: Inner, case: Example) -> None:
    """From this inner value alone, and from it with any of the others."""
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    there = {one.name: one.op.rule(*inputs, **options) for one in op.inner}
    for target in (op, *(later.op for later in op.inner)):
        if target.onward is None or inner.name not in target.onward.start:
            continue
        wanted = target.rule(*inputs, **options)
        others = [name for name in target.onward.start if name != inner.name]
        for more in chain.from_iterable(combinations(others, n) for n in range(len(others) + 1)):
            chosen = {inner.name, *more}
            replaced = {name for one in op.inner if one.name in chosen for name in one.replaces}
            named = dict(zip(op.parameters, inputs, strict=False)) | {name: there[name] for name in chosen}
            left = {name: value for name, value in named.items() if name not in replaced}
            made = target.onward.rule(**left, **options)
            for mine, yours in zip(made.balls(256), wanted.balls(256), strict=True):
                assert all(a.overlaps(b) for a, b in zip(mine, yours, strict=True)), (target, chosen)


@every_inner
def test_its_record_is_complete(op: Op, inner: Inner) -> None:
    assert inner.op.family is Family.INNER
    assert inner.op.parameters == op.parameters
    assert inner.op.roles == op.roles
    assert inner.op.options == op.options
    assert inner.op.symbol
    assert inner.op.twin.__doc__ and inner.op.rule.__doc__
    assert set(inner.replaces) <= {*op.parameters, *(other.name for other in op.inner)}
    assert op.onward is not None
    names = [other.name for other in op.inner]
    for target in (op, inner.op):
        assert target.onward is None or set(target.onward.start) <= set(names)


def test_names_are_unique() -> None:
    names = [inner.op.name for _, inner in INSIDE]
    assert len(names) == len(set(names))
    assert not {*names} & {op.name for op in OPS}
