"""The marks as a table that a spreadsheet opens, and in which no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from attnsolve.exact.decimals import round_rational
from attnsolve.exams.tables import harmless
from attnsolve.grading.graded import Graded
from attnsolve.notes import Note, NoteKind
from attnsolve.problem_set import Asked, ProblemSet
from attnsolve.rendering.notes import by_hand, fragment, mistake_words, slip_words
from attnsolve.rendering.places import place
from attnsolve.report import Report, StepReport, name_in_sheet

PLACES = 4
TO_BE_MARKED = "to be marked by hand"
TOO_FEW_DIGITS = "too few digits"


def gradebook(
    problem: Asked, marks: Sequence[Graded], *, raw: bool = False, names: Mapping[str, str] | None = None
) -> str:
    """One line for each student: the marks of each part and all, the first thing wrong, what to look at.

    Where papers have different exercises, columns are named as the sheet numbers them and words about
    somebody's answers as his paper does; the column `exercises` says which of the sheet it has, in its order.
    """
    parts = [part.id for part in problem.parts if part.is_judged or part.is_for_a_person]
    exercises = exercise_parts(problem, parts)
    heading = ["student", "variant", *parts, *exercises, "total", "possible"]
    heading += ["first wrong", "look at", "source"]
    counts = Counter(graded.student for graded in marks)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    has_lineups = any(one.report is not None and one.report.lineup for one in marks)
    if has_lineups:
        heading.insert(heading.index("variant") + 1, "exercises")
    if names:
        heading.insert(1, "name")
    writer.writerow(heading if raw else map(harmless, heading))
    for one in marks:
        student, variant, *cells = line(problem, parts, exercises, one, counts[one.student] > 1)
        row = [student, *([names.get(one.student.casefold(), "")] if names else []), variant]
        if has_lineups:
            row.append(" ".join(map(str, one.report.lineup)) if one.report is not None else "")
        row += cells
        writer.writerow(row if raw else map(harmless, row))
    return stream.getvalue()


def exercise_parts(asked: Asked, parts: Sequence[str]) -> dict[str, list[str]]:
    """The columns for whole exercises of a problem set, each with the parts it is the sum of."""
    if not isinstance(asked, ProblemSet):
        return {}
    own = {f"exercise {one.number}": [part.id for part in one.parts] for one in asked.exercises}
    return {name: [part for part in ids if part in parts] for name, ids in own.items()}


def line(
    problem: Asked,
    parts: Sequence[str],
    exercises: Mapping[str, Sequence[str]],
    graded: Graded,
    is_double: bool,
) -> list[str]:
    """The cells of one student."""
    report = graded.report
    look = [
        *(["handed in more than once"] if is_double and graded.student else []),
        *findings(problem, graded),
    ]
    earned = [""] * (len(parts) + len(exercises) + 2)
    first = ""
    if report is not None:
        columns = [[part] for part in parts] + list(map(list, exercises.values()))
        own = report.by_sheet
        earned = [earned_for(own, ids, is_whole=not report.lineup) for ids in columns]
        earned += [decimal(report.earned), decimal(report.possible)]
        wrong = report.first_wrong
        first = "" if wrong is None else told(problem, wrong, lineup=report.lineup)
    return [graded.student, graded.variant, *earned, first, "; ".join(look), graded.source]


def earned_for(report: Report, parts: Sequence[str], *, is_whole: bool) -> str:
    """The marks of some parts; nothing where a person has to mark one yet, or the paper has none of them."""
    own = [step for step in report.steps if step.part in parts]
    if any(step.waits for step in own) or not (own or is_whole):
        return ""
    return decimal(sum(map(report.earned_in, parts), Fraction(0)))


def findings(problem: Asked, graded: Graded) -> Iterator[str]:
    """What a person must look at."""
    if graded.trouble:
        yield graded.trouble
    if graded.report is None:
        return
    yield from (f"not read: {words}" for words in graded.report.unread)
    for step in graded.report.steps:
        unread = fragments(note for note in step.notes if note.is_unread)
        if step.verdict.is_partial:
            yield f"{step.name} {step.verdict}: {unread}"
        elif step.verdict.is_open:
            yield f"{step.name} {step.verdict}{': ' if step.notes else ''}{fragments(step.notes)}"
        elif unread:
            yield f"{step.name}: {unread}"
        if step.overridden and not step.is_question:  # which nobody but a person marks
            yield f"{step.name} {by_hand(step)}"
        for note in step.notes:
            if note.kind is NoteKind.MARK_CUT:
                yield f"{step.name}: {fragment(note)}"
            elif note.kind is NoteKind.TWICE:
                yield f"{step.name} {fragment(note)}"
    for part in graded.report.parts:
        yield "; ".join(
            [f"{part.name} {by_hand(part)}", *(f"{part.name}: {fragment(n)}" for n in part.notes)]
        )
    coarse = [step.name for step in graded.report.steps if is_short(step)]
    if coarse:
        yield f"{TOO_FEW_DIGITS}: {', '.join(coarse)}"
    waiting = [step.name for step in graded.report.steps if step.waits]
    if waiting:
        yield f"{TO_BE_MARKED}: {', '.join(waiting)}"
    yield from (f"remark: {words}" for words in graded.report.remarks)


def fragments(notes: Iterable[Note]) -> str:
    """Notes in a cell of the table."""
    return ", ".join(map(fragment, notes))


def is_short(step: StepReport) -> bool:
    """Whether marks are lost for digits that are not there."""
    lost = step.earned < step.possible and not step.overridden
    return lost and any(note.is_coarse for note in step.notes)


def told(problem: Asked, step: StepReport, *, lineup: Sequence[int] = ()) -> str:
    """A wrong step in a few words: which number, and the mistake or the slip it looks like.

    `lineup` says which exercises of the problem set the paper has.
    """
    why = " or ".join(map(mistake_words, step.mistakes)) or slip_words(step.slips)
    why = f": {why}" if why else ""
    where = place(problem, name_in_sheet(step.name, lineup), step.cell)
    return f"{step.name}{where} {step.verdict}{why}"


def decimal(marks: Fraction) -> str:
    """Marks as a spreadsheet adds them up: 3.5, and thirds to four places."""
    text = round_rational(marks, PLACES).text
    return text.rstrip("0").rstrip(".") if "." in text else text
