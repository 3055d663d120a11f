"""The GRU that is counted is a GRU: on numbers its step gives what the formulas give, by mpmath."""

from typing import Any

import mpmath

from attnsolve.costs.gru import Weights, count_gru, step
from attnsolve.exact import Matrix, Rationals

mp = mpmath.MPContext()
mp.prec = 120
X, H = [[1, -2]], [[3, 1]]
MATRICES = [
    [[1, 2], [0, -1]],
    [[1, 0], [1, 1]],
    [[0, 1], [2, 0]],
    [[-1, 0], [0, 1]],
    [[1, 1], [0, 1]],
    [[0, -1], [1, 0]],
]


def times(x: list[Any], matrix: list[list[int]]) -> list[Any]:
    return [sum(a * row[j] for a, row in zip(x, matrix, strict=True)) for j in range(2)]


def sigma(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def by_hand() -> dict[str, list[Any]]:
    x, h = X[0], H[0]
    W_z, U_z, W_r, U_r, W_n, U_n = MATRICES
    z = [sigma(a + b) for a, b in zip(times(x, W_z), times(h, U_z), strict=True)]
    r = [sigma(a + b) for a, b in zip(times(x, W_r), times(h, U_r), strict=True)]
    reset = times([a * b for a, b in zip(r, h, strict=True)], U_n)
    n = [mp.tanh(a + b) for a, b in zip(times(x, W_n), reset, strict=True)]
    return {"z": z, "r": r, "n": n, "h": [(1 - a) * b + a * c for a, b, c in zip(z, h, n, strict=True)]}


def test_step_is_that_of_a_gru() -> None:
    weights = Weights(*map(Rationals, MATRICES), ones=Rationals([[1, 1]]))
    found: dict[str, Matrix] = dict(step(Rationals(X), Rationals(H), weights))
    expected = by_hand()
    assert list(expected) == list(found)
    for name, numbers in expected.items():
        for j, number in enumerate(numbers):
            middle = mp.mpf(str(found[name].cell(0, j).ball(200).mid().str(40, radius=False)))
            assert abs(number - middle) < mp.mpf(10) ** -30


def test_cost_is_that_of_every_token() -> None:
    cost = count_gru()
    assert ["z", "r", "n", "h"] == [step.name for step in cost.steps]
    assert "6*d^2 + 3*d" == str(cost.once.multiplications)
    assert "6*l*d^2 + 3*l*d" == str(cost.total.multiplications)
