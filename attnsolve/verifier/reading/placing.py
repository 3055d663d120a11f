"""Which step each written number belongs to: names looked up, matrices laid as the engine keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce

from attnsolve.errors import AttnsolveError
from attnsolve.loader.targets import position
from attnsolve.notes import Note, NoteKind
from attnsolve.problem import CHOICE, WORDS
from attnsolve.reasons import Reason, as_typed, on_line, reason
from attnsolve.recipes.shapes import Layout
from attnsolve.submission import Answer, State, Submission, Table, Written
from attnsolve.trace import Trace
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.reading.lookup import Lookup, meanings
from attnsolve.verifier.reading.mixed_numbers import merged, with_mixed_numbers
from attnsolve.verifier.reading.strikes import with_crossed_places

Cells = dict[tuple[int, int], Written]  # numbers by their places


class Placing:
    """Lays the answers of submissions to one problem."""

    def __init__(self, trace: Trace, *, listed: Sequence[str] = ()) -> None:
        self.trace = trace
        self._listed = listed
        self.problem = trace.problem
        self.steps = {step.call.out: step for step in trace.steps}
        layout, frames = Layout(self.problem.convention, {}, self.problem.index_from), self.problem.frames
        # Whether the course prints the rows of a step as columns.
        self.across = {name: layout.printed_across(name, frames[name]) for name in self.steps}
        self.lookup = Lookup(self.steps, self.problem.parts)
        self._laid: Memory[Grid] = Memory()
        # Answers that are the first for their step, as nearly all are: laid alike for everybody.
        self._first: Memory[tuple[str, Grid]] = Memory()

    def grids(self, submission: Submission) -> tuple[dict[str, Grid], list[Reason]]:
        """The grids by step, and a reason for every answer that has no place."""
        grids: dict[str, Grid] = {}
        lost: list[Reason] = []
        for answer in submission.answers:
            typed, row, column, rows, line, right, part, _ = answer
            cause = typed, part, row, column, rows, right
            first = self._first.get(cause)
            if first is not None and first[0] not in grids:
                grids[first[0]] = first[1]
            elif not rows.in_words:
                try:
                    name, located = self.step_of(answer)
                    laid = self.with_answer(grids.get(name), name, located)
                    if name not in grids:
                        self._first.keep(cause, (name, laid))
                    grids[name] = laid
                except AttnsolveError as error:
                    lost.append(on_line(line, typed, error.reason))
        return grids, lost

    def step_of(self, answer: Answer) -> tuple[str, Answer]:
        """The step that an answer is for, and the answer with the row and column that its name tells."""
        known = self.lookup.named(answer.name, answer.part)
        return (known[0], answer) if len(known) == 1 else self.located(answer)

    def marked(self, typed: str, part: str = "") -> str:
        """What a person's mark is for: a part by its id, or else a step, below a heading one of its part.

        A step that is called like a part can be named with its part; the part has no other name.
        """
        by_hand = [name for one in self.problem.parts for name in (one.id, one.question, one.ticked) if name]
        below = f"{part}.{typed}"
        if part and typed in (WORDS, CHOICE) and below in by_hand:
            return below
        return typed if typed in by_hand else self.name(typed, part)

    def name(self, typed: str, part: str = "") -> str:
        """The step that a name means: `b.A`, `weights`, or the small letter of a vector."""
        return self.only(self.lookup.named(typed, part))

    def only(self, known: Sequence[str]) -> str:
        """The one step that a name means; an AttnsolveError where there is none or more than one."""
        if not known:
            steps, parts = ", ".join(self._listed or self.steps), ", ".join(p.id for p in self.problem.parts)
            raise AttnsolveError(
                reason(
                    "there is no step of this name; the steps are {steps}, and for marks by hand {parts}",
                    steps=steps,
                    parts=parts,
                )
            )
        if len(known) > 1:
            raise AttnsolveError(
                reason(
                    "this may be {steps}; write the part too, such as {example}",
                    steps=one_of(known),
                    example=known[0],
                )
            )
        return known[0]

    def located(self, answer: Answer) -> tuple[str, Answer]:
        """The step that an answer is for, and the answer with its row and column, told by its name: S_12."""
        known = self.lookup.named(answer.name, answer.part)
        if known or answer.row is not None:
            return self.only(known), answer
        found = [
            (step, answer._replace(row=meaning.row, column=meaning.column))
            for meaning in meanings(answer.name)
            for step in self.lookup.named(meaning.name, answer.part)
        ]
        fitting = [one for one in found if self.fits(*one)]
        if len(fitting) > 1:
            places = [f"{step}{[n for n in one[1:3] if n is not None] or ''}" for step, one in fitting]
            raise AttnsolveError(reason("this may be {places}; write one of these", places=one_of(places)))
        if not found:
            self.only(())
        return (fitting or found)[0]

    def fits(self, step: str, answer: Answer) -> bool:
        """Whether the numbers of an answer can be laid on a step."""
        try:
            self.cells(answer, step, Grid(self.steps[step].value.shape), across=self.across[step])
        except AttnsolveError:
            return False
        return True

    def with_answer(self, grid: Grid | None, name: str, answer: Answer) -> Grid:
        """What is written for a step once one more answer is laid on it, found once for all who wrote it."""
        cause = grid, name, answer.row, answer.column, answer.rows, answer.right
        return self._laid.get(cause) or self._laid.keep(
            cause, self.lay(answer, name, grid or Grid(self.steps[name].value.shape)), answer.rows.size
        )

    def lay(self, answer: Answer, name: str, grid: Grid) -> Grid:
        """Put the numbers of one answer where they belong, above what was written there before."""
        across = self.across[name]
        laid = self.laid(answer, name, grid, across=across)
        is_list_of_tokens = self.problem.frames[name].columns.tokens is None
        if across and is_list_of_tokens and grid.shape[0] == grid.shape[1] > 1:
            with suppress(AttnsolveError):  # a cell that is there in one way only
                return replace(laid, other=self.laid(answer, name, grid.other or grid, across=False))
        return laid

    def laid(self, answer: Answer, name: str, grid: Grid, *, across: bool) -> Grid:
        """A grid with one more answer on it, whose tokens are columns or rows."""
        new, notes = self.cells(answer, name, grid, across=across), list(grid.notes)
        if answer.row is None and is_exchanged(answer.rows, grid.shape, across=across):
            notes.append(Note(NoteKind.TURNED))
        if grid.cells and any(is_written(grid.cells.get(place)) for place in new):
            notes.append(Note(NoteKind.TWICE))
        return Grid(
            grid.shape, {**grid.cells, **new}, grid.right or answer.right, tuple(dict.fromkeys(notes))
        )

    def cells(self, answer: Answer, name: str, grid: Grid, *, across: bool) -> Cells:
        """The numbers of one answer by their places."""
        if answer.right and not answer.rows:
            return {}
        if answer.row is None:
            return whole_cells(answer.rows, grid, across=across)
        (row, column), room = self.start(answer, name, grid, across=across)
        flat = [written for written_row in answer.rows for written in written_row]
        if is_lost(flat):
            room = 1  # wherever in the row it stands
        if len(flat) == 1 and not is_written(flat[0]):
            flat = flat * room  # as in a table: a row that is only `-` is that all along
        spellings = (with_crossed_places(flat), flat, merged(flat))
        fitting = next((numbers for numbers in spellings if len(numbers) == room), None)
        if fitting is None:
            raise AttnsolveError(
                reason("{numbers} numbers; {room} belong there", numbers=len(flat), room=room)
            )
        return {(row, column + k): written for k, written in enumerate(fitting)}

    def start(self, answer: Answer, name: str, grid: Grid, *, across: bool) -> tuple[tuple[int, int], int]:
        """The first place of an answer for one row or cell, and how many numbers belong there."""
        frame = self.problem.frames[name]
        numbers = [number for number in (answer.row, answer.column) if number is not None]
        single = frame.rows.size == 1 and len(numbers) == 1
        axes = [frame.columns] if single else [frame.rows, frame.columns]
        if across and len(numbers) == 2:
            numbers.reverse()
        places = []
        for axis, number in zip(axes, numbers, strict=False):
            place = position(axis, number - self.problem.index_from)
            if place is None:
                typed = ", ".join(map(str, numbers))
                raise AttnsolveError(reason("there is no place [{place}]", place=typed))
            places.append(place)
        if single:
            return (0, places[0]), 1
        return ((places[0], places[1]), 1) if len(places) > 1 else ((places[0], 0), grid.shape[1])


def one_of(names: Sequence[str]) -> Reason:
    """`a.A or b.A`."""
    first, *others = names
    return reduce(
        lambda one, other: reason("{one} or {other}", one=one, other=other), others, as_typed(first)
    )


def whole_cells(rows: Table, grid: Grid, *, across: bool) -> Cells:
    """The numbers of an answer for a whole step by their places."""
    flat = [written for row in rows for written in row]
    if is_lost(flat):
        if grid.cells:  # it must not take the place of a number, nor get lost itself
            raise AttnsolveError(unread(flat[0]))
        return {(0, 0): flat[0]}
    if is_skipped(flat, grid.shape):
        return {}
    laid = oriented(rows, grid.shape, across=across)
    return {(i, j): written for i, row in enumerate(laid) for j, written in enumerate(row)}


def is_lost(flat: Sequence[Written]) -> bool:
    """Whether all that was written is one text that could not be read."""
    return len(flat) == 1 and flat[0].state in (State.UNREAD, State.ILLEGIBLE)


def is_written(written: Written | None) -> bool:
    """Whether something stands in a place that somebody means."""
    return written is not None and written.state in (State.NUMBER, State.UNREAD, State.ILLEGIBLE)


def unread(written: Written) -> Reason:
    """That a place was not read, and why, where that is known."""
    why = next((note.meant for note in written.notes if note.meant), None)
    if why is None:
        return reason("'{typed}' was not read", typed=written.text)
    return reason("'{typed}' was not read: {meant}", typed=written.text, meant=why)


def is_skipped(flat: Sequence[Written], shape: tuple[int, int]) -> bool:
    """Whether a question was left out: one blank, or too few places and all of them blank or crossed out."""
    if len(flat) == 1 and flat[0].state is State.BLANK:
        return True
    return len(flat) != shape[0] * shape[1] and not any(map(is_written, flat))


def oriented(rows: Table, shape: tuple[int, int], *, across: bool) -> Sequence[Sequence[Written]]:
    """The rows as the engine keeps them, turned where the course prints them the other way round."""
    height, width = len(rows), max(map(len, rows))
    if (height, width) == shape and not (across and height == width):
        return rows
    if (width, height) == shape:
        return tuple(zip(*rows, strict=True)) if len({len(row) for row in rows}) == 1 else rows
    flat = [written for row in rows for written in row]
    if 1 in shape and len(flat) == max(shape):
        return (flat,) if shape[0] == 1 else [(written,) for written in flat]
    mixed = with_mixed_numbers(rows, max(shape) if 1 in shape else shape[0 if across else 1])
    if mixed is not None and len(mixed) in shape:
        return oriented(mixed, shape, across=across)
    crossed = Table(tuple(with_crossed_places(row)) for row in rows)
    if rows.size < crossed.size == shape[0] * shape[1] and len(set(map(len, crossed))) == 1:
        return oriented(crossed, shape, across=across)
    raise AttnsolveError(
        reason(
            "this is {typed}; {room} numbers belong there",
            typed=f"{height}×{width}",
            room=f"{shape[0]}×{shape[1]}",
        )
    )


def is_exchanged(rows: Table, shape: tuple[int, int], *, across: bool) -> bool:
    """Whether a table has its rows where its columns belong, though the course prints it as we keep it."""
    written = len(rows), max(map(len, rows), default=0)
    return not across and 1 not in shape and written != shape and written[::-1] == shape
