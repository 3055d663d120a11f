"""What was asked: a problem, solved once, for everybody or by the code of a variant."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import load
from attnsolve.problem import Given
from attnsolve.trace import Trace
from attnsolve.verifier.judgement import Verifier

# Verifiers that are kept: one for a problem; personal variants come and go.
KEPT = 64


@dataclass(frozen=True, slots=True)
class Assignment:
    """A problem file, which has its mark scheme in it, and the limits; a worker is told this and no more."""

    path: Path
    limits: Limits = LIMITS
    version: str = ""  # of attnsolve: another one may judge otherwise

    def trace(self, variant: str = "") -> Trace:
        """The solution that belongs to the code of a variant; a plain problem has one for all codes.

        Personal variants (a manifest of codes) will be looked up here, and only here.
        """
        if self.path.suffix == ".json":
            raise UsageError(f"'{self.path}': personal variants cannot be graded yet; name a problem file")
        return _solved(self.path, self.limits)

    def verifier(self, variant: str = "") -> Verifier:
        """The verifier for a variant, kept with all it has found out."""
        return _verifier(self, "" if self.path.suffix != ".json" else variant)

    @property
    def key(self) -> str:
        """A hash of all that marks depend on but the answers: the file and the data beside it."""
        problem = self.trace().problem
        digest = sha256(f"{self.version}\n".encode() + self.path.read_bytes())
        for name, given in problem.givens.items():
            digest.update(f"{name} {given_text(given)}\n".encode())
        return digest.hexdigest()[:32]

    def record(self) -> dict[str, Any]:
        """What a worker is told."""
        return {"path": str(self.path), "limits": asdict(self.limits)}

    @classmethod
    def restored(cls, kept: dict[str, Any]) -> Assignment:
        """The assignment that a record was made of."""
        return cls(Path(kept["path"]), Limits(**kept["limits"]))


def given_text(given: Given) -> str:
    """A given, number by number, wherever its numbers come from."""
    try:
        return " ".join(cell.text() for _, _, cell in given.value.cells())
    except AttnsolveError:
        return repr(given)


@lru_cache(maxsize=4)
def _solved(path: Path, limits: Limits) -> Trace:
    return solve(load(path, limits=limits))


@lru_cache(maxsize=KEPT)
def _verifier(assignment: Assignment, variant: str) -> Verifier:
    return Verifier(assignment.trace(variant))
