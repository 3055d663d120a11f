"""Decoder blocks against torch's own TransformerDecoderLayer, in float64 with the same weights."""

from collections.abc import Mapping
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.mistakes import wrong_values
from attnsolve.rendering import render

torch = pytest.importorskip("torch")

WIDTH, HIDDEN, TOKENS, SEEN = 4, 3, 3, 2
ATTENTION = {f"W{letter}": (WIDTH, WIDTH) for letter in "QKVO"} | {
    f"b{letter}": (1, WIDTH) for letter in "QKVO"
}
SHAPES = {
    **{f"self{name}": shape for name, shape in ATTENTION.items()},
    **{f"cross{name}": shape for name, shape in ATTENTION.items()},
    "W_1": (WIDTH, HIDDEN),
    "b_1": (1, HIDDEN),
    "W_2": (HIDDEN, WIDTH),
    "b_2": (1, WIDTH),
    **{f"{name}_{number}": (1, WIDTH) for number in (1, 2, 3) for name in ("gamma", "beta")},
}
GIVEN: dict[str, Table] = {name: drawn(*shape, seed=k) for k, (name, shape) in enumerate(SHAPES.items())}
TOKENS_GIVEN: dict[str, Table] = {"X": drawn(TOKENS, WIDTH, seed=98), "Y": drawn(SEEN, WIDTH, seed=99)}


def torchs(given: Mapping[str, Table], heads: int, **settings: Any) -> Any:
    """torch's layer with these weights."""
    options = {"dropout": 0.0, "batch_first": True, "dtype": torch.float64, **settings}
    made = torch.nn.TransformerDecoderLayer(WIDTH, heads, HIDDEN, **options).eval()
    with torch.no_grad():
        for name, layer in (("self", made.self_attn), ("cross", made.multihead_attn)):
            layer.in_proj_weight.copy_(torch.cat([tensor(given[f"{name}W{letter}"]).T for letter in "QKV"]))
            layer.in_proj_bias.copy_(torch.cat([tensor(given[f"{name}b{letter}"])[0] for letter in "QKV"]))
            layer.out_proj.weight.copy_(tensor(given[f"{name}WO"]).T)
            layer.out_proj.bias.copy_(tensor(given[f"{name}bO"])[0])
        for linear, number in ((made.linear1, 1), (made.linear2, 2)):
            linear.weight.copy_(tensor(given[f"W_{number}"]).T)
            linear.bias.copy_(tensor(given[f"b_{number}"])[0])
        for norm, number in ((made.norm1, 1), (made.norm2, 2), (made.norm3, 3)):
            norm.weight.copy_(tensor(given[f"gamma_{number}"])[0])
            norm.bias.copy_(tensor(given[f"beta_{number}"])[0])
    return made


def section(name: str, heads: int, more: str = "") -> str:
    listed = ", ".join(f"{kind}_{letter}: {name}{kind}{letter}" for letter in "QKVO" for kind in "Wb")
    return f"{name}: {{{listed}, heads: {heads}{more}}}"


def recipe(heads: int, settings: str, *, more: str = "") -> str:
    own = ", ".join(f"{name}: {name}" for name in SHAPES if "_" in name)
    sections = f"{section('self', heads, more)}, {section('cross', heads)}"
    return f"decoder_block: {{input: X, context: Y, {sections}, {own}{settings}}}"


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize(("norm", "last"), [("post", "N3"), ("pre", "R3")])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_a_block_is_torchs_decoder_layer(heads: int, norm: str, last: str, activation: str) -> None:
    trace = solved(TOKENS_GIVEN | GIVEN, recipe(heads, f", norm: {norm}, activation: {activation}"))
    layer = torchs(GIVEN, heads, norm_first=norm == "pre", activation=activation)
    hidden = torch.triu(torch.ones(TOKENS, TOKENS, dtype=torch.bool), diagonal=1)
    expected = layer(tensor(TOKENS_GIVEN["X"])[None], tensor(TOKENS_GIVEN["Y"])[None], tgt_mask=hidden)[0]
    assert_close(expected.detach(), trace.value(f"a.{last}"), within=1e-9)


def test_the_self_attention_is_causal_unless_its_mask_says_otherwise() -> None:
    trace = solved(TOKENS_GIVEN | GIVEN, recipe(1, "", more=", mask: {causal: false}"))
    layer = torchs(GIVEN, 1)
    expected = layer(tensor(TOKENS_GIVEN["X"])[None], tensor(TOKENS_GIVEN["Y"])[None])[0]
    assert_close(expected.detach(), trace.value("a.N3"), within=1e-9)


PLAIN = {"X": drawn(TOKENS, 2, seed=1), "Y": drawn(SEEN, 2, seed=2)}
SOFTMAX = "decoder_block: {input: X, context: Y, norm: none}"


def test_without_matrices_it_is_attention_and_residuals() -> None:
    """R1 = X + softmax(X Xᵀ/√2 + causal) X, R2 = R1 + softmax(R1 Yᵀ/√2) Y; and no feed-forward layer."""
    trace, (X, Y) = solved(PLAIN, SOFTMAX), map(tensor, PLAIN.values())
    attend = torch.nn.functional.scaled_dot_product_attention
    first = X + attend(X[None], X[None], X[None], is_causal=True)[0]
    assert_close(first + attend(first[None], Y[None], Y[None])[0], trace.value("a.R2"))


def test_keys_from_the_wrong_side_are_a_known_mistake() -> None:
    """torch makes the same mistake and gets the same."""
    trace, (X, _) = solved(PLAIN, SOFTMAX), map(tensor, PLAIN.values())
    attend = torch.nn.functional.scaled_dot_product_attention
    first = X + attend(X[None], X[None], X[None], is_causal=True)[0]
    wrong = {name: values for name, _, values in wrong_values(trace, trace.problem.parts[0])}
    assert_close(first + attend(first[None], first[None], first[None])[0], wrong["context-forgotten"]["a.R2"])


def test_both_attentions_have_a_heading_and_their_own_names() -> None:
    text = render(solved(PLAIN, SOFTMAX)).text
    assert text.index("### Self-attention") < text.index("### Cross-attention")
    assert r"A^{\mathrm{self}} = \operatorname{softmax}(" in text
    assert r"R_{2} = R_{1} + Z^{\mathrm{cross}}" in text
