"""Whatever a forward part says, `dX` is the whole gradient of the given X: by torch's autograd."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from recipes.solved import Table, assert_close, assert_gradients, drawn, leaves, solved, tensor

from attnsolve import render, verify
from attnsolve.companion.checking import check
from attnsolve.report import Verdict

torch = pytest.importorskip("torch")

WEIGHTS = "WUPNATZ"
SHAPES = {
    "X": (3, 4),
    "Y": (2, 4),
    "W": (4, 4),
    "U": (4, 4),
    "B": (1, 5),
    "R": (3, 4),
    "P": (4, 2),
    "N": (4, 2),
}


def mix(Q: Any, K: Any, V: Any, bias: Any = 0.0) -> Any:
    """softmax(Q Kᵀ/√d + bias) V, as papers have it."""
    return torch.softmax(Q @ K.T / math.sqrt(Q.shape[1]) + bias, dim=1) @ V


def hidden(seen: list[str]) -> Any:
    """-∞ where a row of letters has a dot."""
    return torch.tensor([[-math.inf if letter == "." else 0.0 for letter in row] for row in seen])


def turned(X: Any, places: list[int]) -> Any:
    """Neighbours turned by π/3 and π/30 a place."""
    angles = (
        torch.tensor(places, dtype=X.dtype)[:, None] * torch.tensor([1, 0.1], dtype=X.dtype) * math.pi / 3
    )
    x, y = X[:, ::2], X[:, 1::2]
    pairs = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    return torch.stack(pairs, dim=2).reshape(X.shape)


def heads_of(M: Any, count: int) -> tuple[Any, ...]:
    """So many columns for each head."""
    found: tuple[Any, ...] = M.chunk(count, dim=1)
    return found


def several(Q: Any, K: Any, V: Any, heads: int, shared: int) -> Any:
    """Heads side by side, of which some share keys and values."""
    Q, K, V = heads_of(Q, heads), heads_of(K, shared), heads_of(V, shared)
    return torch.cat([mix(Q[h], K[h * shared // heads], V[h * shared // heads]) for h in range(heads)], dim=1)


class Form(NamedTuple):
    """A forward part (or several), the givens it has, what is differentiated, and the same in torch."""

    parts: tuple[str, ...]
    givens: str
    of: str
    shape: tuple[int, int]
    torch: Callable[[dict[str, Any]], Any]


def form(
    givens: str, shape: tuple[int, int], made: Callable[[dict[str, Any]], Any], *parts: str, of: str = "a.Z"
) -> Form:
    return Form(parts, givens, of, shape, made)


def relative(g: dict[str, Any]) -> Any:
    """Shaw's scores of tokens 3 and 1 at distances clipped to 1."""
    Q, K = g["X"][[2, 0]] @ g["W"], g["X"]
    far = torch.tensor([[max(-1, min(1, j - i)) + 1 for j in range(3)] for i in (2, 0)])
    scores = torch.einsum("id,ijd->ij", Q, K[None] + g["R"][far])
    return torch.softmax(scores / 2, dim=1) @ g["X"]


def by_distance(g: dict[str, Any]) -> Any:
    """One number for each distance from -2 to 2."""
    far = torch.tensor([[j - i + 2 for j in range(3)] for i in (2, 0)])
    return mix(g["X"][[2, 0]] @ g["W"], g["X"], g["X"], g["B"][0][far])


def sloping(g: dict[str, Any]) -> Any:
    """Half of the distance from each score."""
    far = torch.tensor([[abs(j - i) / 2 for j in range(3)] for i in (2, 0)], dtype=torch.float64)
    return mix(g["X"][[2, 0]] @ g["W"], g["X"], g["X"], -far)


def asking(g: dict[str, Any]) -> Any:
    """Tokens 3 and 1."""
    return g["X"][[2, 0]]


def twice(g: dict[str, Any]) -> Any:
    """The second of two outputs asks both."""
    Z = mix(asking(g) @ g["W"], g["X"], g["X"])
    return mix(Z[[1]] @ g["W"], Z, Z)


def linear(g: dict[str, Any]) -> Any:
    """Shares of products of exponentials."""
    S = (asking(g) @ g["W"]).exp() @ g["X"].exp().T
    return S / S.sum(dim=1, keepdim=True) @ g["X"]


