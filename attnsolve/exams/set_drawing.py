"""Drawing variants of a problem set: each exercise by its own `vary:`, all of them for one identity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from attnsolve.documents import parse
from attnsolve.engine import solve_set
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.limits import Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.loader.set_texts import problem_texts, with_problems
from attnsolve.problem_set import Exercise, ProblemSet, SolvedSet
from attnsolve.variants import Blueprint, Drawer, Selection, Variant
from attnsolve.variants.effort import effort


class SetVariant(NamedTuple):
    """One person's problem set: its file, its solution, and what was found out about it."""

    identity: str
    trace: SolvedSet
    text: str
    selection: str
    effort: int
    refused: Mapping[str, int]


class SetDrawer:
    """Draws variants of one sheet file with one key; an exercise in which nothing varies stays as it is."""

    def __init__(self, text: str, *, name: str, folder: Path, key: bytes, limits: Limits) -> None:
        asked = loads_asked(text, name=name, folder=folder, limits=limits)
        assert isinstance(asked, ProblemSet)
        if asked.pools or asked.is_shuffled:
            raise UsageError(f"'{name}' has pools or a shuffled order, which cannot be drawn yet")
        self.problem = asked
        self.name, self.folder, self.limits = name, folder, limits
        self._root = parse(text.encode(), name, limits=limits)
        self._texts = problem_texts(self._root)
        self._drawers = {
            one.number: Drawer(blueprint, key)
            for one, own in zip(asked.exercises, self._texts, strict=True)
            if (blueprint := self._blueprint(one, own)) is not None
        }
        if not self._drawers:
            raise UsageError(f"'{name}' has nothing that could vary; say under vary: of an exercise what may")

    def _blueprint(self, exercise: Exercise, text: str) -> Blueprint | None:
        """What variants of an exercise are made from, if its file says that something varies."""
        if exercise.problem.vary is None:
            return None
        name = exercise.problem.name
        return Blueprint(text, name=name, folder=self.folder, limits=self.limits)

    def draw(self, identity: str) -> SetVariant:
        """The variant of an identity: a student's number, or the number of a variant."""
        drawn = {number: self._drawn(number, drawer, identity) for number, drawer in self._drawers.items()}
        texts = [
            drawn[one.number].text if one.number in drawn else own
            for one, own in zip(self.problem.exercises, self._texts, strict=True)
        ]
        text = with_problems(self._root, texts)
        asked = loads_asked(text, name=self.name, folder=self.folder, limits=self.limits)
        assert isinstance(asked, ProblemSet)
        return SetVariant(
            identity,
            solve_set(asked),
            text,
            "; ".join(told(number, variant) for number, variant in drawn.items() if told(number, variant)),
            sum(variant.effort for variant in drawn.values()) + self._fixed_effort,
            sum_of(variant.refused for variant in drawn.values()),
        )

    def _drawn(self, number: int, drawer: Drawer, identity: str) -> Variant:
        try:
            return drawer.draw(identity)
        except AttnsolveError as error:
            error.args = (f"exercise {number}: {error}",)
            raise

    @property
    def _fixed_effort(self) -> int:
        """The work of the exercises that are the same for everybody."""
        fixed = (one.problem for one in self.problem.exercises if one.number not in self._drawers)
        return sum(map(effort, fixed))

    @property
    def usual_effort(self) -> int:
        """The work of a usual variant."""
        return sum(drawer.usual_effort for drawer in self._drawers.values()) + self._fixed_effort

    @property
    def original_effort(self) -> int:
        """The work of the problem set as it was typed."""
        return sum(effort(drawer.blueprint.problem) for drawer in self._drawers.values()) + self._fixed_effort

    @property
    def version(self) -> int:
        """The highest version of its exercises: raising any of them gives other numbers."""
        return max(drawer.blueprint.vary.version for drawer in self._drawers.values())

    @property
    def band(self) -> Fraction:
        """How far the work of a variant may be from the usual: as far as that of any exercise."""
        return max(drawer.blueprint.vary.band for drawer in self._drawers.values())

    @property
    def allowed(self) -> dict[str, set[str]]:
        """What each part lets pass, by its name in the set."""
        return {
            one.label(part.id): {*part.allow, *drawer.blueprint.vary.allow}
            for one in self.problem.exercises
            if (drawer := self._drawers.get(one.number)) is not None
            for part in one.problem.parts
        }

    def by_form(self) -> list[str]:
        """Every pair of mistakes that an exercise cannot tell apart, whatever its numbers."""
        return [f"exercise {number}: {clash}" for number, d in self._drawers.items() for clash in d.by_form()]


def told(number: int, variant: Variant) -> str:
    """What was chosen for an exercise, if it leaves a choice."""
    return "" if variant.selection == Selection() else f"exercise {number}: {variant.selection}"


def sum_of(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counts by name, added up."""
    made = Counter[str]()
    for one in counts:
        made.update(one)
    return dict(made)
