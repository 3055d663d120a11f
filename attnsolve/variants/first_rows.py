"""The first row of every answer: it tells most mistakes apart, and is a fraction of the work.

Where nothing but a row of scores is left to be turned into weights, averaged and projected, the other rows
need not be made; and what several mistakes have in common is made once. That follows from the form alone.
What the first rows do not tell apart, the others may: those are still to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact import Matrix
from attnsolve.ops import Family, Op
from attnsolve.ops.concatenation import CONCATENATE
from attnsolve.ops.dot import DOT
from attnsolve.ops.mixing import MIX
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.scaling import DIVIDE, MULTIPLY
from attnsolve.ops.selection import SELECT
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.problem import Call
from attnsolve.recipes.head_mistakes import BY_NORM
from attnsolve.variants.lineups import RIGHT, Lineup
from attnsolve.variants.rough import seen_rows
from attnsolve.variants.stacking import FirstRow, Made, Making, Planned, Row, Stacks

# Ops that make a row of their result from that row of their first matrix, and all of the others.
ROW_BY_ROW: tuple[Op, ...] = (PROJECTION, DOT, DIVIDE, MULTIPLY, BY_NORM, SOFTMAX, MIX, OUTPUT)
# Wrong rules, by the mistakes of their ops, that do so too.
WRONG_ROW_BY_ROW: tuple[tuple[Op, str], ...] = (
    (DIVIDE, "without-root"),
    (DIVIDE, "multiplied"),
    (SOFTMAX, "without-exp"),
    (SOFTMAX, "without-sum"),
    (MIX, "unweighted"),
    (OUTPUT, "forgotten"),
)
# Those that multiply each number by the same.
SCALING: tuple[Op, ...] = (DIVIDE, MULTIPLY)
WRONG_SCALING: tuple[tuple[Op, str], ...] = ((DIVIDE, "without-root"), (DIVIDE, "multiplied"))
# Ops that make it from that row of every matrix, and their mistakes that do so too.
SIDE_BY_SIDE: tuple[Op, ...] = (CONCATENATE,)
WRONG_SIDE_BY_SIDE: tuple[tuple[Op, str], ...] = (
    (CONCATENATE, "order"),
    (CONCATENATE, "averaged"),
)


def wrong_rules(names: Iterable[tuple[Op, str]]) -> frozenset[Callable[..., Matrix]]:
    """The rules of some mistakes."""
    return frozenset(slip.rule for op, name in names for slip in op.mistakes if slip.name == name)


WRONG_RULES = wrong_rules(WRONG_ROW_BY_ROW)
WRONG_SCALING_RULES = wrong_rules(WRONG_SCALING)
WRONG_RULES_SIDE_BY_SIDE = wrong_rules(WRONG_SIDE_BY_SIDE)


FIRST_ROW = " first row"  # behind the name of a matrix


class FirstRows:
    """The first rows of the last answer of some lineups, right and wrong, as one plan."""

    def __init__(self, lineups: Iterable[Lineup], *, calls: Sequence[Call] = ()) -> None:
        right = behind_weights(calls)
        self._plan: list[Planned] = []
        self._places: dict[Hashable, list[int]] = {}  # of what is alike but for options, which have no hash
        self._answers: dict[str, dict[str, int]] = {}  # of each part, by their places in the plan
        for lineup in lineups:
            name = lineup.targets[-1].name
            plans = {RIGHT: (), **{suspect.name: suspect.calls for suspect in lineup.suspects}}
            self._answers[lineup.part] = {
                who: self._add(for_first_row(instead_of(right, wrong), name)) for who, wrong in plans.items()
            }
        self._stacks = Stacks(self._plan)

    def _add(self, calls: Sequence[Call]) -> int:
        """Where the result of some calls stands; they are added to the plan as far as they are new."""
        made: dict[str, int] = {}
        for call in calls:
            inputs = tuple(made[name] if name in made else self._place(name) for name in call.args)
            is_taken = call.out == first_row(call.args[0]) and call.op is SELECT
            rows = rows_needed(call) if call.out.endswith(FIRST_ROW) else 0
            scales = rows > 0 and (call.op in SCALING or call.op.rule in WRONG_SCALING_RULES)
            making = Making(call.op.rule, inputs, call.options, rows, scales)
            made[call.out] = self._place(FirstRow(inputs[0]) if is_taken else making)
        return made[calls[-1].out]

    def _place(self, wanted: Planned) -> int:
        """Where a value stands in the plan; what is not there yet is added."""
        alike = self._places.setdefault(wanted[:2] if isinstance(wanted, Making) else wanted, [])
        known = next((place for place in alike if self._plan[place] == wanted), None)
        if known is None:
            known = len(self._plan)
            alike.append(known)
            self._plan.append(wanted)
        return known

    def answers(self, values: Mapping[str, Matrix]) -> dict[str, dict[str, Row | Exception]]:
        """The first row of every answer, by part and mistake, or why there is none."""
        made = self._stacks.made(values) if self._answers else []
        return {
            part: {who: row_of(made[place]) for who, place in places.items()}
            for part, places in self._answers.items()
        }


def behind_weights(calls: Sequence[Call]) -> list[Call]:
    """The calls that go on from weights to others or to answers: made anew, a first row is soon there."""
    made, found = set[str](), list[Call]()
    for call in calls:
        if call.op.family is Family.NORMALISER:  # its weights have been looked at by the judges
            made.add(call.out)
        elif not made.isdisjoint(call.args):
            made.add(call.out)
            found.append(call)
    return found


def instead_of(right: Sequence[Call], wrong: Sequence[Call]) -> list[Call]:
    """Right calls followed by wrong ones, which take the place of those that make the same."""
    outs = {call.out for call in wrong}
    return [*(call for call in right if call.out not in outs), *wrong]


def row_of(made: Made) -> Row | Exception:
    """The row itself, or why there is none; of what a mask hides as balls."""
    if type(made) is list:  # most often
        return made
    try:
        return seen_rows(made)[0] if isinstance(made, Matrix) else made
    except (AttnsolveError, ArithmeticError) as error:
        return error


def are_told_apart(answers: Mapping[str, Row | Exception], places: int) -> bool:
    """Whether first rows prove it of all answers; a mistake that is undefined here nobody can make."""
    if any(isinstance(answer, Undecided) for answer in answers.values()):
        return False
    rows = {who: answer for who, answer in answers.items() if not isinstance(answer, Exception)}
    return not any(True for _ in alike_among(rows, places))


def alike_among(rows: Mapping[str, Row], places: int) -> Iterator[tuple[str, str]]:
    """The pairs that are not proven to differ by more than a unit of the last place."""
    is_plain = all(isfinite(float(row[0])) for row in rows.values())
    ordered = sorted(rows.items(), key=lambda one: least(one[1][0])) if is_plain else list(rows.items())
    for number, (one, row) in enumerate(ordered):
        for other, beside in ordered[number + 1 :]:
            if is_plain and (beside[0] - row[0]) * places > 1:
                break  # and all that come later are above it too
            if not is_apart(row, beside, places):
                yield one, other


def least(number: Any) -> Any:
    """The lower end of a ball."""
    return number if isinstance(number, float) else number.lower()


def is_apart(one: Row, other: Row, places: int) -> bool:
    """Whether two rows are proven to differ by more than a unit somewhere."""
    return any(abs(a - b) * places > 1 for a, b in zip(one, other, strict=False))


def for_first_row(calls: Sequence[Call], name: str) -> list[Call]:
    """What is left of a plan when only the first row of one value is wanted."""
    first, whole, found = {name}, set[str](), list[Call]()
    for call in reversed(calls):
        rows = rows_needed(call)
        if call.out in first and call.out not in whole and rows:
            first -= {call.out}
            first |= set(call.args[:rows])
            whole |= set(call.args[rows:])
            args = (*map(first_row, call.args[:rows]), *call.args[rows:])
            found.append(call._replace(out=first_row(call.out), args=args))
        elif call.out in first | whole:
            if call.out in first:
                first -= {call.out}
                found.append(taken_from(call.out))
            whole |= set(call.args)
            found.append(call)
    return [*map(taken_from, sorted(first)), *reversed(found)]


def rows_needed(call: Call) -> int:
    """Of how many of its matrices, from the left, a call needs only the first row to make the first row."""
    if call.op in SIDE_BY_SIDE or call.op.rule in WRONG_RULES_SIDE_BY_SIDE:
        return len(call.args)
    return int(call.op in ROW_BY_ROW or call.op.rule in WRONG_RULES)


def taken_from(name: str) -> Call:
    """The call that takes the first row of a value."""
    return Call(first_row(name), SELECT, (name,), {"rows": (0,)})


def first_row(name: str) -> str:
    """What the first row of a value is called."""
    return f"{name}{FIRST_ROW}"
