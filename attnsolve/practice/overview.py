"""All values and how they stand, and what can be typed."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.languages import message, translated
from attnsolve.practice.drill import Drill, Value, ValueKind
from attnsolve.practice.events import COMMANDS, Said, Tone
from attnsolve.practice.progress import Progress
from attnsolve.practice.standing import Stand, Standing
from attnsolve.practice.summary import score
from attnsolve.rendering.text import Segments, say, sentence

STANDS = {
    Stand.OPEN: message("open"),
    Stand.PARTLY: message("right so far"),
    Stand.RIGHT: message("right"),
    Stand.FOLLOWS: message("right for your numbers"),
    Stand.WRONG: message("not right yet"),
    Stand.UNCLEAR: message("not read or undecided"),
    Stand.SHOWN: message("looked at"),
    Stand.PASSED: message("not needed any more"),
}
TONES = {
    Stand.RIGHT: Tone.GOOD,
    Stand.FOLLOWS: Tone.GOOD,
    Stand.PASSED: Tone.GOOD,
    Stand.WRONG: Tone.BAD,
}
# What may be typed for a value.
EXAMPLES = {
    ValueKind.NUMBERS: message(
        "Type the numbers with blanks between them, and the rows one after the other or with ; between them: "
        "1/2 -0.25 √2 e^-3; 0 1 2 3. A whole matrix can be pasted."
    ),
    ValueKind.LETTERS: message("Type the letter of an option, or the letters of several."),
    ValueKind.WORDS: message("Answer on paper, or in your head; then compare."),
}


def wanted(drill: Drill, value: Value) -> Said:
    """What is to be typed now: `a.T: s̃ (Scale the scores), 1 × 4 numbers`."""
    rows, columns = value.shape
    heading = drill.heading(value)
    if value.kind is not ValueKind.NUMBERS:
        return Said(Tone.NOTE, sentence(f"{value.name}: ", heading))
    if value.shape == (1, 1):
        return Said(Tone.NOTE, say("{name}: {heading}, one number", name=value.name, heading=heading))
    if value.wanted:
        places = say(
            "{name}: {heading}, {count} of {rows} × {columns} numbers",
            name=value.name,
            heading=heading,
            count=len(value.wanted),
            rows=rows,
            columns=columns,
        )
        return Said(Tone.NOTE, places)
    size = {"rows": rows, "columns": columns}
    return Said(
        Tone.NOTE,
        say("{name}: {heading}, {rows} × {columns} numbers", name=value.name, heading=heading, **size),
    )


def overview(drill: Drill, progress: Progress, found: Standing) -> Iterator[Said]:
    """Every value with how it stands, and how many are right."""
    for value in drill.values:
        stand = found.stands[value.name]
        here = "→ " if value.name == progress.at else ""
        yield Said(TONES.get(stand, Tone.NOTE), line(drill, value, here, stand))
    yield Said(Tone.NOTE, score(drill, found))


def line(drill: Drill, value: Value, here: str, stand: Stand) -> Segments:
    """`a.S: s (Scores: …): right`."""
    return sentence(f"{here}{value.name}: ", drill.heading(value), f": {translated(STANDS[stand])}")


def helping(value: Value) -> Iterator[Said]:
    """What can be typed, and what every command does."""
    yield Said(Tone.NOTE, say(EXAMPLES[value.kind]))
    yield Said(
        Tone.NOTE,
        say("With its name before it any other value is answered: b.A = …; a name alone goes there."),
    )
    for word, about in COMMANDS.values():
        yield Said(Tone.NOTE, sentence(f"{translated(word)}: {translated(about)}"))
