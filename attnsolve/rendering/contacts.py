"""The contact sheet: the variants at the edges with their givens; if these will do, all will."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from attnsolve.exact import Rationals, Rounded
from attnsolve.languages import message
from attnsolve.ops import Family
from attnsolve.papers import Paper
from attnsolve.problem import Given
from attnsolve.problem_set import Exercise, Solved, exercises_of
from attnsolve.rendering import numerals
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.givens import given_equations
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import notation_for
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Piece, Segments, formula, say
from attnsolve.trace import Step, Trace

# Weights are told apart to so many places.
FINE = 12


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

    paper: Paper
    negatives: int
    fractions: int
    digits: int
    longest: str
    smallest: Weight | None
    largest: Weight | None


def contact_views(papers: Sequence[Paper]) -> tuple[ContactView, ...]:
    """The extremes, each paper once with all that it is extreme in."""
    extents = [extent(paper) for paper in papers]
    reasons: dict[int, list[Segments]] = {}
    for place, why in extremes(extents):
        reasons.setdefault(place, []).append(why)
    varied = varied_givens(papers)
    return tuple(
        ContactView(words(papers[place].code), tuple(why), givens(papers[place].trace, varied))
        for place, why in reasons.items()
    )


def extent(paper: Paper) -> Extent:
    """Measure one paper."""
    traces = exercises_of(paper.trace)
    shown = [given for _, trace in traces for given in trace.problem.givens.values() if given.shown]
    numbers = [x for given in shown for x in rationals(given.value)]
    exact = [x for _, trace in traces for step in trace.steps for x in rationals(step.value)]
    longest = max((str(x) for x in exact), key=digits, default="")
    weights = [
        weight for one, trace in traces for step in trace.steps for weight in weights_of(one, trace, step)
    ]
    return Extent(
        paper=paper,
        negatives=sum(x < 0 for x in numbers),
        fractions=sum(x.denominator > 1 for x in numbers),
        digits=digits(longest),
        longest=longest,
        smallest=min(weights, key=lambda weight: weight.size, default=None),
        largest=max(weights, key=lambda weight: weight.size, default=None),
    )


def rationals(value: object) -> Iterator[Fraction]:
    """The numbers of a matrix of fractions."""
    if isinstance(value, Rationals):
        yield from (value.fraction(i, j) for i in range(value.shape[0]) for j in range(value.shape[1]))


def digits(text: str) -> int:
    """How many digits a person writes for a number."""
    return sum(character.isdigit() for character in text)


def weights_of(exercise: Exercise | None, trace: Trace, step: Step) -> Iterator[Weight]:
    """The attention weights of a step, without those that are 0 or 1 by nature."""
    if step.call.op.family is not Family.NORMALISER:
        return
    for i, row in enumerate(step.value.decimals(FINE)):
        for j, cell in enumerate(row):
            if not (cell.exact and cell.fraction in (0, 1)):
                yield Weight(cell.fraction, exercise, trace, step, i, j)


def extremes(extents: Sequence[Extent]) -> Iterator[tuple[int, Segments]]:
    """(which paper, why) for each edge that there is; the first paper stands for those that are alike."""
    for measure, pick, word in (
        (lambda e: e.paper.effort, min, message("least work: {number}")),
        (lambda e: e.paper.effort, max, message("most work: {number}")),
        (lambda e: e.negatives, max, message("most negative numbers among the givens: {number}")),
        (lambda e: e.fractions, max, message("most fractions among the givens: {number}")),
    ):
        place, found = edge(extents, measure, pick)
        if found:
            yield place, say(word, number=found)
    place, found = edge(extents, lambda e: e.digits, max)
    if found:
        yield place, say("longest exact number: {number}", number=extents[place].longest.replace("-", "−"))
    for name, pick, word in (
        ("smallest", min, message("smallest weight: {weight}")),
        ("largest", max, message("largest weight: {weight}")),
    ):
        found_in = [(getattr(e, name).size, place) for place, e in enumerate(extents) if getattr(e, name)]
        if found_in:
            place = pick(found_in, key=lambda pair: pair[0])[1]
            yield place, weight_said(word, getattr(extents[place], name))


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
    notation = notation_for(problem, part, Settings())
    rounded: Rounded = weight.step.value.cell(weight.row, weight.column).decimals(problem.places)
    place = notation.entry(weight.step.call.out, weight.row, weight.column)
    shown: Piece = formula(f"{place} {numerals.told(rounded)}")
    if weight.exercise is not None:
        shown = say("{weight} in part ({part})", weight=shown, part=weight.exercise.label(part.id))
    elif problem.parts[1:]:
        shown = say("{weight} in part ({part})", weight=shown, part=part.id)
    return say(word, weight=shown)


def varied_givens(papers: Sequence[Paper]) -> frozenset[tuple[int, str]]:
    """The givens that are not the same in all papers; all of them when there is nothing to compare."""
    every = [givens_of(paper.trace) for paper in papers]
    first: dict[tuple[int, str], Given] = {}
    for own in every:
        first = own | first
    varied = {
        name
        for name, given in first.items()
        if any(name not in other or other[name].value.same(given.value) is not True for other in every)
    }
    return frozenset(varied or first)


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
            notation: Notation = notation_for(problem, part, Settings())
            for name in part.givens:
                key = exercise.identity if exercise else 0, name
                if key in varied and name in problem.givens and key not in made:
                    made[key] = given_equations(name, notation)
    return tuple(chain(*made.values()))