ASKING = "self_attention: {input: X, queries: [3, 1], W_Q: W"
FORMS = {
    "some tokens ask": form(
        "XWU", (2, 4), lambda g: mix(asking(g) @ g["W"], g["X"] @ g["U"], g["X"]), f"{ASKING}, W_K: U}}"
    ),
    "one token asks": form(
        "XW",
        (1, 4),
        lambda g: mix(g["X"][[1]] @ g["W"], g["X"], g["X"]),
        "self_attention: {input: X, queries: [2], W_Q: W}",
    ),
    "without projections": form(
        "X", (2, 4), lambda g: mix(asking(g), g["X"], g["X"]), "self_attention: {input: X, queries: [3, 1]}"
    ),
    "counted from 0": form(
        "XW",
        (2, 4),
        lambda g: mix(asking(g) @ g["W"], g["X"], g["X"]),
        "self_attention: {input: X, queries: [2, 0], W_Q: W}",
    ),
    "one matrix for all": form(
        "XW",
        (2, 4),
        lambda g: mix(asking(g) @ g["W"], g["X"] @ g["W"], g["X"] @ g["W"]),
        f"{ASKING}, W_K: W, W_V: W}}",
    ),
    "causal": form(
        "XW",
        (2, 4),
        lambda g: mix(asking(g) @ g["W"], g["X"], g["X"], hidden(["xxx", "x.."])),
        f"{ASKING}, mask: {{causal: true}}}}",
    ),
    "a window with a sink": form(
        "XW",
        (2, 4),
        lambda g: mix(g["X"][[2, 1]] @ g["W"], g["X"], g["X"], hidden(["x.x", "xx."])),
        "self_attention: {input: X, queries: [3, 2], W_Q: W, mask: {causal: true, window: 1, sinks: 1}}",
    ),
    "padding that asks": form(
        "XW",
        (2, 4),
        lambda g: (
            mix(asking(g) @ g["W"], g["X"], g["X"], hidden(["xx.", "xx."])) * torch.tensor([[1.0], [0.0]])
        ),
        f"{ASKING}, mask: {{lengths: 2, drop_queries: [1]}}}}",
    ),
    "turned": form(
        "XWU",
        (2, 4),
        lambda g: mix(turned(asking(g) @ g["W"], [2, 0]), turned(g["X"] @ g["U"], [0, 1, 2]), g["X"]),
        f"{ASKING}, W_K: U, position: {{rotary: {{angle: pi/3, base: 100}}}}}}",
    ),
    "slopes": form("XW", (2, 4), sloping, f"{ASKING}, position: {{alibi: {{slope: 1/2}}}}}}"),
    "by distance": form("XWB", (2, 4), by_distance, f"{ASKING}, position: {{distance_bias: {{B: B}}}}}}"),
    "relative": form("XWR", (2, 4), relative, f"{ASKING}, score: {{relative: {{R: R}}}}, divide_by: 2}}"),
    "heads": form(
        "XWU",
        (2, 4),
        lambda g: several(asking(g) @ g["W"], g["X"] @ g["U"], g["X"] @ g["W"], 2, 2),
        "multi_head: {input: X, heads: 2, queries: [3, 1], W_Q: W, W_K: U, W_V: W}",
        of="a.C",
    ),
    "heads that share": form(
        "XWPN",
        (2, 4),
        lambda g: several(asking(g) @ g["W"], g["X"] @ g["P"], g["X"] @ g["N"], 4, 2),
        "multi_head: {input: X, heads: 4, kv_heads: 2, queries: [3, 1], W_Q: W, W_K: P, W_V: N}",
        of="a.C",
    ),
    "the same head twice": form(
        "XPN",
        (3, 4),
        lambda g: torch.cat([mix(g["X"] @ g["P"], g["X"] @ g["N"], g["X"] @ g["P"])] * 2, dim=1),
        "self_attention: {input: X, W_Q: P, W_K: N, W_V: P}",
        "multi_head: {heads: [a, a]}",
        of="b.C",
    ),
    "another sequence": form(
        "XYWU",
        (2, 4),
        lambda g: mix(asking(g) @ g["W"], g["Y"] @ g["U"], g["Y"]),
        "cross_attention: {input: X, context: Y, queries: [3, 1], W_Q: W, W_K: U}",
    ),
    "itself as another sequence": form(
        "XW",
        (1, 4),
        lambda g: mix(g["X"][[1]] @ g["W"], g["X"], g["X"]),
        "cross_attention: {input: X, context: X, queries: [2], W_Q: W}",
    ),
    "values of its own": form(
        "XYP",
        (3, 4),
        lambda g: mix(g["X"] @ g["P"], g["Y"] @ g["P"], g["Y"]),
        "cross_attention: {input: X, context: Y, value_context: Y, W_Q: P, W_K: P}",
    ),
    "like": form(
        "XWU",
        (1, 4),
        lambda g: mix(g["X"][[2]] @ g["W"], g["X"] @ g["U"], g["X"]),
        f"{ASKING}, W_K: U}}",
        "like: a\n    self_attention: {queries: [3]}",
        of="b.Z",
    ),
    "found earlier": form(
        "XW", (2, 3), lambda g: asking(g) @ g["W"] @ g["X"].T, f"{ASKING}}}\n    find: S", of="a.S"
    ),
    "a case": form(
        "XWU",
        (2, 4),
        lambda g: mix(g["X"][[1, 2]] @ g["W"], g["X"] @ g["U"], g["X"]),
        f"{ASKING}}}\n    cases: [{{queries: [1]}}, {{queries: [2, 3], W_K: U}}]",
        of="a.case2.Z",
    ),
    "twice in a row": form(
        "XW", (1, 4), twice, f"{ASKING}}}", "self_attention: {input: a.Z, queries: [2], W_Q: W}", of="b.Z"
    ),
    "linear": form(
        "XW", (2, 4), linear, "linear_attention: {input: X, queries: [3, 1], W_Q: W, feature_map: exp}"
    ),
    "letters of results": form(
        "QATZ",
        (2, 4),
        lambda g: mix(g["Q"][[2, 0]] @ g["A"], g["Q"] @ g["T"], g["Q"] @ g["Z"]),
        "self_attention: {input: Q, queries: [3, 1], W_Q: A, W_K: T, W_V: Z}",
    ),
}
SHAPES |= {"Q": (3, 4), "A": (4, 4), "T": (4, 4), "Z": (4, 4)}
TOP = {"counted from 0": "index_from: 0\n"}


