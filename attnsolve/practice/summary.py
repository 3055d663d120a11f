"""What went well, what took help, and which mistakes came up."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.languages import message, quoted, template
from attnsolve.practice.drill import Drill, ValueKind
from attnsolve.practice.events import Said, Tone
from attnsolve.practice.progress import Progress, Round
from attnsolve.practice.standing import Stand, Standing
from attnsolve.rendering.text import listed, say, say_count

DONE = (Stand.RIGHT, Stand.FOLLOWS, Stand.PASSED)


def summary(drill: Drill, progress: Progress, found: Standing) -> Iterator[Said]:
    """The sentences at the end of a session."""
    alone: list[str] = []
    helped: list[str] = []
    for name, stand in found.stands.items():
        work = progress.work(name)
        if stand in (Stand.RIGHT, Stand.FOLLOWS):
            (helped if work.helped or work.shown or work.tries > 1 else alone).append(name)
    shown = [name for name, stand in found.stands.items() if stand is Stand.SHOWN and is_judged(drill, name)]
    if any(is_judged(drill, name) for name in found.stands):
        yield Said(Tone.NOTE, score(drill, found))
    if alone:
        yield Said(Tone.GOOD, say("Right at the first try: {names}.", names=listed(alone)))
    if helped:
        yield Said(Tone.NOTE, say("Right after a hint or another try: {names}.", names=listed(helped)))
    if shown:
        yield Said(Tone.NOTE, say("Looked at: {names}.", names=listed(shown)))
    for name, where in came_up(drill, progress).items():
        yield Said(Tone.BAD, mistake_line(drill, name, where))
    for one in progress.rounds:
        yield Said(Tone.NOTE, before(one))


def counted(drill: Drill, found: Standing) -> tuple[int, int]:
    """How many values are right, and how many can be."""
    stands = [stand for name, stand in found.stands.items() if is_judged(drill, name)]
    return sum(stand in DONE for stand in stands), len(stands)


def score(drill: Drill, found: Standing) -> tuple[tuple[bool, str], ...]:
    """`3 of 9 values are right.`"""
    right, total = counted(drill, found)
    return say_count(
        "{right} of {count} value is right.", "{right} of {count} values are right.", total, right=right
    )


def is_judged(drill: Drill, name: str) -> bool:
    """Whether a value is one that can be right."""
    return drill.by_name[name].kind is not ValueKind.WORDS


def came_up(drill: Drill, progress: Progress) -> dict[str, list[str]]:
    """The mistakes that came up, each with the values that they came up at."""
    found: dict[str, list[str]] = {}
    for name in drill.names:
        for mistake in progress.work(name).mistakes:
            found.setdefault(mistake, []).append(name)
    return found


def mistake_line(drill: Drill, name: str, where: list[str]) -> tuple[tuple[bool, str], ...]:
    """A mistake with its places, and what to do about it."""
    advice = advices(drill).get(name, "")
    mistake, names = quoted(name), listed(where)
    if not advice:
        return say("The mistake {mistake} came up at {names}.", mistake=mistake, names=names)
    said = message("The mistake {mistake} came up at {names}. {advice}")
    return say(said, mistake=mistake, names=names, advice=template(advice))


def advices(drill: Drill) -> dict[str, str]:
    """What is told against each mistake that this problem knows."""
    parts = drill.trace.problem.parts
    found = {one.name: one.advice for part in parts for one in part.mistakes}
    return found | {one.name: one.advice for part in parts for call in part.calls for one in call.op.mistakes}


def before(one: Round) -> tuple[tuple[bool, str], ...]:
    """How an earlier variant went."""
    if not one.variant:
        return say(
            "Before, with the sheet's own numbers: {right} of {total}.", right=one.right, total=one.total
        )
    return say(
        "Before, variant {number}: {right} of {total}.", number=one.variant, right=one.right, total=one.total
    )


def round_of(drill: Drill, progress: Progress, found: Standing) -> Round:
    """An exercise as it is left for another variant of it."""
    return Round(progress.variant, *counted(drill, found), tuple(came_up(drill, progress)))
