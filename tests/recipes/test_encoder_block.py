"""Encoder blocks against torch's own TransformerEncoderLayer, in float64 with the same weights."""

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.rendering import render
from attnsolve.trace import Trace

torch = pytest.importorskip("torch")

WIDTH, HIDDEN, TOKENS = 4, 6, 3
SHAPES = {
    **{f"W_{letter}": (WIDTH, WIDTH) for letter in "QKVO"},
    **{f"b_{letter}": (1, WIDTH) for letter in "QKVO"},
    "W_1": (WIDTH, HIDDEN),
    "b_1": (1, HIDDEN),
    "W_2": (HIDDEN, WIDTH),
    "b_2": (1, WIDTH),
    **{f"{name}_{number}": (1, WIDTH) for name in ("gamma", "beta") for number in (1, 2)},
}


def weights(seed: int) -> dict[str, Table]:
    """All matrices and biases of a layer."""
    return {name: drawn(*shape, seed=100 * seed + k) for k, (name, shape) in enumerate(SHAPES.items())}


def torchs(given: Mapping[str, Table], heads: int, **settings: Any) -> Any:
    """torch's layer with these weights; what is not given is 0, or 1 for a gain."""
    options = {"dropout": 0.0, "batch_first": True, "dtype": torch.float64, **settings}
    made = torch.nn.TransformerEncoderLayer(WIDTH, heads, HIDDEN, **options).eval()

    def of(name: str, otherwise: float = 0.0) -> Any:
        shape = SHAPES[name]
        return tensor(given[name]) if name in given else torch.full(shape, otherwise, dtype=torch.float64)

    with torch.no_grad():
        made.self_attn.in_proj_weight.copy_(torch.cat([of(f"W_{letter}").T for letter in "QKV"]))
        made.self_attn.in_proj_bias.copy_(torch.cat([of(f"b_{letter}")[0] for letter in "QKV"]))
        for layer, letter in ((made.self_attn.out_proj, "O"), (made.linear1, "1"), (made.linear2, "2")):
            layer.weight.copy_(of(f"W_{letter}").T)
            layer.bias.copy_(of(f"b_{letter}")[0])
        for norm, number in ((made.norm1, 1), (made.norm2, 2)):
            norm.weight.copy_(of(f"gamma_{number}", 1.0)[0])
            norm.bias.copy_(of(f"beta_{number}")[0])
    return made


def block(given: Mapping[str, Table], settings: str, *, names: Mapping[str, str] | None = None) -> Trace:
    """Our block, with every given matrix under its own key."""
    listed = ", ".join(f"{key}: {name}" for key, name in (names or {name: name for name in given}).items())
    tokens = {"X": drawn(TOKENS, WIDTH, seed=99)}
    return solved(tokens | dict(given), f"encoder_block: {{input: X, {listed}{settings}}}")


X = tensor(drawn(TOKENS, WIDTH, seed=99))
CAUSAL = torch.ones(TOKENS, TOKENS).triu(1).bool()


def last(trace: Trace) -> Any:
    return trace.steps[-1].value


@pytest.mark.parametrize(
    ("heads", "norm", "activation", "causal"),
    list(itertools.product((1, 2), ("post", "pre"), ("relu", "gelu"), (False, True))),
)
def test_a_block_is_torchs(heads: int, norm: str, activation: str, causal: bool) -> None:
    given = weights(heads)
    settings = f", heads: {heads}, norm: {norm}, activation: {activation}"
    trace = block(given, settings + (", mask: {causal: true}" if causal else ""))
    layer = torchs(given, heads, activation=activation, norm_first=norm == "pre")
    with torch.no_grad():
        expected = layer(X, src_mask=CAUSAL if causal else None)
    assert_close(expected, last(trace), within=1e-10)


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize(
    "left_out",
    [
        ("b_Q", "b_K", "b_V", "b_O", "b_1", "b_2"),
        ("gamma_1", "beta_1"),
        ("gamma_2", "beta_2", "b_1"),
        ("beta_1", "beta_2", "b_V"),
    ],
    ids=" ".join,
)
def test_what_is_not_given_is_not_there(norm: str, left_out: tuple[str, ...]) -> None:
    given = {name: table for name, table in weights(3).items() if name not in left_out}
    trace = block(given, f", norm: {norm}")  # a single head needs no `heads`
    with torch.no_grad():
        expected = torchs(given, 1, norm_first=norm == "pre")(X)
    assert_close(expected, last(trace), within=1e-10)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_another_epsilon(norm: str) -> None:
    given = weights(4)
    trace = block(given, f", heads: 2, norm: {norm}, epsilon: 1/8")
    with torch.no_grad():
        expected = torchs(given, 2, layer_norm_eps=0.125, norm_first=norm == "pre")(X)
    assert_close(expected, last(trace), within=1e-10)


