"""Which exercise of a problem set each answer belongs to: `2b.A`, or `A` below `Exercise 2` and `(b)`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.problem_set import ADDRESS, Exercise, ProblemSet
from attnsolve.reasons import Reason, on_line, reason
from attnsolve.submission import Answer, Override, Submission

# Whether an exercise has a value that is called so, below the heading of a part or of none.
Knows = Callable[[Exercise, str, str], bool]


class Place(NamedTuple):
    """A value or a part of one exercise, by its own names."""

    exercise: Exercise
    name: str
    part: str = ""  # of the heading above it


def split(
    problems: ProblemSet, submission: Submission, knows: Knows
) -> tuple[dict[int, Submission], tuple[Reason, ...]]:
    """What was handed in by the numbers of the exercises, and a sentence for all that belongs to none."""
    lost: list[Reason] = []
    empty = replace(submission, answers=(), overrides=(), remarks=(), unread=())
    found = {exercise.number: empty for exercise in problems.exercises}
    for answer in submission.answers:
        try:
            place = place_of(problems, answer, knows)
        except AttnsolveError as error:
            lost.append(on_line(answer.line, answer.name, error.reason))
            continue
        own = answer._replace(name=place.name, part=place.part, exercise="")
        before = found[place.exercise.number]
        found[place.exercise.number] = replace(before, answers=(*before.answers, own))
    for mark in submission.overrides:
        try:
            place = place_of(problems, mark, knows)
        except AttnsolveError as error:
            lost.append(on_line(mark.line, f"mark {mark.name}", error.reason))
            continue
        before = found[place.exercise.number]
        own_mark = mark._replace(name=place.name, part=place.part, exercise="")
        found[place.exercise.number] = replace(before, overrides=(*before.overrides, own_mark))
    return found, tuple(lost)


def place_of(problems: ProblemSet, answer: Answer | Override, knows: Knows) -> Place:
    """The value that an answer or a mark is for: by its own name, else by the headings above it."""
    heading = heading_of(problems, answer)
    if heading is not None and has_part(heading.exercise, answer.name.partition(".")[0]):
        return heading._replace(name=answer.name)
    by_name = addressed(problems, answer.name)
    if by_name is not None:
        return by_name
    if heading is not None:
        return heading._replace(name=answer.name)
    return only_known(problems, answer.name, answer.part, knows)


def heading_of(problems: ProblemSet, answer: Answer | Override) -> Place | None:
    """The exercise and the part of the headings above an answer or a mark, where they name an exercise."""
    part = answer.part
    if answer.exercise and part != answer.exercise:
        exercise = numbered(problems, answer.exercise)
        if has_part(exercise, part) or not part[:1].isdigit():
            return Place(exercise, "", part)
    found = ADDRESS.fullmatch(part.lower())
    return None if found is None else Place(numbered(problems, found["number"]), "", found["part"] or "")


def addressed(problems: ProblemSet, name: str) -> Place | None:
    """What a name such as `2b.A`, `2.A` or `2b` says by itself; None where it says no exercise."""
    head, dot, rest = name.partition(".")
    found = ADDRESS.fullmatch(head.lower())
    if found is None:
        return None
    exercise, part = numbered(problems, found["number"]), found["part"] or ""
    ids = [one.id for one in exercise.problem.parts]
    if part and part not in ids:
        raise AttnsolveError(
            reason(
                "there is no part {part} in exercise {number}; its parts are {parts}",
                part=part,
                number=exercise.number,
                parts=", ".join(ids),
            )
        )
    if dot:
        return Place(exercise, f"{part}.{rest}" if part else rest)
    if not part and len(ids) > 1:
        raise AttnsolveError(
            reason(
                "which part of exercise {number}? write {example}",
                number=exercise.number,
                example=exercise.label(ids[0]),
            )
        )
    return Place(exercise, part or ids[0])


def numbered(problems: ProblemSet, number: str) -> Exercise:
    """The exercise with a number."""
    for exercise in problems.exercises:
        if exercise.number == int(number):
            return exercise
    raise AttnsolveError(
        reason(
            "there is no exercise {number}; there are {count}", number=number, count=len(problems.exercises)
        )
    )


def only_known(problems: ProblemSet, name: str, part: str, knows: Knows) -> Place:
    """The value of the only exercise that has one of this name, where nothing says which is meant."""
    found = [exercise for exercise in problems.exercises if knows(exercise, name, part)]
    if len(found) == 1:
        return Place(found[0], name, part)
    first = problems.exercises[0]
    example = f"{first.label(first.problem.parts[0].id)}.A"
    if found:
        said = reason(
            "more than one exercise has such a value; write the exercise before it, such as {example}",
            example=example,
        )
    else:
        said = reason(
            "no exercise has a value of this name; write the exercise before it, such as {example}",
            example=example,
        )
    raise AttnsolveError(said)


def has_part(exercise: Exercise, part: str) -> bool:
    """Whether an exercise has a part of this name."""
    return any(one.id == part for one in exercise.problem.parts)
