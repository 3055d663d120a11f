"""Attention tile by tile against torch, and proven to be that of a plain softmax; float16 as torch has it."""

import math
import random
from fractions import Fraction

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.errors import ProblemError
from attnsolve.exact import Rational
from attnsolve.exact.half_precision import nearest, overflows

torch = pytest.importorskip("torch")
scaled_dot_product_attention = torch.nn.functional.scaled_dot_product_attention

RANDOM = 100
MASKS = ("", "causal: true", "window: 1", "drop_keys: [1, 2]", "add: -1 0 -inf 1 2")


def test_tiles_are_torchs_attention_and_proven_equal_to_the_plain_softmax() -> None:
    for seed in range(RANDOM):
        draw = random.Random(seed)
        queries, keys = draw.randint(1, 2), draw.randint(2, 4)
        tables = {"Q": drawn(queries, 2, seed=3 * seed), "K": drawn(keys, 2, seed=3 * seed + 1)}
        tables["V"] = drawn(keys, draw.randint(1, 2), seed=3 * seed + 2)
        own = "queries: Q, keys: K, values: V"
        trace = solved(
            tables,
            f"attend: {{{own}}}\n  - ask: In tiles.\n"
            f"    tiled_attention: {{{own}, tile: {draw.randint(1, keys)}, whole: a.Z}}",
        )
        Q, K, V = (tensor(tables[name])[None] for name in "QKV")
        assert_close(scaled_dot_product_attention(Q, K, V)[0], trace.value("b.Z"))
        assert all(cell.is_zero() for _, _, cell in trace.value("b.D").cells())


@pytest.mark.parametrize("mask", MASKS)
def test_tiles_of_which_everything_is_hidden_change_nothing(mask: str) -> None:
    for seed in range(RANDOM // 20):
        tables = {"S": drawn(5 if "add" not in mask else 1, 5, seed=seed), "V": drawn(5, 2, seed=seed + 1000)}
        own = f"scores: S, values: V{f', mask: {{{mask}}}' if mask else ''}"
        trace = solved(
            tables,
            f"attend: {{{own}}}\n  - ask: In tiles.\n    tiled_attention: {{{own}, tile: 2, whole: a.Z}}",
        )
        assert trace.value("b.Z").same(trace.value("a.Z")) is True
        assert all(cell.is_zero() for _, _, cell in trace.value("b.D").cells())


def test_ledger_is_what_a_loop_over_tiles_gives() -> None:
    """Milakov and Gimelshein's loop, in torch."""
    for seed in range(RANDOM // 10):
        tables = {"S": drawn(1, 5, seed=seed), "V": drawn(5, 2, seed=seed + 1000)}
        trace = solved(tables, "tiled_attention: {scores: S, values: V, tile: 2}")
        S, V = tensor(tables["S"])[0], tensor(tables["V"])
        largest, total, output, lines = -math.inf, 0.0, torch.zeros(2).double(), []
        for start in range(0, 5, 2):
            new = max(largest, float(S[start : start + 2].max()))
            weights = torch.exp(S[start : start + 2] - new)
            total = total * math.exp(largest - new) + float(weights.sum())
            output = output * math.exp(largest - new) + weights @ V[start : start + 2]
            largest = new
            lines.append(torch.cat([torch.tensor([largest, total], dtype=torch.float64), output]))
        assert_close(torch.stack(lines), trace.value("a.Lg"))


def test_float16_is_torchs() -> None:
    draw = random.Random(17)
    for _ in range(10 * RANDOM):
        number = Fraction(draw.randint(-(2**20), 2**20), 2 ** draw.randint(4, 44))
        theirs = float(torch.tensor(float(number), dtype=torch.float64).to(torch.float16))
        assert math.isinf(theirs) is overflows(Rational(number))
        if not math.isinf(theirs):
            digits, unit = nearest(Rational(number))
            assert Fraction(theirs) == digits * unit


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("tiled_attention: {scores: S, values: V, tile: 3}", "a tile of 3 keys, but there are only 2"),
        ("tiled_attention: {scores: S, tile: 1}", "the key 'values' is missing"),
        ("tiled_attention: {queries: S, tile: 1}", "the key 'keys' is missing"),
        ("tiled_attention: {scores: S, values: W, tile: 1}", "every key needs its value"),
        ("tiled_attention: {scores: S, values: V, tile: 1, whole: W}", "2 tokens in Z, but 3 in W"),
        (
            "tiled_attention: {scores: S, values: V, tile: 1, mask: {drop_queries: [1]}}",
            "tiles have no weights that could be set to 0",
        ),
    ],
)
def test_what_does_not_fit_is_refused(part: str, said: str) -> None:
    given: dict[str, Table] = {name: drawn(rows, 2, seed=1) for name, rows in (("S", 2), ("V", 2), ("W", 3))}
    with pytest.raises(ProblemError) as refused:
        solved(given, part)
    assert said in str(refused.value)
