"""Students with a wrong idea that they follow through without a slip."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import DivisionByZero, InvalidOperation
from random import Random

from verifier.simulated.calculation import IDEAS, applies, carry_out
from verifier.simulated.exercises import Exercise
from verifier.simulated.hands import Hand
from verifier.simulated.scripts import (
    Complaint,
    Script,
    handed_in,
    is_right_throughout,
    is_visible,
    softmax_lines,
    some_skipped,
    spoils_marks,
)

from attnsolve.report import Report

# What few exercises can show is what most of their students do.
SELDOM = ("heads summed", "W_O forgotten", "temperature forgotten", "v forgotten", "mask forgotten")


def never_right(reports: Sequence[Report]) -> list[Complaint]:
    """A wrong idea whose numbers are visibly wrong is never right throughout, nor has it all marks."""
    (report,) = reports
    if is_right_throughout(report):
        return [
            Complaint("called right", f"right throughout, with {report.earned} of {report.possible} marks")
        ]
    if report.earned == report.possible:
        return [Complaint("full marks", f"all {report.possible} marks")]
    return []


def mistaken(random: Random, exercise: Exercise) -> Script | None:
    """A wrong idea, with or without the exponentials written; None where it does not show."""
    possible = [idea for idea in IDEAS if applies(exercise, idea)]
    seldom = [idea for idea in possible if idea in SELDOM]
    idea = random.choice(seldom if seldom and random.random() < 0.7 else possible)
    carries = random.random() < 0.4
    way = random.choice(("all", "no exponentials", "some"))
    skipped = {
        "all": frozenset[str](),
        "no exponentials": softmax_lines(exercise),
        "some": some_skipped(random, exercise),
    }[way]
    places = random.choice((exercise.places, exercise.places, max(3, exercise.places), 4))
    hand = Hand(exercise, places=places, carries=carries, skipped=skipped, trims=random.random() < 0.5)
    try:
        carry_out(exercise, hand, idea)
    except (DivisionByZero, InvalidOperation):
        return None  # scores that sum to 0 have no shares
    if not is_visible(hand) or not spoils_marks(hand):
        return None
    traits = (idea, f"{idea}: {way}")
    return Script(exercise, handed_in(hand), never_right, traits, names=IDEAS[idea], hand=hand)
