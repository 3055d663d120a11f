"""The search takes the same way with and without its short cuts; judges see no step that is not needed."""

from collections.abc import Iterator

import pytest
from variants.drawn import blueprint, drawer

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.problem import Call, Problem
from attnsolve.trace import Step, Trace
from attnsolve.variants import candidates, rough_search
from attnsolve.variants.blueprint import Blueprint
from attnsolve.variants.candidates import Candidate, judged
from attnsolve.variants.forms import Form, values_along
from attnsolve.variants.generator import Stream
from attnsolve.variants.judges import objections_to_steps
from attnsolve.variants.rough_search import RoughClimb, Slips, telling_slips

PROBLEMS = ("ways-to-compare", "sparse-attention", "ist-practical-10", "causal-self-attention")
PART = "  - ask: What?\n    attend: {{queries: q, keys: K, values: V, divide_by: {}}}\n"


def form_of(name: str) -> Form:
    return next(forms(drawer(name).blueprint))


def forms(blueprint: Blueprint) -> Iterator[Form]:
    for selection in blueprint.selections():
        yield blueprint.form(selection)


def climbed(form: Form, number: int, *, slips: Slips) -> RoughClimb:
    """Numbers after a climb, a shake and another climb."""
    climb = RoughClimb(form, Stream(b"test", number), slips=slips)
    climb.start()
    climb.climb()
    climb.shake(lighter=bool(number % 2))
    climb.climb()
    return climb


@pytest.mark.parametrize("name", PROBLEMS)
def test_short_cuts_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    form = form_of(name)
    slips = telling_slips(form)
    quick = [climbed(form, number, slips=slips) for number in range(3)]
    monkeypatch.setattr(rough_search, "ROUNDING", float("inf"))  # nothing is ever too much
    monkeypatch.setattr(form, "twins", {})
    for number, one in enumerate(quick):
        other = climbed(form, number, slips=slips)
        assert one.drawn() == other.drawn()
        assert list(one.costs.items()) == list(other.costs.items())  # also in order: one is chosen by it
        assert one.stream.below(10**9) == other.stream.below(10**9)


def test_what_costs_too_much_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    def counted(calls: tuple[Call, ...], values: dict[str, Matrix], *, problem: Problem) -> dict[str, Matrix]:
        counts[-1] += len(calls)
        return values_along(calls, values, problem=problem)

    monkeypatch.setattr(rough_search, "values_along", counted)
    form = form_of("ways-to-compare")
    for rounding in (rough_search.ROUNDING, float("inf")):
        monkeypatch.setattr(rough_search, "ROUNDING", rounding)
        counts.append(0)
        climbed(form, 1, slips={})
    assert counts[0] < counts[1]


def test_parts_that_begin_alike_are_carried_out_once() -> None:
    twins = form_of("ways-to-compare").twins
    assert {"b.S": "a.S", "f.S": "c.S", "g.S": "c.S", "h.S": "c.S"} == twins


def test_what_is_scaled_otherwise_is_not_alike() -> None:
    (form,) = forms(blueprint(parts=PART.format("2*3") + PART.format("2+3")))
    assert {"b.S": "a.S"} == form.twins


def whole(problem: Problem) -> tuple[Step, ...]:
    try:
        return solve(problem).steps
    except AttnsolveError:
        return ()


def test_judges_say_the_same_step_by_step_and_stop_at_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    form = form_of("ways-to-compare")
    taken: list[Step] = []
    carried_out = candidates.carried_out

    def spied(problem: Problem, steps: list[Step], *, begun: Trace) -> Iterator[Step]:
        for step in carried_out(problem, steps, begun=begun):
            taken.append(step)
            yield step

    monkeypatch.setattr(candidates, "carried_out", spied)
    found = set()
    for number in range(12):
        climb = climbed(form, number, slips={})
        taken.clear()
        made = judged(form, climb, None)
        steps = whole(form.filled(climb.drawn()))
        if not taken or not steps:
            continue
        said = next(objections_to_steps(form, steps), "")
        found.add(said)
        assert said == ("" if isinstance(made, Candidate) else made[0])
        if said:
            assert len(taken) < len(steps)
            assert said in objections_to_steps(form, taken)
            assert said not in objections_to_steps(form, taken[:-1])
    assert {"", "equal_weights"} <= found