def test_padding_is_a_key_padding_mask() -> None:
    given = weights(5)
    padded = torch.tensor([False, False, True])
    # torch's fast path gives zeros for padded tokens; with gradients it does not take that path.
    expected = torchs(given, 2)(X, src_key_padding_mask=padded).detach()
    trace = block(given, ", heads: 2, mask: {lengths: 2}")
    assert_close(expected, last(trace), within=1e-10)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_layers_that_are_all_alike(norm: str) -> None:
    given = weights(6)
    layer = torchs(given, 2, norm_first=norm == "pre")
    with torch.no_grad():
        expected = layer(layer(layer(X)))
    trace = block(given, f", heads: 2, norm: {norm}, layers: 3")
    assert_close(expected, last(trace), within=1e-10)
    assert ["a.layer1", "a.layer2", "a.layer3"] == sorted({step.call.out[:8] for step in trace.steps})


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_layers_with_weights_of_their_own(norm: str) -> None:
    first, second = weights(7), weights(8)
    given = {f"{name}a": table for name, table in first.items()}
    given |= {f"{name}b": table for name, table in second.items()}
    own = ", ".join("{" + ", ".join(f"{name}: {name}{end}" for name in first) + "}" for end in ("a", "b"))
    tokens = {"X": drawn(TOKENS, WIDTH, seed=99)}
    part = f"encoder_block: {{input: X, heads: 2, norm: {norm}, activation: gelu, layers: [{own}]}}"
    layers = [torchs(each, 2, norm_first=norm == "pre", activation="gelu") for each in (first, second)]
    with torch.no_grad():
        expected = layers[1](layers[0](X))
    assert_close(expected, last(solved(tokens | given, part)), within=1e-10)


def test_what_layers_share_and_what_is_their_own() -> None:
    given = weights(9)
    other = drawn(WIDTH, HIDDEN, seed=990)
    trace = block(
        given | {"U": other},
        ", heads: 2, layers: [{}, {W_1: U, activation: gelu}]",
        names={name: name for name in given},
    )
    with torch.no_grad():
        expected = torchs(given | {"W_1": other}, 2, activation="gelu")(torchs(given, 2)(X))
    assert_close(expected, last(trace), within=1e-10)


def test_a_block_without_norms_or_feed_forward() -> None:
    given = {name: table for name, table in weights(10).items() if name in ("W_Q", "W_K", "W_V")}
    Q, K, V = (X @ tensor(given[f"W_{letter}"]) for letter in "QKV")
    attended = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    assert_close(X + attended, last(block(given, ", norm: none")), within=1e-10)
    normal = torch.nn.functional.layer_norm(X + attended, (WIDTH,))
    assert_close(normal, last(block(given, "")), within=1e-10)


def test_epsilon_on_the_deviation() -> None:
    given = {name: table for name, table in weights(11).items() if name in ("W_Q", "W_K", "W_V")}
    Q, K, V = (X @ tensor(given[f"W_{letter}"]) for letter in "QKV")
    R = X + torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    deviation, mean = torch.std_mean(R, dim=1, correction=0, keepdim=True)
    trace = block(given, ", epsilon: 1/4, epsilon_at: deviation")
    assert_close((R - mean) / (deviation + 0.25), last(trace), within=1e-10)


def test_the_final_norm_of_torchs_encoder_is_a_plan_of_its_own() -> None:
    given = weights(12)
    names = ", ".join(f"{name}: {name}" for name in given)
    tokens = {"X": drawn(TOKENS, WIDTH, seed=99)}
    first = f"encoder_block: {{input: X, {names}, heads: 2, norm: pre, layers: 2}}"
    part = f"{first}\n  - ask: And?\n    plan:\n      - N: layer_norm(a.layer2.R2)"
    layer = torchs(given, 2, norm_first=True)
    norm = torch.nn.LayerNorm(WIDTH, dtype=torch.float64)
    encoder = torch.nn.TransformerEncoder(layer, 2, norm=norm, enable_nested_tensor=False).eval()
    with torch.no_grad():
        expected = encoder(X)
    assert_close(expected, last(solved(tokens | given, part)), within=1e-10)


# -- exact while it can be read, certified after ---------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "kinds"),
    [
        # Attention and the residual are sums of quotients of exponentials; the root in the norm ends that.
        (
            ", W_Q: W, W_K: W, W_V: W, W_1: W, W_2: W",
            {
                **dict.fromkeys(("Q", "K", "V", "S", "T"), "rational"),
                **dict.fromkeys(("A", "Z", "R1"), "attention"),
                **dict.fromkeys(("N1", "F", "G", "E", "R2", "N2"), "certified"),
            },
        ),
        # Weights that are 0 and 1 leave fractions, and the norm of fractions is a root.
        (
            ", weights: argmax, epsilon: 0, norm: pre, divide_by: none",
            {"N1": "surd", "S": "surd", "A": "rational", "Z": "surd", "R1": "surd"},
        ),
        (
            ", weights: argmax, divide_by: none, W_1: W, W_2: W, norm: none",
            dict.fromkeys(("S", "A", "Z", "R1", "F", "G", "E", "R2"), "rational"),
        ),
    ],
)
def test_kinds_along_a_block(settings: str, kinds: dict[str, str]) -> None:
    given = {"X": drawn(2, 4, seed=71), "W": drawn(4, 4, seed=72)}
    trace = solved(given, f"encoder_block: {{input: X{settings}}}")
    assert kinds == {step.call.letter: step.value.kind for step in trace.steps}


def test_the_page_says_where_decimals_begin_and_only_there() -> None:
    given = {"X": drawn(2, 4, seed=71), "W": drawn(4, 4, seed=72)}
    trace = solved(given, "encoder_block: {input: X, W_1: W, W_2: W}")
    text = render(trace).text
    before, said, after = text.partition("the numbers are certified decimals: every digit shown is proven.")
    assert said and "certified decimals" not in after
    step = before.rpartition("**Step ")[2]
    assert step.startswith("6. Layer norm")
    assert "N_{1} = " in step
