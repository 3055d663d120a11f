"""What was asked: a problem, solved once, for everybody or by the code of a variant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from attnsolve.engine import solve_asked
from attnsolve.errors import AttnsolveError
from attnsolve.exams.lock import Match, Seat
from attnsolve.grading.pieces import Piece
from attnsolve.grading.piles import code_written
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.asked import load_asked
from attnsolve.problem import Given, Problem
from attnsolve.problem_set import ProblemSet, Solved
from attnsolve.verifier.marking.overrides import Markable
from attnsolve.verifier.set_verification import verifier_of

if TYPE_CHECKING:
    from attnsolve.exams.errata import Erratum
    from attnsolve.exams.register import Register
    from attnsolve.verifier.set_verification import AnyVerifier

# Variants that a process remembers at a time. A verifier that has met wrong answers holds ten megabytes and
# more, so a class is judged variant by variant (see `Session`), and what is left behind is forgotten.
KEPT = 4


@dataclass(frozen=True, slots=True)
class Assignment:
    """A problem or sheet file, or the manifest of an exam; a worker is told this and no more."""

    path: Path
    limits: Limits = LIMITS
    version: str = ""  # of attnsolve: another one may judge otherwise
    corrected: Path | None = None  # what an exam should have asked; everybody keeps his own numbers

    @property
    def is_personal(self) -> bool:
        """Whether everybody had a variant of his own: then the file is the manifest of an exam."""
        return self.path.suffix == ".json"

    def trace(self, variant: str = "") -> Solved:
        """The solution that belongs to the code of a variant; without a code that of the problem itself.

        Personal variants (a manifest of codes) are looked up here, and only here.
        """
        if self.is_personal:
            return _personal(self.path, variant, self.limits, self.corrected)
        return _solved(self.path, self.limits)

    def match(self, variant: str, student: str, file: str = "") -> Match:
        """Which variant somebody's answers belong to; a plain problem has one for all codes."""
        if not self.is_personal:
            return Match(variant, student)
        return _register(self.path).match(variant, student, file)

    def code_of(self, piece: Piece) -> str:
        """The code of somebody's variant as far as it can be told before anything is read, else nothing."""
        if not self.is_personal:
            return ""
        try:
            written = piece.variant or code_written(piece)
            return self.match(written, piece.student, PurePath(piece.source).stem).code
        except AttnsolveError:
            return ""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everybody in the roster of an exam."""
        return _register(self.path).people if self.is_personal else ()

    @property
    def expected(self) -> dict[str, str]:
        """Who should hand something in, each with his code; nobody knows where there is no roster."""
        return _register(self.path).expected if self.is_personal else {}

    def verifier(self, variant: str = "") -> AnyVerifier:
        """The verifier for a variant, kept with all it has found out."""
        return _verifier(self, variant if self.is_personal else "")

    def placing(self, student: str) -> Markable:
        """What tells which step or part of somebody's paper a mark by hand is for.

        All papers of an exam have the same ones, unless its sheet has pools or is shuffled.
        """
        asked = self.trace().problem
        if not isinstance(asked, ProblemSet) or not (asked.pools or asked.is_shuffled):
            return self.verifier().placing
        return self.verifier(self.match("", student).code).placing

    @property
    def is_about_symbols(self) -> bool:
        """Whether what was asked has symbols instead of numbers, so that claims are handed in."""
        asked = self.trace().problem
        return isinstance(asked, Problem) and asked.assumptions is not None

    def claimed(self, student: str, variant: str, *, file: str = "") -> frozenset[str]:
        """The exercises of somebody's paper that are answered with claims instead of numbers."""
        asked = self.trace().problem
        if not isinstance(asked, ProblemSet) or not asked.claimed:
            return frozenset()
        if not (asked.pools or asked.is_shuffled):  # they have the same numbers on all papers
            return asked.claimed
        try:
            own = self.trace(self.match(variant, student, file).code).problem
        except AttnsolveError:
            return frozenset()  # whose paper it is will be asked again, and the answer told then
        return own.claimed if isinstance(own, ProblemSet) else frozenset()

    @property
    def erratum(self) -> Erratum | None:
        """The corrected problem beside the exam, if it is judged by one."""
        return None if self.corrected is None else _erratum(self.path, self.corrected, self.limits)

    @property
    def key(self) -> str:
        """A hash of all that marks depend on but the answers: the file and the data beside it."""
        if self.is_personal:
            known = f"{self.version}\n{_register(self.path).key}"
            if self.erratum is not None:
                known += f"\n{self.erratum.key}"
            return sha256(known.encode()).hexdigest()[:32]
        asked = self.trace().problem
        digest = sha256(f"{self.version}\n".encode() + self.path.read_bytes())
        problems = [one.problem for one in asked.exercises] if isinstance(asked, ProblemSet) else [asked]
        for problem in problems:
            if Path(problem.file) != self.path:
                digest.update(Path(problem.file).read_bytes())
            for name, given in problem.givens.items():
                digest.update(f"{name} {given_text(given)}\n".encode())
        return digest.hexdigest()[:32]

    def record(self) -> dict[str, Any]:
        """What a worker is told."""
        made = {"path": str(self.path), "limits": self.limits._asdict()}
        return made if self.corrected is None else {**made, "corrected": str(self.corrected)}

    @classmethod
    def restored(cls, kept: dict[str, Any]) -> Assignment:
        """The assignment that a record was made of."""
        corrected = Path(kept["corrected"]) if "corrected" in kept else None
        return cls(Path(kept["path"]), Limits(**kept["limits"]), corrected=corrected)


def given_text(given: Given) -> str:
    """A given, number by number, wherever its numbers come from."""
    try:
        return " ".join(cell.text() for _, _, cell in given.value.cells())
    except AttnsolveError:
        return repr(given)


@lru_cache(maxsize=4)
def _solved(path: Path, limits: Limits) -> Solved:
    return solve_asked(load_asked(path, limits=limits))


@lru_cache(maxsize=2)
def _register(path: Path) -> Register:
    from attnsolve.exams.register import Register

    return Register.read(path)


@lru_cache(maxsize=2)
def _erratum(path: Path, corrected: Path, limits: Limits) -> Erratum:
    from attnsolve.exams.errata import Erratum

    return Erratum(_register(path).folder, corrected, limits=limits)


@lru_cache(maxsize=KEPT)
def _personal(path: Path, code: str, limits: Limits, corrected: Path | None) -> Solved:
    register = _register(path)
    if not code:
        return register.original(limits=limits) if corrected is None else _solved(corrected, limits)
    if corrected is None:
        return register.trace(code, limits=limits)
    return _erratum(path, corrected, limits).trace(register.entry(code))


@lru_cache(maxsize=KEPT)
def _verifier(assignment: Assignment, variant: str) -> AnyVerifier:
    return verifier_of(assignment.trace(variant))
