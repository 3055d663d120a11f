"""Drawing many variants, in this process or in several: the same ones, in the same order."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from attnsolve import lifeline
from attnsolve.documents import parse
from attnsolve.errors import AttnsolveError
from attnsolve.exams.answers import answers_of, weights_of
from attnsolve.exams.lock import Drawn
from attnsolve.exams.seating import Wish
from attnsolve.exams.set_drawing import SetDrawer, SetVariant
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.sheet_format import is_set
from attnsolve.problem_set import Solved
from attnsolve.reasons import Reason
from attnsolve.variants import Blueprint, Drawer, Selection, Variant, drawer_for
from attnsolve.variation import GENERATION

# A process takes so many at a time: handing them over must cost nothing, nor waiting for the last.
LEAST, MOST = 20, 40
# And so many such portions are handed out to each, before what became of the first is taken.
AHEAD = 3
Item = TypeVar("Item")
Made = TypeVar("Made")


class Ended(AttnsolveError):
    """A process that something else has ended: what is drawn stays, and the same command goes on."""


class Pattern(NamedTuple):
    """What variants are drawn from, and the key that decides them; a process is told this and no more."""

    text: str
    name: str
    folder: Path
    key: bytes
    limits: Limits = LIMITS
    generation: int = GENERATION  # of files that name none


class Wanted(NamedTuple):
    """A variant that is to be drawn: for whom, and with which exercises where papers have different ones."""

    identity: str
    lineup: tuple[int, ...] = ()


class Basis(NamedTuple):
    """What belongs to the problem or the problem set that variants are drawn from."""

    version: int
    band: Fraction
    usual: int  # the work of a usual variant
    original: int  # and of what was typed
    allowed: Mapping[str, tuple[str, ...]]
    inseparable: tuple[Reason, ...]


def basis_of(drawer: Drawer | SetDrawer) -> Basis:
    """What an exam keeps of a drawer."""
    if isinstance(drawer, SetDrawer):
        version, band, original, allowed = (
            drawer.version,
            drawer.band,
            drawer.original_effort,
            drawer.allowed,
        )
    else:
        vary, problem = drawer.blueprint.vary, drawer.blueprint.problem
        version, band, original = vary.version, vary.band, drawer.effort_of(problem)
        allowed = {part.id: {*part.allow, *vary.allow} for part in problem.parts}
    return Basis(
        version,
        band,
        drawer.usual_effort,
        original,
        {part: tuple(sorted(judges)) for part, judges in allowed.items() if judges},
        drawer.inseparable(),
    )


@lru_cache(maxsize=2)
def drawer_of(pattern: Pattern) -> Drawer | SetDrawer:
    """The drawer of a pattern, kept with all it has found out; a forked process finds it made already."""
    if is_set(parse(pattern.text.encode(), pattern.name, limits=pattern.limits)):
        return SetDrawer(**pattern._asdict())
    text, name, folder, key, limits, generation = pattern
    blueprint = Blueprint(text, name=name, folder=folder, limits=limits, generation=generation)
    return drawer_for(blueprint, key)


def draw_all(
    pattern: Pattern, wanted: Sequence[Wanted], *, jobs: int = 1
) -> Generator[tuple[Drawn, Solved | None], None, None]:
    """All variants that are wanted, in order, each with its trace where that need not be made again."""
    if not wanted:
        return
    drawer = drawer_of(pattern)
    if is_small(len(wanted), jobs):
        for one in wanted:
            variant = variant_of(drawer, one)
            yield drawn(variant), variant.trace
        return
    prepare(drawer)
    for made in in_processes(partial(draw_chunk, pattern), wanted, len(wanted), jobs=jobs):
        yield from ((one, None) for one in made)


def in_processes(
    work: Callable[[Sequence[Item]], Made], items: Iterable[Item], count: int, *, jobs: int
) -> Iterator[Made]:
    """What becomes of some items, a chunk at a time and in order; here, if one process is enough.

    No more is handed out than keeps all processes busy, so that nothing piles up.
    """
    if is_small(count, jobs):
        yield from (work([item]) for item in items)
        return
    size, left = chunk_size(count, jobs), iter(items)
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(
        min(jobs, -(-count // size)), mp_context=context(), initializer=lifeline.end_with_parent
    )
    waiting = deque[Future[Made]]()
    try:
        while chunk := list(islice(left, size)):
            waiting.append(executor.submit(done, work, chunk))
            if len(waiting) > AHEAD * jobs:
                yield lifeline.result_of(waiting.popleft())
        yield from map(lifeline.result_of, waiting)
    except BrokenProcessPool:
        raise Ended("a process was ended from outside; the same command goes on where it stopped") from None
    except BaseException:  # nobody waits for what is still being made
        lifeline.end(set(multiprocessing.active_children()) - others)
        raise
    finally:
        with suppress(RuntimeError):  # stopped before the pool's own thread was started
            executor.shutdown(wait=True, cancel_futures=True)


def chunk_size(count: int, jobs: int) -> int:
    """How many each process takes at a time."""
    return min(MOST, max(LEAST, count // (4 * jobs)))


def is_small(count: int, jobs: int) -> bool:
    """Whether so many are not worth another process."""
    return jobs == 1 or count <= chunk_size(count, jobs)


def prepare(drawer: Drawer | SetDrawer) -> None:
    """Find out beforehand what belongs to the problem: processes that are forked then know it."""
    drawer.inseparable()
    assert drawer.usual_effort >= 0


def context() -> multiprocessing.context.BaseContext:
    """Processes that begin with all that is known here, where the system has them."""
    known = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in known else "spawn")


def done(work: Callable[[Sequence[Item]], Made], items: Sequence[Item]) -> Made:
    """What becomes of some items, in another process, which ends when it is asked to."""
    with lifeline.tidying():
        return work(items)


def draw_chunk(pattern: Pattern, wanted: Sequence[Wanted]) -> list[Drawn]:
    """Some variants, in another process."""
    drawer = drawer_of(pattern)
    return [drawn(variant_of(drawer, one)) for one in wanted]


def variant_of(drawer: Drawer | SetDrawer, wanted: Wanted | Wish) -> Variant | SetVariant:
    """The variant that is wanted."""
    if isinstance(drawer, SetDrawer):
        return drawer.draw(wanted.identity, wanted.lineup)
    return drawer.draw(wanted.identity)


def drawn(variant: Variant | SetVariant) -> Drawn:
    """A variant without its trace, which its file gives back."""
    selection = "" if variant.selection == Selection() else str(variant.selection)
    return Drawn(
        identity=variant.identity,
        text=variant.text,
        effort=variant.effort,
        selection=selection,
        refused=dict(sorted(variant.refused.items())),
        weights=weights_of(variant.trace),
        answers=answers_of(variant.trace),
        lineup=variant.lineup if isinstance(variant, SetVariant) else (),
    )
