"""Back through a read-out: of the cross-entropy to the probabilities, or to the logits at once."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals, matrix_of_cells
from attnsolve.exact.cells import ZERO, divide, multiply
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.readout import require_targets
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Product, Quotient, Stage, Sum, equals

UNITY, MINUS = Rational(1), Rational(-1)
TARGET = Option("target", "rows", "the number of the right word, for each row", required=True)


def frame(P: Frame, G: Frame, *, target: tuple[int, ...]) -> Frame:
    """As the probabilities."""
    if G.shape != (P.rows.size, 1):
        raise unfit("G", "{P} is {P:shape}, with a loss for each row", needs=(P.rows.size, 1), P=P, G=G)
    require_targets(P, target)
    return P


def at_target(P: Matrix, target: tuple[int, ...]) -> Rationals:
    """1 at the right word of each row, else 0."""
    return Rationals([[int(j == word) for j in range(P.shape[1])] for word in target])


def weighed(G: Matrix, rows: Matrix) -> Matrix:
    """Each row times the gradient of its loss."""
    places = range(rows.shape[0])
    diagonal = matrix_of_cells([[G.cell(i, 0) if i == j else ZERO for j in places] for i in places])
    return diagonal @ rows


def logits(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """The probabilities less 1 at the right word, times the gradient of the loss."""
    return weighed(G, P - at_target(P, target))


def logits_counting(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """A difference for each row, a product for each number."""
    G + G
    return P * P


def logits_lines(
    P: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """p - 1 at the right word, p elsewhere."""
    table, gradients = factors(names[0], P), factors(names[1], G)
    made = []
    for i, j, result in value.cells():
        p: Expression = table[i][j]
        less = Sum((p, Num(MINUS))) if options["target"][i] == j else p
        g = gradients[i][0]
        is_one = isinstance(g.cell, Rational) and g.cell.value == 1
        made.append(Line(i, j, (equals(less if is_one else Product((g, less))), *closing(result))))
    return tuple(made)


def logits_twin(P: Any, G: Any, *, target: tuple[int, ...]) -> Any:
    """torch's own derivative of its cross-entropy, at the logarithms of the probabilities."""
    import torch

    right = torch.nn.functional.one_hot(torch.tensor(target), P.shape[1]).to(P.dtype)
    jacobians = torch.diag_embed(P) - P[:, :, None] * P[:, None, :]
    return torch.einsum("ikj,ik->ij", jacobians, -right / P.clamp_min(1e-300)) * G


def added(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """1 added at the right word."""
    return weighed(G, P + at_target(P, target))


def other_sign(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """1 at the right word less the probabilities."""
    return weighed(G, at_target(P, target) - P)


def not_subtracted(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """The probabilities themselves."""
    return weighed(G, P)


LOGITS_GRADIENT = Op(
    name="logits_gradient",
    title="Back through cross-entropy and softmax: less 1 at the right word",
    parameters=("P", "G"),
    options=(TARGET,),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\operatorname{diag}(${G})\, (${P} - \operatorname{onehot}(t))",
        each=r"${out:ij} = ${G:i}\, (${P:ij} - [j = t_i])",
    ),
    frame=frame,
    rule=logits,
    counting=logits_counting,
    lines=logits_lines,
    twin=logits_twin,
    mistakes=(
        Mistake("right-word-forgotten", "Subtract 1 at the right word.", not_subtracted),
        Mistake(
            "target-less-probability",
            "It is the probability less the target, not the other way round.",
            other_sign,
        ),
        Mistake("one-added", "The 1 at the right word is subtracted, not added.", added),
    ),
)


def probabilities(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """-1/p at the right word, 0 elsewhere, times the gradient of the loss."""
    return matrix_of_cells(
        [
            [
                divide(multiply(MINUS, G.cell(i, 0)), P.cell(i, j)) if j == word else ZERO
                for j in range(P.shape[1])
            ]
            for i, word in enumerate(target)
        ]
    )


def probabilities_counting(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """A quotient for each row."""
    G / G
    return P


def probabilities_lines(
    P: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """-g/p at the right word."""
    table, gradients = factors(names[0], P), factors(names[1], G)
    made = []
    for i, j, result in value.cells():
        stages: tuple[Stage, ...] = ()
        if options["target"][i] == j:
            stages = (equals(Quotient(Product((Num(MINUS), gradients[i][0])), table[i][j])),)
        made.append(Line(i, j, (*stages, *closing(result))))
    return tuple(made)


def probabilities_twin(P: Any, G: Any, *, target: tuple[int, ...]) -> Any:
    """One-hot rows over the probabilities, by torch."""
    import torch

    right = torch.nn.functional.one_hot(torch.tensor(target), P.shape[1]).to(P.dtype)
    return torch.where(right > 0, -G * right / P, 0 * right)


def without_minus(P: Matrix, G: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """1/p at the right word."""
    return probabilities(P, G, target=target).scaled(MINUS)


CROSS_ENTROPY_GRADIENT = Op(
    name="cross_entropy_gradient",
    title="Back through the cross-entropy: minus 1 over the right word's probability",
    parameters=("P", "G"),
    options=(TARGET,),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"-\operatorname{diag}(${G})\, \operatorname{onehot}(t) \oslash ${P}",
        each=r"${out:ij} = -[j = t_i]\, \frac{${G:i}}{${P:ij}}",
    ),
    frame=frame,
    rule=probabilities,
    counting=probabilities_counting,
    lines=probabilities_lines,
    twin=probabilities_twin,
    mistakes=(
        Mistake("minus-forgotten", "The loss falls as the probability grows: mind the minus.", without_minus),
    ),
)
