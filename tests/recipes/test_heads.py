"""Scores other than dot products, in the recipes and against torch."""

from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

torch = pytest.importorskip("torch")
functional = torch.nn.functional

# Two queries of width 3, four keys of width 2 or 3.
GIVEN: dict[str, Table] = {
    "Q": drawn(2, 3, seed=11),
    "K": drawn(4, 2, seed=12),
    "L": drawn(4, 3, seed=13),
    "V": drawn(4, 5, seed=14),
    "B": drawn(3, 2, seed=15),
    "b": drawn(1, 1, seed=17),
    "W": drawn(3, 3, seed=18),
    "U": drawn(2, 3, seed=19),
    "v": drawn(1, 3, seed=20),
    "J": drawn(5, 3, seed=21),
}
Q, K, L, V, B, b, W, U, v, J = (tensor(table) for table in GIVEN.values())
PAIRS = torch.cat([Q[:, None].expand(-1, 4, -1), K[None].expand(2, -1, -1)], dim=-1)

SCORES: dict[str, tuple[str, Any]] = {
    "{bilinear: {W: B}}": ("K", torch.einsum("ik,kl,jl->ij", Q, B, K)),
    "{bilinear: {W: B, b: b}}": ("K", torch.einsum("ik,kl,jl->ij", Q, B, K) + b),
    "{bilinear: {b: b, W: B}}": ("K", torch.einsum("ik,kl,jl->ij", Q, B, K) + b),
    "{bilinear: {W: 1 0; 0 1; 1 1}}": ("K", Q @ torch.tensor([[1.0, 0], [0, 1], [1, 1]]).double() @ K.T),
    "{additive: {W: W, U: U, v: v}}": ("K", torch.tanh((Q @ W)[:, None] + (K @ U)[None]) @ v[0]),
    "{concat: {W: J, v: v}}": ("K", torch.tanh(PAIRS @ J) @ v[0]),
    "cosine": ("L", functional.normalize(Q, dim=-1) @ functional.normalize(L, dim=-1).T),
    "dot": ("L", Q @ L.T),
}


def attended(score: str, keys: str, *, more: str = "") -> Any:
    return solved(GIVEN, f"attend: {{queries: Q, keys: {keys}, values: V, score: {score}{more}}}")


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_torchs(score: str) -> None:
    keys, expected = SCORES[score]
    assert_close(expected, attended(score, keys).value("a.S"))


@pytest.mark.parametrize("score", SCORES)
def test_only_dot_products_are_scaled_unless_the_file_says_so(score: str) -> None:
    keys, expected = SCORES[score]
    root = 3**0.5 if score == "dot" else 1
    assert_close(torch.softmax(expected / root, dim=-1) @ V, attended(score, keys).value("a.Z"))
    halved = attended(score, keys, more=", divide_by: 2")
    assert_close(torch.softmax(expected / 2, dim=-1) @ V, halved.value("a.Z"))
    doubled = attended(score, keys, more=", multiply_by: 2")
    assert_close(torch.softmax(expected * 2, dim=-1) @ V, doubled.value("a.Z"))


@pytest.mark.parametrize("score", SCORES)
def test_scores_can_be_masked(score: str) -> None:
    keys, expected = SCORES[score]
    scale = 3**0.5 if score == "dot" else 1
    hidden = torch.tensor([[0, 0, 1, 1], [0, 0, 0, 1]]).bool()
    weights = torch.softmax((expected / scale).masked_fill(hidden, float("-inf")), dim=-1)
    assert_close(weights, attended(score, keys, more=", mask: {lengths: [2, 3]}").value("a.A"))


def test_bilinear_is_torchs_own_layer() -> None:
    layer = torch.nn.Bilinear(3, 2, 1, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(B[None])
        layer.bias.copy_(b[0])
        expected = layer(Q[:, None].expand(-1, 4, -1).contiguous(), K[None].expand(2, -1, -1).contiguous())
    assert_close(expected[..., 0], attended("{bilinear: {W: B, b: b}}", "K").value("a.S"))


def test_additive_is_the_same_as_concat_with_stacked_matrices() -> None:
    stacked = GIVEN["W"] + GIVEN["U"]
    trace = solved(
        GIVEN | {"S": stacked}, "attend: {queries: Q, keys: K, values: V, score: {concat: {W: S, v: v}}}"
    )
    assert trace.value("a.S").same(attended("{additive: {W: W, U: U, v: v}}", "K").value("a.S")) is True


@pytest.mark.parametrize(
    ("part", "at"),
    [
        ("self_attention: {input: L, score: {bilinear: {W: W}}}", "a"),
        ("cross_attention: {input: L, context: L, score: {bilinear: {W: W}}}", "a"),
        ("multi_head: {input: L, heads: [{score: {bilinear: {W: W}}}, {score: cosine}]}", "a.head1"),
        ("multi_head: {input: L, heads: [{}, {}], score: {bilinear: {W: W}}}", "a.head2"),
        ("encoder_block: {input: L, score: {bilinear: {W: W}}}", "a"),
        ("decoder_step: {state: L, states: L, score: {bilinear: {W: W}}}", "a"),
    ],
)
def test_every_recipe_takes_scores(part: str, at: str) -> None:
    assert_close(L @ W @ L.T, solved(GIVEN, part).value(f"{at}.S"))


@pytest.mark.parametrize(
    ("convention", "bilinear", "additive", "concat"),
    [
        ("rows", "B", ("W", "U"), "J"),
        # What stands between query and key is written q' W k, also where tokens are columns.
        ("columns", "B", ("Wt", "Ut"), "Jt"),
        ("torch", "B", ("Wt", "Ut"), "Jt"),
    ],
)
def test_matrices_are_laid_as_the_convention_says(
    convention: str, bilinear: str, additive: tuple[str, str], concat: str
) -> None:
    turned = {f"{name}t": [list(row) for row in zip(*GIVEN[name], strict=True)] for name in "WUJ"}
    given, top = GIVEN | turned, f"convention: {convention}\n"

    def scores(score: str) -> Any:
        return solved(given, f"attend: {{queries: Q, keys: K, score: {score}}}", top=top).value("a.S")

    assert_close(SCORES["{bilinear: {W: B}}"][1], scores(f"{{bilinear: {{W: {bilinear}}}}}"))
    first, second = additive
    assert_close(
        SCORES["{additive: {W: W, U: U, v: v}}"][1],
        scores(f"{{additive: {{W: {first}, U: {second}, v: v}}}}"),
    )
    assert_close(SCORES["{concat: {W: J, v: v}}"][1], scores(f"{{concat: {{W: {concat}, v: v}}}}"))
