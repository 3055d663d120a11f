"""Where and why a step is wrong, in words: as much of it as a hint gives."""

from __future__ import annotations

from attnsolve.causes import NamedMistake
from attnsolve.languages import decimal, message, quoted, translated, translated_count
from attnsolve.problem_set import Asked, owner
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.notes import mistake_words, slip_words
from attnsolve.rendering.places import place
from attnsolve.rendering.text import Segments, formula, say, sentence
from attnsolve.report import StepReport

FIRST_OFF = message("The first number that is off: {place} was read as {typed}; that is not right.")
FIRST_OFF_AND_RIGHT = message(
    "The first number that is off: {place} was read as {typed}; it should be {expected}."
)


def faults(
    asked: Asked, step: StepReport, notation: Notation, *, plain: bool, level: int, whole: bool
) -> list[Segments]:
    """Where and why a step is wrong: the number from level 2, the kind of slip from 3, the value at 4."""
    if step.cell is None or level < 2:
        return []
    said = []
    problem, own = owner(asked, step.name)
    where = (
        formula(notation.entry(own, *step.cell))
        if own in problem.frames and not plain
        else (False, f"{step.name}{place(asked, step.name, step.cell)}")
    )
    if not (whole and step.mistakes):
        told = FIRST_OFF_AND_RIGHT if level > 3 else FIRST_OFF
        said.append(say(told, place=where, typed=step.typed, expected=decimal(step.expected)))
    if level > 2 and step.slips:
        said.append(say("Probably {slip}.", slip=slip_words(step.slips)))
    if level > 2:
        said += [sentence(explained(named, numbers=whole)) for named in step.mistakes]
    return said


def explained(named: NamedMistake, *, numbers: bool) -> str:
    """A mistake by its name and advice, and for a TA how much speaks for it."""
    advice = translated(named.advice)
    if not numbers:
        return advice
    evidence = translated_count(
        "{count} number to {places}",
        "{count} numbers to {places}",
        named.numbers,
        places=translated_count("{count} place", "{count} places", named.places),
    )
    return translated(
        message("This is the mistake {mistake}: {advice} ({evidence}; no other known mistake fits.)")
        if named.alone
        else message("This is the mistake {mistake}: {advice} ({evidence}; another known mistake fits too.)"),
        mistake=quoted(mistake_words(named)),
        advice=advice,
        evidence=evidence,
    )
