"""Answers to what a part asks about letters: limits, solutions and trends, sorted and judged."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from attnsolve.assumptions import Approach, Result
from attnsolve.claims.letter_claims import Change, LetterJudge, approach_of, change_of, subject_of
from attnsolve.claims.letter_expected import expected_change, expected_limit, expected_solution
from attnsolve.claims.letter_solutions import Handed, SolutionJudge, question, value_of
from attnsolve.claims.letter_wanted import Moving, changing, with_limits
from attnsolve.derivations.entry_results import Results, results_of
from attnsolve.problem import Part
from attnsolve.statements.answers import extent, solutions
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.tokens import LETTERS
from attnsolve.statements.tree import Name, Tree, with_euler
from attnsolve.trace import Trace

ALL, NOTHING = Fraction(1), Fraction(0)
VALUES = (Relation.EQUAL, Relation.ABOUT)


@dataclass(frozen=True, slots=True)
class Found:
    """How much of a result is stated; what was written for it, what of it is wrong, and what is right."""

    share: Fraction = NOTHING
    texts: tuple[str, ...] = ()
    wrong: str = ""
    expected: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """A claim about one number: its name, what the claim is worth, where it stands, and what is right."""

    subject: Tree
    share: Fraction | None
    text: str
    expected: str


@dataclass(eq=False)
class Said:
    """What one person says about the letters of a part."""

    limits: dict[Approach, list[About]] = field(default_factory=dict)
    changes: dict[Name, list[About]] = field(default_factory=dict)
    solutions: list[Handed] = field(default_factory=list)


class LetterQuestions:
    """What a part asks about letters, worked out once for all who answer it."""

    def __init__(self, trace: Trace, part: Part) -> None:
        assert part.entries is not None and trace.problem.assumptions is not None
        self.asked = part.entries
        self.results: Results = results_of(trace, part)
        self.judge = LetterJudge(self.results, trace.problem.assumptions)

    @cached_property
    def solver(self) -> SolutionJudge:
        """Every equation and inequality with its solutions."""
        return SolutionJudge(self.results, [question(self.results, one) for one in self.asked.solve])

    @cached_property
    def tending(self) -> dict[Approach, list[list[Moving]]]:
        """The numbers that have limits, result by result: those of one result are enough."""
        return {one: list(with_limits(self.results, one)) for one in self.asked.limits}

    @cached_property
    def changing(self) -> dict[Name, list[list[Moving]]]:
        """The numbers whose trend is asked for."""
        return {one: [list(changing(self.results, one))] for one in self.asked.monotony}

    def prepare(self) -> None:
        """Work everything out beforehand, so that nobody's time is spent on it."""
        _ = self.solver, self.tending, self.changing

    def said(self) -> Said:
        """A sheet on which nothing is written yet."""
        return Said(solutions=[Handed(one) for one in self.solver.questions])

    def take_line(self, text: str, said: Said, known: Collection[str]) -> bool:
        """Whether a line says what solves something; it is taken down then."""
        for variable in dict.fromkeys(one.variable for one in self.asked.solve):
            letter = variable.name
            spelled = re.sub(rf"\\{letter}(?![A-Za-z])", letter, text)
            for sign, name in LETTERS.items():
                spelled = spelled.replace(sign, name) if name == letter else spelled
            everything = extent(spelled, letter)
            if everything is not None:
                handed = self.solver.meant(everything, variable, said.solutions)
                if handed is not None:
                    handed.add(everything, text)
                return True
            if re.match(rf"\s*\$?\s*{letter}(?![A-Za-z])", spelled):
                pieces = [statements(piece, known) for piece in solutions(spelled, letter)]
                claims = [claim for piece in pieces for claim in chained(piece) if claim.left == variable]
                return all([self._take_value(claim, variable, text, said) for claim in claims])
        return False

    def _take_value(self, claim: Statement, variable: Name, text: str, said: Said) -> bool:
        """Take down `t = …` or `t > …`."""
        relation = Relation.EQUAL if claim.relation in VALUES else claim.relation
        value = value_of(relation, self.judge.value(with_euler(claim.right)), text)
        handed = self.solver.meant(value, variable, said.solutions)
        if handed is not None and (relation is Relation.EQUAL or relation.is_order):
            handed.add(value, text)
        return handed is not None

    def take(self, claim: Statement, said: Said) -> bool:
        """Whether a claim answers something that is asked; it is taken down then."""
        approach = approach_of(claim)
        if approach is not None and approach in self.asked.limits:
            name = self.results.named(subject_of(claim))
            if not isinstance(name, Name) or claim.relation not in (*VALUES, Relation.TENDS):
                return False
            right = expected_limit(self.results, name, approach)
            about = About(name, self.judge.limit(claim), claim.text, right)
            said.limits.setdefault(approach, []).append(about)
            return True
        change = change_of(claim)
        if change is not None and change.variable in self.asked.monotony:
            return self._take_change(change, claim.text, said)
        return self._take_condition(claim, said)

    def _take_change(self, change: Change, text: str, said: Said) -> bool:
        name = self.results.named(change.subject)
        if not isinstance(name, Name):
            return False
        right = expected_change(self.results, name, change)
        about = About(name, self.judge.change(change), text, right)
        said.changes.setdefault(change.variable, []).append(about)
        return True

    def _take_condition(self, claim: Statement, said: Said) -> bool:
        """`alpha_2 = 1/4 for t = …`, where that is what was to be solved."""
        sides = self.results.statement(claim)
        for handed in said.solutions:
            wanted = handed.question.wanted
            if not any(is_same_statement(sides, one) for one in wanted):
                continue
            for condition in claim.conditions:
                if condition.variable == handed.question.variable and condition.values:
                    tree = self.judge.value(with_euler(condition.values[0]))
                    value = value_of(condition.relation, tree, claim.text)
                    handed.add(replace(value, is_aside=len(wanted) > 1), claim.text)
                    return True
        return False

    def found(self, name: str, said: Said) -> Found:
        """What becomes of a result: its marks are shared by all that has to be stated for it."""
        if name == Result.LIMIT:
            parts = [stated(ways, said.limits.get(one, [])) for one, ways in self.tending.items()]
        elif name == Result.MONOTONY:
            parts = [stated(ways, said.changes.get(one, [])) for one, ways in self.changing.items()]
        else:
            parts = [self._solved(handed) for handed in said.solutions]
        wrong = next((one for one in parts if one.wrong), Found())
        return Found(
            sum((one.share for one in parts), NOTHING) / max(1, len(parts)),
            tuple(text for one in parts for text in one.texts),
            wrong.wrong,
            wrong.expected,
            any(one.is_open for one in parts),
        )

    def _solved(self, handed: Handed) -> Found:
        """What becomes of one equation or inequality."""
        share, is_wrong, is_open = self.solver.share(handed)
        texts = tuple(handed.texts)
        right = expected_solution(handed.question) if is_wrong else ""
        return Found(share, texts, texts[-1] if is_wrong else "", right, is_open)


