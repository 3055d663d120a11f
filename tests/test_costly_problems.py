"""Problems with numbers of the whole grammar: each is solved and printed, or refused in words."""

from random import Random

import fuzz_costs
import pytest

from attnsolve.engine import solve
from attnsolve.exact.forms import MOST_WORK, Forms
from attnsolve.loader import loads

# Those that once took minutes, gigabytes or a traceback, by seed and number, and a few others.
ONCE_TOO_COSTLY = [(1, 93), (1, 101), (1, 132), (2, 17), (2, 97), (2, 242), (3, 211)]


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
