"""Drawing: from a key and an identity to a variant that every judge accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import median_low

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.problem import Problem
from attnsolve.trace import Trace
from attnsolve.variants.blueprint import Blueprint, Selection
from attnsolve.variants.effort import effort
from attnsolve.variants.forms import Form, Numbers
from attnsolve.variants.generator import Stream
from attnsolve.variants.judges import objections_to_numbers, objections_to_trace
from attnsolve.variants.search import Climb
from attnsolve.variants.separation import Clash, Separation
from attnsolve.variation import JUDGES

STARTS = 12  # fresh starts before a problem is called impossible
SHAKES = 60  # refusals by an exact judge before a fresh start
DEAD_ENDS = 3  # climbs that do not arrive before a fresh start
SAMPLE = 12  # variants drawn to learn what is usual work, and which mistakes no numbers tell apart
# Everybody learns the same: what is usual belongs to the problem, not to the key of one exam.
CALIBRATION = b"attnsolve calibration"


class Impossible(AttnsolveError):
    """No numbers were found that every judge accepts; the message names the judge to loosen."""


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


@dataclass(frozen=True, slots=True)
class Candidate:
    """Numbers that all judges of numbers accept; the judges of exams have not seen them yet."""

    numbers: Numbers
    trace: Trace
    effort: int


class Drawer:
    """Draws variants of one blueprint with one key; the same identity always gets the same numbers."""

    def __init__(self, blueprint: Blueprint, key: bytes) -> None:
        self.blueprint = blueprint
        self.key = key
        self._separations: dict[Selection, Separation] = {}
        self._usual: int | None = None

    def draw(self, identity: str) -> Variant:
        """The variant of an identity: a student's number, or the number of a variant."""
        labels = (self.blueprint.name, self.blueprint.vary.version, identity)
        selection = self.blueprint.select(Stream(self.key, *labels, "selection"))
        form, refused = self.blueprint.form(selection), Counter[str]()
        stream = Stream(self.key, *labels, "numbers")
        for candidate in candidates(form, stream, refused, usual=self.usual_effort):
            objection = self._objection(selection, candidate)
            if objection:
                refused[objection] += 1
                continue
            problem = candidate.trace.problem
            text = self.blueprint.text(selection, candidate.numbers)
            return Variant(identity, problem, candidate.trace, text, selection, candidate.effort, refused)
        raise impossible(self.blueprint.name, refused)

    def _objection(self, selection: Selection, candidate: Candidate) -> str:
        """The judge of exams that refuses a candidate, or nothing."""
        usual, band = self.usual_effort, self.blueprint.vary.band
        if abs(candidate.effort - usual) > band * usual:
            return "effort"
        if "mistakes" in self.blueprint.vary.allow:
            return ""
        return "mistakes" if self.separation(selection).clashes(candidate.trace) else ""

    @property
    def usual_effort(self) -> int:
        """The work of a usual variant: the median of a sample over all selections."""
        if self._usual is None:
            samples = [self._sample(selection) for selection in self.blueprint.selections()]
            self._usual = median_low([candidate.effort for sample in samples for candidate in sample])
        return self._usual

    def separation(self, selection: Selection) -> Separation:
        """Which mistakes a form can tell apart: what clashes in every variant of a sample, it cannot."""
        if selection not in self._separations:
            form = self.blueprint.form(selection)
            separation = Separation(form.problem, allowed=form.allowed)
            separation.learn(candidate.trace for candidate in self._sample(selection))
            self._separations[selection] = separation
        return self._separations[selection]

    def by_form(self) -> list[Clash]:
        """Every pair that the problem cannot tell apart, whatever its numbers."""
        found = {
            clash for selection in self.blueprint.selections() for clash in self.separation(selection).by_form
        }
        return sorted(found)

    def _sample(self, selection: Selection) -> list[Candidate]:
        """A few candidates, the same for every key."""
        return self.blueprint.kept(("sample", selection), lambda: self._drawn_sample(selection))

    def _drawn_sample(self, selection: Selection) -> list[Candidate]:
        form, refused, found = self.blueprint.form(selection), Counter[str](), []
        for number in range(SAMPLE):
            stream = Stream(CALIBRATION, self.blueprint.name, self.blueprint.vary.version, selection, number)
            candidate = next(candidates(form, stream, refused), None)
            if candidate is None:
                raise impossible(self.blueprint.name, refused)
            found.append(candidate)
        return found


def candidates(
    form: Form, stream: Stream, refused: Counter[str], *, usual: int | None = None
) -> Iterator[Candidate]:
    """Numbers that every judge of numbers accepts, one after the other, led towards the usual work."""
    for _ in range(STARTS):
        climb = Climb(form, stream)
        climb.start()
        dead_ends = 0
        for _ in range(SHAKES):
            dead_ends += not climb.climb()
            candidate = judged(form, climb.drawn(), refused)
            lighter = None
            if candidate is not None:
                yield candidate
                lighter = None if usual is None else candidate.effort > usual
            if dead_ends == DEAD_ENDS:
                break
            climb.shake(lighter=lighter)


def judged(form: Form, numbers: Numbers, refused: Counter[str]) -> Candidate | None:
    """A candidate of these numbers, unless a judge objects."""
    objection = next(objections_to_numbers(form, numbers), None)
    if objection is None:
        try:
            trace = solve(form.filled(numbers))
            objection = next(objections_to_trace(form, trace), None)
        except AttnsolveError:
            objection = "undefined"
    if objection is None:
        return Candidate(numbers, trace, effort(trace))
    refused[objection] += 1
    return None


ADVICE = {
    "zero_rows": "allow: [zero_rows], or a wider range",
    "equal_rows": "allow: [equal_rows], or a wider range",
    "long_numbers": "judges: {digits: 8}, smaller numbers, or fewer denominators",
    "negatives": "judges: {negatives: …}, or a range with fewer negative numbers",
    "fractions": "judges: {fractions: …}, or fewer denominators",
    "irrational_scale": "judges: {rational_scale: false}, or sizes that have whole roots",
    "ties": "allow: [ties], or a wider range",
    "no_ties": "leave out want: [ties], or a narrower range",
    "small_weights": "allow: [small_weights], judges: {smallest_weight: …}, or smaller numbers",
    "large_weights": "allow: [large_weights], judges: {largest_weight: …}, or smaller numbers",
    "undefined": "another range: with these numbers some step has no value",
    "mistakes": "allow: [mistakes], or a wider range",
    "effort": "band: 20%",
}


def impossible(name: str, refused: Counter[str]) -> Impossible:
    """The sentence that names the judge to loosen."""
    total = sum(refused.values())
    judge, times = refused.most_common(1)[0]
    share = round(Fraction(100 * times, total))
    return Impossible(
        f"{name}: no numbers were found that all judges accept, in {total} tries; "
        f"{judge} refused {share} % of them ({JUDGES[judge]}); loosen it under vary: {ADVICE[judge]}"
    )