def numbers(form: Form, seed: int) -> dict[str, Table]:
    """Between -1 and 1, so that no softmax is all but decided."""
    shapes = {name: SHAPES[name] for name in form.givens} | {"G": form.shape}
    tables = {name: drawn(*shape, seed=100 * seed + k) for k, (name, shape) in enumerate(shapes.items())}
    return {name: [[x / 2 for x in row] for row in table] for name, table in tables.items()}


def back(name: str, given: dict[str, Table], *, top: str = "", more: str = "") -> Any:
    form = FORMS[name]
    parts = *form.parts, f"backward: {{of: {form.of}, gradient: G}}{more}"
    return solved(given, *parts, top=TOP.get(name, "") + top), "abc"[len(form.parts)]


@pytest.mark.parametrize("name", FORMS)
def test_every_given_has_the_whole_of_its_gradient_by_its_name(name: str) -> None:
    for seed in range(5):
        given = numbers(FORMS[name], seed)
        trace, part = back(name, given)
        g = leaves(given)
        assert_gradients(trace, g, FORMS[name].torch(g), g["G"].detach(), part=part)


@pytest.mark.parametrize("name", FORMS)
def test_check_agrees(name: str) -> None:
    trace, _ = back(name, numbers(FORMS[name], 9))
    assert check(trace).fine


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("convention", ["columns", "torch"])
def test_other_conventions_have_the_same_gradients(name: str, convention: str) -> None:
    """Weights are typed the other way round."""
    form, given = FORMS[name], numbers(FORMS[name], 4)
    turned_round = [n for n in form.givens if n in WEIGHTS]
    other = given | {n: [list(row) for row in zip(*given[n], strict=True)] for n in turned_round}
    (plain, part), (found, _) = back(name, given), back(name, other, top=f"convention: {convention}\n")
    for each in form.givens:
        assert_close(tensor(plain.value(f"{part}.d{each}")), found.value(f"{part}.d{each}"))


@pytest.mark.parametrize("name", FORMS)
def test_the_right_gradients_are_right_and_have_names_of_their_own(name: str) -> None:
    form, given = FORMS[name], numbers(FORMS[name], 6)
    trace, part = back(name, given, more="\n    marks: 10")
    g = leaves(given)
    wanted = [g[each] for each in form.givens]
    found = torch.autograd.grad(form.torch(g), wanted, g["G"].detach())
    handed_in = [
        f"{part}.d{each} {'; '.join(' '.join(f'{x:.9f}' for x in row) for row in gradient.tolist())}"
        for each, gradient in zip(form.givens, found, strict=True)
    ]
    verdicts = {step.name: step.verdict for step in verify(trace, " ; ".join(handed_in)).steps}
    assert [Verdict.RIGHT] * len(wanted) == [verdicts[f"{part}.d{each}"] for each in form.givens]


def test_picked_tokens_have_a_gradient_with_a_prime() -> None:
    trace, _ = back("some tokens ask", numbers(FORMS["some tokens ask"], 2), more="\n    find: dX")
    page = render(trace, to="markdown").replace("&=", "=")
    assert r"\mathrm{d}X' = \mathrm{d}Q W^{\top}" in page
    assert r"\mathrm{d}X = \mathrm{d}X^{(Z)} + \mathrm{d}X^{(K)} + \mathrm{d}X^{(X')}" in page
