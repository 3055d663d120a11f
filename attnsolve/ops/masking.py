"""Masks: which keys a query may look at; the score of a hidden key is -∞, so that its weight is 0.

Libraries disagree on what a 1 in a mask means, so the ops say it: `keep` or `drop`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.errors import ShapeError, UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, UndefinedRow
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


def kept_by_rows(S: Matrix, *, rows: tuple[int, ...] | None = None) -> Rationals:
    """Query i sees the keys up to its own place; `rows` are the places of the queries, if not all ask."""
    places = range(S.shape[0]) if rows is None else rows
    return Rationals([[int(j <= place) for j in range(S.shape[1])] for place in places])


def kept_by_lengths(S: Matrix, *, lengths: tuple[int, ...]) -> Rationals:
    """The first keys only: one number for all queries, or one for each."""
    each = lengths if len(lengths) > 1 else lengths * S.shape[0]
    return Rationals([[int(j < length) for j in range(S.shape[1])] for length in each])


def kept_without_keys(S: Matrix, *, keys: tuple[int, ...]) -> Rationals:
    """Every key but these."""
    return Rationals([[int(j not in keys) for j in range(S.shape[1])]] * S.shape[0])


def kept_where_one(S: Matrix, M: Matrix) -> Rationals:
    """As the mask says, which may hold only zeros and ones."""
    places = [(i, j, cell.rational()) for i, j, cell in M.cells()]
    for i, j, value in places:
        if value not in (0, 1):
            raise UndefinedStep(
                f"the mask has {M.cell(i, j).text()} in row {i + 1}, column {j + 1}; it may have only 0 and 1"
            )
    return Rationals([[int(value or 0) for a, _, value in places if a == i] for i in range(M.shape[0])])


def kept_where_zero(S: Matrix, M: Matrix) -> Rationals:
    """The opposite of what the mask says."""
    return opposite(kept_where_one(S, M))


def fits_the_scores(S: Frame, M: Frame) -> Frame:
    """As the scores; the mask needs a number for each of them."""
    if S.shape != M.shape:
        raise ShapeError(
            f"M is {M} but the scores are {S}; a mask has a row for each query, a column for each key"
        )
    return S


def has_places(S: Frame, *, rows: tuple[int, ...] | None = None) -> Frame:
    """As the scores."""
    if rows is not None and len(rows) != S.rows.size:
        raise ShapeError(f"{len(rows)} places for {S.rows.size} queries; each query has one")
    return S


def has_keys(S: Frame, *, keys: tuple[int, ...]) -> Frame:
    """As the scores."""
    missing = [key + 1 for key in keys if not 0 <= key < S.columns.size]
    if missing:
        raise ShapeError(f"the scores are {S} and have no key {missing[0]} (counted from 1)")
    return S


def has_lengths(S: Frame, *, lengths: tuple[int, ...]) -> Frame:
    """As the scores."""
    if len(lengths) not in (1, S.rows.size):
        raise ShapeError(
            f"{len(lengths)} lengths for {S.rows.size} queries; write one for all, or one for each"
        )
    wrong = [length for length in lengths if not 1 <= length <= S.columns.size]
    if wrong:
        raise ShapeError(f"the length {wrong[0]} is not from 1 to {S.columns.size}, the number of keys")
    return S


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


def causal_twin(S: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own masked_fill above its lower triangle, or above the rows of it that ask."""
    import torch

    places = list(range(S.shape[0])) if rows is None else list(rows)
    kept = torch.ones(max(places) + 1, S.shape[1], dtype=torch.bool).tril()[places]
    return S.masked_fill(~kept, float("-inf"))


def lengths_twin(S: Any, *, lengths: tuple[int, ...]) -> Any:
    """torch's own masked_fill, with places compared with lengths."""
    import torch

    kept = torch.arange(S.shape[1])[None, :] < torch.tensor(lengths)[:, None].expand(S.shape[0], 1)
    return S.masked_fill(~kept, float("-inf"))


def drop_keys_twin(S: Any, *, keys: tuple[int, ...]) -> Any:
    """torch's own index_fill of the columns of these keys."""
    import torch

    return S.index_fill(1, torch.tensor(keys), float("-inf"))


