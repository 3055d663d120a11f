"""Easy to get wrong: torch makes the same mistake and gets the same, which is not the right answer."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from recipes.solved import assert_close, tensor

from attnsolve.bundled import data
from attnsolve.engine import solve
from attnsolve.exact import Matrix
from attnsolve.loader import load, loads
from attnsolve.mistakes import differs, wrong_values
from attnsolve.trace import Trace

torch = pytest.importorskip("torch")

INLINE = {
    "two heads": """
format: 1
title: Two heads of two numbers
given:
  X: 1 0 2 1; 0 1 1 -1; 1 1 0 2
  W_O: 1 2 0 0; 0 1 0 1; 1 0 1 0; 0 0 2 1
parts:
  - {ask: side by side, multi_head: {input: X, heads: 2}}
  - {ask: with an output matrix, multi_head: {input: X, heads: 2, W_O: W_O}}
"""
}


@cache
def trace(name: str) -> Trace:
    return solve(loads(INLINE[name]) if name in INLINE else load(data("problems") / f"{name}.yaml"))


@cache
def mistaken(name: str, part: str) -> Mapping[str, Mapping[str, Matrix]]:
    """All values of a part under each mistake."""
    solved = trace(name)
    chosen = next(p for p in solved.problem.parts if p.id == part)
    return {mistake: values for mistake, _, values in wrong_values(solved, chosen)}


def givens(name: str) -> Any:
    """The givens as torch has them, tokens as rows."""
    return {key: tensor(given.value) for key, given in trace(name).problem.givens.items()}


def softmax(scores: Any, dim: int = -1) -> Any:
    return torch.softmax(scores, dim=dim)


def projected(g: Any) -> tuple[Any, Any, Any]:
    return g["X"] @ g["W_Q"], g["X"] @ g["W_K"], g["X"] @ g["W_V"]


def scores(g: Any) -> Any:
    Q, K, _ = projected(g)
    return Q @ K.T / K.shape[1] ** 0.5


def head(X: Any) -> Any:
    return softmax(X @ X.T / X.shape[1] ** 0.5) @ X


def heads(g: Any) -> tuple[Any, Any]:
    """The two heads of the problem written here, which have two numbers each."""
    return head(g["X"][:, :2]), head(g["X"][:, 2:])


def swapped(g: Any) -> Any:
    Q, K, V = projected(g)
    return softmax(Q @ V.T / 2**0.5) @ K


def practical_heads(g: Any) -> tuple[Any, Any]:
    _, _, V = projected(g)
    ones = g["X"] @ torch.ones(3, 2, dtype=torch.float64)
    return softmax(scores(g)) @ V, softmax(ones @ ones.T / 2**0.5) @ ones


def epsilon_on_the_deviation(g: Any) -> Any:
    deviation, mean = torch.std_mean(g["X"], dim=1, correction=0, keepdim=True)
    return g["gamma"] * (g["X"] - mean) / (deviation + 0.25) + g["beta"]


def state_first(g: Any) -> Any:
    context = softmax(g["s"] @ g["F"].T) @ g["F"]
    return torch.tanh(torch.cat([g["s"], context], dim=1) @ g["W_c"])


def key_first(g: Any) -> Any:
    pairs = torch.cat([g["K"], g["q"].expand(4, -1)], dim=1)
    return (torch.tanh(pairs @ g["W_1"]) @ g["w_2"].T).T


def concatenated(g: Any) -> Any:
    _, _, V = projected(g)
    return softmax(scores(g)) @ V


def without_output(g: Any) -> Any:
    """The heads of the encoder block side by side, added to the input."""
    Q, K, V = (x.reshape(2, 2, 2).transpose(0, 1) for x in projected(g))
    attended = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    return g["X"] + torch.cat(tuple(attended), dim=1)


FUTURE = torch.ones(3, 3).triu(1).bool()

# The mistake, where it is made, the value it shows in, and the number of who makes it.
TABLE: list[tuple[str, str, str, Callable[[Any], Any]]] = [
    ("down-columns", "lab-5-self-attention", "a.A", lambda g: softmax(g["X"] @ g["X"].T, dim=0)),
    ("down-columns", "ist-practical-10", "b.A", lambda g: softmax(scores(g), dim=0)),
    ("mask-afterwards", "causal-self-attention", "a.A", lambda g: softmax(scores(g)).tril()),
    ("mask-as-zero", "causal-self-attention", "a.A", lambda g: softmax(scores(g).tril())),
    ("mask-forgotten", "causal-self-attention", "a.A", lambda g: softmax(scores(g))),
    (
        "mask-inverted",
        "causal-self-attention",
        "b.A",
        lambda g: torch.tensor([[0.0, 0, 1]] * 3, dtype=torch.float64),
    ),
    (
        "mask-transposed",
        "causal-self-attention",
        "a.A",
        lambda g: softmax(scores(g).masked_fill(FUTURE.T, float("-inf"))),
    ),
    ("scaled-by-d-model", "ist-practical-10", "b.A", lambda g: softmax(scores(g) * (2 / 3) ** 0.5)),
    ("unscaled", "ist-practical-10", "b.A", lambda g: softmax(scores(g) * 2**0.5)),
    ("scaled-unasked", "lab-5-self-attention", "a.A", lambda g: softmax(g["X"] @ g["X"].T / 3**0.5)),
    ("keys-and-values-swapped", "ist-practical-10", "b.Z", swapped),
    ("order", "ist-practical-10", "c.Z", lambda g: torch.cat(practical_heads(g)[::-1], dim=1) @ g["W_O"]),
    ("epsilon-misplaced", "encoder-block", "a.N", epsilon_on_the_deviation),
    ("joined-in-other-order", "ist-practical-10-decoder", "a.H", state_first),
    ("key-first", "session-18-attention", "a.S", key_first),
    ("wrong-side", "lab-5-costs", "c.Z", lambda g: g["W_O"] @ concatenated(g)),
    ("forgotten", "lab-5-costs", "c.Z", concatenated),
    ("averaged", "two heads", "a.C", lambda g: sum(heads(g)) / 2),
    ("forgotten", "two heads", "b.Z", lambda g: torch.cat(heads(g), dim=1)),
    ("output-forgotten", "encoder-block", "b.R1", without_output),
    ("order", "two heads", "a.C", lambda g: torch.cat(heads(g)[::-1], dim=1)),
]


@pytest.mark.parametrize(
    ("mistake", "name", "value", "number"), TABLE, ids=[f"{m}-{n}" for m, n, *_ in TABLE]
)
def test_a_mistake_gives_what_who_makes_it_gets(
    mistake: str, name: str, value: str, number: Callable[[Any], Any]
) -> None:
    assert_close(number(givens(name)), mistaken(name, value[0])[mistake][value])


@pytest.mark.parametrize(("mistake", "name", "value"), [row[:3] for row in TABLE], ids=lambda text: text)
def test_a_mistake_is_told_from_the_right_answer(mistake: str, name: str, value: str) -> None:
    solved, wrong = trace(name), mistaken(name, value[0])[mistake]
    if wrong[value].shape == solved.value(value).shape:
        assert wrong[value].same(solved.value(value)) is False
        assert differs(wrong, solved, value, solved.problem.places)
    else:
        assert not differs(wrong, solved, value, solved.problem.places)  # by its size already


def test_norms_that_come_first_do_not_come_too_early() -> None:
    """x + f(LN(x)) has no norm after the sum that could be put before it."""
    right, wrong = trace("encoder-block"), mistaken("encoder-block", "c")["norm-before-residual"]
    for value in ("c.Z", "c.R1", "c.E", "c.R2"):
        assert_close(tensor(right.value(value)), wrong[value])
    wrong = mistaken("encoder-block", "b")["norm-before-residual"]
    assert differs(wrong, right, "b.N1", 4)


def test_norm_before_the_residual_is_added() -> None:
    given, values = givens("encoder-block"), mistaken("encoder-block", "b")["norm-before-residual"]
    attended = tensor(trace("encoder-block").value("b.Z"))
    gain, bias = given["gamma"][0], given["beta"][0]
    expected = given["X"] + torch.nn.functional.layer_norm(attended, (4,), gain, bias, eps=0.0)
    assert_close(expected, values["b.N1"])
