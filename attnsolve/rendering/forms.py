"""What depends on the form of a problem, not on its numbers: found once, kept for all its variants."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from attnsolve.identity import Same
from attnsolve.languages import own_words, spoken
from attnsolve.problem import Call, Part, Problem

if TYPE_CHECKING:  # one problem needs none of what sets do
    from attnsolve.problem_set import Asked

# Sheets are made of one problem after another, or of many variants of one.
MOST_FORMS = 64
# And a problem is asked about again and again while its paper, its solution and its key are made: some forty
# papers at a time, each of a few parts.
MOST_AT_ONCE = 160

Known = dict[Hashable, Any]
Answer = TypeVar("Answer")
More = ParamSpec("More")


class Noting(Protocol):
    """Whatever can remember what was found out about a form."""

    known: Known


Noted = TypeVar("Noted", bound=Noting)


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


def kept_of_plan(find: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    """A function of a problem that hangs on its questions and their marks alone: found once in a language."""
    question = find.__name__

    @wraps(find)
    def answer(asked: Asked) -> Answer:
        if not isinstance(asked, Problem):
            return find(asked)  # a set makes its parts anew each time
        known = _known(Same(asked.parts), spoken().code, tuple(own_words().items()))
        found: Answer | None = known.get(question)
        if found is None:
            found = known[question] = find(asked)
        return found

    return answer


def kept(find: Callable[[Noted, str], Answer]) -> Callable[[Noted, str], Answer]:
    """A method whose answer about a name depends on the form alone: asked often, found once."""
    question = find.__name__

    @wraps(find)
    def answer(self: Noted, name: str) -> Answer:
        key = question, name
        found: Answer | None = self.known.get(key)
        if found is None:
            found = self.known[key] = find(self, name)
        return found

    return answer


def kept_of_call(
    find: Callable[Concatenate[Call, Noted, More], Answer],
) -> Callable[Concatenate[Call, Noted, More], Answer]:
    """The same for a function of a call; one of another plan that makes the same name is told apart."""
    question = find.__name__

    @wraps(find)
    def answer(call: Call, notation: Noted, /, *more: More.args, **none: More.kwargs) -> Answer:
        key = (question, call.out, *more) if more else (question, call.out)
        found: tuple[Call, Answer] | None = notation.known.get(key)
        if found is None or found[0] is not call:
            found = notation.known[key] = call, find(call, notation, *more, **none)
        return found[1]

    return answer


def kept_of_part(find: Callable[[Noted], Answer]) -> Callable[[Noted], Answer]:
    """The same for a function of a part as it is written."""
    question = find.__name__

    @wraps(find)
    def answer(notation: Noted) -> Answer:
        found: Answer | None = notation.known.get(question)
        if found is None:
            found = notation.known[question] = find(notation)
        return found

    return answer
