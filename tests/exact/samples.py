"""One matrix of every kind, three by three, with its SymPy twin, for tests that let all kinds meet."""

import sympy
from exact.oracle import softmax
from strategies import Drawn
from sympy import Rational as Q
from sympy import cos, exp, log, pi, sqrt, tanh

from attnsolve.exact import Rationals, matrix_of_cells
from attnsolve.exact.balls import Balls
from attnsolve.expressions import number

RATIONALS = Drawn(
    Rationals([[1, -6, 4], [0, 5, 8], [-2, 3, 0]], 4),
    sympy.Matrix([[1, -6, 4], [0, 5, 8], [-2, 3, 0]]) / 4,
)
OTHERS = Drawn(
    Rationals([[1, 0, 2], [-1, 1, 3], [2, 2, -1]], 3), sympy.Matrix([[1, 0, 2], [-1, 1, 3], [2, 2, -1]]) / 3
)


def typed(*rows: str) -> Rationals:
    """A matrix from typed numbers."""
    return matrix_of_cells([[number(text) for text in row.split()] for row in rows])  # type: ignore[return-value]


ROOTED = Drawn(
    typed("√2 -√2/2 0", "3√2 √2 -√2", "0 √2/4 √2"),
    sqrt(2) * sympy.Matrix([[1, -Q(1, 2), 0], [3, 1, -1], [0, Q(1, 4), 1]]),
)
SURDS = Drawn(
    typed("1+√2 √3 -1/2", "0 √6/2 2-√3", "ln(2) 1 √2*ln(3)"),
    sympy.Matrix(
        [
            [1 + sqrt(2), sqrt(3), -Q(1, 2)],
            [0, sqrt(6) / 2, 2 - sqrt(3)],
            [log(2), 1, sqrt(2) * log(3)],
        ]
    ),
)
SYMBOLIC = Drawn(
    typed("tanh(1) pi 1/2", "cos(1) 0 -pi", "√2 1/(1+√2) -tanh(1/2)"),
    sympy.Matrix([[tanh(1), pi, Q(1, 2)], [cos(1), 0, -pi], [sqrt(2), 1 / (1 + sqrt(2)), -tanh(Q(1, 2))]]),
)

KINDS = {
    "rational": RATIONALS,
    "one root": ROOTED,
    "surd": SURDS,
    "exponentials": Drawn(RATIONALS.ours.exp(), RATIONALS.sympys.applyfunc(exp)),
    "weights": Drawn(RATIONALS.ours.exp().normalised(), softmax(RATIONALS.sympys)),
    "surd weights": Drawn(SURDS.ours.exp().normalised(), softmax(SURDS.sympys)),
    "mixture": Drawn(
        RATIONALS.ours.exp().normalised() @ OTHERS.ours, softmax(RATIONALS.sympys) * OTHERS.sympys
    ),
    "surd mixture": Drawn(ROOTED.ours.exp().normalised() @ SURDS.ours, softmax(ROOTED.sympys) * SURDS.sympys),
    "symbolic": SYMBOLIC,
    "balls": Drawn(Balls.of(SURDS.ours), SURDS.sympys),
}
# Long forms as 90 digits: SymPy need not work them out again for every pair of kinds.
for name in ("surd weights", "mixture", "surd mixture"):
    KINDS[name] = Drawn(KINDS[name].ours, KINDS[name].sympys.evalf(90))

EXACT = ("rational", "one root", "surd")
ATTENTION = ("exponentials", "weights", "surd weights", "mixture", "surd mixture")
