"""How many decimal places are asked for, and how results are rounded on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnsolve.languages import counted_message
from attnsolve.problem import Problem
from attnsolve.rendering.pages import places_of
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, say_count

if TYPE_CHECKING:
    pass


# How results are rounded on the way, and that this is not meant of numbers inside a step.
ROUNDING = {
    "half_up": counted_message(
        "The result of every step is rounded to {count} place before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
        "The result of every step is rounded to {count} places before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
    ),
    "half_even": counted_message(
        "The result of every step is rounded half to even to {count} place before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
        "The result of every step is rounded half to even to {count} places before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
    ),
    "truncate": counted_message(
        "The result of every step is cut off after {count} place before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
        "The result of every step is cut off after {count} places before it is used again "
        "(numbers inside a step, such as exponentials, are not).",
    ),
}


def rounding_note(problem: Problem) -> Segments:
    """How the sheet wants intermediate values rounded."""
    if problem.rounding is None:
        return ()
    return say_count(*ROUNDING[problem.rounding.mode], problem.rounding.carry)


def precision_note(problem: Problem, settings: Settings) -> Segments:
    """How many decimal places are asked for; nothing where no number is."""
    if not any(part.calls and part.choice is None for part in problem.parts):
        return ()
    if problem.rounding is None:
        return say_count(
            "Give every number exactly, or rounded to {count} decimal place.",
            "Give every number exactly, or rounded to {count} decimal places.",
            places_of(problem, settings),
        )
    return say_count(
        "Give every number to {count} decimal place.",
        "Give every number to {count} decimal places.",
        problem.rounding.carry,
    )
