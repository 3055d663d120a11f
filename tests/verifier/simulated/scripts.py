"""What somebody hands in, and what may be said about the report on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

import numpy as np
from verifier.simulated.arithmetic import HIDDEN
from verifier.simulated.calculation import carry_out
from verifier.simulated.exercises import Exercise
from verifier.simulated.hands import Hand
from verifier.simulated.spellings import write

from attnsolve.report import Report, StepReport

# From the reports on a script's texts to what is unfair or wrong about them.
Rule = Callable[[Sequence[Report]], list["Complaint"]]
BLAMED = ("wrong", "mistake")
NOT_DECIDED = ("undecided", "not read")
# Numbers differ visibly by more than so many units of the last place and so large a share of themselves.
UNITS, SHARE = 20, Decimal("0.03")


@dataclass(frozen=True)
class Complaint:
    """What is unfair or wrong about a report: in short, to be counted, and at length."""

    short: str
    said: str


@dataclass(frozen=True)
class Script:
    """One person's answers, what they are compared with (the same without its slip), and the rule."""

    exercise: Exercise
    text: str
    rule: Rule
    traits: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # what the mistake may be called
    hand: Hand | None = field(default=None, compare=False, repr=False)


def handed_in(hand: Hand) -> str:
    """What somebody wrote, in plain spelling."""
    return write(hand.texts, columns=hand.exercise.columns)


def softmax_lines(exercise: Exercise) -> frozenset[str]:
    """The names of the exponentials and their sums."""
    return frozenset(prefix + line for prefix in exercise.prefixes for line in ("exp", "sum"))


def some_skipped(random: Random, exercise: Exercise) -> frozenset[str]:
    """Which steps somebody does not write: none, the exponentials, all but weights and output, or any."""
    lines, last = softmax_lines(exercise), exercise.steps()[-1]
    every = (*exercise.steps(), *sorted(lines))
    kind = random.choice(("none", "exponentials", "sums", "short", "any", "any"))
    if kind == "none":
        return frozenset()
    if kind == "exponentials":
        return lines
    if kind == "sums":
        return frozenset(name for name in lines if name.endswith("sum"))
    if kind == "short":
        return frozenset(name for name in every if name[-1] not in "AZ")
    return frozenset(name for name in every if name != last and random.random() < 0.4)


def differs(script: Hand, right: Hand, name: str, *, places: int | None = None) -> list[bool]:
    """Which numbers of a step, written with so many places, are visibly not right; what is hidden may be."""
    shown = script.places if places is None else places
    unit = Decimal(UNITS).scaleb(-min(shown, script.exercise.places))
    keep = script.exercise.keep if name.endswith((".S", ".T")) else None
    found = []
    for place, other in np.ndenumerate(right.values[name]):
        mine = script.values[name][place]
        if HIDDEN in (mine, other):
            found.append(mine != other)
        elif keep is None or keep[place]:
            found.append(abs(mine - other) > unit + SHARE * abs(other))
    return found


def is_visible(script: Hand, *, step: str = "") -> bool:
    """Whether something that is written, or one step of it, is visibly not right.

    Masked scores tell nothing about the scaling, which may come after the mask.
    """
    right = carry_out(script.exercise, Hand(script.exercise))
    names = [step] if step else [n for n in script.texts if n in right.values and not n.endswith(".M")]
    return any(any(differs(script, right, name)) for name in names)


def spoils_marks(script: Hand) -> bool:
    """Whether a step that has marks was left out or visibly went wrong, written or not."""
    right = carry_out(script.exercise, Hand(script.exercise))
    marked = script.exercise.steps() if script.exercise.marks is None else script.exercise.marks
    return any(name not in script.values or any(differs(script, right, name)) for name in marked)


def steps_by_name(report: Report) -> Mapping[str, StepReport]:
    """The steps of a report."""
    return {step.name: step for step in report.steps}


def blamed(report: Report) -> list[str]:
    """The steps that are called wrong."""
    return [step.name for step in report.steps if step.verdict in BLAMED]


def is_right_throughout(report: Report) -> bool:
    """Whether all that was written is called right, with nothing left for a person."""
    return not report.unread and not any(step.verdict in BLAMED + NOT_DECIDED for step in report.steps)
