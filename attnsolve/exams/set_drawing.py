"""Drawing variants of a problem set: each exercise by its own `vary:`, all of them for one identity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from attnsolve.documents import parse
from attnsolve.engine import solve_set
from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.exams.dealing import dealt, usual_effort
from attnsolve.limits import Limits
from attnsolve.loader.asked import loads_asked
from attnsolve.loader.set_texts import folders_of, paper_text, problem_texts
from attnsolve.problem import Problem
from attnsolve.problem_set import Exercise, ProblemSet, SolvedSet, drawn_from, problems_of
from attnsolve.reasons import Reason, in_exercise
from attnsolve.variants import Blueprint, Drawer, Selection, Variant, drawer_for
from attnsolve.variants.choices import FixedQuestions, has_choices
from attnsolve.variants.effort import effort
from attnsolve.variants.generator import Stream
from attnsolve.variation import BAND


class SetVariant(NamedTuple):
    """One person's problem set: its file, its solution, and what was found out about it."""

    identity: str
    trace: SolvedSet
    text: str
    selection: str
    effort: int
    refused: Mapping[str, int]
    lineup: tuple[int, ...] = ()  # its exercises by their numbers in the sheet, where papers differ


class SetDrawer:
    """Draws variants of one sheet file with one key; an exercise in which nothing varies stays as it is."""

    def __init__(
        self, text: str, *, name: str, folder: Path, key: bytes, limits: Limits, generation: int
    ) -> None:
        asked = loads_asked(text, name=name, folder=folder, limits=limits)
        assert isinstance(asked, ProblemSet)
        self.problem = asked
        self.key = key
        self.name, self.folder, self.limits, self.generation = name, folder, limits, generation
        self._root = parse(text.encode(), name, limits=limits)
        self._texts = problem_texts(self._root)
        self._folders = [folder / place for place in folders_of(self._root)]
        self._drawers = {
            one.number: drawer_for(blueprint, key)
            for one, own in zip(asked.exercises, self._texts, strict=True)
            if (blueprint := self._blueprint(one, own)) is not None
        }
        # What does not vary may still have options, which everybody has in an order of their own.
        choices: dict[str, Any] = {"key": key, "limits": limits, "generation": generation}
        self._fixed = {
            one.number: FixedQuestions(own, name=one.problem.name, folder=home, **choices)
            for one, own, home in zip(asked.exercises, self._texts, self._folders, strict=True)
            if one.number not in self._drawers and has_choices(one.problem)
        }
        if not self._drawers and not self.has_lineups:
            raise UsageError(f"'{name}' has nothing that could vary; say under vary: of an exercise what may")

    def _blueprint(self, exercise: Exercise, text: str) -> Blueprint | None:
        """What variants of an exercise are made from, if its file says that something varies."""
        if exercise.problem.vary is None:
            return None
        name, folder = exercise.problem.name, self._folders[exercise.number - 1]
        return Blueprint(text, name=name, folder=folder, limits=self.limits, generation=self.generation)

    @property
    def has_lineups(self) -> bool:
        """Whether papers have different exercises, or the same in different orders."""
        return bool(self.problem.pools) or self.problem.is_shuffled

    def lineups(
        self, identities: Sequence[str], out: Mapping[int, int] | None = None
    ) -> dict[str, tuple[int, ...]]:
        """The exercises of everybody in the order of their papers, where they have different ones.

        `out` says how often each exercise is handed out already.
        """
        if not self.has_lineups:
            return dict.fromkeys(identities, ())
        labels, out = (self.name, self.version), out or {}
        stream = Stream(self.key, *labels, "pools", sum(out.values()))
        hands = dealt(self.problem.pools, identities, efforts=self.efforts, out=out, stream=stream)
        common = [one.number for one in self.problem.exercises if self.problem.pool(one.number) is None]
        made = {identity: sorted((*common, *hands[identity])) for identity in identities}
        if not self.problem.is_shuffled:
            return {identity: tuple(own) for identity, own in made.items()}
        return {
            identity: tuple(Stream(self.key, *labels, identity, "order").shuffled(own))
            for identity, own in made.items()
        }

    def draw(self, identity: str, lineup: tuple[int, ...] = ()) -> SetVariant:
        """The variant of an identity: a student's number, or the number of a variant.

        Without a line-up of exercises it has that of somebody who is alone.
        """
        lineup = lineup or self.lineups([identity])[identity]
        numbers = lineup or [one.number for one in self.problem.exercises]
        drawn = {
            number: self._drawn(number, drawer, identity)
            for number, drawer in self._drawers.items()
            if number in numbers
        }
        own = [(n, drawn[n].text if n in drawn else self._own_text(n, identity)) for n in numbers]
        text = paper_text(self._root, own)
        loaded = loads_asked(text, name=self.name, folder=self.folder, limits=self.limits)
        asked = drawn_from(loaded, lineup)
        assert isinstance(asked, ProblemSet)
        drawn_efforts = (drawn[n].effort if n in drawn else self.efforts[n] for n in numbers)
        return SetVariant(
            identity,
            solve_set(asked),
            text,
            "; ".join(told(number, variant) for number, variant in drawn.items() if told(number, variant)),
            sum(map(self._effort, numbers, problems_of(asked))) if lineup else sum(drawn_efforts),
            sum_of(variant.refused for variant in drawn.values()),
            lineup,
        )

    def _own_text(self, number: int, identity: str) -> str:
        """The text of an exercise whose numbers are the same for everybody."""
        fixed = self._fixed.get(number)
        return self._texts[number - 1] if fixed is None else fixed.drawn(identity)

    def _drawn(self, number: int, drawer: Drawer, identity: str) -> Variant:
        try:
            return drawer.draw(identity)
        except AttnsolveError as error:
            error.args = (f"exercise {number}: {error}",)
            raise

    @cached_property
    def efforts(self) -> dict[int, int]:
        """The usual work of each exercise."""
        usual = {number: one.usual_effort for number, one in self._drawers.items()}
        if self.has_lineups:  # without pools, whole problems are counted, and what is locked must not change
            usual = {number: self._of_chosen_parts(number, work) for number, work in usual.items()}
        return self._typed_efforts | usual

    def _of_chosen_parts(self, number: int, work: int) -> int:
        """The work of a problem in proportion to the parts that the sheet has of it."""
        whole = self._effort(number, self._drawers[number].blueprint.problem)
        return round(Fraction(work * self._typed_efforts[number], whole)) if whole else work

    @cached_property
    def _typed_efforts(self) -> dict[int, int]:
        """The work of each exercise as it was typed."""
        typed = {one.number: one.problem for one in self.problem.exercises}
        if not self.has_lineups:
            typed |= {number: drawer.blueprint.problem for number, drawer in self._drawers.items()}
        return {number: self._effort(number, problem) for number, problem in typed.items()}

    def _effort(self, number: int, problem: Problem) -> int:
        """How much work an exercise is, as whoever draws its variants counts it."""
        drawer = self._drawers.get(number)
        return effort(problem) if drawer is None else drawer.effort_of(problem)

    @property
    def usual_effort(self) -> int:
        """The work of a usual variant."""
        return self._paper_effort(self.efforts)

    @property
    def original_effort(self) -> int:
        """The work of the problem set as it was typed."""
        return self._paper_effort(self._typed_efforts)

    def _paper_effort(self, efforts: Mapping[int, int]) -> int:
        """The work of a paper: of pools, that of as many usual exercises as are drawn, in whole numbers."""
        pools = self.problem.pools
        common = sum(own for number, own in efforts.items() if self.problem.pool(number) is None)
        return round(common + sum((usual_effort(pool, efforts) for pool in pools), Fraction(0)))

    @property
    def version(self) -> int:
        """The highest version of its exercises: raising any of them gives other numbers."""
        return max((drawer.blueprint.vary.version for drawer in self._drawers.values()), default=1)

    @property
    def band(self) -> Fraction:
        """How far the work of a variant may be from the usual: as far as that of any exercise."""
        return max((one.blueprint.vary.band for one in self._drawers.values()), default=BAND)

    @property
    def allowed(self) -> dict[str, set[str]]:
        """What each part lets pass, by its name in the set."""
        return {
            one.label(part.id): {*part.allow, *drawer.blueprint.vary.allow}
            for one in self.problem.exercises
            if (drawer := self._drawers.get(one.number)) is not None
            for part in one.problem.parts
        }

    def inseparable(self) -> tuple[Reason, ...]:
        """Every pair of mistakes that an exercise cannot tell apart, whatever its numbers."""
        return tuple(
            in_exercise(number, why) for number, one in self._drawers.items() for why in one.inseparable()
        )


def told(number: int, variant: Variant) -> str:
    """What was chosen for an exercise, if it leaves a choice."""
    return "" if variant.selection == Selection() else f"exercise {number}: {variant.selection}"


def sum_of(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counts by name, added up."""
    made = Counter[str]()
    for one in counts:
        made.update(one)
    return dict(made)
