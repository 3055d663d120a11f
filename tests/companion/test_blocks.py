"""Encoder and decoder blocks against torch's own layers: those that agree, and those that must not."""

from collections.abc import Iterable
from fractions import Fraction
from random import Random

import pytest

pytest.importorskip("torch")

from attnsolve.companion.checking import check
from attnsolve.companion.comparison import Comparison
from attnsolve.companion.script import script
from attnsolve.engine import solve
from attnsolve.exact import Rational
from attnsolve.exact.rationals import ones
from attnsolve.loader import loads
from attnsolve.trace import Trace

ENTRIES = ("-2", "-1", "-1/2", "0", "1/3", "1", "3/2", "2")
DECODER, ENCODER = "nn.TransformerDecoderLayer", "nn.TransformerEncoderLayer"


def matrix(random: Random, rows: int, columns: int) -> str:
    return "; ".join(" ".join(random.choice(ENTRIES) for _ in range(columns)) for _ in range(rows))


def drawn_decoder(seed: int) -> str:
    """A decoder block of any size, with norms before or after, biases, gains, masks and activations."""
    random = Random(seed)
    heads, tokens, seen = random.choice([1, 2]), random.randint(2, 3), random.randint(1, 3)
    width, hidden = heads * random.randint(1, 2) + (heads == 1), random.randint(1, 3)
    given = {"X": matrix(random, tokens, width), "Y": matrix(random, seen, width)}
    sections = {}
    for section in ("self", "cross"):
        keys = [f"W_{letter}" for letter in "QKVO"] + random.choice(
            [[], [f"b_{letter}" for letter in "QKVO"]]
        )
        for key in keys:
            given[f"{section}{key[0]}_{key[2]}"] = matrix(random, width if key[0] == "W" else 1, width)
        own = [f"{key}: {section}{key[0]}_{key[2]}" for key in keys]
        masks = {"self": ("", "mask: {causal: true}"), "cross": ("", "mask: {lengths: 1}")}[section]
        sections[section] = ", ".join(filter(None, (f"heads: {heads}", *own, random.choice(masks))))
    given |= {"W_1": matrix(random, width, hidden), "W_2": matrix(random, hidden, width)}
    given |= {"b_1": matrix(random, 1, hidden), "b_2": matrix(random, 1, width)}
    more = random.choice(["", ", b_1: b_1", ", b_1: b_1, b_2: b_2"])
    for number in (1, 2, 3):
        given |= {f"g{number}": matrix(random, 1, width), f"h{number}": matrix(random, 1, width)}
        more += random.choice(["", f", gamma_{number}: g{number}, beta_{number}: h{number}"])
    more += f", norm: {random.choice(['pre', 'post'])}, activation: {random.choice(['relu', 'gelu'])}"
    more += random.choice(["", ", epsilon: 1/4"])
    lines = "".join(f"  {name}: {text}\n" for name, text in given.items())
    attentions = f"self: {{{sections['self']}}}, cross: {{{sections['cross']}}}"
    block = f"{{input: X, context: Y, {attentions}, W_1: W_1, W_2: W_2{more}}}"
    return f"format: 1\ntitle: drawn\ngiven:\n{lines}parts:\n  - ask: all\n    decoder_block: {block}\n"


def whole(trace: Trace) -> list[Comparison]:
    """The comparisons with encoder and decoder layers."""
    return [one for one in check(trace).layers if transformers([one])]


def transformers(found: Iterable[Comparison]) -> list[str]:
    """The names of torch's own encoder and decoder layers among what was compared."""
    names = [one.against.partition("(")[0] for one in found]
    return [name for name in names if name in (DECODER, ENCODER)]


@pytest.mark.parametrize("seed", range(50))
def test_a_random_decoder_agrees_with_torchs_layer(seed: int) -> None:
    found = check(solve(loads(drawn_decoder(seed))))
    assert found.fine, [one for one in (*found.steps, *found.layers) if not one.fine]
    assert [DECODER] == transformers(found.layers)


@pytest.mark.parametrize("seed", range(5))
def test_a_decoder_that_is_a_millionth_off_disagrees(seed: int) -> None:
    trace = solve(loads(drawn_decoder(seed)))
    last = trace.steps[-1]
    off = last.value + ones(*last.value.shape).scaled(Rational(Fraction(1, 10**6)))
    spoilt = trace._replace(steps=(*trace.steps[:-1], last._replace(value=off, carried=off)))
    assert ["agrees"] == [one.verdict for one in whole(trace)]
    assert ["disagrees"] == [one.verdict for one in whole(spoilt)]


GIVEN = """
format: 1
title: Blocks
given:
  X: 1 2; 0 1
  Y: 1 1; 2 0; 0 1
  Z: 1 1 0; 2 0 1
  W: 1 0; 1 1
  U: 1 0; 1 1; 0 1
  T: 1 2; 2 1
parts:
  - ask: all
    decoder_block: {input: X, context: Y, self: {W_Q: W}, cross: {W_K: T}, W_1: W, W_2: T}
"""
# What is changed in the file, and the layers of torch that are such a block.
CHANGES = [
    ({}, [DECODER]),
    ({"W_2: T": "W_2: T, norm: pre"}, [DECODER]),
    # Without a feed-forward layer, without norms, and with ε on the deviation torch has no such layer.
    ({", W_1: W, W_2: T": ""}, []),
    ({"W_2: T": "W_2: T, norm: none"}, []),
    ({"W_2: T": "W_2: T, epsilon_at: deviation"}, []),
    # A memory that is wider than the tokens, and as many heads here as there.
    ({"context: Y": "context: Z", "{W_K: T}": "{W_K: U, W_V: U}"}, []),
    ({"{W_K: T}": "{heads: 2, W_Q: W, W_K: W, W_V: W}"}, []),
    # Tokens that look at themselves twice are no decoder.
    ({"context: Y": "context: X"}, [DECODER]),
]


@pytest.mark.parametrize(("changes", "against"), CHANGES, ids=str)
def test_only_what_torch_has_is_compared_with_it(changes: dict[str, str], against: list[str]) -> None:
    text = GIVEN
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    found = whole(solve(loads(text)))
    assert against == transformers(found)
    assert all(one.fine for one in found)


def test_scripts_end_with_the_whole_layer() -> None:
    assert "torch.nn.TransformerDecoderLayer(" in script(solve(loads(drawn_decoder(3))))
