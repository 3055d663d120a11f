"""A line as somebody types it at the prompt: a command, numbers, or another value with its numbers."""

from __future__ import annotations

from attnsolve.errors import AttnsolveError
from attnsolve.languages import translated
from attnsolve.practice.answers import first_row, typed_cells
from attnsolve.practice.drill import Drill, Value, ValueKind
from attnsolve.practice.events import COMMANDS, Event, Said, Tone, Wish
from attnsolve.practice.progress import Progress
from attnsolve.rendering.text import say
from attnsolve.verifier.reading.names import Place, read_place, starts_answer


def understood(drill: Drill, progress: Progress, line: str) -> Event | Said:
    """What a line means, or what is unclear about it."""
    text = line.strip()
    command = command_of(text)
    if command is not None:
        return Event(command)
    value, place, rest = addressed(drill, drill.by_name[progress.at], text)
    if value is None:
        known = ", ".join(drill.names)
        return Said(
            Tone.BAD, say("There is no value {name}; the values are {names}.", name=place.name, names=known)
        )
    if not rest:
        return Event(Wish.ROW if progress.rows and not text else Wish.GO, value.name)
    return answer(drill, progress, value, place, rest)


def command_of(text: str) -> Wish | None:
    """The wish that a word stands for, in English or in the reader's language."""
    word = text.casefold()
    known = {
        spelled.casefold(): wish
        for wish, (name, _) in COMMANDS.items()
        for spelled in (name, translated(name))
    }
    return Wish.HELP if word in ("?", "h") else known.get(word)


def addressed(drill: Drill, here: Value, text: str) -> tuple[Value | None, Place, str]:
    """The value that a line is for, the place in it, and what is written there."""
    part = drill.part(text)
    if part is not None and here.kind is not ValueKind.LETTERS:
        return next(one for one in drill.values if one.part.id == part.id), Place(text), ""
    place = read_place(text) if starts_answer(text) and here.kind is not ValueKind.WORDS else None
    if place is None:
        return here, Place(here.name), text
    if place.name in drill.by_name:
        return drill.by_name[place.name], place, text[place.end :].strip()
    if here.kind is ValueKind.LETTERS:
        return here, Place(here.name), text
    known = drill.judge.placing.lookup.named(place.name)
    near = [name for name in known if name in drill.by_name and drill.by_name[name].part.id == here.part.id]
    names = near or [name for name in known if name in drill.by_name]
    found = drill.by_name[names[0]] if len(names) == 1 else None
    return found, place, text[place.end :].strip()


def answer(drill: Drill, progress: Progress, value: Value, place: Place, text: str) -> Event | Said:
    """The answer that a text is, or a row of one; a sentence where the numbers have no place."""
    row = first_row(value, text) if place.row is None else ()
    if row:
        return Event(Wish.ROW, value.name, (row,))
    try:
        cells = typed_cells(drill, value, text, place, progress.work(value.name).cells)
    except AttnsolveError as error:
        return Said(Tone.BAD, say("This was not read: {why}.", why=str(error)))
    return Event(Wish.ANSWER, value.name, cells)


def prompt(drill: Drill, progress: Progress) -> str:
    """What stands before the cursor: `a.S = `, or the row that comes next."""
    value = drill.by_name[progress.at]
    if value.kind is ValueKind.WORDS:
        return f"{value.name}: "
    first = drill.trace.problem.index_from
    row = f"[{len(progress.rows) + first}]" if progress.rows else ""
    return f"{value.name}{row} = "
