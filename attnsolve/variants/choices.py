"""Questions of choice in variants: everybody has as many options, in an order of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from attnsolve.choice import FEWEST
from attnsolve.choice_options import options_of
from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import loads
from attnsolve.loader.choice_pins import Pin, pinned
from attnsolve.problem import Part, Problem
from attnsolve.trace import Trace
from attnsolve.variants.forms import Form
from attnsolve.variants.generator import Stream
from attnsolve.variation import GENERATION

ORDERS = 1_000_000


def has_choices(problem: Problem) -> bool:
    """Whether there is something to tick."""
    return any(part.choice is not None for part in problem.parts)


def number_of_options(trace: Trace, part: Part, generation: int) -> int:
    """How many options a part has on these numbers; none where they cannot be made."""
    try:
        return len(options_of(trace, part, generation=generation))
    except AttnsolveError:
        return 0


def usual_options(form: Form, traces: Iterable[Trace]) -> dict[str, int]:
    """How many options each question of a form can have, as a sample shows; where fewer are allowed, two."""
    sample, generation = list(traces), form.vary.generation
    return {
        part.id: FEWEST
        if form.allows("choice", part.id)
        else max(FEWEST, *(number_of_options(trace, part, generation) for trace in sample))
        for part in form.problem.parts
        if part.choice is not None
    }


def has_fewer(trace: Trace, usual: Mapping[str, int], generation: int) -> bool:
    """Whether some question has fewer options than usual, because values come too near to each other."""
    return any(
        number_of_options(trace, part, generation) < usual[part.id]
        for part in trace.problem.parts
        if part.id in usual
    )


def settled(
    text: str, trace: Trace, stream: Stream, *, generation: int, limits: Limits = LIMITS
) -> tuple[str, Trace]:
    """The file and the trace of a variant with the order of its options, and the mistakes behind them."""
    pins: dict[int, Pin] = {}
    parts = list(trace.problem.parts)
    for number, part in enumerate(parts):
        if part.choice is None:
            continue
        order = str(stream.below(ORDERS))
        options = options_of(trace, part, generation=generation)
        mistakes = tuple(option.mistake for option in options if option.mistake)
        if part.choice.seed:  # else the file wants its own order
            pins[number] = Pin(order, mistakes)
            question = part.choice._replace(options=None, mistakes=mistakes, seed=order)
            parts[number] = part._replace(choice=question)
    problem = trace.problem._replace(parts=tuple(parts))
    return pinned(text, pins, limits=limits), trace._replace(problem=problem)


class FixedQuestions:
    """A problem in which nothing varies but the order of its options."""

    def __init__(
        self,
        text: str,
        *,
        name: str,
        folder: Path,
        key: bytes,
        limits: Limits = LIMITS,
        generation: int = GENERATION,
    ) -> None:
        self.text, self.name, self.key, self.limits = text, name, key, limits
        self.generation = generation
        self.trace = solve(loads(text, name=name, folder=folder, limits=limits))

    def drawn(self, identity: str) -> str:
        """The problem file of an identity."""
        stream = Stream(self.key, self.name, identity, "choices")
        return settled(self.text, self.trace, stream, generation=self.generation, limits=self.limits)[0]
