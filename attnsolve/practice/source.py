"""Where exercises come from: a problem file with its own numbers, and as many variants as are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from attnsolve.engine import solve
from attnsolve.errors import UsageError
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import loads
from attnsolve.practice.drill import Drill
from attnsolve.problem import Problem
from attnsolve.variants.blueprint import Blueprint
from attnsolve.variants.drawing import Drawer, drawer_for
from attnsolve.variants.generator import key_of_seed

SEED = 1


def require_questions(problem: Problem) -> None:
    """Refuse a problem that asks for nothing, or for matrices with letters, which have no decimals."""
    parts = problem.parts
    if not any(part.calls or part.choice or part.discuss or part.abstract for part in parts):
        raise UsageError(f"'{problem.name}' asks for nothing that could be practised")
    if problem.assumptions is not None and any(part.calls for part in parts):
        raise UsageError(f"'{problem.name}' has letters in its matrices, which cannot be practised")


@dataclass(frozen=True, eq=False)
class Source:
    """A problem file, and the seed that decides the numbers of its variants."""

    text: str
    name: str
    folder: Path = Path(".")
    seed: int = SEED
    limits: Limits = LIMITS

    @property
    def digest(self) -> str:
        """What tells this exercise from every other: its text, and the seed of its variants."""
        return sha256(f"{self.seed}\0{self.text}".encode()).hexdigest()

    @cached_property
    def problem(self) -> Problem:
        """The problem with its own numbers."""
        return loads(self.text, name=self.name, folder=self.folder, limits=self.limits)

    @cached_property
    def drawer(self) -> Drawer:
        """What draws its variants."""
        blueprint = Blueprint(self.text, name=self.name, folder=self.folder, limits=self.limits)
        return drawer_for(blueprint, key_of_seed(self.seed))

    @property
    def varies(self) -> bool:
        """Whether the file says what may vary."""
        return self.problem.vary is not None

    @property
    def files(self) -> dict[str, bytes]:
        """The files that the problem reads beside itself: tables and figures."""
        tables = {name: text.encode() for name, text in self.problem.written.data.items()}
        figures = [picture for one in self.problem.pictures.values() for picture in one.pictures]
        return tables | {picture.file: picture.data for picture in figures}

    def drill(self, variant: int) -> Drill:
        """The exercise with its own numbers (0), or with those of a variant."""
        require_questions(self.problem)
        if not variant:
            return Drill.of(solve(self.problem))
        return Drill.of(self.drawer.draw(str(variant)).trace)
