"""Recurrent networks against torch's own: nn.RNN, nn.GRU and nn.LSTM over whole sequences."""

from fractions import Fraction
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

pytest.importorskip("torch")

import torch

from attnsolve.companion.checking import check
from attnsolve.errors import AttnsolveError
from attnsolve.mistakes import wrong_values

STEPS, WIDTH, SIZE = 3, 2, 2


def matrices(letters: str, seed: int, *, biased: bool = True) -> dict[str, Table]:
    """W, U and b for each gate, named after it; for no gate's letter just W, U and b."""
    made: dict[str, Table] = {}
    for place, letter in enumerate(letters):
        below = f"_{letter}" if letter != "-" else ""
        made[f"W{below}"] = drawn(WIDTH, SIZE, seed=seed + 10 * place)
        made[f"U{below}"] = drawn(SIZE, SIZE, seed=seed + 10 * place + 1)
        if biased:
            made[f"b{below}"] = drawn(1, SIZE, seed=seed + 10 * place + 2)
    return made


def common(seed: int) -> dict[str, Table]:
    return {"X": drawn(STEPS, WIDTH, seed=seed + 100), "h_0": drawn(1, SIZE, seed=seed + 101)}


def written(given: dict[str, Table]) -> str:
    return ", ".join(f"{name}: {name}" for name in given if name not in ("X", "h_0", "c_0"))


def loaded(module: Any, given: dict[str, Table], letters: str, **second: str) -> Any:
    """torch's network with these gates beneath each other; `second` names a gate's second bias."""
    zeros = torch.zeros(SIZE, dtype=torch.float64)

    def put(name: str, pieces: list[Any]) -> None:
        getattr(module, name).data = torch.cat(pieces)

    put("weight_ih_l0", [tensor(given[f"W_{g}"]).T for g in letters])
    put("weight_hh_l0", [tensor(given[f"U_{g}"]).T for g in letters])
    put("bias_ih_l0", [tensor(given[f"b_{g}"])[0] if f"b_{g}" in given else zeros for g in letters])
    put("bias_hh_l0", [tensor(given[second[g]])[0] if g in second else zeros for g in letters])
    return module


def network(kind: str, **settings: Any) -> Any:
    return getattr(torch.nn, kind)(WIDTH, SIZE, batch_first=True, dtype=torch.float64, **settings)


@pytest.mark.parametrize("seed", range(0, 2500, 50))
@pytest.mark.parametrize(("activation", "torchs"), [("tanh", "tanh"), ("relu", "relu")])
def test_rnn(seed: int, activation: str, torchs: str) -> None:
    given = common(seed) | matrices("-", seed)
    trace = solved(given, f"rnn: {{input: X, start: h_0, {written(given)}, activation: {activation}}}")
    named = {f"{name}_h" if name in ("W", "U", "b") else name: table for name, table in given.items()}
    module = loaded(network("RNN", nonlinearity=torchs), named, "h")
    with torch.no_grad():
        states, _ = module(tensor(given["X"])[None], tensor(given["h_0"])[None])
    assert_close(states[0], trace.value("a.Hs"))


@pytest.mark.parametrize("seed", range(0, 5000, 50))
def test_gru_as_torch_has_it(seed: int) -> None:
    given = common(seed) | matrices("zrn", seed) | {"c_n": drawn(1, SIZE, seed=seed + 77)}
    trace = solved(given, f"gru: {{input: X, start: h_0, {written(given)}, reset: after, update: old}}")
    module = loaded(network("GRU"), given, "rzn", n="c_n")
    with torch.no_grad():
        states, _ = module(tensor(given["X"])[None], tensor(given["h_0"])[None])
    assert_close(states[0], trace.value("a.Hs"))


@pytest.mark.parametrize("seed", range(0, 1000, 50))
def test_gru_as_the_paper_has_it(seed: int) -> None:
    """Chung et al. 2014: h̃ = tanh(W x + U (r ∘ h)), h' = (1 - z) ∘ h + z ∘ h̃."""
    given = common(seed) | matrices("zrn", seed, biased=False)
    trace = solved(given, f"gru: {{input: X, start: h_0, {written(given)}}}")
    g, h = {name: tensor(table) for name, table in given.items()}, tensor(given["h_0"])
    for t in range(STEPS):
        x = g["X"][t : t + 1]
        z, r = (torch.sigmoid(x @ g[f"W_{k}"] + h @ g[f"U_{k}"]) for k in "zr")
        h = (1 - z) * h + z * torch.tanh(x @ g["W_n"] + (r * h) @ g["U_n"])
        assert_close(h, trace.value(f"a.step{t + 1}.h"))


@pytest.mark.parametrize("seed", range(0, 5000, 50))
def test_lstm(seed: int) -> None:
    given = common(seed) | {"c_0": drawn(1, SIZE, seed=seed + 78)} | matrices("ifno", seed)
    trace = solved(given, f"lstm: {{input: X, start: h_0, memory: c_0, {written(given)}}}")
    module = loaded(network("LSTM"), given, "ifno")
    starts = (tensor(given["h_0"])[None], tensor(given["c_0"])[None])
    with torch.no_grad():
        states, (_, memory) = module(tensor(given["X"])[None], starts)
    assert_close(states[0], trace.value("a.Hs"))
    assert_close(memory[0], trace.value(f"a.step{STEPS}.c"))


