"""From the lock and the kept problem files to the documents of an exam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from attnsolve.exams.answers import variety
from attnsolve.exams.binding import bound, ending, holds_pictures, pictures_on
from attnsolve.exams.lock import Answers, Entry, Lock
from attnsolve.exams.manifest import manifest_csv, manifest_json
from attnsolve.exams.printing import Press, Print, Sheet, Writer, whole
from attnsolve.exams.seen import SHEETS, Seen
from attnsolve.exams.spool import Kept
from attnsolve.notebooks import page_notebook
from attnsolve.papers import Fairness, Layout, Paper, Solutions
from attnsolve.problem_set import Solved, in_sheet
from attnsolve.rendering import Document, Settings, headed
from attnsolve.rendering.booklets import letterhead_of
from attnsolve.rendering.dialects import NOTEBOOK
from attnsolve.rendering.exams import render_fairness
from attnsolve.report import exercise_number, name_in_sheet
from attnsolve.variation import JUDGES
from attnsolve.whole_files import Content


def paper(entry: Entry, trace: Solved, solves: tuple[str, ...] | None = None, *, all_codes: int = 0) -> Paper:
    """One person's exam; `solves` are the codes that its solution is for, where that is not its own alone."""
    whose = entry.code, trace, entry.seat.student, entry.seat.name, entry.effort
    return Paper(*whose, solves, is_for_all=is_for_all(solves, all_codes))


def sheet(entry: Entry, text: str, solves: tuple[str, ...] | None = None, *, all_codes: int = 0) -> Sheet:
    """The same as another process is told of it."""
    whose = entry.code, entry.seat.student, entry.seat.name, entry.effort
    return Sheet(text, *whose, entry.lineup, solves, is_for_all(solves, all_codes))


def is_for_all(solves: tuple[str, ...] | None, all_codes: int) -> bool:
    """Whether a solution is that of all papers, of which there are several."""
    return solves is not None and len(solves) == all_codes > 1


def sharing(entries: Sequence[Entry], layout: Layout) -> dict[str, tuple[str, ...]]:
    """By code, whose solution a paper's is: in one document, papers that are alike have theirs once."""
    if layout.solutions is not Solutions.ONE:
        return {}
    alike: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for entry in entries:
        alike.setdefault((entry.sha256, entry.lineup), []).append(entry.code)
    owners = {codes[0]: tuple(codes) for codes in alike.values()}
    return {entry.code: owners.get(entry.code, ()) for entry in entries}


class Pieces(NamedTuple):
    """What was written of all papers, by the kind of document: one for each, or pieces of one for all."""

    exams: Kept
    answers: Kept
    solutions: Kept

    def put(self, made: Print) -> None:
        """Keep what was written of some papers."""
        for kept, contents in zip(self, (made.exams, made.answers, made.solutions), strict=True):
            for content in contents:
                kept.put(content)


def documents(lock: Lock, seen: Seen, press: Press, made: Pieces) -> Iterator[tuple[str, Content]]:
    """Every document of an exam, by its name below the folder."""
    cover, layout = lock.cover, press.layout
    press = press._replace(asked=seen.asked)
    whole, stems = Whole(press, seen), seen.stems
    yield from whole.cut("exams", stems if layout.each else [], made.exams, press.exams)
    if layout.answers_apart:
        yield from whole.cut("answers", stems if layout.each else [], made.answers, press.answers)
    if press.has_solutions:
        each = stems if layout.solutions_each else []
        yield from whole.cut("solutions", each, made.solutions, press.worked_out)
    about = fairness(lock, seen)
    kinds = {"to": press.to, "flavour": layout.flavour}
    yield whole.named("key", seen.overview.render_key(**kinds))
    yield from files("key.md", seen.overview.render_key(to="markdown", flavour=layout.flavour))
    yield from files("fairness.md", render_fairness(about, cover, flavour=layout.flavour))
    yield whole.named("fairness", render_fairness(about, cover, **kinds))
    yield whole.named("contacts", seen.overview.render_contacts(**kinds))
    yield "manifest.json", manifest_json(lock)
    yield "manifest.csv", manifest_csv(lock)