def keep_twin(S: Any, M: Any) -> Any:
    """torch's own masked_fill where the mask is not true."""
    return S.masked_fill(~M.bool(), float("-inf"))


def drop_twin(S: Any, M: Any) -> Any:
    """torch's own masked_fill where the mask is true."""
    return S.masked_fill(M.bool(), float("-inf"))


def masking(
    name: str,
    title: str,
    keeping: Keeping,
    *,
    condition: str,
    twin: Callable[..., Any],
    option: Option | None = None,
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
        parameters=("S",) if option is not None else ("S", "M"),
        options=() if option is None else (option,),
        roles=("scores",) if option is not None else ("scores", "scores"),
        family="mask",
        formula=Formula(
            matrix=r"\operatorname{mask}(${S})",
            each=r"${out:ij} = ${S:ij} \text{ if } " + condition + r", \text{ else } -\infty",
        ),
        frame=frame,
        rule=rule,
        twin=twin,
        mistakes=mistakes_of(keeping, turnable=turnable),
    )


CAUSAL = masking(
    "causal",
    "Causal mask: no query looks at a later token",
    kept_by_rows,
    condition=r"j \le ${out:query}",
    twin=causal_twin,
    option=Option("rows", "rows", "the places of the queries, when only some of the tokens ask"),
    frame=has_places,
)
LENGTHS = masking(
    "lengths",
    "Padding mask: only the first keys are real",
    kept_by_lengths,
    condition=r"\text{key } j \text{ is no padding}",
    twin=lengths_twin,
    option=Option("lengths", "sizes", "how many keys are real: one number, or one for each query"),
    frame=has_lengths,
)
DROP_KEYS = masking(
    "drop_keys",
    "Mask: hide these keys from every query",
    kept_without_keys,
    condition=r"\text{key } j \text{ is not hidden}",
    twin=drop_keys_twin,
    option=Option("keys", "rows", "the keys to hide, such as 4"),
    frame=has_keys,
    turnable=False,  # no row of a turned mask would see a key
)
KEEP = masking(
    "keep",
    "Mask: a query sees the keys marked 1",
    kept_where_one,
    condition="${M:ij} = 1",
    twin=keep_twin,
    frame=fits_the_scores,
)
DROP = masking(
    "drop",
    "Mask: the keys marked 1 are hidden",
    kept_where_zero,
    condition="${M:ij} = 0",
    twin=drop_twin,
    frame=fits_the_scores,
)


def added(S: Matrix, M: Matrix) -> Matrix:
    """S + M, where M may have -∞."""
    return hide(shown(S) + shown(M), visible(S) * visible(M))  # type: ignore[arg-type]


def add_twin(S: Any, M: Any) -> Any:
    """torch's own addition, in which -inf stays -inf."""
    import torch

    return torch.add(S, M)


def added_as_zero(S: Matrix, M: Matrix) -> Matrix:
    """S + M with 0 in place of every -∞."""
    return Masked.of((shown(S) + shown(M)) * visible(M), visible(S))


def subtracted(S: Matrix, M: Matrix) -> Matrix:
    """S - M, which leaves what is hidden hidden."""
    return hide(shown(S) - shown(M), visible(S) * visible(M))  # type: ignore[arg-type]


def without_mask(S: Matrix, M: Matrix) -> Matrix:
    """S."""
    return S


ADD_MASK = Op(
    name="add_mask",
    title="Additive mask: add it to the scores",
    parameters=("S", "M"),
    roles=("scores", "scores"),
    family="mask",
    formula=Formula(matrix="${S} + ${M}", each="${out:ij} = ${S:ij} + ${M:ij}"),
    frame=fits_the_scores,
    rule=added,
    twin=add_twin,
    mistakes=(
        Mistake(
            "mask-as-zero", "Anything plus -∞ is -∞, not 0: a score of 0 still gets weight.", added_as_zero
        ),
        Mistake("mask-subtracted", "The mask is added to the scores, not subtracted.", subtracted),
        Mistake("mask-forgotten", "Add the mask before the weights are computed.", without_mask),
    ),
)

MASKS = (CAUSAL, LENGTHS, DROP_KEYS, KEEP, DROP, ADD_MASK)
