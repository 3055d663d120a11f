"""The search in whole numbers sees the scores of the solution, and is content where that on floats is."""

import pytest
from variants.drawn import blueprint, drawer

from attnsolve.engine import solve
from attnsolve.exact.masked import shown, visible
from attnsolve.variants.blueprint import Selection
from attnsolve.variants.climbs import climbs_of
from attnsolve.variants.forms import Form
from attnsolve.variants.generator import Stream
from attnsolve.variants.lattice import lattice_of
from attnsolve.variants.lattice_search import LatticeClimb
from attnsolve.variants.rough_search import RoughClimb
from attnsolve.variants.search import Climb, total

WHOLE = (  # with biases, heads side by side, argmax, chosen queries and a causal mask among them
    "ai539-homework-4",
    "attention-quiz",
    "eecs182-discussion-8",
    "ist-practical-10",
    "ist-practical-10-decoder",
    "tokens-as-columns",
    "two-heads-as-torch-has-them",
)
OTHERS = ("causal-self-attention", "encoder-block", "lab-5-scores", "sparse-attention", "ways-to-compare")


def form_of(name: str) -> Form:
    return drawer(name).blueprint.form(Selection())


def started(form: Form, number: int) -> LatticeClimb:
    climb = climbs_of(form, slips={})(Stream(b"test", number))
    assert isinstance(climb, LatticeClimb)
    climb.start()
    return climb


@pytest.mark.parametrize("name", OTHERS)
def test_these_bundled_problems_need_floats(name: str) -> None:
    assert lattice_of(form_of(name)) is None


@pytest.mark.parametrize("name", WHOLE)
def test_scores_are_those_of_the_solution(name: str) -> None:
    climb = started(form_of(name), 1)
    climb.climb()
    values = {step.call.out: step.value for step in solve(climb.form.filled(climb.drawn())).steps}
    calls = {call.out: call for call in climb.form.calls}
    for scores in climb.lattice.scores:
        exact = values[calls[scores.weights].args[0]]
        rows = list(scores.lanes.unpacked(scores.ends.number(climb.seen)))
        for i, seen in enumerate(visible(exact).rows):
            assert scores.keep[i] == tuple(j for j, kept in enumerate(seen) if kept)
            for j in scores.keep[i]:
                assert float(shown(exact).cell(i, j).ball(64).mid()) == pytest.approx(
                    rows[i][j] * scores.unit
                )


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_taken_back_leaves_no_trace(name: str) -> None:
    climb = started(form_of(name), 2)
    places = climb.form.places
    for number in range(60):
        climb.change(climb.stream.choose(places), keep_worse=number % 10 == 0, lighter=None)
    again = started(climb.form, 2)
    drawable = climb.lattice.drawable
    again.look(
        {
            name: [tuple(dict(drawable[name])[entry] for entry in row) for row in rows]
            for name, rows in climb.numbers.items()
        }
    )
    assert again.costs == climb.costs
    assert again.seen == climb.seen


@pytest.mark.parametrize("name", WHOLE)
def test_a_change_is_kept_exactly_where_all_costs_together_do_not_grow(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    climb, tried, kept = started(form_of(name), 3), started(form_of(name), 3), set()
    for _ in range(150):
        place = climb.stream.choose(climb.form.places[:3])  # so few that changes come again
        entry, number = climb.stream.choose(climb.lattice.drawable[place.given])
        drawn = {given: [list(row) for row in climb.seen[given].rows] for given in climb.numbers}
        drawn[place.given][place.row][place.column] = number
        tried.look({given: [tuple(row) for row in rows] for given, rows in drawn.items()})
        better = tried.seen != climb.seen and total(tried.costs) <= total(climb.costs)
        monkeypatch.setattr(climb, "_drawn", lambda *_, found=(entry, number), **__: found)
        assert better == climb.change(place, keep_worse=False)
        kept.add(better)
    assert {True, False} == kept


@pytest.mark.parametrize("name", WHOLE)
def test_nothing_costs_anything_where_floats_say_so_too(name: str) -> None:
    form, found = form_of(name), set()
    for number in range(6):
        climb = started(form, number)
        if number % 2:
            climb.climb()
        floats: Climb = RoughClimb(form, Stream(b"test", 0), slips={})
        floats.numbers = climb.numbers
        floats.settle()
        found.add(any(climb.costs.values()))
        costly = {out for out, cost in floats.costs.items() if cost}
        own = {out for out, cost in climb.costs.items() if cost}
        assert own <= costly
        assert bool(own) == bool(costly)
    assert {True, False} == found


MADE = "given:\n  q: 1 2\n  K: 1 0; 0 1; 1 1\n  V: 1 0; 0 1; 2 3\n"
PARTS = {
    "rounded": ("", "round: {carry: 3}\n"),
    "additive": ("score: cosine", ""),
    "sparse": ("weights: sparsemax", ""),
}


@pytest.mark.parametrize("why", PARTS)
def test_what_is_more_than_products_is_searched_on_floats(why: str) -> None:
    setting, head = PARTS[why]
    parts = f"  - ask: What?\n    attend: {{queries: q, keys: K, values: V, divide_by: none, {setting}}}\n"
    form = blueprint(data=f"{head}{MADE}", parts=parts).form(Selection())
    assert lattice_of(form) is None
    assert isinstance(climbs_of(form, slips={})(Stream(b"test")), RoughClimb)


def test_the_first_generation_is_searched_on_floats() -> None:
    form = drawer("ist-practical-10", generation=1).blueprint.form(Selection())
    assert isinstance(climbs_of(form, slips={})(Stream(b"test")), RoughClimb)
