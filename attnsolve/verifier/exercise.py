"""A solved problem as it is judged: its steps, what the mark scheme allows, the places that are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attnsolve.exact import Matrix
from attnsolve.found_once import found_once
from attnsolve.graph import Graph, graph_of
from attnsolve.problem import Part
from attnsolve.scheme import Scheme
from attnsolve.trace import Step, Trace
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.following.inner_steps import InnerSteps, with_inner_steps


@dataclass(frozen=True, eq=False)
class Exercise:
    """What all calculations of one problem are held against."""

    trace: Trace  # with the inner values that people write
    plan: Trace
    scheme: Scheme
    asked: int  # decimal places

    @classmethod
    def of(cls, trace: Trace, scheme: Scheme | None = None) -> Exercise:
        """A solved problem, judged by its own scheme or another."""
        problem = trace.problem
        asked = problem.places if problem.rounding is None else problem.rounding.carry
        return cls(with_inner_steps(trace), trace, scheme or problem.scheme, asked)

    @found_once
    def inner(self) -> InnerSteps:
        """The values inside steps, and what leads on from them."""
        return InnerSteps(self.plan, self.trace)

    @found_once
    def key(self) -> Key:
        """The right values."""
        return Key(truncation=self.scheme.truncation)

    @found_once
    def graph(self) -> Graph:
        """The plan as a graph."""
        return graph_of(self.trace.problem)

    @found_once
    def steps(self) -> dict[str, Step]:
        """The steps by name."""
        return {step.call.out: step for step in self.trace.steps}

    @found_once
    def order(self) -> tuple[tuple[Part, Step], ...]:
        """Every step with its part, in reading order."""
        return tuple(
            (part, step) for part in self.trace.problem.parts for step in self.trace.of_part(part.id)
        )

    @found_once
    def givens(self) -> Mapping[str, Matrix]:
        """What is given, by name."""
        return {name: given.value for name, given in self.trace.problem.givens.items()}
