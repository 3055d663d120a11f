"""The contact sheet: the variants at the edges with their givens; if these will do, all will."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd
from operator import attrgetter
from typing import NamedTuple

from attnsolve.exact import Rationals, Rounded
from attnsolve.exact.masked import shown
from attnsolve.languages import message
from attnsolve.ops import Family
from attnsolve.papers import Paper, Passed
from attnsolve.problem import Given
from attnsolve.problem_set import Exercise, Solved, exercises_of
from attnsolve.rendering import numerals
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.givens import given_equations
from attnsolve.rendering.pages import plain_notation
from attnsolve.rendering.text import Piece, Segments, formula, say
from attnsolve.trace import Step, Trace

# Weights are told apart to so many places.
FINE = 12
# So many papers are measured before those that are at no edge are forgotten.
MOST_MEASURED = 50
# What is counted in a paper, and what is weighed: which is at the edge, and what is said about it.
COUNTED = (
    (attrgetter("effort"), min, message("least work: {number}")),
    (attrgetter("effort"), max, message("most work: {number}")),
    (attrgetter("negatives"), max, message("most negative numbers among the givens: {number}")),
    (attrgetter("fractions"), max, message("most fractions among the givens: {number}")),
)
WEIGHED = (
    ("smallest", min, message("smallest weight: {weight}")),
    ("largest", max, message("largest weight: {weight}")),
)


class ContactView(NamedTuple):
    """One variant at an edge: why it is here, and its numbers."""

    code: Words
    why: tuple[Segments, ...]
    givens: tuple[str, ...]


class Weight(NamedTuple):
    """An attention weight with its place."""

    size: Fraction
    exercise: Exercise | None
    trace: Trace
    step: Step
    row: int
    column: int


class Extent(NamedTuple):
    """What of one paper is compared with the others."""

    passed: Passed
    effort: int
    negatives: int
    fractions: int
    digits: int
    longest: str
    smallest: Fraction | None  # weight
    largest: Fraction | None


class Contacts:
    """The papers at the edges of those that have gone by, and what varies among all of them."""

    def __init__(self, papers: Iterable[Paper] = ()) -> None:
        self._extents: list[Extent] = []
        self._first: dict[tuple[int, str], Given] = {}
        self._varied: set[tuple[int, str]] = set()
        for paper in papers:
            self.add(paper)

    def add(self, paper: Paper) -> None:
        """One more paper, which is forgotten again unless it is at an edge."""
        self._compare(givens_of(paper.trace))
        self._extents.append(extent(paper))
        if len(self._extents) > MOST_MEASURED:
            self._forget()

    def join(self, others: Contacts) -> None:
        """The papers that went by elsewhere, after these."""
        self._compare(others._first)
        self._varied |= others._varied
        self._extents += others._extents
        if len(self._extents) > MOST_MEASURED:
            self._forget()

    def _compare(self, own: Mapping[tuple[int, str], Given]) -> None:
        """See which givens are not what they are in all papers so far."""
        new = own.keys() - self._first.keys()
        self._varied |= new if self._extents else set()
        self._first |= {name: own[name] for name in new}
        for name in self._first.keys() - self._varied:
            if name not in own or own[name].value.same(self._first[name].value) is not True:
                self._varied.add(name)

    def _forget(self) -> None:
        self._extents = [self._extents[place] for place in sorted(set(at_edges(self._extents)))]

    def forget_solutions(self) -> None:
        """Keep of papers what other processes are told; the others are found again by their codes."""
        self._forget()
        self._extents = [one._replace(passed=one.passed.unsolved()) for one in self._extents]

    def recall(self, paper_of: Callable[[str], Paper]) -> None:
        """Have the solutions again of those at the edges."""
        self._forget()
        self._extents = [one._replace(passed=one.passed.recalled(paper_of)) for one in self._extents]

    def views(self) -> tuple[ContactView, ...]:
        """The extremes, each paper once with all that it is extreme in."""
        reasons: dict[int, list[Segments]] = {}
        for place, why in extremes(self._extents):
            reasons.setdefault(place, []).append(why)
        varied = frozenset(self._varied or self._first)  # all of them when there is nothing to compare
        papers = [one.passed for one in self._extents]
        return tuple(
            ContactView(words(papers[place].code), tuple(why), givens(papers[place].trace, varied))
            for place, why in reasons.items()
        )


def at_edges(extents: Sequence[Extent]) -> Iterator[int]:
    """The papers that no others can take the place of, whatever comes after them."""
    for measure, pick in (*((measure, pick) for measure, pick, _ in COUNTED), (attrgetter("digits"), max)):
        yield edge(extents, measure, pick)[0]
    for name, pick, _ in WEIGHED:
        yield from (place for place, _ in weighed(extents, name, pick))


def extent(paper: Paper) -> Extent:
    """Measure one paper."""
    traces = exercises_of(paper.trace)
    typed = [given for _, trace in traces for given in trace.problem.givens.values() if given.shown]
    numbers = [ratio for given in typed for ratio in ratios(given.value)]
    exact = [ratio for _, trace in traces for step in trace.steps for ratio in ratios(step.value)]
    texts = [str(top) if bottom == 1 else f"{top}/{bottom}" for top, bottom in exact]
    longest = max(texts, key=digits, default="")
    sizes = [weight.size for weight in weights_in(paper.trace)]
    return Extent(
        passed=Passed(paper.code, paper),
        effort=paper.effort,
        negatives=sum([top < 0 for top, _ in numbers]),
        fractions=sum([bottom > 1 for _, bottom in numbers]),
        digits=digits(longest),
        longest=longest,
        smallest=min(sizes, default=None),
        largest=max(sizes, default=None),
    )


def ratios(value: object) -> Iterator[tuple[int, int]]:
    """The numbers of a matrix of fractions in lowest terms."""
    if isinstance(value, Rationals):
        below = value.denominator
        for x in chain(*value.rows):
            common = gcd(x, below)
            yield x // common, below // common


def digits(text: str) -> int:
    """How many digits a person writes for a fraction."""
    return len(text) - text.count("-") - text.count("/")


def weights_in(solved: Solved) -> Iterator[Weight]:
    """The attention weights of a paper."""
    for one, trace in exercises_of(solved):
        for step in trace.steps:
            yield from weights_of(one, trace, step)


def weights_of(exercise: Exercise | None, trace: Trace, step: Step) -> Iterator[Weight]:
    """The attention weights of a step, without those that are 0 or 1 by nature; formulas have no size."""
    if step.call.op.family is not Family.NORMALISER or shown(step.value).kind == "formula":
        return
    for i, row in enumerate(step.value.decimals(FINE)):
        for j, cell in enumerate(row):
            if not (cell.exact and cell.fraction in (0, 1)):
                yield Weight(cell.fraction, exercise, trace, step, i, j)


def extremes(extents: Sequence[Extent]) -> Iterator[tuple[int, Segments]]:
    """(which paper, why) for each edge that there is; the first paper stands for those that are alike."""
    for measure, pick, word in COUNTED:
        place, found = edge(extents, measure, pick)
        if found:
            yield place, say(word, number=found)
    place, found = edge(extents, attrgetter("digits"), max)
    if found:
        yield place, say("longest exact number: {number}", number=extents[place].longest.replace("-", "−"))
    for name, pick, word in WEIGHED:
        for place, size in weighed(extents, name, pick):
            weights = weights_in(extents[place].passed.trace)
            yield place, weight_said(word, next(weight for weight in weights if weight.size == size))


def weighed(extents: Sequence[Extent], name: str, pick: Callable[..., int]) -> Iterator[tuple[int, Fraction]]:
    """The first paper with the smallest or the largest weight of all, if any has weights."""
    found = [place for place, one in enumerate(extents) if getattr(one, name) is not None]
    if found:
        place = pick(found, key=lambda place: getattr(extents[place], name))
        yield place, getattr(extents[place], name)


def edge(
    extents: Sequence[Extent], measure: Callable[[Extent], int], pick: Callable[..., int]
) -> tuple[int, int]:
    """The first paper that has the least, or the most, of something, and how much that is."""
    sizes = [measure(one) for one in extents]
    found = pick(sizes, default=0)
    return (sizes.index(found) if sizes else 0), found


def weight_said(word: str, weight: Weight) -> Segments:
    """`smallest weight: A_{1,2} ≈ 0.0123 in part (b)`."""
    problem = weight.trace.problem
    part = next(part for part in problem.parts if part.id == weight.step.call.part)
    notation = plain_notation(problem, part)
    rounded: Rounded = weight.step.value.cell(weight.row, weight.column).decimals(problem.places)
    place = notation.entry(weight.step.call.out, weight.row, weight.column)
    shown: Piece = formula(f"{place} {numerals.told(rounded)}")
    if weight.exercise is not None:
        shown = say("{weight} in part ({part})", weight=shown, part=weight.exercise.label(part.id))
    elif problem.parts[1:]:
        shown = say("{weight} in part ({part})", weight=shown, part=part.id)
    return say(word, weight=shown)


def givens_of(solved: Solved) -> dict[tuple[int, str], Given]:
    """All givens, by their exercise in the sheet (0 where there is only a problem) and their name."""
    return {
        (exercise.identity if exercise else 0, name): given
        for exercise, trace in exercises_of(solved)
        for name, given in trace.problem.givens.items()
    }


def givens(solved: Solved, varied: frozenset[tuple[int, str]]) -> tuple[str, ...]:
    """The varied givens of a paper as short equations."""
    made: dict[tuple[int, str], tuple[str, ...]] = {}
    for exercise, trace in exercises_of(solved):
        problem = trace.problem
        for part in problem.parts:
            notation = plain_notation(problem, part)
            for name in part.givens:
                key = exercise.identity if exercise else 0, name
                if key in varied and name in problem.givens and key not in made:
                    made[key] = given_equations(name, notation)
    return tuple(chain(*made.values()))
