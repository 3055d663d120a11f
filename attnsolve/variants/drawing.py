"""Drawing: from a key and an identity to a variant that every judge accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import median_low

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.problem import Problem
from attnsolve.trace import Trace
from attnsolve.variants.blueprint import Blueprint, Selection
from attnsolve.variants.effort import effort
from attnsolve.variants.forms import Form, Numbers
from attnsolve.variants.generator import Stream
from attnsolve.variants.judges import objections_to_numbers, objections_to_trace
from attnsolve.variants.search import Climb, Slips, telling_slips
from attnsolve.variants.separation import Clash, Separation
from attnsolve.variation import JUDGES

STARTS = 12  # fresh starts before a problem is called impossible
PATIENCE = 10  # times as many for one person, once a sample has shown that it is possible
LAST_STARTS = 4  # fresh starts to see whether it would be possible without a judge
SHAKES = 200  # refusals by an exact judge before a fresh start
DEAD_ENDS = 3  # climbs that do not arrive before a fresh start
ROUGH_SAMPLE = 36  # and so many more, unjudged, where that many do not tell two mistakes apart
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


@dataclass(frozen=True, slots=True)
class Standard:
    """What every variant of an exam is held to: the usual work, and mistakes that must show."""

    usual: int
    band: Fraction
    separation: Separation | None

    def admits(self, effort: int) -> bool:
        """Whether so much work is near enough to the usual."""
        return abs(effort - self.usual) <= self.band * self.usual


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
        standard, slips = self.standard(selection), self.slips(selection)
        for candidate in candidates(
            form, stream, refused, slips=slips, standard=standard, starts=PATIENCE * STARTS
        ):
            text = self.blueprint.text(selection, candidate.numbers)
            problem = candidate.trace.problem
            return Variant(identity, problem, candidate.trace, text, selection, candidate.effort, refused)
        raise impossible(self.blueprint.name, refused, strict_judge(form, standard, slips, refused))

    def standard(self, selection: Selection) -> Standard:
        """What a variant with this selection is held to."""
        strict = "mistakes" not in self.blueprint.vary.allow
        return Standard(
            self.usual_effort, self.blueprint.vary.band, self.separation(selection) if strict else None
        )

    def slips(self, selection: Selection) -> Slips:
        """The mistakes that a search has to bring to light."""
        form = self.blueprint.form(selection)
        return self.blueprint.kept(("slips", selection), lambda: telling_slips(form))

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

    def _sample(self, selection: Selection) -> list[Candidate]:
        """A few candidates, the same for every key."""
        return self.blueprint.kept(("sample", selection), lambda: self._drawn_sample(selection))

    def _rough_sample(self, selection: Selection) -> Iterator[Mapping[str, Matrix]]:
        """Many more, which nobody has judged: enough to see whether two mistakes ever differ."""
        form, slips = self.blueprint.form(selection), self.slips(selection)
        for number in range(ROUGH_SAMPLE):
            labels = (self.blueprint.name, self.blueprint.vary.version, selection, "rough", number)
            climb = Climb(form, Stream(CALIBRATION, *labels), slips=slips)
            climb.start()
            if climb.climb():
                yield climb.values

    def _drawn_sample(self, selection: Selection) -> list[Candidate]:
        form, refused, found = self.blueprint.form(selection), Counter[str](), []
        for number in range(SAMPLE):
            stream = Stream(CALIBRATION, self.blueprint.name, self.blueprint.vary.version, selection, number)
            candidate = next(candidates(form, stream, refused, slips=self.slips(selection)), None)
            if candidate is None:
                raise impossible(self.blueprint.name, refused, culprits(form, refused))
            found.append(candidate)
        return found


def candidates(
    form: Form,
    stream: Stream,
    refused: Counter[str],
    *,
    slips: Slips,
    standard: Standard | None = None,
    starts: int = STARTS,
) -> Iterator[Candidate]:
    """Numbers that every judge accepts, one after the other; without a standard, those of numbers only."""
    for _ in range(starts):
        climb = Climb(form, stream, slips=slips)
        climb.start()
        dead_ends = 0
        for _ in range(SHAKES):
            dead_ends += not climb.climb()
            objection, heavy = "", None
            candidate = judged(form, climb, standard)
            if isinstance(candidate, Candidate):
                yield candidate
            else:
                objection, heavy = candidate
                refused[objection] += 1
            if dead_ends == DEAD_ENDS:
                break
            climb.shake(lighter=heavy)


def judged(form: Form, climb: Climb, standard: Standard | None) -> Candidate | tuple[str, bool | None]:
    """A candidate, or the judge that refuses it and whether it is much work; the quick judges first."""
    numbers = climb.drawn()
    for objection in objections_to_numbers(form, numbers):
        return objection, None
    problem = form.filled(numbers)
    work = effort(problem)
    if standard is None:
        separation, heavy = None, None
    else:
        separation, heavy = standard.separation, work > standard.usual
        if not standard.admits(work):
            return "effort", heavy
    if separation is not None and separation.often and separation.looks_hopeless(climb.values):
        return "mistakes", heavy
    try:
        trace = solve(problem)
    except AttnsolveError:
        return "undefined", heavy
    for objection in objections_to_trace(form, trace):
        return objection, heavy
    if separation is not None and separation.clashes(trace):
        return "mistakes", heavy
    return Candidate(numbers, trace, work)


ADVICE = {
    "zero_rows": "allow: [zero_rows], or a wider range",
    "equal_rows": "allow: [equal_rows], or a wider range",
    "long_numbers": "judges: {digits: 8}, smaller numbers, or fewer denominators",
    "negatives": "judges: {negatives: …}, or a range with fewer negative numbers",
    "fractions": "judges: {fractions: …}, or fewer denominators",
    "irrational_scale": "judges: {rational_scale: false}, or sizes that have whole roots",
    "ties": "allow: [ties], or a wider range",
    "no_ties": "leave out want: [ties], or a narrower range",
    "equal_weights": "allow: [equal_weights], or a wider range",
    "small_weights": "allow: [small_weights], judges: {smallest_weight: …}, or smaller numbers",
    "large_weights": "allow: [large_weights], judges: {largest_weight: …}, or smaller numbers",
    "undefined": "another range: with these numbers some step has no value",
    "mistakes": "allow: [mistakes], or a wider range",
    "effort": "band: 20%",
}


# The judges that the search trades for one another: whoever refused is not always the one to loosen.
TRADED = (
    ("small_weights",),
    ("large_weights",),
    ("small_weights", "large_weights"),
    ("ties",),
    ("equal_rows",),
    ("zero_rows",),
)


def culprits(form: Form, refused: Counter[str]) -> tuple[str, ...]:
    """The judges without whom there are numbers, if any do; tried one after the other on fresh draws."""
    common = [(judge,) for judge, _ in refused.most_common() if judge in ADVICE]
    for judges in dict.fromkeys((*common, *TRADED)):
        want = () if judges == ("no_ties",) else form.vary.want
        vary = replace(form.vary, allow=(*form.vary.allow, *judges), want=want)
        without, tries = Form(form.problem, vary), Counter[str]()
        stream = Stream(CALIBRATION, "culprits", *judges)
        if next(candidates(without, stream, tries, slips={}, starts=LAST_STARTS), None) is not None:
            return judges
    return ()


def strict_judge(form: Form, standard: Standard, slips: Slips, refused: Counter[str]) -> tuple[str, ...]:
    """The same for the judges of exams, who have refused what the others accept."""
    loosened = {
        "effort": replace(standard, band=Fraction(100)),
        "mistakes": replace(standard, separation=None),
    }
    for judge in [judge for judge, _ in refused.most_common() if judge in loosened]:
        stream, tries = Stream(CALIBRATION, "culprits", judge), Counter[str]()
        found = candidates(form, stream, tries, slips=slips, standard=loosened[judge], starts=LAST_STARTS)
        if next(found, None) is not None:
            return (judge,)
    return ()


def impossible(name: str, refused: Counter[str], found: tuple[str, ...] = ()) -> Impossible:
    """The sentence that names the judge to loosen."""
    total = sum(refused.values())
    judge, times = refused.most_common(1)[0]
    told = f"{judge} refused {round(Fraction(100 * times, total))} % of them ({JUDGES[judge]})"
    if found:
        judge = found[0]
        told = f"without {' and '.join(found)} there are some ({'; '.join(JUDGES[one] for one in found)})"
    advice = f"allow: [{', '.join(found)}], or smaller numbers" if len(found) > 1 else ADVICE[judge]
    return Impossible(
        f"{name}: no numbers were found that all judges accept, in {total} tries; "
        f"{told}; loosen {'them' if len(found) > 1 else 'it'} under vary: {advice}"
    )
