"""An answer as it was understood, in plain text, to be looked at before anything is marked."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell
from attnsolve.exact.decimals import decimal_text
from attnsolve.exact.infinity import HIDDEN
from attnsolve.languages import speaking, translated
from attnsolve.notes import Note
from attnsolve.rendering.notes import fragment
from attnsolve.rendering.reasons import reason_words
from attnsolve.submission import Answer, State, Submission, Written, printable

# An exact form longer than this is shown as it was typed.
LONGEST_FORM = 40
PLACES = 4
STATES = {State.BLANK: "-", State.ILLEGIBLE: "?"}


def understood(submission: Submission, *, lang: str = "en") -> str:
    """The answers in aligned columns with their notes, then marks given by hand and what was not read."""
    with speaking(lang):
        lines = [line.rstrip() for line in _lines(submission)] or [translated("nothing was handed in")]
    return "\n".join(lines) + "\n"


def _lines(submission: Submission) -> list[str]:
    lines = [_heading(submission)] if submission.student or submission.variant else []
    margin = max((len(_place(answer)) for answer in submission.answers), default=0) + 2
    for answer in submission.answers:
        lines += _answer(answer, margin)
    lines += [
        f"mark {o.name} {o.marks}" + (f': "{o.reason}"' if o.reason else "") for o in submission.overrides
    ]
    lines += [f"// {reason_words(remark)}" for remark in submission.remarks]
    unread = (printable(reason_words(why)) for why in submission.unread)
    return [*lines, *(translated("not read: {text}", text=why) for why in unread)]


def _heading(submission: Submission) -> str:
    student = submission.student or translated("without a name")
    if not submission.variant:
        return translated("student {student}", student=student)
    return translated("student {student}, variant {variant}", student=student, variant=submission.variant)


def _place(answer: Answer) -> str:
    indices = [str(index) for index in (answer.row, answer.column) if index is not None]
    part = f"({answer.part}) " if answer.part else ""
    return printable(part + answer.name) + (f"[{', '.join(indices)}]" if indices else "")


def _answer(answer: Answer, margin: int) -> Iterator[str]:
    place = _place(answer).ljust(margin)
    if answer.right:
        yield place + translated("right as it stands")
        return
    rows = [[shown(written) for written in row] for row in answer.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield place + "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        place = " " * margin
    told: set[Note] = set()
    for i, written_row in enumerate(answer.rows, start=1):
        for j, written in enumerate(written_row, start=1):
            for note in written.notes:
                if note in told:
                    continue
                told.add(note)
                yield f"{' ' * margin}  {_at(answer, i, j, fragment(note))}"


def _at(answer: Answer, row: int, number: int, note: str) -> str:
    """A note with the place that it is about, unless there is only one."""
    if len(answer.rows) > 1:
        return translated("row {row}, number {number}: {note}", row=row, number=number, note=note)
    is_alone = len(answer.rows[0]) == 1
    return note if is_alone else translated("number {number}: {note}", number=number, note=note)


def shown(written: Written) -> str:
    """One number as it was understood: a decimal with its places, an exact form, or what there is instead."""
    if written.state in STATES:
        return STATES[written.state]
    typed = printable(written.text)
    if written.state is not State.NUMBER or written.cell is None:
        return f"«{typed}»" if written.state is State.UNREAD else typed
    value = written.cell.rational()
    if value is not None and written.places is not None:
        places = max(written.places, 0)
        text = decimal_text(int(value * 10**places), places)
    else:
        text = "-∞" if written.cell is HIDDEN else written.cell.text()
    if written.ball is not None or "exp" in text:  # nobody knows e^2.6/(e^2.6 + 1) again in another order
        return f"{typed}{about(written.cell)}"
    return text if len(text) <= LONGEST_FORM else typed


def about(cell: Cell) -> str:
    """What a form is worth, behind it; nothing where that cannot be told."""
    try:
        return f" ≈ {cell.decimals(PLACES).text}"
    except AttnsolveError:
        return ""
