"""What a slip says of a letter that was ticked."""

from __future__ import annotations

from attnsolve.causes import NamedMistake
from attnsolve.languages import quoted
from attnsolve.rendering.hints import findings
from attnsolve.rendering.notes import as_sentence, by_hand, sentences
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.report import Report, StepReport, Verdict

# From this level on a hint says what is behind a wrong letter.
TELLING = 3


def tick_heading(step: StepReport, *, plain: bool) -> Segments:
    """`b.choice (Scaling)` on a screen, like a step; `Part (b), Scaling` on paper."""
    title = prose(step.title)
    if plain:
        return sentence(step.name, *((" (", title, ")") if title else ()))
    if not title:
        return say("Part ({part}), choice", part=step.part)
    return say("Part ({part}), {title}", part=step.part, title=title)


def remarks_on_tick(report: Report, step: StepReport, *, hints: int | None) -> tuple[Segments, ...]:
    """What is wrong with a letter; a TA is told the right one, and no hint of any level tells it."""
    said: list[Segments] = []
    if step.verdict.is_off and hints is None:
        said.append(say("Ticked: {ticked}; right: {right}.", ticked=step.typed, right=step.expected))
        said += [behind(step, named) for named in step.mistakes if named.advice]
    elif step is report.first_wrong and hints is not None and hints >= TELLING:
        said += [advice(step, named) for named in step.mistakes if named.advice]
    if step.overridden:
        said.append(sentence(as_sentence(by_hand(step))))
    noted = findings(report, step) if hints is not None else sentences(step.notes, counts=True)
    return (*said, *map(sentence, noted))


def behind(step: StepReport, named: NamedMistake) -> Segments:
    """What leads to a wrong option: a known mistake by its name, or what the file says of it."""
    if step.verdict is not Verdict.MISTAKE:
        return advice(step, named)
    return say(
        "This is the mistake {mistake}: {advice}", mistake=quoted(named.name), advice=advice(step, named)
    )


def advice(step: StepReport, named: NamedMistake) -> Segments:
    """What to tell whoever ticked it: a sentence of ours, or of the file, which is printed as it is."""
    return say(named.advice) if step.verdict is Verdict.MISTAKE else prose(named.advice)
