"""From the lock and the kept problem files to the documents of an exam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import attrgetter

from attnsolve.exams.answers import variety
from attnsolve.exams.lock import Answers, Entry, Lock
from attnsolve.exams.manifest import manifest_csv, manifest_json
from attnsolve.exams.printing import Press, Print, Writer, whole
from attnsolve.exams.tables import safe_name
from attnsolve.papers import Fairness, Layout, Paper, Solutions
from attnsolve.problem_set import Asked, Solved, in_sheet, one_of_each, problems_of
from attnsolve.rendering import Document, Settings, headed, pictures_of
from attnsolve.rendering.booklets import letterhead_of
from attnsolve.rendering.exams import render_contacts, render_fairness, render_key
from attnsolve.report import exercise_number, name_in_sheet
from attnsolve.variation import JUDGES


def paper(entry: Entry, trace: Solved, solves: tuple[str, ...] | None = None, *, all_codes: int = 0) -> Paper:
    """One person's exam; `solves` are the codes that its solution is for, where that is not its own alone."""
    is_for_all = solves is not None and len(solves) == all_codes > 1
    return Paper(
        entry.code, trace, entry.seat.student, entry.seat.name, entry.effort, solves, is_for_all=is_for_all
    )


def sharing(entries: Sequence[Entry], layout: Layout) -> dict[str, tuple[str, ...]]:
    """By code, whose solution a paper's is: in one document, papers that are alike have theirs once."""
    if layout.solutions is not Solutions.ONE:
        return {}
    alike: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for entry in entries:
        alike.setdefault((entry.sha256, entry.lineup), []).append(entry.code)
    owners = {codes[0]: tuple(codes) for codes in alike.values()}
    return {entry.code: owners.get(entry.code, ()) for entry in entries}


def documents(
    lock: Lock, papers: Sequence[Paper], press: Press, made: Sequence[Print]
) -> Iterator[tuple[str, str]]:
    """Every document of an exam, by its name below the folder."""
    cover, layout = lock.cover, press.layout
    stems = [stem_of(one, names=layout.names) for one in papers]
    exams, answers, solutions = (
        [text for one in made for text in texts(one)]
        for texts in (attrgetter("exams"), attrgetter("answers"), attrgetter("solutions"))
    )
    yield from cut("exams", stems if layout.each else [], exams, press, press.exams)
    if layout.answers_apart:
        yield from cut("answers", stems if layout.each else [], answers, press, press.answers)
    if press.has_solutions:
        yield from cut(
            "solutions", stems if layout.solutions_each else [], solutions, press, press.worked_out
        )
    yield from files("key.tex", render_key(papers, cover))
    yield from files("key.md", render_key(papers, cover, to="markdown"))
    yield from files("fairness.md", render_fairness(fairness(lock, papers), cover))
    yield from files("contacts.tex", render_contacts(papers, cover))
    yield "manifest.json", manifest_json(lock)
    yield "manifest.csv", manifest_csv(lock)


def cut(
    name: str, stems: Sequence[str], texts: Sequence[str], press: Press, write: Writer
) -> Iterator[tuple[str, str]]:
    """A document for each stem, or one for all."""
    if stems:
        yield from ((f"{name}/{stem}.tex", text) for stem, text in zip(stems, texts, strict=True))
    else:
        yield f"{name}.tex", whole(press, write, texts)


def files(name: str, document: Document) -> Iterator[tuple[str, str]]:
    """A document and the figures that stand beside it."""
    yield name, document.text
    folder = name.rpartition("/")[0]
    yield from ((f"{folder}/{figure}".lstrip("/"), text) for figure, text in document.figures)


def shown_pictures(papers: Sequence[Paper], press: Press) -> Iterator[tuple[str, bytes]]:
    """The figures of the questions and of the solutions, beside the documents that show them."""
    layout = press.layout
    kinds = [("exercise", "exams/" if layout.each else "")]
    kinds += [("solution", "solutions/" if layout.solutions_each else "")] if press.has_solutions else []
    for sheet, folder in kinds:
        settings = Settings(to="latex", sheet=sheet, maps=True)
        shown = {name: data for one in papers for name, data in shown_on(one.trace.problem, settings)}
        yield from ((f"{folder}{name}", data) for name, data in shown.items())
    if layout.answers_apart and layout.each and papers:
        logo = headed((), letterhead_of(papers[0].trace.problem), Settings(to="latex", maps=True))
        yield from ((f"answers/{name}", data) for name, data in logo)


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
    alone = [paper(entry, trace)]
    yield f"reprints/{entry.code}-exam.tex", press.exams(alone, False)
    if press.layout.answers_apart:
        yield f"reprints/{entry.code}-answers.tex", press.answers(alone, False)
    yield f"reprints/{entry.code}-solution.tex", press.worked_out(alone, False)
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
