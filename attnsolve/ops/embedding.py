"""Embedding: the row of a table for each word."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Family, Formula, Frame, Mistake, Op, Option, Options, Passing, Role
from attnsolve.ops.misfits import unfit


def frame(E: Frame, *, words: tuple[int, ...]) -> Frame:
    """A token for each word, as wide as the table."""
    missing = [word for word in words if not 0 <= word < E.rows.size]
    if missing:
        known = f"{{E}} has the words {{0:place}} to {{{E.rows.size - 1}:place}}"
        raise unfit("words", f"there is no word {{{missing[0]}:place}}; {known}", E=E)
    return Frame(Axis(len(words), tuple(range(len(words)))), E.columns)


def rule(E: Matrix, *, words: tuple[int, ...]) -> Matrix:
    """Row w of E for each word w."""
    return E.take(words)


def twin(E: Any, *, words: tuple[int, ...]) -> Any:
    """torch's own embedding."""
    import torch

    return torch.nn.functional.embedding(torch.tensor(words), E)


def _moved(E: Matrix, words: tuple[int, ...], by: int) -> Matrix:
    if not all(0 <= word + by < E.shape[0] for word in words):
        raise UndefinedStep("there is no word beside the first or the last one")
    return E.take([word + by for word in words])


def places(passing: Passing) -> Options:
    """Which row each gradient belongs to; a word that comes twice gets both."""
    return {"rows": passing.options["words"], "height": passing.frames[0].rows.size}


def word_after(E: Matrix, *, words: tuple[int, ...]) -> Matrix:
    """The rows one too late."""
    return _moved(E, words, 1)


def word_before(E: Matrix, *, words: tuple[int, ...]) -> Matrix:
    """The rows one too early."""
    return _moved(E, words, -1)


def table_itself(E: Matrix, *, words: tuple[int, ...]) -> Matrix:
    """The first rows, whatever the words are."""
    if len(words) > E.shape[0]:
        raise UndefinedStep("there are more words than rows")
    return E.take(range(len(words)))


EMBED = Op(
    name="embed",
    title="Embedding: look up the row of each word",
    parameters=("E",),
    options=(Option("words", "rows", "the numbers of the words, such as [3, 1]", required=True),),
    moves=True,
    family=Family.LOOKUP,
    roles=(Role.TOKENS,),
    formula=Formula(matrix="${E:rows}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(
        Mistake(
            "word-after", "Mind where the sheet starts counting words: this row is one later.", word_after
        ),
        Mistake(
            "word-before", "Mind where the sheet starts counting words: this row is one earlier.", word_before
        ),
        Mistake("words-not-looked-up", "Take the row of each word, not the first rows.", table_itself),
    ),
    gradients=(back("E", "scatter", GRADIENT, settings=places),),
)
