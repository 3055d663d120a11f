"""Whole networks with random numbers, forward and back, against torch's own layers and its autograd.

A few of each here; `python tests/recipes/test_random_networks.py 100` draws a hundred of each.
"""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from recipes.solved import Table, assert_close, assert_gradients, drawn, leaves, solved

torch = pytest.importorskip("torch")
functional = torch.nn.functional

FEW = 3
NORMS = {"post": "N", "pre": "R"}


def tables(seed: int, **shapes: tuple[int, int]) -> dict[str, Table]:
    """Between -1 and 1, so that no softmax is all but decided."""
    found = {name: drawn(*shape, seed=1000 * seed + k) for k, (name, shape) in enumerate(shapes.items())}
    return {name: [[x / 2 for x in row] for row in table] for name, table in found.items()}


def attention(Q: Any, K: Any, V: Any, **settings: Any) -> Any:
    return functional.scaled_dot_product_attention(Q[None], K[None], V[None], **settings)[0]


def norm(X: Any, g: dict[str, Any], place: int) -> Any:
    return functional.layer_norm(X, X.shape[1:], g[f"g{place}"][0], g[f"h{place}"][0])


def listed(**keys: str) -> str:
    return ", ".join(f"{key}: {name}" for key, name in keys.items())


FEED_FORWARD = {"W_1": "A", "b_1": "a", "W_2": "B", "b_2": "b"}
SHAPES = {"Q": (2, 2), "K": (2, 2), "V": (2, 2), "A": (2, 3), "a": (1, 3), "B": (3, 2), "b": (1, 2)}
GAINS = {f"{x}{k}": (1, 2) for k in (1, 2, 3) for x in "gh"}