class Whole(NamedTuple):
    """All papers of an exam, for documents that hold more than one of them."""

    press: Press
    seen: Seen

    def named(self, name: str, document: Document) -> tuple[str, str | bytes]:
        """A document about all of them, as it is kept."""
        layout = self.press.layout
        if layout.to == NOTEBOOK:
            return f"{name}{ending(layout)}", page_notebook(document, name).text
        return f"{name}{ending(layout)}", bound(document.text, (), layout, sheet="exercise")

    def cut(
        self, name: str, stems: Sequence[str], made: Kept, write: Writer
    ) -> Iterator[tuple[str, Content]]:
        """A document for each stem, or one for all."""
        end = ending(self.press.layout)
        if stems or self.press.layout.to == NOTEBOOK:
            yield from ((f"{name}/{stem}{end}", content) for stem, content in zip(stems, made, strict=True))
        else:
            pictures = self.seen.pictures["solution" if write == self.press.worked_out else "exercise"]
            yield f"{name}{end}", whole(self.press, write, made.texts, pictures)


def files(name: str, document: Document) -> Iterator[tuple[str, str]]:
    """A document and the figures that stand beside it."""
    yield name, document.text
    folder = name.rpartition("/")[0]
    yield from ((f"{folder}/{figure}".lstrip("/"), text) for figure, text in document.figures)


def shown_pictures(seen: Seen, press: Press) -> Iterator[tuple[str, bytes]]:
    """The figures of the questions and of the solutions, beside the documents that show them."""
    layout = press.layout
    if holds_pictures(layout):
        return
    kinds = [("exercise", "exams/" if layout.each else "")]
    kinds += [("solution", "solutions/" if layout.solutions_each else "")] if press.has_solutions else []
    kinds += [("solution", kinds[0][1])] if layout.is_wrapped else []  # below the papers themselves
    for sheet, folder in kinds:
        yield from ((f"{folder}{name}", data) for name, data in seen.pictures[sheet].items())
    if layout.answers_apart and layout.each and seen.asked is not None:
        logo = headed((), letterhead_of(seen.asked), Settings(to=press.to, maps=True))
        yield from ((f"answers/{name}", data) for name, data in logo)


def reprinted(entry: Entry, press: Press, trace: Solved) -> Iterator[tuple[str, str | bytes]]:
    """The exam and the solution of one code, with their figures."""
    alone, end = [paper(entry, trace)], ending(press.layout)
    kinds: list[tuple[str, Writer]] = [("exam", press.exams)]
    kinds += [("answers", press.answers)] if press.layout.answers_apart else []
    kinds += [] if press.layout.is_wrapped else [("solution", press.worked_out)]
    for name, write in kinds:
        yield f"reprints/{entry.code}-{name}{end}", press.bound(write(alone, False), alone, write)
    if not holds_pictures(press.layout):
        for sheet in SHEETS:
            for name, data in pictures_on(alone, press.layout, sheet=sheet):
                yield f"reprints/{name}", data


def fairness(lock: Lock, seen: Seen) -> Fairness:
    """What a lecturer wants to see before printing."""
    source = lock.source
    printed = [entry for entry in lock.entries if entry.is_printed]
    refused = Counter[str]()
    for entry in printed:
        refused.update(entry.refused)
    title = lock.cover.title or (source.problem if seen.asked is None else seen.asked.title)
    return Fairness(
        title=title,
        counts_formulas=getattr(seen.asked, "assumptions", None) is not None,
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
        words=shared_words(seen),
        variety=dict(sorted(variety(map(answers_in_sheet, printed)).items(), key=in_order)),
        lineups={entry.code: entry.lineup for entry in printed if entry.lineup},
    )


def in_order(answer: tuple[str, object]) -> int:
    """Where an answer stands: by the exercise of the sheet that it belongs to."""
    return exercise_number(answer[0])


def answers_in_sheet(entry: Entry) -> Answers:
    """The key of a paper by the names that the sheet has, where its exercises have other numbers there."""
    return {name_in_sheet(name, entry.lineup): rows for name, rows in entry.answers.items()}


def shared_words(seen: Seen) -> tuple[str, ...]:
    """Notes and answers in words with numbers in them: what the original said may be wrong now."""
    texts = {
        f"{part.id if exercise is None else in_sheet(exercise).label(part.id)}.{key}": text
        for exercise, trace in seen.overview.key.exercises
        for part in trace.problem.parts
        for key, text in (("note", part.note), ("discuss", part.discuss))
    }
    return tuple(name for name, text in texts.items() if any(map(str.isdigit, text)))