KINDS = {
    "RNNCell": ("-", "rnn: {input: X, start: h_0, ", 1),
    "GRUCell": ("zrn", "gru: {input: X, start: h_0, reset: after, ", 1),
    "LSTMCell": ("ifno", "lstm: {input: X, start: h_0, memory: h_0, ", 2),
}


@pytest.mark.parametrize("kind", KINDS)
def test_check_holds_every_step_against_torchs_cell(kind: str) -> None:
    letters, part, outputs = KINDS[kind]
    given = common(1) | matrices(letters, 1)
    found = check(solved(given, f"{part}{written(given)}}}"))
    assert found.fine
    assert STEPS * outputs == len(found.layers)
    assert all(f"nn.{kind}" in layer.against for layer in found.layers)


def test_check_of_a_gru_whose_gate_is_for_the_new_state_says_so() -> None:
    given = common(2) | matrices("zrn", 2)
    found = check(solved(given, f"gru: {{input: X, start: h_0, reset: after, {written(given)}}}"))
    assert found.fine and "turned round" in found.layers[0].explained[0]


def test_gates_of_logarithms_are_fractions() -> None:
    """σ(ln 2) = 2/3 and tanh(ln 2) = 3/5."""
    trace = solved(
        {"W": [[Fraction(1)]]},
        "gru: {input: ln(2), start: 0, W_z: W, U_z: W, W_r: W, U_r: W, W_n: W, U_n: W}",
    )
    assert ["2/3", "2/3", "3/5", "2/5"] == [trace.value(f"a.{k}").texts()[0][0] for k in "zrnh"]


def cell(g: dict[str, Any], x: Any, h: Any, *, reset: bool = True, exchanged: bool = False) -> Any:
    """A GRU's step as a student does it who may go wrong."""
    z, r = (torch.sigmoid(x @ g[f"W_{k}"] + h @ g[f"U_{k}"]) for k in "zr")
    z, r = (r, z) if exchanged else (z, r)
    return (1 - z) * h + z * torch.tanh(x @ g["W_n"] + ((r * h) if reset else h) @ g["U_n"])


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("reset-forgotten", {"reset": False}),
        ("gates-exchanged", {"exchanged": True}),
        ("state-not-carried", {}),
    ],
)
def test_wrong_plans_of_a_gru(name: str, wrong: dict[str, bool]) -> None:
    given = common(3) | matrices("zrn", 3, biased=False)
    trace = solved(given, f"gru: {{input: X, start: h_0, {written(given)}}}")
    found = {name: values for name, _, values in wrong_values(trace, trace.problem.parts[0])}
    g = {name: tensor(table) for name, table in given.items()}
    h = g["h_0"]
    for t in range(STEPS):
        h = cell(g, g["X"][t : t + 1], g["h_0"] if not wrong else h, **wrong)
        assert_close(h, found[name][f"a.step{t + 1}.h"])


def test_wrong_plan_of_an_lstm() -> None:
    given = common(4) | matrices("ifno", 4, biased=False)
    trace = solved(given, f"lstm: {{input: X, start: h_0, memory: h_0, {written(given)}}}")
    found = {name: values for name, _, values in wrong_values(trace, trace.problem.parts[0])}
    g = {name: tensor(table) for name, table in given.items()}
    h = c = g["h_0"]
    for t in range(STEPS):
        x = g["X"][t : t + 1]
        i, f, n, o = (x @ g[f"W_{k}"] + h @ g[f"U_{k}"] for k in "ifno")
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(n)
        h = torch.sigmoid(o) * c
        assert_close(h, found["memory-without-tanh"][f"a.step{t + 1}.h"])


BAD = [
    ("rnn: {input: X, start: 1 2 3, W: W, U: 1 2; 3 4; 5 6}", "'start' has 3 numbers", "start"),
    ("rnn: {input: X, start: h_0, W: 1 2; 3 4; 5 6, U: W}", "x is 1×2", "W"),
    ("rnn: {input: X, start: h_0, W: W, U: 1; 2}", "U makes 1 number of a state", "U"),
    ("rnn: {input: X, start: h_0, W: W, U: W, b: 1 2 3}", "b is 1×3", "b"),
    (
        "gru: {input: X, start: h_0, W_z: W, U_z: W, W_r: W, U_r: W, W_n: W, U_n: W, c_n: h_0}",
        "reset: after",
        "c_n",
    ),
    ("rnn: {input: X, start: h_0, W: W}", "the key 'U' is missing", "rnn"),
]


@pytest.mark.parametrize(("part", "said", "key"), BAD)
def test_what_does_not_fit_is_refused_at_its_key(part: str, said: str, key: str) -> None:
    given = common(5) | {"W": drawn(2, 2, seed=5)}
    with pytest.raises(AttnsolveError) as refused:
        solved(given, part)
    assert said in str(refused.value)
    assert f".{key}:" in str(refused.value)
