"""Problems with numbers of the whole grammar: each is solved and printed, or refused in words."""

from random import Random

import fuzz_costs
import pytest

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.exact.combinations import Combination
from attnsolve.exact.forms import MOST_WORK, Forms
from attnsolve.loader import loads
from attnsolve.mistakes import WrongPlan
from attnsolve.rendering import answers, render

# Those that once took minutes, gigabytes or a traceback, by seed and number, and a few others.
ONCE_TOO_COSTLY = [(1, 93), (1, 101), (1, 132), (2, 17), (2, 97), (2, 242), (3, 211)]


def test_every_fifth_problem_is_large() -> None:
    assert fuzz_costs.text_of(1, 4) == fuzz_costs.large(Random("1 4"))
    assert fuzz_costs.text_of(1, 3) == fuzz_costs.drawn(Random("1 3"))


@pytest.mark.parametrize(("seed", "place"), [*ONCE_TOO_COSTLY, *((5, place) for place in range(12))])
def test_a_problem_is_solved_and_printed_or_refused(seed: int, place: int) -> None:
    found = fuzz_costs.cost(fuzz_costs.drawn(Random(f"{seed} {place}")))
    assert found.is_refused or found.printing, found.said  # how long it took is for the script to say


@pytest.mark.parametrize("place", [93, 101])
def test_what_was_too_long_for_a_proof_is_not_multiplied_out_in_every_later_step(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two layers, in which one proof after the other once began with the first layer again."""
    spent: list[int] = []
    is_affordable = Forms.is_affordable

    def counted(forms: Forms, work: int) -> bool:
        spent.append(work if is_affordable(forms, work) else 0)
        return bool(spent[-1]) or not work

    monkeypatch.setattr(Forms, "is_affordable", counted)
    solve(loads(fuzz_costs.drawn(Random(f"1 {place}"))))
    assert MOST_WORK < sum(spent) < 6 * MOST_WORK


@pytest.mark.parametrize("place", [17, 18, 26])
def test_sums_of_many_terms_are_put_together_only_while_that_is_affordable(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a second layer over a dozen tokens: each of these was added up more than 100,000 times."""
    added: list[Combination] = []
    add = Combination.__add__

    def counted(one: Combination, other: Combination) -> Combination:
        added.append(add(one, other))
        return added[-1]

    monkeypatch.setattr(Combination, "__add__", counted)
    render(solve(loads(fuzz_costs.large(Random(f"1 {place}")))), to="markdown")
    assert 0 < len(added) < 20_000


def test_a_page_carries_few_mistakes_out_where_each_costs_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cosines between 14 tokens under 1.5-entmax: each of a dozen mistakes took as long as the solution."""
    tried: list[WrongPlan] = []
    monkeypatch.setattr(answers, "carried_out", lambda trace, plan: tried.append(plan))
    render(solve(loads(fuzz_costs.large(Random("6 49")))), to="markdown")
    assert answers.MOST_DEAR == len(tried)


@pytest.mark.parametrize(("small", "is_solved"), [("1/100", True), ("1/1000", True), ("1e-9", False)])
def test_exponents_of_different_sizes_make_no_power_that_nobody_calculates_with(
    small: str, is_solved: bool
) -> None:
    """e^100 is (e^(1/1000))^100000, whose factors were once sought, in gigabytes."""
    text = f"""
format: 1
title: One large and one small
assume: {{t: real}}
given: {{q: 1 2, K: '100 0; {small} t; 3 1; -1 t', V: '1 -2; 2 3; 4 -5; 0 t'}}
parts:
  - ask: Find the weights. For which $t$ is the second one a quarter?
    attend: {{queries: q, keys: K, values: V, divide_by: none}}
    solve: {{for: t, so that: alpha_2 = 1/4}}
"""
    if is_solved:
        render(solve(loads(text)), to="markdown")
        return
    with pytest.raises(AttnsolveError, match="exponents of e whose sizes are too different"):
        solve(loads(text))


def plan_of(count: int, first: str, next_one: str) -> str:
    """A plan of so many calls, each of what the one before it has made."""
    calls = [first, *(next_one.format(f"A{place}") for place in range(count - 1))]
    lines = [f"      - {{A{place}: '{call}'}}" for place, call in enumerate(calls)]
    head = "format: 1\ntitle: A chain\ngiven: {X: 1/3 2; 3 4/7}\nparts:\n  - ask: Go on.\n    plan:\n"
    return head + "\n".join(lines) + "\n"


def test_numbers_that_get_twice_as_long_with_every_step_are_refused() -> None:
    """A matrix squared sixty times has 2^60 digits."""
    text = plan_of(60, "product(X, X)", "product({0}, {0})")
    with pytest.raises(AttnsolveError, match=r"step a.A\d\d \(product\): its numbers have more than 100000"):
        solve(loads(text))
    assert 12 == len(solve(loads(plan_of(12, "product(X, X)", "product({0}, {0})"))).steps)


def test_a_tower_of_steps_that_cannot_be_followed_is_refused() -> None:
    text = plan_of(300, "softmax(X)", "softmax({0})")
    with pytest.raises(AttnsolveError, match=r"step a.A\d+ \(softmax\): too many steps stand on top of one"):
        solve(loads(text))


def test_a_given_number_is_printed_however_long_it_is() -> None:
    """Fifteen roots inside one another are 1.618…, and more than a line."""
    number = "sqrt(1+" * 15 + "2" + ")" * 15
    given = f"given: {{S: '{number} 0'}}"
    text = f"format: 1\ntitle: Roots\n{given}\nparts: [{{ask: x, plan: [{{A: softmax(S)}}]}}]\n"
    assert 15 <= render(solve(loads(text)), to="latex").text.count(r"\sqrt{")
