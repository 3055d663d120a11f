"""Read-out: probabilities of the words of a vocabulary, and the cross-entropy of the right one."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.cells import divide
from attnsolve.exact.functions import apply
from attnsolve.ops import Role, exponentials, softmax
from attnsolve.ops.back import GRADIENT, RESULT, back, same_settings
from attnsolve.ops.base import (
    Axis,
    Check,
    Formula,
    Frame,
    Inner,
    Mistake,
    Onward,
    Op,
    Option,
    Options,
    Shortcut,
)
from attnsolve.ops.exponentials import EXPONENTIALS, EXPONENTIALS_OP, SUMS, SUMS_OP
from attnsolve.ops.misfits import counted, unfit
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Line, Num, Product, equals

MINUS = Rational(-1)


def as_logits(Y: Frame) -> Frame:
    """As the logits."""
    return Y


def shares(*, Y: Matrix | None = None, exp: Matrix | None = None, sum: Matrix | None = None) -> Matrix:
    """The probabilities from what there is of them: exponentials, sums or both."""
    return exponentials.weights(S=Y, exp=exp, sum=sum)


OF_LOGITS: dict[str, Any] = {"parameters": ("Y",), "options": (), "roles": (Role.TOKENS,), "variants": ()}
INNER = (
    Inner(
        EXPONENTIALS,
        EXPONENTIALS_OP._replace(
            name="probabilities_exponentials",
            title="Exponentials of the logits",
            formula=Formula(matrix=r"\exp(${Y})", each=r"${out:ij} = e^{${Y:ij}}"),
            **OF_LOGITS,
        ),
        replaces=("Y",),
    ),
    Inner(
        SUMS,
        SUMS_OP._replace(
            name="probabilities_sums",
            formula=Formula(matrix=r"\exp(${Y})\,\mathbf{1}", each=r"${out:i} = \sum_{k} e^{${Y:ik}}"),
            **OF_LOGITS,
        ),
    ),
)

PROBABILITIES = Op(
    name="probabilities",
    title="Softmax over the vocabulary",
    why="Every word gets a score; probabilities must not be negative and have to sum to 1.",
    parameters=("Y",),
    roles=(Role.TOKENS,),
    formula=Formula(
        matrix=r"\operatorname{softmax}(${Y})",
        each=r"${out:ij} = \frac{e^{${Y:ij}}}{\sum_{k} e^{${Y:ik}}}",
    ),
    frame=as_logits,
    rule=softmax.rule,
    lines=softmax.lines,
    twin=softmax.twin,
    inner=INNER,
    onward=Onward((EXPONENTIALS, SUMS), shares),
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        Mistake("without-exp", "Exponentiate the logits before dividing by their sum.", softmax.without_exp),
        Mistake("without-sum", "Divide each exponential by the sum of all of them.", softmax.without_sum),
    ),
    gradients=(back("Y", "softmax_gradient", RESULT, GRADIENT),),
)


def frame(P: Frame, *, target: tuple[int, ...]) -> Frame:
    """One number for each row."""
    require_targets(P, target)
    return Frame(P.rows, Axis(1))


def require_targets(P: Frame, target: tuple[int, ...]) -> None:
    """Refuse anything but one word that exists for each row of probabilities."""
    if len(target) != P.rows.size:
        said = f"{counted(len(target), 'target')} for {counted(P.rows.size, 'row')} of probabilities"
        raise unfit("target", f"{said}; each row has one right word")
    missing = [word for word in target if not 0 <= word < P.columns.size]
    if missing:
        known = f"the words are {{0:place}} to {{{P.columns.size - 1}:place}}"
        raise unfit("target", f"there is no word {{{missing[0]}:place}}; {known}")


def of_target(P: Matrix, target: tuple[int, ...]) -> Matrix:
    """The probability of the right word of each row, as a column."""
    rows = [P.take([i]).columns(word, word + 1) for i, word in enumerate(target)]
    return reduce(or_, rows).T


def rule(P: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """-ln p of the right word."""
    return of_target(P, target).each("ln").scaled(MINUS)


def lines(P: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The logarithm of one probability."""
    table = factors(names[0], P)
    return tuple(
        Line(i, 0, (equals(Product((Num(MINUS), Apply("ln", table[i][word])))), *closing(value.cell(i, 0))))
        for i, word in enumerate(options["target"][: value.shape[0]])
    )


def twin(P: Any, *, target: tuple[int, ...]) -> Any:
    """torch's own negative log-likelihood."""
    import torch

    return torch.nn.functional.nll_loss(P.log(), torch.tensor(target), reduction="none")[:, None]


def without_minus(P: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """ln p."""
    return of_target(P, target).each("ln")


def with_base_ten(P: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """-log₁₀ p."""
    return rule(P, target=target).scaled(divide(Rational(1), apply("ln", Rational(10))))


def with_base_two(P: Matrix, *, target: tuple[int, ...]) -> Matrix:
    """-log₂ p."""
    return rule(P, target=target).scaled(divide(Rational(1), apply("ln", Rational(2))))


CROSS_ENTROPY = Op(
    name="cross_entropy",
    title="Cross-entropy: minus the logarithm of the right word's probability",
    why="The more probable the right word was, the smaller the loss: 0 would be certainty.",
    parameters=("P",),
    options=(Option("target", "rows", "the number of the right word, for each row", required=True),),
    roles=(Role.TOKENS,),
    formula=Formula(matrix=r"-\ln ${P:target}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "without-minus", "A loss is not negative: mind the minus before the logarithm.", without_minus
        ),
        Mistake(
            "with-base-ten", "The logarithm is the natural one, ln, not the one with base 10.", with_base_ten
        ),
        Mistake(
            "with-base-two", "The logarithm is the natural one, ln, not the one with base 2.", with_base_two
        ),
    ),
    gradients=(back("P", "cross_entropy_gradient", "P", GRADIENT, settings=same_settings),),
    # Whoever takes both steps back at once writes less, and nothing cancels.
    shortcut=Shortcut(
        ("probabilities", "softmax"), back("P", "logits_gradient", "P", GRADIENT, settings=same_settings)
    ),
)
