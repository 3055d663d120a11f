"""A decoder step against plain torch, from the scores to the loss."""

from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

torch = pytest.importorskip("torch")

# Five states of width 3, a decoder state of the same width or of 2; seven words.
GIVEN: dict[str, Table] = {
    "H": drawn(5, 3, seed=41),
    "s": drawn(1, 3, seed=42),
    "t": drawn(1, 2, seed=43),
    "W_c": drawn(6, 4, seed=44),
    "b_c": drawn(1, 4, seed=45),
    "W_y": drawn(4, 7, seed=46),
    "b_y": drawn(1, 7, seed=47),
    "W_j": drawn(6, 7, seed=48),
    "B": drawn(2, 3, seed=49),
    "W_d": drawn(5, 4, seed=50),
    "R": drawn(2, 3, seed=51),
}
H, s, t, W_c, b_c, W_y, b_y, W_j, B, W_d, R = (tensor(table) for table in GIVEN.values())


def step(settings: str, *, states: str = "state: s, states: H", top: str = "", given: Any = GIVEN) -> Any:
    return solved(given, f"decoder_step: {{{states}{settings}}}", top=top)


def context(scores: Any) -> Any:
    return torch.softmax(scores, dim=-1) @ H


def test_the_whole_step() -> None:
    trace = step(", W_c: W_c, b_c: b_c, W_y: W_y, b_y: b_y, target: 3")
    c = context(s @ H.T)
    attentional = torch.tanh(torch.cat([c, s], dim=-1) @ W_c + b_c)
    logits = attentional @ W_y + b_y
    assert_close(c, trace.value("a.C"))
    assert_close(attentional, trace.value("a.H"))
    assert_close(logits, trace.value("a.O"))
    assert_close(torch.softmax(logits, dim=-1), trace.value("a.Y"))
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor([2]))
    assert_close(loss.reshape(1, 1), trace.value("a.L"))


def test_the_words_of_settings_name_the_values() -> None:
    settings = ", W_c: W_c, W_y: W_y, target: 3}\n    find: [scores, weights, context, joined, state, logits"
    trace = step(f"{settings}, probabilities, loss]\n    marks: {{loss: 2")
    assert [f"a.{letter}" for letter in "SACGHOYL"] == [target.name for target in trace.problem.parts[0].find]


def test_the_state_may_come_first() -> None:
    trace = step(", W_c: W_c, join: state_first")
    assert_close(torch.tanh(torch.cat([s, context(s @ H.T)], dim=-1) @ W_c), trace.value("a.H"))


def test_read_out_without_the_layer_between() -> None:
    trace = step(", W_y: W_j")
    joined = torch.cat([context(s @ H.T), s], dim=-1)
    assert_close(torch.softmax(joined @ W_j, dim=-1), trace.value("a.Y"))


@pytest.mark.parametrize(
    ("settings", "scores"),
    [
        (", divide_by: sqrt(d_k)", s @ H.T / 3**0.5),
        (", divide_by: 2", s @ H.T / 2),
        (", multiply_by: 3", s @ H.T * 3),
        (", score: cosine", torch.nn.functional.cosine_similarity(s, H)[None]),
        (", mask: {lengths: 2}", (s @ H.T).masked_fill(torch.arange(5) >= 2, float("-inf"))),
        (", mask: {drop_keys: [1, 5]}", (s @ H.T).masked_fill(torch.arange(5) % 4 == 0, float("-inf"))),
    ],
)
def test_attention_inside_has_all_settings(settings: str, scores: Any) -> None:
    assert_close(context(scores), step(settings).value("a.C"))


def test_a_state_of_another_width_is_compared_through_a_matrix() -> None:
    trace = step(", score: {bilinear: {W: B}}, W_c: W_d", states="state: t, states: H")
    c = context(t @ B @ H.T)
    assert_close(torch.tanh(torch.cat([c, t], dim=-1) @ W_d), trace.value("a.H"))


def test_several_states_at_once() -> None:
    trace = step(", W_c: W_c, W_y: W_y, target: [1, 7]", states="state: R, states: H")
    joined = torch.cat([context(R @ H.T), R], dim=-1)
    logits = torch.tanh(joined @ W_c) @ W_y
    losses = torch.nn.functional.cross_entropy(logits, torch.tensor([0, 6]), reduction="none")
    assert_close(losses[:, None], trace.value("a.L"))


def test_with_columns_the_matrices_stand_on_the_left() -> None:
    turned = {name: [list(row) for row in zip(*GIVEN[name], strict=True)] for name in ("W_c", "W_y")}
    trace = step(", W_c: W_c, W_y: W_y", top="convention: columns\n", given=GIVEN | turned)
    logits = torch.tanh(torch.cat([context(s @ H.T), s], dim=-1) @ W_c) @ W_y
    assert_close(torch.softmax(logits, dim=-1), trace.value("a.Y"))
