"""What depends on the form of a problem, not on its numbers: found once, kept for all its variants."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from attnsolve.identity import Same
from attnsolve.languages import own_words, spoken
from attnsolve.problem import Call, Part, Problem

# Sheets are made of one problem after another, or of many variants of one.
MOST_FORMS = 64
# And a problem is asked about again and again while its paper, its solution and its key are made.
MOST_AT_ONCE = 16

Known = dict[Hashable, Any]
Answer = TypeVar("Answer")
More = ParamSpec("More")


class Named(Protocol):
    """Whatever can remember what was found out about a form."""

    known: Known


Asked = TypeVar("Asked", bound=Named)


def known_of(problem: Problem, part: Part, style: str) -> Known:
    """What is known already about a part of a problem, whatever its numbers are."""
    return _known_of(Same(problem), Same(part), style, spoken().code, tuple(own_words().items()))


@lru_cache(maxsize=MOST_AT_ONCE)
def _known_of(same: Same[Problem], part: Same[Part], style: str, *words: Hashable) -> Known:
    problem = same.thing
    givens = tuple([(name, given.role, given.vector, given.shown) for name, given in problem.givens.items()])
    plan = Same(problem.parts), part, Same(problem.frames), Same(problem.symbols)
    written = problem.convention, tuple(problem.labels.items()), problem.index_from, style
    return _known(plan, givens, *written, *words)


@lru_cache(maxsize=MOST_FORMS)
def _known(*form: Hashable) -> Known:
    return {}


def kept(find: Callable[[Asked, str], Answer]) -> Callable[[Asked, str], Answer]:
    """A method whose answer about a name depends on the form alone: asked often, found once."""
    question = find.__name__

    @wraps(find)
    def answer(self: Asked, name: str) -> Answer:
        key = question, name
        found: Answer | None = self.known.get(key)
        if found is None:
            found = self.known[key] = find(self, name)
        return found

    return answer


def kept_of_call(
    find: Callable[Concatenate[Call, Asked, More], Answer],
) -> Callable[Concatenate[Call, Asked, More], Answer]:
    """The same for a function of a call; one of another plan that makes the same name is told apart."""
    question = find.__name__

    @wraps(find)
    def answer(call: Call, notation: Asked, /, *more: More.args, **none: More.kwargs) -> Answer:
        key = question, call.out, *more
        found: tuple[Call, Answer] | None = notation.known.get(key)
        if found is None or found[0] is not call:
            found = notation.known[key] = call, find(call, notation, *more, **none)
        return found[1]

    return answer


def kept_of_part(find: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    """The same for a function of a part as it is written."""
    question = find.__name__

    @wraps(find)
    def answer(notation: Asked) -> Answer:
        found: Answer | None = notation.known.get(question)
        if found is None:
            found = notation.known[question] = find(notation)
        return found

    return answer
