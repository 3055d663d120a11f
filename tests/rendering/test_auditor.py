"""Every = and ≈ of every page is true: bundled problems, samples, and small problems drawn at random."""

import pytest
from rendering.auditor import assert_not_exact, audit, drawn_problem, put_in
from rendering.calculator import CONTEXT, Equation, assert_true
from rendering.samples import NAMES, trace_of

from attnsolve.engine import solve
from attnsolve.errors import UndefinedStep
from attnsolve.loader import loads
from attnsolve.rendering import Settings

# Their numbers differ from what is printed by less than 60 digits tell.
BEYOND = ("huge-scores", "far-apart", "eecs182-discussion-8", "columns", "long-fractions")
# A student goes on from rounded numbers here.
ROUNDED = ("rounded", "truncated", "rounded-mask")
SEEDS = range(40)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ROUNDED])
def test_every_page_is_true(name: str) -> None:
    trace = trace_of(name)
    if trace.steps:
        assert audit(trace, Settings(), sees_exact=name not in BEYOND)


@pytest.mark.parametrize("seed", SEEDS)
def test_pages_of_drawn_problems_are_true(seed: int) -> None:
    try:
        trace = solve(loads(drawn_problem(seed)))
    except UndefinedStep:
        return  # a share of 0, or a tie that argmax refuses
    assert audit(trace, Settings())
    assert audit(trace, Settings(working="all", numbers="decimals"))


def test_most_drawn_problems_have_a_value() -> None:
    def has_value(seed: int) -> bool:
        try:
            solve(loads(drawn_problem(seed)))
        except UndefinedStep:
            return False
        return True

    assert sum(map(has_value, SEEDS)) >= 3 * len(SEEDS) // 4


@pytest.mark.parametrize(
    "stages",
    [
        (("=", "(2)(0.5) + 1"), ("=", "3")),
        (("=", r"\tanh(1)"), (r"\approx", "0.7615")),
        (("=", r"\tanh(1) + \tanh(2)"), (r"\approx", "0.76 + 0.95"), (r"\approx", "1.7256")),
        (("=", "2"), (r"\approx", "(1.5)(1.5)")),
        (("=", r"\operatorname{GELU}(1)"), (r"\approx", r"0.8414")),
    ],
)
def test_a_false_line_is_seen(stages: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(AssertionError):
        assert_true(Equation("x", stages))


TWO = Equation("x", ((r"\approx", "2.0000"),))


def test_what_is_exact_must_not_be_called_approximate() -> None:
    with pytest.raises(AssertionError, match="is exact"):
        assert_not_exact(TWO, ((CONTEXT.mpf(2),),))
    assert_not_exact(TWO, ((2 + CONTEXT.mpf(10) ** -20,),))


def test_longer_names_are_put_in_first() -> None:
    assert "(2) + (1)" == put_in(r"x_{1,2} + x_{1}", {"x_{1}": "(1)", "x_{1,2}": "(2)"})
