"""Which search a form gets: in whole numbers where it can be done so, and since generation 2."""

from __future__ import annotations

from collections.abc import Callable

from attnsolve.variants.forms import Form
from attnsolve.variants.generator import Stream
from attnsolve.variants.lattice import lattice_of
from attnsolve.variants.lattice_search import LatticeClimb
from attnsolve.variants.rough_search import RoughClimb, Slips
from attnsolve.variants.search import Climb

SINCE = 2  # earlier exams keep the numbers that the search on floats has found for them

Climbs = Callable[[Stream], Climb]


def climbs_of(form: Form, *, slips: Slips) -> Climbs:
    """A climb of this form for any stream; `slips` are the mistakes that have to show."""
    lattice = lattice_of(form) if form.vary.generation >= SINCE else None
    if lattice is None:
        return lambda stream: RoughClimb(form, stream, slips=slips)
    return lambda stream: LatticeClimb(form, stream, lattice)
