"""What every mask shares: the score of a hidden key is -∞, so that its weight is 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.errors import ShapeError
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.ops.back import handed_on
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Option, Role, UndefinedRow
from attnsolve.ops.misfits import unfit
from attnsolve.ops.normaliser import as_scores

# Which scores stay: 1 for those that a query may look at, 0 for those that are hidden.
Keeping = Callable[..., Rationals]

EMPTY = (
    "query {row}: the mask hides every key, so there is nothing to give weight to; "
    "let each query see at least one key"
)


def hide(S: Matrix, keep: Rationals) -> Matrix:
    """S where `keep` is 1, -∞ where it is 0; a query that sees nothing is refused."""
    masked = Masked.of(S, keep)
    for i, row in enumerate(visible(masked).rows):
        if not any(row):
            raise UndefinedRow(EMPTY, i)
    return masked


def opposite(keep: Rationals) -> Rationals:
    """1 for 0 and 0 for 1."""
    return Rationals([[1 - x for x in row] for row in keep.rows])


def for_free(S: Matrix, *masks: Matrix, **settings: Any) -> Matrix:
    """Choosing costs nothing, and what is hidden has been computed all the same."""
    return S


def fits_the_scores(S: Frame, M: Frame) -> Frame:
    """As the scores; the mask needs a number for each of them."""
    if S.shape != M.shape:
        said = "{M} is {M:shape}, but the scores are {S:shape}"
        sides = "a mask has a {query:side} for each query and a {key:side} for each key"
        raise unfit("M", f"{said}; {sides}", S=S, M=M)
    return S


def masking(
    name: str,
    title: str,
    keeping: Keeping,
    *,
    condition: str,
    twin: Callable[..., Any],
    option: Option | None = None,
    more: tuple[Option, ...] = (),
    frame: Callable[..., Frame] = as_scores,
    turnable: bool = True,
) -> Op:
    """An op that hides scores; `condition` says in symbols which stay."""

    def rule(S: Matrix, *masks: Matrix, **settings: Any) -> Matrix:
        """S with -∞ where the mask hides a key."""
        return hide(S, keeping(S, *masks, **settings))

    return Op(
        name=name,
        title=title,
        why="What is hidden must not be looked at: a score of −∞ becomes a weight of 0.",
        parameters=("S",) if option is not None else ("S", "M"),
        options=() if option is None else (option, *more),
        roles=(Role.SCORES,) if option is not None else (Role.SCORES, Role.SCORES),
        moves=True,
        family=Family.MASK,
        formula=Formula(
            matrix=r"\operatorname{mask}(${S})",
            each=r"${out:ij} = ${S:ij} \text{ if } " + condition + r", \text{ else } {-\infty}",
        ),
        frame=frame,
        rule=rule,
        counting=for_free,
        twin=twin,
        mistakes=mistakes_of(keeping, turnable=turnable),
        gradients=(handed_on("S"),),  # what it hides has no weight, and so the gradient 0 already
    )


def mistakes_of(keeping: Keeping, *, turnable: bool) -> tuple[Mistake, ...]:
    """What people do with a mask; `turnable` if its rows and columns can be taken for each other."""

    def as_zero(S: Matrix, *masks: Matrix, **settings: Any) -> Matrix:
        return Masked.of(shown(S) * keeping(S, *masks, **settings), visible(S))

    def inverted(S: Matrix, *masks: Matrix, **settings: Any) -> Matrix:
        return hide(S, opposite(keeping(S, *masks, **settings)))

    def transposed(S: Matrix, *masks: Matrix, **settings: Any) -> Matrix:
        keep = keeping(S, *masks, **settings).transposed()
        if keep.shape != S.shape:
            raise ShapeError("only a square mask can be used the other way round")
        return hide(S, keep)

    def forgotten(S: Matrix, *masks: Matrix, **settings: Any) -> Matrix:
        return S

    exchanged = Mistake(
        "mask-transposed",
        "Rows of the mask belong to queries, columns to keys; do not exchange them.",
        transposed,
    )
    return (
        Mistake(
            "mask-as-zero",
            "A hidden score is -∞, not 0: a score of 0 still gets weight.",
            as_zero,
        ),
        Mistake(
            "mask-inverted", "The mask is used the wrong way round: hidden keys get no weight.", inverted
        ),
        *((exchanged,) if turnable else ()),
        Mistake("mask-forgotten", "Hide the masked keys before the weights are computed.", forgotten),
    )
