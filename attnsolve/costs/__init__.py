"""What a plan costs: its own rules carried out on matrices that only count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attnsolve.costs.crossover import Crossover, crossover
from attnsolve.costs.gru import count_gru
from attnsolve.costs.letters import Letters
from attnsolve.costs.plan_costs import Cost, Costs, StepCost
from attnsolve.errors import AttnsolveError, ShapeError, Uncountable
from attnsolve.exact import Matrix
from attnsolve.exact.counting import BY_NUMBERS, Counted, Counts, Tally
from attnsolve.exact.polynomials import by_name
from attnsolve.graph import Graph, graph_of
from attnsolve.inner_values import is_inner
from attnsolve.ops import Frame, Role
from attnsolve.problem import Call, CostRequest, Part, Problem


def count(problem: Problem, part: Part) -> Costs:
    """The costs that a part asks for."""
    assert part.costs is not None
    aliases = {alias: target for each in problem.parts for alias, target in each.aliases.items()}
    roles = {name: given.role for name, given in problem.givens.items()}
    return count_plans(part.costs, graph_of(problem), aliases, problem.frames, roles)


def count_plans(
    request: CostRequest,
    graph: Graph,
    aliases: Mapping[str, str],
    frames: Mapping[str, Frame],
    roles: Mapping[str, Role],
) -> Costs:
    """The costs of some parts of a problem, all in the same letters.

    A width that only fits when it is a sum of others, such as two heads that together are as wide as a
    token, has no letter of its own: then every width is written as a multiple of d.
    """
    try:
        return _count(request, graph, aliases, frames, Letters(roles))
    except ShapeError:
        return _count(request, graph, aliases, frames, Letters(roles, multiples=True))


def _count(
    request: CostRequest,
    graph: Graph,
    aliases: Mapping[str, str],
    frames: Mapping[str, Frame],
    letters: Letters,
) -> Costs:
    members = {part: with_heads(part, aliases) for part in request.of}
    plan = [call for call in graph.made.values() if not is_inner(call)]  # counted in the step around it
    wanted = {call.out for call in plan for own in members.values() if call.part in own}
    steps = list(count_calls(graph.behind(wanted), frames, letters))
    plans = tuple(
        Cost(part, tuple(step for step in steps if graph.made[step.name].part in own))
        for part, own in members.items()
    )
    beside = None
    if request.beside:
        if not {"l", "d"} <= set(letters.sizes):
            raise AttnsolveError("there is no sequence of tokens here that a GRU could read instead")
        beside = count_gru()
    sizes = {name: letters.sizes[name] for name in sorted(letters.sizes, key=by_name)}
    return Costs(plans, beside, sizes, request.sizes)


def with_heads(part: str, aliases: Mapping[str, str]) -> set[str]:
    """A part and the parts that it takes as its heads: their steps are steps of its plan too."""
    found = {part}
    for alias, target in aliases.items():
        if alias.partition(".")[0] == part:
            found |= with_heads(target, aliases)
    return found


def count_calls(calls: Iterable[Call], frames: Mapping[str, Frame], letters: Letters) -> Iterator[StepCost]:
    """What each call does, found by its own rule."""
    tally = Tally(letters.sizes)
    values: dict[str, Matrix] = {}
    for call in calls:
        inputs: list[Matrix] = []
        for name in call.args:
            if name not in values:
                values[name] = letters.matrix(name, frames[name], inputs, tally)
            inputs.append(values[name])
        try:
            values[call.out] = carried_out(call, inputs)
        except Uncountable as error:
            tally.taken()  # a count that stops halfway is none
            # Its size is known all the same: mostly that of what goes in.
            frame = frames[call.out]
            alike = frame.shape == frames[call.args[0]].shape
            values[call.out] = inputs[0] if alike else letters.matrix(call.out, frame, inputs, tally)
            yield StepCost(call.out, Counts(), str(error))
        except AttnsolveError as error:
            error.args = (f"step {call.out} ({call.op.name}): {error}",)
            raise
        else:
            yield StepCost(call.out, tally.taken())


def carried_out(call: Call, inputs: Sequence[Matrix]) -> Matrix:
    """The result of a call on matrices that count."""
    value = (call.op.counting or call.op.rule)(*inputs, **call.options)
    if isinstance(value, Counted):
        return value
    raise Uncountable(BY_NUMBERS)  # numbers that will be looked for later


__all__ = ["Cost", "Costs", "Crossover", "StepCost", "count", "count_plans", "crossover"]
