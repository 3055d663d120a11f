"""The table an op keeps for one row of its result, such as the sorted scores behind a threshold."""

from __future__ import annotations

from attnsolve.exact import Cell
from attnsolve.languages import message
from attnsolve.ops import Family
from attnsolve.rendering.formulas import filled
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.sentences import KEY, QUERY, mentioned, token
from attnsolve.rendering.tables import MOST_KEYS, Table, math, number_cell
from attnsolve.rendering.text import Segments, say
from attnsolve.trace import Step
from attnsolve.working import Expression, evaluate

# Ops whose rows are queries and whose columns are keys; the sides of any other are tokens and columns.
COMPARING = (Family.SCORE, Family.BIAS, Family.MASK, Family.NORMALISER)


def ledger_table(step: Step, i: int, notation: Notation) -> Table | None:
    """The ledger of row i, with its keys named; None for ops that keep none, or when it is too long."""
    call = step.call
    if call.op.ledger is None:
        return None
    ledger = call.op.ledger(*step.inputs, value=step.value, options=call.options, row=i)
    if len(ledger.rows) > MOST_KEYS:
        return None
    header = [math(filled(source, call, notation, row=i)) for source in ledger.headers]
    usable = bool(ledger.caption)  # what it tells is used all through the working
    rows = [[ledger_cell(entry, notation, usable=usable) for entry in row] for row in ledger.rows]
    if ledger.keys:
        header = [column_word(step, notation), *header]
        rows = [[(column_name(step, j, notation),), *row] for j, row in zip(ledger.keys, rows, strict=True)]
    if ledger.means:
        rows.append([say("mean"), *(mean_cell(mean, notation) for mean in ledger.means)])
    if ledger.caption:
        return Table(say(ledger.caption), tuple(header), tuple(map(tuple, rows)))
    word = QUERY if call.op.family in COMPARING else message("token {number}")
    owner = mentioned(token(notation.frame(call.out).rows, i, call.out, 0, notation, word), notation)
    caption = say("The numbers of {owner}:", owner=owner)
    return Table(caption, tuple(header), tuple(map(tuple, rows)), has_sums=bool(ledger.means))


def column_word(step: Step, notation: Notation) -> Segments:
    """What the numbers of a row stand for: keys, or columns, which are rows where tokens are columns."""
    if step.call.op.family in COMPARING:
        return say("key")
    return say("row") if notation.transposed(step.call.out) else say("column")


def mean_cell(mean: tuple[str, Cell] | None, notation: Notation) -> Segments:
    """`\\mu \\approx 3.6033`, or nothing."""
    if mean is None:
        return ()
    symbol, value = mean
    ((_, shown),) = number_cell(value, notation)
    return math(f"{symbol} {shown}" if shown.startswith(r"\approx") else f"{symbol} = {shown}")


def column_name(step: Step, j: int, notation: Notation) -> tuple[bool, str]:
    """The key of a column by its label or symbol; a column that is no key by its number."""
    call = step.call
    if call.op.family not in COMPARING:
        return False, str(j + notation.problem.index_from)
    return token(notation.frame(call.out).columns, j, call.out, 1, notation, KEY)


def ledger_cell(entry: Expression | str, notation: Notation, *, usable: bool = False) -> Segments:
    """A word as it is, a number exactly where that is short; a `usable` one with digits enough to go on."""
    if isinstance(entry, str):
        return say(entry)
    cell = evaluate(entry)
    return number_cell(cell, notation, rounded=notation.usable(cell) if usable else None)
