"""SymPy expressions as balls: each function and constant that our numbers may contain."""

import pytest
import sympy
from sympy import Rational as Q
from sympy import cos, exp, log, pi, sin, sqrt, tanh

from attnsolve.errors import AttnsolveError
from attnsolve.exact.precision import precision
from attnsolve.exact.translation import expression_ball, expression_text

a, b, c = sin(1), cos(2), tanh(3)


@pytest.mark.parametrize(
    "expression",
    [
        Q(-2, 3),
        pi,
        sympy.E,
        exp(Q(3, 2)),
        log(7),
        sqrt(5),
        1 / sqrt(5),
        sympy.cbrt(2),
        pi**3,
        pi**-2,
        2**pi,
        a * b - c,
        (a + b) ** 5,
        exp(-tanh(Q(1, 3))),
        sqrt(2 + sqrt(2)),
        log(1 + sqrt(3)),
    ],
)
def test_balls_are_those_of_sympy(expression: sympy.Expr) -> None:
    with precision(300):
        ball = expression_ball(expression)
    assert ball.rel_accuracy_bits() > 250
    assert (
        abs(sympy.Float(ball.str(60, radius=False), 60) - expression.evalf(60))
        < abs(expression.evalf(10)) / 10**57
    )


def test_unknown_functions_are_refused() -> None:
    with pytest.raises(AttnsolveError, match="no certified value for"):
        expression_ball(sympy.gamma(Q(1, 3)))


def test_text_writes_e_as_a_function() -> None:
    assert "exp(1) + pi" == expression_text(sympy.E + pi)
