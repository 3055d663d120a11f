"""Gradients by the chain rule against torch's autograd, and against differences in exact arithmetic."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from recipes.solved import Table, assert_close, assert_gradients, drawn, leaves, solved, tensor

pytest.importorskip("torch")

import torch
from torch.nn.functional import cross_entropy, gelu, layer_norm, rms_norm, scaled_dot_product_attention, silu

from attnsolve.companion.checking import check
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Rationals
from attnsolve.exact.rationals import ones
from attnsolve.mistakes import wrong_values
from attnsolve.ops import OPS


def head(seed: int) -> dict[str, Table]:
    sizes = {"X": (3, 2), "W_Q": (2, 2), "W_K": (2, 2), "W_V": (2, 3), "G": (3, 3)}
    return {name: drawn(*size, seed=seed + place) for place, (name, size) in enumerate(sizes.items())}


@pytest.mark.parametrize("seed", range(0, 200, 10))
@pytest.mark.parametrize("mask", ["", ", mask: {causal: true}"])
def test_one_head(seed: int, mask: str) -> None:
    given = head(seed)
    part = f"self_attention: {{input: X, W_Q: W_Q, W_K: W_K, W_V: W_V{mask}}}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    Q, K, V = (g["X"] @ g[f"W_{letter}"] for letter in "QKV")
    result = scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=bool(mask))[0]
    assert_gradients(trace, g, result, g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 100, 10))
@pytest.mark.parametrize("weights", ["softmax: {temperature: 2}", "softmax2: {}"])
def test_other_weights(seed: int, weights: str) -> None:
    given = {"S": drawn(2, 3, seed=seed), "V": drawn(3, 2, seed=seed + 1), "G": drawn(2, 2, seed=seed + 2)}
    weights = weights.removesuffix(": {}")
    chosen = f"{{{weights}}}" if ":" in weights else weights
    trace = solved(
        given, f"attend: {{scores: S, values: V, weights: {chosen}}}", "backward: {of: a.Z, gradient: G}"
    )
    g = leaves(given)
    scale = 0.5 if "temperature" in weights else torch.log(torch.tensor(2.0, dtype=torch.float64))
    assert_gradients(trace, g, torch.softmax(g["S"] * scale, dim=-1) @ g["V"], g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 100, 10))
@pytest.mark.parametrize("weights", ["relu", "sum"])
def test_weights_without_exponentials(seed: int, weights: str) -> None:
    scores = [[abs(x) + 4 if j else x - 1 for j, x in enumerate(row)] for row in drawn(2, 3, seed=seed)]
    given = {"S": scores, "V": drawn(3, 2, seed=seed + 1), "G": drawn(2, 2, seed=seed + 2)}
    part = f"attend: {{scores: S, values: V, weights: {weights}, mask: {{drop_keys: [3]}}}}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    kept = g["S"][:, :2].relu() if weights == "relu" else g["S"][:, :2]
    assert_gradients(trace, g, kept / kept.sum(dim=1, keepdim=True) @ g["V"][:2], g["G"].detach())
    assert "rational" == trace.value("b.dS").kind


def scored(seed: int) -> dict[str, Table]:
    """Scores of which no two are equal, so that none is on an edge of sparsemax or of the largest ones."""
    scores = [[x + Fraction(j, 7) for j, x in enumerate(row)] for row in drawn(2, 3, seed=seed)]
    return {"S": scores, "V": drawn(3, 2, seed=seed + 1), "G": drawn(2, 2, seed=seed + 2)}


def capped(S: Any) -> Any:
    return torch.softmax(2 * torch.tanh(S / 2), dim=1)


def with_sink(S: Any) -> Any:
    return torch.exp(S) / (3 + torch.exp(S).sum(dim=1, keepdim=True))


def largest_two(S: Any) -> Any:
    kept = S >= S.sort(dim=1, descending=True).values[:, 1:2]
    return torch.softmax(S.masked_fill(~kept, float("-inf")), dim=1)


def sparse(S: Any) -> Any:
    """The threshold of Martins and Astudillo from sorted scores, as one writes it in torch."""
    ordered = S.sort(dim=1, descending=True).values
    sums, count = ordered.cumsum(dim=1), torch.arange(1, S.shape[1] + 1, dtype=S.dtype)
    size = (1 + count * ordered > sums).sum(dim=1, keepdim=True)
    return torch.relu(S - (sums.gather(1, size - 1) - 1) / size)


def sparse15(S: Any) -> Any:
    """The threshold of Peters and others from sorted halves, as their package has it in torch."""
    ordered = (S / 2).sort(dim=1, descending=True).values
    count = torch.arange(1, S.shape[1] + 1, dtype=S.dtype)
    mean, squares = ordered.cumsum(dim=1) / count, (ordered**2).cumsum(dim=1) / count
    tau = mean - ((1 - count * (squares - mean**2)) / count).clamp(min=1e-300).sqrt()
    size = (tau <= ordered).sum(dim=1, keepdim=True)
    return torch.relu(S / 2 - tau.gather(1, size - 1)) ** 2


WEIGHTS = {
    "soft_cap: 2": capped,
    "weights: {sink_softmax: {sink: ln(3)}}": with_sink,
    "weights: {top_k: {k: 2}}": largest_two,
    "weights: {sigmoid_weights: {bias: -1}}": lambda S: torch.sigmoid(S - 1),
    "weights: sparsemax": sparse,
    "weights: entmax15": sparse15,
    "weights: {entmax: {alpha: 3/2}}": sparse15,
    "weights: {entmax: {alpha: 2}}": sparse,
    "position: {alibi: {slope: 1/2}}": lambda S: torch.softmax(
        S - torch.tensor([[0, 0.5, 1], [0.5, 0, 0.5]]), 1
    ),
}


@pytest.mark.parametrize("seed", range(0, 80, 10))
@pytest.mark.parametrize("said", WEIGHTS)
def test_newer_weights(seed: int, said: str) -> None:
    given = scored(seed)
    trace = solved(given, f"attend: {{scores: S, values: V, {said}}}", "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    assert_gradients(trace, g, WEIGHTS[said](g["S"]) @ g["V"], g["G"].detach())


@pytest.mark.parametrize("said", WEIGHTS)
def test_check_holds_newer_weights_against_autograd(said: str) -> None:
    parts = f"attend: {{scores: S, values: V, {said}}}", "backward: {of: a.Z, gradient: G}"
    found = check(solved(scored(7), *parts))
    assert found.fine
    assert "b.dS" in [layer.name for layer in found.layers if layer.against == "torch.autograd"]


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_additive_scores(seed: int) -> None:
    sizes = {"Q": (2, 2), "K": (3, 3), "W": (2, 2), "U": (3, 2), "v": (1, 2), "V": (3, 2), "G": (2, 2)}
    given = {name: drawn(*size, seed=seed + place) for place, (name, size) in enumerate(sizes.items())}
    part = "attend: {queries: Q, keys: K, values: V, score: {additive: {W: W, U: U, v: v}}}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    scores = torch.tanh((g["Q"] @ g["W"])[:, None] + (g["K"] @ g["U"])[None]) @ g["v"][0]
    assert_gradients(trace, g, torch.softmax(scores, dim=1) @ g["V"], g["G"].detach())


def several(seed: int, **sizes: tuple[int, int]) -> dict[str, Table]:
    return {name: drawn(*size, seed=seed + place) for place, (name, size) in enumerate(sizes.items())}


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_concatenated_scores(seed: int) -> None:
    given = several(seed, Q=(2, 2), K=(3, 3), W=(5, 2), v=(1, 2), V=(3, 2), G=(2, 2))
    part = "attend: {queries: Q, keys: K, values: V, score: {concat: {W: W, v: v}}}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    pairs = torch.cat([g["Q"].repeat_interleave(3, dim=0), g["K"].repeat(2, 1)], dim=1)
    scores = (torch.tanh(pairs @ g["W"]) @ g["v"][0]).reshape(2, 3)
    assert_gradients(trace, g, torch.softmax(scores, dim=1) @ g["V"], g["G"].detach())


@pytest.mark.parametrize("convention", ["columns", "torch"])
def test_gradient_of_a_concatenated_matrix_lies_as_it_does(convention: str) -> None:
    given = several(5, Q=(2, 2), K=(3, 3), W=(5, 2), v=(1, 2), G=(2, 3))
    turned = {"W": [list(row) for row in zip(*given["W"], strict=True)]}
    parts = "plan: [{S: 'concat(Q, K, W, v)'}]", "backward: {of: a.S, gradient: G}"
    plain, other = solved(given, *parts), solved(given | turned, *parts, top=f"convention: {convention}\n")
    for name in ("dQ", "dK", "dW", "dv"):
        assert_close(tensor(plain.value(f"b.{name}")), other.value(f"b.{name}"))
    assert other.problem.convention.turns(None, other.problem.frames["b.dW"])


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_bilinear_scores_with_a_bias(seed: int) -> None:
    """The bias of all scores changes no softmax; weights by their sum change with it."""
    given = several(seed, Q=(2, 2), K=(3, 3), W=(2, 3), b=(1, 1), V=(3, 2), G=(2, 2))
    given["b"] = [[given["b"][0][0] + 50]]  # no sum of 0
    part = "attend: {queries: Q, keys: K, values: V, score: {bilinear: {W: W, b: b}}, weights: sum}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    scores = torch.nn.functional.bilinear(
        g["Q"].repeat_interleave(3, dim=0), g["K"].repeat(2, 1), g["W"][None], g["b"][0]
    ).reshape(2, 3)
    made = scores / scores.sum(dim=1, keepdim=True) @ g["V"]
    assert_gradients(trace, g, made, g["G"].detach())
    assert check(trace).fine


@pytest.mark.parametrize("seed", range(0, 30, 10))
@pytest.mark.parametrize("tile", [1, 2, 3, 4])
@pytest.mark.parametrize("more", ["", ", mask: {causal: true}", ", W_V: W, soft_cap: 2"])
def test_tiles_go_back_as_one_softmax(seed: int, tile: int, more: str) -> None:
    """Against autograd of the plain softmax, and against our own way back without tiles."""
    given = several(seed, Q=(4, 2), K=(4, 2), V=(4, 2), W=(2, 2), G=(4, 2))
    if "W_V" not in more:
        del given["W"]
    own = f"queries: Q, keys: K, values: V{more}"
    parts = f"tiled_attention: {{{own}, tile: {tile}}}", "backward: {of: a.Z, gradient: G}"
    trace = solved(given, *parts)
    g = leaves(given)
    scores = g["Q"] @ g["K"].T / 2**0.5
    scores = 2 * torch.tanh(scores / 2) if "cap" in more else scores
    hidden = torch.ones(4, 4, dtype=torch.bool).triu(1) & ("causal" in more)
    weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=1)
    made = weights @ (g["V"] @ g["W"] if "W_V" in more else g["V"])
    assert_gradients(trace, g, made, g["G"].detach())
    plain = solved(given, f"attend: {{{own}}}", parts[1])
    for name in set(given) - {"G"}:
        ours, theirs = trace.value(f"b.d{name}").balls(256), plain.value(f"b.d{name}").balls(256)
        assert all(
            x.overlaps(y) for a, b in zip(ours, theirs, strict=True) for x, y in zip(a, b, strict=True)
        )


def test_check_holds_tiles_against_autograd() -> None:
    given = several(3, Q=(2, 2), K=(3, 2), V=(3, 2), G=(2, 2))
    part = "tiled_attention: {queries: Q, keys: K, values: V, tile: 2}"
    found = check(solved(given, part, "backward: {of: a.Z, gradient: G, wrt: [V, a.tile1.S]}"))
    assert found.fine
    named = {layer.name for layer in found.layers if layer.against == "torch.autograd"}
    assert {"b.dV", "b.tile1.dS"} <= named


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_cosine_scores(seed: int) -> None:
    given = several(seed, Q=(2, 2), K=(3, 2), V=(3, 2), G=(2, 2))
    given |= {name: [[x + 7 for x in row] for row in given[name]] for name in "QK"}  # no zero vectors
    part = "attend: {queries: Q, keys: K, values: V, score: cosine}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    scores = torch.nn.functional.normalize(g["Q"]) @ torch.nn.functional.normalize(g["K"]).T
    assert_gradients(trace, g, torch.softmax(scores, dim=1) @ g["V"], g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 40, 10))
@pytest.mark.parametrize("order", ["keys_first", "scores_first"])
@pytest.mark.parametrize("map", ["elu", "relu", "exp", "square"])
def test_linear_attention(seed: int, order: str, map: str) -> None:
    given = several(seed, X=(3, 2), W_Q=(2, 2), W_K=(2, 2), W_V=(2, 3), b=(1, 2), G=(3, 3))
    given["b"] = [[Fraction(301, 7), Fraction(211, 3)]] if map == "relu" else given["b"]  # no query of zeros
    own = "W_Q: W_Q, W_K: W_K, W_V: W_V, b_Q: b, b_K: b"
    part = f"linear_attention: {{input: X, {own}, feature_map: {map}, order: {order}}}"
    if map == "exp":
        given = {name: [[x / 8 for x in row] for row in table] for name, table in given.items()}
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    maps = {"elu": lambda x: torch.nn.functional.elu(x) + 1, "relu": torch.relu, "exp": torch.exp}
    Q, K = (maps.get(map, torch.square)(g["X"] @ g[f"W_{letter}"] + g["b"]) for letter in "QK")
    scores = Q @ K.T
    made = scores / scores.sum(dim=1, keepdim=True) @ (g["X"] @ g["W_V"])
    assert_gradients(trace, g, made, g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 80, 10))
@pytest.mark.parametrize("rows", ["", ", rows=[3 1]"])
def test_relative_scores(seed: int, rows: str) -> None:
    given = several(seed, Q=(2, 2), K=(3, 2), R=(3, 2), V=(3, 2), G=(2, 2))
    plan = f"plan: [{{S: 'relative(Q, K, R{rows})'}}, {{A: softmax(S)}}, {{Z: 'mix(A, V)'}}]"
    trace = solved(given, plan, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    asked = [[max(-1, min(1, j - i)) + 1 for j in range(3)] for i in ([2, 0] if rows else [0, 1])]
    scores = torch.einsum("id,ijd->ij", g["Q"], g["K"][None] + g["R"][torch.tensor(asked)])
    assert_gradients(trace, g, torch.softmax(scores, dim=1) @ g["V"], g["G"].detach())


def entmax_by_mpmath(scores: list[Any], alpha: Any) -> list[Any]:
    """[(α-1) s - τ]^{1/(α-1)} above 0, with τ found by halving where it lies."""
    low, high = (alpha - 1) * max(scores) - 1, (alpha - 1) * max(scores)
    for _ in range(400):
        tau = (low + high) / 2
        made = [max((alpha - 1) * s - tau, 0) ** (1 / (alpha - 1)) for s in scores]
        low, high = (tau, high) if mpmath.fsum(made) > 1 else (low, tau)
    return made


def difference_by_mpmath(scores: list[Any], gradient: list[Any], alpha: Any, j: int) -> Any:
    """How fast Σ g a changes with score j: from 10⁻²⁵ below it to 10⁻²⁵ above."""
    step = mpmath.mpf(10) ** -25

    def total(by: Any) -> Any:
        weights = entmax_by_mpmath([s + by * (k == j) for k, s in enumerate(scores)], alpha)
        return mpmath.fsum(g * a for g, a in zip(gradient, weights, strict=True))

    return (total(step) - total(-step)) / (2 * step)


@pytest.mark.parametrize("alpha", ["5/4", "7/4", "3", "sqrt(2)", "3/2"])
def test_entmax_of_any_alpha_is_between_differences_of_mpmath(alpha: str) -> None:
    """With 100 digits the two-sided difference is right to about 45 of them."""
    with mpmath.workdps(100):
        order = mpmath.sqrt(2) if alpha == "sqrt(2)" else mpmath.mpf(alpha)
        for seed in range(4):
            given = several(seed, S=(1, 3), G=(1, 3))
            given["S"] = [[x / 16 + Fraction(seed, 97) * j for j, x in enumerate(given["S"][0])]]
            said = f"attend: {{scores: S, weights: {{entmax: {{alpha: {alpha}}}}}}}"
            made = solved(given, said, "backward: {of: a.A, gradient: G}").value("b.dS")
            scores, gradient = ([mpmath.mpf(str(x)) for x in given[name][0]] for name in "SG")
            for j in range(3):
                ours = mpmath.mpf(made.cell(0, j).ball(300).mid().str(60, radius=False))
                right = difference_by_mpmath(scores, gradient, order, j)
                assert abs(right - ours) < mpmath.mpf(10) ** -40


def test_entmax15_goes_back_exactly_where_it_goes_forward_exactly() -> None:
    """Scores 1 and 0: τ = 1/4 - √7/4, roots (√7 ± 1)/4, and dS = u₁u₂/(u₁ + u₂) (1, -1) = 3√7/28 (1, -1)."""
    given = {"S": [[Fraction(1), Fraction(0)]], "G": [[Fraction(1), Fraction(0)]]}
    trace = solved(given, "attend: {scores: S, weights: entmax15}", "backward: {of: a.A, gradient: G}")
    assert [["3*sqrt(7)/28", "-3*sqrt(7)/28"]] == trace.value("b.dS").texts()
    assert "surd" == trace.value("b.dS").kind


@pytest.mark.parametrize("alpha", ["5/4", "7/4", "3"])
def test_check_holds_other_entmaxes_against_autograd(alpha: str) -> None:
    given = several(3, S=(2, 3), V=(3, 2), G=(2, 2))
    given["S"] = [[x / 16 for x in row] for row in given["S"]]
    part = f"attend: {{scores: S, values: V, weights: {{entmax: {{alpha: {alpha}}}}}}}"
    found = check(solved(given, part, "backward: {of: a.Z, gradient: G}"))
    assert found.fine
    assert "b.dS" in [layer.name for layer in found.layers if layer.against == "torch.autograd"]


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_perplexity(seed: int) -> None:
    given = {"O": drawn(3, 4, seed=seed)}
    plan = "plan: [{P: probabilities(O)}, {L: 'cross_entropy(P, 1 3 2)'}, {Z: perplexity(L)}]"
    trace = solved(given, plan, "backward: {of: a.Z}")
    g = leaves(given)
    assert_gradients(trace, g, cross_entropy(g["O"], torch.tensor([0, 2, 1])).exp(), None)


@pytest.mark.parametrize("seed", range(0, 80, 10))
@pytest.mark.parametrize("kind", ["distance_bias", "bucket_bias"])
def test_tables_of_biases(seed: int, kind: str) -> None:
    given = several(seed, S=(4, 4), B=(1, 3 if kind == "distance_bias" else 4), V=(4, 2), G=(4, 2))
    part = f"attend: {{scores: S, values: V, position: {{{kind}: {{B: B}}}}, mask: {{causal: true}}}}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    # Row by row what a key before the query has: distances from -1 on, or T5's buckets 0 and 1.
    table = {"distance_bias": [1, 0, 0, 0], "bucket_bias": [0, 1, 1, 1]}[kind]
    places = torch.tensor([[table[max(0, i - j)] for j in range(4)] for i in range(4)])
    hidden = torch.ones(4, 4, dtype=torch.bool).triu(1)
    weights = torch.softmax((g["S"] + g["B"][0][places]).masked_fill(hidden, float("-inf")), dim=1)
    assert_gradients(trace, g, weights @ g["V"], g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 80, 10))
@pytest.mark.parametrize("pairs", ["interleaved", "half"])
def test_rotary_positions(seed: int, pairs: str) -> None:
    given = {"X": drawn(3, 4, seed=seed), "G": drawn(3, 4, seed=seed + 1)}
    part = f"plan: [{{Z: 'rotary(X, base=100, pairs={pairs})'}}]"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    angles = torch.arange(3, dtype=torch.float64)[:, None] * torch.tensor([1.0, 0.1], dtype=torch.float64)
    grouped = g["X"].reshape(3, 2, 2) if pairs == "interleaved" else g["X"].reshape(3, 2, 2).transpose(1, 2)
    x, y = grouped.unbind(dim=2)
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    made = torch.stack(turned, dim=2) if pairs == "interleaved" else torch.stack(turned, dim=1)
    assert_gradients(trace, g, made.reshape(3, 4), g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_a_llama_like_feed_forward_network(seed: int) -> None:
    """RMS norm, SwiGLU, and logits against the embedding of the words, one of which comes twice."""
    sizes = {"E": (3, 2), "g": (1, 2), "W_1": (2, 2), "W_3": (2, 2), "W_2": (2, 2), "G": (3, 3)}
    given = {name: drawn(*size, seed=seed + place) for place, (name, size) in enumerate(sizes.items())}
    plan = (
        "plan: [{X: 'embed(E, words=[2 1 2])'}, {N: 'rms_norm(X, g, epsilon=1/4)'}, {F: 'project(N, W_1)'}, "
        "{H: silu(F)}, {U: 'project(N, W_3)'}, {P: 'times(H, U)'}, {D: 'project(P, W_2)'}, "
        "{R: 'add(X, D)'}, {O: 'logits(R, E)'}]"
    )
    trace = solved(given, plan, "backward: {of: a.O, gradient: G}")
    g = leaves(given)
    X = g["E"][[1, 0, 1]]
    N = rms_norm(X, (2,), g["g"][0], 0.25)
    R = X + (silu(N @ g["W_1"]) * (N @ g["W_3"])) @ g["W_2"]
    assert_gradients(trace, g, R @ g["E"].T, g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 100, 10))
def test_heads_with_an_output_matrix(seed: int) -> None:
    sizes = {
        "X": (2, 4),
        "W_Q": (4, 4),
        "W_K": (4, 4),
        "W_V": (4, 4),
        "W_O": (4, 4),
        "b_O": (1, 4),
        "G": (2, 4),
    }
    given = {name: drawn(*size, seed=seed + place) for place, (name, size) in enumerate(sizes.items())}
    part = "multi_head: {input: X, heads: 2, W_Q: W_Q, W_K: W_K, W_V: W_V, W_O: W_O, b_O: b_O}"
    trace = solved(given, part, "backward: {of: a.Z, gradient: G}")
    g = leaves(given)
    Q, K, V = ((g["X"] @ g[f"W_{letter}"]).reshape(2, 2, 2).transpose(0, 1) for letter in "QKV")
    mixed = scaled_dot_product_attention(Q, K, V).transpose(0, 1).reshape(2, 4)
    assert_gradients(trace, g, mixed @ g["W_O"] + g["b_O"], g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 50, 10))
def test_a_whole_layer_with_norms_and_residuals(seed: int) -> None:
    sizes = {
        "X": (2, 3),
        "W_1": (3, 2),
        "b_1": (1, 2),
        "W_2": (2, 3),
        "gamma": (1, 3),
        "beta": (1, 3),
        "G": (2, 3),
    }
    given = {name: drawn(*size, seed=seed + place) for place, (name, size) in enumerate(sizes.items())}
    part = (
        "encoder_block: {input: X, W_1: W_1, b_1: b_1, W_2: W_2, gamma_1: gamma, beta_1: beta, "
        "epsilon: 1/2, activation: gelu}"
    )
    trace = solved(given, part, "backward: {of: a.N2, gradient: G}")
    g = leaves(given)
    X = g["X"]
    attended = scaled_dot_product_attention(X[None], X[None], X[None])[0]
    middle = layer_norm(X + attended, (3,), g["gamma"][0], g["beta"][0], eps=0.5)
    end = middle + gelu(middle @ g["W_1"] + g["b_1"]) @ g["W_2"]
    assert_gradients(trace, g, layer_norm(end, (3,), eps=0.5), g["G"].detach())


@pytest.mark.parametrize("seed", range(0, 200, 10))
@pytest.mark.parametrize(("kind", "letters"), [("rnn", "h"), ("gru", "rzn"), ("lstm", "ifno")])
def test_through_time(seed: int, kind: str, letters: str) -> None:
    given = {"X": drawn(3, 2, seed=seed), "h_0": drawn(1, 2, seed=seed + 1), "G": drawn(3, 2, seed=seed + 2)}
    for place, letter in enumerate(letters):
        below = "" if kind == "rnn" else f"_{letter}"
        for k, (name, size) in enumerate({"W": (2, 2), "U": (2, 2), "b": (1, 2)}.items()):
            given[f"{name}{below}"] = drawn(*size, seed=seed + 10 * place + k + 100)
    own = ", ".join(f"{name}: {name}" for name in given if name not in ("X", "h_0", "G"))
    more = {"rnn": "", "gru": ", reset: after, update: old", "lstm": ", memory: h_0"}[kind]
    part = f"{kind}: {{input: X, start: h_0, {own}{more}}}"
    trace = solved(given, part, "backward: {of: a.states, gradient: G}")
    g = leaves(given)

    def stacked(name: str) -> Any:
        below = [""] if kind == "rnn" else [f"_{letter}" for letter in letters]
        return torch.cat([g[f"{name}{end}"] for end in below], dim=1)

    function = {"rnn": torch.rnn_tanh_cell, "gru": torch.gru_cell, "lstm": torch.lstm_cell}[kind]
    h, c, states = g["h_0"], g["h_0"], []
    for t in range(3):
        before = (h, c) if kind == "lstm" else h
        made = function(
            g["X"][t : t + 1], before, stacked("W").T, stacked("U").T, stacked("b")[0], 0 * stacked("b")[0]
        )
        h, c = made if kind == "lstm" else (made, c)
        states.append(h)
    assert_gradients(trace, g, torch.cat(states), g["G"].detach())


@pytest.mark.parametrize("loss", ["sum", "mean"])
@pytest.mark.parametrize("seed", range(0, 100, 10))
def test_a_classifier_and_a_step_of_gradient_descent(seed: int, loss: str) -> None:
    given = {"X": drawn(2, 2, seed=seed), "W": drawn(2, 3, seed=seed + 1), "b": drawn(1, 3, seed=seed + 2)}
    plan = "plan: [{O: 'project(X, W, b)'}, {P: probabilities(O)}, {L: 'cross_entropy(P, 1 3)'}]"
    trace = solved(given, plan, f"backward: {{of: a.L, loss: {loss}, wrt: [W, b], rate: 1/4, again: true}}")
    g = leaves({name: given[name] for name in ("W", "b")})
    X, target = tensor(given["X"]), torch.tensor([0, 2])
    optimiser = torch.optim.SGD(g.values(), lr=0.25)
    cross_entropy(X @ g["W"] + g["b"], target, reduction=loss).backward()
    for name in g:
        assert_close(g[name].grad, trace.value(f"b.d{name}"))
    optimiser.step()
    after = cross_entropy(X @ g["W"] + g["b"], target, reduction="none").detach()
    for name in g:
        assert_close(g[name].detach(), trace.value(f"b.new.{name}"))
    assert_close(after[:, None], trace.value("b.new.L"))


HEAD = "self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}"

# -- finite differences, exactly ----------------------------------------------------------------------

# Along a single entry each of these is a polynomial of degree 2 at most, piece by piece: the difference of
# two values on both sides of it, over their distance, is the derivative itself.
EXACT = {
    "projections": ("X", "plan: [{Q: 'project(X, W, b)'}, {Z: 'output(Q, W, b)'}]"),
    "dot products": ("X", "plan: [{Q: 'project(X, W)'}, {S: 'dot(Q, X)'}, {Z: 'divide(S, 3)'}]"),
    "bilinear": ("X", "plan: [{S: 'bilinear(Y, X, W)'}, {Z: 'multiply(S, 2)'}]"),
    "ReLU": ("X", "plan: [{F: 'project(X, W, b)'}, {R: rectify(F)}, {Z: 'product(R, W)'}]"),
    "products and sums": (
        "X",
        "plan: [{P: 'times(X, Y)'}, {D: 'subtract(P, X)'}, {E: 'add(D, Y)'}, {T: transpose(E)}, "
        "{Z: 'product(W, T)'}]",
    ),
    "pieces": (
        "X",
        "plan: [{J: 'join(X, Y)'}, {H: 'split(J, 2, 3)'}, {R: 'select(H, 2)'}, {Z: 'stack(R, X)'}]",
    ),
    "gates": ("X", "plan: [{B: 'blend(X, Y, W)'}, {C: 'gate(B, Y, W, X)'}, {Z: 'concatenate(C, B)'}]"),
    "sparsemax": ("X", "plan: [{S: 'multiply(X, 1/4)'}, {A: sparsemax(S)}, {Z: 'mix(A, W)'}]"),
    "quarter turns": (
        "X",
        "plan: [{R: 'rotary(X, angle=pi/2)'}, {S: 'dot(R, Y)'}, {Z: 'alibi(S, slope=1/2)'}]",
    ),
    "a tied embedding": ("X", "plan: [{T: 'embed(X, words=[2 1 2])'}, {Z: 'logits(T, X)'}]"),
    "a sum of squares": ("X", "plan: [{F: 'feature(X, map=square)'}, {T: total(F)}, {Z: 'product(T, W)'}]"),
    "biases by distance": ("b3", "plan: [{S: 'dot(X, Y)'}, {Z: 'distance_bias(S, b3)'}]"),
    "relative queries": ("X", "plan: [{Z: 'relative(X, Y, R3)'}]"),
    "relative keys": ("Y", "plan: [{Z: 'relative(X, Y, R3)'}]"),
    "vectors of distances": ("R3", "plan: [{Z: 'relative(X, Y, R3)'}]"),
    "biases by bucket": ("b4", "plan: [{S: 'dot(X, Y)'}, {Z: 'bucket_bias(S, b4)'}]"),
    "recurrence": ("X", "plan: [{R: 'recur(X, W, Y, W, b)'}, {Z: rectify(R)}]"),
}
STEP = Fraction(1, 1024)
SMALL = {
    "X": drawn(2, 2, seed=91),
    "Y": drawn(2, 2, seed=92),
    "W": drawn(2, 2, seed=93),
    "b": drawn(1, 2, seed=94),
    "R3": drawn(3, 2, seed=99),
    "b3": drawn(1, 3, seed=97),
    "b4": drawn(1, 4, seed=98),
}


def moved(given: dict[str, Table], name: str, i: int, j: int, by: Fraction) -> dict[str, Table]:
    table = [list(row) for row in given[name]]
    table[i][j] += by
    return given | {name: table}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("entry", [(0, 0), (1, 1)])
def test_gradient_is_the_difference_of_values_exactly(name: str, entry: tuple[int, int]) -> None:
    wrt, plan = EXACT[name]
    i, j = entry
    i = min(i, len(SMALL[wrt]) - 1)
    shape = solved(SMALL, plan).value("a.Z").shape
    start = drawn(*shape, seed=95)
    weights = Rationals.of(start)
    trace = solved(SMALL | {"G": start}, plan, f"backward: {{of: a.Z, gradient: G, wrt: [{wrt}]}}")

    def total(by: Fraction) -> Fraction:
        weighed = solved(moved(SMALL, wrt, i, j, by), plan).value("a.Z") * weights
        value = (ones(1, shape[0]) @ weighed @ ones(shape[1], 1)).cell(0, 0).rational()
        assert value is not None
        return value

    assert (total(STEP) - total(-STEP)) / (2 * STEP) == trace.value(f"b.d{wrt}").cell(i, j).rational()


@pytest.mark.parametrize("wrt", ["X", "W_Q", "W_V"])
def test_gradient_through_a_softmax_is_between_differences(wrt: str) -> None:
    """With a step of 10⁻⁸ the two-sided difference is right to sixteen places, in exact arithmetic."""
    given, step = head(7), Fraction(1, 10**8)
    part = "self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}"
    trace = solved(given, part, f"backward: {{of: a.Z, gradient: G, wrt: [{wrt}]}}")

    def total(by: Fraction) -> Any:
        weighed = solved(moved(given, wrt, 1, 0, by), part).value("a.Z") * Rationals.of(given["G"])
        return (ones(1, 3) @ weighed @ ones(3, 1)).cell(0, 0).ball(512)

    difference = (total(step) - total(-step)) / (2 * step.numerator) * step.denominator
    assert abs(difference - trace.value(f"b.d{wrt}").cell(1, 0).ball(512)) < 1e-12


SMOOTH = {
    "soft cap": "plan: [{Z: 'soft_cap(X, 3/2)'}]",
    "SiLU": "plan: [{Z: silu(X)}]",
    "RMS norm": "plan: [{Z: 'rms_norm(X, b, epsilon=1/4)'}]",
    "sigmoid weights": "plan: [{Z: sigmoid_weights(X)}]",
    "sink": "plan: [{Z: sink_softmax(X)}]",
    "additive": "plan: [{Z: 'additive(X, Y, W, W, b)'}]",
    "concat": "plan: [{U: 'stack(W, Y)'}, {Z: 'concat(X, Y, U, b)'}]",
    "entmax15": "plan: [{S: 'multiply(X, 1/16)'}, {Z: entmax15(S)}]",
    "entmax": "plan: [{S: 'multiply(X, 1/16)'}, {Z: 'entmax(S, 5/4)'}]",
    "cosine of queries": "plan: [{Z: 'cosine(X, Y)'}]",
    "cosine of keys": "plan: [{Z: 'cosine(Y, X)'}]",
    "linear attention": "plan: [{F: feature(X)}, {E: feature(Y)}, {u: total(F)}, {Z: 'ratio(E, W, u)'}]",
}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradient_of_a_smooth_op_is_between_differences(name: str) -> None:
    step = Fraction(1, 10**8)
    start = Rationals.of(drawn(2, 2, seed=96))
    parts = SMOOTH[name], "backward: {of: a.Z, gradient: G, wrt: X}"
    trace = solved(SMALL | {"G": drawn(2, 2, seed=96)}, *parts)

    def total(by: Fraction) -> Any:
        weighed = solved(moved(SMALL, "X", 1, 0, by), SMOOTH[name]).value("a.Z") * start
        return (ones(1, 2) @ weighed @ ones(2, 1)).cell(0, 0).ball(512)

    difference = (total(step) - total(-step)) / (2 * step.numerator) * step.denominator
    assert abs(difference - trace.value("b.dX").cell(1, 0).ball(512)) < 1e-12


# -- what a file can say ------------------------------------------------------------------------------


def test_weights_that_are_fractions_have_gradients_that_are_fractions() -> None:
    """dS = A ∘ (dA - rowsum(dA ∘ A)) = 1/2 (1 - 1/2), with A = [1/2 1/2] and dA = [1 0]."""
    given = {"S": [[Fraction(0)] * 2], "V": [[Fraction(1)], [Fraction(0)]]}
    text = (
        "plan: [{T: 'add(S, L)'}, {A: softmax(T)}, {Z: 'mix(A, V)'}]",
        "backward: {of: a.Z, gradient: 1, jacobian: 1}",
    )
    trace = solved(given | {"L": [[Fraction(0)] * 2]}, *text)
    assert [["1/4", "-1/4"]] == trace.value("b.dS").texts()
    assert [["1/4", "-1/4"], ["-1/4", "1/4"]] == trace.value("b.J").texts()


def test_what_is_used_several_times_gets_the_sum_of_its_gradients() -> None:
    trace = solved(
        head(3),
        "self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}",
        "backward: {of: a.Z, gradient: G}",
    )
    shares = [trace.value(f"b.dX_{letter}") for letter in "QKV"]
    assert trace.value("b.dX").same(shares[0] + shares[1] + shares[2]) is not False
    assert {"b.dX_Q", "b.dX_K", "b.dX_V"} == set(trace.step("b.dX").call.args)


def test_only_what_is_wanted_is_worked_out() -> None:
    trace = solved(
        head(3),
        "self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}",
        "backward: {of: a.Z, gradient: G, wrt: W_V}",
    )
    assert ["b.dV", "b.dW_V"] == [step.call.out for step in trace.of_part("b")]


def test_the_way_past_a_softmax_is_not_taken_where_the_probabilities_are_asked_for() -> None:
    given = {"O": drawn(1, 3, seed=8)}
    plan = "plan: [{P: probabilities(O)}, {L: 'cross_entropy(P, 2)'}]"
    short = solved(given, plan, "backward: {of: a.L}")
    long = solved(given, plan, "backward: {of: a.L, wrt: [a.P, O]}")
    assert ["unit_gradient", "logits_gradient"] == [step.call.op.name for step in short.of_part("b")]
    assert "softmax_gradient" in [step.call.op.name for step in long.of_part("b")]
    assert_close(tensor(short.value("b.dO")), long.value("b.dO"))


def test_check_holds_every_gradient_against_autograd() -> None:
    parts = ("self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}", "backward: {of: a.Z, gradient: G}")
    found = check(solved(head(5), *parts))
    assert found.fine
    named = [layer.name for layer in found.layers if layer.against == "torch.autograd"]
    assert ["b.dA", "b.dV", "b.dT", "b.dS", "b.dQ", "b.dK", "b.dW_V", "b.dW_K", "b.dX", "b.dW_Q"] == named


@pytest.mark.parametrize("convention", ["columns", "torch"])
def test_gradients_of_weights_lie_as_the_weights_do(convention: str) -> None:
    given = head(6)
    turned = {name: [list(row) for row in zip(*given[name], strict=True)] for name in ("W_Q", "W_K", "W_V")}
    parts = ("self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}", "backward: {of: a.Z, gradient: G}")
    plain, other = solved(given, *parts), solved(given | turned, *parts, top=f"convention: {convention}\n")
    assert_close(tensor(plain.value("b.dW_V")), other.value("b.dW_V"))
    problem = other.problem
    assert problem.convention.turns(None, problem.frames["b.dW_V"])


def mistaken(name: str, result: str) -> Any:
    parts = ("self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}", "backward: {of: a.Z, gradient: G}")
    trace = solved(head(9), *parts)
    values = next(values for found, _, values in wrong_values(trace, trace.problem.parts[1]) if found == name)
    return trace, tensor(values[result])


def test_jacobian_with_its_diagonal_only() -> None:
    trace, wrong = mistaken("diagonal-only", "b.dT")
    A, dA = tensor(trace.value("a.A")), tensor(trace.value("b.dA"))
    torch.testing.assert_close(wrong, dA * A * (1 - A))


def test_transpose_of_the_weights_forgotten() -> None:
    trace, wrong = mistaken("left-factor-not-transposed", "b.dV")
    torch.testing.assert_close(wrong, tensor(trace.value("a.A")) @ tensor(trace.value("G")))


def test_scale_forgotten() -> None:
    trace, wrong = mistaken("scale-forgotten", "b.dS")
    torch.testing.assert_close(wrong, tensor(trace.value("b.dT")))


def test_uses_forgotten() -> None:
    trace, wrong = mistaken("uses-forgotten", "b.dX")
    torch.testing.assert_close(wrong, tensor(trace.value("b.dX_V")))


TILES = "tiled_attention: {queries: X, keys: X, values: X, tile: 2}"
BAD = [
    ((HEAD, "backward: {of: X, gradient: G}"), "X is given, not made", "of"),
    ((HEAD, "backward: {of: a.Z}"), "give its gradient too", "of"),
    ((HEAD, "backward: {of: a.Z, gradient: 1 2; 3 4}"), "the gradient is 2×2, but a.Z is 3×3", "gradient"),
    ((HEAD, "backward: {of: a.Z, gradient: G, wrt: [E]}"), "a.Z does not depend on E", "wrt"),
    ((HEAD, "backward: {of: a.Z, gradient: G, wrt: [a.Y]}"), "there is no", "wrt"),
    ((HEAD, "backward: {of: a.Z, gradient: G, again: true}"), "give its rate too", "again"),
    ((HEAD, "backward: {of: a.Z, gradient: G, wrt: a.A, rate: 1}"), "only givens take a step", "rate"),
    ((HEAD, "backward: {of: a.Z, gradient: G, jacobian: 9}"), "there is no row 9", "jacobian"),
    (
        (HEAD, "backward: {of: a.V, gradient: G, jacobian: 1}"),
        "there is no softmax on the way back",
        "jacobian",
    ),
    (
        ("self_attention: {input: X, weights: argmax}", "backward: {of: a.Z, gradient: X, wrt: X}"),
        "no gradient goes back through argmax (a.A): its weights stay as they are while",
        "of",
    ),
    (
        ("plan: [{P: probabilities(X)}, {Z: 'nucleus(P, 1/2)'}]", "backward: {of: a.Z, gradient: X}"),
        "no gradient goes back through nucleus (a.Z): it chooses words to sample from",
        "of",
    ),
    (
        ("plan: [{Z: half(X)}]", "backward: {of: a.Z, gradient: X, wrt: X}"),
        "no gradient goes back through half (a.Z): a rounded number stays as it is while",
        "of",
    ),
    (
        ("plan: [{Z: overflow(X)}]", "backward: {of: a.Z, gradient: X, wrt: X}"),
        "no gradient goes back through overflow (a.Z): it only says whether a number is too large",
        "of",
    ),
    (
        ("plan: [{P: probabilities(X)}, {Z: 'top_words(P, 1)'}]", "backward: {of: a.Z, gradient: X}"),
        "no gradient goes back through top_words (a.Z): it chooses words to sample from",
        "of",
    ),
    (
        (TILES, "backward: {of: a.tile1.O, gradient: X}"),
        "through running_output (a.tile1.O): the maxima",
        "of",
    ),
    ((TILES, "backward: {of: a.tile2.l, gradient: 1; 1; 1}"), "through running_sum (a.tile2.l): the", "of"),
    ((TILES, "backward: {of: a.tile2.m, gradient: 1; 1; 1}"), "through running_maximum (a.tile2.m)", "of"),
    ((TILES, "backward: {of: a.tile2.r, gradient: 1; 1; 1}"), "through rescaling (a.tile2.r): the", "of"),
    (
        (TILES, "backward: {of: a.tile2.P, gradient: 1; 1; 1}"),
        "through shifted_exponentials (a.tile2.P): the maxima that run along tiles cancel only in the output",
        "of",
    ),
    (
        (TILES, "backward: {of: a.Z, gradient: X, wrt: [a.tile1.P]}"),
        "a.tile1.P only runs along the tiles: the maxima",
        "wrt",
    ),
    (
        (
            "plan: [{m: running_maximum(X)}, {n: 'running_maximum(X, m)'}, "
            "{P: 'shifted_exponentials(X, m)'}, {R: 'shifted_exponentials(X, n)'}, {l: running_sum(R)}, "
            "{O: 'running_output(P, Y)'}, "
            "{Z: 'over_sum(O, l)'}]",
            "backward: {of: a.Z, gradient: 1 0; 0 1; 1 1}",
        ),
        "no gradient goes back through over_sum (a.Z): the maxima",
        "of",
    ),
    (
        ("self_attention: {input: X, mask: {causal: true}}\n    find: M", "backward: {of: a.M, gradient: G}"),
        "go back from the weights",
        "of",
    ),
]


@pytest.mark.parametrize(("parts", "said", "key"), BAD)
def test_what_cannot_be_done_is_refused_at_its_key(parts: tuple[str, ...], said: str, key: str) -> None:
    given = head(4) | {
        "E": drawn(1, 2, seed=1),
        "Y": drawn(2, 2, seed=2),
        "X": [[Fraction(k), Fraction(1, k + 1)] for k in (1, 2, 4)],
    }
    with pytest.raises(AttnsolveError) as refused:
        solved(given, *parts)
    assert said in str(refused.value)
    assert f"parts.b.backward.{key}" in str(refused.value)


def test_every_op_has_a_way_back_or_says_why_there_is_none() -> None:
    """But those of the way back itself: nobody differentiates twice."""
    silent = [op.name for op in OPS if op.gradients is None and not op.no_gradient]
    back = [op.name for op in OPS][[op.name for op in OPS].index("unit_gradient") :]
    assert [] == [name for name in silent if name not in back]
    assert {"keep", "drop"} == {  # a mask of 0 and 1 has no gradient of its own
        op.name
        for op in OPS
        if op.gradients and {rule.parameter for rule in op.gradients} < set(op.parameters)
    }


def test_every_rule_names_ops_and_matrices_that_exist() -> None:
    for op in OPS:
        known = {*op.parameters, "gradient", "result", "partial", "second"}
        for rule in op.gradients or ():
            assert rule.parameter in op.parameters
            assert set(rule.arguments) <= known
            if rule.by is not None:
                assert rule.by() in OPS


@pytest.mark.parametrize("score", ["additive(Q, K, W, U, v)", "concat(Q, K, T, v)"])
def test_check_allows_for_a_tanh_that_is_nearly_1(score: str) -> None:
    """Of 1 - tanh² nothing is left in floats: torch may find 0 where there is 10⁻¹³."""
    given = several(1, Q=(2, 2), K=(2, 2), W=(2, 2), U=(2, 2), T=(4, 2), v=(1, 2), G=(2, 2))
    given |= {"Q": [[Fraction(30), Fraction(4)], [Fraction(5), Fraction(12)]], "W": [[Fraction(1)] * 2] * 2}
    given["T"] = [[Fraction(1), Fraction(1, 2)]] * 4
    assert check(solved(given, f"plan: [{{S: '{score}'}}]", "backward: {of: a.S, gradient: G}")).fine
