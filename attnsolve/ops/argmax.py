"""Argmax: all the weight on the largest score, with a rule for ties."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options, Remark

TIE_RULES = ("first", "split", "refuse")


def frame(S: Frame, *, ties: str = "refuse") -> Frame:
    """As the scores."""
    return S


def rule(S: Matrix, *, ties: str = "refuse") -> Matrix:
    """1 at the largest score of each row, 0 elsewhere; what happens at a tie is the tie rule's choice."""
    chosen = S.maxima()
    for i, columns in enumerate(chosen):
        if len(columns) > 1 and ties == "refuse":
            keys = ", ".join(str(j + 1) for j in columns)
            raise UndefinedStep(
                f"row {i + 1}: the scores of keys {keys} are equal and the largest, so argmax is not unique; "
                "say 'ties: first' or 'ties: split'"
            )
    if ties == "first":
        chosen = [columns[:1] for columns in chosen]
    return Rationals.of(
        [[Fraction(j in columns, len(columns)) for j in range(S.shape[1])] for columns in chosen]
    )


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Where the largest score stands, and every tie said aloud."""
    said = []
    for i, columns in enumerate(S.maxima()):
        if len(columns) == 1:
            said.append(Remark("{row} has its largest score at {columns}, which gets all the weight.", i, columns))
        elif options.get("ties") == "split":
            said.append(Remark("{row} has a tie: {columns} have the same largest score and share the weight equally.", i, columns))
        else:
            said.append(Remark("{row} has a tie: {columns} have the same largest score; the first of them is taken.", i, columns))
    return tuple(said)


def twin(S: Any, *, ties: str = "refuse") -> Any:
    """torch's argmax made one-hot, or for shared ties torch's amax compared with every score."""
    import torch

    if ties == "split":
        top = (torch.amax(S, dim=-1, keepdim=True) == S).to(S.dtype)
        return top / top.sum(dim=-1, keepdim=True)
    return torch.nn.functional.one_hot(S.argmax(dim=-1), S.shape[-1]).to(S.dtype)


def down_columns(S: Matrix, *, ties: str = "refuse") -> Matrix:
    """The largest score of each column."""
    return rule(S.T, ties="first").T


def smallest(S: Matrix, *, ties: str = "refuse") -> Matrix:
    """1 at the smallest score of each row."""
    from attnsolve.exact import Rational

    return rule(S.scaled(Rational(-1)), ties="first")


ARGMAX = Op(
    name="argmax",
    title="Argmax: all the weight on the largest score",
    parameters=("S",),
    options=(Option("ties", "choice", "what happens when several scores are the largest", TIE_RULES),),
    family="normaliser",
    roles=("scores",),
    formula=Formula(
        matrix=r"\operatorname{argmax}(${S})",
        each=r"${out:ij} = 1 \text{ if } ${S:ij} = \max_k ${S:ik}, \text{ else } 0",
        each_column=r"${out:ij} = 1 \text{ if } ${S:ij} = \max_k ${S:ik}, \text{ else } 0",
    ),
    frame=frame,
    rule=rule,
    twin=twin,
    remarks=remarks,
    check="rows-sum-to-1",
    mistakes=(
        Mistake("down-columns", "Each query chooses its best key: look along its own scores, not across queries.", down_columns),
        Mistake("smallest", "Argmax takes the largest score, not the smallest.", smallest),
    ),
)
