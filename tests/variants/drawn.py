"""Variants of every bundled problem, drawn once for all tests, and small problems to draw from."""

from functools import cache
from pathlib import Path

from attnsolve.variants import Blueprint, Drawer, Variant, key_of_seed
from attnsolve.variation import GENERATION

BUNDLED = sorted(Path(__file__).parents[2].joinpath("problems").glob("*.yaml"))
# A few have no `vary:`; exams are drawn from the others.
PROBLEMS = {path.stem: path for path in BUNDLED if "\nvary:" in path.read_text("utf-8")}
# Five of each, but fewer of those that take long.
FEWER = {"ways-to-compare": 1, "encoder-block": 1, "decoder-block": 1}
FEWER |= {
    "causal-self-attention": 2,
    "lab-5-scores": 2,
    "other-normalisers": 2,
    "shared-keys-and-masks": 2,
    "tiny-gpt": 1,
}
SEED = 2026


@cache
def drawer(name: str, seed: int = SEED, generation: int = GENERATION) -> Drawer:
    return Drawer(Blueprint.read(PROBLEMS[name], generation=generation), key_of_seed(seed))


@cache
def variants(name: str) -> tuple[Variant, ...]:
    return tuple(drawer(name).draw(str(number)) for number in range(1, FEWER.get(name, 5) + 1))


DATA = "given:\n  q: 1 2\n  K: 1 0; 0 1; 1 1\n  V: 1 0; 0 1; 2 3\n"
ATTEND = "  - ask: What?\n    attend: {queries: q, keys: K, values: V, divide_by: none}\n"
VARY = "q: -2..2, K: -2..2, V: -3..3"


def blueprint(vary: str = VARY, *, data: str = DATA, parts: str = ATTEND, name: str = "small") -> Blueprint:
    """A small problem that says this about its variants; nothing at all if `vary` is empty."""
    said = f"vary: {{{vary}}}\n" if vary else ""
    return Blueprint(f"format: 1\ntitle: T\n{data}parts:\n{parts}{said}", name=name)


def small(vary: str = VARY, *, data: str = DATA, parts: str = ATTEND) -> Drawer:
    return Drawer(blueprint(vary, data=data, parts=parts), key_of_seed(1))