def is_same_statement(one: Statement, other: Statement) -> bool:
    """Whether two statements say the same, perhaps from the other side."""
    if (one.left, one.relation, one.right) == (other.left, other.relation, other.right):
        return True
    return (one.right, one.relation.turned, one.left) == (other.left, other.relation, other.right)


def stated(ways: Sequence[Sequence[Moving]], claims: Sequence[About]) -> Found:
    """The way on which most is stated; what is wrong beside it costs as much as one thing that is wanted."""
    texts = tuple(dict.fromkeys(claim.text for claim in claims))
    wrong = [claim for claim in claims if claim.share is not None and claim.share < ALL]
    best = NOTHING
    for way in ways:
        mine = {name for one in way for name in one.names}
        beside = len({claim.subject for claim in wrong if claim.subject not in mine})
        right = sum((of_number(one, claims) for one in way), NOTHING)
        best = max(best, right / (len(way) + beside))
    first = min(wrong, key=lambda claim: claim.share or NOTHING) if wrong else None
    return Found(
        best,
        texts,
        first.text if first else "",
        first.expected if first else "",
        any(claim.share is None for claim in claims),
    )


def of_number(wanted: Moving, claims: Iterable[About]) -> Fraction:
    """What the claims about a number are worth: whoever states two things has what the worse is worth."""
    shares = [claim.share or NOTHING for claim in claims if claim.subject in wanted.names]
    return min(shares, default=NOTHING)


def chained(claims: Sequence[Statement]) -> Iterator[Statement]:
    """The links of chains; `t = ln 3 ≈ 1.0986` says of t what it says of ln 3."""
    first, before = None, None
    for claim in claims:
        goes_on = before is not None and claim.left == before.right and before.relation in VALUES
        first = first if goes_on else claim
        before = claim
        if first is not None and first is not claim:
            yield replace(claim, left=first.left)
        if not goes_on or isinstance(claim.left, Name):
            yield claim
