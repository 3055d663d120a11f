"""Students who get one number wrong in one step, and go on from it without another slip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, DivisionByZero, InvalidOperation
from fractions import Fraction
from random import Random

import numpy as np
from verifier.simulated.arithmetic import HIDDEN, Array, text
from verifier.simulated.calculation import carry_out
from verifier.simulated.exercises import Exercise
from verifier.simulated.hands import Change, Hand
from verifier.simulated.inventions import AFTER, too_large
from verifier.simulated.scripts import (
    Complaint,
    Script,
    handed_in,
    is_visible,
    some_skipped,
    spoils_marks,
    steps_by_name,
)

from attnsolve.report import Report, StepReport

KINDS = ("sign", "swapped digits", "product left out", "off by one")


def slip_at(place: tuple[int, int], kind: str, random: Random) -> Change:
    """One number of a step changed."""

    def change(shown: Array, value: Array, left: Array | None, right: Array | None) -> Array:
        changed, (i, j) = shown.copy(), place
        number = shown[i, j]
        if kind == "sign":
            changed[i, j] = -number
        elif kind == "off by one":
            changed[i, j] = number + random.choice((-1, 1))
        elif kind == "swapped digits":
            changed[i, j] = swapped(number, random)
        elif left is not None and right is not None:
            terms = [term for term in (a * b for a, b in zip(left[i], right[:, j], strict=True)) if term]
            missing = random.choice(terms) if terms else Decimal(0)
            changed[i, j] = (number - missing).quantize(number) if "." in text(number) else number - missing
        return changed

    return change


def swapped(number: Decimal, random: Random) -> Decimal:
    """Two neighbouring digits the other way round."""
    signs = list(text(number))
    pairs = [
        k for k in range(len(signs) - 1) if (signs[k] + signs[k + 1]).isdigit() and signs[k] != signs[k + 1]
    ]
    if pairs:
        k = random.choice(pairs)
        signs[k], signs[k + 1] = signs[k + 1], signs[k]
    return Decimal("".join(signs))


def costs_once(step: str, is_written: bool, reports: Sequence[Report]) -> list[Complaint]:
    """A visible slip is not right, does not keep all marks, and costs no more than one step is worth.

    That is the step of the slip, for exponentials and sums the weights; where it has no marks, a later step.
    Steps that only follow from it are not called wrong. The second report is on the script without the slip;
    where that lost the same mark for early rounding, the slip cannot cost it again.
    """
    report, without = reports
    steps = steps_by_name(report)
    mine = steps.get(step)
    if is_written and mine is not None and mine.verdict in ("right", "follows"):
        return [Complaint("called right", f"the slip in {step} is called {mine.verdict}")]
    if report.earned >= without.earned and not any(map(has_lost, (mine, *later_steps(step, report)))):
        said = f"the slip in {step} costs nothing: {report.earned} of {report.possible} marks"
        return [Complaint("costs nothing", said)]
    if not is_written:
        return []
    lost, most = lost_from(step, report, without), worth_of_one(step, report)
    if lost > most:
        return [
            Complaint("costs twice", f"the slip in {step} costs {lost}, more than the {most} of one step")
        ]
    wrong = [one.name for one in report.steps if one.verdict in ("wrong", "mistake") and one.name != step]
    if wrong:
        said = f"the slip in {step} makes {', '.join(wrong)} wrong, too, although they follow from it"
        return [Complaint("blamed twice", said)]
    return []


def has_lost(step: StepReport | None) -> bool:
    """Whether a step did not earn all its marks."""
    return step is not None and step.earned < step.possible


def lost_from(step: str, report: Report, without: Report) -> Fraction:
    """What the slip costs in its step and the later ones, and in earlier ones that were written.

    Who does not write what led to a wrong number has shown it only as far as that is right.
    """
    names = [one.name for one in report.steps]
    position = names.index(step)
    pairs = list(zip(report.steps, without.steps, strict=True))
    shown = [(a, b) for a, b in pairs[:position] if a.verdict != "not written"]
    return sum((b.earned - a.earned for a, b in (*shown, *pairs[position:])), Fraction(0))


def worth_of_one(step: str, report: Report) -> Fraction:
    """What the step of a slip is worth; if nothing, the most that a later one is."""
    steps = steps_by_name(report)
    head, letter = step.rpartition(".")[::2]
    bearer = f"{head}.A" if letter in ("exp", "sum") else step
    if steps[bearer].possible:
        return steps[bearer].possible
    return max(one.possible for one in later_steps(bearer, report))


def later_steps(step: str, report: Report) -> list[StepReport]:
    """The steps that are made from one."""
    steps = steps_by_name(report)
    head, letter = step.rpartition(".")[::2]
    names = [f"{head}.{x}" for x in AFTER.get(letter, "")] + (
        ["a.C", "a.Z"] if head != "a" or letter == "C" else []
    )
    return [steps[name] for name in names if name in steps]


def slipping(random: Random, exercise: Exercise) -> Script | None:
    """One slip in a step that is written, or, seldom, in one that is not."""
    skipped = some_skipped(random, exercise)
    hand = Hand(
        exercise,
        places=exercise.places + random.choice((0, 0, 1)),
        carries=random.random() < 0.5,
        trims=random.random() < 0.5,
        skipped=skipped,
    )
    twin = carry_out(exercise, replace(hand, values={}, texts={}))
    names = [name for name in twin.values if not name.endswith(".M")]
    step = random.choice([name for name in names if (name in skipped) == (random.random() < 0.15)] or names)
    letter = step.rpartition(".")[2]
    places = [
        place
        for place, number in np.ndenumerate(twin.values[step])
        if number
        and number != HIDDEN
        and (letter not in ("S", "T") or exercise.keep is None or exercise.keep[place])
    ]
    if not places:
        return None
    kind = random.choice(KINDS if letter not in ("exp", "sum", "A") else KINDS[1:])
    hand.changes[step] = slip_at(random.choice(places), kind, random)
    try:
        carry_out(exercise, hand)
    except (DivisionByZero, InvalidOperation):
        return None
    written = step in hand.texts
    if too_large(hand) or not is_visible(hand, step=step if written else "") or not spoils_marks(hand):
        return None
    if hand.texts == twin.texts:
        return None  # a product of 0 was left out
    lines = [table for name, table in hand.values.items() if name.endswith(("exp", "sum"))]
    if any(number < 0 for table in lines for number in table.flat):
        return None

    def rule(reports: Sequence[Report]) -> list[Complaint]:
        return costs_once(step, written, reports)

    traits = (kind, letter, "written" if written else "not written")
    return Script(exercise, handed_in(hand), rule, traits, others=(handed_in(twin),), hand=hand)
