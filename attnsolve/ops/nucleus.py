"""What is sampled from: the most probable words, so many or so much of them, and their shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from attnsolve.errors import Uncountable
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.cells import add, subtract
from attnsolve.languages import message
from attnsolve.ops.base import Check, Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.top_k import sorted_places
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Quotient, Sum, equals, evaluate

# The words of a row that are kept, of those from the most to the least probable.
Chooser = Callable[[Matrix, int, list[int], Any], list[int]]


def so_many(P: Matrix, i: int, order: list[int], k: int) -> list[int]:
    """The k most probable words; of equal ones the first."""
    return order[:k]


def so_much(P: Matrix, i: int, order: list[int], p: Expression) -> list[int]:
    """The fewest words whose probabilities add up to p or more."""
    total, kept = P.cell(i, order[0]), order[:1]
    for j in order[1:]:
        if subtract(total, evaluate(p)).sign() >= 0:
            break
        total, kept = add(total, P.cell(i, j)), [*kept, j]
    return kept


def mask_of(P: Matrix, choose: Chooser, limit: Any) -> Rationals:
    """1 for the words that are kept, 0 for the others."""
    rows = []
    for i in range(P.shape[0]):
        kept = choose(P, i, sorted_places(P, i, list(range(P.shape[1]))), limit)
        rows.append([int(j in kept) for j in range(P.shape[1])])
    return Rationals(rows)


def shares(P: Matrix, choose: Chooser, limit: Any) -> Matrix:
    """The probabilities of the words that are kept over their sum."""
    return (P * mask_of(P, choose, limit)).normalised()


def sampling_lines(P: Matrix, value: Matrix, names: tuple[str, ...], kept: Rationals) -> tuple[Line, ...]:
    """A probability over the sum of those that are kept; 0 for the others."""
    table, made = factors(names[0], P), []
    for i, j, result in value.cells():
        if not kept.rows[i][j]:
            made.append(Line(i, j, (equals(Num(Rational(0))),)))
            continue
        below = Sum(tuple(x for x, yes in zip(table[i], kept.rows[i], strict=True) if yes))
        made.append(Line(i, j, (equals(Quotient(table[i][j], below)), *closing(result))))
    return tuple(made)


def uncounted(P: Matrix, **settings: Any) -> NoReturn:
    """How many are kept depends on the probabilities."""
    raise Uncountable(message("how many words are kept depends on their probabilities"))


def top_rule(P: Matrix, *, k: int) -> Matrix:
    """The k most probable words of each row, over their sum."""
    return shares(P, so_many, k)


def top_lines(P: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Each kept probability over the sum of those that are kept."""
    return sampling_lines(P, value, names, mask_of(P, so_many, options["k"]))


def top_frame(P: Frame, *, k: int) -> Frame:
    """As the probabilities."""
    if not 1 <= k <= P.columns.size:
        raise unfit("k", f"the {k} most probable of {P.columns.size} words; k is from 1 to {P.columns.size}")
    return P


def top_twin(P: Any, *, k: int) -> Any:
    """torch's softmax of the logarithms of what its sort has first."""
    import torch

    order = torch.sort(P, dim=1, descending=True, stable=True).indices[:, :k]
    kept = torch.full_like(P, float("-inf")).scatter(1, order, P.gather(1, order).log())
    return torch.softmax(kept, dim=1)


def nucleus_rule(P: Matrix, *, p: Expression) -> Matrix:
    """The fewest words with at least p of the probability, over their sum."""
    return shares(P, so_much, p)


def nucleus_lines(P: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Each kept probability over the sum of those that are kept."""
    return sampling_lines(P, value, names, mask_of(P, so_much, options["p"]))


def nucleus_frame(P: Frame, *, p: Expression) -> Frame:
    """As the probabilities."""
    if subtract(evaluate(p), Rational(1)).sign() > 0:
        raise unfit("p", "p is a probability, so it is at most 1")
    return P


def nucleus_twin(P: Any, *, p: float) -> Any:
    """torch's cumulative sums of sorted probabilities: a word is kept if less than p stands before it."""
    import torch

    ordered, order = torch.sort(P, dim=1, descending=True, stable=True)
    before = torch.cumsum(ordered, dim=1) - ordered
    kept = torch.where(before < p - 1e-12, ordered, 0.0)
    kept[:, 0] = ordered[:, 0]
    return torch.zeros_like(P).scatter(1, order, kept / kept.sum(dim=1, keepdim=True))


def top_unshared(P: Matrix, *, k: int) -> Matrix:
    """The others set to 0, and no more."""
    return P * mask_of(P, so_many, k)


def top_all(P: Matrix, *, k: int) -> Matrix:
    """All words kept."""
    return P


def nucleus_unshared(P: Matrix, *, p: Expression) -> Matrix:
    """The others set to 0, and no more."""
    return P * mask_of(P, so_much, p)


def nucleus_below(P: Matrix, *, p: Expression) -> Matrix:
    """Every word that itself has at least p, or else the most probable."""

    def at_least(P: Matrix, i: int, order: list[int], p: Expression) -> list[int]:
        return [j for j in order if subtract(P.cell(i, j), evaluate(p)).sign() >= 0] or order[:1]

    return shares(P, at_least, p)


JUMPS = "it chooses words to sample from, which come and go at once; nothing is learned through it"
UNSHARED = "Divide by the sum of what is kept, so that the probabilities sum to 1 again."

TOP_WORDS = Op(
    name="top_words",
    title="Top-k: keep the most probable words and share again",
    parameters=("P",),
    options=(Option("k", "count", "how many words are kept", required=True),),
    roles=(Role.TOKENS,),
    formula=Formula(
        matrix=r"\operatorname{top}(${P})",
        each=r"${out:ij} = \frac{${P:ij}}{\sum_{k} ${P:ik}} \text{ over the words that are kept, else } 0",
    ),
    frame=top_frame,
    rule=top_rule,
    counting=uncounted,
    lines=top_lines,
    twin=top_twin,
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        Mistake("not-shared-again", UNSHARED, top_unshared),
        Mistake("all-words-kept", "Only the most probable words are kept.", top_all),
    ),
    no_gradient=JUMPS,
)

NUCLEUS = Op(
    name="nucleus",
    title="Top-p: keep the fewest words with so much probability and share again",
    parameters=("P",),
    options=(
        Option(
            "p",
            "number",
            "how much probability the kept words have at least",
            symbol="p",
            positive=True,
            required=True,
        ),
    ),
    roles=(Role.TOKENS,),
    formula=Formula(
        matrix=r"\operatorname{top}_{${p}}(${P})",
        each=r"${out:ij} = \frac{${P:ij}}{\sum_{k} ${P:ik}} \text{ over the words that are kept, else } 0",
    ),
    frame=nucleus_frame,
    rule=nucleus_rule,
    counting=uncounted,
    lines=nucleus_lines,
    twin=nucleus_twin,
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        Mistake("not-shared-again", UNSHARED, nucleus_unshared),
        Mistake(
            "each-above-p",
            "Add probabilities up from the largest until they reach p together.",
            nucleus_below,
        ),
    ),
    no_gradient=JUMPS,
)