def encoder_layer(seed: int) -> None:
    """nn.TransformerEncoderLayer's order, pre and post, ReLU and GELU, and its gradients."""
    where, activation = ("pre", "post")[seed % 2], ("relu", "gelu")[seed // 2 % 2]
    gains = {name: shape for name, shape in GAINS.items() if "3" not in name}
    given = tables(seed, X=(2, 2), **SHAPES, **gains, G=(2, 2))
    own = listed(
        W_Q="Q", W_K="K", W_V="V", gamma_1="g1", beta_1="h1", gamma_2="g2", beta_2="h2", **FEED_FORWARD
    )
    part = f"encoder_block: {{input: X, {own}, norm: {where}, activation: {activation}}}"
    last = f"a.{NORMS[where]}2"
    trace = solved(given, part, f"backward: {{of: {last}, gradient: G}}")
    g = leaves(given)
    X = g["X"]
    read = norm(X, g, 1) if where == "pre" else X
    X = X + attention(read @ g["Q"], read @ g["K"], read @ g["V"])
    X = X if where == "pre" else norm(X, g, 1)
    read = norm(X, g, 2) if where == "pre" else X
    X = X + getattr(functional, activation)(read @ g["A"] + g["a"]) @ g["B"] + g["b"]
    X = X if where == "pre" else norm(X, g, 2)
    assert_close(X.detach(), trace.value(last), within=1e-9)
    assert_gradients(trace, g, X, g["G"].detach())


def decoder_layer(seed: int) -> None:
    """Masked self-attention, attention to a context, feed-forward: all gradients, that of the context too."""
    where = ("pre", "post")[seed % 2]
    given = tables(seed, X=(2, 2), Y=(3, 2), **SHAPES, C=(2, 2), **GAINS, G=(2, 2))
    own = listed(
        **FEED_FORWARD,
        **{f"gamma_{k}": f"g{k}" for k in (1, 2, 3)},
        **{f"beta_{k}": f"h{k}" for k in (1, 2, 3)},
    )
    part = (
        f"decoder_block: {{input: X, context: Y, self: {{{listed(W_Q='Q', W_K='K', W_V='V')}}}, "
        f"cross: {{{listed(W_Q='K', W_K='C', W_V='Q')}}}, {own}, norm: {where}}}"
    )
    last = f"a.{NORMS[where]}3"
    trace = solved(given, part, f"backward: {{of: {last}, gradient: G}}")
    g = leaves(given)
    X = g["X"]
    for place in (1, 2, 3):
        read = norm(X, g, place) if where == "pre" else X
        if place == 1:
            X = X + attention(read @ g["Q"], read @ g["K"], read @ g["V"], is_causal=True)
        elif place == 2:
            X = X + attention(read @ g["K"], g["Y"] @ g["C"], g["Y"] @ g["Q"])
        else:
            X = X + functional.relu(read @ g["A"] + g["a"]) @ g["B"] + g["b"]
        X = X if where == "pre" else norm(X, g, place)
    assert_close(X.detach(), trace.value(last), within=1e-9)
    assert_gradients(trace, g, X, g["G"].detach())


def gated(seed: int) -> None:
    """RMS norms, SwiGLU or GeGLU, both sublayers side by side or one after the other."""
    activation, parallel = ("silu", "gelu")[seed % 2], seed // 2 % 2 == 1
    given = tables(seed, X=(2, 2), Q=(2, 2), A=(2, 2), U=(2, 2), B=(2, 2), g=(1, 2), G=(2, 2))
    own = listed(W_Q="Q", W_1="A", W_3="U", W_2="B", gamma_1="g")
    part = f"encoder_block: {{input: X, {own}, norm: pre, norm_kind: rms, activation: {activation}"
    trace = solved(
        given, f"{part}{', parallel: true' if parallel else ''}}}", "backward: {of: a.R2, gradient: G}"
    )
    g = leaves(given)
    N = functional.rms_norm(g["X"], (2,), g["g"][0], 1e-5)
    X = g["X"] + attention(N @ g["Q"], N, N)
    read = N if parallel else functional.rms_norm(X, (2,), None, 1e-5)
    X = X + (getattr(functional, activation)(read @ g["A"]) * (read @ g["U"])) @ g["B"]
    assert_close(X.detach(), trace.value("a.R2"), within=1e-9)
    assert_gradients(trace, g, X, g["G"].detach())


def language_model(seed: int) -> None:
    """Embedding, places, a causal layer, tied logits, losses, perplexity; a step, and the losses then."""
    # A layer norm of two numbers is ±x: a ReLU of its sums would often stand right at its kink.
    choice = random.Random(seed)
    read, right = ([choice.randint(1, 4) for _ in range(3)] for _ in range(2))
    given = tables(seed, E=(4, 2), P=(3, 2), V=(2, 2), A=(2, 2), B=(2, 2))
    model = f"words: {read}, embedding: E, table: P, W_V: V, W_1: A, W_2: B, activation: gelu, layers: 1"
    trace = solved(
        given,
        f"model: {{{model}, target: {right}}}",
        "backward: {of: a.L, loss: mean, rate: 1/4, again: true}",
    )

    def losses(g: dict[str, Any]) -> Any:
        X = g["E"][[word - 1 for word in read]] + g["P"]
        N = functional.layer_norm(X, (2,))
        X = X + attention(N, N, N @ g["V"], is_causal=True)
        X = X + functional.gelu(functional.layer_norm(X, (2,)) @ g["A"]) @ g["B"]
        logits = functional.layer_norm(X, (2,)) @ g["E"].T
        return functional.cross_entropy(logits, torch.tensor([word - 1 for word in right]), reduction="none")

    g = leaves(given)
    loss = losses(g)
    assert_close(loss.detach()[:, None], trace.value("a.L"), within=1e-9)
    assert_close(loss.detach().mean().exp().reshape(1, 1), trace.value("a.PP"), within=1e-9)
    assert_gradients(trace, g, loss.mean(), None)
    optimiser = torch.optim.SGD(g.values(), lr=0.25)
    losses(g).mean().backward()
    optimiser.step()
    assert_close(losses(g).detach()[:, None], trace.value("b.new.L"), within=1e-8)


def sampling(seed: int) -> None:
    """Temperature, then the most probable words, then the fewest with so much probability."""
    logits = [[x / 4 for x in random.Random(seed).sample(range(-8, 9), 5)]]
    kept, share = 1 + seed % 5, (1 + seed % 9) / 10
    plan = (
        f"plan: [{{T: 'divide(O, 3/2)'}}, {{Y: probabilities(T)}}, {{K: 'top_words(Y, {kept})'}}, "
        f"{{N: 'nucleus(Y, {1 + seed % 9}/10)'}}]"
    )
    trace = solved({"O": logits}, plan)  # type: ignore[dict-item]
    Y = torch.tensor(logits, dtype=torch.float64).div(1.5).softmax(dim=1)[0]
    assert_close(Y[None], trace.value("a.Y"))
    best = Y.topk(kept)
    assert_close(
        torch.zeros(5, dtype=Y.dtype).scatter(0, best.indices, best.values / best.values.sum())[None],
        trace.value("a.K"),
    )
    order = Y.argsort(descending=True)
    count = int((Y[order].cumsum(0) < share).sum()) + 1  # Holtzman et al.: the smallest set with at least p
    nucleus = torch.zeros(5, dtype=Y.dtype)
    nucleus[order[:count]] = Y[order[:count]] / Y[order[:count]].sum()
    assert_close(nucleus[None], trace.value("a.N"))


def decoder_with_attention(seed: int) -> None:
    """An RNN reads, a state asks (Bahdanau's scores or Luong's three), a word is read out; gradients too."""
    kind = ("additive", "dot", "general", "concat")[seed % 4]
    score = {
        "additive": ", score: {additive: {W: Wa, U: Ua, v: v}}",
        "dot": ", divide_by: none",
        "general": ", score: {bilinear: {W: Wa}}",
        "concat": ", score: {concat: {W: Wb, v: v}}",
    }[kind]
    used = {"additive": ("Wa", "Ua", "v"), "dot": (), "general": ("Wa",), "concat": ("Wb", "v")}[kind]
    always = {"X": (2, 2), "s": (1, 2), "W": (2, 2), "U": (2, 2), "Wc": (4, 2), "Wy": (2, 3)}
    own = {"Wa": (2, 2), "Ua": (2, 2), "v": (1, 2), "Wb": (4, 2)}
    given = tables(seed, **always, **{name: own[name] for name in used})
    step = f"decoder_step: {{state: s, states: a.states{score}, W_c: Wc, W_y: Wy, target: [{1 + seed % 3}]}}"
    trace = solved(given, "rnn: {input: X, start: s, W: W, U: U}", step, "backward: {of: b.L}")
    g = leaves(given)
    h, states = g["s"], []
    for x in g["X"]:
        h = torch.tanh(x[None] @ g["W"] + h @ g["U"])
        states.append(h)
    H = torch.cat(states)
    scores = {
        "additive": lambda: torch.tanh(g["s"] @ g["Wa"] + H @ g["Ua"]) @ g["v"].T,
        "dot": lambda: H @ g["s"].T,
        "general": lambda: H @ (g["s"] @ g["Wa"]).T,
        "concat": lambda: torch.tanh(torch.cat([g["s"].expand(2, 2), H], dim=1) @ g["Wb"]) @ g["v"].T,
    }[kind]()
    context = torch.softmax(scores, dim=0).T @ H
    logits = torch.tanh(torch.cat([context, g["s"]], dim=1) @ g["Wc"]) @ g["Wy"]
    loss = functional.cross_entropy(logits, torch.tensor([seed % 3]))
    assert_close(loss.detach().reshape(1, 1), trace.value("b.L"), within=1e-9)
    assert_gradients(trace, g, loss, None, part="c")


def attention_in_a_gru(seed: int) -> None:
    """A GRU's states are pooled by a query, and what it finds is read by the unit once more."""
    weights = {f"{x}{gate}": (2, 2) for gate in "rzn" for x in ("W", "U")}
    given = tables(seed, X=(2, 2), h=(1, 2), q=(1, 2), **weights, G=(1, 2))
    own = listed(**{f"{x}_{gate}": f"{x}{gate}" for gate in "rzn" for x in "WU"})
    trace = solved(
        given,
        f"gru: {{input: X, start: h, {own}, reset: after, update: old}}",
        "attend: {queries: q, keys: a.states}",
        f"gru: {{input: b.Z, start: a.step2.h, {own}, reset: after, update: old}}",
        "backward: {of: c.h, gradient: G}",
    )
    g = leaves(given)
    W, U = (torch.cat([g[f"{x}{gate}"] for gate in "rzn"], dim=1).T for x in "WU")
    none = torch.zeros(6, dtype=torch.float64)
    states = [g["h"]]
    for x in g["X"]:
        states.append(torch.gru_cell(x[None], states[-1], W, U, none, none))
    H = torch.cat(states[1:])
    last = torch.gru_cell(attention(g["q"], H, H), states[-1], W, U, none, none)
    assert_close(last.detach(), trace.value("c.h"), within=1e-9)
    assert_gradients(trace, g, last, g["G"].detach(), part="d")


def hard(seed: int) -> None:
    """All weight on the largest score: torch's argmax and one-hot codes."""
    scores = [[x / 4 for x in random.Random(seed + k).sample(range(-8, 9), 4)] for k in range(2)]
    given = tables(seed, V=(4, 2)) | {"S": scores}
    trace = solved(given, "attend: {scores: S, values: V, weights: argmax}")  # type: ignore[arg-type]
    A = functional.one_hot(torch.tensor(scores).argmax(dim=1), 4).double()
    assert_close(A, trace.value("a.A"))
    assert_close(A @ leaves({"V": given["V"]})["V"].detach(), trace.value("a.Z"))  # type: ignore[dict-item]


NETWORKS: tuple[Callable[[int], None], ...] = (
    encoder_layer,
    decoder_layer,
    gated,
    language_model,
    sampling,
    decoder_with_attention,
    attention_in_a_gru,
    hard,
)


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
@pytest.mark.parametrize("seed", range(FEW))
def test_random_networks_are_torchs_forward_and_back(network: Callable[[int], None], seed: int) -> None:
    network(seed)


def main() -> None:
    """Each network so many times, with what it took; an error ends the run and names the seed."""
    count = int(sys.argv[1])
    for network in NETWORKS:
        start = time.process_time()
        for seed in range(count):
            try:
                network(seed)
            except Exception:
                print(f"{network.__name__}, seed {seed}:")
                raise
        print(f"{network.__name__}: {count} agree, {time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main()
