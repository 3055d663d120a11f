"""Argmax: all the weight on the largest score, with a rule for ties."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.errors import Uncountable
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.languages import message
from attnsolve.ops.base import (
    Check,
    Family,
    Formula,
    Mistake,
    Op,
    Option,
    Options,
    Remark,
    Role,
    UndefinedRow,
)
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys

TIE_RULES = ("first", "split", "refuse")


def rule(S: Matrix, *, ties: str = "refuse") -> Matrix:
    """1 at the largest score of each row, 0 elsewhere; what happens at a tie is the tie rule's choice."""
    require_keys(S)
    chosen = S.maxima()
    for i, columns in enumerate(chosen):
        if len(columns) > 1 and ties == "refuse":
            raise UndefinedRow(
                "query {row}: the scores of keys {columns} are equal and the largest, "
                "so argmax is not unique; say 'ties: first' or 'ties: split'",
                i,
                columns,
            )
    if ties == "first":
        chosen = [columns[:1] for columns in chosen]
    return Rationals.of(
        [[Fraction(j in columns, len(columns)) for j in range(S.shape[1])] for columns in chosen]
    )


def counting(S: Matrix, *, ties: str = "refuse") -> Matrix:
    """Comparing is free; sharing a tie is a division, where there is one."""
    if ties == "split":
        raise Uncountable(
            message("a tie is shared by a division, and how many ties there are depends on the scores")
        )
    return S


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Every tie, said aloud."""
    shared = message("{row} has a tie: {columns} have the same largest score and share the weight equally.")
    first = message("{row} has a tie: {columns} have the same largest score; the first of them is taken.")
    tied = shared if options.get("ties") == "split" else first
    return tuple(Remark(tied, i, columns) for i, columns in enumerate(S.maxima()) if len(columns) > 1)


def twin(S: Any, *, ties: str = "refuse") -> Any:
    """torch's argmax made one-hot, or for shared ties torch's amax compared with every score."""
    import torch

    if ties == "split":
        top = (torch.amax(S, dim=-1, keepdim=True) == S).to(S.dtype)
        return top / top.sum(dim=-1, keepdim=True)
    return torch.nn.functional.one_hot(S.argmax(dim=-1), S.shape[-1]).to(S.dtype)


def smallest(S: Matrix, *, ties: str = "refuse") -> Matrix:
    """1 at the smallest score of each row."""
    return rule(S.scaled(Rational(-1)), ties=ties)


ARGMAX = Op(
    name="argmax",
    title="Argmax: all the weight on the largest score",
    why="Each query looks at one key only, the one with the largest score.",
    parameters=("S",),
    options=(Option("ties", "choice", "what happens when several scores are the largest", TIE_RULES),),
    family=Family.NORMALISER,
    scale_free=True,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{argmax}(${S})",
        each=r"${out:ij} = 1 \text{ if } ${S:ij} = \max_k ${S:ik}, \text{ else } 0",
    ),
    variants=(
        (
            "ties=first",
            Formula(
                matrix=r"\operatorname{argmax}(${S})",
                each=r"${out:ij} = 1 \text{ if } j \text{ is the first key with } "
                r"${S:ij} = \max_k ${S:ik}, \text{ else } 0",
            ),
        ),
        (
            "ties=split",
            Formula(
                matrix=r"\operatorname{argmax}(${S})",
                each=r"${out:ij} = \tfrac{1}{m} \text{ if } ${S:ij} \text{ is one of } m \text{ largest}",
            ),
        ),
    ),
    frame=as_scores,
    rule=rule,
    counting=counting,
    twin=twin,
    remarks=remarks,
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule, advice="Each query chooses its best key: look along its own scores only."),
        mask_afterwards(rule),
        Mistake("smallest", "Argmax takes the largest score, not the smallest.", smallest),
    ),
    no_gradient="its weights stay as they are while scores change a little, and jump where another becomes "
    "the largest",
)
