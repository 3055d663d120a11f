"""Students who do everything right: exact numbers rounded at the end, or rounded numbers carried on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from verifier.simulated.calculation import carry_out
from verifier.simulated.exercises import Exercise
from verifier.simulated.hands import Hand
from verifier.simulated.scripts import Complaint, Script, blamed, handed_in, some_skipped
from verifier.simulated.spellings import turned

from attnsolve.report import Report


def nobody_is_wrong(reports: Sequence[Report]) -> list[Complaint]:
    """No step of a right calculation is called wrong, and all is read."""
    (report,) = reports
    if wrong := blamed(report):
        return [Complaint("called wrong", f"a right calculation is called wrong in {', '.join(wrong)}")]
    return [Complaint("not read", said) for said in report.unread[:1]]


def has_all_marks(reports: Sequence[Report]) -> list[Complaint]:
    """Exact numbers with all the digits that were asked for have all marks."""
    (report,) = reports
    follows = [step.name for step in report.steps if step.verdict == "follows"]
    lost = [step.name for step in report.steps if step.earned < step.possible]
    return (
        nobody_is_wrong(reports)
        or [Complaint("follows", f"{name} is right only for wrong numbers before it") for name in follows[:1]]
        or [Complaint("loses marks", f"marks are lost in {name}") for name in lost[:1]]
    )


def exact(random: Random, exercise: Exercise) -> Script:
    """Every step from exact numbers, rounded to 2 to 6 places when it is written down."""
    hand = Hand(
        exercise,
        places=random.choice((2, 3, exercise.places, exercise.places, exercise.places + 1, 6)),
        mode=random.choice(("half_up", "half_even")),
        trims=random.random() < 0.5,
        skipped=some_skipped(random, exercise),
    )
    traits = (f"{hand.places - exercise.places:+d} places",)
    rule = has_all_marks if hand.places >= exercise.places else nobody_is_wrong
    return Script(exercise, handed_in(carry_out(exercise, hand)), rule, traits, hand=hand)


def carrying(random: Random, exercise: Exercise) -> Script:
    """Every step from the rounded or cut off numbers of the step before."""
    places = random.choice((2, 3, 3, 4, 4))
    hand = Hand(
        exercise,
        places=places,
        mode=random.choice(("half_up", "half_up", "cut")),
        carries=True,
        remembers=random.random() < 0.5,
        root_places=random.choice((None, places, 2, 4)),
        trims=random.random() < 0.5,
        quotients=random.random() < 0.15,
        skipped=some_skipped(random, exercise),
    )
    carry_out(exercise, hand)
    traits = [f"{places} places", hand.mode, exercise.shape]
    if hand.root_places is not None and hand.root_places < places and exercise.divide_by == "sqrt(d_k)":
        traits.append("root with fewer places")
    if any("/" in cell for rows in hand.texts.values() for row in rows for cell in row):
        traits.append("quotients")
    if not hand.remembers and hand.skipped:
        traits.append("unwritten steps rounded")
    return Script(exercise, handed_in(hand), nobody_is_wrong, tuple(traits), hand=hand)


def otherwise(random: Random, exercise: Exercise) -> Script | None:
    """Exact numbers by a sound way that is not the solution's."""
    hand = Hand(exercise, places=exercise.places + random.choice((0, 1)), trims=random.random() < 0.5)
    way = random.choice(("largest taken off", "a number for −∞", "a token a row"))
    if way == "largest taken off":
        hand.shifts = True
    elif way == "a number for −∞":
        hand.hidden = random.choice(("-999", "-1000", "-10000", "-1e9"))
        way = hand.hidden
    carry_out(exercise, hand)
    if way == "a token a row":
        for name in [name for name in hand.texts if name[-1] in "QKVZ"]:
            hand.texts[name] = turned(hand.texts[name])
    text = handed_in(hand)
    if not exercise.columns if way == "a token a row" else hand.hidden not in text and not hand.shifts:
        return None
    return Script(exercise, text, has_all_marks, (way,), hand=hand)
