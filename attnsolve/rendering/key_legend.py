"""What a key says once for all papers: how numbers are rounded, and what values are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from attnsolve.languages import message, worded
from attnsolve.problem import Part, Problem
from attnsolve.problem_set import Exercise, name_in
from attnsolve.rendering.boxes import asked
from attnsolve.rendering.forms import kept_of_part
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.pages import plain_notation
from attnsolve.rendering.text import Segments, formula, say, say_count, sentence, with_places
from attnsolve.rendering.trace_json import target_text
from attnsolve.trace import Trace

# How the names of steps are told.
IS = message("{symbol} is {name}")
# The exercises of a set, or a problem by itself, solved.
Exercises = Sequence[tuple[Exercise | None, Trace]]


def rounding(exercises: Exercises, *, tiny: bool) -> Segments:
    """What is said once, so that no number needs its own sign; of each exercise, where they differ."""
    said = [(one, rounding_in(trace.problem, tiny=tiny)) for one, trace in exercises]
    if len({words for _, words in said}) == 1:
        return said[0][1]
    return joined(
        [
            say("{heading}: {title}", heading=say("Exercise {number}", number=one.number), title=words)
            for one, words in said
            if one is not None
        ],
        " ",
    )


def rounding_in(problem: Problem, *, tiny: bool) -> Segments:
    """How the numbers of one problem are rounded."""
    if problem.rounding is not None:
        return say_count(
            "Numbers are carried with {count} place, as the sheet asks.",
            "Numbers are carried with {count} places, as the sheet asks.",
            problem.rounding.carry,
        )
    if tiny:
        return say_count(
            "Numbers are rounded to {count} place (those that would be 0 to three digits); those with fewer "
            "are exact.",
            "Numbers are rounded to {count} places (those that would be 0 to three digits); those with fewer "
            "are exact.",
            problem.places,
        )
    return say_count(
        "Numbers are rounded to {count} place; those with fewer are exact.",
        "Numbers are rounded to {count} places; those with fewer are exact.",
        problem.places,
    )


def typed_names(exercises: Exercises) -> Segments:
    """`S̃ is a.T, α is a.A; …`: every step by the name under which its numbers are typed."""
    parts = [
        part_names(trace.problem, part, exercise)
        for exercise, trace in exercises
        for part in trace.problem.parts
        if part.calls
    ]
    return named(worded(IS, ("symbol", "name")), tuple(parts))


def part_names(
    problem: Problem, part: Part, exercise: Exercise | None = None
) -> tuple[tuple[str, str], ...]:
    """The steps of one part: what is printed, what is typed."""
    named = step_names(plain_notation(problem, part))
    return named if exercise is None else tuple([(symbol, exercise.outer(name)) for symbol, name in named])


@kept_of_part
def step_names(notation: Notation) -> tuple[tuple[str, str], ...]:
    """The same in a problem by itself."""
    steps = [call for call in notation.part.calls if not is_selection(call)]
    return tuple([(notation.symbol(one.out), one.out) for one in steps])


@lru_cache(maxsize=256)  # the same for all papers with these exercises
def named(said: str, parts: tuple[tuple[tuple[str, str], ...], ...]) -> Segments:
    """Steps by their names in the words of a sentence."""

    def one(symbol: str, name: str) -> Segments:
        return with_places(said, {"symbol": formula(symbol), "name": name})

    return joined([joined([one(*names) for names in part], ", ") for part in parts], "; ")


def joined(pieces: Sequence[Segments], between: str) -> Segments:
    """Sentences put together."""
    return sentence(*pieces[:1], *(more for piece in pieces[1:] for more in (between, piece)))


def value_headers(exercises: Exercises) -> Iterator[tuple[str, Segments]]:
    """`Z, b.Z`: every value that is asked for, by its name, as it is printed and as it is typed."""
    for exercise, trace in exercises:
        problem = trace.problem
        for part in problem.parts:
            for symbol, own in asked_names(plain_notation(problem, part)):
                name = name_in(exercise, own)
                yield name, sentence(formula(symbol), f" {name}")


@kept_of_part
def asked_names(notation: Notation) -> tuple[tuple[str, str], ...]:
    """What a part asks for: what is printed, what is typed in a problem by itself."""
    found = notation.part.find
    return tuple([(asked(one, notation)[0], target_text(one, notation.problem)) for one in found])
