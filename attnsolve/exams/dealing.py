"""Who gets which exercises of a pool: each exercise as often as the others, and papers of equal work.

The exercises are dealt like cards: so many copies of each that all are out equally often, and so dealt that
nobody has one twice. Two people may exchange exercises without changing how often each is out, so papers are
made equally long by exchanges between a long one and a short one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from attnsolve.problem_set import Pool
from attnsolve.variants.generator import Stream

# Rounds of exchanges: each pairs everybody with somebody. A few are enough, and they must end.
ROUNDS = 100
# How much more often one exercise may be out than another when that makes a paper as long as the others:
# never in the first deal, once for those who come later, of whom there may be only one.
LATE = 2

# The numbers of the exercises that somebody has of each pool.
Hand = list[set[int]]


def dealt(
    pools: Sequence[Pool],
    people: Sequence[str],
    *,
    efforts: Mapping[int, int],
    out: Mapping[int, int],
    stream: Stream,
) -> dict[str, tuple[int, ...]]:
    """The exercises of everybody, by their numbers; `out` says how often each is handed out already.

    It does not matter in which order people stand in a roster.
    """
    turns = stream.shuffled(sorted(people))
    hands: list[Hand] = [[] for _ in turns]
    counts = Counter({number: out.get(number, 0) for pool in pools for number in pool.numbers})
    slack = LATE if any(counts.values()) else 1
    for pool in pools:
        cards = copies(pool, counts, len(turns), stream)
        counts.update(cards)
        for place, hand in enumerate(hands):
            hand.append(set(cards[place :: len(hands)]))
    mix(hands, stream)
    even_out(hands, efforts)
    target = sum((usual_effort(pool, efforts) for pool in pools), Fraction(0))
    for hand in hands:
        settle(hand, pools, counts, efforts=efforts, target=target, slack=slack)
    return {who: tuple(sorted(set().union(*hand))) for who, hand in zip(turns, hands, strict=True)}


def usual_effort(pool: Pool, efforts: Mapping[int, int]) -> Fraction:
    """The work of what a paper has of a pool, if each of its exercises is as frequent as the others."""
    return Fraction(pool.choose * sum(efforts[number] for number in pool.numbers), len(pool.numbers))


def copies(pool: Pool, counts: Mapping[int, int], people: int, stream: Stream) -> list[int]:
    """So many copies of each exercise that all are out equally often, but no more than there are people."""
    order = stream.shuffled(pool.numbers)
    own = Counter({number: 0 for number in order})
    for _ in range(pool.choose * people):
        left = [number for number in order if own[number] < people]
        own[min(left, key=lambda number: counts[number] + own[number])] += 1
    return list(own.elements())


def mix(hands: Sequence[Hand], stream: Stream) -> None:
    """Exchange exercises at random, so that all combinations occur."""
    for place, hand in enumerate(hands):
        for pool, own in enumerate(hand):
            other = stream.below(len(hands))
            theirs = hands[other][pool]
            if other == place or own == theirs:
                continue
            mine, yours = stream.choose(sorted(own - theirs)), stream.choose(sorted(theirs - own))
            exchange(own, theirs, mine, yours)


def exchange(own: set[int], theirs: set[int], mine: int, yours: int) -> None:
    """One exercise for another between two people."""
    own.remove(mine)
    theirs.remove(yours)
    own.add(yours)
    theirs.add(mine)


def even_out(hands: Sequence[Hand], efforts: Mapping[int, int]) -> None:
    """Exchange exercises between long and short papers as long as that brings two of them together."""
    shift = 0
    for _ in range(ROUNDS):
        ranked = sorted(hands, key=lambda hand: (effort_of(hand, efforts), sorted(map(sorted, hand))))
        moved = False
        for place in range(len(ranked) // 2):
            long, short = ranked[len(ranked) - 1 - place], ranked[(place + shift) % (len(ranked) // 2)]
            moved |= brought_together(long, short, efforts)
        shift = 0 if moved else shift + 1
        if shift > len(ranked) // 2:
            return


def brought_together(long: Hand, short: Hand, efforts: Mapping[int, int]) -> bool:
    """Make the best exchange between two papers, if one makes their work more alike."""
    apart = effort_of(long, efforts) - effort_of(short, efforts)
    best = min(
        (
            (abs(apart - 2 * (efforts[mine] - efforts[yours])), pool, mine, yours)
            for pool, (own, theirs) in enumerate(zip(long, short, strict=True))
            for mine in own - theirs
            for yours in theirs - own
        ),
        default=None,
    )
    if best is None or best[0] >= abs(apart):
        return False
    _, pool, mine, yours = best
    exchange(long[pool], short[pool], mine, yours)
    return True


def settle(
    hand: Hand,
    pools: Sequence[Pool],
    counts: Counter[int],
    *,
    efforts: Mapping[int, int],
    target: Fraction,
    slack: int,
) -> None:
    """Take others than were dealt where that brings a paper nearer to the usual work and none is too rare."""
    while True:
        here = effort_of(hand, efforts)
        best = min(
            (
                (abs(here - efforts[old] + efforts[new] - target), place, old, new)
                for place, old, new in replacements(hand, pools, counts, slack)
            ),
            default=None,
        )
        if best is None or best[0] >= abs(here - target):
            return
        _, place, old, new = best
        hand[place].remove(old)
        hand[place].add(new)
        counts.subtract([old])
        counts.update([new])


def replacements(
    hand: Hand, pools: Sequence[Pool], counts: Mapping[int, int], slack: int
) -> Iterator[tuple[int, int, int]]:
    """Each exercise of a hand with one of its pool that may replace it, all still out about equally often."""
    for place, (own, pool) in enumerate(zip(hand, pools, strict=True)):
        for old in own:
            for new in set(pool.numbers) - own:
                after = {**{n: counts[n] for n in pool.numbers}, old: counts[old] - 1, new: counts[new] + 1}
                if max(after.values()) - min(after.values()) <= slack:
                    yield place, old, new


def effort_of(hand: Hand, efforts: Mapping[int, int]) -> int:
    """The work of all exercises that somebody has of pools."""
    return sum(efforts[number] for own in hand for number in own)
