"""Whether the numbers of a variant tell mistakes apart: from the right answer, and from one another.

A mistake is carried out on balls: two answers count as different only when some asked number is proven to
differ by more than one unit of the asked precision. Which calls a mistake changes follows from the form
alone, so that is found once; for each variant only those calls are carried out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

from attnsolve.errors import AttnsolveError, ShapeError, Undecided, UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.masked import Masked
from attnsolve.exact.precision import LADDER, precision
from attnsolve.problem import Call, Problem
from attnsolve.reasons import Reason, reason
from attnsolve.trace import Step, Trace
from attnsolve.variants.answers import Answer, asked, told_apart
from attnsolve.variants.first_rows import FirstRows, alike_among, are_told_apart
from attnsolve.variants.forms import values_along
from attnsolve.variants.lineups import RIGHT, Lineup, Suspect, lineup_of
from attnsolve.variants.rough import Rough, seen_rows
from attnsolve.variants.stacking import Row

SELDOM = 2  # a pair that not even so many of a sample tell apart would be looked for in vain
Values = Mapping[str, Matrix]
Made = dict[tuple[int, ...], Matrix]  # results by call and inputs, which it keeps alive


class Clash(NamedTuple):
    """Two ways to do a part that give the same answer; the first may be the right one."""

    part: str
    first: str
    second: str

    @property
    def reason(self) -> Reason:
        """That no numbers tell them apart."""
        if self.first == RIGHT:
            return reason(
                "part {part}: {mistake} gives the same as the right answer",
                part=self.part,
                mistake=self.second,
            )
        return reason(
            "part {part}: {mistake} gives the same as {other}",
            part=self.part,
            mistake=self.second,
            other=self.first,
        )

    def __str__(self) -> str:
        return str(self.reason)


class Separation:
    """All lineups of a problem, and which pairs its form cannot tell apart."""

    def __init__(
        self, problem: Problem, *, allowed: Mapping[str, Container[str]] | None = None, generation: int = 1
    ) -> None:
        self.problem = problem
        known: dict[str, list[Call]] = {}
        self.lineups = tuple(
            lineup_of(problem, part, known, generation)
            for part in problem.parts
            if part.calls and "mistakes" not in (allowed or {}).get(part.id, ())
        )
        self._first_rows = FirstRows(())
        self.by_form: frozenset[Clash] = frozenset()
        self.often = False  # whether clashes are so common that it pays to look for them with floats first
        self.unseen: frozenset[Clash] = frozenset()  # those of the next that are worth telling
        self.never_seen: frozenset[Clash] = frozenset()  # mistakes that never show, whatever the numbers

    def learn(self, traces: Iterable[Trace], *, more: Iterable[Values] = ()) -> None:
        """What clashes in nearly every variant of a sample does so by the form; it is not asked for again.

        A sample of traces is small, so such pairs are looked for in `more` rough values too. What hardly
        any numbers tell apart, such as where an ε of 10^-5 stands, is told to the reader instead.
        """
        sample = list(traces)
        found = [self.clashes(trace) for trace in sample]
        times = Counter(clash for clashes in found for clash in clashes)
        always = frozenset(clash for clash, count in times.items() if count > len(found) - SELDOM)
        apart: Counter[Clash] = Counter()
        for values in more if always else ():
            with suppress(AttnsolveError, ArithmeticError):
                apart.update(self._told_apart(values, always))
        always = frozenset(clash for clash in always if apart[clash] < SELDOM)
        self.often = len([1 for clashes in found if clashes - always]) * 4 > len(found)
        self.never_seen = frozenset(clash for clash in always if clash.first == RIGHT)
        idle = {(clash.part, clash.second) for clash in self.never_seen}
        self.by_form = frozenset(
            clash for clash in always if not {(clash.part, clash.first), (clash.part, clash.second)} & idle
        )
        self.unseen = frozenset(clash for clash in self.never_seen if self._could_be_made(clash, sample[0]))
        # Of two that are always alike one is enough: what it clashes with, the other does too.
        idle |= {(clash.part, clash.second) for clash in self.by_form} | self._misfits(sample[0])
        self.lineups = tuple(lineup.without(idle) for lineup in self.lineups)
        self._first_rows = self._telling_first_rows(sample)

    def _telling_first_rows(self, sample: Sequence[Trace]) -> FirstRows:
        """The first rows of every part where they are enough for at least half of a sample."""
        whole = [lineup for lineup in self.lineups if lineup.targets[-1].row is None]
        calls = tuple(self.problem.calls())
        first_rows = FirstRows(whole if self.problem.rounding is None else (), calls=calls)
        places, times = 10**self.problem.places, Counter[str]()
        with precision(LADDER[0]):
            for trace in sample:
                rows = first_rows.answers(exact_values(trace))
                times.update(part for part, own in rows.items() if are_told_apart(own, places))
        telling = [lineup for lineup in whole if 2 * times[lineup.part] >= len(sample)]
        return FirstRows(telling, calls=calls)

    def _misfits(self, trace: Trace) -> set[tuple[str, str]]:
        """Mistakes whose matrices do not fit together, whatever their numbers."""
        values, made, found = exact_values(trace), Made(), set()
        with precision(LADDER[0]):
            balls = {name: seen(value) for name, value in values.items()}
            for part, suspect in ((lineup.part, one) for lineup in self.lineups for one in lineup.suspects):
                try:
                    self._carried_out(suspect, balls, values, made)
                except ShapeError:
                    found.add((part, suspect.name))
                except (AttnsolveError, ArithmeticError):
                    continue  # which depends on the numbers
        return found

    def _could_be_made(self, clash: Clash, trace: Trace) -> bool:
        """Whether a mistake that never shows is one at all here: without a bias nobody can forget it."""
        lineup = next(lineup for lineup in self.lineups if lineup.part == clash.part)
        call = next(suspect for suspect in lineup.suspects if suspect.name == clash.second).calls[0]
        right = {step.call.out: step for step in trace.steps}.get(call.out)
        if right is None or (right.call.args, right.call.options) != (call.args, call.options):
            return True
        with suppress(AttnsolveError):
            return call.op.rule(*right.inputs, **call.options).same(right.value) is not True
        return False

    def looks_hopeless(self, values: Values) -> bool:
        """Whether floats already show two answers that are alike; they are never asked for more than that."""
        try:
            known = self._followed(values)
        except (AttnsolveError, ArithmeticError):
            return False
        return any(True for _ in self._all_clashes(known))

    def _told_apart(self, values: Values, pairs: frozenset[Clash]) -> frozenset[Clash]:
        """Those of some pairs that rough values tell apart."""
        known, made = self._followed(values), Made()
        places, apart = 10**self.problem.places, set()
        for lineup in self.lineups:
            own = [pair for pair in pairs if pair.part == lineup.part]
            wanted = lineup.only({name for pair in own for name in (pair.first, pair.second)})
            answers = dict(self._answers(wanted, known, (known, known), made))
            apart |= {
                pair
                for pair in own
                if {pair.first, pair.second} <= set(answers)
                and told_apart(answers[pair.first], answers[pair.second], places)
            }
        return frozenset(apart)

    def _followed(self, values: Values) -> Values:
        """Rough givens and all that follows from them."""
        return values_along(tuple(self.problem.calls()), dict(values), problem=self.problem)

    def clashes(self, trace: Trace) -> frozenset[Clash]:
        """Every pair that these numbers do not tell apart, except those that no numbers would."""
        with precision(LADDER[0]):
            return frozenset(self._all_clashes(exact_values(trace), trace.steps))

    def _all_clashes(self, values: Values, steps: Sequence[Step] = ()) -> Iterator[Clash]:
        """The clashes of all parts; what first rows tell apart is not looked at again."""
        rows, places = self._first_rows.answers(values), 10**self.problem.places
        untold = [
            lineup
            for lineup in self.lineups
            if lineup.part not in rows or not are_told_apart(rows[lineup.part], places)
        ]
        if not untold:
            return
        balls = {name: seen(value) for name, value in values.items()}
        # What is rounded on the way is asked for unrounded.
        rounded = [step for step in steps if step.carried is not step.value]
        right = balls | {step.call.out: seen(step.value) for step in rounded}
        start, made = (balls, values), Made()
        for lineup in untold:
            if lineup.part in rows:
                lineup = lineup.only(self._alike(lineup, rows[lineup.part], start, made))
            found = self._clashes(lineup, right, start, made)
            yield from (clash for clash in found if clash not in self.by_form)

    def _alike(
        self, lineup: Lineup, rows: Mapping[str, Row | Exception], start: tuple[Values, Values], made: Made
    ) -> set[str]:
        """Whose first rows are not proven to differ from all others, with those that balls leave open."""
        found = {name: row for name, row in rows.items() if not isinstance(row, Exception)}
        for suspect in lineup.suspects:
            if isinstance(rows[suspect.name], Undecided):
                with suppress(AttnsolveError, ArithmeticError):
                    wrong = self._carried_out(suspect, *start, made)
                    found[suspect.name] = seen_rows(wrong[lineup.targets[-1].name])[0]
        return {name for pair in alike_among(found, 10**self.problem.places) for name in pair}

    def _clashes(
        self, lineup: Lineup, right: Values, start: tuple[Values, Values], made: Made
    ) -> Iterator[Clash]:
        places = 10**self.problem.places
        answers = self._answers(lineup, right, start, made)
        # Most differ in the first number already.
        cornered = [(name, answer, answer[0][0][0] * places) for name, answer in answers]
        for (first, a, corner), (second, b, other) in combinations(cornered, 2):
            if not (abs(corner - other) > 1 or told_apart(a, b, places)):
                yield Clash(lineup.part, first, second)

    def _answers(
        self, lineup: Lineup, right: Values, start: tuple[Values, Values], made: Made
    ) -> list[tuple[str, Answer]]:
        """The right answer and that of each mistake; one that is undefined here nobody can make."""
        answers = [(RIGHT, asked(lineup.targets, right))]
        for suspect in lineup.suspects:
            try:
                wrong = self._carried_out(suspect, *start, made)
                answers.append((suspect.name, asked(lineup.targets, wrong)))
            except (AttnsolveError, ArithmeticError):
                continue
        return answers

    def _carried_out(self, suspect: Suspect, balls: Values, exact: Values, made: Made) -> Values:
        """What a mistake gives; exact numbers decide where balls leave a sign open."""
        try:
            values = dict(balls)
            for call in suspect.calls:
                # A mistake in a head is the same in every part that has this head.
                key = (id(call), *[id(values[name]) for name in call.args])
                if key not in made:
                    made[key] = finite(values_along((call,), values, problem=self.problem)[call.out])
                values[call.out] = made[key]
        except Undecided:
            return values_along(suspect.calls, dict(exact), problem=self.problem)
        return values


def exact_values(trace: Trace) -> dict[str, Matrix]:
    """All that is given, and what a solution goes on with."""
    values = {name: given.value for name, given in trace.problem.givens.items()}
    return values | {step.call.out: step.carried for step in trace.steps}


def seen(matrix: Matrix) -> Matrix:
    """A matrix through balls; floats stay floats, and what a mask hides stays hidden."""
    return matrix if isinstance(matrix, (Rough, Masked)) else Balls.of(matrix)


def finite(matrix: Matrix) -> Matrix:
    """The matrix, unless a number in it is the result of a division by what may be 0."""
    if isinstance(matrix, Balls) and not matrix.is_finite():
        raise UndefinedStep("a number without a value")
    return matrix
