"""A feedback slip: what is right, where it went wrong and why, and as much of the answer as a hint gives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from attnsolve.causes import NamedMistake
from attnsolve.languages import decimal, message, quoted, speaking, template, translated, translated_count
from attnsolve.marks import out_of
from attnsolve.notes import Note, NoteKind
from attnsolve.problem_set import Asked, ProblemSet, Solved, SolvedSet, owner
from attnsolve.rendering import Document
from attnsolve.rendering.hints import AGAIN, EARLIER, findings, hinted, may_be_earlier
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.notes import as_sentence, by_hand, mistake_words, sentences, slip_words
from attnsolve.rendering.places import place
from attnsolve.rendering.questions import given, heading, how_answered, remarked, total
from attnsolve.rendering.text import Segments, formula, prose, say, sentence
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
FIRST_OFF = message("The first number that is off: {place} was read as {typed}; that is not right.")
FIRST_OFF_AND_RIGHT = message(
    "The first number that is off: {place} was read as {typed}; it should be {expected}."
)


class LineView(NamedTuple):
    """What is said about one step."""

    name: str
    title: str
    heading: Segments
    verdict: str
    marks: Segments
    said: tuple[Segments, ...]


class FeedbackView(NamedTuple):
    """A whole slip."""

    name: str
    title: Segments
    student: Segments
    variant: Segments
    lines: tuple[LineView, ...]
    exercises: tuple[Segments, ...]  # of a problem set: the marks of each
    total: Segments
    unread: tuple[Segments, ...]
    remarks: tuple[Segments, ...]


def feedback(
    solved: Solved,
    report: Report,
    *,
    to: str = "text",
    hints: int | None = None,
    flavour: str = "pandoc",
    lang: str | None = None,
) -> Document:
    """The slip in a format: text, markdown or latex; `hints` 1 to 4 for students, everything for a TA."""
    with speaking(lang or solved.problem.lang):
        view = feedback_view(solved, report, plain=to == "text", hints=hints)
        if to == "text":
            return Document(as_text(view))
        from attnsolve.rendering.environment import fill

        return Document(fill("feedback", to, doc=view, flavour=flavour, maps_beside=False))


def report_record(solved: Solved, report: Report) -> dict[str, Any]:
    """The report for programs, with the first wrong number as the sheet counts it: `a.K[2, 1]`."""
    record = report.record()
    for step in record["steps"]:
        cell = step["cell"]
        step["place"] = "" if cell is None else f"{step['name']}{place(solved.problem, step['name'], cell)}"
    if isinstance(solved, SolvedSet):
        record["exercises"] = [
            {"number": number, "earned": str(earned), "possible": str(possible)}
            for number, earned, possible in exercise_marks(solved.problem, report)
        ]
    return record


def hints_record(solved: Solved, report: Report, hints: int, *, lang: str | None = None) -> dict[str, Any]:
    """What a student is told at a level, for programs: made of what is printed, so that it holds no more."""
    with speaking(lang or solved.problem.lang):
        view = feedback_view(solved, report, plain=True, hints=hints)
    return {
        "schema": 1,
        "problem": report.problem,
        "student": report.student,
        "variant": report.variant,
        "hints": hints,
        "steps": [
            {
                "name": line.name,
                "title": line.title,
                "verdict": line.verdict,
                "said": [words(said) for said in line.said],
            }
            for line in view.lines
        ],
        "unread": list(report.unread),
        "remarks": list(report.remarks),
    }


def exercise_marks(asked: ProblemSet, report: Report) -> Iterator[tuple[int, Fraction, Fraction]]:
    """What each exercise of a problem set has earned, and what it could."""
    for exercise in asked.exercises:
        labels = [part.id for part in exercise.parts]
        possible = sum((step.possible for step in report.steps if step.part in labels), Fraction(0))
        yield exercise.number, sum(map(report.earned_in, labels), Fraction(0)), possible


def feedback_view(solved: Solved, report: Report, *, plain: bool, hints: int | None) -> FeedbackView:
    """The slip as plain records; with hints only the first wrong step is spoken of, and what was not read."""
    problem = solved.problem
    shown = all_steps(problem, report) if hints is None else hinted(report)
    return FeedbackView(
        name=report.problem,
        title=prose(problem.title),
        student=sentence(report.student) if report.student else (),
        variant=sentence(report.variant) if report.variant else (),
        lines=(
            *(line(problem, report, step, plain=plain, hints=hints) for step in shown),
            *(part_line(part, plain=plain) for part in (report.parts if hints is None else ())),
        ),
        exercises=tuple(
            say("Exercise {number}: {marks}", number=number, marks=out_of(earned, possible))
            for number, earned, possible in exercise_marks(problem, report)
        )
        if isinstance(problem, ProblemSet) and hints is None
        else (),
        total=total(report) if hints is None else (),
        unread=tuple(sentence(said) for said in report.unread),
        remarks=tuple(sentence(said) for said in report.remarks),
    )


def all_steps(asked: Asked, report: Report) -> list[StepReport]:
    """What was written, and what is not there of that which has marks."""
    known = steps_of(asked)
    return [
        step
        for step in report.steps
        if step.verdict is not Verdict.NOT_WRITTEN or (step.possible and step.name in known)
    ]


def steps_of(asked: Asked) -> set[str]:
    """The names of all steps, and of what is ticked."""
    if isinstance(asked, ProblemSet):
        return {one.outer(name) for one in asked.exercises for name in steps_of(one.problem)}
    return {call.out for call in asked.calls()} | {part.ticked for part in asked.parts if part.choice}


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
    notation = Notation(problem, part, style=problem.numbers, places=problem.places)
    known = own in problem.frames  # what is inside a step has none unless asked for
    symbol = formula(notation.symbol(own)) if known and not plain else (False, step.name)
    said: list[Segments] = []
    is_first = hints is None or step is report.first_wrong
    if step.verdict.is_off and is_first:
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


def as_text(view: FeedbackView) -> str:
    """The slip for a screen."""
    who = words(view.student) + (f" ({words(view.variant)})" if view.variant else "")
    made = [": ".join(filter(None, (words(view.title), who.strip())))]
    for one in view.lines:
        verdict = f": {one.verdict}" if one.verdict else ":"
        made.append(f"  {words(one.heading)}{verdict}{f'  [{words(one.marks)}]' if one.marks else ''}")
        made += [f"      {words(said)}" for said in one.said]
    unread = [say("not read: {text}", text=said) for said in view.unread]
    made += [f"  {words(said)}" for said in unread]
    made += [f"  // {words(said)}" for said in view.remarks]
    made += [f"  {words(said)}" for said in view.exercises]
    if view.total:
        made.append("  " + words(say("marks: {marks}", marks=view.total)))
    return "\n".join(made) + "\n"


def words(segments: Segments) -> str:
    """A sentence without markup."""
    return "".join(piece for _, piece in segments)
