"""Floats that steer the search: near enough to the truth, and the same on every machine."""

import ast
import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, UndefinedStep
from attnsolve.exact import Rationals
from attnsolve.exact.cells import surd
from attnsolve.loader import load
from attnsolve.variants import rough
from attnsolve.variants.rough import FUNCTIONS, Rough

PROBLEMS = sorted(Path(__file__).parents[2].joinpath("problems").glob("*.yaml"))
# The C library's functions differ in the last bit from machine to machine, and `sum` adds floats
# otherwise since Python 3.12. `fsum`, `hypot` and `**` are no safer.
UNSAFE = {"sum", "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "pow", "tanh", "erf", "erfc"} | {
    *("fsum", "sumprod", "hypot", "dist", "sin", "cos", "cbrt", "gamma", "fma", "math", "numpy", "random")
}
SAFE_FROM_MATH = {"inf", "isfinite", "ldexp", "frexp", "sqrt", "lcm"}


@pytest.mark.parametrize("module", ["rough", "search", "rough_search", "lattice", "lattice_search"])
def test_only_operations_that_ieee_754_fixes_are_used(module: str) -> None:
    path = Path(inspect.getfile(rough)).with_name(f"{module}.py")
    tree = ast.parse(path.read_text("utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "math"
        for alias in node.names
    }
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    powers = [node for node in ast.walk(tree) if isinstance(node, ast.Pow)]
    # In rough_search.py `sum` counts the keys that a mask keeps: whole numbers.
    counted = {"sum"} if module == "rough_search" else set()
    assert (counted, set(), set()) == (called & UNSAFE, modules & UNSAFE, imported - SAFE_FROM_MATH)
    assert [] == powers


GRID = [x / 7 for x in range(-140, 141)]
# Function of ours, the C library's, where, and the largest error relative to it or absolute.
FLOATS: dict[str, tuple[Callable[[float], float], list[float], float, float]] = {
    "exp": (math.exp, [*GRID, -600.0, 600.0, 699.9, -699.9], 1e-9, 0.0),
    "exp2": (lambda x: 2.0**x, GRID, 1e-9, 0.0),
    "ln": (
        math.log,
        [x for x in GRID if x > 0] + [1.0, 1e-300, 1e300, 0.9999999, 1.0000001, 2.0],
        1e-9,
        2e-9,
    ),
    "sqrt": (math.sqrt, [x for x in GRID if x >= 0], 1e-15, 0.0),
    "tanh": (math.tanh, GRID, 1e-9, 1e-9),
    "sigmoid": (lambda x: 1 / (1 + math.exp(-x)), GRID, 2e-9, 0.0),
    "erf": (math.erf, GRID, 0.0, 1.5e-7),
    "gelu": (lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2, GRID, 0.0, 20 * 1.5e-7),
    "relu": (lambda x: max(x, 0.0), GRID, 0.0, 0.0),
}


def test_every_function_has_a_yardstick() -> None:
    assert set(FUNCTIONS) == set(FLOATS)


@pytest.mark.parametrize("name", FLOATS)
def test_functions_made_from_plain_operations_are_near_the_true_ones(name: str) -> None:
    true, places, relative, absolute = FLOATS[name]
    for x in places:
        assert FUNCTIONS[name](x) == pytest.approx(true(x), rel=relative, abs=absolute), x


def test_exponentials_out_of_range_are_0_or_refused() -> None:
    assert 0.0 == rough.exponential(-1e9)
    assert 0.0 == rough.exponential(-math.inf)
    with pytest.raises(UndefinedStep):
        rough.exponential(1e9)


@pytest.mark.parametrize(("name", "x"), [("ln", 0.0), ("ln", -1.0), ("sqrt", -1.0)])
def test_functions_without_a_value_are_refused(name: str, x: float) -> None:
    with pytest.raises(UndefinedStep):
        FUNCTIONS[name](x)


def test_sums_are_added_up_from_the_left() -> None:
    # 1e16 + 1 is 1e16 in floats: from the left nothing is left over, in any better way 2 is.
    numbers = [1e16, 1.0, 1.0, -1e16]
    assert 0.0 == rough.added(numbers)
    assert 0.0 == rough.dot(numbers, [1.0] * 4)
    assert [[0.0]] == (Rough([numbers]) @ Rough([[1.0]] * 4)).rows
    assert [[0.0] * 4] == Rough([numbers]).means().rows


A, B = [[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]], [[2.0, 0.5, 1.0], [-1.0, 4.0, 0.75]]
VERBS: dict[str, tuple[Callable[[Rough, Rough], Rough], Callable[..., numpy.ndarray]]] = {
    "add": (lambda a, b: a + b, numpy.add),
    "subtract": (lambda a, b: a - b, numpy.subtract),
    "multiply": (lambda a, b: a * b, numpy.multiply),
    "divide": (lambda a, b: a / b, numpy.divide),
    "multiply matrices": (lambda a, b: a @ b.transposed(), lambda a, b: a @ b.T),
    "put side by side": (lambda a, b: a | b, lambda a, b: numpy.hstack([a, b])),
    "normalise": (lambda a, b: b.normalised(), lambda a, b: b / b.sum(axis=1, keepdims=True)),
    "average": (lambda a, b: b.means(), lambda a, b: numpy.repeat(b.mean(axis=1, keepdims=True), 3, axis=1)),
    "exponentiate": (lambda a, b: a.exp(), lambda a, b: numpy.exp(a)),
    "rectify": (lambda a, b: a.relu(), lambda a, b: numpy.maximum(a, 0)),
    "take rows": (lambda a, b: a.take([1]), lambda a, b: a[[1]]),
    "take columns": (lambda a, b: a.columns(1, 3), lambda a, b: a[:, 1:3]),
}


@pytest.mark.parametrize("verb", VERBS)
def test_verbs_do_what_numpy_does(verb: str) -> None:
    ours, theirs = VERBS[verb]
    found = numpy.array(ours(Rough(A), Rough(B)).rows)
    assert found == pytest.approx(theirs(numpy.array(A), numpy.array(B)), rel=1e-9)
    exact = Rationals.of([[Fraction(x) for x in row] for row in B])
    if verb not in ("normalise", "average"):
        mixed = numpy.array(ours(Rough(A), exact).rows)  # type: ignore[arg-type]
        assert mixed == pytest.approx(found, rel=1e-12)


def test_other_kinds_become_floats_when_they_meet_one() -> None:
    exact = Rationals.of([[1, 2]])
    for made in (exact + Rough([[0.5, 0.5]]), Rough([[0.5, 0.5]]) + exact):
        assert isinstance(made, Rough)
        assert [[1.5, 2.5]] == made.rows


def test_a_root_is_seen_as_the_nearest_float() -> None:
    assert rough.rough(surd({(2, ()): 1})) == pytest.approx(math.sqrt(2), rel=1e-15)


def test_rows_without_a_sum_cannot_be_normalised() -> None:
    with pytest.raises(UndefinedStep, match=r"row 2 has the sum 0\.0"):
        Rough([[1.0, 1.0], [1.0, -1.0]]).normalised()


def test_all_places_of_the_maximum_are_named() -> None:
    assert [(1,), (0, 2)] == Rough([[0.0, 2.0, 1.0], [1.0, 0.0, 1.0]]).maxima()


# Scores of 1054 are too large for floats without a shift; the search never gets near them.
TOO_LARGE = {"eecs182-discussion-8": {"b.A", "b.Z"}}


@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_floats_agree_with_the_exact_solution_of_bundled_problems(path: Path) -> None:
    problem = load(path)
    assert problem.rounding is None
    # A mask stays what it is: the search never makes it rough.
    values = {name: given.value for name, given in problem.givens.items()}
    known = {name: value if value.kind == "masked" else Rough.of(value) for name, value in values.items()}
    missed = set()
    for step in solve(problem).steps:
        call = step.call
        try:
            known[call.out] = call.op.rule(*[known[name] for name in call.args], **call.options)
        except (AttnsolveError, KeyError):
            missed.add(call.out)
            continue
        if step.value.kind != "masked":
            true = [[float(ball.mid()) for ball in row] for row in step.value.balls(128)]
            found = numpy.array(Rough.of(known[call.out]).rows)
            assert found == pytest.approx(numpy.array(true), rel=1e-6, abs=1e-6), call.out
    assert TOO_LARGE.get(path.stem, set()) == missed
