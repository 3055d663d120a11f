"""A whole encoder and decoder as one model against nn.Transformer, with weights drawn by torch's names."""

import random
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.companion.checking import check
from attnsolve.errors import ProblemError

torch = pytest.importorskip("torch")

RANDOM, WIDTH, HIDDEN, WORDS = 12, 2, 2, 4
ATTENTION = {"Q": WIDTH, "K": WIDTH, "V": WIDTH, "O": WIDTH}


class Drawn:
    """Tables of a problem, and the same numbers for torch."""

    def __init__(self, seed: int) -> None:
        self.seed = 1000 * seed
        self.tables: dict[str, Table] = {}

    def new(self, rows: int, columns: int) -> str:
        name = f"M{len(self.tables)}"
        self.tables[name] = drawn(rows, columns, seed=self.seed + len(self.tables))
        return name

    def tensor(self, name: str) -> Any:
        return tensor(self.tables[name])


def attention(draw: Drawn, module: Any, heads: int) -> str:
    """The keys of an attention, whose numbers go into torch's module."""
    W = {letter: draw.new(WIDTH, WIDTH) for letter in ATTENTION}
    b = {letter: draw.new(1, WIDTH) for letter in ATTENTION}
    module.in_proj_weight.data = torch.cat([draw.tensor(W[x]).T for x in "QKV"])
    module.in_proj_bias.data = torch.cat([draw.tensor(b[x])[0] for x in "QKV"])
    module.out_proj.weight.data, module.out_proj.bias.data = draw.tensor(W["O"]).T, draw.tensor(b["O"])[0]
    return f"heads: {heads}, " + ", ".join(f"W_{x}: {W[x]}, b_{x}: {b[x]}" for x in ATTENTION)


def norm(draw: Drawn, module: Any, key: str) -> str:
    gamma, beta = draw.new(1, WIDTH), draw.new(1, WIDTH)
    module.weight.data, module.bias.data = draw.tensor(gamma)[0], draw.tensor(beta)[0]
    return f"gamma_{key}: {gamma}, beta_{key}: {beta}"


def layer(draw: Drawn, module: Any, heads: int) -> str:
    """One layer, with a look at the encoder where torch's has one."""
    pieces = [attention(draw, module.self_attn, heads)]
    if hasattr(module, "multihead_attn"):
        pieces.append(f"cross: {{{attention(draw, module.multihead_attn, heads)}}}")
    for key, linear, shape in (
        ("1", module.linear1, (WIDTH, HIDDEN)),
        ("2", module.linear2, (HIDDEN, WIDTH)),
    ):
        W, b = draw.new(*shape), draw.new(1, shape[1])
        linear.weight.data, linear.bias.data = draw.tensor(W).T, draw.tensor(b)[0]
        pieces.append(f"W_{key}: {W}, b_{key}: {b}")
    count = 3 if hasattr(module, "norm3") else 2
    pieces += [norm(draw, getattr(module, f"norm{place}"), str(place)) for place in range(1, count + 1)]
    return f"{{{', '.join(pieces)}}}"


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_encoder_and_decoder_are_torchs_transformer() -> None:
    for seed in range(RANDOM):
        choice, draw = random.Random(seed), Drawn(seed)
        heads, where = choice.choice([1, 2]), choice.choice(["pre", "post"])
        module = torch.nn.Transformer(
            WIDTH,
            heads,
            1 + (seed % 5 == 0),
            1 + (seed % 7 == 0),
            HIDDEN,
            dropout=0.0,
            batch_first=True,
            norm_first=where == "pre",
            layer_norm_eps=1.0,
            dtype=torch.float64,
        ).eval()
        embedding, own = draw.new(WORDS, WIDTH), draw.new(WORDS, WIDTH)
        halves = [
            f"layers: [{', '.join(layer(draw, one, heads) for one in half.layers)}], "
            + norm(draw, half.norm, "f")
            for half in (module.encoder, module.decoder)
        ]
        read, written = ([choice.randint(1, WORDS) for _ in range(1 + seed % 2 + k)] for k in (1, 0))
        trace = solved(
            draw.tables,
            f"model: {{words: {written}, embedding: {embedding}, norm: {where}, epsilon: 1, {halves[1]}, "
            f"encoder: {{words: {read}, embedding: {own}, {halves[0]}}}, target: {written}}}",
        )
        source, target = (
            draw.tensor(table)[[word - 1 for word in words]][None]
            for table, words in ((own, read), (embedding, written))
        )
        mask = torch.nn.Transformer.generate_square_subsequent_mask(len(written), dtype=torch.float64)
        with torch.no_grad():
            wanted = module(source, target, tgt_mask=mask)[0]
        assert_close(wanted, trace.value("a.N_f"), within=1e-9)
        if seed % 5 == 0:
            found = [one for one in check(trace).layers if one.against.startswith("nn.Transformer(")]
            assert [True] == [one.fine for one in found]
        logits = wanted @ draw.tensor(embedding).T
        assert_close(logits.softmax(dim=1), trace.value("a.Y"), within=1e-9)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("layers: 1, cross: {W_V: W}", "'cross' belongs to a layer that looks at an encoder"),
        ("layers: [{gamma_3: 1 1}]", "'gamma_3' belongs to a layer that looks at an encoder"),
        ("layers: 1, encoder: {words: [1]}", "the key 'layers' is missing"),
        ("layers: 1, encoder: {layers: 1}", "the key 'words' is missing"),
        ("layers: 1, encoder: {words: [9], layers: 1}", "there is no word 9"),
        ("layers: 1, encoder: {words: [1], layers: 1, W_V: 1 2 3; 4 5 6; 7 8 9}", "encoder.W_V"),
        ("layers: 1, parallel: true, W_1: W, W_2: W, encoder: {words: [1], layers: 1}", "one after another"),
        ("layers: 1, cross: {W_V: 1 2 3; 4 5 6; 7 8 9}, encoder: {words: [1], layers: 1}", "cross.W_V"),
    ],
)
def test_what_makes_no_encoder_and_decoder_is_refused(settings: str, said: str) -> None:
    given = {"E": drawn(4, 2, seed=1), "W": drawn(2, 2, seed=2)}
    with pytest.raises(ProblemError) as refused:
        solved(given, f"model: {{words: [1, 2], embedding: E, {settings}}}")
    assert said in str(refused.value)
