"""How a class did, in exact numbers: means, what tells strong from weak, which mistakes, which variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import lcm
from random import Random

from attnsolve.report import Report, StepReport, exercise_number

# The share of a class that is called its upper and its lower group, as is usual (Kelley 1939).
GROUP = Fraction(27, 100)
# With fewer people a group would be one or two.
FEWEST = 8
# How often marks are dealt out anew to see what chance makes of variants that are equally hard.
DEALS = 999


@dataclass(frozen=True, slots=True)
class Item:
    """A step, a part or the whole exercise, and what those who had it earned, in the order of the class."""

    name: str
    title: str
    possible: Fraction
    earned: tuple[Fraction | None, ...]  # by all who had it; None: a person has still to mark it
    discrimination: Fraction | None = None  # see `discrimination`

    @property
    def marks(self) -> tuple[Fraction, ...]:
        """What was earned by those who have marks."""
        return tuple(marks for marks in self.earned if marks is not None)

    @property
    def mean(self) -> Fraction | None:
        """What was earned on average."""
        return mean(self.marks)

    @property
    def share(self) -> Fraction | None:
        """The same as a share of what can be had."""
        return None if self.mean is None or not self.possible else self.mean / self.possible

    @property
    def distribution(self) -> tuple[tuple[Fraction, int], ...]:
        """How many earned each mark that somebody earned, the lowest first."""
        return tuple(sorted(Counter(self.marks).items()))

    @property
    def none_some_all(self) -> tuple[int, int, int]:
        """How many earned nothing, a part of the marks, all of them."""
        nothing = sum(marks == 0 for marks in self.marks)
        everything = sum(marks >= self.possible for marks in self.marks)
        return nothing, len(self.marks) - nothing - everything, everything


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """A known mistake: how many people made it, and how often it is in each step.

    Made in one head or in every head, it is the same mistake.
    """

    name: str
    people: int
    steps: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class VariantResult:
    """Those who had one variant, beside the others."""

    code: str
    total: Item
    parts: tuple[Item, ...]
    mistakes: tuple[MistakeCount, ...]


@dataclass(frozen=True, slots=True)
class ClassStatistics:
    """Everything that can be counted about a class."""

    title: str
    without_marks: int  # how many scripts have none
    total: Item
    parts: tuple[Item, ...]
    steps: tuple[Item, ...]
    mistakes: tuple[MistakeCount, ...]
    variants: tuple[VariantResult, ...]  # empty where hardly two people had the same numbers

    @property
    def graded(self) -> int:
        """How many have marks."""
        return len(self.total.earned)

    @property
    def explained(self) -> Fraction | None:
        """The share of the variance of all marks that lies between the variants (η²)."""
        everybody = [marks for variant in self.variants for marks in variant.total.marks]
        whole, middle = squares(everybody), mean(everybody)
        if middle is None or not whole:
            return None
        groups = [(len(v.total.marks), v.total.mean) for v in self.variants]
        between = sum((n * (own - middle) ** 2 for n, own in groups if own is not None), Fraction(0))
        return between / whole

    @property
    def as_uneven_by_chance(self) -> int:
        """In how many of `DEALS` random deals of the same marks the variants differ as much, or more."""
        marks = [mark for variant in self.variants for mark in variant.total.marks]
        unit = lcm(*(mark.denominator for mark in marks))
        whole = [int(mark * unit) for mark in marks]
        sizes = [len(variant.total.marks) for variant in self.variants]
        found, chance, count = unevenness(whole, sizes), Random(0), 0
        for _ in range(DEALS):
            chance.shuffle(whole)
            count += unevenness(whole, sizes) >= found
        return count


def unevenness(marks: Sequence[int], sizes: Sequence[int]) -> int:
    """How far the sums of groups of marks, one after the other, are apart: Σ sum²/size, times a constant."""
    common, start, found = lcm(*sizes), 0, 0
    for size in sizes:
        found += sum(marks[start : start + size]) ** 2 * (common // size)
        start += size
    return found


def class_statistics(title: str, reports: Sequence[Report], *, without_marks: int = 0) -> ClassStatistics:
    """All counts over the reports of a class."""
    return ClassStatistics(
        title=title,
        without_marks=without_marks,
        total=total_item(reports),
        parts=with_marks(part_items(reports)),
        steps=with_marks(step_items(reports)),
        mistakes=count_mistakes(reports),
        variants=tuple(variant_results(reports)),
    )


def with_marks(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items that earn something: of the others one cannot say who has nothing and who has all."""
    return tuple(item for item in items if item.possible)


def variant_results(reports: Sequence[Report]) -> Iterator[VariantResult]:
    """Each variant by its code, where people shared them."""
    codes = Counter(report.variant for report in reports)
    if len(codes) < 2 or len(codes) * 2 > len(reports):
        return
    for code in sorted(codes):
        own = [report for report in reports if report.variant == code]
        yield VariantResult(code, total_item(own), with_marks(part_items(own)), count_mistakes(own))


def total_item(reports: Sequence[Report]) -> Item:
    """The whole exercise."""
    possible = max((report.possible for report in reports), default=Fraction(0))
    return Item("", "", possible, tuple(report.earned for report in reports))


