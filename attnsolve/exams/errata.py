"""After an erratum: whose key is another one now, and what it was when it was printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from attnsolve.documents import Node, parse
from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError, ProblemError, UsageError
from attnsolve.exams.answers import Difference, answers_of, answers_to, differences
from attnsolve.exams.folder import Folder
from attnsolve.exams.lock import NOW, Answers, Entry, Lock
from attnsolve.exams.originals import Original, kept_trace, read_original
from attnsolve.exams.tables import table
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import load_asked, loads_asked
from attnsolve.loader.choice_pins import pinned, pins_in
from attnsolve.loader.set_texts import paper_text, problem_texts
from attnsolve.loader.sheet_format import is_set
from attnsolve.problem import Problem
from attnsolve.problem_set import Asked, Exercise, ProblemSet, Solved, drawn_from, exercises_of, problems_of
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
        self.fixed: Original | None = None if fixed is None else read_original(fixed, limits=limits)
        self.home = folder.path / "problems" if fixed is None else fixed.parent
        self.right: Asked | None = None if fixed is None else load_asked(fixed, limits=limits)
        self._problems: dict[str, Asked] = {}
        self._pieces: dict[str, list[Node]] = {}
        self._own: set[tuple[str, int, str]] = set()  # problems, exercises, and givens that variants change
        if self.right is not None:
            self.check_like(self.right)

    def check_like(self, right: Asked) -> None:
        """Refuse what is no correction: a sheet for a problem, or one with more or fewer exercises."""
        asked = self.problem(NOW)
        if isinstance(asked, ProblemSet) != isinstance(right, ProblemSet):
            kinds = ("a sheet", "a problem")
            one, other = kinds if isinstance(asked, ProblemSet) else kinds[::-1]
            raise UsageError(f"{self.folder.path} is an exam of {one}; '{right.name}' is {other}")
        if not self.is_like(asked):
            old, new = len(problems_of(asked)), len(problems_of(right))
            raise UsageError(
                f"'{right.name}' has {new} exercises, and {self.folder.path} was drawn from {old}; "
                "a corrected sheet keeps all exercises where they are"
            )

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
        changes: list[Difference] = []
        for (exercise, right), old in zip(exercises_of(trace), self.places(entry), strict=True):
            before, after = self.keys(entry, exercise, right, old)
            changes += differences(before, after, index_from=right.problem.index_from)
        return Concern(entry, tuple(changes)) if changes else None

    def places(self, entry: Entry) -> list[int]:
        """How many places were asked for in each exercise of a code, in the order of the paper."""
        problems = problems_of(self.problem(entry.original))
        return [problems[number - 1].places for number in self.numbers(entry)]

    def numbers(self, entry: Entry) -> Sequence[int]:
        """The exercises of a code by their numbers in the sheet; a problem by itself is the first of one."""
        return entry.lineup or range(1, len(problems_of(self.problem(entry.original))) + 1)

    def keys(
        self, entry: Entry, exercise: Exercise | None, right: Trace, old: int
    ) -> tuple[Answers, Answers]:
        """The printed and the right key of an exercise of a code, to the same places."""
        new = right.problem.places
        printed = entry.answers
        if self.right is not None and old > new:
            kept = kept_trace(self.folder, entry, self.lock.source.problem, limits=self.limits)
            printed = answers_of(kept, places=new)
        if exercise is not None:
            printed = {name: rows for name, rows in printed.items() if exercise.inner(name) is not None}
        return printed, answers_to(exercise, right, places=new if self.right is None else min(old, new))

    def problem(self, name: str) -> Asked:
        """The problem or the sheet that codes were drawn from, with its own numbers."""
        if name not in self._problems:
            home = self.folder.path / "problems"
            self._problems[name] = loads_asked(
                self.folder.original(name), name=name, folder=home, limits=self.limits
            )
        return self._problems[name]

    def notes(self, *, marking: bool = False) -> Iterator[str]:
        """What concerns nobody's numbers and is worth a sentence, once all codes were looked at."""
        if self.right is None:
            return
        whose = "exercise {}: " if isinstance(self.right, ProblemSet) else ""
        for number, right in enumerate(problems_of(self.right), start=1):
            new, olds = right.places, {problems_of(asked)[number - 1].places for asked in self.used}
            for old in sorted(olds - {new}):
                use = f"answers are judged to {new}" if marking else f"keys are compared to {min(old, new)}"
                cure = f", although the papers ask for {old} (places: {old} judges what they ask for)"
                yield (
                    f"{whose.format(number)}the corrected problem has {new} places instead of {old}; "
                    f"{use}{cure if marking and new > old else ''}"
                )
        for name, number, given in sorted(self._own):
            before, after = (
                size(problems_of(asked)[number - 1], given) for asked in (self.problem(name), self.right)
            )
            if before != after:
                said = f"{after} in the corrected problem and was {before} in {name}"
                yield (
                    f"{whose.format(number)}given {given} is {said}; "
                    f"every code keeps its own numbers, so nobody's {given} changes its size"
                )

    @property
    def used(self) -> list[Asked]:
        """What codes were drawn from that can be judged by the corrected problem, of what was looked at."""
        names = {entry.original for entry in self.lock.entries}
        found = [asked for name, asked in self._problems.items() if name in names]
        return [asked for asked in found if self.is_like(asked)]

    def is_like(self, asked: Asked) -> bool:
        """Whether a sheet has as many exercises as the corrected one."""
        return self.right is None or len(problems_of(asked)) == len(problems_of(self.right))

    def trace(self, entry: Entry) -> Solved:
        """The right solution of a code: its numbers in the corrected problem, or in the kept one."""
        name = self.lock.source.problem
        if self.fixed is None:
            return kept_trace(self.folder, entry, name, limits=self.limits)
        text = self.folder.problem_text(entry)
        if text is None:
            raise AttnsolveError(f"{self.folder.path / entry.file} is gone")
        if not self.is_like(self.problem(entry.original)):
            raise AttnsolveError(f"{entry.code} was drawn from a sheet with another number of exercises")
        variants, numbers = self.pieces(text, entry.file), self.numbers(entry)
        own = [
            (number, self.corrected(entry.original, number, variant))
            for number, variant in zip(numbers, variants, strict=True)
        ]
        root = parse(self.fixed.text.encode(), self.fixed.name, limits=self.limits)
        corrected = paper_text(root, own) if is_set(root) else own[0][1]
        asked = loads_asked(corrected, name=name, folder=self.home, limits=self.limits)
        return solve_asked(drawn_from(asked, entry.lineup))

    def pieces(self, text: str, name: str) -> list[Node]:
        """The problems of a sheet that has all of them in it, each as a document; or the one problem."""
        root = parse(text.encode(), name, limits=self.limits)
        if not is_set(root):
            return [root]
        return [parse(own.encode(), name, limits=self.limits) for own in problem_texts(root)]

    def before(self, name: str) -> list[Node]:
        """The problems that a code was drawn from."""
        if name not in self._pieces:
            self._pieces[name] = self.pieces(self.folder.original(name), name)
        return self._pieces[name]

    def corrected(self, name: str, number: int, variant: Node) -> str:
        """A corrected problem with what a variant changed in the original."""
        assert self.fixed is not None
        before = self.before(name)[number - 1]
        root = self.pieces(self.fixed.text, self.fixed.name)[number - 1]
        changes: dict[Place, str | None] = {("vary",): None}
        for place, text in changed(before, variant):
            there = moved(before, root, place)
            if found(root, there) is None:
                missing = ".".join(map(str, place))
                raise AttnsolveError(f"the corrected problem has no {missing}, and every variant has its own")
            changes[there] = text
            if place[0] == "given" and len(place) > 1:
                self._own.add((name, number, str(place[1])))
        # Letters stay what they were when they were printed.
        pins = {moved(before, root, ("parts", part))[1]: pin for part, pin in pins_in(variant).items()}
        return pinned(rewritten(root, changes), {int(n): pin for n, pin in pins.items()}, limits=self.limits)


def size(problem: Problem, name: str) -> str:
    """`3x2`: the size of a given as its file types it."""
    given = problem.givens[name]
    rows, columns = given.value.shape
    return f"{columns}x{rows}" if problem.convention.types_transposed(given.role) else f"{rows}x{columns}"


def changed(before: Node, after: Node, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every value that a variant has another than the original, by its path."""
    if before.is_map and after.is_map:
        for key, value in after.entries:
            old = before.get(key.text)
            is_pinned = key.text == "choice" and place[:1] == ("parts",)
            if old is not None and key.text not in LEFT_OUT and not is_pinned:
                yield from changed(old, value, (*place, key.text))
    elif before.is_list and after.is_list and len(before.items) == len(after.items):
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
