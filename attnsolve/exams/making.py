"""An exam from beginning to end: what is locked is taken from there, the rest drawn, all of it written."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from attnsolve.errors import AttnsolveError
from attnsolve.exams.draft import Draft
from attnsolve.exams.drawing import (
    Ended,
    Pattern,
    Wanted,
    basis_of,
    draw_all,
    drawer_of,
    is_small,
    prepare,
)
from attnsolve.exams.folder import JOURNAL, ORIGINAL, Folder, hash_of
from attnsolve.exams.keys import fingerprint
from attnsolve.exams.lineups import with_lineups
from attnsolve.exams.lock import CURRENT, NOW, SPARE, Drawn, Entry, Lock, Source, packed
from attnsolve.exams.lockfile import with_written
from attnsolve.exams.originals import Original, kept_text, kept_trace
from attnsolve.exams.papers import paper, sharing, sheet
from attnsolve.exams.printing import Press, Sheet
from attnsolve.exams.renewal import archive, outdated, remembered
from attnsolve.exams.seating import Plan, Wish
from attnsolve.limits import LIMITS, Limits
from attnsolve.papers import Cover, Layout, Paper, Solutions
from attnsolve.problem_set import Solved
from attnsolve.rendering.styling import current
from attnsolve.stored import Damaged
from attnsolve.variation import GENERATION

# Of papers that are not written while they are drawn, so many solutions are kept; others are solved again.
MOST_SOLVED = 500


class Making:
    """A run over the folder of an exam; it may be stopped at any time and goes on the next time."""

    def __init__(
        self, folder: Folder, original: Original, key: bytes, *, release: str, limits: Limits = LIMITS
    ) -> None:
        self.folder = folder
        self.original = original
        self.limits = limits
        self.release = release
        self.lock = folder.lock()
        # What has been drawn before stays: files that name no generation keep that of their exam.
        generation = GENERATION if self.lock is None else self.lock.source.generation
        self.pattern = Pattern(original.text, original.name, original.folder, key, limits, generation)
        self.traces: dict[str, Solved] = {}
        self.before: tuple[Lock, str] | None = None  # what is drawn anew, and a name for its problem
        self._is_kept_already = False

    def renew(self) -> None:
        """Draw all anew: what is locked becomes history, and the problem of now what is drawn from."""
        old = self.lock
        if old is not None:
            self.before = old, outdated(self.folder, old, self.original)
            self.lock = None
            self.lock = replace(old, source=self.source(), entries=remembered(old, self.before[1]))

    def learn(self, plan: Plan) -> None:
        """Find out what is usual, if anything is to be drawn."""
        if plan.wishes:
            prepare(drawer_of(self.pattern))

    @property
    def printed_entries(self) -> list[Entry]:
        """All that belongs into the documents, in the order of the lock."""
        return [] if self.lock is None else [entry for entry in self.lock.entries if entry.is_printed]

    @property
    def printed(self) -> int:
        """How many papers there are."""
        return len(self.printed_entries)

    def run(self, plan: Plan, draft: Draft, *, jobs: int = 1) -> Iterator[Entry]:
        """Draw what is missing, giving every entry when it is there; then nothing can be lost any more.

        Papers are written at once where it is known by then what they say, so that each is solved once.
        """
        self.folder.sweep({entry.code for entry in plan.entries}, unlocked=self.lock is None)
        plan = with_lineups(plan, self.pattern)
        lost = {
            entry.code: entry
            for entry in plan.entries
            if isinstance(entry, Entry) and self.folder.problem_text(entry) is None
        }
        wishes = [
            *(Wish(entry.code, entry.seat, entry.issue, lineup=entry.lineup) for entry in lost.values()),
            *plan.wishes,
        ]
        source = self.source()
        noted = {entry.code: entry for entry in self.folder.noted(source) if self._is_kept(entry)}
        missing = [wish for wish in wishes if wish.code in lost or not self._is_noted(wish, noted)]
        is_known, is_alone = is_known_at_once(plan, draft.press.layout), is_small(len(plan.entries), jobs)
        at_once, is_new = is_known and is_alone, tuple(missing) == plan.entries
        drawn: Generator[tuple[Drawn, Solved | None], None, None]
        if is_new and is_known and not is_alone:
            drawn = draft.take_drawn(self.pattern, missing, jobs=jobs)
        else:
            wanted = [Wanted(wish.identity, wish.lineup) for wish in missing]
            drawn = draw_all(self.pattern, wanted, jobs=jobs)
        made: list[Entry] = []
        again: dict[str, Entry] = {}
        try:
            for entry in plan.entries:
                trace = None
                if isinstance(entry, Wish) and self._is_noted(entry, noted):
                    made.append(replace(noted[entry.code], seat=entry.seat))
                elif isinstance(entry, Wish) or entry.code in lost:
                    found, trace = self._next(drawn, plan, is_new=not noted)
                    same = unchanged(entry, found)
                    if same is not None:
                        again[same.code] = same
                        yield same
                        continue
                    made.append(self._keep(entry, found, source))
                else:
                    made.append(entry)
                if at_once and made[-1].is_printed:
                    draft.take(paper(made[-1], trace or self.trace(made[-1])))
                elif trace is not None and len(self.traces) < MOST_SOLVED:
                    self.traces[entry.code] = trace
                yield made[-1]
        finally:
            drawn.close()
            self.folder.close()
        self.lock = replace(
            self.lock or Lock(source), entries=tuple(again.get(entry.code, entry) for entry in made)
        )
        self._keep_original(is_finished=True)
        self.folder.write_lock(self.lock)

    def source(self) -> Source:
        """What the variants are drawn from: as it is locked, or found out now."""
        if self.lock is not None:
            return self.lock.source
        basis = basis_of(drawer_of(self.pattern))
        return Source(
            problem=self.original.name,
            sha256=self.original.sha256,
            version=basis.version,
            release=self.release,
            fingerprint=fingerprint(self.pattern.key),
            usual=basis.usual,
            band=str(basis.band),
            original=basis.original,
            allowed=basis.allowed,
            inseparable=basis.inseparable,
            generation=self.pattern.generation,
        )

    def write(self, draft: Draft, *, force: bool = False, jobs: int = 1) -> Iterator[str]:
        """Write all documents of what is locked, giving each code when its paper is made."""
        assert self.lock is not None
        old, layout = self.lock.written, draft.press.layout
        lock = replace(self.lock, cover=draft.press.cover, layout=layout)
        if draft.is_begun:  # while they were drawn
            yield from (entry.code for entry in lock.entries if entry.is_printed)
        elif is_small(self.printed, jobs):
            for one in self.papers(layout):
                draft.take(one)
                yield one.code
        else:
            yield from draft.take_from_others(self.sheets(layout), self.printed, jobs=jobs)
        kept = draft.documents(lock, self.paper_of)
        hashes = {name: hash_of(content) for name, content in kept.items()}
        if not force:
            self.folder.check_untouched(hashes, old)
        for name, content in kept.items():
            self.folder.write(name, content)
        for name, data in draft.pictures():
            self.folder.write(name, data)
        self.folder.remove(set(old) - set(kept), old)
        self.lock = with_written(lock, hashes)
        self.folder.write_lock(self.lock)

    def draft(self, cover: Cover, layout: Layout) -> Draft:
        """Where papers are written, as they are wanted."""
        folder = self.pattern.folder
        press = Press(self.original.name, folder, cover, layout, self.limits, current())
        return Draft(self.folder.path, press)

    def sheets(self, layout: Layout) -> Iterator[Sheet]:
        """What other processes are told of the papers of all that are printed."""
        printed = self.printed_entries
        solved_by = sharing(printed, layout)
        for entry in printed:
            text = kept_text(self.folder, entry)
            yield sheet(entry, text, solved_by.get(entry.code), all_codes=len(printed))

    def papers(self, layout: Layout) -> Iterator[Paper]:
        """The papers of all that are printed, in the order of the lock."""
        printed = self.printed_entries
        solved_by = sharing(printed, layout)
        for entry in printed:
            trace = self.traces.pop(entry.code, None) or self.trace(entry)
            yield paper(entry, trace, solved_by.get(entry.code), all_codes=len(printed))

    def paper_of(self, code: str) -> Paper:
        """The paper with a code, solved again."""
        entry = next(entry for entry in self.printed_entries if entry.code == code)
        return paper(entry, self.trace(entry))

    def trace(self, entry: Entry) -> Solved:
        """The solution of a kept problem file."""
        return kept_trace(self.folder, entry, self.original.name, limits=self.limits)

    def _keep_original(self, *, is_finished: bool = False) -> None:
        """Put the problem into the folder; one that is locked gives way only when all is drawn anew."""
        if self._is_kept_already and not is_finished:
            return
        is_new = self.lock is None and not self._is_kept_already
        if is_finished and self.before is not None and self.lock is not None:
            old, name = self.before
            is_new = bool(name)
            if any(entry.original == name for entry in self.lock.entries):
                archive(self.folder, old, name)
        for name, text in self._own_files().items():
            if is_new or not (self.folder.path / name).exists():
                self.folder.write(name, text)
        for name, data in self.original.pictures.items():
            self.folder.write(f"problems/{name}", data)
        self._is_kept_already = True

    def _own_files(self) -> dict[str, str]:
        data = {f"problems/{name}": text for name, text in self.original.data.items()}
        return {ORIGINAL: self.original.text, **data}

    def _next(
        self, drawn: Iterator[tuple[Drawn, Solved | None]], plan: Plan, *, is_new: bool
    ) -> tuple[Drawn, Solved | None]:
        """The next variant; where one is impossible, nothing is left of what was to become an exam."""
        try:
            return next(drawn)
        except Ended:
            raise
        except AttnsolveError:
            if is_new and (self.lock is None or self.before is not None):
                self.folder.close()
                files = [JOURNAL, *(f"problems/{wish.code}.yaml" for wish in plan.wishes)]
                own = self._own_files() if self.lock is None else ()
                self.folder.abandon([*files, *own])
            raise

    def _keep(self, wanted: Entry | Wish, found: Drawn, source: Source) -> Entry:
        """Keep the file of a variant, then note it; one that was locked must be the same as then."""
        entry = entry_of(wanted, found)
        if isinstance(wanted, Entry) and entry.sha256 != wanted.sha256:
            raise Damaged(
                f"{self.folder.path / wanted.file} is gone, and what is drawn now is not what was printed "
                f"under {wanted.code}; restore the file"
            )
        self._keep_original()
        self.folder.write(entry.file, found.text)
        self.folder.note(source, [entry])
        return entry

    def _is_kept(self, entry: Entry) -> bool:
        """Whether the file of a noted entry is there as it was noted; otherwise it is drawn again."""
        try:
            return self.folder.problem_text(entry) is not None
        except AttnsolveError:
            return False

    def _is_noted(self, wish: Wish, noted: dict[str, Entry]) -> bool:
        entry = noted.get(wish.code)
        return entry is not None and (entry.identity, entry.lineup) == (wish.identity, wish.lineup)


def is_known_at_once(plan: Plan, layout: Layout) -> bool:
    """Whether a paper can be written when it is drawn: nothing in it, or before it, hangs on later ones."""
    is_shared = layout.solutions is Solutions.ONE  # papers that are alike have their solution once
    return not is_shared and all(wish.before is None for wish in plan.wishes)


def unchanged(wanted: Entry | Wish, found: Drawn) -> Entry | None:
    """What was printed for a seat, if that is what was drawn anew: it keeps its code."""
    before = wanted.before if isinstance(wanted, Wish) else None
    if before is None or before.sha256 != hash_of(found.text):
        return None
    status = SPARE if before.seat.is_spare else CURRENT
    return replace(before, seat=wanted.seat, status=status, original=NOW)


def entry_of(wanted: Entry | Wish, found: Drawn) -> Entry:
    """The line of the lock for a variant that was drawn."""
    if isinstance(wanted, Entry):
        return replace(wanted, sha256=hash_of(found.text))
    return Entry(
        code=wanted.code,
        seat=wanted.seat,
        sha256=hash_of(found.text),
        issue=wanted.issue,
        status=SPARE if wanted.seat.is_spare else CURRENT,
        effort=found.effort,
        selection=found.selection,
        found=packed(found.refused, found.weights, found.answers),
        lineup=found.lineup,
    )
