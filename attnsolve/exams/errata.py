"""After an erratum: whose key is another one now, and what it was when it was printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from attnsolve.documents import Node, parse
from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, ProblemError, UsageError
from attnsolve.exams.answers import Difference, answers_of, differences
from attnsolve.exams.folder import Folder
from attnsolve.exams.lock import Answers, Entry, Lock
from attnsolve.exams.originals import Original, kept_trace, read_original
from attnsolve.exams.tables import table
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import load, loads
from attnsolve.loader.choice_pins import pinned, pins_in
from attnsolve.loader.format import is_set
from attnsolve.problem import Problem
from attnsolve.problem_set import Solved
from attnsolve.rewriting import Path as Place
from attnsolve.rewriting import found, rewritten, written
from attnsolve.trace import Trace

# What a problem says about its variants and its own numbers is no part of a variant.
LEFT_OUT = ("vary", "published", "allow")


@dataclass(frozen=True, slots=True)
class Concern:
    """One code whose key is another one now, or cannot be made any more."""

    entry: Entry
    changes: tuple[Difference, ...] = ()
    trouble: str = ""


class Erratum:
    """A corrected problem, or only another release, and the exam it is held against."""

    def __init__(self, folder: Folder, fixed: Path | None, *, limits: Limits = LIMITS) -> None:
        self.folder = folder
        self.lock: Lock = folder.locked()
        self.limits = limits
        if fixed is not None and is_set(parse(folder.original().encode(), str(fixed), limits=limits)):
            said = "an exam of a sheet has no corrected problem; give new papers with 'variants reissue'"
            raise UsageError(f"{folder.path}: {said}, or correct marks with 'grade --overrides'")
        self.fixed: Original | None = None if fixed is None else read_original(fixed, limits=limits)
        self.home = folder.path / "problems" if fixed is None else fixed.parent
        self.right: Problem | None = None if fixed is None else load(fixed, limits=limits)
        self._before: dict[str, Node] = {}
        self._problems: dict[str, Problem] = {}
        self._own: set[tuple[str, str]] = set()  # problems, and their givens that variants change

    @property
    def key(self) -> str:
        """A hash of what is right now, without the numbers that are each code's own."""
        return "" if self.fixed is None else self.fixed.sha256

    def concerns(self) -> Iterator[Concern | None]:
        """What becomes of every code that may have been handed out, in the order of the lock."""
        for entry in self.lock.entries:
            yield self.concern(entry)

    def concern(self, entry: Entry) -> Concern | None:
        """What becomes of one code; None when its key is right."""
        try:
            trace = self.trace(entry)
        except ProblemError as error:
            return Concern(entry, trouble=f"the corrected problem does not take its numbers: {error}")
        except AttnsolveError as error:
            return Concern(entry, trouble=str(error))
        before, after = self.keys(entry, trace)
        index_from = trace.problem.index_from if isinstance(trace, Trace) else 1
        changes = tuple(differences(before, after, index_from=index_from))
        return Concern(entry, changes) if changes else None

    def keys(self, entry: Entry, right: Solved) -> tuple[Answers, Answers]:
        """The printed and the right key of a code, to the same places."""
        if self.right is None or not isinstance(right, Trace):
            return entry.answers, answers_of(right)
        old, new = self.problem(entry.original).places, right.problem.places
        if old > new:
            kept = kept_trace(self.folder, entry, self.lock.source.problem, limits=self.limits)
            return answers_of(kept, places=new), answers_of(right)
        return entry.answers, answers_of(right, places=old)

    def problem(self, name: str) -> Problem:
        """The problem that codes were drawn from, with its own numbers."""
        if name not in self._problems:
            home = self.folder.path / "problems"
            self._problems[name] = loads(
                self.folder.original(name), name=name, folder=home, limits=self.limits
            )
        return self._problems[name]

    def notes(self, *, marking: bool = False) -> Iterator[str]:
        """What concerns nobody's numbers and is worth a sentence, once all codes were looked at."""
        if self.right is None:
            return
        new = self.right.places
        for old in sorted({problem.places for problem in self._problems.values()} - {new}):
            use = f"answers are judged to {new}" if marking else f"keys are compared to {min(old, new)}"
            cure = f", although the papers ask for {old} (places: {old} judges what they ask for)"
            yield (
                f"the corrected problem has {new} places instead of {old}; "
                f"{use}{cure if marking and new > old else ''}"
            )
        for name, given in sorted(self._own):
            before, after = size(self.problem(name), given), size(self.right, given)
            if before != after:
                yield (
                    f"given {given} is {after} in the corrected problem and was {before} in {name}; "
                    f"every code keeps its own numbers, so nobody's {given} changes its size"
                )

    def trace(self, entry: Entry) -> Solved:
        """The right solution of a code: its numbers in the corrected problem, or in the kept one."""
        name = self.lock.source.problem
        if self.fixed is None:
            return kept_trace(self.folder, entry, name, limits=self.limits)
        text = self.folder.problem_text(entry)
        if text is None:
            raise AttnsolveError(f"{self.folder.path / entry.file} is gone")
        corrected = self.corrected(entry.original, parse(text.encode(), entry.file, limits=self.limits))
        return solve(loads(corrected, name=name, folder=self.home, limits=self.limits))

    def before(self, name: str) -> Node:
        """The problem that a code was drawn from."""
        if name not in self._before:
            self._before[name] = parse(self.folder.original(name).encode(), name, limits=self.limits)
        return self._before[name]

    def corrected(self, name: str, variant: Node) -> str:
        """The corrected problem with what a variant changed in the original."""
        assert self.fixed is not None
        before = self.before(name)
        root = parse(self.fixed.text.encode(), self.fixed.name, limits=self.limits)
        changes: dict[Place, str | None] = {("vary",): None}
        for place, text in changed(before, variant):
            there = moved(before, root, place)
            if found(root, there) is None:
                missing = ".".join(map(str, place))
                raise AttnsolveError(f"the corrected problem has no {missing}, and every variant has its own")
            changes[there] = text
            if place[0] == "given" and len(place) > 1:
                self._own.add((name, str(place[1])))
        # Letters stay what they were when they were printed.
        pins = {moved(before, root, ("parts", number))[1]: pin for number, pin in pins_in(variant).items()}
        return pinned(rewritten(root, changes), {int(n): pin for n, pin in pins.items()}, limits=self.limits)


