"""What a feedback slip says about one step or part: its verdict, its marks, and why."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.languages import message, template, translated
from attnsolve.marks import out_of
from attnsolve.notes import Note, NoteKind
from attnsolve.problem import Part, Problem
from attnsolve.problem_set import Asked, owner
from attnsolve.rendering.faults import faults
from attnsolve.rendering.hints import AGAIN, EARLIER, findings, may_be_earlier
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.notes import as_sentence, by_hand, sentences
from attnsolve.rendering.questions import given, heading, how_answered, remarked
from attnsolve.rendering.text import Segments, formula, say, sentence
from attnsolve.rendering.ticks import remarks_on_tick, tick_heading
from attnsolve.report import PartMark, Report, StepReport, Verdict

VERDICTS = {
    Verdict.RIGHT: message("right"),
    Verdict.FOLLOWS: message("right for your numbers"),
    Verdict.RIGHT_AS_READ: message("right, as far as it could be read"),
    Verdict.FOLLOWS_AS_READ: message("right for your numbers, as far as it could be read"),
    Verdict.MISTAKE: message("a known mistake"),
    Verdict.WRONG: message("wrong"),
    Verdict.UNDECIDED: message("undecided: a person has to look at this"),
    Verdict.NOT_READ: message("not read"),
    Verdict.NOT_WRITTEN: message("not written"),
}


class LineView(NamedTuple):
    """What is said about one step."""

    name: str
    title: str
    heading: Segments
    verdict: str
    marks: Segments
    said: tuple[Segments, ...]


def line(asked: Asked, report: Report, step: StepReport, *, plain: bool, hints: int | None) -> LineView:
    """One step: its verdict, its marks, and what to say about it at this level."""
    problem, own = owner(asked, step.name)
    part = next(part for part in problem.parts if part.id == own.partition(".")[0])
    if step.is_question:
        return LineView(
            step.name,
            step.title,
            heading(step, plain=plain),
            how_answered(part, step),
            given(step),
            tuple(map(sentence, remarked(step))),
        )
    if own == part.ticked:
        return LineView(
            step.name,
            step.title,
            tick_heading(step, plain=plain),
            said_in_a_word(report, step, hints),
            marks_of(step, hints),
            remarks_on_tick(report, step, hints=hints),
        )
    if own in part.stated:
        return stated_line(problem, part, report, step, plain=plain, hints=hints)
    notation = Notation(problem, part, style=problem.numbers, places=problem.places)
    known = own in problem.frames  # what is inside a step has none unless asked for
    symbol = formula(notation.symbol(own)) if known and not plain else (False, step.name)
    said: list[Segments] = []
    is_first = hints is None or step is report.first_wrong
    if problem.assumptions is not None:  # the room for letters is entered only for them
        from attnsolve.rendering.derivations.formula_lines import remarks_on_formula

        said += remarks_on_formula(problem, step, own, notation, hints=hints)
    elif step.verdict.is_off and is_first:
        if hints is not None and may_be_earlier(asked, report, step):
            said.append(say(EARLIER))
        level = 4 if hints is None else hints
        said += faults(asked, step, notation, plain=plain, level=level, whole=hints is None)
    if step.overridden:
        said.append(sentence(as_sentence(by_hand(step))))
    noted = findings(report, step) if hints is not None else sentences(own_notes(step), counts=True)
    said += [sentence(words) for words in noted]
    title = template(step.title)
    return LineView(
        step.name,
        title,
        step_heading(asked, step.part, symbol, title, plain=plain),
        said_in_a_word(report, step, hints),
        marks_of(step, hints),
        tuple(said),
    )


def stated_line(
    problem: Problem, part: Part, report: Report, step: StepReport, *, plain: bool, hints: int | None
) -> LineView:
    """A result about symbols, or an opinion on a claim; their rooms are entered only for that."""
    from attnsolve.rendering.derivations.claim_lines import remarks_on_claims, stated_heading

    if part.abstract is not None:
        said = list(remarks_on_claims(problem, part, step, hints=hints))
    else:
        from attnsolve.rendering.derivations.letter_lines import remarks_on_letters

        said = list(remarks_on_letters(problem, part, step, hints=hints))
    if step.overridden:
        said.append(sentence(as_sentence(by_hand(step))))
    noted = findings(report, step) if hints is not None else sentences(own_notes(step), counts=True)
    return LineView(
        step.name,
        template(step.title),
        stated_heading(step, plain=plain),
        said_in_a_word(report, step, hints),
        marks_of(step, hints),
        (*said, *map(sentence, noted)),
    )


def said_in_a_word(report: Report, step: StepReport, hints: int | None) -> str:
    """The verdict on a step, for a TA or at a level of hints."""
    return verdict(step) if hints is None else verdict_for_students(report, step)


def marks_of(step: StepReport, hints: int | None) -> Segments:
    """What a step has earned, which no hint tells."""
    return sentence(out_of(step.earned, step.possible)) if hints is None and step.possible else ()


def step_heading(asked: Asked, part: str, symbol: tuple[bool, str], title: str, *, plain: bool) -> Segments:
    """`Part (a), A (Softmax)`; a plain name has its part in it."""
    name = sentence(symbol, f" ({title})" if title else "")
    several = len(asked.parts) > 1 and not plain
    return say("Part ({part}), {title}", part=part, title=name) if several else name


def part_line(part: PartMark, *, plain: bool) -> LineView:
    """A part whose total a person has given."""
    return LineView(
        part.name,
        "",
        say("{part}, all of it", part=part.name if plain else say("Part ({part})", part=part.name)),
        "",
        sentence(out_of(part.earned, part.possible)),
        (sentence(as_sentence(by_hand(part))), *map(sentence, sentences(part.notes, counts=True))),
    )


def own_notes(step: StepReport) -> list[Note]:
    """What was noted about a step; why we would have given marks is not told where a person gave them."""
    return [note for note in step.notes if not (step.overridden and note.kind is NoteKind.METHOD_SHOWN)]


def verdict(step: StepReport) -> str:
    """What is said of a step in a word or two."""
    if step.verdict is Verdict.NOT_WRITTEN and step.earned and not step.overridden:
        return translated("not written, but what comes after it shows that it was done")
    return translated(VERDICTS[step.verdict])


def verdict_for_students(report: Report, step: StepReport) -> str:
    """The same in a hint: of what comes after the first wrong step nothing is said yet."""
    if step is report.first_wrong:
        return translated(AGAIN)
    tells_nothing = step.verdict.is_open and not step.verdict.is_partial
    return verdict(step) if report.first_wrong is None or tells_nothing else ""
