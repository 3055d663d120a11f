"""The exercises of a pool beside one another, in the report on a class."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.class_statistics import DEALS
from attnsolve.marks import in_figures
from attnsolve.pool_statistics import PoolResult
from attnsolve.rendering.shares import percent
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, prose, say, sentence


class PoolView(NamedTuple):
    """One pool: its exercises, and whether they are equally hard."""

    exercises: Table
    about: Segments


def pool_view(pool: PoolResult) -> PoolView:
    """A line for each exercise: its people, their share of its marks, and of all else."""
    heads = (
        say("exercise"),
        say("title"),
        say("people"),
        say("marks"),
        say("share"),
        say("the same people elsewhere"),
    )
    rows = tuple(
        (
            sentence(str(one.number)),
            prose(one.title),
            sentence(str(len(one.results))),
            sentence(in_figures(one.possible)),
            sentence(percent(one.share)),
            sentence(percent(one.elsewhere)),
        )
        for one in pool.exercises
    )
    return PoolView(Table((), heads, rows), chance_sentence(pool))


def chance_sentence(pool: PoolResult) -> Segments:
    """How often chance alone makes the exercises differ as much."""
    times = pool.as_uneven_by_chance
    if times is None:
        return say("There are too few marks to tell whether one of these exercises is harder.")
    return say(
        "What people earned here above the rest of their papers, dealt out at random {deals} times, made the "
        "exercises differ as much or more {times} times: below about {few} one may doubt that they are "
        "equally hard.",
        deals=DEALS,
        times=times,
        few=DEALS // 20,
    )