def size(problem: Problem, name: str) -> str:
    """`3x2`: the size of a given as its file types it."""
    given = problem.givens[name]
    rows, columns = given.value.shape
    return f"{columns}x{rows}" if problem.convention.types_transposed(given.role) else f"{rows}x{columns}"


def changed(before: Node, after: Node, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every value that a variant has another than the original, by its path."""
    if before.kind == after.kind == "map":
        for key, value in after.entries:
            old = before.get(key.text)
            is_pinned = key.text == "choice" and place[:1] == ("parts",)
            if old is not None and key.text not in LEFT_OUT and not is_pinned:
                yield from changed(old, value, (*place, key.text))
    elif before.kind == after.kind == "list" and len(before.items) == len(after.items):
        for number, (old, new) in enumerate(zip(before.items, after.items, strict=True)):
            yield from changed(old, new, (*place, number))
    elif written(before) != written(after):
        yield place, written(after)


def moved(before: Node, fixed: Node, place: Place) -> Place:
    """The same place in a problem whose parts may have been moved: a part with an id is where its id is."""
    if len(place) < 2 or place[0] != "parts":
        return place
    old = found(before, (*place[:2], "id"))
    parts = fixed.get("parts")
    if old is None or parts is None:
        return place
    for number, part in enumerate(parts.items):
        name = part.get("id")
        if name is not None and name.text == old[1].text:
            return ("parts", number, *place[2:])
    return place


def told(concern: Concern) -> Iterator[str]:
    """A concern for a person."""
    entry = concern.entry
    note = "" if entry.is_printed else f" ({entry.status})"
    yield " ".join(filter(None, (entry.code, entry.who, entry.seat.name))) + note
    yield from (f"  {change}" for change in concern.changes)
    if concern.trouble:
        yield f"  {concern.trouble}"


def as_table(concerns: list[Concern]) -> str:
    """All concerns as CSV: one line for each number that changed."""
    rows = [("code", "student", "name", "status", "answer", "printed", "right")]
    for concern in concerns:
        entry = concern.entry
        head = (entry.code, entry.seat.student, entry.seat.name, entry.status)
        rows += [(*head, change.where, change.before, change.after) for change in concern.changes]
        rows += [(*head, concern.trouble, "", "")] if concern.trouble else []
    return table(rows)
