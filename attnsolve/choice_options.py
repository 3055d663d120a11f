"""The options of a question of choice: the right value and those that known mistakes give, or texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from attnsolve.choice import FEWEST, LETTERS, USUAL, ChoiceQuestion
from attnsolve.engine import run
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.mistakes import WrongPlan, wrong_plans
from attnsolve.problem import Part, Problem, Target
from attnsolve.trace import Trace

# Every number of an option in units of its last printed place; None for -∞.
Digits = list[list[int | None]]


class Option(NamedTuple):
    """One thing to tick."""

    letter: str
    is_right: bool
    value: Matrix | None = None  # of a computed question
    text: str = ""  # of one in words
    mistake: str = ""  # the name of the mistake that leads to it
    why: str = ""  # what to tell whoever ticks it


class TooFewOptions(AttnsolveError):
    """A question of choice that leaves no choice."""


def options_of(trace: Trace, part: Part, *, generation: int | None = None) -> tuple[Option, ...]:
    """The options of a part in their printed order; mistakes newer than `generation` are left out."""
    question = part.choice
    assert question is not None
    if question.is_computed:
        found = [Option("", is_right=True, value=right_value(trace, part))]
        found += wrong_options(trace, part, question, generation)
        if len(found) < FEWEST:
            raise TooFewOptions(
                f"part {part.id}: no known mistake gives another value of {part.find[0].name} than the right "
                "one, so there is nothing to choose from; ask for another value, or write options in words"
            )
    else:
        found = [Option("", is_right=True, text=text) for text in question.right]
        found += [Option("", is_right=False, text=text, why=why) for text, why in question.wrong]
    return lettered(shuffled(found, question, part.id))


def right_letters(options: Sequence[Option]) -> str:
    """The letters to be ticked, such as `B` or `AC`."""
    return "".join(option.letter for option in options if option.is_right)


def right_value(trace: Trace, part: Part) -> Matrix:
    """What the part asks for, as somebody goes on with it."""
    return part.find[0].of(trace.step(part.find[0].name).carried)


def places_of(problem: Problem) -> int:
    """The decimal places to which options are printed."""
    return problem.places if problem.rounding is None else problem.rounding.carry


def wrong_options(trace: Trace, part: Part, question: ChoiceQuestion, generation: int | None) -> list[Option]:
    """What mistakes give, each told apart from the right value and from those before it; no more than asked.

    A mistake that the file names must be told apart too: who names it wants to see it.
    """
    target, places = part.find[0], places_of(trace.problem)
    seen = [right_value(trace, part).whole(places)]
    found: list[Option] = []
    for plan in plans_of(trace.problem, part, question, generation):
        if len(found) + 1 == (question.options or USUAL) and not question.mistakes:
            break
        value = wrong_value(trace, plan, target)
        digits = None if value is None else value.whole(places)
        if digits is None or not all(is_apart(digits, other) for other in seen):
            if question.mistakes:
                raise TooFewOptions(
                    f"part {part.id}: the mistake {plan.name} gives no value of {target.name} that differs "
                    f"from the other options by more than a unit of place {places}; name another mistake"
                )
            continue
        seen.append(digits)
        found.append(Option("", is_right=False, value=value, mistake=plan.name, why=plan.advice))
    return found


def plans_of(
    problem: Problem, part: Part, question: ChoiceQuestion, generation: int | None
) -> Iterator[WrongPlan]:
    """The mistakes to be tried: those that the file names, in its order, or all of them; each name once."""
    plans: dict[str, WrongPlan] = {}
    for plan in wrong_plans(problem, part):
        if generation is None or plan.since <= generation:
            plans.setdefault(plan.name, plan)
    yield from (plans[name] for name in question.mistakes or plans if name in plans)


def wrong_value(trace: Trace, plan: WrongPlan, target: Target) -> Matrix | None:
    """What a mistake gives for a target; None where it has no value there, or one of another shape."""
    name, right = trace.problem.resolve(target.name), trace.value(target.name)
    with suppress(AttnsolveError):  # undefined on these numbers, or undecided: nobody is offered that
        made = {step.call.out: step.carried for step in run(trace.problem, plan.calls)}
        value = made.get(name)
        if value is not None and value.shape == right.shape:
            value.decimals(places_of(trace.problem))
            return target.of(value)
    return None


def is_apart(first: Digits, second: Digits) -> bool:
    """Whether some number differs by more than a unit of the last place, which a rounding may be off by."""
    return any(
        x != y and (x is None or y is None or abs(x - y) > 1)
        for row, other in zip(first, second, strict=True)
        for x, y in zip(row, other, strict=True)
    )


def shuffled(options: Sequence[Option], question: ChoiceQuestion, part: str) -> list[Option]:
    """The options in an order that hangs on the seed alone: what is corrected in one moves none of them."""
    if not question.seed:
        return list(options)
    names = [option.mistake or f"{number}" for number, option in enumerate(options)]
    keys = [sha256("\0".join((question.seed, part, name)).encode()).digest() for name in names]
    return [option for _, option in sorted(zip(keys, options, strict=True), key=lambda pair: pair[0])]


def lettered(options: Sequence[Option]) -> tuple[Option, ...]:
    """The options called A, B, C…"""
    return tuple(option._replace(letter=letter) for letter, option in zip(LETTERS, options, strict=False))
