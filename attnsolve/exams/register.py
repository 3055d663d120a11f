"""Looking a variant up when it comes back: by the code on the paper, or by whose it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path

from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError
from attnsolve.exams.folder import Folder
from attnsolve.exams.lock import CURRENT, REPLACED, WITHDRAWN, Entry, Lock, Match, Seat
from attnsolve.exams.lockfile import CODE
from attnsolve.exams.manifest import read_students
from attnsolve.exams.originals import kept_original, kept_trace
from attnsolve.exams.tables import shortened
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.paper_remarks import printed_for, replaced, unknown_code, withdrawn
from attnsolve.problem_set import Solved
from attnsolve.reasons import Reason
from attnsolve.stored import Damaged

UNCODED = "write the code of the exam after the student: @ 1234567 K7Q2"


@dataclass(frozen=True, slots=True)
class Register:
    """The manifest of an exam, with the lock beside it that says what was printed."""

    folder: Folder
    lock: Lock
    students: Mapping[str, str]  # by code, as the manifest has them: a spare may have been given to somebody

    @classmethod
    def read(cls, path: Path) -> Register:
        """The register that a manifest belongs to."""
        folder = Folder(path.parent)
        students = read_students(folder.read(path.name), path)
        lock = folder.locked()
        strange = sorted(set(students) - {entry.code for entry in lock.entries})
        if strange:
            raise Damaged(f"{path}: the code {strange[0]} is not in lock.json; restore one of them")
        return cls(folder, lock, students)

    def match(self, code: str, student: str, file: str = "") -> Match:
        """The variant of a code, or of a student who wrote none or a wrong one; or why there is none.

        Where only a wrong code is written, the name of the file may be the student's.
        """
        entry = self._by_code(code or student) or self._by_student(student)
        if entry is None and not code and CODE.fullmatch(student.strip().upper()) and self._by_student(file):
            return self.match(student, file)
        if entry is None:
            raise AttnsolveError(self._complaint(code, student))
        owner = self.students.get(entry.code, "")
        if not code and student.casefold() == entry.code.casefold():
            student = owner or student  # a file that is named after the code
        remarks = [*self._remarks(entry, owner, student)]
        if code and code.strip().upper() != entry.code:
            remarks.insert(0, unknown_code(shortened(code), student, entry.code))
        return Match(entry.code, student or owner, tuple(remarks))

    def trace(self, code: str, *, limits: Limits = LIMITS) -> Solved:
        """The solution of a code, from the kept problem file, which must be what was locked."""
        return kept_trace(self.folder, self.entry(code), self.lock.source.problem, limits=limits)

    def entry(self, code: str) -> Entry:
        """The line of the lock for a code."""
        entry = self._by_code(code)
        if entry is None:
            raise AttnsolveError(self._complaint(code, ""))
        return entry

    def original(self, *, limits: Limits = LIMITS) -> Solved:
        """The problem that all are variants of: its parts and steps are everybody's, its numbers nobody's."""
        kept = kept_original(self.folder, self.lock)
        home = self.folder.path / "problems"
        return solve_asked(loads_asked(kept.text, name=kept.name, folder=home, limits=limits))

    @property
    def key(self) -> str:
        """A hash of every variant and whose it is."""
        lines = [f"{e.code} {e.sha256} {self.students.get(e.code, '')}" for e in self.lock.entries]
        return sha256("\n".join(lines).encode()).hexdigest()

    @property
    def people(self) -> tuple[Seat, ...]:
        """Everybody who has a variant, with the name that the roster has."""
        return tuple(entry.seat for entry in self.lock.entries if entry.seat.student)

    @property
    def expected(self) -> dict[str, str]:
        """Who should hand something in, each with his code."""
        current = [entry for entry in self.lock.entries if entry.status == CURRENT]
        return {entry.seat.student: entry.code for entry in current if entry.seat.student}

    def _by_code(self, code: str) -> Entry | None:
        wanted = code.strip().upper()
        return next((entry for entry in self.lock.entries if entry.code == wanted), None)

    def _by_student(self, student: str) -> Entry | None:
        wanted = student.strip().casefold()
        own = [
            entry
            for entry in self.lock.entries
            if wanted and self.students.get(entry.code, "").casefold() == wanted and entry.status != REPLACED
        ]
        return own[0] if len(own) == 1 else None

    def _complaint(self, code: str, student: str) -> str:
        codes = [entry.code for entry in self.lock.entries]
        close = get_close_matches((code or student).strip().upper(), codes, n=1)
        hint = f"did you mean {close[0]}?" if close else UNCODED
        if not code:
            return f"there is no code, and '{shortened(student)}' is not in the roster; {hint}"
        return f"the code '{shortened(code)}' is not in this exam; {hint}"

    def _remarks(self, entry: Entry, owner: str, student: str) -> Iterator[Reason]:
        if entry.status == REPLACED:
            newer = [one for one in self.lock.entries if one.seat.identity == entry.seat.identity][-1]
            yield replaced(entry.code, newer.code)
        elif entry.status == WITHDRAWN:
            yield withdrawn(entry.code)
        elif owner and student and owner.casefold() != student.casefold():
            yield printed_for(entry.code, owner)
