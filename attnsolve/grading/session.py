"""A class graded from beginning to end: what is in the journal is taken from there, the rest is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.background import Background, known_people
from attnsolve.grading.gradebook import gradebook
from attnsolve.grading.graded import Graded
from attnsolve.grading.journal import Journal, beside
from attnsolve.grading.outputs import hash_of
from attnsolve.grading.pieces import Piece
from attnsolve.grading.regrading import Move, moves
from attnsolve.grading.workers import MARKER, Workers
from attnsolve.whole_files import replace_file

BOM = "\ufeff"
NOTHING = "nothing handed in"


class Session:
    """The marks of a class, and the file they go to."""

    def __init__(
        self,
        assignment: Assignment,
        pieces: Sequence[Piece],
        output: Path | None,
        background: Background | None = None,
        *,
        fresh: bool = False,
        force: bool = False,
        jobs: int = 1,
        command: Sequence[str] = MARKER,
    ) -> None:
        self.assignment = assignment
        self.pieces = pieces
        self.output = output
        known = background or Background(known_people(assignment, None))
        self.people, self.by_hand, self.codes = known.people, known.by_hand, known.codes
        self.jobs = jobs
        self.command = command
        self.marks: list[Graded] = []
        place = None if output is None else beside(output)
        self.journal = Journal(place, assignment.key, fresh=fresh, codes=self.codes)
        if output is not None:
            self._check(output, force=force)

    def _check(self, output: Path, *, force: bool) -> None:
        """Marks that somebody has changed by hand are not lost without `force`."""
        if output.is_symlink():
            raise AttnsolveError(f"'{output}' is a symbolic link; name another file")
        if output.exists() and not output.is_file():
            what = "a folder" if output.is_dir() else "no file"
            raise AttnsolveError(f"'{output}' is {what}; name a file for the marks")
        if force or not output.exists():
            return
        if hash_of(output.read_bytes()) not in self.journal.written:
            said = "was changed since, or is not ours" if self.journal.written else "is there already"
            raise AttnsolveError(f"'{output}' {said}; --force overwrites it")

    def run(self) -> Iterator[Piece]:
        """Grade every piece, giving each when it is done; the marks are in the order of the class."""
        found = [self.journal.find(piece, self.by_hand) for piece in self.pieces]
        yield from (piece for piece, marks in zip(self.pieces, found, strict=True) if marks is not None)
        missing = [number for number, marks in enumerate(found) if marks is None]
        # One variant after the other: a worker then needs few verifiers at a time.
        missing.sort(key=lambda number: self.assignment.code_of(self.pieces[number]))
        try:
            with Workers(self.assignment, self.jobs, self.by_hand, command=self.command) as workers:
                made = workers.grade(self.pieces[number] for number in missing)
                for number, (piece, marks) in zip(missing, made, strict=True):
                    self.journal.add(piece, marks)
                    found[number] = marks
                    yield piece
        finally:
            self.journal.close()
        self.marks = [one for marks in found if marks is not None for one in marks]

    def write(self, *, raw: bool = False, bom: bool = False, slips: Iterable[str] = ()) -> str:
        """The marks as CSV, written to the file if there is one; the journal then keeps only these.

        `slips` are hashes of the other files that will be written now: the next run knows them as its own.
        """
        marks, names = [*self.marks, *self.absent], self.people.names
        if self.codes is not None:
            marks, names = self.codes.hidden(marks), {}
            self.codes.write()  # first of all: without it nobody could tell whose the marks are
        text = gradebook(self.assignment.trace().problem, marks, raw=raw, names=names)
        if self.output is not None:
            text = f"{BOM}{text}" if bom else text
            try:
                self.output.parent.mkdir(parents=True, exist_ok=True)
                self.journal.announce(text)
                replace_file(self.output, text)
                self.journal.finish(self.pieces, text, slips)
            except OSError as error:
                raise AttnsolveError(
                    f"'{self.output}' cannot be written: {error.strerror or error}"
                ) from None
        return text

    @property
    def shown(self) -> list[Graded]:
        """The marks as they may be looked at: under codes, where nobody is to be known."""
        return self.marks if self.codes is None else self.codes.hidden(self.marks)

    @property
    def expected(self) -> dict[str, str]:
        """Who should have handed something in, each with his code if there is one."""
        people = {person.student: "" for person in self.people.all if person.is_expected}
        return people | self.assignment.expected

    @property
    def absent(self) -> list[Graded]:
        """Who is in the roster and has handed in nothing."""
        here = {one.student.casefold() for one in self.marks}
        expected = self.expected.items()
        return [
            Graded("", who, code, trouble=NOTHING) for who, code in expected if who.casefold() not in here
        ]

    @property
    def strays(self) -> list[str]:
        """A sentence for everybody who has marks by hand and nothing that they belong to."""
        here = [one.student for one in self.marks]
        return list(self.by_hand.strays(here, self.expected, hints=self.codes is None))

    def moves(self) -> list[Move]:
        """Who has other marks than before something was changed."""
        if self.codes is None:
            return list(moves(self.journal.before, self.marks))
        before = {(one.source, one.student): one for one in self.codes.hidden(self.journal.before.values())}
        return list(moves(before, self.shown))