def part_items(reports: Sequence[Report]) -> tuple[Item, ...]:
    """Each part, in the order of the exercise; a total that a person gave is what it earned."""
    made = []
    for part, own in reports_by_part(reports).items():
        inside = [[step for step in report.steps if step.part == part] for report in own]
        earned = [
            None if any(step.waits for step in steps) else report.earned_in(part)
            for report, steps in zip(own, inside, strict=True)
        ]
        made.append(item(part, "", inside, earned, own))
    return tuple(made)


def reports_by_part(reports: Sequence[Report]) -> dict[str, list[Report]]:
    """The reports of those who had each part, which is not everybody where there is a pool of exercises."""
    found: dict[str, list[Report]] = {}
    for report in reports:
        for part in dict.fromkeys(step.part for step in report.steps):
            found.setdefault(part, []).append(report)
    if all(len(own) == len(reports) for own in found.values()):
        return found
    return dict(sorted(found.items(), key=lambda pair: exercise_number(pair[0])))


def step_items(reports: Sequence[Report]) -> tuple[Item, ...]:
    """Each step, in the order of the exercise."""
    titles = {step.name: step.title for report in reports for step in report.steps}
    by_part, names = reports_by_part(reports), step_names(reports)
    places = {part: place for place, part in enumerate(by_part)}
    steps = {id(report): {step.name: step for step in report.steps} for report in reports}
    made = []
    for name in sorted(names, key=lambda name: places[name.partition(".")[0]]):
        own = by_part[name.partition(".")[0]]
        inside = [[found[name]] if name in (found := steps[id(report)]) else [] for report in own]
        made.append(item(name, titles[name], inside, list(map(earned_for, inside)), own))
    return tuple(made)


def step_names(reports: Iterable[Report]) -> list[str]:
    """All steps that somebody's report has, in the order of the exercise.

    Values inside a step are there for those only who wrote them: whoever wrote most tells most of the order.
    """
    lists = {tuple(step.name for step in report.steps) for report in reports}
    order: list[str] = []
    for names in sorted(lists, key=lambda names: (-len(names), names)):
        place = 0
        for name in names:
            if name in order:
                place = order.index(name)
            else:
                order.insert(place, name)
            place += 1
    return order


def item(
    name: str,
    title: str,
    inside: Sequence[Sequence[StepReport]],
    earned: Sequence[Fraction | None],
    reports: Sequence[Report],
) -> Item:
    """What everybody earned for some steps."""
    possible = max(sum((step.possible for step in steps), Fraction(0)) for steps in inside)
    totals = [report.earned for report in reports]
    return Item(name, title, possible, tuple(earned), discrimination(earned, possible, totals))


def earned_for(steps: Sequence[StepReport]) -> Fraction | None:
    """The marks of some steps of one person; None where a person has still to mark one."""
    if any(step.waits for step in steps):
        return None
    return sum((step.earned for step in steps), Fraction(0))


def discrimination(
    earned: Sequence[Fraction | None], possible: Fraction, totals: Sequence[Fraction]
) -> Fraction | None:
    """How much more of the marks the upper 27 % of the class earn than the lower 27 %, from -1 to 1.

    Groups go by the marks for everything. Of people with equal marks at the edge of a group none is
    preferred: they belong to it in equal shares.
    """
    ranked = sorted((t, marks) for t, marks in zip(totals, earned, strict=True) if marks is not None)
    if len(ranked) < FEWEST or not possible:
        return None
    upper = mean_of_first(reversed(ranked), GROUP * len(ranked))
    return (upper - mean_of_first(ranked, GROUP * len(ranked))) / possible


def mean_of_first(ranked: Iterable[tuple[Fraction, Fraction]], size: Fraction) -> Fraction:
    """The mean mark of so many people from the start of a ranking by totals."""
    left, sum_of_marks = size, Fraction(0)
    for _, tied in groupby(ranked, key=lambda pair: pair[0]):
        marks = [mark for _, mark in tied]
        taken = min(left, Fraction(len(marks)))
        sum_of_marks += taken * sum(marks, Fraction(0)) / len(marks)
        left -= taken
    return sum_of_marks / size


def count_mistakes(reports: Iterable[Report]) -> tuple[MistakeCount, ...]:
    """Every known mistake by its name, the most frequent first; one person counts once."""
    people: Counter[str] = Counter()
    steps: dict[str, Counter[str]] = {}
    for report in reports:
        people.update({named.name for step in report.steps for named in step.mistakes})
        for step in report.steps:
            for name in {named.name for named in step.mistakes}:
                steps.setdefault(name, Counter())[step.name] += 1
    ranked = sorted(people.items(), key=lambda item: (-item[1], item[0]))
    return tuple(MistakeCount(name, count, tuple(steps[name].most_common())) for name, count in ranked)


def mean(marks: Sequence[Fraction]) -> Fraction | None:
    """The mean, if there is anything."""
    return sum(marks, Fraction(0)) / len(marks) if marks else None


def squares(marks: Sequence[Fraction]) -> Fraction:
    """The sum of the squared distances from the mean."""
    middle = mean(marks) or Fraction(0)
    return sum(((one - middle) ** 2 for one in marks), Fraction(0))
