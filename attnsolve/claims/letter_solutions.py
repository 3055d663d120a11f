"""Solutions that somebody hands in for equations and inequalities: all of them, some, a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from attnsolve.assumptions import Equations, Inequality
from attnsolve.claims.examples import FAILS, search
from attnsolve.derivations import equations, thresholds
from attnsolve.derivations.derivation import Outcome
from attnsolve.derivations.entry_results import Results
from attnsolve.derivations.numbers import at
from attnsolve.errors import AttnsolveError
from attnsolve.exact.formulas.letters import Letters
from attnsolve.statements.answers import Extent
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.tree import Name, Number, Tree, minus, names, negative, number

ALL, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)
DECIMAL = re.compile(r"\d*\.(\d+)")
FEWEST_PLACES = 2  # of a decimal that is taken for a solution


@dataclass(frozen=True, eq=False)
class Value:
    """`t = 1.25`: what a letter is said to be, or to lie beyond."""

    relation: Relation
    tree: Tree
    places: int | None = None  # of a decimal, which stands for all that round to it
    is_aside: bool = False  # said of one of several equations


@dataclass(frozen=True, eq=False)
class Question:
    """What is to be solved, and all that solves it."""

    variable: Name
    wanted: tuple[Statement, ...]  # with results by the names that they are kept under
    roots: tuple[Tree, ...] | None = None  # None where not all could be found
    of_first: tuple[Tree, ...] = ()  # what solves the first of several equations
    bound: Value | None = None  # of an inequality
    extent: Extent | None = None  # where nothing solves it, or everything

    @property
    def is_order(self) -> bool:
        """Whether it is an inequality."""
        return self.wanted[0].relation.is_order

    @property
    def is_open(self) -> bool:
        """Whether no closed form was found, so that nobody can tell what all solutions are."""
        return self.roots is None and self.bound is None and self.extent is None


def question(results: Results, asked: Equations | Inequality) -> Question:
    """An equation or inequality with its solutions."""
    if isinstance(asked, Inequality):
        return of_inequality(results, asked)
    wanted = tuple(map(results.statement, asked.wanted))
    found = equations.solved(results, wanted, asked.variable)
    if found.always:
        return Question(asked.variable, wanted, extent=Extent.EVERYTHING)
    if found.common is None:
        return Question(asked.variable, wanted)
    values, of_first = (tuple(root.value for root in roots) for roots in (found.common, found.roots))
    return Question(asked.variable, wanted, values, of_first, extent=None if values else Extent.NOTHING)


def of_inequality(results: Results, asked: Inequality) -> Question:
    """An inequality with its threshold."""
    wanted = results.statement(asked.wanted)
    left, right = results.scalar(wanted.left), results.scalar(wanted.right)
    found = thresholds.solve(results, left, wanted.relation, right, asked.variable)
    extents = {Outcome.ALWAYS: Extent.EVERYTHING, Outcome.NEVER: Extent.NOTHING}
    bound = None if found.threshold is None else Value(found.threshold.relation, found.threshold.bound)
    return Question(asked.variable, (wanted,), bound=bound, extent=extents.get(found.outcome))


def value_of(relation: Relation, tree: Tree, text: str) -> Value:
    """A value with the places that it was written to, where it is a decimal."""
    size = abs(tree.value) if isinstance(tree, Number) else None
    fitting = [len(one[1]) for one in DECIMAL.finditer(text) if Fraction(one[0]) == size]
    return Value(relation, tree, fitting[0] if fitting else None)


def is_same(letters: Letters, said: Value, value: Tree) -> bool | None:
    """Whether a value is meant, or what it rounds to; None where nobody can tell."""
    try:
        if said.places is not None and not names(value):
            return is_rounded(said, value)
        if letters.same(said.tree, value):
            return True
        return None if search(said.tree, value, letters, FAILS[Relation.EQUAL]) is None else False
    except AttnsolveError:
        return None


def is_rounded(said: Value, value: Tree) -> bool | None:
    """Whether a number rounds to a decimal, or is cut off to it."""
    assert isinstance(said.tree, Number) and said.places is not None
    unit = Fraction(1, 10**said.places)
    size = value if said.tree.value >= 0 else negative(value)
    above = minus(size, number(abs(said.tree.value) - unit / 2))
    below = minus(number(abs(said.tree.value) + unit), size)
    if min(at(above, {}).sign(), at(below, {}).sign()) < 0:
        return False
    return True if said.places >= FEWEST_PLACES or at(minus(value, said.tree), {}).sign() == 0 else None


class Earned(NamedTuple):
    """How much of a question is answered; whether something is wrong, and whether a person has to look."""

    share: Fraction
    is_wrong: bool = False
    is_open: bool = False


@dataclass(eq=False)
class Handed:
    """What one person says for one question."""

    question: Question
    values: list[Value] = field(default_factory=list)
    extents: list[Extent] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, said: Value | Extent, text: str) -> None:
        """Take down what was said, and the line it stands in."""
        if isinstance(said, Extent):
            self.extents.append(said)
        else:
            self.values.append(said)
        self.texts.append(text)

    @property
    def is_answered(self) -> bool:
        """Whether anything was said for it."""
        return bool(self.values or self.extents)


class SolutionJudge:
    """Which questions somebody's solutions are for, and how much they are worth."""

    def __init__(self, results: Results, questions: Sequence[Question]) -> None:
        self.results, self.questions = results, tuple(questions)

    def fits(self, asked: Question, said: Value) -> bool | None:
        """Whether a value is among the solutions of a question, or is its bound."""
        letters = self.results.letters
        if asked.is_order != said.relation.is_order:
            return False
        if asked.is_order:
            return None if asked.bound is None else is_same(letters, said, asked.bound.tree)
        if asked.is_open:
            return None if self.solves(asked, said) is not False else False
        found = [is_same(letters, said, root) for root in (*(asked.roots or ()), *asked.of_first)]
        return True if True in found else None if None in found else False

    def solves(self, asked: Question, said: Value) -> bool | None:
        """Whether a value solves the equations of a question."""
        if said.places is not None:
            return None
        letters, scalar = self.results.letters, self.results.scalar
        differences = [scalar(minus(one.left, one.right)) for one in asked.wanted]
        try:
            return all(
                equations.is_zero_at(letters, one, asked.variable, said.tree) for one in differences
            )
        except AttnsolveError:
            return None

    def meant(self, said: Value | Extent, variable: Name, sheet: Sequence[Handed]) -> Handed | None:
        """The question that something answers: one that it solves, else the first without an answer."""
        possible = [one for one in sheet if one.question.variable == variable]
        if isinstance(said, Extent):
            fitting = [one for one in possible if one.question.extent is said]
        else:
            possible = [one for one in possible if one.question.is_order == said.relation.is_order]
            found = [(one, self.fits(one.question, said)) for one in possible]
            fitting = [one for one, fits in found if fits] or [one for one, fits in found if fits is None]
        waiting = [one for one in possible if not one.is_answered] or possible
        return next(iter([one for one in fitting if not one.is_answered] or fitting or waiting), None)

    def share(self, handed: Handed) -> Earned:
        """How much is answered rightly: each solution counts alike, and a wrong one takes one away."""
        asked = handed.question
        if asked.is_order:
            return self._of_bound(handed)
        right, on_the_way = set[int](), set[int]()
        wrong, is_open = 0, asked.is_open and bool(handed.extents)
        for said in handed.values:
            found = [is_same(self.results.letters, said, root) for root in asked.roots or ()]
            first = [is_same(self.results.letters, said, root) for root in asked.of_first]
            if True in found:
                right.add(found.index(True))
            elif True in first and (said.is_aside or not asked.roots):
                on_the_way.add(first.index(True))
            elif None in (*found, *first) or (asked.is_open and self.solves(asked, said) is not False):
                is_open = True
            else:
                wrong += 1
        wrong += sum(one is not asked.extent for one in handed.extents if not asked.is_open)
        if asked.extent in handed.extents:
            share = NOTHING if wrong else ALL
        elif asked.roots:
            share = max(NOTHING, Fraction(len(right) - wrong, len(asked.roots)))
        else:  # what solves the first of several equations, without saying that it does not solve the others
            is_half = bool(on_the_way) and len(on_the_way) == len(asked.of_first)
            share = HALF if is_half and not wrong else NOTHING
        return Earned(share, bool(wrong), is_open)

    def _of_bound(self, handed: Handed) -> Earned:
        """All for the exact bound, half where only whether it is reached is wrong; the worst of several."""
        asked, shares = handed.question, list[Fraction]()
        is_open = asked.is_open and handed.is_answered
        shares += [ALL * (extent is asked.extent) for extent in handed.extents]
        for said in handed.values:
            same = asked.bound is not None and is_same(self.results.letters, said, asked.bound.tree)
            is_open = is_open or same is None
            worth = NOTHING
            if same and asked.bound is not None:
                worth = compared(said.relation, asked.bound.relation)
            shares.append(worth)
        share = NOTHING if is_open else min(shares, default=NOTHING)
        return Earned(share, bool(shares) and share < ALL and not is_open, is_open)


def compared(said: Relation, wanted: Relation) -> Fraction:
    """What an inequality with the right bound is worth: half where only whether it is reached is wrong."""
    upward = (Relation.GREATER, Relation.AT_LEAST)
    return NOTHING if (said in upward) is not (wanted in upward) else ALL if said is wanted else HALF


def right_ones(asked: Question) -> Iterator[tuple[Relation, Tree]]:
    """What solves a question, as far as it is known."""
    for root in asked.roots or ():
        yield Relation.EQUAL, root
    if asked.bound is not None:
        yield asked.bound.relation, asked.bound.tree

