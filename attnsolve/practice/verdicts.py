"""What is said at once about an answer: whether it is right, and never what would be."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.languages import message, quoted
from attnsolve.practice.answers import missing
from attnsolve.practice.drill import Drill, Value
from attnsolve.practice.events import Said, Tone
from attnsolve.practice.progress import Progress
from attnsolve.practice.standing import Stand, Standing
from attnsolve.rendering.hints import findings
from attnsolve.rendering.notes import mistake_words
from attnsolve.rendering.text import listed, say, say_count, sentence
from attnsolve.report import StepReport, Verdict

PLAIN = {
    Stand.RIGHT: (Tone.GOOD, message("Right.")),
    Stand.WRONG: (Tone.BAD, message("Not right yet.")),
}


def verdict_on(drill: Drill, value: Value, progress: Progress, found: Standing) -> Iterator[Said]:
    """All that is said about what was typed for a value."""
    step, stand = found.step(value.name), found.stands[value.name]
    if stand in PLAIN:
        tone, words = PLAIN[stand]
        yield Said(tone, say(words))
    if stand is Stand.PARTLY:
        left = missing(value, progress.work(value.name).cells)
        yield Said(
            Tone.GOOD,
            say_count(
                "Right so far; {count} number is still missing.",
                "Right so far; {count} numbers are still missing.",
                left,
            ),
        )
    if stand is Stand.FOLLOWS:
        yield Said(Tone.GOOD, following(drill, value, found))
    if stand is Stand.WRONG and step is not None:
        yield from named(step)
    if step is not None:
        yield from (Said(Tone.NOTE, sentence(words)) for words in findings(found.report, step))
        if step.verdict is Verdict.UNDECIDED:
            yield Said(Tone.NOTE, say("It could not be decided whether this is right."))


def following(drill: Drill, value: Value, found: Standing) -> tuple[tuple[bool, str], ...]:
    """That a value is right for somebody's own numbers, and where those went wrong."""
    wrong = [name for name in drill.before(value) if found.stands[name] is Stand.WRONG]
    if not wrong:
        return say("Right for your numbers.")
    return say(
        "Right for your numbers: you went on from {earlier}, which is not right yet.", earlier=listed(wrong)
    )


def named(step: StepReport) -> Iterator[Said]:
    """The mistake that a wrong answer shows, by its name, where it is known."""
    if step.verdict is Verdict.MISTAKE and step.mistakes:
        name = quoted(mistake_words(step.mistakes[0]))
        yield Said(Tone.BAD, say("It looks like a known mistake: {mistake}.", mistake=name))
