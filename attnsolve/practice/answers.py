"""What was typed for values, as answers that can be judged."""

from __future__ import annotations

from attnsolve.errors import AttnsolveError
from attnsolve.limits import LIMITS
from attnsolve.practice.drill import Drill, Shape, Value, ValueKind
from attnsolve.practice.progress import Cells, Progress
from attnsolve.report import Report
from attnsolve.submission import Answer, State, Submission, Table, Written
from attnsolve.verifier.marking.questions import in_words
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.commas import consistent
from attnsolve.verifier.reading.names import Place
from attnsolve.verifier.reading.numbers import read_number
from attnsolve.verifier.reading.tables import read_table

EMPTY = Written("", State.BLANK)
LONGEST = 8_000  # of what is typed for one value


def judged(drill: Drill, progress: Progress) -> Report:
    """The verdicts on all that was typed so far."""
    return drill.judge.verify(submission(drill, progress))


def submission(drill: Drill, progress: Progress) -> Submission:
    """All that was typed so far, as if it was handed in."""
    budget = Budget(LIMITS)
    made = [
        answer_of(value, progress.work(value.name).cells, budget)
        for value in drill.values
        if progress.work(value.name).cells and value.kind is not ValueKind.WORDS
    ]
    return Submission(answers=consistent(tuple(made), budget))


def answer_of(value: Value, cells: Cells, budget: Budget) -> Answer:
    """What was typed for one value; every place is read by itself."""
    if value.kind is ValueKind.LETTERS:
        return Answer(value.name, None, None, in_words(cells[0][0]))
    rows = Table(tuple(read_number(text, budget) if text else EMPTY for text in row) for row in cells)
    return Answer(value.name, None, None, rows)


def typed_cells(drill: Drill, value: Value, text: str, place: Place, before: Cells) -> Cells:
    """The places of a value as they are typed in one text: all, or one row or cell above what was there.

    An AttnsolveError where so many numbers have no place.
    """
    if value.kind is not ValueKind.NUMBERS:
        return ((text.strip()[:LONGEST],),)
    placing = drill.judge.placing
    rows = read_table(text[:LONGEST], Budget(LIMITS))
    _, answer = placing.located(Answer(value.name, place.row, place.column, rows))
    grid = placing.with_answer(None, value.name, answer)
    across = placing.across[value.name]
    laid = {((j, i) if across else (i, j)): written.text for (i, j), written in grid.cells.items()}
    height, width = value.shape
    kept = before if place.row is not None and before else empty(value.shape)
    return tuple(tuple(laid.get((i, j), kept[i][j]) for j in range(width)) for i in range(height))


def empty(shape: Shape) -> Cells:
    """A grid with nothing in it."""
    return tuple(("",) * shape[1] for _ in range(shape[0]))


def first_row(value: Value, text: str) -> tuple[str, ...]:
    """The numbers of one row, where a text has as many as a row of a larger value; else nothing."""
    height, width = value.shape
    if value.kind is not ValueKind.NUMBERS or height == 1 or ";" in text or "\n" in text.strip():
        return ()
    try:
        rows = read_table(text[:LONGEST], Budget(LIMITS))
    except AttnsolveError:
        return ()
    is_row = (
        len(rows) == 1 and len(rows[0]) == width and all(one.state is not State.UNREAD for one in rows[0])
    )
    return tuple(one.text for one in rows[0]) if is_row else ()


def typed_shares(cells: list[list[str]]) -> list[list[int | None]]:
    """How much of 100 each typed number is, for a map; None where there is no such number."""
    budget = Budget(LIMITS)
    return [[share_of(read_number(text, budget)) if text.strip() else None for text in row] for row in cells]


def share_of(written: Written) -> int | None:
    """A number from 0 to 1 as so much of 100."""
    percent = None if written.cell is None else written.cell.decimals(2).whole(2)
    return None if percent is None else min(100, max(0, percent))


def missing(value: Value, cells: Cells) -> int:
    """How many numbers that are asked for are not there yet."""
    height, width = value.shape
    wanted = value.wanted or {(i, j) for i in range(height) for j in range(width)}
    return sum(1 for i, j in wanted if not (cells and cells[i][j].strip()))
