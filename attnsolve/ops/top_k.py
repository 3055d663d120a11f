"""Top-k softmax: only the k largest scores of each row take part."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import Uncountable
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.cells import subtract
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.languages import message
from attnsolve.ops import Role, softmax
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Check, Family, Formula, Frame, Mistake, Op, Option, Options, UndefinedRow
from attnsolve.ops.misfits import unfit
from attnsolve.ops.normaliser import down_columns, require_keys
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Line, Num, Quotient, Sum, equals

TIES = ("refuse", "first")
TIED = (
    "query {row}: the scores of keys {columns} are equal, and only some of them are among the largest; "
    "say 'ties: first'"
)


def frame(S: Frame, *, k: int, ties: str = "refuse") -> Frame:
    """As the scores, of which there are at least k in a row."""
    if not 1 <= k <= S.columns.size:
        raise unfit("k", f"the {k} largest of {S.columns.size} keys; k is from 1 to {S.columns.size}")
    return S


def largest(S: Matrix, k: int, ties: str) -> Rationals:
    """1 for the k largest numbers of each row, 0 for the others; all where fewer are visible."""
    kept = []
    for i in S.row_places():
        places = [j for j, seen in enumerate(visible(S).rows[i]) if seen]
        order = sorted_places(shown(S), i, places)
        chosen, rest = order[:k], order[k:]
        tied = [j for j in order if rest and is_equal(shown(S), i, j, chosen[-1])]
        if ties == "refuse" and any(j in rest for j in tied):
            raise UndefinedRow(TIED, i, sorted(tied))
        kept.append([int(j in chosen) for j in range(S.shape[1])])
    return Rationals(kept)


def sorted_places(S: Matrix, i: int, places: list[int]) -> list[int]:
    """The places of a row from its largest number to its smallest, equal ones in their order."""
    order: list[int] = []
    for j in places:
        here = next(
            (at for at, other in enumerate(order) if subtract(S.cell(i, j), S.cell(i, other)).sign() > 0),
            None,
        )
        order.insert(len(order) if here is None else here, j)
    return order


def is_equal(S: Matrix, i: int, j: int, other: int) -> bool:
    """Whether two numbers of a row are equal."""
    return j == other or subtract(S.cell(i, j), S.cell(i, other)).sign() == 0


def rule(S: Matrix, *, k: int, ties: str = "refuse") -> Matrix:
    """Softmax over the k largest scores of each row; the others get 0."""
    require_keys(S)
    return softmax.rule(Masked.of(S, largest(S, k, ties)))


def counting(S: Matrix, *, k: int, ties: str = "refuse") -> Matrix:
    """How many are left is k, whatever the number of keys."""
    raise Uncountable(message("only k exponentials are left of each row, however many keys there are"))


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """e^{s_j} over the exponentials of the k largest; 0 for the others."""
    kept = largest(S, options["k"], options.get("ties", "refuse"))
    made = []
    for i, row in enumerate(factors(names[0], S)):
        powers = {j: Apply("exp", score) for j, score in enumerate(row) if kept.rows[i][j]}
        for j in range(len(row)):
            if j not in powers:
                made.append(Line(i, j, (equals(Num(Rational(0))),)))
                continue
            share = equals(Quotient(powers[j], Sum(tuple(powers.values()))))
            ending = closing(value.cell(i, j), long=value.kind != "certified")
            made.append(Line(i, j, (share, *ending)))
    return tuple(made)


def twin(S: Any, *, k: int, ties: str = "refuse") -> Any:
    """torch's own topk, scattered into -inf; of equal scores the first are taken."""
    import torch

    order = torch.sort(S, dim=1, descending=True, stable=True).indices[:, :k]
    kept = torch.full_like(S, float("-inf")).scatter(1, order, S.gather(1, order))
    return torch.softmax(kept, dim=1)


def not_renormalised(S: Matrix, *, k: int, ties: str = "refuse") -> Matrix:
    """The softmax of all, the small ones set to 0."""
    return softmax.rule(S) * largest(S, k, ties)


def all_kept(S: Matrix, *, k: int, ties: str = "refuse") -> Matrix:
    """The softmax of all."""
    return softmax.rule(S)


def others_as_zero(S: Matrix, *, k: int, ties: str = "refuse") -> Matrix:
    """The softmax with 0 for the small scores."""
    return softmax.rule(Masked.of(shown(S) * largest(S, k, ties), visible(S)))


TOP_K = Op(
    name="top_k",
    title="Top-k softmax: only the largest scores take part",
    parameters=("S",),
    options=(
        Option("k", "count", "how many scores of each query are kept", required=True),
        Option(
            "ties", "choice", "what happens when equal scores are the last to be kept (default refuse)", TIES
        ),
    ),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{softmax}_{\text{top}}(${S})",
        each=r"${out:ij} = \frac{e^{${S:ij}}}{\sum_{k} e^{${S:ik}}} \text{ over the largest scores, else } 0",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        Mistake(
            "not-renormalised",
            "Leave the small scores out before the softmax, so that the weights sum to 1.",
            not_renormalised,
        ),
        Mistake("all-kept", "Only the largest scores take part; the others get weight 0.", all_kept),
        Mistake(
            "others-as-zero", "A score of 0 still gets weight: leave the small ones out.", others_as_zero
        ),
    ),
    # Who is left out has the weight 0, and so the gradient 0.
    gradients=(back("S", "softmax_gradient", RESULT, GRADIENT),),
)
