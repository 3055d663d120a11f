"""Students who invent the numbers of one step, and go on from them without a slip."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from random import Random

from verifier.simulated.arithmetic import HIDDEN, Array, each, matrix, rounded
from verifier.simulated.calculation import carry_out
from verifier.simulated.exercises import Exercise
from verifier.simulated.hands import Change, Hand
from verifier.simulated.scripts import Complaint, Script, differs, handed_in, softmax_lines, steps_by_name

from attnsolve.report import Report

# What leads to each step of a head, nearest last.
BEFORE = {
    "Q": "",
    "K": "",
    "V": "",
    "S": "QK",
    "T": "QKS",
    "M": "QKST",
    "exp": "QKSTM",
    "A": "QKSTM",
    "Z": "QKVSTMA",
}
# The steps whose numbers are made from those of a step.
AFTER = {
    "Q": "STMAZ",
    "K": "STMAZ",
    "V": "Z",
    "S": "TMAZ",
    "T": "MAZ",
    "M": "AZ",
    "exp": "AZ",
    "A": "Z",
    "Z": "",
}


def made_up(random: Random, letter: str, places: int) -> Change:
    """Random numbers of the size of the right ones; weights sum to 1, exponentials are positive."""

    def change(shown: Array, value: Array, left: Array | None, right: Array | None) -> Array:
        largest = max([abs(x) for x in shown.flat if x != HIDDEN] + [Decimal(1)])

        def one(number: Decimal) -> Decimal:
            if number == HIDDEN or (letter in ("exp", "A") and not number):
                return number
            low = Decimal("0.05") if letter in ("exp", "A") else Decimal(-1)
            found = largest * (low + (1 - low) * Decimal(random.randrange(1, 1000)) / 1000)
            return rounded(found, min(places, 1 if letter in ("exp", "S") and largest > 3 else 2))

        made = each(one, shown)
        return shares(made, places) if letter == "A" else made

    return change


def shares(made: Array, places: int) -> Array:
    """Positive numbers made to sum to 1 in every row, to the last digit; the largest takes what is left."""
    rows = []
    for row in made:
        parts = [rounded(number / sum(row), places) for number in row]
        largest = parts.index(max(parts))
        parts[largest] += 1 - sum(parts)
        rows.append(parts)
    return matrix(rows)


def earns_only_what_follows(
    step: str, unwritten: frozenset[str], reports: Sequence[Report]
) -> list[Complaint]:
    """Invented numbers are not right, have no marks, and show nothing of what should have led to them.

    What is made from them in later steps may have its marks. Where the invented step has none to lose, as
    exponentials never have, the next step that has some cannot have all of them.
    """
    (report,) = reports
    steps = steps_by_name(report)
    head, letter = step.rpartition(".")[::2]
    mine = steps.get(step)
    if mine is not None and mine.verdict in ("right", "follows"):
        return [Complaint("called right", f"invented {step} is called {mine.verdict}")]
    if mine is not None and mine.earned:
        return [Complaint("earns", f"invented {step} earns {mine.earned} of {mine.possible}")]
    for name in unwritten:
        if steps[name].earned:
            said = f"{name} is not written, and invented {step} earns it {steps[name].earned} marks"
            return [Complaint("earns what is not written", said)]
    if mine is None or not mine.possible:
        later = [steps[f"{head}.{x}"] for x in AFTER[letter] if f"{head}.{x}" in steps]
        marked = next((one for one in later if one.possible), None)
        if marked is not None and marked.earned == marked.possible:
            said = f"invented {step} has no marks to lose, and {marked.name} has all of its {marked.possible}"
            return [Complaint("costs nothing", said)]
    if report.earned == report.possible:
        return [Complaint("full marks", f"invented {step}, and all {report.possible} marks")]
    return []


def leading_to(exercise: Exercise, step: str) -> frozenset[str]:
    """The steps before one, in its head or in all of them."""
    head, letter = step.rpartition(".")[::2]
    if step == "a.Z" and exercise.W_O is not None:
        return frozenset(exercise.steps()) - {step}
    return frozenset(f"{head}.{x}" for x in BEFORE[letter] if f"{head}.{x}" in exercise.steps())


def invented(random: Random, exercise: Exercise) -> Script | None:
    """One step of one head made up, the rest consistent; what leads to it is written, or not."""
    letters = [x for x in exercise.letters() if x != "M"]
    if exercise.W_O is not None and random.random() < 0.2:
        step = "a.Z"
    else:
        step = random.choice(exercise.prefixes) + random.choice([*letters, "exp", "exp", "exp", "A", "S"])
    letter = step.rpartition(".")[2]
    places = max(exercise.places, random.choice((2, 3, 4)))
    before = leading_to(exercise, step)
    skipped = before if random.random() < 0.6 else frozenset[str]()
    if letter in ("A", "Z") or (letter != "exp" and random.random() < 0.5):
        skipped |= softmax_lines(exercise)
    hand = Hand(exercise, places=places, skipped=skipped, changes={step: made_up(random, letter, places)})
    try:
        carry_out(exercise, hand)
    except (DivisionByZero, InvalidOperation):
        return None
    decimals = [cell.partition(".")[2] for row in hand.texts[step] for cell in row if "." in cell]
    fewest = min(map(len, decimals), default=0)
    off = differs(hand, carry_out(exercise, Hand(exercise)), step, places=fewest)
    if 3 * sum(off) < 2 * len(off) or too_large(hand):
        return None
    traits = (letter, f"{letter}: {'nothing' if before & skipped else 'all'} before it written")
    unwritten = frozenset(before & skipped)

    def rule(reports: Sequence[Report]) -> list[Complaint]:
        return earns_only_what_follows(step, unwritten, reports)

    return Script(exercise, handed_in(hand), rule, (*traits, step), hand=hand)


def too_large(hand: Hand) -> bool:
    """Whether an exponential came out that nobody would write down."""
    return any(x > 10**6 for name, table in hand.values.items() if name.endswith("exp") for x in table.flat)
