"""Drawing: from a key and an identity to a variant that every judge accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low

from attnsolve.exact import Matrix
from attnsolve.problem import Problem, Written
from attnsolve.reasons import Reason
from attnsolve.trace import Trace
from attnsolve.variants.blueprint import Blueprint, Selection
from attnsolve.variants.candidates import STARTS, Candidate, Standard, candidates
from attnsolve.variants.choices import has_choices, settled, usual_options
from attnsolve.variants.climbs import Climbs, climbs_of
from attnsolve.variants.culprits import culprits, impossible, strict_judge
from attnsolve.variants.effort import effort
from attnsolve.variants.generator import CALIBRATION, Stream
from attnsolve.variants.rough_search import telling_slips
from attnsolve.variants.separation import Clash, Separation

PATIENCE = 10  # times as many fresh starts for one person, once a sample has shown that it is possible
ROUGH_SAMPLE = 36  # and so many more, unjudged, where that many do not tell two mistakes apart
SAMPLE = 12  # variants drawn to learn what is usual work, and which mistakes no numbers tell apart


@dataclass(frozen=True, slots=True)
class Variant:
    """One person's problem: its numbers, its file and its solution."""

    identity: str
    problem: Problem
    trace: Trace
    text: str  # the problem file
    selection: Selection
    effort: int
    refused: Mapping[str, int]  # how many candidates each judge refused on the way

    @property
    def candidates(self) -> int:
        """How many sets of numbers were judged before this one was taken, with this one."""
        return sum(self.refused.values()) + 1


def drawer_for(blueprint: Blueprint, key: bytes) -> Drawer:
    """What draws variants of a problem with numbers, or with symbols."""
    if not blueprint.has_symbols:
        return Drawer(blueprint, key)
    from attnsolve.variants.symbolic_drawing import SymbolicDrawer  # few exams need derivations

    return SymbolicDrawer(blueprint, key)


class Drawer:
    """Draws variants of one blueprint with one key; the same identity always gets the same numbers."""

    def __init__(self, blueprint: Blueprint, key: bytes) -> None:
        self.blueprint = blueprint
        self.key = key
        self._usual: int | None = None

    def draw(self, identity: str) -> Variant:
        """The variant of an identity: a student's number, or the number of a variant."""
        labels = (self.blueprint.name, self.blueprint.vary.version, identity)
        selection = self.blueprint.select(Stream(self.key, *labels, "selection"))
        form, refused = self.blueprint.form(selection), Counter[str]()
        stream = Stream(self.key, *labels, "numbers")
        standard, climbs = self.standard(selection), self.climbs(selection)
        for candidate in candidates(
            form, stream, refused, climbs=climbs, standard=standard, starts=PATIENCE * STARTS
        ):
            text, trace = self.blueprint.text(selection, candidate.numbers), candidate.trace
            if has_choices(form.problem):
                orders, vary = Stream(self.key, *labels, "choices"), self.blueprint.vary
                limits = self.blueprint.limits
                text, trace = settled(text, trace, orders, generation=vary.generation, limits=limits)
            problem = trace.problem._replace(written=Written(text, trace.problem.written.data))
            trace = trace._replace(problem=problem)
            return Variant(identity, problem, trace, text, selection, candidate.effort, refused)
        raise impossible(self.blueprint.name, refused, strict_judge(form, standard, climbs, refused))

    def effort_of(self, problem: Problem) -> int:
        """How much work a problem of this kind is."""
        return effort(problem)

    def standard(self, selection: Selection) -> Standard:
        """What a variant with this selection is held to."""
        strict = "mistakes" not in self.blueprint.vary.allow
        return Standard(
            self.usual_effort,
            self.blueprint.vary.band,
            self.separation(selection) if strict else None,
            self.options(selection),
        )

    def options(self, selection: Selection) -> dict[str, int]:
        """How many options each question of choice has in every variant with this selection."""
        form = self.blueprint.form(selection)
        if not has_choices(form.problem):
            return {}
        return self.blueprint.kept(
            ("options", selection),
            lambda: usual_options(form, (candidate.trace for candidate in self._sample(selection))),
        )

    def climbs(self, selection: Selection) -> Climbs:
        """The search for numbers; mistakes that hide easily have to be brought to light by it."""
        form = self.blueprint.form(selection)
        return self.blueprint.kept(("climbs", selection), lambda: climbs_of(form, slips=telling_slips(form)))

    @property
    def usual_effort(self) -> int:
        """The work of a usual variant: the median of a sample over all selections."""
        if self._usual is None:
            samples = [self._sample(selection) for selection in self.blueprint.selections()]
            self._usual = median_low([candidate.effort for sample in samples for candidate in sample])
        return self._usual

    def separation(self, selection: Selection) -> Separation:
        """Which mistakes a form can tell apart: what clashes in every variant of a sample, it cannot."""

        def learned() -> Separation:
            form = self.blueprint.form(selection)
            generation = self.blueprint.vary.generation
            separation = Separation(form.problem, allowed=form.allowed, generation=generation)
            sample = [candidate.trace for candidate in self._sample(selection)]
            separation.learn(sample, more=self._rough_sample(selection))
            return separation

        return self.blueprint.kept(("separation", selection), learned)

    def by_form(self) -> list[Clash]:
        """Every pair that the problem cannot tell apart, whatever its numbers, or hardly ever."""
        learned = [self.separation(selection) for selection in self.blueprint.selections()]
        return sorted({clash for separation in learned for clash in separation.by_form | separation.unseen})

    def inseparable(self) -> tuple[Reason, ...]:
        """The same as reasons, for whoever reads about the exam."""
        return tuple(clash.reason for clash in self.by_form())

    def _sample(self, selection: Selection) -> list[Candidate]:
        """A few candidates, the same for every key."""
        return self.blueprint.kept(("sample", selection), lambda: self._drawn_sample(selection))

    def _rough_sample(self, selection: Selection) -> Iterator[Mapping[str, Matrix]]:
        """Many more, which nobody has judged: enough to see whether two mistakes ever differ."""
        climbs = self.climbs(selection)
        for number in range(ROUGH_SAMPLE):
            labels = (self.blueprint.name, self.blueprint.vary.version, selection, "rough", number)
            climb = climbs(Stream(CALIBRATION, *labels))
            climb.start()
            if climb.climb():
                yield climb.rough_values()

    def _drawn_sample(self, selection: Selection) -> list[Candidate]:
        form, climbs = self.blueprint.form(selection), self.climbs(selection)
        refused, found = Counter[str](), []
        for number in range(SAMPLE):
            stream = Stream(CALIBRATION, self.blueprint.name, self.blueprint.vary.version, selection, number)
            candidate = next(candidates(form, stream, refused, climbs=climbs), None)
            if candidate is None:
                raise impossible(self.blueprint.name, refused, culprits(form, refused))
            found.append(candidate)
        return found
