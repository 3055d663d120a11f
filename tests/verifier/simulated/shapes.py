"""The shapes of our exercises, each drawn with other numbers and sizes every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Any

from verifier.simulated.arithmetic import matrix
from verifier.simulated.calculation import carry_out
from verifier.simulated.exercises import DECIMALS, HALVES, WHOLE, Exercise, Head, numbers
from verifier.simulated.hands import Hand

# Nobody computes e^12 by hand; smaller scores than these have no share at all.
LARGEST, SMALLEST = Decimal(8), Decimal(-12)


def one_query(random: Random, **settings: Any) -> Exercise:
    """A single query, keys and values as they are."""
    n, d = random.randint(2, 5), random.choice((2, 3, 3))
    entries = random.choice((WHOLE, DECIMALS))
    asking, keys = numbers(random, 1, d, entries), numbers(random, n, d, entries)
    return Exercise(
        "one query", asking, keys, numbers(random, n, random.choice((1, 2, 3)), WHOLE), **settings
    )


def as_they_are(random: Random, **settings: Any) -> Exercise:
    """Self-attention without projections."""
    tokens = numbers(random, random.randint(2, 4), random.choice((2, 3)), random.choice((WHOLE, HALVES)))
    return Exercise("tokens as they are", tokens, tokens, tokens, **settings)


def head(random: Random, d_model: int, d_k: int, d_v: int, entries: tuple[str, ...]) -> Head:
    """Random projections."""
    return Head(*(numbers(random, d_model, width, entries) for width in (d_k, d_k, d_v)))


def projected(random: Random, **settings: Any) -> Exercise:
    """Self-attention with projections."""
    d_model, d_k = random.choice(((3, 2), (2, 2), (2, 3), (4, 3), (4, 2)))
    entries = random.choice((WHOLE[1:-1], HALVES, DECIMALS))
    tokens = numbers(random, random.randint(2, 4), d_model, entries)
    own = head(random, d_model, d_k, random.choice((d_k, d_k, 1)), entries)
    return Exercise("projected", tokens, tokens, tokens, (own,), **settings)


def cross(random: Random, **settings: Any) -> Exercise:
    """Cross-attention with projections."""
    d_model, d_k = random.choice(((3, 2), (2, 2), (2, 3)))
    asking = numbers(random, random.randint(1, 3), d_model, HALVES)
    context = numbers(random, random.randint(2, 4), d_model, HALVES)
    own = head(random, d_model, d_k, d_k, WHOLE[2:-1])
    return Exercise("cross-attention", asking, context, context, (own,), **settings)


def two_heads(random: Random, **settings: Any) -> Exercise:
    """Two heads side by side, then W_O."""
    d_model, d_k = random.choice(((2, 1), (2, 2), (4, 2), (3, 2)))
    tokens = numbers(random, random.randint(2, 3), d_model, HALVES)
    heads = tuple(head(random, d_model, d_k, d_k, WHOLE[2:-1]) for _ in range(2))
    W_O = numbers(random, 2 * d_k, random.choice((d_model, d_k)), WHOLE[2:-1])
    return Exercise("two heads", tokens, tokens, tokens, heads, W_O=W_O, **settings)


def additive(random: Random, **settings: Any) -> Exercise:
    """v · tanh(q W + k U) for scores."""
    n, d, hidden = random.randint(2, 4), 2, random.choice((2, 3))
    asking, keys = numbers(random, random.choice((1, 2)), d, HALVES), numbers(random, n, d, HALVES)
    network = (*(numbers(random, d, hidden, HALVES) for _ in range(2)), numbers(random, 1, hidden, WHOLE))
    return Exercise("additive", asking, keys, numbers(random, n, 2, WHOLE), additive=network, **settings)


def small(random: Random, **settings: Any) -> Exercise:
    """Scores such as −9 and −6 over √3, so that all exponentials are small."""
    while True:
        asking, keys = numbers(random, 2, 3, WHOLE), numbers(random, random.choice((2, 3)), 3, WHOLE)
        scores = (asking @ keys.T).flat
        if all(-15 <= score <= -5 for score in scores):
            values = numbers(random, len(keys), 2, WHOLE)
            return Exercise("small exponentials", asking, keys, values, divide_by="sqrt(d_k)", **settings)


def masked(random: Random, exercise: Exercise, kind: str) -> Exercise:
    """The same with later tokens or padding hidden."""
    m, n = len(exercise.asking), len(exercise.keys)
    if kind == "causal":
        keep, said = [[int(j <= i) for j in range(n)] for i in range(m)], "causal: true"
    else:
        each = random.choice((True, False))
        lengths = [random.randint(1, n) for _ in range(m)] if each else [random.randint(1, n - 1)] * m
        keep = [[int(j < length) for j in range(n)] for length in lengths]
        said = f"lengths: {lengths}" if each else f"lengths: {lengths[0]}"
    return replace(exercise, shape=f"{exercise.shape}, {kind}", keep=matrix(keep), mask=said)


def with_mask(make: Callable[..., Exercise], kind: str) -> Callable[..., Exercise]:
    """A shape with a mask."""
    return lambda random, **settings: masked(random, make(random, **settings), kind)


SCALED: dict[str, Any] = {"divide_by": "sqrt(d_k)"}
# Each with what is set for it, beside what is drawn.
SHAPES: tuple[tuple[Callable[..., Exercise], dict[str, Any]], ...] = (
    (one_query, SCALED),
    (one_query, {}),
    (one_query, {"divide_by": "2"}),
    (as_they_are, SCALED),
    (as_they_are, {"columns": True}),
    (projected, SCALED),
    (projected, SCALED),
    (projected, {}),
    (projected, {**SCALED, "columns": True}),
    (projected, {**SCALED, "temperature": "2"}),
    (projected, {"temperature": "0.5"}),
    (with_mask(projected, "causal"), SCALED),
    (with_mask(projected, "lengths"), SCALED),
    (with_mask(cross, "lengths"), SCALED),
    (cross, SCALED),
    (cross, {**SCALED, "columns": True}),
    (two_heads, SCALED),
    (with_mask(two_heads, "causal"), SCALED),
    (two_heads, {**SCALED, "columns": True}),
    (additive, {}),
    (small, {}),
    (small, {}),
)


def is_sane(exercise: Exercise) -> bool:
    """Whether a person would work it out: no exponential is beyond writing down."""
    try:
        written = carry_out(exercise, Hand(exercise)).values
    except InvalidOperation:  # an exponential with more than 40 digits
        return False
    exponents = [number for name, table in written.items() if name.endswith("exp") for number in table.flat]
    return all(not e or SMALLEST.exp() <= e <= LARGEST.exp() for e in exponents)


def with_marks(random: Random, exercise: Exercise) -> Exercise:
    """The same with marks on all steps, on some (always on the output), or without any in the file."""
    steps = exercise.steps()
    kind = random.choice(("all", "all", "some", "some", "none"))
    if kind == "none":
        return exercise
    chosen = steps if kind == "all" else [s for s in steps if s == steps[-1] or random.random() < 0.4]
    return replace(exercise, marks={step: random.choice((1, 2, 2, 3)) for step in chosen})


def draw(number: int, seed: int) -> Exercise:
    """One exercise of a seed's pool; the same number always gives the same."""
    make, settings = SHAPES[number % len(SHAPES)]
    random = Random(f"exercise {seed} {number}")
    while True:
        exercise = make(random, places=random.choice((2, 3, 4, 4)), **settings)
        if is_sane(exercise):
            return with_marks(random, exercise)
