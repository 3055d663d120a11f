"""From the lock and the kept problem files to the documents of an exam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from attnsolve.exams.answers import variety
from attnsolve.exams.lock import Answers, Entry, Lock
from attnsolve.exams.manifest import manifest_csv, manifest_json
from attnsolve.exams.printing import Press, Print, printed, whole
from attnsolve.exams.tables import safe_name
from attnsolve.papers import Fairness, Paper
from attnsolve.problem_set import Asked, Solved, in_sheet, one_of_each, problems_of
from attnsolve.rendering import Document, Settings, headed, pictures_of
from attnsolve.rendering.booklets import letterhead_of
from attnsolve.rendering.exams import render_contacts, render_fairness, render_key
from attnsolve.report import exercise_number, name_in_sheet
from attnsolve.variation import JUDGES


def paper(entry: Entry, trace: Solved) -> Paper:
    """One person's exam."""
    return Paper(entry.code, trace, entry.seat.student, entry.seat.name, entry.effort)


def documents(
    lock: Lock, papers: Sequence[Paper], press: Press, made: Sequence[Print]
) -> Iterator[tuple[str, str]]:
    """Every document of an exam, by its name below the folder."""
    cover = lock.cover
    if press.layout.each:
        for one, printed in zip(papers, made, strict=True):
            stem = stem_of(one, names=lock.layout.names)
            yield f"exams/{stem}.tex", printed.exam
            yield f"solutions/{stem}.tex", printed.solution
    else:
        exams, solutions = whole(press, made)
        yield "exams.tex", exams
        yield "solutions.tex", solutions
    yield from files("key.tex", render_key(papers, cover))
    yield from files("key.md", render_key(papers, cover, to="markdown"))
    yield from files("fairness.md", render_fairness(fairness(lock, papers), cover))
    yield from files("contacts.tex", render_contacts(papers, cover))
    yield "manifest.json", manifest_json(lock)
    yield "manifest.csv", manifest_csv(lock)


def files(name: str, document: Document) -> Iterator[tuple[str, str]]:
    """A document and the figures that stand beside it."""
    yield name, document.text
    folder = name.rpartition("/")[0]
    yield from ((f"{folder}/{figure}".lstrip("/"), text) for figure, text in document.figures)


def shown_pictures(papers: Sequence[Paper], press: Press) -> Iterator[tuple[str, bytes]]:
    """The figures of the questions and of the solutions, beside the documents that show them."""
    each = press.layout.each
    for sheet, folder in (("exercise", "exams/"), ("solution", "solutions/")):
        settings = Settings(to="latex", sheet=sheet, maps=True)
        shown = {name: data for one in papers for name, data in shown_on(one.trace.problem, settings)}
        yield from ((f"{folder if each else ''}{name}", data) for name, data in shown.items())


def shown_on(asked: Asked, settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """The figures of a document, and the logo that stands on title pages."""
    pictures = tuple(one for problem in problems_of(asked) for one in pictures_of(problem, settings))
    if settings.sheet != "exercise":
        return pictures
    return headed(pictures, letterhead_of(asked), settings)


def stem_of(one: Paper, *, names: bool) -> str:
    """The file name of a paper: its code, and whose it is only if that is wished."""
    person = safe_name(f"{one.student} {one.name}", otherwise="") if names else ""
    return f"{one.code}-{person}" if person else one.code


def reprinted(entry: Entry, press: Press, trace: Solved) -> Iterator[tuple[str, str | bytes]]:
    """The exam and the solution of one code, with their figures."""
    alone = press._replace(layout=replace(press.layout, each=True))
    (made,) = printed(alone, [paper(entry, trace)])
    yield f"reprints/{entry.code}-exam.tex", made.exam
    yield f"reprints/{entry.code}-solution.tex", made.solution
    for sheet in ("exercise", "solution"):
        for name, data in shown_on(trace.problem, Settings(to="latex", sheet=sheet, maps=True)):
            yield f"reprints/{name}", data


def fairness(lock: Lock, papers: Sequence[Paper]) -> Fairness:
    """What a lecturer wants to see before printing."""
    source = lock.source
    printed = [entry for entry in lock.entries if entry.is_printed]
    refused = Counter[str]()
    for entry in printed:
        refused.update(entry.refused)
    title = lock.cover.title or (papers[0].trace.problem.title if papers else source.problem)
    return Fairness(
        title=title,
        usual=source.usual,
        band=Fraction(source.band),
        efforts={entry.code: entry.effort for entry in printed},
        original=source.original,
        refused={judge: refused[judge] for judge in JUDGES if refused[judge]},
        complaints=JUDGES,
        accepted=len(printed),
        weights=tuple(map(sum, zip(*(entry.weights for entry in printed), strict=True))),
        allowed=source.allowed,
        inseparable=source.inseparable,
        words=shared_words(papers),
        variety=dict(sorted(variety(map(answers_in_sheet, printed)).items(), key=in_order)),
        lineups={entry.code: entry.lineup for entry in printed if entry.lineup},
    )


def in_order(answer: tuple[str, object]) -> int:
    """Where an answer stands: by the exercise of the sheet that it belongs to."""
    return exercise_number(answer[0])


def answers_in_sheet(entry: Entry) -> Answers:
    """The key of a paper by the names that the sheet has, where its exercises have other numbers there."""
    return {name_in_sheet(name, entry.lineup): rows for name, rows in entry.answers.items()}


def shared_words(papers: Sequence[Paper]) -> tuple[str, ...]:
    """Notes and answers in words with numbers in them: what the original said may be wrong now."""
    texts = {
        f"{part.id if exercise is None else in_sheet(exercise).label(part.id)}.{key}": text
        for exercise, trace in one_of_each(paper.trace for paper in papers)
        for part in trace.problem.parts
        for key, text in (("note", part.note), ("discuss", part.discuss))
    }
    return tuple(name for name, text in texts.items() if any(map(str.isdigit, text)))
