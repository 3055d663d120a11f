"""Dealing exercises of pools: so many for everybody, all equally frequent, papers equally long."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from attnsolve.exams.dealing import dealt, usual_effort
from attnsolve.problem_set import Pool
from attnsolve.variants.generator import Stream, key_of_seed

FOUR = Pool(2, (2, 3, 4, 5))
# 10 + 40 and 20 + 30 are the only equal pairs.
STAIRS = {2: 10, 3: 20, 4: 30, 5: 40}
ALIKE = dict.fromkeys(range(1, 50), 100)


def people(count: int) -> list[str]:
    return [f"s{number}" for number in range(count)]


def deal(
    *pools: Pool,
    count: int = 30,
    efforts: dict[int, int] = ALIKE,
    out: dict[int, int] | None = None,
    seed: int = 1,
) -> dict[str, tuple[int, ...]]:
    stream = Stream(key_of_seed(seed), "pools")
    return dealt(pools, people(count), efforts=efforts, out=out or {}, stream=stream)


@pytest.mark.parametrize("count", [1, 2, 7, 30, 101])
@pytest.mark.parametrize(
    "pools",
    [(FOUR,), (Pool(1, (1, 2, 3)),), (Pool(3, (1, 2, 3)),), (Pool(1, (1, 2)), Pool(3, (4, 5, 6, 7, 8)))],
    ids=["2 of 4", "1 of 3", "3 of 3", "two pools"],
)
@pytest.mark.parametrize("power", [0, 2], ids=["alike", "apart"])
def test_everybody_has_so_many_of_each_pool(pools: tuple[Pool, ...], count: int, power: int) -> None:
    efforts = {number: number**power for number in range(1, 50)}
    hands = deal(*pools, count=count, efforts=efforts)
    assert set(people(count)) == set(hands)
    for hand in hands.values():
        assert len(hand) == len(set(hand)) == sum(pool.choose for pool in pools)
        for pool in pools:
            assert pool.choose == len(set(hand) & set(pool.numbers))
    counts = Counter(number for hand in hands.values() for number in hand)
    for pool in pools:
        own = [counts[number] for number in pool.numbers]
        assert max(own) - min(own) <= 1


def test_papers_are_equally_long_where_that_is_possible() -> None:
    hands = deal(FOUR, efforts=STAIRS)
    assert {50} == {sum(STAIRS[number] for number in hand) for hand in hands.values()}
    assert {15} == set(Counter(number for hand in hands.values() for number in hand).values())


def test_one_pool_makes_up_for_another() -> None:
    """5 or 15 of the first, 10 or 20 of the second: 5 with 20 and 15 with 10, never 15 with 20."""
    efforts = {1: 5, 2: 15, 3: 10, 4: 20}
    hands = deal(Pool(1, (1, 2)), Pool(1, (3, 4)), efforts=efforts)
    assert {(1, 4): 15, (2, 3): 15} == Counter(hands.values())


def test_the_spread_is_no_wider_than_any_equal_use_allows() -> None:
    """An exercise of 100 beside four of 10 is on two papers of five: 110 there, and 20 on the others."""
    hands = deal(Pool(2, (1, 2, 3, 4, 5)), count=30, efforts={1: 10, 2: 10, 3: 10, 4: 10, 5: 100})
    sums = Counter(sum(100 if number == 5 else 10 for number in hand) for hand in hands.values())
    assert {110: 12, 20: 18} == sums


def test_where_all_are_equally_long_all_combinations_occur() -> None:
    hands = deal(FOUR, count=60)
    assert set(combinations(FOUR.numbers, 2)) == set(hands.values())


def test_only_the_key_decides_and_who_is_there() -> None:
    first = deal(FOUR, efforts=STAIRS)
    assert first == deal(FOUR, efforts=STAIRS)
    backwards = dealt(
        (FOUR,), people(30)[::-1], efforts=STAIRS, out={}, stream=Stream(key_of_seed(1), "pools")
    )
    assert first == backwards
    assert first != deal(FOUR, efforts=STAIRS, seed=2)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "out", [{}, {2: 15, 3: 15, 4: 15, 5: 15}, {2: 16, 3: 15, 4: 15, 5: 16}, {2: 15, 3: 15, 4: 16, 5: 16}]
)
def test_whoever_comes_alone_has_a_usual_paper(out: dict[int, int], seed: int) -> None:
    (hand,) = deal(FOUR, count=1, efforts=STAIRS, out=out, seed=seed).values()
    after = Counter(out) + Counter(hand)
    assert 50 == sum(STAIRS[number] for number in hand)
    assert max(after.values()) - min(after[number] for number in FOUR.numbers) <= 2


def test_whoever_comes_later_has_what_is_rare() -> None:
    hands = deal(FOUR, count=2, out={2: 5, 3: 5, 4: 3, 5: 3})
    assert {(4, 5): 2} == Counter(hands.values())


def test_a_class_of_thousands_is_dealt_at_once() -> None:
    efforts = {number: 7 * number for number in range(1, 7)}
    hands = deal(Pool(3, (1, 2, 3, 4, 5, 6)), count=2000, efforts=efforts)
    counts = Counter(number for hand in hands.values() for number in hand)
    assert {1000} == set(counts.values())


def test_the_usual_work_of_a_pool_is_a_mean() -> None:
    assert Fraction(50) == usual_effort(FOUR, STAIRS)
    assert Fraction(25, 3) == usual_effort(Pool(1, (1, 2, 3)), {1: 5, 2: 10, 3: 10})
