"""Random problems, with heads, masks, biases and conventions, that torch's own layers must repeat."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from attnsolve.companion.checking import check
from attnsolve.companion.heads import Reader
from attnsolve.companion.multihead import sizes_of
from attnsolve.engine import solve
from attnsolve.loader import loads

ENTRIES = st.sampled_from(["-2", "-1", "-1/2", "0", "1/3", "1/2", "1", "3/2", "2", "sqrt(2)"])


def matrices(rows: int, columns: int) -> st.SearchStrategy[str]:
    row = st.lists(ENTRIES, min_size=columns, max_size=columns).map(" ".join)
    return st.lists(row, min_size=rows, max_size=rows).map("; ".join)


@st.composite
def masks(draw: st.DrawFn, queries: int, keys: int) -> str:
    """A mask that leaves every query its first key."""
    kind = draw(st.sampled_from(["", "causal: true", "lengths", "keep", "drop", "add"]))
    if kind == "lengths":
        return f", mask: {{lengths: {draw(st.integers(1, keys))}}}"
    if kind in ("keep", "drop", "add"):
        words = {"keep": ("1", "0"), "drop": ("0", "1"), "add": ("-1/2", "-inf")}[kind]
        table = [[words[0], *(draw(st.sampled_from(words)) for _ in range(keys - 1))] for _ in range(queries)]
        return f", mask: {{{kind}: {'; '.join(map(' '.join, table))}}}"
    return f", mask: {{{kind}}}" if kind else ""


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    convention = draw(st.sampled_from(["rows", "columns", "torch"]))
    tokens, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    heads = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=3))
    crossed = draw(st.booleans())
    others, other_width = (draw(st.integers(1, 3)), draw(st.integers(1, 4))) if crossed else (tokens, width)
    biased, output = draw(st.booleans()), draw(st.sampled_from([None, 1, 2, 5]))
    scale = draw(st.sampled_from(["", ", divide_by: none", ", divide_by: 3", ", multiply_by: 1/2"]))

    def weights(rows: int, columns: int) -> str:
        return draw(matrices(*((rows, columns) if convention == "rows" else (columns, rows))))

    given = {"X": draw(matrices(tokens, width)), "Y": draw(matrices(others, other_width))}
    listed = []
    for number, (d_k, d_v) in enumerate(heads):
        sizes = {"Q": (width, d_k), "K": (other_width, d_k), "V": (other_width, d_v)}
        own = []
        for letter, (rows, columns) in sizes.items():
            given[f"W{letter}{number}"] = weights(rows, columns)
            own.append(f"W_{letter}: W{letter}{number}")
            if biased:
                given[f"b{letter}{number}"] = draw(matrices(1, columns))
                own.append(f"b_{letter}: b{letter}{number}")
        listed.append(f"{{{', '.join(own)}}}")
    context = ", context: Y" if crossed else ""
    more = ""
    if output is not None:
        given["WO"] = weights(sum(d_v for _, d_v in heads), output)
        more = ", W_O: WO"
    hidden = (
        draw(masks(tokens, others))
        if convention != "columns"
        else draw(st.sampled_from(["", ", mask: {causal: true}"]))
    )
    lines = "\n".join(f"  {name}: {text}" for name, text in given.items())
    recipe = f"{{input: X{context}, heads: [{', '.join(listed)}]{more}{scale}{hidden}}}"
    front = f"format: 1\ntitle: drawn\nconvention: {convention}\ngiven:\n{lines}\n"
    return {"text": f"{front}parts:\n  - ask: all\n    multi_head: {recipe}\n", "heads": len(heads)}


@given(problems())
def test_random_problem_agrees_with_torchs_layers(drawn: dict[str, Any]) -> None:
    trace = solve(loads(drawn["text"]))
    found = check(trace)
    assert found.fine, [one for one in (*found.steps, *found.layers) if not one.fine]
    # The layer itself, the weights of each head, and each head by scaled_dot_product_attention.
    assert 1 + 2 * drawn["heads"] == len(found.layers)
    assert all(one.allowed < 1e-6 for one in found.layers)


@pytest.mark.parametrize(
    ("width", "d_k", "heads", "embed_dim"),
    [(1, 2, 2, 4), (3, 2, 2, 4), (4, 2, 2, 4), (5, 2, 2, 6), (7, 1, 3, 9), (2, 3, 1, 3)],
)
def test_padding_for_tokens_narrower_and_wider_than_the_heads(
    width: int, d_k: int, heads: int, embed_dim: int
) -> None:
    def table(rows: int, columns: int, start: int) -> str:
        return "; ".join(
            " ".join(str((start + 3 * i + 5 * j) % 7 - 3) for j in range(columns)) for i in range(rows)
        )

    own = [
        f"{{W_Q: {table(width, d_k, h)}, W_K: {table(width, d_k, h + 1)}, W_V: {table(width, d_k, h + 2)}}}"
        for h in range(heads)
    ]
    trace = solve(
        loads(
            f"format: 1\ntitle: padded\ngiven: {{X: {table(3, width, 1)}}}\nparts:\n  - ask: all\n"
            f"    multi_head: {{input: X, heads: [{', '.join(own)}]}}\n"
        )
    )
    (layer,) = Reader(trace).layers()
    assert embed_dim == sizes_of(layer).embed_dim
    found = check(trace)
    assert found.fine
    told = " ".join(found.layers[0].explained)
    assert ("zero columns are appended" in told) == (width < embed_dim)
